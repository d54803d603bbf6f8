//! Words as rows of cells: models that are found, and none that is excluded.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

mod common;

use std::time::Duration;

use common::{planted, problem};
use luthier_semantics::Evaluator;
use luthier_solver::{Budget, Cancel, Problem, Verdict};

const STRINGS: &str = "(declare-const x String) (declare-const y String) (declare-const z String)
    (declare-const u String) (declare-const v String) (declare-const w String)
    (declare-const t String) (declare-const i Int) (declare-const b Bool)";

fn decide(problem: &Problem, seconds: u64) -> Verdict {
    let budget = Budget::until_cancelled(Cancel::new()).at_most(Duration::from_secs(seconds));
    common::engine("cells").run(problem, &budget)
}

/// Whether the referee finds all assertions true.
fn holds(problem: &Problem, verdict: &Verdict) -> bool {
    let Verdict::Sat(model) = verdict else { return false };
    let mut evaluator = Evaluator::new(&problem.pool, model);
    problem.assertions.iter().all(|&one| evaluator.evaluate(one).is_true())
}

#[test]
fn models_are_found() {
    for text in [
        // Two spellings of one word with literals that must not overlap.
        r#"(assert (= (str.++ x y z) (str.++ u "key=12345;" v)))
           (assert (= (str.++ x y z) (str.++ w "other=12345;" t)))
           (assert (= (str.len x) (+ 4 (str.len u)))) (assert (not (= y "-")))"#,
        r#"(assert (= (str.substr x 3 4) "abcd")) (assert (= (str.at x 9) "z"))
           (assert (= (str.len x) 12)) (assert (not (= (str.at x 0) (str.at x 1))))"#,
        r#"(assert (str.prefixof "ab" x)) (assert (str.suffixof "ba" x))
           (assert (str.contains x "cc")) (assert (= (str.len x) 6))"#,
        r#"(assert (= x (ite b (str.++ y "a") (str.++ "b" y)))) (assert (not b))
           (assert (= (str.at x 3) "c"))"#,
        r#"(assert (= (str.indexof x "needle" 2) i)) (assert (= i 5))"#,
        r#"(assert (= (str.replace x "key=" y) (str.++ z "value;"))) (assert (str.contains x "key="))
           (assert (= (str.len y) 3)) (assert (= (str.at x 1) "q"))"#,
        r#"(assert (= (str.++ x y) (str.++ "ab" z))) (assert (str.in_re x (re.+ (str.to_re "abc"))))
           (assert (str.in_re z (re.* (re.union (str.to_re "cab") (str.to_re "cd")))))
           (assert (> (str.len x) 8))"#,
        r#"(assert (str.in_re x (re.* (re.union (str.to_re "ab") (str.to_re "c")))))
           (assert (str.in_re x (re.* (str.to_re "abc")))) (assert (not (str.in_re x (str.to_re "abc"))))
           (assert (not (= x ""))) (assert (= (str.++ x "c") (str.++ y z))) (assert (= (str.len y) 2))"#,
        r#"(assert (= (str.++ x "a" y) z)) (assert (not (str.in_re z (re.* (re.range "a" "b")))))
           (assert (= (str.len z) 3))"#,
        // The occurrence that comes to mind first is not the first one.
        r#"(assert (= (str.indexof x "b" 0) i)) (assert (= (str.at x 2) "b")) (assert (= (str.at x 1) "b"))
           (assert (not (= i 0))) (assert (= (str.len x) 4))"#,
        // Words that must differ, of which the letters are given but not the lengths.
        r#"(assert (str.prefixof x "abcabc")) (assert (str.suffixof x "abcabc"))
           (assert (not (= x ""))) (assert (not (= x "abcabc"))) (assert (not (str.contains y x)))
           (assert (= (str.++ "ab" z) (str.++ y u))) (assert (= (str.len y) 2))"#,
        r#"(assert (str.prefixof x "aab")) (assert (not (str.prefixof x "aac"))) (assert (not (str.suffixof "x" x)))"#,
    ] {
        let problem = problem(&format!("{STRINGS}\n{text}"));
        let verdict = decide(&problem, 60);
        assert!(holds(&problem, &verdict), "{text}: {verdict:?}");
    }
}

#[test]
fn contradictions_of_letters_are_found() {
    for text in [
        r#"(assert (= (str.++ x y z) (str.++ u "key=12345;" v)))
           (assert (= (str.++ x y z) (str.++ x "-" u))) (assert (= (str.len x) (+ 4 (str.len u))))"#,
        r#"(assert (= (str.substr x 3 4) "abcd")) (assert (= (str.at x 5) "z"))"#,
        r#"(assert (str.prefixof "ab" x)) (assert (str.suffixof "cd" x)) (assert (= (str.len x) 3))"#,
        // The letters meet behind two variables.
        r#"(assert (= (str.++ "a" x) (str.++ y "b"))) (assert (= (str.++ y "c") (str.++ z x)))
           (assert (= (str.len x) 1)) (assert (= (str.len y) 1)) (assert (not (= z y)))
           (assert (= z "a")) (assert (= (str.++ x "a") (str.++ "b" y))) (assert (= x "c"))"#,
        r#"(assert (= x (ite b "ab" "ac"))) (assert (= (str.at x 1) "d"))"#,
        r#"(assert (= (str.++ x "a") (str.++ y "b")))"#,
        r#"(assert (= (str.replace x "key=" "k:") "abk:cd")) (assert (= (str.at x 0) "z"))
           (assert (= (str.len x) 8))"#,
        r#"(assert (= (str.++ x y) "abc")) (assert (str.in_re x (re.* (str.to_re "aaaa"))))
           (assert (str.in_re y (re.* (str.to_re "aaaa"))))"#,
        // Nothing of what is replaced stands before it.
        r#"(assert (str.prefixof "B" (str.replace x "B" "A")))"#,
        r#"(assert (not (= (str.suffixof "B" (str.replace x "B" "")) (str.suffixof "B" (str.replace x "B" "A")))))"#,
        r#"(assert (> (str.indexof x "b" i) 5)) (assert (= (str.at x 4) "b")) (assert (= i 3))"#,
        r#"(assert (= (str.indexof x "bc" 2) (- 1))) (assert (= (str.substr x 4 3) "abc"))"#,
        // Words that must differ but have the same cells, or the same letters.
        r#"(assert (= (str.++ x "b") (str.++ "a" y))) (assert (= (str.len y) 1)) (assert (not (= x "a")))"#,
        r#"(assert (= (str.++ x y) (str.++ z u))) (assert (= (str.len x) (str.len z))) (assert (< (str.len x) 3))
           (assert (not (= x z)))"#,
        r#"(assert (= x (str.++ y "ab" z))) (assert (= (str.at z 0) "c")) (assert (not (str.contains x "bc")))"#,
        r#"(assert (= (str.++ x y) "abc")) (assert (= (str.len x) 2)) (assert (not (str.suffixof x "xab")))"#,
        r#"(assert (= (str.len x) 0)) (assert (not (str.prefixof x y)))"#,
    ] {
        let problem = problem(&format!("{STRINGS}\n{text}"));
        let verdict = decide(&problem, 60);
        assert!(matches!(verdict, Verdict::Unsat(_)), "{text}: {verdict:?}");
    }
}

#[test]
fn nothing_that_is_said_of_a_planted_formula_excludes_its_model() {
    let count = std::env::var("LUTHIER_TERMS").map_or(400, |count| count.parse().unwrap());
    let mut found = 0;
    for stream in 0..count {
        let (generator, assertions) = planted(stream);
        let problem = Problem { pool: generator.pool.clone().into(), assertions };
        let verdict = decide(&problem, 2);
        assert!(!matches!(verdict, Verdict::Unsat(_)), "stream {stream}: {verdict:?}");
        found += u64::from(holds(&problem, &verdict));
    }
    assert!(found * 20 > count, "{found} models of {count}");
}
