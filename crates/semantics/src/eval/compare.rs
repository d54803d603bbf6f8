//! Equality, `distinct`, connectives and orders, also with undecided arguments.

use luthier_terms::TermId;
use num_traits::Zero;
use rustc_hash::FxHashSet;

use super::Evaluator;
use super::outcome::{Outcome, reasons};
use crate::limits::Exhausted;
use crate::{ArrayValue, Value};

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Holds,
    Fails,
    /// Undecided: the comparison of languages exceeds its limit.
    Unsure,
}

/// The reason why two values could not be compared.
pub(super) enum ComparisonError {
    Undecided,
    Exhausted,
}

impl From<Exhausted> for ComparisonError {
    fn from(_: Exhausted) -> Self {
        Self::Exhausted
    }
}

impl Evaluator<'_> {
    /// `=` of two or more terms, as far as their values are known: all are the same.
    pub(super) fn all_equal(&mut self, known: &[&Value]) -> Result<Comparison, Exhausted> {
        let mut comparison = Comparison::Holds;
        if let [first, others @ ..] = known {
            for other in others {
                match self.equal(first, other)? {
                    Some(true) => {}
                    Some(false) => return Ok(Comparison::Fails),
                    None => comparison = Comparison::Unsure,
                }
            }
        }
        Ok(comparison)
    }

    /// `distinct`, as far as the values are known: no two are the same.
    pub(super) fn all_distinct(&mut self, known: &[&Value]) -> Result<Comparison, Exhausted> {
        self.budget.charge(known.iter().map(|value| value.size()).sum::<usize>() / 64)?;
        let keys: Option<Vec<_>> = known.iter().map(|value| value.key()).collect();
        if let Some(keys) = keys {
            let mut seen = FxHashSet::default();
            let distinct = keys.into_iter().all(|key| seen.insert(key));
            return Ok(if distinct { Comparison::Holds } else { Comparison::Fails });
        }
        let mut comparison = Comparison::Holds;
        for (position, left) in known.iter().enumerate() {
            for right in &known[..position] {
                match self.equal(left, right)? {
                    Some(true) => return Ok(Comparison::Fails),
                    Some(false) => {}
                    None => comparison = Comparison::Unsure,
                }
            }
        }
        Ok(comparison)
    }

    /// Whether two values of one sort are equal; `None` if that exceeds a limit.
    pub(super) fn equal(&mut self, left: &Value, right: &Value) -> Result<Option<bool>, Exhausted> {
        match self.same(left, right) {
            Ok(same) => Ok(Some(same)),
            Err(ComparisonError::Undecided) => Ok(None),
            Err(ComparisonError::Exhausted) => Err(Exhausted),
        }
    }

    /// The element of an array at an index.
    pub(super) fn select(
        &mut self,
        array: &ArrayValue,
        index: &Value,
    ) -> Result<Value, ComparisonError> {
        array.select(index, |left, right| self.same(left, right)).cloned()
    }

    fn same(&mut self, left: &Value, right: &Value) -> Result<bool, ComparisonError> {
        match (left, right) {
            (Value::RegLan(left), Value::RegLan(right)) => {
                let steps = self.limits.comparison_steps.min(self.budget.left());
                let mut budget = self.budget.part(steps);
                let answer = self.regexes.equivalent(left, right, &mut budget);
                self.budget.charge_part(steps, &budget)?;
                answer.map_err(|_| ComparisonError::Undecided)
            }
            (Value::Array(left), Value::Array(right)) => {
                let mut same = |left: &Value, right: &Value| self.same(left, right);
                left.equal(right, &mut same)
            }
            _ => {
                self.budget.charge(left.size().min(right.size()) / 64)?;
                Ok(left == right)
            }
        }
    }
}

/// Whether all are one term.
pub(super) fn are_one_term(children: &[TermId]) -> bool {
    children.split_first().is_some_and(|(first, others)| others.iter().all(|child| child == first))
}

/// Whether a term occurs twice.
pub(super) fn has_repetition(children: &[TermId]) -> bool {
    let mut seen = FxHashSet::default();
    !children.iter().all(|child| seen.insert(child))
}

/// `and` for `all`, otherwise `or`, if no argument decides it alone.
pub(super) fn conjunction(outcomes: &[Outcome], all: bool) -> Outcome {
    if outcomes.iter().any(|outcome| outcome.as_bool() == Some(!all)) {
        return Outcome::known(!all);
    }
    reasons(outcomes).map_or_else(|| Outcome::known(all), Outcome::Undecided)
}

/// `(=> a b c)` is `(or (not a) (not b) c)`.
pub(super) fn implication(outcomes: &[Outcome]) -> Outcome {
    let (conclusion, premises) = outcomes.split_last().expect("there are two or more arguments");
    if conclusion.as_bool() == Some(true)
        || premises.iter().any(|premise| premise.as_bool() == Some(false))
    {
        return Outcome::known(true);
    }
    reasons(outcomes).map_or_else(|| Outcome::known(false), Outcome::Undecided)
}

/// An order on two or more arguments: it holds between neighbours.
pub(super) fn chain(outcomes: &[Outcome], holds: fn(&Value, &Value) -> bool) -> Outcome {
    let fails = |pair: &[Outcome]| match (pair[0].value(), pair[1].value()) {
        (Some(left), Some(right)) => !holds(left, right),
        _ => false,
    };
    if outcomes.windows(2).any(fails) {
        return Outcome::known(false);
    }
    reasons(outcomes).map_or_else(|| Outcome::known(true), Outcome::Undecided)
}

pub(super) fn is_zero(outcome: &Outcome) -> bool {
    matches!(outcome.value(), Some(Value::Int(number)) if number.is_zero())
}
