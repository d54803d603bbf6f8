//! The length-first engine (`cells`): lengths and offsets first, then letters at positions.
//!
//! Every string term is a word with a symbolic length. Operators become arithmetic over lengths and
//! offsets, plus embeddings: `part` occurs in `whole` at an offset, as the arguments of a
//! concatenation do, both sides of an equation, or a substring (see `constraints`). The arithmetic
//! solver chooses lengths, offsets and which equations hold. For such a candidate, equality of
//! letters is a reachability problem: letters of literals are propagated along embeddings (see
//! `letter_classes`). Two different letters in one class, or an occurrence at an excluded offset,
//! are a conflict; its negation is a lemma over lengths and offsets (see `lemma`,
//! `non_occurrence`), and the arithmetic solver is asked again. Without a conflict, the free
//! positions get letters from the automata of memberships or fresh ones, and the referee evaluates
//! the model (see `refinement`).
//!
//! Sound: all lemmas follow from the problem, so `unsat` needs no more than an empty core. Source:
//! ours. Letters of literals cost no arithmetic constants, so long literals are cheap. Limits:
//! those named `cells.*`; where one is hit, the answer is `unknown`.

mod candidate;
mod constraints;
mod fill;
mod lemma;
mod letter_classes;
mod non_occurrence;
mod refinement;

use luthier_semantics::Model;
use luthier_terms::PostOrder;

use crate::arithmetic::Backend;
use crate::problem::has_plain_constants;
use crate::{Budget, Engine, Problem, Proof, UnknownReason, Verdict};
use constraints::Constraints;
use refinement::Refinement;

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

    fn accepts(&self, problem: &Problem) -> Result<(), UnknownReason> {
        has_plain_constants(problem)?;
        let mut terms = PostOrder::new(&problem.pool, problem.assertions.iter().copied());
        match terms.any(|term| Constraints::relates_letters(&problem.pool, term)) {
            true => Ok(()),
            false => {
                Err(UnknownReason::Unsupported("no two strings have letters in common".to_owned()))
            }
        }
    }

    fn decide(&self, problem: &Problem, budget: &Budget) -> Verdict {
        match self.solve(problem, budget) {
            Ok(Some(model)) => Verdict::Sat(model),
            Ok(None) => {
                let argument =
                    "the lengths and offsets of its string terms are contradictory".to_owned();
                Verdict::Unsat(Proof { engine: self.name(), argument })
            }
            Err(reason) => Verdict::Unknown(reason),
        }
    }
}

impl Cells {
    /// A model, or `None` if there is none.
    fn solve(&self, problem: &Problem, budget: &Budget) -> Result<Option<Model>, UnknownReason> {
        let Some(constraints) = Constraints::new(problem, budget) else {
            budget.check()?;
            return Err(UnknownReason::Unsupported("a term without a length".to_owned()));
        };
        let mut solver = self.backend.start()?;
        for &formula in &constraints.abstraction.formulas {
            budget.check()?;
            solver.assert(&constraints.abstraction.arena, formula)?;
        }
        Refinement::new(problem, constraints, solver, budget).run()
    }
}
