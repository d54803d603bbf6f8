//! Outcomes: shared, reference-counted evaluation results, with accounting of memory.

use std::cell::Cell;
use std::rc::Rc;

use crate::{Evaluation, Reason, Reasons, Value};

/// The result for a term, shared.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    Known(Rc<Known>),
    Undecided(Reasons),
}

/// A value that is shared.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) value: Value,
    /// Accounts for the memory of a large value while it is in use.
    _held: Option<MemoryReservation>,
}

/// Memory that is in use by a value of an evaluation.
#[derive(Debug)]
pub(super) struct MemoryReservation {
    bytes: usize,
    total: Rc<Cell<usize>>,
}

impl MemoryReservation {
    /// Accounts for these bytes until it is dropped; `None` if the limit would be exceeded.
    pub(super) fn new(total: &Rc<Cell<usize>>, bytes: usize, limit: u64) -> Option<Self> {
        let sum = total.get().checked_add(bytes).filter(|&sum| sum as u64 <= limit)?;
        total.set(sum);
        Some(Self { bytes, total: Rc::clone(total) })
    }
}

impl Drop for MemoryReservation {
    fn drop(&mut self) {
        self.total.set(self.total.get() - self.bytes);
    }
}

impl Outcome {
    pub(super) fn known(value: impl Into<Value>) -> Self {
        Self::Known(Rc::new(Known { value: value.into(), _held: None }))
    }

    /// A large value, whose memory is counted.
    pub(super) fn held(value: Value, held: MemoryReservation) -> Self {
        Self::Known(Rc::new(Known { value, _held: Some(held) }))
    }

    pub(super) fn because(reason: Reason) -> Self {
        Self::Undecided(Reasons::one(reason))
    }

    pub(super) fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Known(known) => match known.value {
                Value::Bool(value) => Some(value),
                _ => None,
            },
            Self::Undecided(_) => None,
        }
    }

    pub(super) fn value(&self) -> Option<&Value> {
        match self {
            Self::Known(known) => Some(&known.value),
            Self::Undecided(_) => None,
        }
    }

    pub(super) fn into_evaluation(self) -> Evaluation {
        match self {
            Self::Known(known) => Evaluation::Known(match Rc::try_unwrap(known) {
                Ok(known) => known.value,
                Err(known) => known.value.clone(),
            }),
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
