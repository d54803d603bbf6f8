//! Functions, arrays and division by zero: models are found and hold, and nothing that has a model
//! is refuted.

use crate::common;

use std::time::Duration;

use common::problem;
use luthier_generator::features::Feature;
use luthier_solver::{Budget, Cancel, Problem, Solution, Verdict};

fn solve(problem: &Problem) -> Solution {
    let budget = Budget::until_cancelled(Cancel::new()).at_most(Duration::from_secs(2));
    common::portfolio().solve(problem, &budget)
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let solution = solve(&problem(text));
    assert_eq!(solution.mistakes, [""; 0], "{text}");
    let verdict = match &solution.verdict {
        Verdict::Sat(_) => "sat",
        Verdict::Unsat(_) => "unsat",
        Verdict::Unknown(_) => "unknown",
    };
    assert_eq!(verdict, expected, "{text}: {:?}", solution.verdict);
}

#[test]
fn formulas_around_a_model_are_never_refuted_and_no_model_is_invalid() {
    for feature in Feature::ALL {
        let mut found = 0;
        for number in 0..20 {
            let draft = feature.planted(5, number);
            let assertions = draft.assertions.iter().map(|assertion| assertion.term).collect();
            let problem = Problem { pool: draft.pool.into(), assertions };
            let solution = solve(&problem);
            let name = feature.name();
            assert_eq!(solution.mistakes, [""; 0], "{name} {number}");
            match solution.verdict {
                Verdict::Sat(_) => found += 1,
                Verdict::Unsat(proof) => panic!("{name} {number}: {proof:?}"),
                Verdict::Unknown(_) => {}
            }
        }
        assert!(found >= 12, "{}: {found} models", feature.name());
    }
}

#[test]
fn functions_have_tables() {
    let functions = "(declare-fun f (String) String) (declare-fun g (Int String) Int)
        (declare-const x String) (declare-const y String)";
    let sat = [
        "(assert (distinct (f x) (f y))) (assert (= (str.len x) (str.len y)))",
        "(assert (= (f (f x)) x)) (assert (distinct (f x) x)) (assert (= x \"ab\"))",
        "(assert (= (g (g 1 x) y) 7)) (assert (= (g 1 y) 2))",
        "(assert (= (str.++ (f \"a\") (f \"b\")) \"abc\")) (assert (= (str.len (f \"a\")) 1))",
    ];
    for text in sat {
        check(&format!("{functions} {text}"), "sat");
    }
    let unsat = [
        "(assert (distinct (f x) (f y))) (assert (= x y))",
        "(assert (= (f (f (f x))) x)) (assert (= (f (f (f (f (f x))))) x)) (assert (distinct (f x) x))",
        "(assert (< (g 1 x) (g 1 (str.++ x \"\"))))",
        "(assert (distinct (f \"ab\") (f x))) (assert (str.prefixof \"ab\" x)) (assert (= (str.len x) 2))",
    ];
    for text in unsat {
        check(&format!("{functions} {text}"), "unsat");
    }
}

#[test]
fn arrays_are_extensional() {
    let arrays = "(declare-const a (Array Int String)) (declare-const b (Array Int String))
        (declare-const i Int) (declare-const j Int) (declare-const x String)";
    let sat = [
        "(assert (distinct a b)) (assert (= (select a 1) (select b 1)))",
        "(assert (= (store a i x) (store b j x))) (assert (distinct a b)) (assert (distinct x \"\"))",
        "(assert (= (select (store a i \"u\") j) \"v\"))",
        "(assert (= a ((as const (Array Int String)) \"c\"))) (assert (= b (store a 5 x)))
         (assert (distinct (select b 5) \"c\"))",
        "(assert (= (ite (= i 0) a b) (store b 1 \"z\"))) (assert (distinct (select b 1) \"z\"))",
    ];
    for text in sat {
        check(&format!("{arrays} {text}"), "sat");
    }
    let unsat = [
        "(assert (= a b)) (assert (distinct (select a i) (select b i)))",
        "(assert (= (store a i x) b)) (assert (distinct (select b i) x))",
        "(assert (or (= (store a i x) b) (= (store b i x) a))) (assert (distinct i j))
         (assert (distinct (select a j) (select b j)))",
        "(assert (= (store a i \"u\") (store b i \"v\")))",
        "(assert (= ((as const (Array Int String)) \"c\") (store ((as const (Array Int String)) \"d\") i x)))",
        "(assert (not (= (store (store a i x) j x) (store (store a j x) i x))))",
        "(assert (distinct a (store a i (select a i))))",
    ];
    for text in unsat {
        check(&format!("{arrays} {text}"), "unsat");
    }
    let booleans = "(declare-const a (Array Bool Int)) (declare-const b (Array Bool Int))";
    let equal = "(assert (= (select a true) (select b true)))";
    check(&format!("{booleans} {equal} (assert (distinct a b))"), "sat");
    let more = "(assert (= (select a false) (select b false)))";
    check(&format!("{booleans} {equal} {more} (assert (distinct a b))"), "unsat");
}

#[test]
fn division_by_zero_is_a_function() {
    let numbers = "(declare-const x Int) (declare-const y Int) (declare-const z Int)";
    let sat = [
        "(assert (= (div x 0) 3)) (assert (= (div y 0) 4))",
        "(assert (= (mod x 0) (+ x 1))) (assert (= (mod y z) 5)) (assert (= z 0)) (assert (> y x))",
        "(assert (= (div x y) 9)) (assert (= (div z y) 2)) (assert (= y (* 2 y)))",
    ];
    for text in sat {
        check(&format!("{numbers} {text}"), "sat");
    }
    let unsat = [
        "(assert (distinct (div x 0) (div y 0))) (assert (= x y))",
        "(assert (= (mod x y) 5)) (assert (= (mod x z) 6)) (assert (= y 0)) (assert (= z (* 2 y)))",
    ];
    for text in unsat {
        check(&format!("{numbers} {text}"), "unsat");
    }
}
