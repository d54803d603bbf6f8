//! The tables themselves: they pass SQLite's own check, in the bundled version and in older ones,
//! and files of older versions pass it after the migration.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;
use std::process::Command;

use crate::support::{campaign, configuration, facts, instance, rich_run, run, timeout};
use luthier_records::Verdict;
use luthier_store::{NewRun, Store};
use rusqlite::Connection;

const MIGRATIONS: [&str; 2] =
    [include_str!("../src/migrations/001.sql"), include_str!("../src/migrations/002.sql")];

/// A database with something in every table and NULL wherever it may be.
fn filled(path: &Path) {
    let mut store = Store::open(path).unwrap();
    let by = store.add_campaign(&campaign("c1")).unwrap();
    let who = store.add_configuration(&configuration("z3")).unwrap();
    let set = store.add_set("set", true).unwrap();
    let track = store.add_track(set, "t").unwrap();
    for text in ["a", "b"] {
        let mut described = instance(text);
        if text == "b" {
            described.features = None;
        }
        let what = store.add_instance(&described, text.as_bytes()).unwrap();
        store.add_member(track, what, text).unwrap();
        for run in [rich_run(0), run(1, Verdict::Sat), timeout(2)] {
            let new = NewRun { configuration: who, instance: what, run: &run };
            store.add_runs(by, &[new]).unwrap();
        }
    }
    store.close().unwrap();
    let connection = Connection::open(path).unwrap();
    connection
        .execute_batch(
            "INSERT INTO run_place (run_id, instance_id, track_id, name)
             SELECT run.id, member.instance_id, track_id, name FROM run
             JOIN member ON member.instance_id = run.instance_id WHERE repetition = 1;
             INSERT INTO label (instance_id, track_id, name, source, verdict)
             SELECT instance_id, track_id, name, 'paper', 'sat' FROM member;",
        )
        .unwrap();
}

/// The same rows in a file of an older version.
fn of_version(version: usize, path: &Path, from: &Path) {
    let connection = Connection::open(path).unwrap();
    for migration in &MIGRATIONS[..version] {
        connection.execute_batch(migration).unwrap();
    }
    connection.pragma_update(None, "application_id", 0x4C55_5448).unwrap();
    connection.pragma_update(None, "user_version", i64::try_from(version).unwrap()).unwrap();
    connection.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
    connection.execute("ATTACH ?1 AS source", [from.to_str().unwrap()]).unwrap();
    let tables: Vec<String> = column(
        &connection,
        "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name <> 'revision'
             AND name NOT LIKE 'sqlite%'",
    );
    for table in tables {
        let columns: Vec<String> =
            column(&connection, &format!("SELECT name FROM pragma_table_info('{table}', 'main')"));
        let columns = columns.join(", ");
        connection
            .execute_batch(&format!(
                "INSERT INTO main.{table} ({columns}) SELECT {columns} FROM source.{table}"
            ))
            .unwrap();
    }
}

fn column(connection: &Connection, sql: &str) -> Vec<String> {
    let mut statement = connection.prepare(sql).unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

#[track_caller]
fn passes_every_sqlite(path: &Path) {
    let connection = Connection::open(path).unwrap();
    assert_eq!(column(&connection, "PRAGMA integrity_check"), ["ok"]);
    assert!(column(&connection, "PRAGMA foreign_key_check").is_empty());
    drop(connection);
    // Whatever else is on this machine is often older than the bundled one.
    let python = "import sqlite3, sys; \
                  print(sqlite3.connect(sys.argv[1]).execute('PRAGMA integrity_check').fetchone()[0])";
    let commands: [(&str, Vec<&str>); 2] = [
        ("sqlite3", vec![path.to_str().unwrap(), "PRAGMA integrity_check"]),
        ("python3", vec!["-c", python, path.to_str().unwrap()]),
    ];
    for (program, arguments) in commands {
        if let Ok(output) = Command::new(program).args(&arguments).output()
            && !String::from_utf8_lossy(&output.stderr).contains("No module")
        {
            let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            assert_eq!(said, "ok", "{program}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

#[test]
fn integrity_check_passes_in_new_databases_and_in_migrated_ones() {
    let folder = tempfile::tempdir().unwrap();
    let new = folder.path().join("new.db");
    filled(&new);
    passes_every_sqlite(&new);
    for version in [1, 2] {
        let old = folder.path().join(format!("{version}.db"));
        of_version(version, &old, &new);
        let before = Store::open_read_only(&old).unwrap();
        let found = crate::support::all_instances(&before);
        assert_eq!((found.len(), found[0].runs.len()), (2, 3));
        assert!(found[0].runs.iter().all(|run| run.places.is_empty()));
        assert_eq!(before.configurations().unwrap()[0].1.program, None);
        drop(before);
        let store = Store::open(&old).unwrap();
        store.check().unwrap();
        let migrated = crate::support::all_instances(&store);
        assert_eq!(migrated, found, "version {version}");
        store.close().unwrap();
        passes_every_sqlite(&old);
    }
    // Made anew or migrated, the tables are the same to the letter.
    let sql = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name";
    let schema = |name: &str| column(&Connection::open(folder.path().join(name)).unwrap(), sql);
    assert_eq!(schema("new.db"), schema("1.db"));
    assert_eq!(schema("new.db"), schema("2.db"));
    let store = Store::open_read_only(&new).unwrap();
    let run = &crate::support::all_instances(&store)[0].runs[1];
    assert_eq!((run.repetition, run.places.len()), (1, 1));
    assert_eq!(store.run(run.id).unwrap().unwrap().places, run.places);
    assert!(!facts(&store).is_empty());
}

/// `json_valid(NULL)` is 0 before SQLite 3.41 and NULL since.
#[test]
fn no_check_calls_json_valid_on_what_may_be_null() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    Store::open(&path).unwrap().close().unwrap();
    let connection = Connection::open(&path).unwrap();
    let mut checked = 0;
    for table in column(&connection, "SELECT name FROM sqlite_schema WHERE type = 'table'") {
        let sql = &column(
            &connection,
            &format!("SELECT coalesce(sql, '') FROM sqlite_schema WHERE name = '{table}'"),
        )[0];
        let nullable =
            format!("SELECT name FROM pragma_table_info('{table}') WHERE \"notnull\" = 0");
        for column in column(&connection, &nullable) {
            let guarded = format!("{column} IS NULL OR json_valid({column})");
            let calls = sql.matches(&format!("json_valid({column})")).count();
            assert_eq!(calls, sql.matches(&guarded).count(), "{table}.{column}");
            checked += calls;
        }
    }
    assert_eq!(checked, 3);
}
