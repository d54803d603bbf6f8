//! Preprocessing: what happens to a problem before the engines, and the way back for models.
//!
//! Rewriting; then [instances](crate::instances) instead of quantified formulas, and the
//! [elimination](crate::reduction) of functions, arrays and division by zero; then rewriting of what that
//! gives. Rewriting and elimination keep satisfiability, and each completes a model of its result to one
//! of its input; [`Preprocessed::complete_within`] does so in the reverse order. Instances are only
//! implied by the problem, so a model of them may be none of the problem
//! ([`Preprocessed::is_implied_only`]).

use luthier_semantics::{Interpretation, Model, Reason, Value};

use crate::instances::instantiated;
use crate::reduction::{Reduction, may_divide_by_zero, reduce};
use crate::rewrite::{Counts, Simplified, simplify};
use crate::{Budget, Problem, UnknownReason};

/// A problem as the engines get it.
pub(crate) struct Preprocessed {
    first: Simplified,
    /// What rewriting makes of the problem without quantifiers, functions and arrays.
    second: Option<Simplified>,
    /// The elimination of functions and arrays.
    reduction: Option<Reduction>,
    is_implied_only: bool,
    divides: bool,
}

impl Preprocessed {
    /// Preprocesses a problem; each rewriting has the time of `budget`.
    pub fn new(problem: &Problem, budget: impl Fn() -> Budget) -> Self {
        let first = simplify(problem, &budget());
        let (mut instances, mut reduction) = (None, None);
        if first.contradiction.is_none() {
            instances = instantiated(&first.problem, &budget());
            reduction = reduce(instances.as_ref().unwrap_or(&first.problem), &budget());
        }
        let changed = reduction.as_ref().map(|reduction| &reduction.problem).or(instances.as_ref());
        let second = changed.map(|problem| simplify(problem, &budget()));
        let is_implied_only = instances.is_some();
        Self { first, second, reduction, is_implied_only, divides: may_divide_by_zero(problem) }
    }

    fn last(&self) -> &Simplified {
        self.second.as_ref().unwrap_or(&self.first)
    }

    /// The problem that is left.
    pub fn problem(&self) -> &Problem {
        &self.last().problem
    }

    /// The argument of a refutation, if there is one.
    pub fn contradiction(&self) -> Option<&str> {
        self.last().contradiction.as_deref()
    }

    /// Whether the problem that is left is implied by the given one, but may have more models.
    pub fn is_implied_only(&self) -> bool {
        self.is_implied_only
    }

    /// How often each rule was applied.
    pub fn counts(&self) -> Counts {
        let mut counts = self.first.counts.clone();
        for (rule, count) in self.second.iter().flat_map(|simplified| &simplified.counts) {
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
        if let Some(simplified) = &self.second {
            reason = simplified.complete_within(model, budget)?;
        }
        if let Some(reduction) = &self.reduction {
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
