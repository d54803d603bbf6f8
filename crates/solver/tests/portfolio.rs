//! The portfolio: all engines together on planted and generated problems.

use crate::common;

use std::time::Duration;

use common::{planted, problem};
use luthier_solver::{
    Budget, Cancel, Portfolio, Problem, Solution, UnknownReason, Verdict, strategy,
};

fn solve(problem: &Problem, seconds: u64) -> Solution {
    let portfolio = common::portfolio();
    let budget = Budget::until_cancelled(Cancel::new()).at_most(Duration::from_secs(seconds));
    portfolio.solve(problem, &budget)
}

#[test]
fn planted_formulas_are_never_refuted_and_no_model_is_invalid() {
    let mut found = 0;
    for stream in 100..160 {
        let (generator, assertions) = planted(stream);
        let problem = Problem { pool: generator.pool.into(), assertions };
        let solution = solve(&problem, 2);
        assert_eq!(solution.mistakes, [""; 0], "{stream}");
        match solution.verdict {
            Verdict::Sat(_) => found += 1,
            Verdict::Unsat(proof) => panic!("{stream}: {proof:?}"),
            Verdict::Unknown(_) => {}
        }
    }
    assert!(found > 20, "{found} models");
}

#[test]
fn the_example_of_the_paper_and_its_variations_are_solved() {
    for (literals, length) in common::VARIATIONS {
        for swapped in [false, true] {
            let solution = solve(&common::commuting(literals, length, swapped), 120);
            let what = format!("{literals:?} {length} {swapped}");
            assert!(matches!(solution.verdict, Verdict::Sat(_)), "{what}: {solution:?}");
            assert_eq!(solution.mistakes, [""; 0], "{what}");
        }
    }
}

#[test]
fn constants_that_occur_in_definitions_only_have_values() {
    let problem = problem(
        "(declare-const x String) (declare-const y String)
         (define-fun d () Bool (or (= x \"ab\") (str.in_re x (re.+ (str.to_re \"c\")))))
         (define-fun e ((v String)) Bool (and d (= (str.len v) (str.len x))))
         (assert (e y))",
    );
    let solution = solve(&problem, 60);
    assert_eq!(solution.mistakes, [""; 0]);
    assert!(matches!(solution.verdict, Verdict::Sat(_)), "{solution:?}");
}

#[test]
fn existential_variables_get_values() {
    let problem = problem(
        "(declare-const x String)
         (assert (exists ((i Int)) (and (> i 3) (= (str.len x) (* 2 i)))))",
    );
    let solution = solve(&problem, 60);
    assert!(matches!(solution.verdict, Verdict::Sat(_)), "{solution:?}");
}

#[test]
fn without_arithmetic_what_is_easy_is_still_decided() {
    let portfolio = Portfolio::default();
    let budget = Budget::until_cancelled(Cancel::new()).at_most(Duration::from_secs(60));
    let easy = problem("(declare-const x String) (assert (= (str.++ x \"b\") \"ab\"))");
    assert!(matches!(portfolio.solve(&easy, &budget).verdict, Verdict::Sat(_)));
    let wrong = problem("(declare-const x String) (assert (= (str.++ x \"b\") \"ac\"))");
    assert!(matches!(portfolio.solve(&wrong, &budget).verdict, Verdict::Unsat(_)));
    let hard = problem(
        "(declare-const x String) (declare-const y String)
         (assert (= (str.++ x \"ab\" y) (str.++ y \"ba\" x)))
         (assert (> (str.len x) 5000))",
    );
    let verdict = portfolio.solve(&hard, &budget).verdict;
    assert!(matches!(verdict, Verdict::Unknown(UnknownReason::NoBackend)), "{verdict:?}");
}

#[test]
fn a_deadline_ends_in_unknown() {
    let hard = problem(
        "(declare-const x String) (declare-const y String) (declare-const z String)
         (assert (= (str.++ x \"ab\" y z) (str.++ z y \"ba\" x)))
         (assert (> (str.len x) 900000)) (assert (not (= (str.at x 5) (str.at x 11))))
         (assert (not (str.contains (str.++ y z x) (str.++ x y \"q\"))))",
    );
    let portfolio = common::portfolio();
    let budget = Budget::until_cancelled(Cancel::new()).at_most(Duration::ZERO);
    let verdict = portfolio.solve(&hard, &budget).verdict;
    assert!(matches!(verdict, Verdict::Unknown(UnknownReason::Timeout)), "{verdict:?}");
}

/// A limit may cost an answer. It must not make one wrong, and every engine must terminate.
#[test]
fn limits_of_zero_make_no_answer_wrong() {
    let declarations = "(declare-const x String) (declare-const y String) (declare-const z String)";
    let problems = [
        ("(assert (= (str.++ x y) (str.++ y x))) (assert (= (str.at x 2) \"c\"))", false),
        ("(assert (= (str.++ x y) (str.++ \"ab\" z))) (assert (= (str.at x 1) \"c\"))", true),
    ];
    for (text, is_unsat) in problems {
        let problem = problem(&format!("{declarations} {text}"));
        for limit in [
            "search.patience",
            "search.choices",
            "cells.conflicts",
            "cells.occurrences",
            "cells.length",
            "nielsen.systems",
            "flat.rungs",
            "flat.length",
            "abstraction.rounds",
            "shared.lengths",
        ] {
            let mut portfolio = common::portfolio();
            portfolio.limits.set(&format!("{limit}=0")).unwrap();
            for entry in strategy::ENGINES {
                let engine = entry.build(&portfolio).unwrap();
                let budget = Budget::until_cancelled(Cancel::new());
                let budget = budget.within(portfolio.limits.clone().into());
                match engine.run(&problem, &budget.at_most(Duration::from_millis(30))) {
                    Verdict::Sat(_) => assert!(!is_unsat, "{limit}: {}: {text}", entry.name),
                    Verdict::Unsat(_) => assert!(is_unsat, "{limit}: {}: {text}", entry.name),
                    Verdict::Unknown(_) => {}
                }
            }
        }
    }
}

#[test]
fn strings_of_millions_of_letters_are_built_and_longer_ones_are_refused_at_once() {
    let declared = "(declare-const x String) (declare-const y String)";
    for text in [
        "(assert (= (str.len x) 1048577))",
        "(assert (= (str.len x) 3000000)) (assert (str.contains x \"abc\"))
         (assert (= (str.len y) 2000001)) (assert (not (str.prefixof y x)))",
    ] {
        let solution = solve(&problem(&format!("{declared} {text}")), 60);
        assert_eq!(solution.mistakes, [""; 0], "{text}");
        assert!(matches!(solution.verdict, Verdict::Sat(_)), "{text}: {:?}", solution.engines);
    }
    for text in [
        "(assert (= (str.len x) 1000000000000))",
        "(assert (> (+ (str.len x) (* 2 (str.len y))) 1000000000000)) (assert (str.prefixof y x))",
    ] {
        let start = std::time::Instant::now();
        let solution = solve(&problem(&format!("{declared} {text}")), 60);
        let Verdict::Unknown(UnknownReason::Incomplete(reason)) = solution.verdict else {
            panic!("{text}: {:?}", solution.verdict);
        };
        assert!(reason.starts_with("every model has a string of at least"), "{reason}");
        assert!(start.elapsed() < Duration::from_secs(10), "{text}");
    }
    let text =
        "(assert (= (str.len x) 1000000000001)) (assert (str.in_re x (re.* (str.to_re \"ab\"))))";
    let solution = solve(&problem(&format!("{declared} {text}")), 60);
    assert!(matches!(solution.verdict, Verdict::Unsat(_)), "{:?}", solution.verdict);
}
