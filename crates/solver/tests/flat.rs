//! The flat engine on real problems, with a real arithmetic solver.

use crate::common;

use std::time::Duration;

use common::{VARIATIONS, commuting, planted};
use luthier_semantics::Evaluator;
use luthier_solver::{Budget, Cancel, Engine, Problem, UnknownReason, Verdict};

fn engine() -> Box<dyn Engine> {
    common::engine("flat")
}

fn budget(seconds: u64) -> Budget {
    Budget::until_cancelled(Cancel::new()).at_most(Duration::from_secs(seconds))
}

/// Expects a model that the referee accepts.
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
fn cancellation_ends_the_work() {
    let cancel = Cancel::new();
    cancel.cancel();
    let verdict = engine()
        .run(&commuting(["123456", "12345", "a"], 21, false), &Budget::until_cancelled(cancel));
    assert!(matches!(verdict, Verdict::Unknown(UnknownReason::Cancelled)), "{verdict:?}");
}
