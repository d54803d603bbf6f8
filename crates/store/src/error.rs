//! The errors of a database, each with the file, the cause and what to do.

use std::path::{Path, PathBuf};

use luthier_records::Digest;
use rusqlite::ErrorCode;

/// A database could not be opened, read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no such file.
    #[error("{}: no such file; check the spelling and the working folder", path.display())]
    Missing {
        /// The database.
        path: PathBuf,
    },
    /// It is a folder.
    #[error("{}: is a folder; name the database in it", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
    },
    /// It is a device, a pipe or a socket, which may never end.
    #[error("{}: is not a regular file; name a database", path.display())]
    NotRegular {
        /// The path.
        path: PathBuf,
    },
    /// The folder in which a database would be made is not there.
    #[error("{}: the folder {} is not there; make it first", path.display(), folder.display())]
    NoFolder {
        /// The database.
        path: PathBuf,
        /// The missing folder.
        folder: PathBuf,
    },
    /// The file is something else.
    #[error("{}: is not a Luthier database; name another file", path.display())]
    NotLuthier {
        /// The file.
        path: PathBuf,
    },
    /// The tables are not those that this program creates: they were changed, or created by
    /// another program.
    #[error(
        "{}: its tables are not as Luthier makes them ({detail}); take a copy of the original, or \
         run the experiment again",
        path.display()
    )]
    OtherTables {
        /// The database.
        path: PathBuf,
        /// What differs.
        detail: String,
    },
    /// The tables are of a later version.
    #[error(
        "{}: made by a newer Luthier (schema {found}, this one knows {known}); use that version",
        path.display()
    )]
    Newer {
        /// The database.
        path: PathBuf,
        /// The version of its tables.
        found: i64,
        /// The latest version that this program knows.
        known: i64,
    },
    /// The file cannot be opened.
    #[error("{}: cannot be opened ({cause}); check the permissions of it and its folder", path.display())]
    CannotOpen {
        /// The database.
        path: PathBuf,
        /// The error of SQLite.
        cause: String,
    },
    /// A campaign that did not end cleanly left a log that cannot be worked in from where it is.
    #[error(
        "{}: has unfinished changes in its -wal file and stands in a folder that cannot be \
         written to; copy both files to a folder that can",
        path.display()
    )]
    UnfinishedReadOnly {
        /// The database.
        path: PathBuf,
    },
    /// The disk is full. What was committed before is safe.
    #[error(
        "{}: the disk is full; everything before the last batch is kept: free some space and go on",
        path.display()
    )]
    DiskFull {
        /// The database.
        path: PathBuf,
    },
    /// Another process writes for too long.
    #[error("{}: another process is writing to it; wait for it or stop it", path.display())]
    Busy {
        /// The database.
        path: PathBuf,
    },
    /// The database was opened for reading, or the file may not be written.
    #[error("{}: cannot be written; check the permissions of it and its folder", path.display())]
    ReadOnly {
        /// The database.
        path: PathBuf,
    },
    /// The file is damaged, or was changed by hand.
    #[error("{}: is damaged ({detail}); take a copy, or rescue it with `sqlite3 FILE .recover`", path.display())]
    Damaged {
        /// The database.
        path: PathBuf,
        /// What was found.
        detail: String,
    },
    /// A text does not have the digest under which it is to be stored.
    #[error(
        "{}: a text to be stored as {expected} has the digest {found}; read the file again",
        path.display()
    )]
    WrongDigest {
        /// The database.
        path: PathBuf,
        /// The digest that was stated.
        expected: Digest,
        /// The digest of the text.
        found: Digest,
    },
    /// A number is larger than SQLite can keep.
    #[error("{}: {what} is too large to be stored; use a smaller one", path.display())]
    OutOfRange {
        /// The database.
        path: PathBuf,
        /// What the number counts.
        what: &'static str,
    },
    /// A label must be `sat` or `unsat`.
    #[error("{}: the label of {place:?} is neither sat nor unsat; leave it out", path.display())]
    UnknownLabel {
        /// The database.
        path: PathBuf,
        /// The name of the instance.
        place: String,
    },
    /// A label is for a place that is not in the database.
    #[error("{}: no instance stands at {place:?}, so it cannot be labelled", path.display())]
    NoPlace {
        /// The database.
        path: PathBuf,
        /// The name of the instance.
        place: String,
    },
    /// A database is to be merged into itself.
    #[error("{}: cannot be merged into itself; name another database", path.display())]
    MergeWithItself {
        /// The database.
        path: PathBuf,
    },
    /// A file is not a database of ZaligVinder.
    #[error("{}: is not a ZaligVinder database ({detail}); name another file", path.display())]
    NotZaligvinder {
        /// The file.
        path: PathBuf,
        /// What is missing.
        detail: String,
    },
    /// Anything else that SQLite reports.
    #[error("{}: {cause}; check the disk, and that nothing else changes the file", path.display())]
    Sqlite {
        /// The database.
        path: PathBuf,
        /// The error of SQLite.
        cause: rusqlite::Error,
    },
}

/// SQLite cannot enlarge the index of its log. Writing to the log itself says that the disk is
/// full in plain words; this has no other cause.
const SHARED_MEMORY_SIZE: std::ffi::c_int = rusqlite::ffi::SQLITE_IOERR_SHMSIZE;

impl StoreError {
    /// The error that a failure of SQLite means to a user of this file.
    pub(crate) fn of(path: &Path, cause: rusqlite::Error) -> Self {
        let path = path.to_owned();
        let extended = cause.sqlite_error().map(|error| error.extended_code);
        if extended == Some(SHARED_MEMORY_SIZE) {
            return Self::DiskFull { path };
        }
        match cause.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::DiskFull { path },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { path },
            Some(ErrorCode::ReadOnly) => Self::ReadOnly { path },
            Some(ErrorCode::NotADatabase) => Self::NotLuthier { path },
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::ConstraintViolation) => {
                Self::Damaged { path, detail: cause.to_string() }
            }
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                Self::CannotOpen { path, cause: cause.to_string() }
            }
            Some(_) => Self::Sqlite { path, cause },
            // Not from SQLite but from reading a row: a value that we did not write.
            None => Self::Damaged { path, detail: cause.to_string() },
        }
    }
}
