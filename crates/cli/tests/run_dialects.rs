//! Every solver gets the same question in its own dialect; and a real release, all the way.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::fs;

use crate::common::shop::{Shop, TWO, classes, finish};

/// Keeps what it was asked in a file.
const KEEPER: &str = "cat > \"$0.asked\"; echo sat";

fn asked(shop: &Shop, solver: &str) -> String {
    fs::read_to_string(shop.bench.path(&format!("bin/{solver}.asked"))).unwrap()
}

const OLD: &str = "(set-info :smt-lib-version 2.5)\n(set-option :strings-exp true)\n\
                   (set-logic QF_S)\n(declare-const x String)\n\
                   (assert (= (str.to.int x) 1))\n\
                   (assert (str.in.re x (re.+ (str.to.re \"\\x41\"))))\n(check-sat)\n(get-value (x))\n";

#[test]
fn an_old_instance_arrives_in_standard_names() {
    let shop = Shop::with(OLD);
    shop.solver("new", KEEPER);
    shop.describe("old", "z3-4.8.8", "old");
    shop.program("old", KEEPER);
    shop.run(&["new", "old"], &[]).expect(0);
    let new = asked(&shop, "new");
    for expected in ["(str.to_int x)", "str.in_re", "str.to_re", "\"A\"", "(get-model)"] {
        assert!(new.contains(expected), "{expected}: {new}");
    }
    for left_out in ["strings-exp", "get-value", "str.to.int"] {
        assert!(!new.contains(left_out), "{left_out}: {new}");
    }
    assert!(asked(&shop, "old").contains("(str.to.int x)"), "{}", asked(&shop, "old"));
    // `show --copy` is what the solver got, byte for byte.
    for solver in ["new", "old"] {
        let run = shop.run_of(solver)["run"].to_string();
        let copy = shop.luthier(&["show", "results.db", &run, "--copy"]).expect(0).stdout;
        assert_eq!(copy, asked(&shop, solver));
    }
}

#[test]
fn a_dialect_that_is_named_overrides_the_detected_one() {
    let text =
        "(set-logic QF_S)\n(declare-const x String)\n(assert (= x \"\\x41\"))\n(check-sat)\n";
    let shop = Shop::with(text);
    shop.solver("new", KEEPER);
    shop.run(&["new"], &["--dialect", "2.6"]).expect(0);
    // In 2.6 the backslash is a character like any other.
    let standard = asked(&shop, "new");
    assert!(standard.contains("x41") && !standard.contains("\"A\""), "{standard}");
    shop.run(&["new"], &["--dialect", "2.5", "--db", "old.db"]).expect(0);
    let old = asked(&shop, "new");
    assert!(old.contains("\"A\""), "{old}");
    // In one database they are two questions with answers of their own.
    let both = shop.run(&["new"], &["--dialect", "2.5", "--json"]).expect(0).json();
    assert_eq!((&both["made"], &both["recorded"]), (&1.into(), &0.into()), "{both}");
    let dialects: Vec<_> = (1..=2).map(|run| shop.show(run)["dialect"].clone()).collect();
    assert_eq!(dialects, ["2.6", "2.5"]);
}

#[test]
fn what_a_release_cannot_express_is_unsupported_without_being_started() {
    let text = "(set-logic QF_S)\n(declare-const x String)\n\
                (assert (str.in_re x (re.comp (str.to_re \"a\"))))\n\
                (assert (= x (str.replace_re_all x (str.to_re \"a\") \"b\")))\n(check-sat)\n";
    let shop = Shop::with(text);
    shop.describe("old", "z3-4.6.0", "old");
    shop.program("old", KEEPER);
    shop.run(&["old"], &[]).expect(0);
    let row = shop.row("old");
    assert_eq!(classes(&row), "unsupported 1");
    let run = shop.run_of("old");
    assert!(run["ending"].as_str().unwrap().starts_with("not expressible: "), "{run}");
    assert!(!shop.bench.path("bin/old.asked").exists(), "it was started");
    shop.luthier(&["show", "results.db", "1", "--copy"]).expect(3);
}

#[test]
fn models_are_read_in_the_dialect_of_the_solver() {
    let text =
        "(set-logic QF_S)\n(declare-const x String)\n(assert (= x \"\\u{e9}\"))\n(check-sat)\n";
    let shop = Shop::with(text);
    shop.describe("old", "z3-4.8.8", "old");
    shop.program("old", "echo sat; echo '((define-fun x () String \"\\xe9\"))'");
    shop.solver("new", "echo sat; echo '((define-fun x () String \"\\u{e9}\"))'");
    shop.solver("confused", "echo sat; echo '((define-fun x () String \"\\xe9\"))'");
    shop.run(&["old", "new", "confused"], &[]).expect(2);
    let valid = ["old", "new", "confused"].map(|solver| shop.row(solver)["valid_model"].clone());
    assert_eq!(valid, [1, 1, 0]);
}

/// Fetches a release with pip once for all test runs of this build folder.
#[test]
fn a_real_release_solves_the_suite_and_is_judged() {
    let shop = Shop::with(TWO);
    let cache = format!("{}/cache", env!("CARGO_TARGET_TMPDIR"));
    let luthier = |arguments: &[&str]| {
        let mut command = shop.command(arguments);
        command.env("XDG_CACHE_HOME", &cache);
        finish(command)
    };
    let run = [
        "run",
        "--install",
        "--suite",
        "demo",
        "--bench",
        "set",
        "--solver",
        "cvc4@1.6",
        "--timeout",
        "10s",
        "--db",
        "results.db",
        "--json",
    ];
    let first = luthier(&run);
    assert!([0, 2].contains(&first.code), "{first:?}");
    let json = first.json();
    assert_eq!(json["faulty_instances"], serde_json::json!([]));
    assert_eq!(json["made"], json["runs"]);
    let rows = shop.rows();
    assert_eq!(rows.len(), 2);
    for row in &rows {
        assert_eq!(row["solver"], "cvc4@1.6");
        assert_eq!(row["framework_error"], 0, "{row}");
        assert!(row["sat"].as_u64().unwrap() > 0, "{row}");
        assert!(row["valid_model"].as_u64().unwrap() > 0, "{row}");
        assert!(row["cpu_seconds"].as_f64().unwrap() > 0.0, "{row}");
    }
    let again = luthier(&run).json();
    assert_eq!((&again["made"], &again["recorded"]), (&0.into(), &json["runs"]));
    shop.check_database();
}
