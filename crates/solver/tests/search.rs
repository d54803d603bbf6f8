//! The local search: its models are valid, and it never refutes anything.

use crate::common;

use common::{planted, problem};
use luthier_semantics::Evaluator;
use luthier_solver::{Budget, Cancel, Portfolio, Problem, Verdict, strategy};

fn run(problem: &Problem, seed: u64) -> Verdict {
    let entry = strategy::engine("search").unwrap();
    let engine = entry.build(&Portfolio { seed, ..Portfolio::default() }).unwrap();
    engine.run(problem, &entry.slice(&Budget::until_cancelled(Cancel::new())))
}

#[test]
fn its_models_are_models() {
    let mut found = 0;
    for stream in 0..60 {
        let (generator, assertions) = planted(stream);
        let problem = Problem { pool: generator.pool.into(), assertions };
        if let Verdict::Sat(model) = run(&problem, stream) {
            found += 1;
            let mut evaluator = Evaluator::new(&problem.pool, &model);
            for &assertion in &problem.assertions {
                assert!(evaluator.evaluate(assertion).is_true(), "{stream}");
            }
        }
    }
    assert!(found >= 10, "{found} models");
}

#[test]
fn it_never_refutes_anything() {
    let problem = problem("(declare-const x String) (assert (not (= x x)))");
    assert!(matches!(run(&problem, 1), Verdict::Unknown(_)));
}

#[test]
fn strings_that_are_too_long_to_build_are_not_guessed() {
    let long = "a".repeat(15_000);
    let problem = problem(&format!(
        "(declare-const x String) (declare-const y String) (assert (= x \"{long}\"))\n\
         (assert (= (str.++ x x) (str.++ y x x))) (assert (= y \"b\"))"
    ));
    for seed in 0..5 {
        assert!(!matches!(run(&problem, seed), Verdict::Sat(_)));
    }
}
