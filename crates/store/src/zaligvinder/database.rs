//! Reads the tables of a ZaligVinder database, and the benchmark files that it names.
//!
//! The file is not trusted: its tables must be ordinary tables, rows with values of a wrong type are
//! reported and left out, and only files that look like formulas are read.

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row};

use super::SET_WITHOUT_NAME;
use crate::codec::micros;
use crate::{StoreError, open};

/// A file is looked for under another folder by the end of its path. Fewer parts than this would
/// find files of other sets that happen to have the same name.
const MIN_PATH_PARTS: usize = 3;

/// The tables and columns that are read.
const TABLES: [(&str, &str); 4] = [
    ("TrackInstance", "SELECT rowid, id, name, filepath, expected FROM TrackInstance"),
    ("Track", "SELECT rowid, id, name, bgroup FROM Track"),
    ("TrackInstanceMap", "SELECT rowid, track, instance FROM TrackInstanceMap"),
    (
        "Result",
        "SELECT rowid, solver, instanceid, timeouted, result, time, output, model, verified
         FROM Result",
    ),
];

/// A row that cannot be imported as it is, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRow {
    /// Its table in the database of ZaligVinder.
    pub table: &'static str,
    /// Its number there (`rowid`).
    pub row: i64,
    /// The name of the instance that it is about, if that is known.
    pub instance: Option<String>,
    /// What is wrong with it, and how it was handled.
    pub problem: String,
}

/// A database of ZaligVinder.
pub(super) struct ZaligvinderDatabase {
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
pub(super) struct ZaligvinderResult {
    pub row: i64,
    pub solver: String,
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

impl ZaligvinderDatabase {
    /// Opens a file that may be anything. Its tables must be tables: a view in their place could be
    /// an endless recursion. Its pages must add up, so that none is read for ever.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let other = |detail| StoreError::NotZaligvinder { path: path.to_owned(), detail };
        let recognised = |error| match error {
            StoreError::NotLuthier { .. } => other("it is no database at all".to_owned()),
            error => error,
        };
        let connection = open::foreign(path).map_err(recognised)?;
        let failed = |cause| recognised(StoreError::of(path, cause));
        for (table, sql) in TABLES {
            let kind: Option<String> = connection
                .query_row(
                    "SELECT type FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE
                         AND (type <> 'table' OR sql LIKE 'CREATE VIRTUAL%' OR EXISTS (
                             SELECT 1 FROM pragma_table_xinfo(?1) WHERE hidden <> 0))",
                    [table],
                    |row| row.get(0),
                )
                .optional()
                .map_err(failed)?;
            if kind.is_some() {
                return Err(other(format!("{table} is not an ordinary table")));
            }
            connection.prepare(sql).map_err(|cause| match cause.sqlite_error_code() {
                Some(ErrorCode::Unknown) => other(cause.to_string()),
                _ => failed(cause),
            })?;
        }
        let sound: String =
            connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(failed)?;
        if sound != "ok" {
            return Err(StoreError::Damaged { path: path.to_owned(), detail: sound });
        }
        Ok(ZaligvinderDatabase { connection, path: path.to_owned() })
    }

    /// Calls `visit` with row after row, in the order of their numbers.
    fn visit(
        &self,
        sql: &str,
        mut visit: impl FnMut(&Row<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let failed = |cause| StoreError::of(&self.path, cause);
        let mut statement =
            self.connection.prepare(&format!("{sql} ORDER BY rowid")).map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            visit(row)?;
        }
        Ok(())
    }

    /// The same for rows that may be bad.
    fn collect<T>(
        &self,
        (table, sql): (&'static str, &str),
        bad: &mut Vec<BadRow>,
        mut read: impl FnMut(&Row<'_>, &mut Vec<String>) -> rusqlite::Result<Option<T>>,
    ) -> Result<Vec<T>, StoreError> {
        let mut good = Vec::new();
        self.visit(sql, |row| {
            let failed = |cause| StoreError::of(&self.path, cause);
            let number = row.get(0).map_err(failed)?;
            let mut problems = Vec::new();
            let read = read(row, &mut problems).map_err(failed)?;
            let ending = if read.is_some() { "" } else { "; it is left out" };
            good.extend(read);
            let about = |problem: String| BadRow {
                table,
                row: number,
                instance: None,
                problem: format!("{problem}{ending}"),
            };
            bad.extend(problems.into_iter().map(about));
            Ok(())
        })?;
        Ok(good)
    }

    /// The tracks of each instance, in the order in which they are listed.
    pub(super) fn tracks(
        &self,
        instances: &HashSet<i64>,
        bad: &mut Vec<BadRow>,
    ) -> Result<HashMap<i64, Vec<TrackNames>>, StoreError> {
        let [_, tracks, map, _] = TABLES;
        let tracks = self.collect(tracks, bad, |row, problems| {
            let set = text(row.get_ref(3)?);
            let set = if set.is_empty() { SET_WITHOUT_NAME.to_owned() } else { set };
            let names = (set, text(row.get_ref(2)?));
            Ok(number(row, 1, "id", problems)?.map(|id| (id, names)))
        })?;
        let tracks: HashMap<i64, TrackNames> = tracks.into_iter().collect();
        let pairs = self.collect(map, bad, |row, problems| {
            let track = number(row, 1, "track", problems)?;
            let instance = number(row, 2, "instance", problems)?;
            let (Some(track), Some(instance)) = (track, instance) else { return Ok(None) };
            let Some(names) = tracks.get(&track) else {
                problems.push(format!("there is no track {track}"));
                return Ok(None);
            };
            if !instances.contains(&instance) {
                problems.push(format!("there is no instance {instance}"));
                return Ok(None);
            }
            Ok(Some((instance, names.clone())))
        })?;
        let mut places: HashMap<i64, Vec<TrackNames>> = HashMap::new();
        for (instance, names) in pairs {
            let places = places.entry(instance).or_default();
            if !places.contains(&names) {
                places.push(names);
            }
        }
        Ok(places)
    }

    /// Calls `visit` with one result after the other, in the order in which they were recorded: with
    /// the result, or with what is wrong with its row.
    pub(super) fn visit_results(
        &self,
        mut visit: impl FnMut(Result<ZaligvinderResult, BadResult>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let (_, sql) = TABLES[3];
        self.visit(sql, |row| {
            let result = result_of_row(row).map_err(|cause| StoreError::of(&self.path, cause))?;
            visit(result)
        })
    }

    pub(super) fn instances(
        &self,
        bad: &mut Vec<BadRow>,
    ) -> Result<Vec<ListedInstance>, StoreError> {
        let mut seen = HashSet::new();
        let first = bad.len();
        let mut named = HashMap::new();
        let listed = self.collect(TABLES[0], bad, |row, problems| {
            let name = text(row.get_ref(2)?);
            named.insert(row.get::<_, i64>(0)?, name.clone());
            let Some(id) = number(row, 1, "id", problems)? else { return Ok(None) };
            if name.is_empty() {
                problems.push("it has no name".to_owned());
                return Ok(None);
            }
            if !seen.insert(id) {
                problems.push(format!("there is another instance {id}"));
                return Ok(None);
            }
            let expected = truth(row.get_ref(4)?).unwrap_or_else(|found| {
                problems.push(format!("expected is {found}, no truth value; it is ignored"));
                None
            });
            Ok(Some(ListedInstance { id, name, file: text(row.get_ref(3)?), expected }))
        })?;
        for bad in &mut bad[first..] {
            bad.instance = named.remove(&bad.row).filter(|name| !name.is_empty());
        }
        Ok(listed)
    }
}

/// The bytes of a formula by the path that results from elsewhere give, or by the end of that path under
/// the folder.
pub fn find_formula(file: &str, folder: &Path) -> Option<Vec<u8>> {
    let path = Path::new(file);
    // Joining leaves an absolute path as it is.
    if let Some(bytes) = read_formula(&folder.join(path)) {
        return Some(bytes);
    }
    let parts: Vec<Component<'_>> =
        path.components().filter(|part| matches!(part, Component::Normal(_))).collect();
    let last = (parts.len() + 1).saturating_sub(MIN_PATH_PARTS);
    (0..last).find_map(|first| {
        let end: PathBuf = parts[first..].iter().collect();
        read_formula(&folder.join(end))
    })
}

/// A database from elsewhere names the path, so only what looks like a formula is read: it
/// must not bring other files of this machine, or devices, into the results.
fn read_formula(path: &Path) -> Option<Vec<u8>> {
    let ending = path.extension()?.to_str()?;
    if ending.starts_with("smt") && path.is_file() { std::fs::read(path).ok() } else { None }
}

/// A row of `Result` that cannot be imported.
pub(super) struct BadResult {
    pub row: i64,
    /// The instance that it is about.
    pub instance: Option<i64>,
    pub problem: String,
}

/// A result with unreadable values is left out and reported.
fn result_of_row(row: &Row<'_>) -> rusqlite::Result<Result<ZaligvinderResult, BadResult>> {
    let mut problems = Vec::new();
    let solver = text(row.get_ref(1)?);
    if solver.is_empty() {
        problems.push("it names no solver".to_owned());
    }
    let instance = number(row, 2, "instanceid", &mut problems)?;
    let mut truth_of = |column, name: &str| {
        row.get_ref(column).map(|value| {
            truth(value).unwrap_or_else(|found| {
                problems.push(format!("{name} is {found}, no truth value"));
                None
            })
        })
    };
    let timed_out = truth_of(3, "timeouted")?;
    let satisfiable = truth_of(4, "result")?;
    let verified = truth_of(8, "verified")?;
    let time = time_of(row.get_ref(5)?).unwrap_or_else(|found| {
        problems.push(format!("time is {found}, no number of milliseconds"));
        Duration::ZERO
    });
    let mut bytes = |column, name: &str| -> rusqlite::Result<Vec<u8>> {
        Ok(match row.get_ref(column)? {
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.to_vec(),
            ValueRef::Null => Vec::new(),
            other => {
                problems.push(format!("{name} is {}, no text", shown(other)));
                Vec::new()
            }
        })
    };
    let output = bytes(6, "output")?;
    let model = bytes(7, "model")?;
    let row = row.get(0)?;
    Ok(match instance {
        Some(instance) if problems.is_empty() => Ok(ZaligvinderResult {
            row,
            solver,
            instance,
            timed_out: timed_out == Some(true),
            satisfiable,
            time,
            output,
            model,
            verified,
        }),
        _ => Err(BadResult { row, instance, problem: problems.join("; ") }),
    })
}

/// Milliseconds, whole or not.
fn time_of(value: ValueRef<'_>) -> Result<Duration, String> {
    let milliseconds = match value {
        ValueRef::Integer(number) => number as f64,
        ValueRef::Real(number) => number,
        other => return Err(shown(other)),
    };
    // SQLite keeps microseconds in 63 bits.
    let time = Duration::try_from_secs_f64(milliseconds / 1000.0).map_err(|_| shown(value))?;
    if micros(time).is_none() { Err(shown(value)) } else { Ok(time) }
}

/// A number of a row, or a problem.
fn number(
    row: &Row<'_>,
    column: usize,
    name: &str,
    problems: &mut Vec<String>,
) -> rusqlite::Result<Option<i64>> {
    let value = row.get_ref(column)?;
    if let ValueRef::Integer(number) = value {
        return Ok(Some(number));
    }
    problems.push(format!("{name} is {}, no number of a row", shown(value)));
    Ok(None)
}

/// A truth value as Python writes it; `None` for NULL. Otherwise what was found.
fn truth(value: ValueRef<'_>) -> Result<Option<bool>, String> {
    match value {
        ValueRef::Integer(0) => Ok(Some(false)),
        ValueRef::Integer(1) => Ok(Some(true)),
        ValueRef::Null => Ok(None),
        other => Err(shown(other)),
    }
}

/// A value as it is shown in a message.
fn shown(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "NULL".to_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            let some: String = String::from_utf8_lossy(bytes).chars().take(40).collect();
            format!("{some:?}")
        }
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
