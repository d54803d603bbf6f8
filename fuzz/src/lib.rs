//! Databases for the fuzz targets: a sound one, made by our own code, and what an input makes of it.
//!
//! Random bytes are no database, so an input is a list of changes. The first byte says of which
//! kind. `P`: bytes of the file are replaced, three bytes for the offset and one for the value;
//! this damages pages. Otherwise: values of rows are replaced, or rows removed, with all checks
//! of SQLite off; this makes rows that no program of ours would write. A change is a table, a
//! column, a row, the kind of the value, its length, and its bytes.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use luthier_records::{
    Bytes, Campaign, Captured, Class, Configuration, CoreFinding, CoreOutcome, Cores, CpuTime,
    Digest, Ending, Features, Instance, Label, Machine, Measured, ModelFinding, ModelOutcome,
    Opinion, Query, Run, RunAnswer, RunLimits, Text, Timestamp, Verdict, WallTime,
};
use luthier_store::{NewRun, Store, StoreError};
use rusqlite::Connection;
use rusqlite::types::Value;

/// Words that mean something in some column.
const WORDS: [&str; 12] = [
    "sat",
    "unsat",
    "unknown",
    "exited",
    "lost",
    "unrecorded",
    "zstd",
    "raw",
    "[]",
    "[1]",
    "{}",
    "[\"a\"]",
];

/// A folder in memory if there is one, which is removed at the end of the process.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    FOLDER
        .get_or_init(|| {
            tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder")
        })
        .path()
}

/// A path in the folder at which nothing is.
pub fn fresh(name: &str) -> PathBuf {
    let path = folder().join(name);
    for ending in ["", "-wal", "-shm", "-journal"] {
        let _ = std::fs::remove_file(folder().join(format!("{name}{ending}")));
    }
    path
}

/// A database of ours, changed by the input.
pub fn ours(input: &[u8]) -> PathBuf {
    static SOUND: OnceLock<Vec<u8>> = OnceLock::new();
    let sound = SOUND.get_or_init(|| {
        let path = fresh("sound.db");
        fill(&path).expect("a sound database");
        std::fs::read(path).expect("a file")
    });
    changed(sound, input, "ours.db")
}

/// A database of ZaligVinder, changed by the input.
pub fn theirs(input: &[u8]) -> PathBuf {
    static SOUND: OnceLock<Vec<u8>> = OnceLock::new();
    let sound = SOUND.get_or_init(|| {
        let path = fresh("sound.db");
        let connection = Connection::open(&path).expect("a database");
        connection.execute_batch(ZALIGVINDER).expect("statements");
        drop(connection);
        std::fs::read(path).expect("a file")
    });
    changed(sound, input, "theirs.db")
}

/// Reads everything that there is, as the commands do.
pub fn read_everything(store: &Store) -> Result<(), StoreError> {
    store.campaigns()?;
    store.configurations()?;
    store.sets()?;
    store.tracks()?;
    store.mark()?;
    store.member_counts()?;
    store.visit_instances(|found| -> Result<(), StoreError> {
        store.text(found.instance.digest)?;
        for run in &found.runs {
            store.outputs(run.id)?;
            store.run(run.id)?;
        }
        Ok(())
    })
}

/// How many runs there are.
pub fn runs(store: &Store) -> usize {
    let mut runs = 0;
    let _ = store.visit_instances(|found| -> Result<(), StoreError> {
        runs += found.runs.len();
        Ok(())
    });
    runs
}

pub fn campaign() -> Campaign {
    Campaign {
        id: "fuzz".to_owned(),
        started: Timestamp(1),
        luthier_version: "0".to_owned(),
        command_line: vec!["luthier".to_owned()],
        experiment: String::new(),
        machine: Machine::default(),
        jobs: 1,
    }
}

fn changed(sound: &[u8], input: &[u8], name: &str) -> PathBuf {
    let path = fresh(name);
    if let [b'P', patches @ ..] = input {
        let mut bytes = sound.to_vec();
        for patch in patches.chunks_exact(4) {
            let offset = u32::from_be_bytes([0, patch[0], patch[1], patch[2]]) as usize;
            let length = bytes.len();
            bytes[offset % length] = patch[3];
        }
        std::fs::write(&path, bytes).expect("a file");
        return path;
    }
    std::fs::write(&path, sound).expect("a file");
    let connection = Connection::open(&path).expect("a database");
    connection
        .execute_batch(
            "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;
             PRAGMA synchronous = OFF;",
        )
        .expect("pragmas");
    let columns = columns(&connection);
    let mut rest = input;
    while let [table, row, kind, length, more @ ..] = rest {
        let (table, column) = &columns[usize::from(*table) % columns.len()];
        let length = usize::from(*length % 64).min(more.len());
        let (bytes, after) = more.split_at(length);
        rest = after;
        let here = format!(
            "WHERE \"{column}\" IS (SELECT \"{column}\" FROM \"{table}\" LIMIT 1 OFFSET {row})"
        );
        let mut eight = [0; 8];
        let used = length.min(8);
        eight[8 - used..].copy_from_slice(&bytes[..used]);
        let number = i64::from_be_bytes(eight);
        let value = match kind % 8 {
            0 => Value::Null,
            1 => Value::Integer(number),
            2 => Value::Integer(number.wrapping_neg()),
            3 => Value::Real(f64::from_bits(number.cast_unsigned())),
            4 => Value::Text(WORDS[number.unsigned_abs() as usize % WORDS.len()].to_owned()),
            5 => Value::Text(String::from_utf8_lossy(bytes).into_owned()),
            6 => Value::Blob(bytes.to_vec()),
            _ => {
                let _ = connection.execute(&format!("DELETE FROM \"{table}\" {here}"), []);
                continue;
            }
        };
        // What SQLite itself refuses is no database that anybody could send.
        let _ = connection
            .execute(&format!("UPDATE \"{table}\" SET \"{column}\" = ?1 {here}"), [value]);
    }
    path
}

/// All columns of all tables.
fn columns(connection: &Connection) -> Vec<(String, String)> {
    let mut statement = connection
        .prepare(
            "SELECT m.name, c.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c
             WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' ORDER BY 1, 2",
        )
        .expect("a query");
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("rows");
    rows.map(|row| row.expect("a row")).collect()
}

const ZALIGVINDER: &str = "
CREATE TABLE TrackInstance (id INTEGER PRIMARY KEY, name TEXT, filepath TEXT, expected BOOLEAN);
CREATE TABLE Track (id INTEGER PRIMARY KEY, name TEXT, bgroup TEXT);
CREATE TABLE TrackInstanceMap (track INTEGER, instance INTEGER);
CREATE TABLE Result (solver TEXT, instanceid INTEGER, smtcalls INTEGER, timeouted BOOLEAN,
    result BOOLEAN, time INTEGER, output TEXT, model TEXT, verified BOOLEAN);
INSERT INTO Track VALUES (1, 'one', 'set'), (2, 'two', 'set');
INSERT INTO TrackInstance VALUES (1, 'a.smt', 'x/a.smt', 1), (2, 'b.smt', 'x/b.smt', NULL);
INSERT INTO TrackInstanceMap VALUES (1, 1), (2, 2), (2, 1);
INSERT INTO Result VALUES
    ('CVC4', 1, 0, 0, 1, 12, 'sat', '(define-fun x () String \"\")', 1),
    ('Z3', 1, 0, 0, 0, 15, 'unsat', '', NULL),
    ('Z3', 2, 0, 1, NULL, 20001, '', '', NULL),
    ('Z3', 2, 0, 1, NULL, 20001, '', '', NULL);
";

/// Something in every table, in pages as small as SQLite has them.
fn fill(path: &Path) -> Result<(), StoreError> {
    Connection::open(path)
        .and_then(|connection| connection.execute_batch("PRAGMA page_size = 512; VACUUM;"))
        .expect("an empty database");
    let mut store = Store::open(path)?;
    let by = store.add_campaign(&campaign())?;
    let who = store.add_configuration(&configuration())?;
    let set = store.add_set("set", true)?;
    let track = store.add_track(set, "t")?;
    for text in ["(check-sat)", "(assert true)(check-sat)"] {
        let what = store.add_instance(&instance(text), text.as_bytes())?;
        store.add_member(track, what, text)?;
        store.add_label(
            track,
            what,
            text,
            &Label { verdict: Verdict::Sat, source: "paper".to_owned() },
        )?;
        for repetition in 0..2 {
            let run = run(repetition);
            store.add_runs(by, &[NewRun { configuration: who, instance: what, run: &run }])?;
        }
    }
    store.close()
}

fn configuration() -> Configuration {
    Configuration {
        name: "z3".to_owned(),
        solver: "z3".to_owned(),
        family: "z3".to_owned(),
        version: Some("1".to_owned()),
        program: Some("/bin/z3".to_owned()),
        program_digest: Digest::of(b"z3"),
        arguments: vec!["{file}".to_owned()],
        script_lines: Vec::new(),
        dialect: "z3".to_owned(),
        seed: Some(7),
        models: true,
        cores: Cores::Always,
        limits: RunLimits {
            cpu: CpuTime(Duration::from_secs(1)),
            wall: WallTime(Duration::from_secs(2)),
            memory: Bytes(u64::MAX),
            output: Bytes(1 << 20),
        },
        not_asked: Vec::new(),
    }
}

fn instance(text: &str) -> Instance {
    let core = Some(vec![Text::from("a"), Text::from(b"\xff".as_slice())]);
    Instance {
        digest: Digest::of(text.as_bytes()),
        dialect: "standard".to_owned(),
        dialect_reason: "as said".to_owned(),
        size: Bytes(text.len() as u64),
        queries: vec![Query {
            planted: Some(Verdict::Unsat),
            planted_core: core,
            status: Some(Verdict::Unsat),
        }],
        fault: None,
        features: Some(Features::default()),
    }
}

fn run(repetition: u32) -> Run {
    Run {
        repetition,
        started: Timestamp(1),
        ending: Ending::Exited(0),
        class: Class::Sat,
        measured: Measured::default(),
        stdout: Captured { bytes: b"sat\n".repeat(40), cut: false },
        stderr: Captured { bytes: b"warning".to_vec(), cut: true },
        answers: vec![RunAnswer {
            verdict: Verdict::Sat,
            class: Class::Sat,
            reason_unknown: Some(Text::from("x")),
            model: Some(ModelFinding { outcome: ModelOutcome::Valid, detail: None }),
            core: Some(CoreFinding { outcome: CoreOutcome::Larger, size: 1, detail: None }),
            opinions: vec![Opinion { by: "cvc5".to_owned(), class: Class::Sat }],
        }],
        conversion: vec!["note".to_owned()],
        core: Some(1),
        load: Some(0.5),
    }
}
