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
fn without_a_solver_the_way_out_is_said() {
    let shop = Shop::new();
    let run = demo(&shop, &[]).expect(1);
    assert!(run.stderr.contains("there is no solver to run"), "{run:?}");
    assert!(run.stderr.contains("hint: connect to the network"), "{run:?}");
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
    let json = demo(&shop, &["--json"]).expect(0).json();
    assert_eq!(json["made"], 0, "the same command goes on");
    let row = &json["summary"][0];
    assert_eq!((&row["solver"], &row["set"]), (&"z3@4.0.0".into(), &"demo".into()));
    let count = |field: &str| row[field].as_u64().unwrap();
    assert!(count("wrong") > 0 && count("right") > 0, "{row}");
    assert!(count("malformed") > 0, "one answer is too few for several questions: {row}");
}
