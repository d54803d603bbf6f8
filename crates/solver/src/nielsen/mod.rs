//! Word equations with lengths, by Nielsen's transformations.
//!
//! The equations of a problem span a graph of systems (see `graph`). Every way to the empty system
//! is a family of solutions: what is left of a variable at the end is free, and a cycle on the way
//! can be gone through any number of times. The lengths along a way are linear forms over these
//! choices (see `lengths`); arithmetic says which choices satisfy what else the problem says
//! about lengths, and each candidate is evaluated. If the graph is finite and the empty system not
//! in it, the equations have no solution, so the problem has no model.

mod candidates;
mod graph;
mod lengths;
mod reading;
mod spell;
mod system;
mod walk;

use luthier_semantics::Model;

use crate::arithmetic::Backend;
use crate::{Budget, Engine, Limit, Problem, Proof, UnknownReason, Verdict};
use candidates::Candidates;
use graph::Graph;
use reading::Reading;
use walk::Walks;

/// The walks are tried when the graph has this part of its largest size.
const STAGES: [usize; 4] = [1_000, 100, 10, 1];

/// The engine.
#[derive(Clone, Debug)]
pub struct Nielsen {
    /// The arithmetic solver.
    pub backend: Backend,
}

impl Engine for Nielsen {
    fn name(&self) -> &'static str {
        "nielsen"
    }

    fn accepts(&self, problem: &Problem) -> Result<(), UnknownReason> {
        let mut assertions = problem.assertions.iter();
        match assertions.any(|&one| Reading::is_word_equation(&problem.pool, one)) {
            true => Ok(()),
            false => Err(UnknownReason::Unsupported("no word equations".to_owned())),
        }
    }

    fn decide(&self, problem: &Problem, budget: &Budget) -> Verdict {
        let reading = Reading::new(problem, budget);
        if reading.equations.is_empty() {
            budget.limits().hit(Limit::NielsenEquation);
            return Verdict::Unknown(UnknownReason::Incomplete(
                "all word equations are too long".to_owned(),
            ));
        }
        let Some(graph) = Graph::new(reading.equations.clone()) else {
            return self.unsat();
        };
        // A candidate is right only by chance if there is more to say than lengths.
        let guessing = budget.limits().time(Limit::NielsenGuessTime);
        let share = budget.left().map_or(guessing, |left| left / 5);
        let exact = reading.is_exact(problem);
        let budget = if exact { budget.clone() } else { budget.at_most(share) };
        match self.explore(problem, &reading, graph, &budget) {
            Ok(Some(model)) => Verdict::Sat(model),
            Ok(None) => self.unsat(),
            Err(reason) => Verdict::Unknown(reason),
        }
    }
}

/// Whether a problem says nothing but word equations and lengths, so that every walk with the
/// right lengths is a model.
pub(crate) fn suits(problem: &Problem, budget: &Budget) -> bool {
    let reading = Reading::new(problem, budget);
    !reading.equations.is_empty() && reading.is_exact(problem)
}

impl Nielsen {
    fn unsat(&self) -> Verdict {
        let argument = "no way of matching its word equations from left to right".to_owned();
        Verdict::Unsat(Proof { engine: self.name(), argument })
    }

    /// A model, or `None` if there is none.
    fn explore(
        &self,
        problem: &Problem,
        reading: &Reading,
        mut graph: Graph,
        budget: &Budget,
    ) -> Result<Option<Model>, UnknownReason> {
        let mut candidates = Candidates::new(problem, reading, &self.backend, budget);
        let is_free = reading.conditions.is_empty();
        if let Some(model) = candidates.uniform(budget)? {
            return Ok(Some(model));
        }
        let systems = budget.limit(Limit::NielsenSystems);
        for part in STAGES {
            graph.expand(systems / part, is_free, budget)?;
            if graph.solved.is_none() && graph.is_complete() {
                return Ok(None);
            }
            if let Some(mut walks) = Walks::new(&graph, budget.limit(Limit::NielsenCycles)) {
                for _ in 0..budget.limit(Limit::NielsenWalks) {
                    let Some(walk) = walks.next(budget)? else { break };
                    if let Some(model) = candidates.along(&walk, budget)? {
                        return Ok(Some(model));
                    }
                }
            }
            if graph.is_exhausted() {
                break;
            }
        }
        if !graph.is_exhausted() {
            budget.limits().hit(Limit::NielsenSystems);
        }
        Err(UnknownReason::Incomplete("no walk has the right lengths".to_owned()))
    }
}
