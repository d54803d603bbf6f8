//! Import of ZaligVinder databases, with their irregularities.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::support::{all_instances, campaign, facts, instance};
use luthier_records::{
    Class, Clock, Digest, Ending, Instance, ModelFinding, ModelOutcome, Query, Verdict, WallTime,
};
use luthier_store::{BadRow, ImportReport, InstanceRuns, Store, StoreError, ZaligvinderImport};

const SCHEMA: &str = "
CREATE TABLE TrackInstance (id INTEGER PRIMARY KEY, name TEXT, filepath TEXT, expected BOOLEAN);
CREATE TABLE Track (id INTEGER PRIMARY KEY, name TEXT, bgroup TEXT);
CREATE TABLE TrackInstanceMap (track INTEGER, instance INTEGER);
CREATE TABLE Result (solver TEXT, instanceid INTEGER, smtcalls INTEGER, timeouted BOOLEAN,
    result BOOLEAN, time INTEGER, output TEXT, model TEXT, verified BOOLEAN);
";

const ROWS: &str = "
INSERT INTO Track VALUES (1, 'one', 'woorpje'), (2, 'two', 'woorpje'), (3, 'three', NULL);
INSERT INTO TrackInstance VALUES
    (1, 'a.smt', '/srv/somebody/models/woorpje/one/a.smt', 1),
    (2, 'a.smt', '/srv/somebody/models/woorpje/two/a.smt', 0),
    (3, 'b.smt', 'models/woorpje/two/b.smt', NULL),
    (4, 'c.smt', NULL, NULL),
    (5, 'd.smt', 'd.smt', 1);
INSERT INTO TrackInstanceMap VALUES (1, 1), (2, 2), (2, 3), (1, 3), (3, 4), (9, 4), (1, NULL);
INSERT INTO Result VALUES
    ('CVC4', 1, 0, 0, 1, 12, 'sat', '(define-fun x () String \"\")', 1),
    ('Z3str3', 1, 0, 0, 0, 1500.5, 'unsat' || char(10), '', NULL),
    ('Z3str3', 2, 0, 0, NULL, 3, 'Segmentation fault', NULL, NULL),
    ('CVC4', 2, 0, 1, NULL, 20003, '', '', NULL),
    ('CVC4', 3, 0, 1, 1, 20001, 'sat', 'm', 0),
    ('CVC4', 3, 0, 0, 1, 7, 'sat' || char(10) || 'the model', 'the model', 0),
    ('Trau', 4, NULL, NULL, NULL, 0, NULL, NULL, NULL),
    ('CVC4', 77, 0, 0, 1, 1, 'sat', '', NULL),
    (NULL, 1, 0, 0, 1, 1, 'sat', '', NULL),
    ('CVC4', 5, 0, 0, 1, 4, '', '(model)', NULL);
";

fn original(folder: &Path) -> PathBuf {
    let path = folder.join("zaligvinder.db");
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch(SCHEMA).unwrap();
    connection.execute_batch(ROWS).unwrap();
    path
}

fn import(store: &mut Store, path: &Path, folder: &Path) -> Result<ImportReport, StoreError> {
    store.import_zaligvinder(
        path,
        ZaligvinderImport {
            campaign: &campaign("import"),
            timeout: WallTime(Duration::from_secs(20)),
            folder,
            read: &mut |bytes| Instance {
                queries: vec![Query::default()],
                ..instance(std::str::from_utf8(bytes).unwrap())
            },
            check: &mut |found| {
                assert_eq!(Digest::of(found.text), found.instance.digest);
                (!found.model.is_empty()).then(|| ModelFinding {
                    outcome: ModelOutcome::Valid,
                    detail: Some(String::from_utf8_lossy(found.model).into_owned()),
                })
            },
        },
    )
}

fn bad(table: &'static str, row: i64, instance: Option<&str>, problem: &str) -> BadRow {
    BadRow { table, row, instance: instance.map(str::to_owned), problem: problem.to_owned() }
}

fn at<'a>(all: &'a [InstanceRuns], track: &str, name: &str) -> &'a InstanceRuns {
    let here = |found: &&InstanceRuns| {
        found.places.iter().any(|place| place.track == track && place.name == name)
    };
    all.iter().find(here).unwrap()
}

#[test]
fn results_become_runs_and_nothing_is_made_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = original(folder.path());
    let before = std::fs::read(&path).unwrap();
    let mut store = Store::open(folder.path().join("ours.db")).unwrap();
    let report = import(&mut store, &path, folder.path()).unwrap();
    let expected = ImportReport {
        configurations: 3,
        instances: 5,
        instances_without_file: 5,
        runs_added: 8,
        runs_already_there: 0,
        results_left_out: 2,
        models_checked: 0,
        bad_rows: vec![
            bad("TrackInstanceMap", 6, None, "there is no track 9; it is left out"),
            bad(
                "TrackInstanceMap",
                7,
                None,
                "instance is NULL, no number of a row; it is left out",
            ),
            bad("Result", 8, None, "there is no instance 77; it is left out"),
            bad("Result", 9, Some("a.smt"), "it names no solver; it is left out"),
        ],
    };
    assert_eq!(report, expected);
    assert_eq!(std::fs::read(&path).unwrap(), before);
    store.check().unwrap();

    let configurations = store.configurations().unwrap();
    let (cvc4, configuration) = &configurations[0];
    assert_eq!(configuration.name, "CVC4 (ZaligVinder)");
    assert_eq!((configuration.version.as_deref(), configuration.family.as_str()), (None, "cvc"));
    assert_eq!(configuration.limits.wall, WallTime(Duration::from_secs(20)));
    assert_eq!(configuration.program_digest, Digest::of(b""));

    let sets = store.sets().unwrap();
    let names: Vec<_> = sets.iter().map(|set| (set.name.as_str(), set.trust_status)).collect();
    assert_eq!(names, [("ZaligVinder", false), ("woorpje", false)]);

    let all = all_instances(&store);
    assert_eq!(all.len(), 5, "the same name in two tracks is two instances");
    let first = at(&all, "one", "a.smt");
    assert_eq!(first.instance.queries[0].status, Some(Verdict::Sat));
    assert!(first.instance.fault.as_ref().unwrap().contains("woorpje/one/a.smt"));
    let run = first.runs.iter().find(|run| run.configuration == *cvc4).unwrap();
    assert_eq!((run.class, run.answers[0].verdict), (Class::Sat, Verdict::Sat));
    assert_eq!(run.answers[0].opinions[0].class, Class::Sat);
    assert_eq!(run.measured.wall.0, Duration::from_millis(12));
    assert!(run.conversion[0].contains("as it was recorded"));
    let stdout = store.outputs(run.id).unwrap().unwrap().stdout.bytes;
    assert_eq!(stdout, b"sat\n(define-fun x () String \"\")");
    let run = first.runs.iter().find(|run| run.configuration != *cvc4).unwrap();
    assert_eq!((run.class, run.measured.wall.0), (Class::Unsat, Duration::from_micros(1_500_500)));

    let second = at(&all, "two", "a.smt");
    assert_eq!(second.instance.queries[0].status, Some(Verdict::Unsat));
    let run = second.runs.iter().find(|run| run.class == Class::Timeout).unwrap();
    assert_eq!((&run.ending, run.answers.len()), (&Ending::TimedOut(Clock::Wall), 0));
    let run = second.runs.iter().find(|run| run.class == Class::Unknown).unwrap();
    assert!(run.conversion[1].contains("crashes"), "{:?}", run.conversion);
}

#[test]
fn odd_rows_are_kept_as_far_as_they_make_sense() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path().join("ours.db")).unwrap();
    import(&mut store, &original(folder.path()), folder.path()).unwrap();
    let all = all_instances(&store);

    // Two results of the same solver are repetitions; a verdict after the timeout stays said.
    let third = at(&all, "one", "b.smt");
    assert_eq!(third.places.len(), 2);
    let runs: Vec<_> = third.runs.iter().map(|run| (run.repetition, run.class)).collect();
    assert_eq!(runs, [(0, Class::Timeout), (1, Class::Sat)]);
    assert_eq!(third.runs[0].answers[0].verdict, Verdict::Sat);
    assert_eq!(third.runs[1].answers[0].opinions[0].class, Class::Unsat);
    let stdout = store.outputs(third.runs[1].id).unwrap().unwrap().stdout.bytes;
    assert_eq!(stdout, b"sat\nthe model", "the model is there once");

    // Nothing but NULL is unknown.
    let fourth = at(&all, "three", "c.smt");
    assert_eq!(fourth.places[0].set, "ZaligVinder");
    assert_eq!(
        (fourth.runs[0].class, fourth.runs[0].measured.wall.0),
        (Class::Unknown, Duration::ZERO)
    );

    // In no track.
    let fifth = at(&all, "", "d.smt");
    let stdout = store.outputs(fifth.runs[0].id).unwrap().unwrap().stdout.bytes;
    assert_eq!(
        (stdout.as_slice(), fifth.runs[0].measured.wall.0),
        (b"sat\n(model)".as_slice(), Duration::from_millis(4))
    );
}

#[test]
fn files_are_found_by_the_end_of_their_path_and_equal_files_are_one_instance() {
    let folder = tempfile::tempdir().unwrap();
    let path = original(folder.path());
    for (track, name) in [("one", "a.smt"), ("two", "a.smt"), ("two", "b.smt")] {
        let files = folder.path().join("models/woorpje").join(track);
        std::fs::create_dir_all(&files).unwrap();
        let text = if name == "b.smt" { "(check-sat)" } else { "(assert true)" };
        std::fs::write(files.join(name), text).unwrap();
    }
    let mut store = Store::open(folder.path().join("ours.db")).unwrap();
    // Known already, with what the file itself says: that stays.
    let known = Instance { queries: vec![Query::default()], ..instance("(check-sat)") };
    store.add_instance(&known, b"(check-sat)").unwrap();

    let report = import(&mut store, &path, folder.path()).unwrap();
    assert_eq!((report.instances, report.instances_without_file), (5, 2));
    assert_eq!(report.runs_added, 8);
    let all = all_instances(&store);
    assert_eq!(all.len(), 4);
    let both = at(&all, "one", "a.smt");
    assert_eq!(both.instance.digest, Digest::of(b"(assert true)"));
    assert_eq!(both.instance.queries[0].status, Some(Verdict::Sat));
    assert_eq!((both.places.len(), both.runs.len()), (2, 4));
    // Each result belongs to the file that it was recorded for.
    let tracks: Vec<_> = both.runs.iter().map(|run| run.places[0].track.as_str()).collect();
    assert!(both.runs.iter().all(|run| run.places.len() == 1));
    assert_eq!(tracks.iter().filter(|track| **track == "one").count(), 2);
    let checked = both.runs.iter().find_map(|run| run.answers.first()?.model.as_ref()).unwrap();
    assert_eq!(checked.detail.as_deref(), Some("(define-fun x () String \"\")"));
    assert_eq!(report.models_checked, 3);
    assert_eq!(store.text(both.instance.digest).unwrap().unwrap(), b"(assert true)");
    assert_eq!(at(&all, "two", "b.smt").instance, known);
}

#[test]
fn a_second_import_adds_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = original(folder.path());
    let mut store = Store::open(folder.path().join("ours.db")).unwrap();
    import(&mut store, &path, folder.path()).unwrap();
    let before = facts(&store);
    let report = import(&mut store, &path, folder.path()).unwrap();
    assert_eq!((report.runs_added, report.runs_already_there), (0, 8));
    assert_eq!(facts(&store), before);
}

#[test]
fn only_formulas_are_read_from_where_a_database_points() {
    let folder = tempfile::tempdir().unwrap();
    let path = original(folder.path());
    let secret = folder.path().join("secret.txt");
    std::fs::write(&secret, "secret").unwrap();
    let connection = rusqlite::Connection::open(&path).unwrap();
    let sql = "UPDATE TrackInstance SET filepath = ?1 WHERE id = 5";
    connection.execute(sql, [secret.to_str().unwrap()]).unwrap();
    drop(connection);
    let mut store = Store::open(folder.path().join("ours.db")).unwrap();
    let report = import(&mut store, &path, folder.path()).unwrap();
    assert_eq!(report.instances_without_file, 5);
    assert_eq!(store.text(Digest::of(b"secret")).unwrap(), None);
}

#[test]
fn what_is_no_database_of_zaligvinder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path().join("ours.db")).unwrap();
    let ours = folder.path().join("other.db");
    Store::open(&ours).unwrap().close().unwrap();
    let text = folder.path().join("text.db");
    std::fs::write(&text, "no database").unwrap();
    for (path, expected) in [
        (ours, "other.db: is not a ZaligVinder database (no such table: TrackInstance"),
        (text, "text.db: is not a ZaligVinder database"),
        (folder.path().join("none.db"), "none.db: no such file"),
    ] {
        let message = import(&mut store, &path, folder.path()).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    }
    assert!(store.campaigns().unwrap().is_empty());
}

/// Five files with the same bytes and one result for each, in two tracks.
#[test]
fn an_imported_result_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("zaligvinder.db");
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch(SCHEMA).unwrap();
    connection
        .execute_batch("INSERT INTO Track VALUES (1, 'one', 'kaluza'), (2, 'two', 'kaluza')")
        .unwrap();
    let files = folder.path().join("models/kaluza");
    std::fs::create_dir_all(&files).unwrap();
    for number in 1..=5 {
        std::fs::write(files.join(format!("{number}.smt2")), "(check-sat)").unwrap();
        let track = 1 + number % 2;
        // The same solver says the same in the same time on all but one.
        let time = if number == 5 { 9 } else { 7 };
        connection
            .execute_batch(&format!(
                "INSERT INTO TrackInstance VALUES
                     ({number}, '{number}.smt2', '/x/models/kaluza/{number}.smt2', NULL);
                 INSERT INTO TrackInstanceMap VALUES ({track}, {number});
                 INSERT INTO Result VALUES ('CVC4', {number}, 0, 0, 1, {time}, 'sat', '', NULL);"
            ))
            .unwrap();
    }
    let ours = folder.path().join("ours.db");
    let mut store = Store::open(&ours).unwrap();
    let report = import(&mut store, &path, folder.path()).unwrap();
    assert_eq!((report.runs_added, report.bad_rows.len()), (5, 0));
    let all = all_instances(&store);
    assert_eq!((all.len(), all[0].places.len(), all[0].runs.len()), (1, 5, 5));
    let mut named: Vec<_> = all[0].runs.iter().map(|run| run.places[0].name.clone()).collect();
    named.sort();
    assert_eq!(named, ["1.smt2", "2.smt2", "3.smt2", "4.smt2", "5.smt2"]);
    // The view says the same as the foreign database.
    let results = |sql: &str| -> i64 {
        let connection = rusqlite::Connection::open(&ours).unwrap();
        connection.query_row(sql, [], |row| row.get(0)).unwrap()
    };
    assert_eq!(results("SELECT count(*) FROM results"), 5);
    assert_eq!(results("SELECT count(*) FROM answers"), 5);
    assert_eq!(results("SELECT count(*) FROM results WHERE track = 'two'"), 3);
    assert_eq!(results("SELECT CAST(sum(wall_seconds) * 1000 + 0.5 AS INTEGER) FROM results"), 37);
    // Again: nothing. After ZaligVinder went on: what is new.
    let before = facts(&store);
    let report = import(&mut store, &path, folder.path()).unwrap();
    assert_eq!((report.runs_added, report.runs_already_there), (0, 5));
    assert_eq!(facts(&store), before);
    connection
        .execute_batch("INSERT INTO Result VALUES ('CVC4', 5, 0, 1, NULL, 20001, '', '', NULL)")
        .unwrap();
    let report = import(&mut store, &path, folder.path()).unwrap();
    assert_eq!((report.runs_added, report.runs_already_there), (1, 5));
    // A merge keeps the places.
    let mut target = Store::open(folder.path().join("target.db")).unwrap();
    target.merge(&ours).unwrap();
    assert_eq!(facts(&target), facts(&store));
}

#[test]
fn a_bad_row_is_reported_and_does_not_lose_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let path = original(folder.path());
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection
        .execute_batch(
            "DELETE FROM Result; DELETE FROM TrackInstanceMap;
             INSERT INTO TrackInstance VALUES (6, '', 'e.smt', 1), (7, 'f.smt', 'f.smt', 'yes');
             INSERT INTO Result VALUES
                 ('CVC4', 1, 0, 0, 7, 1, 'sat', '', NULL),
                 ('CVC4', 1, 0, 'no', 1, 1, 'sat', '', NULL),
                 ('CVC4', 1, 0, 0, 1, -4, 'sat', '', NULL),
                 ('CVC4', 1, 0, 0, 1, 9e99, 'sat', '', NULL),
                 ('CVC4', 1, 0, 0, 1, 'soon', 'sat', '', NULL),
                 ('CVC4', 'one', 0, 0, 1, 1, 'sat', '', NULL),
                 ('CVC4', 2, 0, 0, 1, 1, '', '', 2),
                 ('CVC4', 3, 0, 0, 1, 1, 'sat', '', NULL);",
        )
        .unwrap();
    let mut store = Store::open(folder.path().join("ours.db")).unwrap();
    let report = import(&mut store, &path, folder.path()).unwrap();
    assert_eq!((report.runs_added, report.results_left_out, report.instances), (1, 7, 6));
    let of = |row: i64, instance: Option<&str>, problem: &str| {
        bad("Result", row, instance, &format!("{problem}; it is left out"))
    };
    let expected = [
        bad("TrackInstance", 6, None, "it has no name; it is left out"),
        bad(
            "TrackInstance",
            7,
            Some("f.smt"),
            "expected is \"yes\", no truth value; it is ignored",
        ),
        of(1, Some("a.smt"), "result is 7, no truth value"),
        of(2, Some("a.smt"), "timeouted is \"no\", no truth value"),
        of(3, Some("a.smt"), "time is -4, no number of milliseconds"),
        of(4, Some("a.smt"), &format!("time is {}, no number of milliseconds", 9e99)),
        of(5, Some("a.smt"), "time is \"soon\", no number of milliseconds"),
        of(6, None, "instanceid is \"one\", no number of a row"),
        of(7, Some("a.smt"), "verified is 2, no truth value"),
    ];
    assert_eq!(report.bad_rows, expected);
}

#[test]
fn views_and_devices_are_no_databases_of_zaligvinder() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path().join("ours.db")).unwrap();
    let path = original(folder.path());
    rusqlite::Connection::open(&path)
        .unwrap()
        .execute_batch(
            "DROP TABLE Result; CREATE VIEW Result AS
             WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
             SELECT 'CVC4' AS solver, x AS instanceid, 0 AS timeouted, 1 AS result, 1 AS time,
                 '' AS output, '' AS model, 1 AS verified, x AS rowid FROM n",
        )
        .unwrap();
    for (path, expected) in [
        (path, "zaligvinder.db: is not a ZaligVinder database (Result is not an ordinary table"),
        (PathBuf::from("/dev/zero"), "/dev/zero: is not a regular file"),
        (folder.path().to_owned(), ": is a folder"),
    ] {
        let message = import(&mut store, &path, folder.path()).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
        assert!(Store::recognise_zaligvinder(&path).is_err());
    }
    let empty = folder.path().join("empty.db");
    std::fs::write(&empty, "").unwrap();
    let message = import(&mut store, &empty, folder.path()).unwrap_err().to_string();
    assert!(message.contains("no such table: TrackInstance"), "{message}");
    let whole = original(&{
        let inner = folder.path().join("inner");
        std::fs::create_dir(&inner).unwrap();
        inner
    });
    let bytes = std::fs::read(&whole).unwrap();
    std::fs::write(&whole, &bytes[..bytes.len() / 2]).unwrap();
    let error = import(&mut store, &whole, folder.path()).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
}

#[test]
fn results_imported_without_their_files_count_once_when_the_files_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("zaligvinder.db");
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch(SCHEMA).unwrap();
    connection
        .execute_batch(
            "INSERT INTO Track VALUES (1, 'one', 'kaluza');
             INSERT INTO TrackInstance VALUES (1, 'a.smt2', '/x/models/kaluza/a.smt2', NULL);
             INSERT INTO TrackInstanceMap VALUES (1, 1);
             INSERT INTO Result VALUES ('CVC4', 1, 0, 0, 1, 7, 'sat', '', NULL);",
        )
        .unwrap();
    let mut store = Store::open(folder.path().join("ours.db")).unwrap();
    let report = import(&mut store, &path, folder.path()).unwrap();
    assert_eq!((report.runs_added, report.instances_without_file), (1, 1));
    let files = folder.path().join("models/kaluza");
    std::fs::create_dir_all(&files).unwrap();
    std::fs::write(files.join("a.smt2"), "(check-sat)").unwrap();
    let report = import(&mut store, &path, folder.path()).unwrap();
    assert_eq!((report.runs_added, report.instances_without_file), (1, 0));
    let all = all_instances(&store);
    assert_eq!((all.len(), all[0].places.len(), all[0].runs.len()), (1, 1, 1));
    assert_eq!(all[0].instance.fault, None);
}
