//! `luthier solve`.

mod common;

use common::Bench;

fn solve(script: &str, more: &[&str], code: i32) -> common::Run {
    let bench = Bench::new();
    bench.write("script.smt2", script);
    bench.run(&[&["solve", "script.smt2"], more].concat()).expect(code)
}

#[test]
fn a_model_is_printed_and_passes_the_check() {
    let bench = Bench::new();
    let script = "(declare-const x String)\n(declare-const n Int)\n\
                  (assert (= (str.substr x 2 n) \"ab\"))\n(assert (= n 2))\n(check-sat)\n";
    bench.write("script.smt2", format!("{script}(get-model)\n(get-value ((str.len x) n))\n"));
    let run = bench.run(&["solve", "script.smt2"]).expect(0);
    assert!(run.stdout.starts_with("sat\n(\n  (define-fun x () String \""), "{run:?}");
    assert!(run.stdout.contains("  (define-fun n () Int 2)\n)\n(((str.len x) "), "{run:?}");
    bench.write("model", &run.stdout);
    let check = bench.run(&["check", "script.smt2", "--model", "model"]).expect(0);
    assert!(check.stdout.contains("valid"), "{check:?}");
}

#[test]
fn levels_come_and_go_and_each_question_has_its_answer() {
    let run = solve(
        "(declare-const x String) (assert (= (str.len x) 2)) (check-sat)\n\
         (push 1) (assert (= x \"abc\")) (check-sat) (pop 1)\n\
         (check-sat-assuming ((= x \"ab\"))) (get-value (x)) (check-sat-assuming ((= x \"b\")))\n\
         (get-unsat-assumptions) (echo \"say \"\"hi\"\"\") (get-info :name)",
        &[],
        0,
    );
    let expected = "sat\nunsat\nsat\n((x \"ab\"))\nunsat\n((= x \"b\"))\n\"say \"\"hi\"\"\"\n(:name \"Luthier\")\n";
    assert_eq!(run.stdout, expected);
}

#[test]
fn what_was_not_asked_for_at_the_right_time_is_an_error_in_the_answer() {
    let run = solve("(declare-const x String) (get-model) (get-info :reason-unknown)", &[], 0);
    assert_eq!(run.stdout.matches("(error \"").count(), 2, "{run:?}");
}

#[test]
fn a_script_that_cannot_be_read_is_not_answered() {
    let run =
        solve("(declare-const x String)\n(assert (= (str.len x) \"a\"))\n(check-sat)\n", &[], 3);
    assert!(run.stdout.starts_with("(error \"line 2 column "), "{run:?}");
    assert!(!run.stdout.contains("sat\n"), "{run:?}");
}

#[test]
fn a_limit_ends_in_unknown_with_its_reason() {
    let run = solve(
        "(declare-const x String) (declare-const y String) (declare-const z String)\n\
         (assert (= (str.++ x \"ab\" y z) (str.++ z y \"ba\" x)))\n\
         (assert (> (str.len x) 900000)) (assert (not (= (str.at x 5) (str.at x 11))))\n\
         (assert (not (str.contains (str.++ y z x) (str.++ x y \"q\"))))\n\
         (check-sat) (get-info :reason-unknown)",
        &["--timeout", "1ms"],
        0,
    );
    assert_eq!(run.stdout, "unknown\n(:reason-unknown \"timeout\")\n");
}

#[test]
fn json_has_the_verdict_the_model_and_the_engines() {
    let run =
        solve("(declare-const x String) (assert (= x \"a\"\"b\")) (check-sat)", &["--json"], 0);
    let record = run.json();
    assert_eq!(record["verdict"], "sat");
    assert_eq!(record["model"]["x"], "\"a\"\"b\"");
    assert_eq!(record["engines"][0]["engine"], "rewrite");
}

#[test]
fn every_form_of_not_substring_can_be_chosen_and_no_other() {
    let script = "(declare-const x String) (declare-const y String)\n\
                  (assert (= (str.++ x y) \"abab\")) (assert (not (str.contains x \"a\")))\n\
                  (assert (not (str.contains y (str.++ x \"c\" y)))) (check-sat)";
    for form in ["paper", "covering", "lazy"] {
        let run = solve(script, &["--not-substring", form], 0);
        assert_eq!(run.stdout, "sat\n", "{form}");
    }
    let run = solve(script, &["--not-substring", "guess"], 1);
    assert!(run.stderr.contains("paper, covering, lazy"), "{run:?}");
}

#[test]
fn older_dialects_are_understood() {
    let run = solve(
        "(declare-fun x () String) (assert (str.in.re x (re.+ (str.to.re \"\\x41\"))))\n\
         (assert (= (str.len x) 3)) (check-sat) (get-value (x))",
        &[],
        0,
    );
    assert_eq!(run.stdout, "sat\n((x \"AAA\"))\n");
}

#[test]
fn statistics_go_to_standard_error() {
    let run =
        solve("(declare-const x String) (assert (= (str.len x) 3)) (check-sat)", &["--stats"], 0);
    assert_eq!(run.stdout, "sat\n");
    assert!(run.stderr.contains("; rewrite "), "{run:?}");
}
