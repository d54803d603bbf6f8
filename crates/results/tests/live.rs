//! Incrementally refreshed results equal freshly loaded ones, after random changes.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::sync::Arc;

use luthier_records::{Class, Judgement, Verdict};
use luthier_results::{FeatureExtractor, LiveResults, load};
use luthier_store::{NewRun, Store};
use support::{Writer, campaign, configuration, instance, run, shown};

#[test]
fn what_is_followed_is_what_a_fresh_look_shows() {
    for seed in 0..12 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let mut writer = Writer::new(Store::open(&path).unwrap(), seed);
        let mut live = LiveResults::open(&path).unwrap();
        for piece in 0..25 {
            for _ in 0..=writer.dice.below(2) {
                writer.write_something();
            }
            let version = live.version();
            let before = shown(&live.results());
            let has_changed = live.refresh().unwrap();
            assert_eq!(live.version() > version, has_changed);
            let fresh = shown(&load(&Store::open_read_only(&path).unwrap()).unwrap());
            let followed = shown(&live.results());
            assert!(has_changed || before == followed);
            assert!(followed == fresh, "seed {seed}, piece {piece}:\n{followed}\n---\n{fresh}");
            assert!(!live.refresh().unwrap());
        }
    }
}

#[test]
fn only_what_has_new_runs_is_judged_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut store = Store::open(&path).unwrap();
    let set = store.add_set("set", true).unwrap();
    let track = store.add_track(set, "").unwrap();
    let mut ids = Vec::new();
    for number in 0..3 {
        let text = format!("(check-sat){number}");
        let new = instance(&text, "2.6", Some(&["="]));
        let id = store.add_instance(&new, text.as_bytes()).unwrap();
        store.add_member(track, id, &format!("{number}.smt2")).unwrap();
        ids.push(id);
    }
    let configuration = store.add_configuration(&configuration("s", "z3", 10)).unwrap();
    let campaign = store.add_campaign(&campaign("c")).unwrap();
    let mut live = LiveResults::open(&path).unwrap();
    let before = live.results();
    let run = run(0, Verdict::Sat, None, 5);
    let new = NewRun { configuration, instance: ids[1], run: &run };
    store.add_runs(campaign, &[new]).unwrap();
    assert!(live.refresh().unwrap());
    let after = live.results();
    let is_kept =
        |index: usize| Arc::ptr_eq(&before.entries[index].judged, &after.entries[index].judged);
    assert_eq!([0, 1, 2].map(is_kept), [true, false, true]);
    // A look at what did not change gives the very same results.
    assert!(!live.refresh().unwrap());
    assert!(Arc::ptr_eq(&after, &live.results()));
    assert_eq!(live.version(), 1);
}

/// A database with one instance in two sets, one of which is trusted.
fn two_sets(store: &mut Store) -> Vec<NewRun<'static>> {
    let text = "(declare-const x String)(assert (= x (str.++ x \"a\")))(check-sat)";
    let id = store.add_instance(&instance(text, "2.6", None), text.as_bytes()).unwrap();
    for (set, trust, tracks) in [("b", true, ["t", "u"]), ("a", false, ["t", "t"])] {
        let set = store.add_set(set, trust).unwrap();
        for track in tracks {
            let track = store.add_track(set, track).unwrap();
            store.add_member(track, id, "x.smt2").unwrap();
        }
    }
    let configuration = store.add_configuration(&configuration("s", "z3", 10)).unwrap();
    let run = Box::leak(Box::new(run(0, Verdict::Unsat, None, 5)));
    vec![NewRun { configuration, instance: id, run }]
}

#[test]
fn copies_share_what_is_known_and_are_judged_set_by_set() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path().join("a.db")).unwrap();
    let runs = two_sets(&mut store);
    let empty = load(&store).unwrap();
    assert_eq!(empty.entries.len(), 3);
    assert!(empty.entries.iter().all(|entry| entry.judged.runs.is_empty()));
    let campaign = store.add_campaign(&campaign("c")).unwrap();
    store.add_runs(campaign, &runs).unwrap();
    let results = load(&store).unwrap();
    let places: Vec<String> = results.entries.iter().map(|entry| results.place_of(entry)).collect();
    assert_eq!(places, ["a/t/x.smt2", "b/t/x.smt2", "b/u/x.smt2"]);
    let [first, second, third] = results.entries.as_slice() else { panic!() };
    assert!(Arc::ptr_eq(&second.judged, &third.judged));
    assert!(!Arc::ptr_eq(&first.judged, &second.judged));
    assert!(Arc::ptr_eq(&first.judged.content, &second.judged.content));
    assert_eq!(first.judged.runs[0].scored.judgement, Judgement::Unjudged);
    assert!(matches!(second.judged.runs[0].scored.judgement, Judgement::Wrong(_)));
    assert_eq!(second.judged.runs[0].scored.class, Class::Unsat);
}

#[test]
fn features_that_nobody_recorded_are_found_in_the_text_and_stay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut store = Store::open(&path).unwrap();
    let runs = two_sets(&mut store);
    let mut live = LiveResults::open(&path).unwrap();
    assert!(live.results().features.is_empty());
    let mut finder = FeatureExtractor::new();
    let found = finder.next(&store, &live.results(), 10).unwrap().unwrap();
    assert_eq!(found.len(), 1);
    live.add_features(&found);
    assert_eq!(live.version(), 1);
    assert_eq!(finder.next(&store, &live.results(), 10).unwrap(), None);
    let check = |live: &LiveResults, names: &[&str]| {
        let results = live.results();
        assert_eq!(results.features, names);
        for entry in &results.entries {
            let of_entry = entry.judged.content.features.as_deref().unwrap();
            let of_entry: Vec<&str> =
                of_entry.iter().map(|&number| results.features[number as usize].as_str()).collect();
            assert_eq!(of_entry, ["=", "str.++"]);
        }
    };
    check(&live, &["=", "str.++"]);
    // A new run leads to the same instance, a removed one to a whole new look.
    let campaign = store.add_campaign(&campaign("c")).unwrap();
    store.add_runs(campaign, &runs).unwrap();
    assert!(live.refresh().unwrap());
    check(&live, &["=", "str.++"]);
    assert_eq!(live.results().entries[0].judged.runs.len(), 1);
    store.remove_runs(runs[0].configuration, &[Class::Unsat]).unwrap();
    assert!(live.refresh().unwrap());
    check(&live, &["=", "str.++"]);
    assert_eq!(live.results().entries[0].judged.runs.len(), 0);
}
