//! Words as rows of cells: arithmetic chooses lengths and places, and then it is plain which cells
//! are the same.
//!
//! A string term is a row of as many cells as it is long. A concatenation has its parts inside, a
//! piece lies inside of its text, equal strings lie inside of each other, and so on. Arithmetic
//! chooses the lengths, the places and which equations hold. Cells that lie in the same place are
//! the same, so that letters of literals spread. If two different letters meet, the way on which
//! they met is a law that forbids it (see `lemma`), and arithmetic chooses again; likewise if a row
//! stands where it must not (see `apart`). If nothing is wrong, the rest of the cells get letters
//! that languages want, or letters of their own, and the referee looks at the model.
//!
//! All that arithmetic is told follows from the problem, so if it has no choice left, the problem
//! has no model.

mod apart;
mod board;
mod choice;
mod fill;
mod lemma;
mod reading;
mod rounds;

use luthier_semantics::Model;
use luthier_terms::PostOrder;

use crate::arithmetic::Backend;
use crate::problem::has_plain_constants;
use crate::{Budget, Engine, Problem, Proof, Verdict, Why};
use reading::Reading;
use rounds::Rounds;

/// The engine.
#[derive(Clone, Debug)]
pub struct Cells {
    /// The arithmetic solver.
    pub backend: Backend,
}

impl Engine for Cells {
    fn name(&self) -> &'static str {
        "cells"
    }

    fn accepts(&self, problem: &Problem) -> Result<(), Why> {
        has_plain_constants(problem)?;
        let mut terms = PostOrder::new(&problem.pool, problem.assertions.iter().copied());
        match terms.any(|term| Reading::relates_letters(&problem.pool, term)) {
            true => Ok(()),
            false => Err(Why::Unsupported("no two strings have letters in common".to_owned())),
        }
    }

    fn decide(&self, problem: &Problem, budget: &Budget) -> Verdict {
        match self.solve(problem, budget) {
            Ok(Some(model)) => Verdict::Sat(model),
            Ok(None) => {
                let argument = "no lengths let the letters of its equations agree".to_owned();
                Verdict::Unsat(Proof { engine: self.name(), argument })
            }
            Err(why) => Verdict::Unknown(why),
        }
    }
}

impl Cells {
    /// A model, or `None` if there is none.
    fn solve(&self, problem: &Problem, budget: &Budget) -> Result<Option<Model>, Why> {
        let Some(reading) = Reading::new(problem, budget) else {
            budget.check()?;
            return Err(Why::Unsupported("a term without a length".to_owned()));
        };
        let mut solver = self.backend.start()?;
        for &formula in &reading.conditions.formulas {
            budget.check()?;
            solver.assert(&reading.conditions.arena, formula)?;
        }
        Rounds::new(problem, reading, solver, budget).run()
    }
}
