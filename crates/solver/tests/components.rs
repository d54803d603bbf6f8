//! The component portfolio: each component is decided by the engine that accepts it.

use crate::common;

use std::time::Duration;

use common::problem;
use luthier_semantics::Evaluator;
use luthier_solver::{Budget, Cancel, ComponentPortfolio, Engine, EngineReport, Problem, Verdict};

fn decide(problem: &Problem) -> (Verdict, Vec<EngineReport>) {
    let parts = ComponentPortfolio::new(&common::portfolio());
    let budget = Budget::until_cancelled(Cancel::new()).at_most(Duration::from_secs(60));
    let mut reports = Vec::new();
    let verdict = parts.run_with_reports(problem, &budget, &mut |report| reports.push(report));
    (verdict, reports)
}

fn names(reports: &[EngineReport]) -> Vec<&'static str> {
    reports.iter().map(|report| report.engine).collect()
}

/// One component for each engine: a language, a word equation, a position, and a number.
const COMPONENTS: &str = r#"
    (declare-const a String) (declare-const x String) (declare-const y String)
    (declare-const s String) (declare-const n Int)
    (assert (str.in_re a (re.+ (str.to_re "abc"))))
    (assert (= (str.++ x "ab" y) (str.++ y "ba" x)))
    (assert (= (str.indexof s "b" 2) n)) (assert (= n 4))
    (declare-const d String) (assert (= (str.to_int (str.++ d "0")) 1230))"#;

#[test]
fn models_of_the_components_are_a_model_of_the_problem() {
    let problem = problem(COMPONENTS);
    let (verdict, reports) = decide(&problem);
    let Verdict::Sat(model) = verdict else { panic!("{verdict:?}") };
    let mut evaluator = Evaluator::new(&problem.pool, &model);
    for &assertion in &problem.assertions {
        assert!(evaluator.evaluate(assertion).is_true());
    }
    assert_eq!(names(&reports), ["languages", "nielsen", "cells", "noodles", "flat"]);
    assert_eq!(reports[4].outcome, "sat");
}

#[test]
fn an_unsatisfiable_component_decides() {
    let (verdict, reports) = decide(&problem(&format!(
        r#"{COMPONENTS}
        (declare-const b String)
        (assert (str.in_re b (re.+ (str.to_re "aa")))) (assert (= (str.len b) 7))"#
    )));
    let Verdict::Unsat(proof) = verdict else { panic!("{verdict:?}") };
    assert_eq!(proof.engine, "languages");
    assert_eq!(names(&reports), ["languages"]);
}
