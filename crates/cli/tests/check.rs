//! `luthier check`, on models as real solvers print them.

use crate::common::{Bench, Run, deep_script};
use serde_json::json;

const CHECK: [&str; 4] = ["check", "script.smt2", "--model", "model"];

fn check(script: &str, model: &str) -> Run {
    Bench::with_model(script, model).run(&CHECK)
}

fn check_with(script: &str, model: &str, options: &[&str]) -> Run {
    Bench::with_model(script, model).run(&[&CHECK[..], options].concat())
}

const CONTROL: &str = "(declare-const x String)\n(assert (= (str.len x) 2))\n(assert (= (str.at x 1) \"\\u{1f}\"))\n(check-sat)\n(get-model)\n";

#[test]
fn a_model_of_z3_is_valid() {
    let model = "sat\n(\n  (define-fun x () String\n    \"a\\u{1f}\")\n)\n";
    let run = check(CONTROL, model).expect(0);
    assert_eq!(run.stdout, "valid: 2 assertions are true\n");
    let run = check_with(CONTROL, model, &["--json"]).expect(0).json();
    assert_eq!(run["result"], "valid");
    assert_eq!(run["failing"], json!([]));
    assert_eq!(run["checked"], 2);
    assert_eq!(run["model_dialect"], "2.7");
}

#[test]
fn escapes_of_old_z3_need_its_dialect() {
    let model = "sat\n(model \n  (define-fun x () String\n    \"a\\x1f\")\n)\n";
    check_with(CONTROL, model, &["--model-dialect", "z3-4.8.8"]).expect(0);
    check_with(CONTROL, model, &["--model-dialect", "z3"]).expect(2);
    // Without it both readings are tried, and they disagree.
    let run = check(CONTROL, model).expect(3);
    assert!(run.stdout.starts_with("unsupported:") && run.stdout.contains("release"), "{run:?}");
}

#[test]
fn values_of_cvc5_are_a_model() {
    let script = "(set-logic QF_SLIA)\n(declare-const x String)\n(declare-const n Int)\n(declare-const b Bool)\n(assert (= n (- (str.len x) 5)))\n(assert b)\n(check-sat)\n";
    let model = "sat\n((x \"ab\") (n (- 3)) (b true))\n";
    check(script, model).expect(0);
    check(script, "sat\n((x \"ab\"))\n((n (- 3)))\n((b true))\n").expect(0);
    // A value for a term, and a wrong one.
    check(script, "((x \"ab\") (n (- 3)) (b true) ((str.len x) 2))").expect(0);
    let run = check(script, "((x \"ab\") (n (- 3)) (b true) ((str.len x) 7))").expect(2);
    let expected = "invalid: (str.len x) is 2, not 7 as the solver says\n";
    assert_eq!(run.stdout, expected);
    let options = ["--json"];
    let run = check_with(script, "((x \"ab\") (n (- 3)) (b true) ((str.len x) 7))", &options);
    let json = run.expect(2).json();
    assert_eq!(
        json["wrong_values"],
        json!([{"term": "(str.len x)", "claimed": "7", "actual": "2"}])
    );
}

#[test]
fn a_wrong_model_is_invalid_with_place_and_trace() {
    let script = "(declare-const x String)\n(assert (= (str.len x) 1))\n\n(assert (! (= (str.indexof x \"0\" 0) 0) :named starts))\n(check-sat)\n";
    let run = check(script, "((x \"a\"))").expect(2);
    let expected = "invalid: assertion 2 `starts` at script.smt2:4:1 is false\n  \
                    (= (str.indexof x \"0\" 0) 0) = false\n    \
                    (str.indexof x \"0\" 0) = -1\n      \
                    x = \"a\"\n";
    assert_eq!(run.stdout, expected);
    let json = check_with(script, "((x \"a\"))", &["--json"]).expect(2).json();
    assert_eq!(json["result"], "invalid");
    let failing = &json["failing"][0];
    assert_eq!(failing["assertion"], 2);
    assert_eq!(failing["name"], "starts");
    assert_eq!(failing["text"], "(= (str.indexof x \"0\" 0) 0)");
    assert_eq!(failing["line"], 4);
    assert_eq!(failing["trace"][1], "  (str.indexof x \"0\" 0) = -1");
}

#[test]
fn of_many_false_assertions_only_some_are_explained_to_people() {
    let assertions: String = (2..32).map(|n| format!("(assert (= (str.len x) {n}))\n")).collect();
    let script = format!("(declare-const x String)\n{assertions}(check-sat)\n");
    let run = check(&script, "((x \"a\"))").expect(2);
    assert_eq!(run.stdout.matches("is false").count(), 10, "{run:?}");
    assert!(run.stdout.ends_with("invalid: 20 more assertions false; --json lists all of them\n"));
    let json = check_with(&script, "((x \"a\"))", &["--json"]).expect(2).json();
    assert_eq!(json["failing"].as_array().unwrap().len(), 30);
}

#[test]
fn an_incomplete_model_names_what_is_missing() {
    let script = "(declare-const x String)\n(declare-const y String)\n(assert (= x (str.++ y \"a\")))\n(check-sat)\n";
    let run = check(script, "((x \"a\"))").expect(3);
    assert!(run.stdout.starts_with("incomplete: no value for y\n"), "{run:?}");
    assert!(run.stdout.contains("it satisfies the script"), "{run:?}");
    let json = check_with(script, "((x \"ba\"))", &["--json"]).expect(3).json();
    assert_eq!(json["result"], "incomplete");
    assert_eq!(json["missing"], json!(["y"]));
    assert_eq!(json["default_completion"], false);
    // What is missing does not matter if an assertion is false anyway.
    let script = script.replace("(check-sat)", "(assert (= x \"c\"))\n(check-sat)");
    check(&script, "((x \"b\"))").expect(2);
}

#[test]
fn functions_may_be_definitions_lambdas_arrays_or_tables() {
    let script =
        "(declare-fun f (Int) Int)\n(assert (= (f 2) 5))\n(assert (= (f 7) 2))\n(check-sat)\n";
    for model in [
        "(model (define-fun f ((x!0 Int)) Int (ite (= x!0 2) 5 2)))",
        "sat\n((f (lambda ((a Int)) (ite (= a 2) 5 2))))",
        "sat\n((f (store ((as const (Array Int Int)) 2) 2 5)))",
    ] {
        check(script, model).expect(0);
    }
    check(script, "((f (store ((as const (Array Int Int)) 3) 2 5)))").expect(2);
    let script = "(declare-const a (Array Int Int))\n(assert (= (select a 2) 5))\n(assert (= (select a 0) 2))\n(check-sat)\n";
    for model in [
        "(model (define-fun a () (Array Int Int) (_ as-array k!0)) (define-fun k!0 ((x Int)) Int (ite (= x 2) 5 2)))",
        "(model (define-fun a () (Array Int Int) (store ((as const (Array Int Int)) 2) 2 5)))",
        "((a (store ((as const (Array Int Int)) 2) 2 5)))",
    ] {
        check(script, model).expect(0);
    }
}

#[test]
fn division_by_zero_is_what_the_model_says() {
    let script =
        "(declare-const x Int)\n(assert (= (div x 0) 7))\n(assert (= (mod x 0) 1))\n(check-sat)\n";
    let two = "(\n  (define-fun x () Int 3)\n  (define-fun div0 ((x!0 Int) (x!1 Int)) Int 7)\n  (define-fun mod0 ((x!0 Int) (x!1 Int)) Int (ite (= x!0 3) 1 0))\n)";
    check(script, two).expect(0);
    let one = "((define-fun x () Int 3) (define-fun div0 ((x!0 Int)) Int 7) (define-fun mod0 ((x!0 Int)) Int 0))";
    check(script, one).expect(2);
    let run = check_with(script, "((x 3))", &["--json"]).expect(3).json();
    assert_eq!(run["result"], "incomplete");
    assert_eq!(run["missing"], json!(["(div x 0)", "(mod x 0)"]));
}

#[test]
fn without_a_model_nothing_can_be_said() {
    for (model, reason) in [
        ("", "no model"),
        ("sat\n", "no model"),
        ("unsat\n(error \"line 5 column 10: model is not available\")\n", "model is not available"),
        ("(error \"out of memory\")", "out of memory"),
        ("sat\n(\n  (define-fun x () String\n", "could not be read"),
        ("((y \"a\"))", "could not be read"),
        ("((x 5))", "could not be read"),
        ("\u{0}\u{1}garbage", "could not be read"),
    ] {
        let run = check(CONTROL, model).expect(3);
        assert!(run.stdout.starts_with("unsupported: "), "{model:?}: {run:?}");
        assert!(run.stdout.contains(reason), "{model:?}: {run:?}");
        let json = check_with(CONTROL, model, &["--json"]).expect(3).json();
        assert_eq!(json["result"], "unsupported");
        assert!(json["reason"].as_str().unwrap().contains(reason));
    }
}

#[test]
fn a_script_that_cannot_be_read_is_unsupported() {
    let run = check_with("(assert (= x 1))", "()", &["--json"]).expect(3);
    assert!(run.stderr.contains("script.smt2:1:12: error[unknown-symbol]:"), "{run:?}");
    let json = run.json();
    assert_eq!(json["result"], "unsupported");
    assert!(json["reason"].as_str().unwrap().contains("script.smt2:1:12"));
}

#[test]
fn a_query_of_many_is_chosen_by_its_number() {
    let script = "(declare-const x String)\n(push 1)\n(assert (= x \"a\"))\n(check-sat)\n(pop 1)\n(push 1)\n(assert (= x \"b\"))\n(check-sat)\n(pop 1)\n(check-sat-assuming ((= x \"c\")))\n";
    check_with(script, "((x \"a\"))", &["--query", "1"]).expect(0);
    check_with(script, "((x \"b\"))", &["--query", "1"]).expect(2);
    check_with(script, "((x \"b\"))", &["--query", "2"]).expect(0);
    check(script, "((x \"c\"))").expect(0);
    let run = check(script, "((x \"b\"))").expect(2);
    assert!(run.stdout.starts_with("invalid: an assumption is false\n"), "{run:?}");
    for wrong in ["0", "4"] {
        let run = check_with(script, "((x \"b\"))", &["--query", wrong]).expect(1);
        assert!(run.stderr.contains("has 3 queries"), "{run:?}");
    }
}

#[test]
fn script_or_model_may_come_from_standard_input() {
    let bench = Bench::with_model(CONTROL, "((x \"a\\u{1f}\"))");
    bench.run_with_input(&["check", "script.smt2", "--model", "-"], "((x \"\"))").expect(2);
    bench.run_with_input(&["check", "-", "--model", "model"], CONTROL).expect(0);
}

#[test]
fn legacy_scripts_are_checked_by_what_they_mean() {
    let script = "(declare-const x String)\n(assert (str.in.re x (re.+ (str.to.re \"\\x41\"))))\n";
    check(script, "((x \"AA\"))").expect(0);
    check_with(script, "((x \"AA\"))", &["--dialect", "z3"]).expect(2);
}

#[test]
fn deep_terms_and_long_literals_are_checked() {
    let script = deep_script(100_000);
    check(&script, "((x \"\"))").expect(0);
    let run = check(&script, "((x \"a\"))").expect(2);
    assert!(run.stdout.len() < 100_000, "{}", run.stdout.len());
    let literal = "a".repeat(1_000_000);
    let script = format!(
        "(declare-const x String)\n(assert (= x \"{literal}\"))\n(assert (= (str.len x) 1000000))\n"
    );
    check(&script, &format!("((x \"{literal}\"))")).expect(0);
    let run = check(&script, &format!("((x \"{literal}a\"))")).expect(2);
    assert!(run.stdout.len() < 5000, "{}", run.stdout.len());
}
