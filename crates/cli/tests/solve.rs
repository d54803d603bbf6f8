//! `luthier solve`.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use crate::common::Bench;

/// Not decided at once.
const HARD: &str = "(declare-const x String) (declare-const y String) (declare-const z String)
(assert (= (str.++ x \"ab\" y z) (str.++ z y \"ba\" x)))
(assert (> (str.len x) 900000)) (assert (not (= (str.at x 5) (str.at x 11))))
(assert (not (str.contains (str.++ y z x) (str.++ x y \"q\"))))
(check-sat) (get-info :reason-unknown)";

fn solve(script: &str, more: &[&str], code: i32) -> crate::common::Run {
    let bench = Bench::with_arithmetic();
    bench.write("script.smt2", script);
    bench.run(&[&["solve", "script.smt2"], more].concat()).expect(code)
}

#[test]
fn a_model_is_printed_and_passes_the_check() {
    let bench = Bench::with_arithmetic();
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
fn many_levels_cost_nothing_and_global_declarations_outlive_theirs() {
    let run = solve(
        "(set-option :global-declarations true) (push 1000000)\n         (declare-const x String) (assert (= x \"a\")) (get-info :assertion-stack-levels)\n         (pop 1000000) (assert (= x \"b\")) (check-sat) (get-model)",
        &[],
        0,
    );
    let expected = "(:assertion-stack-levels 1000000)\nsat\n(\n  \
                    (define-fun x () String \"b\")\n)\n";
    assert_eq!(run.stdout, expected);
}

#[test]
fn what_was_not_asked_for_at_the_right_time_is_an_error_in_the_answer() {
    let run = solve("(declare-const x String) (get-model) (get-info :reason-unknown)", &[], 0);
    assert_eq!(run.stdout.matches("(error \"").count(), 2, "{run:?}");
}

#[test]
fn commands_before_an_error_are_answered_and_those_behind_it_are_not() {
    let wrong = "(assert (= (str.len x) \"a\"))\n(check-sat)\n(assert (= y 1))\n";
    let run = solve(&format!("(declare-const x String)\n{wrong}"), &[], 3);
    assert!(run.stdout.starts_with("(error \"line 2 column "), "{run:?}");
    assert_eq!(run.stdout.lines().count(), 1, "{run:?}");
    assert!(run.stderr.contains("1 more error"), "{run:?}");
    let script = format!("(declare-const x String)\n(check-sat)\n(echo \"here\")\n{wrong}");
    let run = solve(&script, &[], 3);
    assert!(run.stdout.starts_with("sat\n\"here\"\n(error \"line 4 column "), "{run:?}");
    assert_eq!(run.stdout.lines().count(), 3, "{run:?}");
    let run = solve(&script, &["--json"], 3);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(lines[0].contains("\"verdict\":\"sat\""), "{run:?}");
    assert!(lines[1].starts_with("{\"version\":2,\"error\":\"line 4 column "), "{run:?}");
    // What stands behind `exit` is never run, so it cannot be wrong.
    let run = solve("(check-sat)\n(exit)\n(assert y)", &[], 0);
    assert_eq!(run.stdout, "sat\n");
}

#[test]
fn symbols_are_printed_with_the_bars_that_they_need() {
    let script = "(declare-const |x y| String) (declare-const |plain| Int) (declare-const |let| Bool)\n\
                  (assert (! (= |x y| \"a\") :named |first one|)) (assert (! |let| :named last))\n\
                  (check-sat) (get-model) (get-value (|x y| plain |let|)) (get-assertions)\n\
                  (assert (! (= |x y| \"b\") :named |second one|)) (check-sat) (get-unsat-core)\n\
                  (check-sat-assuming (|let| (not |let|))) (get-unsat-assumptions)";
    let run = solve(script, &[], 0);
    for part in [
        "  (define-fun |x y| () String \"a\")\n  (define-fun plain () Int 0)\n  \
         (define-fun |let| () Bool true)\n",
        "((|x y| \"a\")\n (plain 0)\n (|let| true))\n",
        "((= |x y| \"a\")\n |let|)\n",
        "unsat\n(|first one| |second one|)\n",
    ] {
        assert!(run.stdout.contains(part), "{part} {run:?}");
    }
    assert!(run.stdout.ends_with("unsat\n()\n"), "{run:?}");
    let run = solve("(declare-const |x y| String) (check-sat)", &["--json"], 0);
    assert_eq!(run.json()["model"]["x y"], "\"\"", "{run:?}");
}

#[test]
fn a_referee_that_is_undecided_is_no_fault() {
    let bench = Bench::with_arithmetic();
    let script = "(define-fun-rec f ((n Int)) Int (+ 1 (f n))) (declare-const n Int)\n\
                  (assert (= n (f 3))) (check-sat) (get-info :reason-unknown)";
    bench.write("script.smt2", script);
    let mut command = bench.command(&["solve", "script.smt2", "--timeout", "20s"]);
    let output = command.env("XDG_STATE_HOME", bench.path("state")).output().unwrap();
    let (answer, talk) = (String::from_utf8(output.stdout).unwrap(), output.stderr);
    let expected =
        "unknown\n(:reason-unknown \"incomplete: the referee is undecided: a recursive function";
    assert!(answer.starts_with(expected), "{answer}");
    assert!(talk.is_empty(), "{}", String::from_utf8_lossy(&talk));
    assert!(!bench.path("state").exists(), "nothing is kept as a fault");
}

#[test]
fn a_model_says_what_division_by_zero_is_and_passes_the_check() {
    let bench = Bench::with_arithmetic();
    let script = "(declare-const n Int) (declare-const m Int) (assert (= n (div 5 0)))\n\
                  (assert (= m (mod 7 0))) (check-sat) (get-model)";
    bench.write("script.smt2", script);
    let run = bench.run(&["solve", "script.smt2"]).expect(0);
    assert!(run.stdout.starts_with("sat\n"), "{run:?}");
    assert!(run.stdout.contains("(define-fun mod0 ((x!0 Int)) Int 0)"), "{run:?}");
    bench.write("model", &run.stdout);
    let check = bench.run(&["check", "script.smt2", "--model", "model"]).expect(0);
    assert!(check.stdout.contains("valid"), "{check:?}");
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
    let bench = Bench::with_arithmetic();
    bench.write("script.smt2", HARD);
    bench.write("not-z3", "this is text");
    let arguments = ["solve", "script.smt2", "--arithmetic", "./not-z3", "--timeout", "20s"];
    let run = bench.run(&arguments).expect(0);
    assert!(run.stdout.starts_with("unknown\n(:reason-unknown \"failed: "), "{run:?}");
    assert!(run.stderr.contains("an engine failed: ") && run.stderr.contains("not-z3"), "{run:?}");
}

#[test]
fn without_an_arithmetic_solver_easy_scripts_are_decided_and_others_say_what_is_missing() {
    let bench = Bench::with_arithmetic();
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
    let bench = Bench::with_arithmetic();
    bench.write("a.smt2", "(declare-const x String) (assert (= x \"a\")) (check-sat)");
    let arguments =
        ["run", "--bench", "a.smt2", "--solver", "luthier", "--seed", "3", "--timeout", "20s"];
    let run = bench.run(&[&arguments[..], &["--json"]].concat()).expect(0);
    assert!(run.stdout.contains("\"valid_model\":1,"), "{run:?}");
    let hunt = ["hunt", "luthier", "--suite", "planted", "--count", "30", "--seed", "1", "--json"];
    let hunt = bench.run(&hunt).expect(0).json();
    assert!(hunt["solvers"][0]["sat"].as_u64().unwrap() >= 10, "{hunt}");
}

#[test]
fn limits_of_engines_are_set_and_shown() {
    // Three systems are too few for this equation, and nobody else is asked for long.
    let script = "(declare-const x String) (declare-const y String)
        (assert (= (str.++ x \"ab\" y) (str.++ y \"ba\" x))) (assert (> (str.len x) 500)) (check-sat)";
    let small = [
        "--stats",
        "--timeout",
        "3s",
        "--limit",
        "nielsen.systems=3",
        "--limit",
        "search.time=10ms",
    ];
    let run = solve(script, &small, 0);
    assert!(run.stderr.contains("; limit search.time=10ms\n"), "{run:?}");
    assert!(run.stderr.contains("; limit nielsen.systems=3\n"), "{run:?}");
    assert!(run.stderr.contains("; limits hit: "), "{run:?}");
    assert!(run.stderr.contains("nielsen.systems"), "{run:?}");
    let run = solve(script, &["--stats", "--timeout", "20s"], 0);
    assert!(!run.stderr.contains("; limit "), "{run:?}");
    assert_eq!(run.stdout, "sat\n");
}

#[test]
fn a_limit_that_cannot_be_set_is_an_error_of_the_command_line() {
    for (limit, complaint) in [
        ("nielsen.walk=3", "there is no limit `nielsen.walk`; near names are nielsen.walks"),
        ("nielsen.walks=3s", "`3s` is no value of nielsen.walks: expected a number of walks"),
        ("search.time=3", "`3` is no value of search.time: expected a time such as 300ms or 3s"),
        ("nielsen.walks", "`nielsen.walks` is not NAME=VALUE"),
    ] {
        let run = solve("(check-sat)", &["--limit", limit], 1);
        assert!(run.stderr.contains(complaint), "{run:?}");
        assert!(run.stderr.contains("--list-limits") && run.stdout.is_empty(), "{run:?}");
    }
}

#[test]
fn limits_of_engines_are_listed() {
    let bench = Bench::with_arithmetic();
    let run = bench.run(&["solve", "--list-limits"]).expect(0);
    let line = run.stdout.lines().find(|line| line.starts_with("nielsen.walks ")).unwrap();
    assert!(line.contains("60 walks"), "{line}");
    let run = bench.run(&["solve", "--list-limits", "--json"]).expect(0);
    let first: serde_json::Value =
        serde_json::from_str(run.stdout.lines().next().unwrap()).unwrap();
    assert_eq!(first["name"], "rewrite.time");
    assert_eq!(first["default"], "3s");
}
