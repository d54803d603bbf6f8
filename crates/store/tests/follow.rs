//! Change detection: what a reader sees of a database that grows.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::support::{campaign, configuration, features, instance, run};
use luthier_records::{Class, Instance, Verdict};
use luthier_store::{InstanceId, NewRun, Store};

const TEXT: &str = "(check-sat)";

#[test]
fn features_are_filled_in_when_an_instance_is_registered_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path().join("a.db")).unwrap();
    let without = Instance { features: None, ..instance(TEXT) };
    let id = store.add_instance(&without, TEXT.as_bytes()).unwrap();
    let stored = |store: &Store| store.instance(id).unwrap().unwrap().instance.features;
    assert_eq!(stored(&store), None);
    assert_eq!(store.add_instance(&instance(TEXT), TEXT.as_bytes()).unwrap(), id);
    assert_eq!(stored(&store), Some(features()));
    // Who has not looked takes nothing away.
    store.add_instance(&without, TEXT.as_bytes()).unwrap();
    assert_eq!(stored(&store), Some(features()));
}

#[test]
fn a_merge_brings_features_that_are_not_here() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a.db", "b.db"].map(|name| folder.path().join(name));
    let mut store = Store::open(&paths[0]).unwrap();
    let without = Instance { features: None, ..instance(TEXT) };
    let id = store.add_instance(&without, TEXT.as_bytes()).unwrap();
    let mut other = Store::open(&paths[1]).unwrap();
    other.add_instance(&instance(TEXT), TEXT.as_bytes()).unwrap();
    other.add_instance(&instance("(exit)"), b"(exit)").unwrap();
    store.merge(&paths[1]).unwrap();
    assert_eq!(store.instance(id).unwrap().unwrap().instance.features, Some(features()));
    assert!(
        crate::support::all_instances(&store).iter().all(|found| found.instance.features.is_some())
    );
    let revision = store.mark().unwrap().revision;
    store.merge(&paths[1]).unwrap();
    assert_eq!(store.mark().unwrap().revision, revision, "a second merge changes nothing");
}

#[test]
fn new_rows_are_found_and_other_changes_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut store = Store::open(&path).unwrap();
    let reader = Store::open_read_only(&path).unwrap();
    let campaign = store.add_campaign(&campaign("c")).unwrap();
    let configuration = store.add_configuration(&configuration("s")).unwrap();
    let set = store.add_set("set", true).unwrap();
    let track = store.add_track(set, "").unwrap();
    let add = |store: &mut Store, text: &str| -> InstanceId {
        let id = store.add_instance(&instance(text), text.as_bytes()).unwrap();
        store.add_member(track, id, text).unwrap();
        id
    };
    let ids = ["(a)", "(b)", "(c)"].map(|text| add(&mut store, text));
    let version = reader.data_version().unwrap();
    let first = reader.mark().unwrap();
    assert_eq!((first.last_instance, first.members), (ids[2], 3));
    assert_eq!(reader.instances_changed_since(&first).unwrap(), []);

    let added = add(&mut store, "(d)");
    for repetition in 0..2 {
        let run = run(repetition, Verdict::Sat);
        let new = NewRun { configuration, instance: ids[1], run: &run };
        store.add_runs(campaign, &[new]).unwrap();
    }
    // What is there already is no change.
    add(&mut store, "(a)");
    store.add_set("set", true).unwrap();
    assert_ne!(reader.data_version().unwrap(), version);
    assert_eq!(reader.instances_changed_since(&first).unwrap(), [ids[1], added]);
    let second = reader.mark().unwrap();
    assert_eq!(second.revision, first.revision);
    let counts = reader.member_counts().unwrap();
    assert_eq!(counts, [ids[0], ids[1], ids[2], added].map(|id| (id, 1)));
    let mut visited = Vec::new();
    reader
        .visit_selected(&[ids[0], ids[1], added, InstanceId(99)], |found| {
            visited.push((found.id, found.runs.len()));
            Ok::<(), luthier_store::StoreError>(())
        })
        .unwrap();
    assert_eq!(visited, [(ids[0], 0), (ids[1], 2), (added, 0)]);

    let mut revisions = vec![second.revision];
    store.remove_runs(configuration, &[Class::Sat]).unwrap();
    revisions.push(reader.mark().unwrap().revision);
    store.add_set("set", false).unwrap();
    revisions.push(reader.mark().unwrap().revision);
    let mut other = instance("(a)");
    other.queries.pop();
    store.add_instance(&other, b"(a)").unwrap();
    revisions.push(reader.mark().unwrap().revision);
    assert!(revisions.is_sorted_by(|one, next| one < next), "{revisions:?}");
}
