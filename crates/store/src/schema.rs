//! The tables and their versions.
//!
//! `user_version` counts the migrations that a file has seen. A change of the tables is a new file
//! in `migrations/`, appended to the list; those that are there are never edited.

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

/// What a file says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// There is nothing in it.
    Empty,
    /// It is ours, with tables of this version.
    Luthier(i64),
    /// It is a database of somebody else.
    Foreign,
}

/// Looks at the header only, in one transaction: another process may be making the tables.
pub(crate) fn kind(connection: &Connection) -> rusqlite::Result<Kind> {
    let transaction = connection.unchecked_transaction()?;
    let number = |pragma: &str| transaction.query_row(pragma, [], |row| row.get::<_, i64>(0));
    let application = number("PRAGMA application_id")?;
    let version = number("PRAGMA user_version")?;
    if application == APPLICATION_ID && version > 0 {
        return Ok(Kind::Luthier(version));
    }
    let tables = number("SELECT count(*) FROM sqlite_schema")?;
    Ok(if application == 0 && version == 0 && tables == 0 { Kind::Empty } else { Kind::Foreign })
}

/// Applies what the file has not seen, in one transaction. The version is read again under the
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

    use super::{APPLICATION_ID, Kind, kind, migrate};

    const FIRST: &str = "CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (1);";
    const SECOND: &str = "ALTER TABLE a ADD COLUMN y INTEGER; UPDATE a SET y = x + 1;";
    const BROKEN: &str = "UPDATE a SET y = 7; SELECT * FROM nothing;";

    #[test]
    fn migrations_are_applied_once_and_in_order() {
        let mut connection = Connection::open_in_memory().unwrap();
        assert_eq!(kind(&connection), Ok(Kind::Empty));
        migrate(&mut connection, &[FIRST]).unwrap();
        assert_eq!(kind(&connection), Ok(Kind::Luthier(1)));
        migrate(&mut connection, &[FIRST, SECOND]).unwrap();
        migrate(&mut connection, &[FIRST, SECOND]).unwrap();
        assert_eq!(kind(&connection), Ok(Kind::Luthier(2)));
        let y: i64 = connection.query_row("SELECT y FROM a", [], |row| row.get(0)).unwrap();
        assert_eq!(y, 2);
    }

    #[test]
    fn a_migration_that_fails_changes_nothing() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, &[FIRST, SECOND]).unwrap();
        assert!(migrate(&mut connection, &[FIRST, SECOND, BROKEN]).is_err());
        assert_eq!(kind(&connection), Ok(Kind::Luthier(2)));
        let y: i64 = connection.query_row("SELECT y FROM a", [], |row| row.get(0)).unwrap();
        assert_eq!(y, 2);
    }

    #[test]
    fn a_database_of_somebody_else_is_foreign() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE b (x)").unwrap();
        assert_eq!(kind(&connection), Ok(Kind::Foreign));
        connection.pragma_update(None, "user_version", 1).unwrap();
        assert_eq!(kind(&connection), Ok(Kind::Foreign));
        connection.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
        assert_eq!(kind(&connection), Ok(Kind::Luthier(1)));
    }
}
