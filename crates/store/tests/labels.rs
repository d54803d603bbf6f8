//! Labels (expected answers from tables), and the path of the program.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;

use crate::support::{all_instances, configuration, facts, instance};
use luthier_records::{Configuration, Label, Verdict};
use luthier_store::{InstanceId, Store, StoreError, TrackId};

fn label(verdict: Verdict, source: &str) -> Label {
    Label { verdict, source: source.to_owned() }
}

/// One instance at two places.
fn labelled(path: &Path) -> (Store, TrackId, InstanceId) {
    let mut store = Store::open(path).unwrap();
    let set = store.add_set("set", false).unwrap();
    let track = store.add_track(set, "t").unwrap();
    let what = store.add_instance(&instance("a"), b"a").unwrap();
    store.add_member(track, what, "2.smt2").unwrap();
    store.add_member(track, what, "1.smt2").unwrap();
    (store, track, what)
}

#[test]
fn labels_stand_beside_their_place_by_source() {
    let folder = tempfile::tempdir().unwrap();
    let (mut store, track, what) = labelled(&folder.path().join("a.db"));
    for (name, verdict, source) in [
        ("2.smt2", Verdict::Sat, "paper"),
        ("2.smt2", Verdict::Unsat, "competition"),
        ("2.smt2", Verdict::Sat, "competition"),
    ] {
        store.add_label(track, what, name, &label(verdict, source)).unwrap();
    }
    let found = &all_instances(&store)[0];
    assert_eq!(found.places[1].name, "2.smt2");
    let expected = vec![label(Verdict::Sat, "competition"), label(Verdict::Sat, "paper")];
    assert_eq!(found.labels, [vec![], expected]);
    store.check().unwrap();
}

#[test]
fn a_label_for_nothing_or_that_says_nothing_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (mut store, track, what) = labelled(&folder.path().join("a.db"));
    let error = store.add_label(track, what, "3.smt2", &label(Verdict::Sat, "x")).unwrap_err();
    assert!(matches!(error, StoreError::NoPlace { .. }), "{error}");
    let error = store.add_label(track, what, "1.smt2", &label(Verdict::Unknown, "x")).unwrap_err();
    assert!(matches!(error, StoreError::UnknownLabel { .. }), "{error}");
}

#[test]
fn whoever_follows_a_database_notices_labels() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let (mut store, track, what) = labelled(&path);
    let reader = Store::open_read_only(&path).unwrap();
    let mut last = reader.mark().unwrap();
    for (verdict, is_change) in
        [(Verdict::Sat, true), (Verdict::Unsat, true), (Verdict::Unsat, false)]
    {
        store.add_label(track, what, "1.smt2", &label(verdict, "x")).unwrap();
        let mark = reader.mark().unwrap();
        assert_eq!(mark.revision > last.revision, is_change);
        last = mark;
    }
}

#[test]
fn a_merge_carries_labels_and_programs_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let (mut store, track, what) = labelled(&path);
    store.add_label(track, what, "1.smt2", &label(Verdict::Sat, "x")).unwrap();
    let elsewhere =
        Configuration { program: Some("/opt/z3 4/z3".to_owned()), ..configuration("z3") };
    store.add_configuration(&elsewhere).unwrap();
    let expected = facts(&store);
    store.close().unwrap();
    let mut target = Store::open(folder.path().join("b.db")).unwrap();
    assert_eq!(target.merge(&path).unwrap().labels, 1);
    assert_eq!(facts(&target), expected);
    assert_eq!(target.merge(&path).unwrap().labels, 0);
    // The same program may stand elsewhere; the first path stays.
    let moved = Configuration { program: None, ..elsewhere.clone() };
    target.add_configuration(&moved).unwrap();
    assert_eq!(target.configurations().unwrap()[0].1, elsewhere);
}
