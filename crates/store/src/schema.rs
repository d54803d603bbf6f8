//! The schema of the database and its versions.
//!
//! `user_version` counts the migrations that a file has seen. A change of the tables is a new file
//! in `migrations/`, appended to the list; existing migrations are never edited. Before a file is used,
//! its tables, views, indices and triggers are compared with what the migrations create, because a
//! file from elsewhere may contain a recursive view or a trigger.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use rusqlite::{Connection, TransactionBehavior};

/// Written into the header of every database of ours: `LUTH`.
pub(crate) const APPLICATION_ID: i64 = 0x4C55_5448;

/// What was done to the tables, in order.
pub(crate) const MIGRATIONS: &[&str] = &[
    include_str!("migrations/001.sql"),
    include_str!("migrations/002.sql"),
    include_str!("migrations/003.sql"),
];

/// Since this version, instances have features and changes are counted.
pub(crate) const WITH_FEATURES: i64 = 2;

/// Since this version, configurations have the path of their program, places have labels, and a
/// run may belong to some places of its instance only.
pub(crate) const WITH_LABELS: i64 = 3;

/// The version that this program reads and writes.
pub(crate) fn known_version() -> i64 {
    version_after(MIGRATIONS)
}

/// What the header of a file identifies it as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// There is nothing in it.
    Empty,
    /// It is ours, with tables of this version.
    Luthier(i64),
    /// It is a database of another program.
    Foreign,
}

/// Looks at the header only, in one transaction: another process may be making the tables.
pub(crate) fn kind(connection: &Connection) -> rusqlite::Result<FileKind> {
    let transaction = connection.unchecked_transaction()?;
    let number = |pragma: &str| transaction.query_row(pragma, [], |row| row.get::<_, i64>(0));
    let application = number("PRAGMA application_id")?;
    let version = number("PRAGMA user_version")?;
    if application == APPLICATION_ID && version > 0 {
        return Ok(FileKind::Luthier(version));
    }
    let tables = number("SELECT count(*) FROM sqlite_schema")?;
    Ok(if application == 0 && version == 0 && tables == 0 {
        FileKind::Empty
    } else {
        FileKind::Foreign
    })
}

/// Why the tables of a file cannot be used.
pub(crate) enum SchemaError {
    /// They are not those that the migrations make.
    Schema(String),
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for SchemaError {
    fn from(cause: rusqlite::Error) -> Self {
        Self::Sqlite(cause)
    }
}

/// What a schema is made of: kind, name, and the text that defines it.
type Definitions = BTreeMap<(String, String), String>;

/// Checks that the file has the tables, views, indices and triggers of its version, each with its
/// own definition: a view in the place of a table can be an endless recursion, a trigger can write
/// what was never requested. People may add tables, views and indices of their own, which are never
/// read here; triggers they may not.
///
/// In one transaction, since another process may be bringing the tables up to date.
pub(crate) fn check(connection: &Connection) -> Result<(), SchemaError> {
    let transaction = connection.unchecked_transaction()?;
    let version: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let seen = usize::try_from(version).unwrap_or(usize::MAX);
    let seen = seen.min(MIGRATIONS.len());
    let expected = expected_definitions(seen)?;
    let found = definitions(&transaction)?;
    let unexpected = |detail: String| Err(SchemaError::Schema(detail));
    for ((kind, name), sql) in expected {
        match found.get(&(kind.clone(), name.clone())) {
            None => return unexpected(format!("the {kind} {name} is missing")),
            Some(other) if other != sql => {
                return unexpected(format!("the {kind} {name} is defined in another way"));
            }
            Some(_) => {}
        }
    }
    let added = found.keys().find(|key| key.0 == "trigger" && !expected.contains_key(*key));
    match added {
        Some((_, name)) => unexpected(format!("it has a trigger {name}")),
        None => Ok(transaction.commit()?),
    }
}

/// The definitions after this many migrations, computed by SQLite itself, once.
fn expected_definitions(version: usize) -> rusqlite::Result<&'static Definitions> {
    static EXPECTED: [OnceLock<Definitions>; MIGRATIONS.len() + 1] =
        [const { OnceLock::new() }; MIGRATIONS.len() + 1];
    let expected = &EXPECTED[version];
    if let Some(known) = expected.get() {
        return Ok(known);
    }
    let mut connection = Connection::open_in_memory()?;
    connection.execute_batch("PRAGMA foreign_keys = OFF")?;
    migrate(&mut connection, &MIGRATIONS[..version])?;
    let found = definitions(&connection)?;
    Ok(expected.get_or_init(|| found))
}

fn definitions(connection: &Connection) -> rusqlite::Result<Definitions> {
    let mut statement = connection.prepare(
        "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'",
    )?;
    let rows = statement.query_map([], |row| {
        let sql: Option<String> = row.get(2)?;
        // White space and quotes of names depend on who wrote them.
        let words: Vec<&str> = sql.as_deref().unwrap_or_default().split_whitespace().collect();
        Ok(((row.get(0)?, row.get(1)?), words.join(" ").replace('"', "")))
    })?;
    rows.collect()
}

/// Applies the migrations that the file has not seen, in one transaction. The version is read again under the
/// lock, because two processes may make the same database at the same time.
///
/// Foreign keys must be off: a migration builds tables anew to which others refer.
pub(crate) fn migrate(connection: &mut Connection, migrations: &[&str]) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let seen: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let missing = migrations.get(usize::try_from(seen).unwrap_or(0)..).unwrap_or_default();
    for migration in missing {
        transaction.execute_batch(migration)?;
    }
    if !missing.is_empty() {
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", version_after(migrations))?;
    }
    transaction.commit()
}

fn version_after(migrations: &[&str]) -> i64 {
    i64::try_from(migrations.len()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::{APPLICATION_ID, FileKind, MIGRATIONS, SchemaError, check, kind, migrate};

    const FIRST: &str = "CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (1);";
    const SECOND: &str = "ALTER TABLE a ADD COLUMN y INTEGER; UPDATE a SET y = x + 1;";
    const BROKEN: &str = "UPDATE a SET y = 7; SELECT * FROM nothing;";

    #[test]
    fn migrations_are_applied_once_and_in_order() {
        let mut connection = Connection::open_in_memory().unwrap();
        assert_eq!(kind(&connection), Ok(FileKind::Empty));
        migrate(&mut connection, &[FIRST]).unwrap();
        assert_eq!(kind(&connection), Ok(FileKind::Luthier(1)));
        migrate(&mut connection, &[FIRST, SECOND]).unwrap();
        migrate(&mut connection, &[FIRST, SECOND]).unwrap();
        assert_eq!(kind(&connection), Ok(FileKind::Luthier(2)));
        let y: i64 = connection.query_row("SELECT y FROM a", [], |row| row.get(0)).unwrap();
        assert_eq!(y, 2);
    }

    #[test]
    fn a_migration_that_fails_changes_nothing() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, &[FIRST, SECOND]).unwrap();
        assert!(migrate(&mut connection, &[FIRST, SECOND, BROKEN]).is_err());
        assert_eq!(kind(&connection), Ok(FileKind::Luthier(2)));
        let y: i64 = connection.query_row("SELECT y FROM a", [], |row| row.get(0)).unwrap();
        assert_eq!(y, 2);
    }

    #[test]
    fn tables_that_are_something_else_are_refused() {
        let changes = [
            ("", None),
            ("CREATE TABLE notes (x); CREATE VIEW mine AS SELECT 1; ANALYZE;", None),
            ("CREATE INDEX of_mine ON run (class)", None),
            ("DROP TABLE opinion", Some("the table opinion is missing")),
            ("DROP INDEX member_by_track", Some("the index member_by_track is missing")),
            (
                "DROP TABLE opinion; CREATE VIEW opinion AS
                 WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n",
                Some("the table opinion is missing"),
            ),
            ("ALTER TABLE run ADD COLUMN y TEXT", Some("the table run is defined in another way")),
            (
                "CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM run; END",
                Some("it has a trigger t"),
            ),
        ];
        for version in 1..=MIGRATIONS.len() {
            for (change, expected) in &changes {
                let mut connection = Connection::open_in_memory().unwrap();
                migrate(&mut connection, &MIGRATIONS[..version]).unwrap();
                connection.execute_batch(change).unwrap();
                let found = match check(&connection) {
                    Ok(()) => None,
                    Err(SchemaError::Schema(detail)) => Some(detail),
                    Err(SchemaError::Sqlite(cause)) => panic!("{cause}"),
                };
                assert_eq!(found.as_deref(), *expected, "{change} in version {version}");
            }
        }
    }

    #[test]
    fn a_database_of_somebody_else_is_foreign() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE b (x)").unwrap();
        assert_eq!(kind(&connection), Ok(FileKind::Foreign));
        connection.pragma_update(None, "user_version", 1).unwrap();
        assert_eq!(kind(&connection), Ok(FileKind::Foreign));
        connection.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
        assert_eq!(kind(&connection), Ok(FileKind::Luthier(1)));
    }
}
