//! `luthier eval`.

use crate::common::Bench;
use serde_json::json;

const SCRIPT: &str = "(declare-const x String)\n(declare-const n Int)\n(assert (! (= x \"ab\") :named first))\n(assert (= (str.len x) n))\n(check-sat)\n(exit)\n";

fn arguments<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["eval", "script.smt2", "--model", "model"], more].concat()
}

#[test]
fn every_assertion_is_shown_with_its_value() {
    let bench = Bench::with_model(SCRIPT, "((x \"ab\") (n 3))");
    let run = bench.run(&arguments(&[])).expect(0);
    let expected = "1  true       first: (= x \"ab\")\n2  false      (= (str.len x) n)\n";
    assert_eq!(run.stdout, expected);
    let run = bench.run(&arguments(&["--json"])).expect(0).json();
    assert_eq!(run["assertions"][0]["name"], "first");
    assert_eq!(run["assertions"][1]["number"], 2);
    assert_eq!(run["assertions"][1]["text"], "(= (str.len x) n)");
    assert_eq!(run["assertions"][1]["value"], "false");
    assert_eq!(run["terms"], json!([]));
}

#[test]
fn what_is_undecided_says_why_and_ends_with_3() {
    let bench = Bench::with_model(SCRIPT, "((x \"ab\"))");
    let run = bench.run(&arguments(&[])).expect(3);
    assert!(run.stdout.contains("2  undecided  (= (str.len x) n)\n"), "{run:?}");
    assert!(run.stdout.contains("because the model gives no value to `n`"), "{run:?}");
    let run = bench.run(&arguments(&["--json"])).expect(3).json();
    assert_eq!(run["assertions"][1]["value"], "undecided");
    assert_eq!(run["assertions"][1]["reasons"], json!(["the model gives no value to `n`"]));
}

#[test]
fn terms_are_read_with_the_names_of_the_script() {
    let bench = Bench::with_model(SCRIPT, "((x \"ab\") (n 2))");
    let terms = ["--term", "(str.++ x \"\\u{2603}\")", "--term", "(- n 5) ; less", "--term", "x"];
    let run = bench.run(&arguments(&terms)).expect(0);
    let tail = "(str.++ x \"\\u{2603}\") = \"ab\\u{2603}\"\n(- n 5) ; less = -3\nx = \"ab\"\n";
    assert!(run.stdout.ends_with(tail), "{run:?}");
    let run = bench.run(&arguments(&[&terms[..], &["--json"]].concat())).expect(0).json();
    assert_eq!(run["terms"][1]["value"], "-3");
    assert_eq!(run["terms"][2]["sort"], "String");
}

#[test]
fn terms_may_use_what_is_popped_after_the_last_query() {
    let script = "(push 1)\n(declare-const z String)\n(assert (= z \"q\"))\n(check-sat)\n(pop 1)\n";
    let bench = Bench::with_model(script, "((z \"q\"))");
    let run = bench.run(&arguments(&["--term", "(str.len z)"])).expect(0);
    assert!(run.stdout.ends_with("(str.len z) = 1\n"), "{run:?}");
}

#[test]
fn a_term_that_is_none_is_shown_with_its_fault() {
    let bench = Bench::with_model(SCRIPT, "((x \"ab\") (n 2))");
    for term in ["(str.len y)", "(str.len", "x))(assert (= n 2", "x n", "", ")", "\"open", "|open"]
    {
        let run = bench.run(&arguments(&["--term", "n", "--term", term])).expect(1);
        assert!(run.stdout.is_empty() && run.stderr.contains("--term"), "{term}: {run:?}");
    }
    let run = bench.run(&arguments(&["--term", "n", "--term", "(str.len y)"])).expect(1);
    assert!(run.stderr.contains("--term:1:10: error[unknown-symbol]:"), "{run:?}");
    assert!(run.stderr.contains("1 | (str.len y)\n"), "{run:?}");
}

#[test]
fn what_cannot_be_read_ends_with_3() {
    let bench = Bench::with_model(SCRIPT, "(error \"no model\")");
    let run = bench.run(&arguments(&[])).expect(3);
    assert!(run.stdout.is_empty() && run.stderr.contains("only an error of the solver"), "{run:?}");
    bench.write("model", "((x 3))");
    assert!(bench.run(&arguments(&[])).expect(3).stderr.contains("error[sort]:"));
    bench.write("script.smt2", "(assert (= x 3))");
    assert!(bench.run(&arguments(&[])).expect(3).stderr.contains("error[unknown-symbol]:"));
}

#[test]
fn backslashes_in_a_model_ask_for_its_dialect() {
    let bench = Bench::with_model(SCRIPT, "((x \"\\x41\") (n 2))");
    let run = bench.run(&arguments(&["--term", "(str.len x)"])).expect(0);
    assert!(run.stdout.ends_with("(str.len x) = 4\n"), "{run:?}");
    assert!(run.stderr.contains("--model-dialect"), "{run:?}");
    let options = ["--term", "(str.len x)", "--model-dialect", "z3-4.8.8"];
    let run = bench.run(&arguments(&options)).expect(0);
    assert!(run.stdout.ends_with("(str.len x) = 1\n") && run.stderr.is_empty(), "{run:?}");
}
