//! `luthier demo` without a network.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use crate::common::Run;
use crate::common::shop::{Shop, finish};

/// With nothing on the search path but our own programs.
fn demo(shop: &Shop, more: &[&str]) -> Run {
    let mut command = shop.command(&[&["demo", "--offline"], more].concat());
    command.env("PATH", shop.bench.path("bin"));
    finish(command)
}

#[test]
fn without_any_solver_our_own_is_run_and_that_is_said() {
    let shop = Shop::new();
    let run = demo(&shop, &[]).expect(0);
    assert!(run.stderr.contains("Luthier's own solver is run"), "{run:?}");
    assert!(run.stderr.contains("luthier serve luthier-demo.db"), "{run:?}");
    assert!(run.stdout.contains("solved") && !run.stdout.contains("WRONG ANSWERS"), "{run:?}");
    let json = demo(&shop, &["--json"]).expect(0).json();
    assert_eq!(json["made"], 0, "the same command goes on");
    let rows = json["summary"].as_array().unwrap();
    assert_eq!(rows.len(), 1, "{json}");
    let row = &rows[0];
    assert!(row["solver"].as_str().unwrap().starts_with("luthier@"), "{row}");
    let count = |field: &str| row[field].as_u64().unwrap();
    assert_eq!((count("wrong"), count("invalid_model"), count("framework_error")), (0, 0, 0));
    assert!(count("right") > 0 && count("valid_model") > 0, "{row}");
}

/// There is neither a network nor a Python that could fetch something.
#[test]
fn what_cannot_be_fetched_hints_to_the_offline_demo() {
    let shop = Shop::new();
    let mut command = shop.command(&["demo"]);
    command.env("PATH", shop.bench.path("bin"));
    let run = finish(command).expect(1);
    assert!(run.stderr.contains("there is no solver to run"), "{run:?}");
    assert!(run.stderr.contains("demo --offline` runs Luthier's own solver"), "{run:?}");
    assert!(!shop.bench.path("luthier-demo.db").exists());
}

#[test]
fn a_solver_on_the_search_path_is_caught_with_wrong_answers() {
    let shop = Shop::new();
    let script = "case \"$1\" in --version) echo Z3 version 4.0.0;; *) echo unsat;; esac";
    shop.program("z3", script);
    let run = demo(&shop, &[]).expect(0);
    assert!(run.stdout.contains("WRONG ANSWERS: "), "{run:?}");
    assert!(run.stderr.contains("look further"), "{run:?}");
    assert!(run.stderr.contains("serve luthier-demo.db"), "{run:?}");
    let json = demo(&shop, &["--json"]).expect(0).json();
    assert_eq!(json["made"], 0, "the same command goes on");
    let row = &json["summary"][0];
    assert_eq!((&row["solver"], &row["set"]), (&"z3@4.0.0".into(), &"demo".into()));
    let count = |field: &str| row[field].as_u64().unwrap();
    assert!(count("wrong") > 0 && count("right") > 0, "{row}");
    assert!(count("malformed") > 0, "one answer is too few for several questions: {row}");
}
