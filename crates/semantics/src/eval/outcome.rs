//! Outcomes: evaluations that are cheap to share between terms.

use std::rc::Rc;

use crate::{Evaluation, Reason, Reasons, Value};

/// What a term is worth, shared.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    Known(Rc<Value>),
    Undecided(Reasons),
}

impl Outcome {
    pub(super) fn known(value: impl Into<Value>) -> Self {
        Self::Known(Rc::new(value.into()))
    }

    pub(super) fn because(reason: Reason) -> Self {
        Self::Undecided(Reasons::one(reason))
    }

    pub(super) fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Known(value) => match **value {
                Value::Bool(value) => Some(value),
                _ => None,
            },
            Self::Undecided(_) => None,
        }
    }

    pub(super) fn value(&self) -> Option<&Value> {
        match self {
            Self::Known(value) => Some(value),
            Self::Undecided(_) => None,
        }
    }

    pub(super) fn into_evaluation(self) -> Evaluation {
        match self {
            Self::Known(value) => Evaluation::Known(Rc::unwrap_or_clone(value)),
            Self::Undecided(reasons) => Evaluation::Undecided(reasons),
        }
    }
}

/// The reasons of all undecided outcomes together; `None` if all are known.
pub(super) fn reasons(outcomes: &[Outcome]) -> Option<Reasons> {
    outcomes.iter().fold(None, |reasons: Option<Reasons>, outcome| match (reasons, outcome) {
        (None, Outcome::Undecided(these)) => Some(these.clone()),
        (Some(reasons), Outcome::Undecided(these)) => Some(reasons.union(these)),
        (reasons, Outcome::Known(_)) => reasons,
    })
}

/// Undecided for the reasons of the outcomes, of which at least one is undecided.
pub(super) fn undecided(outcomes: &[Outcome]) -> Outcome {
    Outcome::Undecided(reasons(outcomes).expect("one of the outcomes is undecided"))
}
