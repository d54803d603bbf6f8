//! `docs/store.md` names every table and column of the schema.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use luthier_store::Store;

const DOCUMENT: &str = include_str!("../../../docs/store.md");

#[test]
fn every_table_view_and_column_is_documented() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    Store::open(&path).unwrap().close().unwrap();
    let connection = rusqlite::Connection::open(&path).unwrap();
    let mut statement = connection
        .prepare(
            "SELECT m.name, c.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c
             WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite%' ORDER BY 1, c.cid",
        )
        .unwrap();
    let columns: Vec<(String, String)> = statement
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    assert!(columns.len() > 80);
    for (table, column) in columns {
        // Every table has a section of its own, and its columns are named there.
        let heading = format!("### `{table}`");
        let start = DOCUMENT.find(&heading).unwrap_or_else(|| panic!("no section {heading}"));
        let section = &DOCUMENT[start + heading.len()..];
        let section = section.split("\n##").next().unwrap();
        assert!(section.contains(&format!("`{column}`")), "{table}.{column} is not documented");
    }
}

/// The examples in the document are run as they stand.
#[test]
fn the_example_queries_work() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    Store::open(&path).unwrap().close().unwrap();
    let connection = rusqlite::Connection::open(&path).unwrap();
    let examples: Vec<&str> =
        DOCUMENT.split("```sql\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(examples.len() >= 3);
    for example in examples {
        connection.execute_batch(example).unwrap_or_else(|error| panic!("{error} in {example}"));
    }
}
