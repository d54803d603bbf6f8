//! Databases of several machines become one.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};

use crate::support::{campaign, configuration, facts, instance, rich_run, run, timeout};
use luthier_records::{Run, Verdict};
use luthier_store::{MergeReport, MergeSource, NewRun, Store, StoreError};

/// A database with these runs: solver, text of the instance, run.
fn database(folder: &Path, name: &str, trust: bool, runs: &[(&str, &str, Run)]) -> PathBuf {
    let path = folder.join(name);
    let mut store = Store::open(&path).unwrap();
    let by = store.add_campaign(&campaign(name)).unwrap();
    let set = store.add_set("shared", trust).unwrap();
    let track = store.add_track(set, "t").unwrap();
    let own = store.add_track(set, name).unwrap();
    for (solver, text, run) in runs {
        let who = store.add_configuration(&configuration(solver)).unwrap();
        let what = store.add_instance(&instance(text), text.as_bytes()).unwrap();
        store.add_member(track, what, &format!("{text}.smt2")).unwrap();
        store.add_member(own, what, &format!("{text}.smt2")).unwrap();
        let new = NewRun { configuration: who, instance: what, run };
        assert_eq!(store.add_runs(by, &[new]).unwrap(), 1);
    }
    store.close().unwrap();
    path
}

fn two_databases(folder: &Path) -> (PathBuf, PathBuf) {
    let first = [
        ("z3", "a", run(0, Verdict::Sat)),
        ("z3", "b", rich_run(0)),
        ("cvc5", "a", run(0, Verdict::Unsat)),
    ];
    // Another order, so that the same things have other numbers.
    let second = [
        ("yices", "c", rich_run(1)),
        ("cvc5", "c", timeout(0)),
        ("z3", "c", run(0, Verdict::Sat)),
        ("z3", "b", rich_run(2)),
        ("z3", "a", run(1, Verdict::Sat)),
    ];
    (database(folder, "1.db", true, &first), database(folder, "2.db", false, &second))
}

#[test]
fn merging_in_either_order_gives_the_same_facts() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = two_databases(folder.path());
    let mut forth = Store::open(folder.path().join("forth.db")).unwrap();
    forth.merge(&first).unwrap();
    assert_eq!(facts(&forth), facts(&Store::open_read_only(&first).unwrap()));
    let report = forth.merge(&second).unwrap();
    let expected = MergeReport {
        campaigns: 1,
        configurations: 1,
        instances: 1,
        members: 4,
        labels: 0,
        runs_added: 5,
        runs_already_there: 0,
        runs_that_differ: 0,
    };
    assert_eq!(report, expected);
    let mut back = Store::open(folder.path().join("back.db")).unwrap();
    back.merge(&second).unwrap();
    back.merge(&first).unwrap();
    assert_eq!(facts(&forth), facts(&back));
    forth.check().unwrap();
    // Trusted only where all trust it.
    assert!(!forth.sets().unwrap()[0].trust_status);
}

#[test]
fn a_second_merge_adds_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = two_databases(folder.path());
    let mut store = Store::open(&first).unwrap();
    store.merge(&second).unwrap();
    let before = facts(&store);
    let again = store.merge(&second).unwrap();
    assert_eq!(again, MergeReport { runs_already_there: 5, ..MergeReport::default() });
    assert_eq!(facts(&store), before);
    // Nothing is left of the merge, and the other file is as it was.
    store.close().unwrap();
    let mut names: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["1.db", "2.db"]);
}

#[test]
fn runs_that_differ_are_counted_and_the_first_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut other_verdicts = rich_run(1);
    other_verdicts.answers[0].verdict = Verdict::Unsat;
    let mut slower = run(2, Verdict::Sat);
    slower.measured.cpu.0 *= 2;
    let mut silent = rich_run(3);
    silent.answers.clear();
    let ours = [
        ("z3", "a", run(0, Verdict::Sat)),
        ("z3", "a", rich_run(1)),
        ("z3", "a", run(2, Verdict::Sat)),
        ("z3", "a", rich_run(3)),
    ];
    let theirs = [
        ("z3", "a", run(0, Verdict::Unsat)),
        ("z3", "a", other_verdicts),
        ("z3", "a", slower),
        ("z3", "a", silent),
    ];
    let first = database(folder.path(), "1.db", true, &ours);
    let second = database(folder.path(), "2.db", true, &theirs);
    let mut store = Store::open(&first).unwrap();
    let report = store.merge(&second).unwrap();
    assert_eq!((report.runs_added, report.runs_already_there), (0, 4));
    assert_eq!(report.runs_that_differ, 3);
    let kept = &crate::support::all_instances(&store)[0].runs;
    assert_eq!(kept[0].answers[0].verdict, Verdict::Sat);
    assert_eq!(kept[1].answers, rich_run(1).answers);
    assert_eq!(kept[2].measured, run(2, Verdict::Sat).measured);
}

#[test]
fn a_lost_text_comes_back_with_a_merge() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path().join("lost.db")).unwrap();
    store.add_instance_without_text(&instance("a")).unwrap();
    let with_text = database(folder.path(), "1.db", true, &[("z3", "a", timeout(0))]);
    assert_eq!(store.merge(&with_text).unwrap().instances, 0);
    assert_eq!(store.text(instance("a").digest).unwrap().unwrap(), b"a");
    let path = store.path().to_owned();
    store.close().unwrap();
    let connection = rusqlite::Connection::open(path).unwrap();
    let sql = "SELECT count(*) FROM instance WHERE text_id IS NOT NULL";
    assert_eq!(connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap(), 1);
}

#[test]
fn damage_in_the_other_database_is_not_attributed_to_ours() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = two_databases(folder.path());
    let mut bytes = std::fs::read(&second).unwrap();
    // Everything but the header and the description of the tables.
    bytes[40_000..].fill(0xAA);
    std::fs::write(&second, bytes).unwrap();
    let mut store = Store::open(&first).unwrap();
    let before = facts(&store);
    let error = store.merge(&second).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    assert!(error.to_string().contains("2.db: is damaged"), "{error}");
    assert_eq!(facts(&store), before);
    store.check().unwrap();
}

#[test]
fn what_cannot_be_merged_is_refused_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (first, _) = two_databases(folder.path());
    let mut store = Store::open(&first).unwrap();
    let before = facts(&store);
    let refused = |result: Result<MergeReport, StoreError>, expected: &str| {
        let message = result.unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    };
    refused(store.merge(&first), "cannot be merged into itself");
    refused(store.merge(folder.path().join("none.db")), "none.db: no such file");
    let text = folder.path().join("text.db");
    std::fs::write(&text, "a text").unwrap();
    refused(store.merge(&text), "text.db: is not a Luthier database");
    assert_eq!(facts(&store), before);
}

#[test]
fn a_published_copy_is_whole_and_merges_like_its_original() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = two_databases(folder.path());
    let copy = folder.path().join("copy.db");
    for original in [&first, &second] {
        // The second replaces the first.
        Store::open(original).unwrap().publish(&copy).unwrap();
        let published = Store::open_published(&copy).unwrap();
        assert_eq!(facts(&published), facts(&Store::open_read_only(original).unwrap()));
    }
    let mut target = Store::open(folder.path().join("target.db")).unwrap();
    assert_eq!(target.merge_published(&copy).unwrap().runs_added, 5);
    assert_eq!(target.merge_published(&copy).unwrap().runs_already_there, 5);
    let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().flatten().collect();
    let left = names.iter().filter(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        name.starts_with("copy.db") && name != "copy.db"
    });
    assert_eq!(left.count(), 0, "nothing is left beside a published copy");
}

#[test]
fn published_instances_keep_their_numbers_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let (first, _) = two_databases(folder.path());
    let store = Store::open(&first).unwrap();
    let mut all = Vec::new();
    store
        .visit_instances(|one| -> Result<(), StoreError> {
            all.push(one);
            Ok(())
        })
        .unwrap();
    let wanted = all.last().unwrap();
    let copy = folder.path().join("instances.db");
    store.publish_instances(&[wanted.id], &copy).unwrap();
    let published = Store::open_published(&copy).unwrap();
    published.verify().unwrap();
    let mut found = Vec::new();
    published
        .visit_instances(|one| -> Result<(), StoreError> {
            found.push(one);
            Ok(())
        })
        .unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].id, &found[0].instance), (wanted.id, &wanted.instance));
    assert!(found[0].runs.is_empty() && found[0].places.is_empty());
    let text = store.text(wanted.instance.digest).unwrap();
    assert_eq!(published.text(wanted.instance.digest).unwrap(), text);
}

#[test]
fn a_source_that_changes_after_it_was_verified_is_verified_again() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = two_databases(folder.path());
    let source = MergeSource::open(&second).unwrap();
    // Another process damages what was verified.
    let other = rusqlite::Connection::open(&second).unwrap();
    other.execute("UPDATE text SET content = x'00' WHERE id = 1", []).unwrap();
    drop(other);
    let mut target = Store::open(&first).unwrap();
    let before = facts(&target);
    let error = target.merge_source(&source).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    assert_eq!(facts(&target), before);
}
