//! [`Store`]: a connection to one database, its transactions, and closing it.

use std::fmt;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::texts::Texts;
use crate::{StoreError, open, schema};

/// One SQLite file with everything that is known about runs.
///
/// Several processes may read while one writes. Every method that writes is a transaction of its
/// own, unless it is called inside [`Store::batch`].
pub struct Store {
    pub(crate) connection: Connection,
    pub(crate) path: PathBuf,
    pub(crate) texts: Texts,
    /// The version of the tables when it was opened.
    pub(crate) tables: i64,
}

impl Store {
    /// Opens a database for reading and writing. It is made if there is none and its folder
    /// exists; the tables of an older version are brought up to date.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        Ok(Self::over(open::writable(path)?, path, schema::known_version()))
    }

    /// Opens a database for reading. It works while a campaign writes, and on a medium that
    /// cannot be written. Tables of an older version are read as they are.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        let opened = open::read_only(path)?;
        Ok(Self::over(opened.connection, path, opened.tables))
    }

    /// Opens a database that was [published](Store::publish) and does not change any more.
    pub fn open_published(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        let opened = open::unchanging(path)?;
        Ok(Self::over(opened.connection, path, opened.tables))
    }

    pub(crate) fn over(connection: Connection, path: &Path, tables: i64) -> Self {
        Store { connection, path: path.to_owned(), texts: Texts::default(), tables }
    }

    /// The file, as it was named.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Does all of `work` in one transaction: all of it is kept, or nothing if it gives an error.
    /// A batch inside a batch is a part of the outer one.
    pub fn batch<T, E: From<StoreError>>(
        &mut self,
        work: impl FnOnce(&mut Store) -> Result<T, E>,
    ) -> Result<T, E> {
        if !self.connection.is_autocommit() {
            return work(self);
        }
        // Immediately, because a transaction that begins by reading may not wait for its turn to
        // write later.
        self.execute_batch("BEGIN IMMEDIATE")?;
        let open = OpenTransaction { store: self };
        let value = work(open.store)?;
        open.store.execute_batch("COMMIT")?;
        Ok(value)
    }

    /// Looks for damage: in the file, and in what refers to what. [`Store::verify`] looks at what
    /// is in the rows, too.
    pub fn check(&self) -> Result<(), StoreError> {
        let damaged = |detail| self.damaged(detail);
        let verdict: String = self
            .connection
            .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
            .map_err(|cause| self.failed(cause))?;
        if verdict != "ok" {
            return Err(damaged(verdict));
        }
        let dangling = self
            .connection
            .prepare("PRAGMA foreign_key_check")
            .and_then(|mut statement| {
                let mut rows = statement.query([])?;
                rows.next()?.map(|row| Ok((row.get(0)?, row.get(2)?))).transpose()
            })
            .map_err(|cause| self.failed(cause))?;
        match dangling {
            None => Ok(()),
            Some((table, parent)) => {
                let (table, parent): (String, String) = (table, parent);
                Err(damaged(format!(
                    "a row of {table} refers to a row of {parent} that is missing"
                )))
            }
        }
    }

    /// Ends cleanly: everything goes into the one file, and the files that SQLite has beside it
    /// while it works are removed. Dropping does the same, but cannot report what goes wrong.
    pub fn close(self) -> Result<(), StoreError> {
        let Store { connection, path, .. } = self;
        connection.close().map_err(|(_, cause)| StoreError::of(&path, cause))
    }

    pub(crate) fn failed(&self, cause: rusqlite::Error) -> StoreError {
        StoreError::of(&self.path, cause)
    }

    pub(crate) fn damaged(&self, detail: String) -> StoreError {
        StoreError::Damaged { path: self.path.clone(), detail }
    }

    pub(crate) fn execute_batch(&self, sql: &str) -> Result<(), StoreError> {
        self.connection.execute_batch(sql).map_err(|cause| self.failed(cause))
    }

    pub(crate) fn out_of_range(&self, what: &'static str) -> StoreError {
        StoreError::OutOfRange { path: self.path.clone(), what }
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Store").field("path", &self.path).finish_non_exhaustive()
    }
}

/// A transaction that is undone if it is still open at the end of its scope.
struct OpenTransaction<'a> {
    store: &'a mut Store,
}

impl Drop for OpenTransaction<'_> {
    fn drop(&mut self) {
        if !self.store.connection.is_autocommit() {
            // If this fails, closing the connection undoes it.
            let _ = self.store.connection.execute_batch("ROLLBACK");
            self.store.texts.forget();
        }
    }
}

#[cfg(test)]
mod tests {
    use luthier_records::{Bytes, Campaign, Machine, Timestamp};

    use super::Store;
    use crate::StoreError;

    fn campaign(id: String) -> Campaign {
        Campaign {
            id,
            started: Timestamp(0),
            luthier_version: "0.1.0".to_owned(),
            command_line: Vec::new(),
            experiment: "x".repeat(100_000),
            machine: Machine { memory: Bytes(1), ..Machine::default() },
            jobs: 1,
        }
    }

    #[test]
    fn a_full_disk_is_named_and_loses_nothing_that_was_committed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("full.db");
        let mut store = Store::open(&path).unwrap();
        let pages: i64 =
            store.connection.query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap();
        let most = pages + 200;
        store
            .connection
            .query_row(&format!("PRAGMA max_page_count = {most}"), [], |_| Ok(()))
            .unwrap();
        let mut committed = 0;
        let error = loop {
            match store.add_campaign(&campaign(format!("c{committed}"))) {
                Ok(_) => committed += 1,
                Err(error) => break error,
            }
        };
        assert!(matches!(error, StoreError::DiskFull { .. }), "{error}");
        let message = error.to_string();
        assert!(message.contains("full.db: the disk is full"), "{message}");
        assert!(committed > 1, "{committed}");
        assert_eq!(store.campaigns().unwrap().len(), committed);
        store.check().unwrap();
        // There is room again: the same store goes on.
        store.connection.query_row("PRAGMA max_page_count = 100000", [], |_| Ok(())).unwrap();
        store.add_campaign(&campaign("after".to_owned())).unwrap();
        store.close().unwrap();
        let store = Store::open_read_only(&path).unwrap();
        assert_eq!(store.campaigns().unwrap().len(), committed + 1);
        store.check().unwrap();
    }

    #[test]
    fn a_row_that_refers_to_nothing_is_damage() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().join("a.db")).unwrap();
        store.check().unwrap();
        store
            .execute_batch("PRAGMA foreign_keys = OFF; INSERT INTO track VALUES (1, 7, 'x');")
            .unwrap();
        let message = store.check().unwrap_err().to_string();
        assert!(message.contains("a row of track refers to a row of benchmark_set"), "{message}");
    }
}
