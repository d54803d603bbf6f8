//! Opening Luthier databases, and files that are none.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;

use crate::support::campaign;
use luthier_store::{Store, StoreError};

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[track_caller]
fn refused(result: Result<Store, StoreError>, expected: &str) {
    let message = result.unwrap_err().to_string();
    assert!(message.contains(expected), "{message}");
}

#[test]
fn a_clean_end_leaves_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a b?c=d#%.db");
    for end in [|store: Store| store.close().unwrap(), |store: Store| drop(store)] {
        let mut store = Store::open(&path).unwrap();
        store.add_campaign(&campaign("c1")).unwrap();
        end(store);
        assert_eq!(names(folder.path()), ["a b?c=d#%.db"]);
        let store = Store::open_read_only(&path).unwrap();
        assert_eq!(store.campaigns().unwrap().len(), 1);
        end(store);
        assert_eq!(names(folder.path()), ["a b?c=d#%.db"]);
    }
}

#[test]
fn a_missing_file_or_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none.db");
    refused(Store::open_read_only(&missing), "none.db: no such file");
    assert!(!missing.exists());
    refused(Store::open(folder.path().join("no/x.db")), "no is not there; make it first");
    refused(Store::open(folder.path()), "is a folder");
}

#[test]
fn what_is_not_ours_is_refused_and_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("notes.db");
    std::fs::write(&text, "this is not a database at all, it is a text".repeat(50)).unwrap();
    let foreign = folder.path().join("foreign.db");
    rusqlite::Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE t (x)").unwrap();
    for path in [text, foreign] {
        let before = std::fs::read(&path).unwrap();
        refused(Store::open(&path), "is not a Luthier database");
        refused(Store::open_read_only(&path), "is not a Luthier database");
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }
    assert_eq!(names(folder.path()), ["foreign.db", "notes.db"]);
}

#[test]
fn an_empty_file_becomes_a_database_when_it_may_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.db");
    std::fs::write(&path, "").unwrap();
    refused(Store::open_read_only(&path), "is not a Luthier database");
    Store::open(&path).unwrap().check().unwrap();
    Store::open_read_only(&path).unwrap().check().unwrap();
}

#[test]
fn a_newer_database_is_refused_with_both_versions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.db");
    Store::open(&path).unwrap().close().unwrap();
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.pragma_update(None, "user_version", 4).unwrap();
    drop(connection);
    let expected = "new.db: made by a newer Luthier (schema 4, this one knows 3)";
    refused(Store::open(&path), expected);
    refused(Store::open_read_only(&path), expected);
}

/// A database as an earlier version of this program left it.
fn of_version_1(path: &Path) {
    let connection = rusqlite::Connection::open(path).unwrap();
    connection.execute_batch(include_str!("../src/migrations/001.sql")).unwrap();
    connection
        .execute_batch(
            "PRAGMA application_id = 0x4C555448; PRAGMA user_version = 1;
             INSERT INTO instance VALUES (1, zeroblob(32), 'z3', 'asked for', 0, 'lost', NULL);",
        )
        .unwrap();
}

#[test]
fn an_older_database_is_read_as_it_is_and_brought_up_to_date_by_a_writer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.db");
    of_version_1(&path);
    let before = std::fs::read(&path).unwrap();
    let reader = Store::open_read_only(&path).unwrap();
    assert_eq!(crate::support::all_instances(&reader)[0].instance.features, None);
    let mark = reader.mark().unwrap();
    assert_eq!((mark.tables, mark.revision), (1, None));
    // It can be merged into another, and nothing of that changes it.
    let mut other = Store::open(folder.path().join("other.db")).unwrap();
    assert_eq!(other.merge(&path).unwrap().instances, 1);
    assert_eq!(std::fs::read(&path).unwrap(), before);
    // The reader goes on while the tables change.
    Store::open(&path).unwrap().close().unwrap();
    assert_eq!(crate::support::all_instances(&reader).len(), 1);
    let mark = reader.mark().unwrap();
    assert_eq!((mark.tables, mark.revision), (3, Some(0)));
    drop(reader);
    let store = Store::open_read_only(&path).unwrap();
    assert_eq!(crate::support::all_instances(&store)[0].instance.features, None);
    store.check().unwrap();
}

#[test]
fn a_reader_sees_what_was_there_when_it_began_while_another_writes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut writer = Store::open(&path).unwrap();
    let text = "(check-sat)";
    writer.add_instance(&crate::support::instance(text), text.as_bytes()).unwrap();
    let reader = Store::open_read_only(&path).unwrap();
    let mut seen = 0;
    reader
        .visit_instances(|_| -> Result<(), StoreError> {
            seen += 1;
            for number in 0..3 {
                let text = format!("(assert {seen}{number})");
                writer.add_instance(&crate::support::instance(&text), text.as_bytes())?;
            }
            Ok(())
        })
        .unwrap();
    assert_eq!(seen, 1);
    assert_eq!(crate::support::all_instances(&reader).len(), 4);
}

#[test]
fn a_reader_cannot_write() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    Store::open(&path).unwrap().close().unwrap();
    let mut store = Store::open_read_only(&path).unwrap();
    let error = store.add_campaign(&campaign("c1")).unwrap_err();
    assert!(matches!(error, StoreError::ReadOnly { .. }), "{error}");
}

/// Permissions do not keep an administrator from writing, but a folder that stands where SQLite
/// wants to make its side file does.
#[test]
fn a_database_is_read_where_no_side_file_can_be_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut store = Store::open(&path).unwrap();
    store.add_campaign(&campaign("c1")).unwrap();
    store.close().unwrap();
    std::fs::create_dir(folder.path().join("a.db-wal")).unwrap();
    let store = Store::open_read_only(&path).unwrap();
    assert_eq!(store.campaigns().unwrap().len(), 1);
    // The same file can be merged into another.
    let mut other = Store::open(folder.path().join("b.db")).unwrap();
    assert_eq!(other.merge(&path).unwrap().campaigns, 1);
}

#[test]
fn a_database_whose_log_cannot_be_used_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    Store::open(&path).unwrap().close().unwrap();
    std::fs::write(folder.path().join("a.db-wal"), "changes").unwrap();
    // SQLite does not follow links to its side files.
    std::os::unix::fs::symlink(&path, folder.path().join("a.db-shm")).unwrap();
    refused(Store::open_read_only(&path), "a.db: has unfinished changes in its -wal file");
}

#[test]
fn several_writers_take_turns() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut store = Store::open(&path).unwrap();
                for number in 0..30 {
                    store.add_campaign(&campaign(&format!("c{number}"))).unwrap();
                    let text = format!("(assert {number})");
                    store.add_instance(&crate::support::instance(&text), text.as_bytes()).unwrap();
                }
            });
        }
    });
    let store = Store::open_read_only(&path).unwrap();
    assert_eq!(store.campaigns().unwrap().len(), 30);
    assert_eq!(crate::support::all_instances(&store).len(), 30);
    store.check().unwrap();
    drop(store);
    assert_eq!(names(folder.path()), ["a.db"]);
}

#[test]
fn a_store_may_move_to_another_thread() {
    fn is_send<T: Send>() {}
    is_send::<Store>();
}
