//! `luthier solve`.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

mod common;

use common::Bench;

/// Not decided at once.
const HARD: &str = "(declare-const x String) (declare-const y String) (declare-const z String)
(assert (= (str.++ x \"ab\" y z) (str.++ z y \"ba\" x)))
(assert (> (str.len x) 900000)) (assert (not (= (str.at x 5) (str.at x 11))))
(assert (not (str.contains (str.++ y z x) (str.++ x y \"q\"))))
(check-sat) (get-info :reason-unknown)";

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
    let run = solve(HARD, &["--timeout", "1ms"], 0);
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

#[test]
fn cores_leave_out_what_is_not_needed() {
    let run = solve(
        "(set-option :produce-unsat-cores true)\n(declare-const x String)\n\
         (assert (! (str.prefixof \"a\" x) :named starts))\n\
         (assert (! (str.contains x \"c\") :named unneeded))\n\
         (assert (! (= (str.at x 0) \"b\") :named letter))\n\
         (assert (> (str.len x) 2))\n(check-sat)\n(get-unsat-core)\n\
         (check-sat-assuming ((= (str.len x) 5) (= x \"ab\")))\n(get-unsat-core)",
        &[],
        0,
    );
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[..2], ["unsat", "(starts letter)"]);
    assert_eq!(lines[2..], ["unsat", "()"], "the assumption alone contradicts the length");
}

#[test]
fn assumptions_that_are_not_needed_are_left_out() {
    let run = solve(
        "(declare-const x String) (declare-const y String) (assert (= (str.len x) 3))\n\
         (check-sat-assuming ((= y \"b\") (= x \"a\"))) (get-unsat-assumptions)",
        &[],
        0,
    );
    assert_eq!(run.stdout, "unsat\n((= x \"a\"))\n");
}

#[test]
fn too_little_memory_ends_in_unknown_with_its_reason() {
    let run = solve(HARD, &["--memory", "1MB", "--timeout", "60s"], 0);
    assert_eq!(run.stdout, "unknown\n(:reason-unknown \"memout\")\n");
}

#[test]
fn a_program_that_is_no_arithmetic_solver_is_said() {
    let run = solve(HARD, &["--arithmetic", "no-such-z3"], 1);
    assert!(run.stderr.contains("no-such-z3: there is no such program"), "{run:?}");
    let bench = Bench::new();
    bench.write("script.smt2", HARD);
    bench.write("not-z3", "this is text");
    let arguments = ["solve", "script.smt2", "--arithmetic", "./not-z3", "--timeout", "20s"];
    let run = bench.run(&arguments).expect(0);
    assert!(run.stdout.starts_with("unknown\n(:reason-unknown \"failed: "), "{run:?}");
    assert!(run.stderr.contains("an engine failed: ") && run.stderr.contains("not-z3"), "{run:?}");
}

#[test]
fn without_an_arithmetic_solver_easy_scripts_are_decided_and_others_say_what_is_missing() {
    let bench = Bench::new();
    bench.write("easy.smt2", "(declare-const x String) (assert (= x \"a\")) (check-sat)");
    bench.write("hard.smt2", HARD);
    let alone = |file: &str| {
        let mut command = bench.command(&["solve", file]);
        command.env("PATH", "/no/such/folder").env("XDG_CACHE_HOME", "/no/such/folder");
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(alone("easy.smt2"), ("sat\n".to_owned(), String::new()));
    let (answer, talk) = alone("hard.smt2");
    assert_eq!(answer, "unknown\n(:reason-unknown \"no arithmetic solver\")\n");
    assert!(talk.contains("luthier solvers install z3"), "{talk}");
}

#[test]
fn it_is_run_like_every_other_solver() {
    let bench = Bench::new();
    bench.write("a.smt2", "(declare-const x String) (assert (= x \"a\")) (check-sat)");
    let arguments =
        ["run", "--bench", "a.smt2", "--solver", "luthier", "--seed", "3", "--timeout", "20s"];
    let run = bench.run(&[&arguments[..], &["--json"]].concat()).expect(0);
    assert!(run.stdout.contains("\"valid_model\":1,"), "{run:?}");
    let hunt = ["hunt", "luthier", "--suite", "planted", "--count", "30", "--seed", "1", "--json"];
    let hunt = bench.run(&hunt).expect(0).json();
    assert!(hunt["solvers"][0]["sat"].as_u64().unwrap() >= 10, "{hunt}");
}
