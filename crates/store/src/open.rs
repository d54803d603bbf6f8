//! Opens database files: for writing, for reading, and of other programs.
//!
//! A file that is no Luthier database is never changed. Reading works while a campaign writes and on
//! read-only media; only regular files are opened.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::StoreError;
use crate::schema::{self, FileKind, SchemaError};

/// How long a writer waits for another. A batch takes milliseconds, a merge perhaps seconds.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// More than there are statements, so that none is prepared twice.
const STATEMENTS: usize = 64;

/// A connection, and the address by which SQLite may attach the same file to another.
pub(crate) struct Opened {
    pub connection: Connection,
    pub uri: String,
    /// The version of its tables, which may be an older one.
    pub tables: i64,
}

/// Opens a database for reading and writing, and makes it if there is none.
pub(crate) fn writable(path: &Path) -> Result<Connection, StoreError> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        return Err(StoreError::NoFolder { path: path.to_owned(), folder: folder.to_owned() });
    }
    if path.exists() {
        check_is_file(path)?;
    }
    let failed = |cause| StoreError::of(path, cause);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let mut connection = connect(&file_uri(path, ""), flags).map_err(failed)?;
    let known = schema::known_version();
    match schema::kind(&connection).map_err(failed)? {
        FileKind::Foreign => return Err(StoreError::NotLuthier { path: path.to_owned() }),
        FileKind::Luthier(found) if found > known => {
            return Err(StoreError::Newer { path: path.to_owned(), found, known });
        }
        FileKind::Luthier(_) => check_tables(&connection, path)?,
        FileKind::Empty => {}
    }
    // Foreign keys are on by default in the bundled SQLite; no migration can work under them.
    use_log(&connection)
        .and_then(|()| {
            connection.execute_batch("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = OFF;")
        })
        .and_then(|()| schema::migrate(&mut connection, schema::MIGRATIONS))
        .and_then(|()| connection.execute_batch("PRAGMA foreign_keys = ON;"))
        .map_err(failed)?;
    Ok(connection)
}

/// Opens a database for reading.
///
/// The first attempt opens the file like a writer and forbids writing afterwards: only then does
/// SQLite remove its side files at the end. SQLite itself goes back to reading if the permissions
/// say so. On a medium where side files cannot be made, the file is read as one that never
/// changes, which is right as long as there is no log beside it.
pub(crate) fn read_only(path: &Path) -> Result<Opened, StoreError> {
    check_is_file(path)?;
    let failed = |cause| StoreError::of(path, cause);
    let uri = file_uri(path, "");
    let usual = connect(&uri, OpenFlags::SQLITE_OPEN_READ_WRITE)
        .and_then(|connection| schema::kind(&connection).map(|kind| (connection, kind)));
    let (connection, kind, uri) = match usual {
        Ok((connection, kind)) => (connection, kind, uri),
        Err(cause) if needs_side_files(&cause) => {
            if has_log(path) {
                return Err(StoreError::UnfinishedReadOnly { path: path.to_owned() });
            }
            let uri = file_uri(path, "?immutable=1");
            let connection = connect(&uri, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(failed)?;
            let kind = schema::kind(&connection).map_err(failed)?;
            (connection, kind, uri)
        }
        Err(cause) => return Err(failed(cause)),
    };
    checked(connection, kind, uri, path)
}

/// Opens a database that nobody changes any more, without locks and without files beside it: so it can
/// be read from any machine over a network file system.
pub(crate) fn unchanging(path: &Path) -> Result<Opened, StoreError> {
    check_is_file(path)?;
    let failed = |cause| StoreError::of(path, cause);
    let uri = file_uri(path, "?immutable=1");
    let connection = connect(&uri, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(failed)?;
    let kind = schema::kind(&connection).map_err(failed)?;
    checked(connection, kind, uri, path)
}

/// Checks that it is a database of ours that this program can read.
fn checked(
    connection: Connection,
    kind: FileKind,
    uri: String,
    path: &Path,
) -> Result<Opened, StoreError> {
    let failed = |cause| StoreError::of(path, cause);
    let known = schema::known_version();
    match kind {
        FileKind::Luthier(found) if found > known => {
            Err(StoreError::Newer { path: path.to_owned(), found, known })
        }
        FileKind::Luthier(tables) => {
            check_tables(&connection, path)?;
            connection.execute_batch("PRAGMA query_only = ON;").map_err(failed)?;
            Ok(Opened { connection, uri, tables })
        }
        FileKind::Empty | FileKind::Foreign => {
            Err(StoreError::NotLuthier { path: path.to_owned() })
        }
    }
}

/// Opens a database of another program, which must not be changed in any way.
pub(crate) fn foreign(path: &Path) -> Result<Connection, StoreError> {
    check_is_file(path)?;
    connect(&file_uri(path, "?mode=ro"), OpenFlags::SQLITE_OPEN_READ_ONLY)
        .map_err(|cause| StoreError::of(path, cause))
}

/// Only regular files are opened: a device or a pipe may never end. The messages of SQLite
/// about the others are not helpful.
pub(crate) fn check_is_file(path: &Path) -> Result<(), StoreError> {
    let path = path.to_owned();
    match path.metadata() {
        Ok(metadata) if metadata.is_file() => Ok(()),
        Ok(metadata) if metadata.is_dir() => Err(StoreError::Folder { path }),
        Ok(_) => Err(StoreError::NotRegular { path }),
        Err(cause) if cause.kind() == ErrorKind::NotFound => Err(StoreError::Missing { path }),
        Err(cause) => Err(StoreError::CannotOpen { path, cause: cause.to_string() }),
    }
}

fn check_tables(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    schema::check(connection).map_err(|unexpected| match unexpected {
        SchemaError::Schema(detail) => StoreError::OtherTables { path: path.to_owned(), detail },
        SchemaError::Sqlite(cause) => StoreError::of(path, cause),
    })
}

fn connect(uri: &str, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let flags = flags | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(uri, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    // 32 MiB of pages in memory; sorting and the maps of a merge stay there too.
    connection.execute_batch("PRAGMA cache_size = -32768; PRAGMA temp_store = MEMORY;")?;
    // A database is not trusted: its schema may call nothing that has effects, and pages
    // that do not add up are noticed.
    connection.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;")?;
    Ok(connection)
}

/// Writes changes to a log first. Where several writers open a new file at once, SQLite says that
/// it is busy without waiting, because two that wait for each other would wait for ever; so the
/// whole attempt is made again.
fn use_log(connection: &Connection) -> rusqlite::Result<()> {
    let started = Instant::now();
    loop {
        match connection.execute_batch("PRAGMA journal_mode = WAL;") {
            Err(cause)
                if cause.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && started.elapsed() < BUSY_TIMEOUT =>
            {
                std::thread::sleep(Duration::from_millis(5));
            }
            done => return done,
        }
    }
}

fn needs_side_files(cause: &rusqlite::Error) -> bool {
    matches!(cause.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

/// Whether there is a log with changes that are not in the file.
fn has_log(path: &Path) -> bool {
    let mut log = OsString::from(path);
    log.push("-wal");
    PathBuf::from(log).metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0)
}

/// The address of a file. Everything that is not plain is escaped, so that no name of a file can
/// be taken for a parameter.
pub(crate) fn file_uri(path: &Path, parameters: &str) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut uri = String::from("file:");
    for &byte in absolute.as_os_str().as_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri.push_str(parameters);
    uri
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::file_uri;

    #[test]
    fn no_name_of_a_file_is_taken_for_a_parameter() {
        let uri = file_uri(Path::new("/a b/c?mode=ro#é%.db"), "?immutable=1");
        assert_eq!(uri, "file:/a%20b/c%3Fmode%3Dro%23%C3%A9%25.db?immutable=1");
    }
}
