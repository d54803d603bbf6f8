//! The abstraction engine: what it proves, and that it never refutes a satisfiable formula.

use crate::common;

use std::time::Duration;

use common::{planted, problem};
use luthier_solver::arithmetic::Backend;
use luthier_solver::{Budget, Cancel, Portfolio, Problem, UnknownReason, Verdict, strategy};
use luthier_terms::{Op, SmtString, Sort, TermPool};

fn budget() -> Budget {
    Budget::until_cancelled(Cancel::new()).at_most(Duration::from_secs(20))
}

const DECLARATIONS: &str = "(declare-const x String)(declare-const y String)\
    (declare-const z String)(declare-const i Int)(declare-const j Int)";

#[test]
fn a_formula_around_a_model_is_never_refuted() {
    // `LUTHIER_TERMS` asks for more formulas than usual.
    let count = std::env::var("LUTHIER_TERMS").map_or(60, |count| count.parse().unwrap());
    let engine = common::engine("abstraction");
    let short = || Budget::until_cancelled(Cancel::new()).at_most(Duration::from_secs(2));
    let mut refined = 0;
    for stream in 0..count {
        let (generator, assertions) = planted(stream);
        let problem = Problem { pool: generator.pool.into(), assertions };
        match engine.run(&problem, &short()) {
            Verdict::Unknown(UnknownReason::Incomplete(reason)) => {
                refined += u64::from(!reason.contains("after 0 rounds"));
            }
            Verdict::Unknown(UnknownReason::Timeout) => {}
            other => panic!("{stream}: {other:?}"),
        }
    }
    // On a slow machine many run out of time, but facts were added to all of them.
    assert!(refined > 0, "no model was refined");
}

#[test]
fn a_hundred_thousand_levels_are_no_problem() {
    let mut pool = TermPool::new();
    let name = pool.symbols_mut().intern(b"x").unwrap();
    let x = pool.declare(name, vec![], Sort::String).unwrap();
    let x = pool.apply(x, &[]).unwrap();
    let a = pool.string(SmtString::from_text("a").unwrap()).unwrap();
    let mut term = x;
    for _ in 0..100_000 {
        term = pool.op(Op::StrConcat, &[a, term]).unwrap();
    }
    let formula = pool.op(Op::Eq, &[term, x]).unwrap();
    let budget = Budget::until_cancelled(Cancel::new()).at_most(Duration::from_secs(3));
    let problem = Problem { pool: pool.into(), assertions: vec![formula] };
    let verdict = common::engine("abstraction").run(&problem, &budget);
    assert!(
        !matches!(verdict, Verdict::Sat(_) | Verdict::Unknown(UnknownReason::Failed(_))),
        "{verdict:?}"
    );
}

#[test]
fn a_missing_arithmetic_solver_is_said() {
    let backend = Backend::z3("no-such-program-anywhere");
    let portfolio = Portfolio { backend: Some(backend), ..Portfolio::default() };
    let engine = strategy::engine("abstraction").unwrap().build(&portfolio).unwrap();
    let verdict = engine.run(&problem(DECLARATIONS), &budget());
    assert!(matches!(verdict, Verdict::Unknown(UnknownReason::Failed(_))), "{verdict:?}");
}
