//! Preprocessing: what happens to a problem before the engines, and the way back for models.
//!
//! Rewriting, then the [elimination](crate::reduction) of functions, arrays and division by zero, then
//! rewriting of what that gives. Each step keeps satisfiability (where terms with bound variables stay,
//! its result is implied by the problem), and each completes a model of its result to one of its input;
//! [`Preprocessed::complete_within`] does so in the reverse order.

use luthier_semantics::{Interpretation, Model, Reason, Value};

use crate::reduction::{Reduction, may_divide_by_zero, reduce};
use crate::rewrite::{Counts, Simplified, simplify};
use crate::{Budget, Problem, UnknownReason};

/// A problem as the engines get it.
pub(crate) struct Preprocessed {
    first: Simplified,
    /// The problem without functions and arrays, and what rewriting makes of it.
    second: Option<(Reduction, Simplified)>,
    divides: bool,
}

impl Preprocessed {
    /// Preprocesses a problem; each rewriting has the time of `budget`.
    pub fn new(problem: &Problem, budget: impl Fn() -> Budget) -> Self {
        let first = simplify(problem, &budget());
        let second = match first.contradiction {
            Some(_) => None,
            None => reduce(&first.problem, &budget()).map(|reduction| {
                let simplified = simplify(&reduction.problem, &budget());
                (reduction, simplified)
            }),
        };
        Self { first, second, divides: may_divide_by_zero(problem) }
    }

    fn last(&self) -> &Simplified {
        self.second.as_ref().map_or(&self.first, |(_, simplified)| simplified)
    }

    /// The problem that is left.
    pub fn problem(&self) -> &Problem {
        &self.last().problem
    }

    /// The argument of a refutation, if there is one.
    pub fn contradiction(&self) -> Option<&str> {
        self.last().contradiction.as_deref()
    }

    /// How often each rule was applied.
    pub fn counts(&self) -> Counts {
        let mut counts = self.first.counts.clone();
        for (rule, count) in self.second.iter().flat_map(|(_, simplified)| &simplified.counts) {
            *counts.entry(rule).or_default() += count;
        }
        counts
    }

    /// Extends a model of the problem that is left to one of the problem as it was given. Returns the
    /// reason why the definition of an eliminated constant could not be evaluated, if that happened.
    pub fn complete_within(
        &self,
        model: &mut Model,
        budget: &Budget,
    ) -> Result<Option<Reason>, UnknownReason> {
        let mut reason = None;
        if let Some((reduction, simplified)) = &self.second {
            reason = simplified.complete_within(model, budget)?;
            reduction.complete_within(model, budget)?;
        }
        if self.divides {
            // Where nothing depends on it, any function will do.
            let zero = || Interpretation::Value(Value::Int(0.into()));
            model.division_by_zero.get_or_insert_with(zero);
            model.modulo_by_zero.get_or_insert_with(zero);
        }
        Ok(reason.or(self.first.complete_within(model, budget)?))
    }
}
