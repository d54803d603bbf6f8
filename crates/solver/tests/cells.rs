//! The length-first engine: it finds models of planted formulas and never refutes one.

use crate::common;

use std::time::Duration;

use common::planted;
use luthier_semantics::Evaluator;
use luthier_solver::{Budget, Cancel, Problem, Verdict};

fn decide(problem: &Problem, seconds: u64) -> Verdict {
    let budget = Budget::until_cancelled(Cancel::new()).at_most(Duration::from_secs(seconds));
    common::engine("cells").run(problem, &budget)
}

/// Whether the referee evaluates all assertions to true.
fn holds(problem: &Problem, verdict: &Verdict) -> bool {
    let Verdict::Sat(model) = verdict else { return false };
    let mut evaluator = Evaluator::new(&problem.pool, model);
    problem.assertions.iter().all(|&one| evaluator.evaluate(one).is_true())
}

#[test]
fn no_planted_formula_is_refuted() {
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
