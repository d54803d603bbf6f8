//! Reading a database of ZaligVinder, and the files that it names.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};

use super::SET_WITHOUT_NAME;
use crate::{StoreError, open};

/// A file is looked for under another folder by the end of its path. Fewer parts than this would
/// find files of other sets that happen to have the same name.
const FEWEST_PARTS: usize = 3;

/// The tables and columns that are read.
const TABLES: [&str; 4] = [
    "SELECT id, name, filepath, expected FROM TrackInstance",
    "SELECT id, name, bgroup FROM Track",
    "SELECT track, instance FROM TrackInstanceMap",
    "SELECT solver, instanceid, timeouted, result, time, output, model, verified FROM Result",
];

/// A database of ZaligVinder.
pub(super) struct Source {
    connection: Connection,
    path: PathBuf,
}

/// A row of `TrackInstance`.
pub(super) struct ListedInstance {
    pub id: i64,
    pub name: String,
    pub file: String,
    pub expected: Option<bool>,
}

/// A row of `Result`.
pub(super) struct BookedResult {
    pub solver: Option<String>,
    pub instance: i64,
    pub timed_out: bool,
    pub satisfiable: Option<bool>,
    pub time: Duration,
    pub output: Vec<u8>,
    pub model: Vec<u8>,
    pub verified: Option<bool>,
}

/// Set and track.
pub(super) type TrackNames = (String, String);

impl Source {
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let other = |detail| StoreError::NotZaligvinder { path: path.to_owned(), detail };
        let connection = open::foreign(path).map_err(|error| match error {
            StoreError::NotLuthier { .. } => other("it is no database at all".to_owned()),
            error => error,
        })?;
        for sql in TABLES {
            connection.prepare(sql).map_err(|cause| other(cause.to_string()))?;
        }
        Ok(Source { connection, path: path.to_owned() })
    }

    fn rows<T>(
        &self,
        sql: &str,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        self.connection
            .prepare(sql)
            .and_then(|mut statement| statement.query_map([], read)?.collect())
            .map_err(|cause| StoreError::of(&self.path, cause))
    }

    /// The tracks of each instance, in the order in which they are listed.
    pub(super) fn tracks(&self) -> Result<HashMap<i64, Vec<TrackNames>>, StoreError> {
        let tracks = self.rows("SELECT id, name, bgroup FROM Track", |row| {
            let set = text(row.get_ref(2)?);
            let set = if set.is_empty() { SET_WITHOUT_NAME.to_owned() } else { set };
            Ok((row.get::<_, i64>(0)?, (set, text(row.get_ref(1)?))))
        })?;
        let tracks: HashMap<i64, TrackNames> = tracks.into_iter().collect();
        let pairs = self.rows(
            "SELECT track, instance FROM TrackInstanceMap
             WHERE track IS NOT NULL AND instance IS NOT NULL ORDER BY rowid",
            |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)),
        )?;
        let mut places: HashMap<i64, Vec<TrackNames>> = HashMap::new();
        for (track, instance) in pairs {
            if let Some(names) = tracks.get(&track) {
                places.entry(instance).or_default().push(names.clone());
            }
        }
        Ok(places)
    }

    /// Calls `visit` with some results after the other, in the order in which they were booked.
    pub(super) fn visit_results(
        &self,
        at_once: usize,
        mut visit: impl FnMut(Vec<BookedResult>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let failed = |cause| StoreError::of(&self.path, cause);
        let mut statement = self
            .connection
            .prepare(
                "SELECT solver, instanceid, timeouted, result, time, output, model, verified
                 FROM Result ORDER BY rowid",
            )
            .map_err(failed)?;
        let mut results = statement.query_map([], result_of_row).map_err(failed)?;
        loop {
            let some = results.by_ref().take(at_once).collect::<rusqlite::Result<Vec<_>>>();
            let some = some.map_err(failed)?;
            if some.is_empty() {
                return Ok(());
            }
            visit(some)?;
        }
    }

    pub(super) fn instances(&self) -> Result<Vec<ListedInstance>, StoreError> {
        self.rows("SELECT id, name, filepath, expected FROM TrackInstance ORDER BY id", |row| {
            Ok(ListedInstance {
                id: row.get(0)?,
                name: text(row.get_ref(1)?),
                file: text(row.get_ref(2)?),
                expected: truth(row.get_ref(3)?),
            })
        })
    }
}

/// The bytes of a file by its path, or by the end of its path under the folder.
pub(super) fn find_file(file: &str, folder: &Path) -> Option<Vec<u8>> {
    let path = Path::new(file);
    // Joining leaves an absolute path as it is.
    if let Some(bytes) = read_formula(&folder.join(path)) {
        return Some(bytes);
    }
    let parts: Vec<Component<'_>> =
        path.components().filter(|part| matches!(part, Component::Normal(_))).collect();
    let last = (parts.len() + 1).saturating_sub(FEWEST_PARTS);
    (0..last).find_map(|first| {
        let end: PathBuf = parts[first..].iter().collect();
        read_formula(&folder.join(end))
    })
}

/// A database from somebody else names the path, so only what looks like a formula is read: it
/// must not bring other files of this machine, or devices, into the results.
fn read_formula(path: &Path) -> Option<Vec<u8>> {
    let ending = path.extension()?.to_str()?;
    if ending.starts_with("smt") && path.is_file() { std::fs::read(path).ok() } else { None }
}

fn result_of_row(row: &Row<'_>) -> rusqlite::Result<BookedResult> {
    let bytes = |column| -> rusqlite::Result<Vec<u8>> {
        Ok(match row.get_ref(column)? {
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.to_vec(),
            _ => Vec::new(),
        })
    };
    let solver = text(row.get_ref(0)?);
    let milliseconds = match row.get_ref(4)? {
        ValueRef::Integer(number) => number as f64,
        ValueRef::Real(number) => number,
        _ => 0.0,
    };
    Ok(BookedResult {
        solver: (!solver.is_empty()).then_some(solver),
        // No instance has a number below 1.
        instance: row.get::<_, Option<i64>>(1)?.unwrap_or(-1),
        timed_out: truth(row.get_ref(2)?) == Some(true),
        satisfiable: truth(row.get_ref(3)?),
        time: Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or_default(),
        output: bytes(5)?,
        model: bytes(6)?,
        verified: truth(row.get_ref(7)?),
    })
}

/// A truth value as Python writes it; `None` for NULL and for what is none.
fn truth(value: ValueRef<'_>) -> Option<bool> {
    match value {
        ValueRef::Integer(0) => Some(false),
        ValueRef::Integer(1) => Some(true),
        _ => None,
    }
}

/// A text, or nothing.
fn text(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            String::from_utf8_lossy(bytes).into_owned()
        }
        _ => String::new(),
    }
}
