//! The flat engine on real problems, with a real arithmetic solver.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

mod common;

use std::time::Duration;

use common::{VARIATIONS, commuting, planted, problem};
use luthier_semantics::Evaluator;
use luthier_solver::{Budget, Cancel, Engine, Problem, Verdict, Why};

fn engine() -> Box<dyn Engine> {
    common::engine("flat")
}

fn budget(seconds: u64) -> Budget {
    Budget::until_cancelled(Cancel::new()).at_most(Duration::from_secs(seconds))
}

/// The engine finds a model, and the referee agrees.
fn expect_model(problem: &Problem, what: &str) {
    match engine().run(problem, &budget(60)) {
        Verdict::Sat(model) => {
            let mut evaluator = Evaluator::new(&problem.pool, &model);
            for &assertion in &problem.assertions {
                assert!(evaluator.evaluate(assertion).is_true(), "{what}");
            }
        }
        other => panic!("{what}: {other:?}"),
    }
}

#[test]
fn the_example_of_the_paper_and_its_variations_have_models() {
    for &(literals, length) in &VARIATIONS[..7] {
        for swapped in [false, true] {
            let what = format!("{literals:?} {length} {swapped}");
            expect_model(&commuting(literals, length, swapped), &what);
        }
    }
}

#[test]
fn every_operator_can_be_satisfied() {
    let declarations = "(declare-const x String) (declare-const y String) (declare-const n Int)";
    for assertions in [
        "(= (str.++ x \"a\" y) (str.++ y \"a\" x)) (not (= x y))",
        "(= (str.++ x \"ab\") (str.++ \"ba\" x)) (> (str.len x) 40)",
        "(= (str.substr x 2 3) \"abc\") (= (str.at x 7) \"z\") (not (str.contains x \"bcz\"))",
        "(= (str.indexof x \"ab\" 3) 5) (= (str.indexof x \"ab\" 0) 5)",
        "(= (str.replace x \"ab\" \"c\") \"cc\") (str.contains x \"b\")",
        "(= (str.to_int x) 1234567) (> (str.len x) 9)",
        "(= (str.from_int n) x) (str.suffixof \"42\" x) (> n 1000)",
        "(= (str.to_code (str.at x 1)) 233) (= (str.from_code n) (str.at x 0)) (> n 300)",
        "(str.< x y) (str.< y \"b\") (str.prefixof \"a\" x) (str.<= \"ab\" x)",
        "(str.in_re x (re.+ (re.union (str.to_re \"ab\") (str.to_re \"c\")))) (= (str.len x) 7)",
        "(not (str.in_re x (re.* (re.range \"a\" \"y\")))) (= (str.len x) 3) (str.prefixof \"ab\" x)",
        "(str.in_re x (re.* (str.to_re \"abc\"))) (> (str.len x) 100)",
        "(= x (ite (> n 3) (str.++ y \"a\") (str.++ \"b\" y))) (= (str.len y) n) (> n 5)",
        "(not (str.contains x y)) (not (str.contains y x)) (= (str.len x) (str.len y)) (> (str.len x) 2)",
    ] {
        let asserted: String =
            assertions_of(assertions).map(|one| format!("(assert {one})")).collect();
        expect_model(&problem(&format!("{declarations} {asserted}")), assertions);
    }
}

/// What is known of a language for some values of constants must not be said of others.
#[test]
fn languages_that_depend_on_constants_are_known_for_their_values() {
    let declarations = "(declare-const x String) (declare-const y String)";
    let few = "(assert (str.prefixof x \"aab\")) (assert (>= (str.len x) 2))";
    for assertion in [
        "(= (str.replace_re_all \"aabb\" (re.++ (str.to_re x) re.allchar) \"aba\") \"aba\")",
        "(= (str.replace_re \"caabb\" (re.++ (str.to_re x) re.allchar) \"\") \"c\")",
        "(str.in_re \"aabaab\" (re.+ (str.to_re x)))",
        "(not (str.in_re \"aaaaa\" (re.++ (re.* (str.to_re x)) (str.to_re \"a\"))))",
        "(str.in_re \"q\" (re.range (str.at x 1) (str.++ \"z\" (str.substr x 2 (str.len y)))))",
    ] {
        let problem = problem(&format!("{declarations} {few} (assert {assertion})"));
        expect_model(&problem, assertion);
    }
}

/// The parenthesised formulas of a text.
fn assertions_of(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    let mut start = 0;
    text.char_indices().filter_map(move |(place, letter)| {
        match letter {
            '(' => {
                if depth == 0 {
                    start = place;
                }
                depth += 1;
            }
            ')' => depth -= 1,
            _ => return None,
        }
        (depth == 0).then(|| &text[start..=place])
    })
}

#[test]
fn contradictions_that_need_no_domain_are_proofs() {
    let declarations = "(declare-const x String) (declare-const y String)";
    for assertion in [
        "(and (= (str.len x) 2) (= (str.++ x y) \"a\"))",
        "(and (str.contains x \"abc\") (< (str.len x) 3))",
        "(and (= (str.indexof x y 0) 4) (= (str.len x) 3))",
        "(and (= (str.to_code x) 97) (= (str.len x) 2))",
    ] {
        let verdict =
            engine().run(&problem(&format!("{declarations} (assert {assertion})")), &budget(60));
        assert!(matches!(verdict, Verdict::Unsat(_)), "{assertion}: {verdict:?}");
    }
}

#[test]
fn a_formula_around_a_model_is_never_refuted() {
    // `LUTHIER_TERMS` asks for more formulas than usual.
    let count = std::env::var("LUTHIER_TERMS").map_or(80, |count| count.parse().unwrap());
    let mut found = 0;
    for stream in 0..count {
        let (generator, assertions) = planted(stream);
        let problem = Problem { pool: generator.pool.into(), assertions };
        match engine().run(&problem, &budget(2)) {
            Verdict::Sat(_) => found += 1,
            Verdict::Unsat(proof) => panic!("{stream}: {proof:?}"),
            Verdict::Unknown(_) => {}
        }
    }
    assert!(found > 0, "no model was found");
}

#[test]
fn a_raised_flag_ends_the_work() {
    let cancel = Cancel::new();
    cancel.cancel();
    let verdict = engine()
        .run(&commuting(["123456", "12345", "a"], 21, false), &Budget::until_cancelled(cancel));
    assert!(matches!(verdict, Verdict::Unknown(Why::Cancelled)), "{verdict:?}");
}
