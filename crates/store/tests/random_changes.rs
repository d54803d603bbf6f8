//! Random changes of a sound database: what was verified can be read, and a merge leaves a target
//! that can be read. The fuzz targets `database` and `merge` do the same for longer and by coverage;
//! this needs nothing but a few seconds. `LUTHIER_CHANGES` says how many changes are tried.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::support::{facts, filled};
use luthier_store::{Store, StoreError};
use rusqlite::Connection;
use rusqlite::types::Value;

/// A small generator; the same numbers on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    fn value(&mut self) -> Value {
        let words = ["sat", "unsat", "exited", "lost", "zstd", "raw", "[]", "[1]", "{}", "", "é"];
        let numbers = [0, 1, -1, 2, 3, 77, 1 << 32, i64::MAX, i64::MIN];
        match self.below(6) {
            0 => Value::Null,
            1 | 2 => Value::Integer(numbers[self.below(numbers.len())]),
            3 => Value::Real([0.5, f64::INFINITY, -1e300][self.below(3)]),
            4 => Value::Text(words[self.below(words.len())].to_owned()),
            _ => Value::Blob([&[0; 32][..], b"", b"\xff\x00"][self.below(3)].to_vec()),
        }
    }
}

fn change(connection: &Connection, columns: &[(String, String)], random: &mut Random) -> String {
    let (table, column) = &columns[random.below(columns.len())];
    let row = random.below(3);
    let here = format!("WHERE {column} IS (SELECT {column} FROM {table} LIMIT 1 OFFSET {row})");
    let value = random.value();
    // What SQLite itself refuses is no database that anybody could send.
    if random.below(6) == 0 {
        let sql = format!("DELETE FROM {table} {here}");
        let _ = connection.execute(&sql, []);
        return sql;
    }
    let sql = format!("UPDATE {table} SET {column} = ?1 {here}");
    let _ = connection.execute(&sql, [&value]);
    format!("{sql} -- {value:?}")
}

fn read_everything(store: &Store) -> Result<(), StoreError> {
    store.campaigns()?;
    store.configurations()?;
    store.sets()?;
    store.tracks()?;
    store.mark()?;
    store.visit_instances(|found| -> Result<(), StoreError> {
        store.text(found.instance.digest)?;
        for run in &found.runs {
            store.outputs(run.id)?;
            store.run(run.id)?;
        }
        Ok(())
    })
}

#[test]
fn what_was_verified_can_be_read_and_merged() {
    let folder = tempfile::tempdir().unwrap();
    let [sound, empty] = ["sound.db", "empty.db"].map(|name| folder.path().join(name));
    filled(&sound);
    Store::open(&empty).unwrap().close().unwrap();
    let [source, target] = ["source.db", "target.db"].map(|name| folder.path().join(name));
    let columns: Vec<(String, String)> = {
        let connection = Connection::open(&sound).unwrap();
        let mut statement = connection
            .prepare(
                "SELECT m.name, c.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c
                 WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' ORDER BY 1, 2",
            )
            .unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.map(Result::unwrap).collect()
    };
    let tries = std::env::var("LUTHIER_CHANGES").ok().and_then(|tries| tries.parse().ok());
    let (mut accepted, mut refused) = (0, 0);
    for seed in 1..=tries.unwrap_or(60) {
        let mut random = Random(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(seed));
        std::fs::copy(&sound, &source).unwrap();
        std::fs::copy(&empty, &target).unwrap();
        let connection = Connection::open(&source).unwrap();
        connection
            .execute_batch("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;")
            .unwrap();
        let changes: Vec<String> =
            (0..=random.below(3)).map(|_| change(&connection, &columns, &mut random)).collect();
        drop(connection);
        let store = Store::open_read_only(&source).unwrap();
        let verified = store.verify();
        let read = read_everything(&store);
        assert!(verified.is_err() || read.is_ok(), "{changes:?}: {read:?}");
        drop(store);
        let mut merged = Store::open(&target).unwrap();
        match merged.merge(&source) {
            Ok(_) => {
                accepted += 1;
                assert!(verified.is_ok(), "{changes:?}: {verified:?}");
            }
            Err(_) => {
                refused += 1;
                assert!(facts(&merged).is_empty(), "{changes:?}");
            }
        }
        if let Err(error) = merged.verify().and_then(|()| read_everything(&merged)) {
            panic!("{changes:?}: {error}");
        }
    }
    assert!(accepted > 5 && refused > 5, "{accepted} accepted, {refused} refused");
}
