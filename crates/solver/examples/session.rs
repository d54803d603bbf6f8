//! A session of the library: text and terms, levels, a model as values.
//!
//! `cargo run --release -p luthier-solver --example session`

use luthier_solver::{Answer, Settings, Solver, SolverError};

fn main() -> Result<(), SolverError> {
    let mut solver = Solver::new(Settings::find());
    solver.run(r#"(declare-const x String) (assert (= (str.++ x "b") "ab"))"#)?;
    let Answer::Sat(model) = solver.check()? else { panic!("x is a") };
    assert_eq!(model.value("x"), Some("\"a\""));
    solver.push();
    let formula = solver.formula(r#"(str.contains x "c")"#)?;
    solver.assert(formula);
    assert!(matches!(solver.check()?, Answer::Unsat));
    solver.pop();
    Ok(())
}
