//! Published copies: databases that other machines read over a network file system.
//!
//! SQLite is safe over a network only if the locks of the file system work, and its write-ahead log
//! not at all, since it needs memory that all share. So nothing that several machines use is ever
//! open for writing: a copy is written under a name of its own, in the rollback mode of SQLite and
//! without a log, brought to the disk, and renamed. Whoever opens the name finds the copy before or
//! the copy after, always whole, and reads it without locks ([`Store::open_published`]).
//!
//! Limits: a file that is replaced while another machine reads it may be gone there (`ESTALE`); this
//! is an error of reading, after which one opens the new copy.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::params;

use crate::{InstanceId, Store, StoreError, open};

/// Row numbers stay the same, so that they can stand for instances in both files.
const COPY_INSTANCES: &str = "
INSERT INTO main.text (id, digest, size_bytes, encoding, content)
SELECT text.id, text.digest, text.size_bytes, encoding, content
FROM wanted JOIN other.instance ON instance.id = wanted.id JOIN other.text ON text.id = instance.text_id
WHERE true ORDER BY text.id ON CONFLICT DO NOTHING;

INSERT INTO main.instance (id, digest, dialect, dialect_reason, size_bytes, fault, features, text_id)
SELECT instance.id, digest, dialect, dialect_reason, size_bytes, fault, features, text_id
FROM wanted JOIN other.instance ON instance.id = wanted.id ORDER BY wanted.id;

INSERT INTO main.query (instance_id, position, planted, planted_core, status)
SELECT instance_id, position, planted, planted_core, status
FROM wanted JOIN other.query ON query.instance_id = wanted.id;
";

impl Store {
    /// Writes a copy of this database that replaces what has this name, in one step.
    pub fn publish(&self, target: &Path) -> Result<(), StoreError> {
        let unfinished = unfinished(target);
        remove_if_there(&unfinished)?;
        let text = unfinished.to_str().ok_or_else(|| not_written(target, not_utf8()))?;
        self.connection
            .execute("VACUUM INTO ?1", params![text])
            .map_err(|cause| StoreError::of(&unfinished, cause))?;
        put_in_place(&unfinished, target)
    }

    /// Publishes a database that has some of the instances of this one, with the same row numbers,
    /// and nothing else.
    pub fn publish_instances(
        &self,
        instances: &[InstanceId],
        target: &Path,
    ) -> Result<(), StoreError> {
        let unfinished = unfinished(target);
        remove_if_there(&unfinished)?;
        let mut copy = Store::open(&unfinished)?;
        copy.execute("ATTACH DATABASE ?1 AS other", [open::file_uri(&self.path, "")])?;
        copy.execute_batch("CREATE TEMP TABLE wanted (id INTEGER PRIMARY KEY)")?;
        copy.batch(|copy| {
            for instance in instances {
                copy.execute(
                    "INSERT INTO wanted VALUES (?1) ON CONFLICT DO NOTHING",
                    [instance.0],
                )?;
            }
            copy.execute_batch(COPY_INSTANCES)
        })?;
        copy.execute_batch(
            "DROP TABLE wanted; DETACH DATABASE other; PRAGMA journal_mode = DELETE;",
        )?;
        copy.close()?;
        put_in_place(&unfinished, target)
    }
}

/// Beside the target, since only within a file system a file is renamed in one step.
fn unfinished(target: &Path) -> PathBuf {
    let mut name = OsString::from(target);
    name.push(format!(".{}.unfinished", std::process::id()));
    name.into()
}

fn put_in_place(unfinished: &Path, target: &Path) -> Result<(), StoreError> {
    let placed = File::open(unfinished).and_then(|file| file.sync_all()).and_then(|()| {
        fs::rename(unfinished, target)?;
        // So that the name, too, survives a failure of power.
        match target.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            Some(folder) => File::open(folder)?.sync_all(),
            None => Ok(()),
        }
    });
    placed.map_err(|cause| not_written(target, cause))
}

fn remove_if_there(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(not_written(path, cause)),
        _ => Ok(()),
    }
}

fn not_written(path: &Path, cause: io::Error) -> StoreError {
    match cause.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            StoreError::DiskFull { path: path.to_owned() }
        }
        _ => StoreError::CannotOpen { path: path.to_owned(), cause: cause.to_string() },
    }
}

fn not_utf8() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidFilename, "its path is not UTF-8")
}
