//! The result of an evaluation: a value, or the reasons why it is undecided.

use std::sync::Arc;

use luthier_terms::{FunctionId, TermId};

use crate::Value;

/// The value of a term under a model, if it is decided.
#[derive(Clone, Debug, PartialEq)]
pub enum Evaluation {
    /// This value, whatever the values of undecided subterms are.
    Known(Value),
    /// Undecided, with the reasons.
    Undecided(Reasons),
}

impl Evaluation {
    /// The value, if it is known.
    pub fn known(&self) -> Option<&Value> {
        match self {
            Self::Known(value) => Some(value),
            Self::Undecided(_) => None,
        }
    }

    /// Whether the value is known to be `true` or known to be `false`.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Known(Value::Bool(value)) => Some(*value),
            _ => None,
        }
    }

    /// Whether the value is known to be `true`.
    pub fn is_true(&self) -> bool {
        self.as_bool() == Some(true)
    }

    /// Whether the value is known to be `false`.
    pub fn is_false(&self) -> bool {
        self.as_bool() == Some(false)
    }

    /// The reasons why it is undecided; `None` if it is known.
    pub fn reasons(&self) -> Option<&Reasons> {
        match self {
            Self::Known(_) => None,
            Self::Undecided(reasons) => Some(reasons),
        }
    }
}

/// A reason why a value is undecided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reason {
    /// The function is declared and the model does not interpret it.
    MissingValue(FunctionId),
    /// The interpretation of the function does not have the sorts of its declaration.
    UnfitInterpretation(FunctionId),
    /// The variable is not bound.
    UnboundVariable(TermId),
    /// The term divides by zero and the model does not interpret that.
    DivisionByZero(TermId),
    /// The term takes a remainder by zero and the model does not interpret that.
    ModuloByZero(TermId),
    /// The quantifier ranges over infinitely many values and its body depends on them.
    Quantifier(TermId),
    /// Unfolding the function does not terminate, or not within the limit.
    RecursionLimit(FunctionId),
    /// Comparing the languages in the term took more steps than the limit allows.
    LanguageComparison(TermId),
    /// Matching in the term took more steps or memory than the limits allow.
    RegexLimit(TermId),
    /// The value of the term is a larger string or integer than the limits allow.
    SizeLimit(TermId),
    /// The values that are in use at the same time take more memory than the limit allows.
    MemoryLimit(TermId),
    /// The evaluation as a whole took more steps than the limit allows.
    StepLimit,
    /// The evaluations took more processor time than the limit allows.
    TimeLimit,
}

impl Reason {
    /// Whether a value may be found with other limits.
    pub fn is_limit(self) -> bool {
        match self {
            Self::RecursionLimit(_)
            | Self::LanguageComparison(_)
            | Self::RegexLimit(_)
            | Self::SizeLimit(_)
            | Self::MemoryLimit(_)
            | Self::StepLimit
            | Self::TimeLimit => true,
            Self::MissingValue(_)
            | Self::UnfitInterpretation(_)
            | Self::UnboundVariable(_)
            | Self::DivisionByZero(_)
            | Self::ModuloByZero(_)
            | Self::Quantifier(_) => false,
        }
    }
}

/// A set of reasons: not empty, ordered, without repetition, cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reasons(Arc<[Reason]>);

impl Reasons {
    /// The maximal number of reasons, the smallest ones. Otherwise, under an empty model, every
    /// term would carry a list of all its constants.
    pub const MAXIMUM: usize = 1000;

    /// The set of one reason.
    pub fn one(reason: Reason) -> Self {
        Self(Arc::new([reason]))
    }

    /// The reasons of both.
    pub fn union(&self, other: &Self) -> Self {
        if Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0 {
            return self.clone();
        }
        let mut all = [&*self.0, &*other.0].concat();
        all.sort_unstable();
        all.dedup();
        all.truncate(Self::MAXIMUM);
        if *all == *self.0 {
            return self.clone();
        }
        if *all == *other.0 { other.clone() } else { Self(all.into()) }
    }

    /// The reasons in their order.
    pub fn iter(&self) -> impl Iterator<Item = Reason> {
        self.0.iter().copied()
    }

    /// The reasons in their order; never empty.
    pub fn as_slice(&self) -> &[Reason] {
        &self.0
    }

    /// Whether this is one of them.
    pub fn contains(&self, reason: Reason) -> bool {
        self.0.binary_search(&reason).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_union_is_ordered_and_names_every_reason_once() {
        let mut pool = luthier_terms::TermPool::new();
        let one = Reason::DivisionByZero(pool.integer(1).unwrap());
        let two = Reason::DivisionByZero(pool.integer(2).unwrap());
        let left = Reasons::one(two).union(&Reasons::one(one));
        let right = Reasons::one(Reason::StepLimit).union(&left);
        assert_eq!(right.as_slice(), [one, two, Reason::StepLimit]);
        assert_eq!(right.union(&left), right);
        assert!(right.contains(two) && !left.contains(Reason::StepLimit));
    }
}
