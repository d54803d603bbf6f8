//! `luthier merge` and `luthier import`: results from elsewhere.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use crate::common::shop::{Shop, TWO, check_database};
use serde_json::Value;

/// Runs one solver into a database of its own.
fn database(shop: &Shop, solver: &str, name: &str, bench: &str) {
    let arguments = ["run", "--bench", bench, "--solver", solver, "--db", name];
    shop.luthier(&arguments).expect(0);
}

/// The only source in what a merge says.
fn source(record: &Value) -> [u64; 3] {
    assert_eq!(record["sources"].as_array().unwrap().len(), 1);
    let fields = ["runs_added", "runs_already_there", "runs_that_differ"];
    fields.map(|field| record["sources"][0][field].as_u64().unwrap())
}

#[test]
fn disjoint_databases_become_one() {
    let shop = Shop::with(TWO);
    shop.bench.write("other/b.smt2", TWO.replace('2', "3"));
    shop.solver("one", "echo sat");
    shop.solver("two", "echo unsat");
    database(&shop, "one", "1.db", "set");
    database(&shop, "two", "2.db", "other");
    let before = std::fs::read(shop.bench.path("1.db")).unwrap();
    let merged = shop.luthier(&["merge", "all.db", "1.db", "2.db"]).expect(0);
    assert!(merged.stdout.contains("1.db: 1 run added on 1 new instance, 0 already there"));
    assert!(merged.stdout.contains("2.db: 1 run added on 1 new instance, 0 already there"));
    assert_eq!(std::fs::read(shop.bench.path("1.db")).unwrap(), before, "sources stay");
    let rows = shop.rows_of("all.db");
    let keys: Vec<_> =
        rows.iter().map(|row| [&row["solver"], &row["set"], &row["total"]]).collect();
    let [one, two] = [["one", "set"], ["two", "other"]].map(|all| all.map(Value::from));
    let total = Value::from(1);
    assert_eq!(keys, [[&one[0], &one[1], &total], [&two[0], &two[1], &total]]);
    check_database(&shop.bench.path("all.db"));
    // A campaign goes on in the merged database.
    let arguments = ["run", "--bench", "set", "--solver", "one", "--db", "all.db", "--json"];
    let again = shop.luthier(&arguments).expect(0).json();
    assert_eq!((&again["made"], &again["recorded"]), (&0.into(), &1.into()));
}

#[test]
fn what_is_in_both_is_not_added_again_and_differences_are_told() {
    let shop = Shop::with(TWO);
    let go = shop.bench.path("changed");
    shop.solver("one", &format!("[ -e {} ] && echo unknown || echo sat", go.display()));
    database(&shop, "one", "1.db", "set");
    std::fs::copy(shop.bench.path("1.db"), shop.bench.path("copy.db")).unwrap();
    let same = shop.luthier(&["merge", "1.db", "copy.db", "--json"]).expect(0).json();
    assert_eq!(source(&same), [0, 1, 0]);
    // The same program that comes to something else.
    shop.bench.write("changed", "");
    database(&shop, "one", "2.db", "set");
    let differs = shop.luthier(&["merge", "1.db", "2.db", "--json"]).expect(3).json();
    assert_eq!(source(&differs)[0], 0);
    assert_eq!(source(&differs)[2], 1, "{differs}");
    assert_eq!(shop.rows_of("1.db")[0]["sat"], 1, "what was there stays");
    let text = shop.luthier(&["merge", "1.db", "2.db"]).expect(3);
    assert!(text.stderr.contains("1 run came out differently"), "{text:?}");
}

#[test]
fn what_cannot_be_merged_says_why_and_changes_nothing() {
    let shop = Shop::with(TWO);
    shop.solver("one", "echo sat");
    database(&shop, "one", "1.db", "set");
    std::os::unix::fs::symlink("1.db", shop.bench.path("alias.db")).unwrap();
    for (arguments, expected) in [
        (&["1.db", "1.db"][..], "1.db: cannot be merged into itself"),
        (&["1.db", "./1.db"], "cannot be merged into itself"),
        (&["1.db", "alias.db"], "cannot be merged into itself"),
        (&["1.db", "missing.db"], "missing.db: no such file"),
        (&["1.db", "set/a.smt2"], "set/a.smt2: is not a Luthier database"),
        (&["set/a.smt2", "1.db"], "set/a.smt2: is not a Luthier database"),
        (&["no/where.db", "1.db"], "the folder no is not there"),
    ] {
        let run = shop.luthier(&[&["merge"], arguments].concat()).expect(1);
        assert!(run.stderr.contains(expected), "{arguments:?}: {run:?}");
    }
    assert_eq!(std::fs::read_to_string(shop.bench.path("set/a.smt2")).unwrap(), TWO);
    assert_eq!(shop.rows_of("1.db")[0]["total"], 1);
    let fresh = shop.luthier(&["merge", "fresh.db", "missing.db"]).expect(1);
    assert!(!shop.bench.path("fresh.db").exists(), "made for nothing: {fresh:?}");
}

const ZALIGVINDER: &str = "
CREATE TABLE TrackInstance (id INTEGER PRIMARY KEY, name TEXT, filepath TEXT, expected BOOLEAN);
CREATE TABLE Track (id INTEGER PRIMARY KEY, name TEXT, bgroup TEXT);
CREATE TABLE TrackInstanceMap (track INTEGER, instance INTEGER);
CREATE TABLE Result (solver TEXT, instanceid INTEGER, smtcalls INTEGER, timeouted BOOLEAN,
    result BOOLEAN, time INTEGER, output TEXT, model TEXT, verified BOOLEAN);
INSERT INTO Track VALUES (1, 'one', 'group');
INSERT INTO TrackInstance VALUES (1, 'a.smt2', 'models/a.smt2', 1), (2, 'b.smt2', 'gone.smt2', NULL);
INSERT INTO TrackInstanceMap VALUES (1, 1), (1, 2);
INSERT INTO Result VALUES
    ('CVC4', 1, 0, 0, 1, 12, 'sat', '', NULL),
    ('Z3', 1, 0, 0, 0, 9, 'unsat', '', NULL),
    ('Z3', 2, 0, 1, NULL, 20003, '', '', NULL);
";

#[test]
fn a_database_of_zaligvinder_is_imported_once() {
    let shop = Shop::new();
    shop.bench.write("models/a.smt2", TWO);
    let path = shop.bench.path("old.db");
    rusqlite::Connection::open(&path).unwrap().execute_batch(ZALIGVINDER).unwrap();
    let before = std::fs::read(&path).unwrap();
    let arguments = ["import", "old.db", "--db", "results.db", "--json"];
    let first = shop.luthier(&arguments).expect(0);
    let json = first.json();
    assert_eq!((&json["runs_added"], &json["instances"]), (&3.into(), &2.into()), "{json}");
    assert_eq!(json["instances_without_file"], 1);
    let again = shop.luthier(&arguments).expect(0).json();
    assert_eq!((&again["runs_added"], &again["runs_already_there"]), (&0.into(), &3.into()));
    assert_eq!(std::fs::read(&path).unwrap(), before);
    shop.check_database();

    let z3 = shop.row("Z3 (ZaligVinder)");
    assert_eq!((&z3["unsat"], &z3["timeout"], &z3["total"]), (&1.into(), &1.into(), &2.into()));
    assert_eq!(shop.row("CVC4 (ZaligVinder)")["sat"], 1);
    // Nobody recorded an exit code, so none is shown.
    let ended = (1..=3).find(|run| shop.show(*run)["class"] == "sat").unwrap();
    assert_eq!(shop.show(ended)["ending"], "exit code not recorded");
    assert_eq!(shop.kinds(), ["disputed"], "what a file there says is no evidence");
    // The text of an instance that was not found is not made up.
    let lost = (1..=3).find(|run| shop.show(*run)["class"] == "timeout").unwrap().to_string();
    for part in ["--input", "--copy"] {
        let shown = shop.luthier(&["show", "results.db", &lost, part]).expect(3);
        assert!(shown.stderr.contains("not in the database"), "{shown:?}");
    }
    let text = shop.luthier(&["import", "old.db", "--db", "text.db"]).expect(0);
    assert!(
        text.stdout.contains("3 results of 2 solvers on 2 instances added to text.db"),
        "{text:?}"
    );
    assert!(text.stderr.contains("the files of 1 instance were not found"), "{text:?}");
}

#[test]
fn what_cannot_be_imported_says_why() {
    let shop = Shop::with(TWO);
    shop.solver("one", "echo sat");
    database(&shop, "one", "1.db", "set");
    shop.bench.write("empty.db", "");
    shop.bench.write("folder.db/a", "");
    let path = shop.bench.path("old.db");
    rusqlite::Connection::open(&path).unwrap().execute_batch(ZALIGVINDER).unwrap();
    let whole = std::fs::read(&path).unwrap();
    shop.bench.write("truncated.db", &whole[..whole.len() / 2]);
    for (file, expected) in [
        ("missing.db", "missing.db: no such file"),
        ("empty.db", "empty.db: is not a ZaligVinder database (no such table: TrackInstance"),
        ("folder.db", "folder.db: is a folder"),
        ("truncated.db", "truncated.db: is damaged"),
        ("/dev/zero", "/dev/zero: is not a regular file"),
        ("set/a.smt2", "set/a.smt2: is not a ZaligVinder database"),
        ("1.db", "1.db: is not a ZaligVinder database"),
    ] {
        let run = shop.luthier(&["import", file, "--db", "results.db"]).expect(1);
        assert!(run.stderr.contains(expected), "{run:?}");
        assert!(!shop.bench.path("results.db").exists(), "made for nothing: {run:?}");
    }
}

/// Five files with the same bytes, each with a result of its own: five runs, not twenty-five.
#[test]
fn scores_over_an_import_are_those_of_the_foreign_database() {
    let shop = Shop::new();
    let connection = rusqlite::Connection::open(shop.bench.path("old.db")).unwrap();
    let tables = ZALIGVINDER.split("INSERT").next().unwrap();
    connection.execute_batch(tables).unwrap();
    connection.execute_batch("INSERT INTO Track VALUES (1, 't', 'kaluza')").unwrap();
    for number in 1..=5 {
        shop.bench.write(&format!("models/kaluza/{number}.smt2"), TWO);
        let (result, model) = match number {
            1 => ("1", "(define-fun x () String \"ab\")"),
            2 => ("1", "(define-fun x () String \"abc\")"),
            3 => ("0", ""),
            _ => ("NULL", ""),
        };
        connection
            .execute_batch(&format!(
                "INSERT INTO TrackInstance VALUES
                     ({number}, '{number}.smt2', '/x/models/kaluza/{number}.smt2', 1);
                 INSERT INTO TrackInstanceMap VALUES (1, {number});
                 INSERT INTO Result VALUES
                     ('Z3', {number}, 0, {number} = 5, {result}, 7, 'x', '{model}', NULL);"
            ))
            .unwrap();
    }
    drop(connection);
    let arguments = ["import", "old.db", "--db", "results.db", "--json"];
    let first = shop.luthier(&arguments).expect(0).json();
    assert_eq!((&first["runs_added"], &first["models_checked"]), (&5.into(), &2.into()), "{first}");
    let row = shop.row("Z3 (ZaligVinder)");
    let counts = ["total", "sat", "unsat", "unknown", "timeout"].map(|field| row[field].clone());
    assert_eq!(counts, [5, 2, 1, 1, 1].map(Value::from), "{row}");
    // The referee has looked at the models: one of them is wrong.
    assert_eq!((&row["valid_model"], &row["invalid_model"]), (&1.into(), &1.into()), "{row}");
    let report = shop.luthier(&["report", "results.db", "--format", "json"]);
    assert!(report.stdout.contains("Z3"), "{report:?}");
    let again = shop.luthier(&arguments).expect(0).json();
    assert_eq!((&again["runs_added"], &again["runs_already_there"]), (&0.into(), &5.into()));
    assert_eq!(shop.row("Z3 (ZaligVinder)"), row);
}

#[test]
fn bad_rows_are_told_with_their_place() {
    let shop = Shop::new();
    let connection = rusqlite::Connection::open(shop.bench.path("old.db")).unwrap();
    connection.execute_batch(ZALIGVINDER).unwrap();
    connection.execute_batch("UPDATE Result SET time = 'soon' WHERE rowid = 2").unwrap();
    drop(connection);
    let run = shop.luthier(&["import", "old.db", "--db", "results.db"]).expect(3);
    let place = "old.db: table Result, row 2, instance \"a.smt2\": time is \"soon\"";
    assert!(run.stderr.contains(place), "{run:?}");
    assert!(run.stderr.contains("1 bad row, 1 result left out"), "{run:?}");
    assert!(run.stdout.contains("2 results of 2 solvers"), "{run:?}");
}
