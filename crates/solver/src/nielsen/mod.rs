//! Word equations with length constraints, by Nielsen transformations.
//!
//! A Nielsen transformation is a case distinction on the first symbols of an equation: `x·u = a·v`
//! gives `x ↦ ε` or `x ↦ a·x`. The systems that arise are the nodes of a graph (see `graph`). Every
//! walk to the empty system is a family of solutions: what remains of a variable at the end is
//! free, and cycles on the walk can be iterated any number of times, so `ab·x = x·ba` has solutions
//! of every odd length. The lengths along a walk are linear forms over these parameters (see
//! `lengths`); the arithmetic solver chooses parameters that satisfy the length constraints of the
//! problem, and each candidate is evaluated.
//!
//! Sound: every solution of a system corresponds to one of a successor. `unsat` is reported only if
//! the graph is complete and does not contain the empty system, or if an equation is contradictory
//! at once. Source: Lin, Majumdar: Quadratic Word Equations with Length Constraints, Counter
//! Systems, and Presburger Arithmetic with Divisibility (ATVA 2018), counter systems along the
//! graph. Limits: those named `nielsen.*`; constraints other than equations and lengths are only
//! evaluated, so candidates satisfy them by chance.

mod candidates;
mod graph;
mod instantiate;
mod lengths;
mod system;
mod walk;
mod word_equations;

use luthier_semantics::Model;

use crate::arithmetic::Backend;
use crate::{Budget, Engine, Limit, Problem, Proof, UnknownReason, Verdict};
use candidates::Candidates;
use graph::Graph;
pub(crate) use system::{Equation, Symbol, Word, normalise, substitute, substitute_word};
use walk::Walks;
use word_equations::WordEquations;

/// Walks are tried when the graph has this fraction of its maximal size.
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
        match assertions.any(|&one| WordEquations::is_word_equation(&problem.pool, one)) {
            true => Ok(()),
            false => Err(UnknownReason::Unsupported("no word equations".to_owned())),
        }
    }

    fn decide(&self, problem: &Problem, budget: &Budget) -> Verdict {
        let word_equations = WordEquations::new(problem, budget);
        if word_equations.equations.is_empty() {
            budget.limits().hit(Limit::NielsenEquation);
            return Verdict::Unknown(UnknownReason::Incomplete(
                "all word equations are too long".to_owned(),
            ));
        }
        let Some(graph) = Graph::new(word_equations.equations.clone()) else {
            return self.unsat();
        };
        // With constraints other than on lengths, a candidate is a model only by chance, so less
        // time is spent.
        let guessing = budget.limits().time(Limit::NielsenGuessTime);
        let share = budget.left().map_or(guessing, |left| left / 5);
        let exact = word_equations.has_only_length_conditions(problem);
        let budget = if exact { budget.clone() } else { budget.at_most(share) };
        match self.explore(problem, &word_equations, graph, &budget) {
            Ok(Some(model)) => Verdict::Sat(model),
            Ok(None) => self.unsat(),
            Err(reason) => Verdict::Unknown(reason),
        }
    }
}

/// Whether a problem consists of word equations and length constraints, so that every walk whose
/// lengths satisfy these is a model.
pub(crate) fn has_only_length_conditions(problem: &Problem, budget: &Budget) -> bool {
    let word_equations = WordEquations::new(problem, budget);
    !word_equations.equations.is_empty() && word_equations.has_only_length_conditions(problem)
}

impl Nielsen {
    fn unsat(&self) -> Verdict {
        let argument =
            "no path of Nielsen transformations leads from its word equations to the empty system"
                .to_owned();
        Verdict::Unsat(Proof { engine: self.name(), argument })
    }

    /// A model, or `None` if there is none.
    fn explore(
        &self,
        problem: &Problem,
        word_equations: &WordEquations,
        mut graph: Graph,
        budget: &Budget,
    ) -> Result<Option<Model>, UnknownReason> {
        let mut candidates = Candidates::new(problem, word_equations, &self.backend, budget);
        let is_unconditional = word_equations.conditions.is_empty();
        if let Some(model) = candidates.single_letter(budget)? {
            return Ok(Some(model));
        }
        let systems = budget.limit(Limit::NielsenSystems);
        for part in STAGES {
            graph.expand(systems / part, is_unconditional, budget)?;
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
        Err(UnknownReason::Incomplete(
            "no walk that was tried has lengths that satisfy the constraints".to_owned(),
        ))
    }
}
