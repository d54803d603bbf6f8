//! Change detection for readers of a database that other processes write to.
//!
//! A [`Watermark`] holds the largest row numbers and a revision counter. If only row numbers grew,
//! the changed instances can be listed; if the revision changed (rows were updated or removed), the
//! reader has to read everything again.

use crate::{InstanceId, RunId, Store, StoreError, schema};

/// The state of a database at one moment, to detect changes since then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watermark {
    /// The version of the tables.
    pub tables: i64,
    /// Grows with every change that is not a new row; `None` if the tables are too old to say.
    pub revision: Option<i64>,
    /// The largest number of a run.
    pub last_run: RunId,
    /// The largest number of an instance.
    pub last_instance: InstanceId,
    /// How many places of instances there are.
    pub members: i64,
}

const NEW_INSTANCES: &str = "SELECT id FROM instance WHERE id > ?1 ORDER BY id";
const INSTANCES_OF_NEW_RUNS: &str = "SELECT instance_id FROM run WHERE id > ?1";
const MEMBERS_OF_INSTANCES: &str =
    "SELECT instance_id, count(*) FROM member GROUP BY instance_id ORDER BY instance_id";

impl Store {
    /// Does all of `work` on the state that the database has now, whatever others write meanwhile.
    pub fn reading<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&Store) -> Result<T, E>,
    ) -> Result<T, E> {
        if !self.connection.is_autocommit() {
            return work(self);
        }
        let transaction =
            self.connection.unchecked_transaction().map_err(|cause| self.failed(cause))?;
        let value = work(self)?;
        transaction.commit().map_err(|cause| self.failed(cause))?;
        Ok(value)
    }

    /// A number that changes when another connection has written to the database.
    pub fn data_version(&self) -> Result<i64, StoreError> {
        self.number("PRAGMA data_version")
    }

    /// The current state, for later comparison.
    pub fn mark(&self) -> Result<Watermark, StoreError> {
        self.reading(|store| {
            // Another process may have migrated the tables since this store was opened.
            let tables = store.number("PRAGMA user_version")?;
            let revision = if tables >= schema::WITH_FEATURES {
                Some(store.number("SELECT number FROM revision")?)
            } else {
                None
            };
            let last_run = store.number("SELECT coalesce(max(id), 0) FROM run")?;
            let last_instance = store.number("SELECT coalesce(max(id), 0) FROM instance")?;
            Ok(Watermark {
                tables,
                revision,
                last_run: RunId(last_run),
                last_instance: InstanceId(last_instance),
                members: store.number("SELECT count(*) FROM member")?,
            })
        })
    }

    /// The instances that are new since `mark` or have new runs, by number.
    pub fn instances_changed_since(&self, mark: &Watermark) -> Result<Vec<InstanceId>, StoreError> {
        let mut changed =
            self.rows(NEW_INSTANCES, [mark.last_instance.0], |row| row.get(0).map(InstanceId))?;
        let with_runs =
            self.rows(INSTANCES_OF_NEW_RUNS, [mark.last_run.0], |row| row.get(0).map(InstanceId))?;
        changed.extend(with_runs);
        changed.sort_unstable();
        changed.dedup();
        Ok(changed)
    }

    /// In how many places each instance stands, by its number; those that stand nowhere are left
    /// out.
    pub fn member_counts(&self) -> Result<Vec<(InstanceId, i64)>, StoreError> {
        self.rows(MEMBERS_OF_INSTANCES, [], |row| Ok((InstanceId(row.get(0)?), row.get(1)?)))
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;
    use crate::schema::{MIGRATIONS, migrate};

    #[test]
    fn what_is_new_is_found_without_a_look_at_the_rest() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, MIGRATIONS).unwrap();
        let plan = |sql: &str| -> Vec<String> {
            let sql = format!("EXPLAIN QUERY PLAN {}", sql.replace("?1", "1"));
            let mut statement = connection.prepare(&sql).unwrap();
            statement.query_map([], |row| row.get(3)).unwrap().map(Result::unwrap).collect()
        };
        for sql in [NEW_INSTANCES, INSTANCES_OF_NEW_RUNS] {
            let steps = plan(sql);
            assert!(!steps.is_empty());
            for step in steps {
                assert!(step.starts_with("SEARCH"), "{step:?} in {sql}");
            }
        }
        // This one reads a whole index, and does not sort.
        let steps = plan(MEMBERS_OF_INSTANCES);
        assert!(steps.iter().all(|step| step.starts_with("SCAN member")), "{steps:?}");
    }
}
