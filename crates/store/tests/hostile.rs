//! Damaged and forged databases: reading reports what is wrong, merging copies nothing of
//! them, and neither costs more than the size of the file warrants.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::support::{facts, filled, instance};
use luthier_store::{Store, StoreError};
use rusqlite::Connection;

/// A filled database, changed by hand with all checks off.
fn changed(folder: &Path, sql: &str) -> PathBuf {
    let path = folder.join("hostile.db");
    let _ = std::fs::remove_file(&path);
    filled(&path);
    let connection = Connection::open(&path).unwrap();
    connection
        .execute_batch("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;")
        .unwrap();
    connection.execute_batch(sql).unwrap();
    path
}

/// What reading would refuse: a change, and a part of the message.
const CHANGES: [(&str, &str); 28] = [
    ("DELETE FROM revision", "Query returned no rows"),
    ("UPDATE run SET class = 'perhaps'", "failed in run"),
    ("UPDATE run SET conversion = '[1]'", "no list that Luthier writes"),
    ("UPDATE run SET conversion = '{'", "failed in run"),
    ("UPDATE run SET ending = 'exited', ending_number = NULL", "failed in run"),
    ("UPDATE run SET repetition = 5000000000 + id", "Integer 5000000001 out of range"),
    ("UPDATE run SET left_behind = -1", "failed in run"),
    ("UPDATE run SET configuration_id = 77", "configuration"),
    ("UPDATE run SET campaign_id = 77", "campaign"),
    ("UPDATE run SET instance_id = 77 WHERE id = 1", "refers to a row of instance"),
    ("UPDATE run SET stdout_text_id = 77", "text"),
    ("UPDATE answer SET verdict = 'maybe'", "failed in answer"),
    ("DELETE FROM opinion; UPDATE answer SET position = 7 WHERE position = 1", "have a gap"),
    ("UPDATE answer SET core_size = -1 WHERE core_outcome IS NOT NULL", "-1"),
    ("UPDATE answer SET model_outcome = 'good'", "failed in answer"),
    ("UPDATE opinion SET class = ''", "failed in opinion"),
    ("UPDATE query SET planted_core = '[1]'", "list of names"),
    ("UPDATE query SET position = 7 WHERE position = 1", "have a gap"),
    ("UPDATE instance SET features = '{}'", "no features that Luthier writes"),
    ("UPDATE instance SET digest = x'00' WHERE id = 1", "failed in instance"),
    ("UPDATE instance SET text_id = 2 WHERE id = 1", "text of another digest"),
    ("UPDATE configuration SET arguments = '7'", "no list that Luthier writes"),
    ("UPDATE configuration SET seed = 'x'", "no seed"),
    ("UPDATE configuration SET solver = 'cvc5'", "identity of its columns"),
    ("UPDATE campaign SET command_line = '[[]]'", "no list that Luthier writes"),
    ("UPDATE campaign SET cores = -1", "-1"),
    ("UPDATE member SET name = CAST(x'ff' AS TEXT)", ""),
    ("UPDATE label SET verdict = 'unknown'", "failed in label"),
];

#[test]
fn a_merge_takes_nothing_of_a_database_that_reading_would_refuse() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("target.db");
    filled(&target);
    for (change, expected) in CHANGES {
        let source = changed(folder.path(), change);
        let mut store = Store::open(&target).unwrap();
        let before = facts(&store);
        let message = store.merge(&source).map(|_| ()).unwrap_err().to_string();
        assert!(message.contains("hostile.db: is damaged"), "{change}: {message}");
        assert!(message.contains(expected), "{change}: {message}");
        assert_eq!(facts(&store), before, "{change}");
        // The same goes for a target that is new.
        let mut fresh = Store::open(folder.path().join("fresh.db")).unwrap();
        fresh.merge(&source).unwrap_err();
        assert!(facts(&fresh).is_empty(), "{change}");
        fresh.verify().unwrap();
    }
}

#[test]
fn reading_names_what_is_missing_instead_of_leaving_it_out() {
    let folder = tempfile::tempdir().unwrap();
    for (change, expected) in [
        ("DELETE FROM configuration", "run 1 refers to configuration 1, which is missing"),
        ("DELETE FROM campaign", "run 1 refers to campaign 1, which is missing"),
        ("DELETE FROM instance WHERE id = 1", "refers to instance 1, which is missing"),
        ("DELETE FROM track", "Invalid column type Null"),
        ("DELETE FROM run WHERE id = 1", ""),
        ("UPDATE label SET name = 'elsewhere'", "where it does not stand"),
    ] {
        let path = changed(folder.path(), change);
        let store = Store::open_read_only(&path).unwrap();
        let read = store.visit_instances(|_| -> Result<(), StoreError> { Ok(()) });
        if expected.is_empty() {
            // An answer of no run is not read; verification reports it.
            assert!(store.verify().is_err(), "{change}");
            continue;
        }
        let message = read.unwrap_err().to_string();
        assert!(message.contains("hostile.db: is damaged"), "{change}: {message}");
        assert!(message.contains(expected), "{change}: {message}");
    }
}

/// A frame of a few kilobytes that unpacks to a hundred megabytes, under a size that is a lie.
#[test]
fn a_text_is_unpacked_no_further_than_its_size_and_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    let bomb = zstd::encode_all(std::io::repeat(b'x').take(100 << 20), 19).unwrap();
    assert!(bomb.len() < 1 << 16, "{}", bomb.len());
    for (size, expected) in [
        (20_i64 << 30, "claims 21474836480 bytes"),
        (5, "text 1 has more than 5 bytes instead of 5"),
        (200 << 20, "text 1 has 104857600 bytes instead of 209715200"),
        (100 << 20, "text 1 does not have the digest under which it is stored"),
    ] {
        let path = changed(folder.path(), "");
        let connection = Connection::open(&path).unwrap();
        let sql = "UPDATE text SET encoding = 'zstd', size_bytes = ?1, content = ?2 WHERE id = 1";
        connection.execute(sql, rusqlite::params![size, bomb]).unwrap();
        drop(connection);
        let store = Store::open_read_only(&path).unwrap();
        let message = store.text(instance("a").digest).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
        let message = store.verify().unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn only_regular_files_with_our_tables_are_opened() {
    let folder = tempfile::tempdir().unwrap();
    for open in [Store::open, Store::open_read_only] as [fn(PathBuf) -> _; 2] {
        let error = open(PathBuf::from("/dev/zero")).map(|_: Store| ()).unwrap_err();
        assert!(matches!(error, StoreError::NotRegular { .. }), "{error}");
        let error = open(folder.path().to_owned()).map(|_: Store| ()).unwrap_err();
        assert!(matches!(error, StoreError::Folder { .. }), "{error}");
        let endless = "DROP TABLE run; CREATE VIEW run AS WITH RECURSIVE n (x) AS
             (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS id FROM n";
        let path = changed(folder.path(), endless);
        let error = open(path).map(|_: Store| ()).unwrap_err();
        assert!(matches!(error, StoreError::OtherTables { .. }), "{error}");
        let message = error.to_string();
        assert!(message.contains("hostile.db: its tables are not as Luthier makes"), "{message}");
    }
}

/// Whatever byte is damaged: an error that names the file, or the facts; never a crash.
#[test]
fn damaged_pages_are_reported_with_their_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = changed(folder.path(), "");
    let sound = std::fs::read(&path).unwrap();
    let mut refused = 0;
    for start in (0..sound.len()).step_by(997) {
        let mut bytes = sound.clone();
        let end = (start + 64).min(bytes.len());
        bytes[start..end].iter_mut().for_each(|byte| *byte ^= 0x5A);
        std::fs::write(&path, bytes).unwrap();
        let verified = Store::open_read_only(&path).and_then(|store| store.verify());
        if let Err(error) = verified {
            refused += 1;
            assert!(error.to_string().contains("hostile.db: "), "{error}");
        }
    }
    assert!(refused > 10, "{refused}");
    std::fs::write(&path, &sound[..sound.len() / 2]).unwrap();
    let error = Store::open_read_only(&path).and_then(|store| store.verify()).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
}
