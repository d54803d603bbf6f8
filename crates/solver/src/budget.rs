//! Budgets: a deadline for one engine, the limits on its work, and cancellation flags shared by all
//! engines of a query.
//!
//! Engines call [`Budget::check`] in every loop; cancellation is cooperative. A budget can only be
//! narrowed: a slice never outlasts the budget it was taken from.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use luthier_semantics::Limits as EvaluationLimits;

use crate::{Limit, Limits, UnknownReason};

/// An estimate of the steps of the referee in a second.
const STEPS_PER_SECOND: u64 = 100_000_000;

/// A cancellation flag, shared by all threads that work on one query.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A flag that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the flag; every engine that checks it stops.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it is set.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How long an engine may work, and within which limits. Engines check it in every loop.
#[derive(Clone, Debug)]
pub struct Budget {
    deadline: Option<Instant>,
    limits: Arc<Limits>,
    /// Any of these ends the work; the first is that of the caller.
    flags: Vec<Cancel>,
}

impl Budget {
    /// Until the flag is set, within the default limits.
    pub fn until_cancelled(cancel: Cancel) -> Self {
        Self { deadline: None, limits: Arc::default(), flags: vec![cancel] }
    }

    /// The same time within other limits.
    pub fn within(&self, limits: Arc<Limits>) -> Self {
        Self { limits, ..self.clone() }
    }

    /// The limits of engines.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The value of a limit on a number.
    pub fn limit(&self, limit: Limit) -> usize {
        self.limits.count(limit)
    }

    /// For at most this long, and not beyond what is left of this budget.
    pub fn at_most(&self, time: Duration) -> Self {
        let slice = Instant::now().checked_add(time);
        let deadline = match (self.deadline, slice) {
            (Some(deadline), Some(slice)) => Some(deadline.min(slice)),
            (one, other) => one.or(other),
        };
        Self { deadline, ..self.clone() }
    }

    /// The same flags without a deadline.
    pub fn without_deadline(&self) -> Self {
        Self { deadline: None, ..self.clone() }
    }

    /// The time that is left; `None` without a deadline.
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The same with one more cancellation flag.
    pub fn also_cancelled_by(&self, cancel: &Cancel) -> Self {
        let flags = self.flags.iter().chain([cancel]).cloned().collect();
        Self { flags, ..self.clone() }
    }

    /// The limits of an evaluation by the referee: fewer steps than by default if the time that is
    /// left is short.
    pub fn evaluation_limits(&self) -> EvaluationLimits {
        let usual = EvaluationLimits::default();
        let Some(left) = self.left() else { return usual };
        let millis = u64::try_from(left.as_millis()).unwrap_or(u64::MAX).max(1);
        let most = millis.saturating_mul(STEPS_PER_SECOND / 1000);
        EvaluationLimits {
            steps: usual.steps.min(most),
            regex_steps: usual.regex_steps.min(most),
            comparison_steps: usual.comparison_steps.min(most),
            ..usual
        }
    }

    /// An error when it is time to stop.
    pub fn check(&self) -> Result<(), UnknownReason> {
        if self.flags.iter().any(Cancel::is_cancelled) {
            return Err(UnknownReason::Cancelled);
        }
        match self.left() {
            Some(Duration::ZERO) => Err(UnknownReason::Timeout),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_never_outlasts_its_whole() {
        let whole = Budget::until_cancelled(Cancel::new()).at_most(Duration::ZERO);
        let slice = whole.at_most(Duration::from_secs(1000));
        assert_eq!(slice.check(), Err(UnknownReason::Timeout));
        assert_eq!(slice.left(), Some(Duration::ZERO));
    }

    #[test]
    fn a_raised_flag_ends_every_slice() {
        let cancel = Cancel::new();
        let budget = Budget::until_cancelled(cancel.clone());
        let slice = budget.at_most(Duration::from_secs(1000));
        assert_eq!(slice.check(), Ok(()));
        cancel.cancel();
        assert_eq!(slice.check(), Err(UnknownReason::Cancelled));
        assert_eq!(budget.check(), Err(UnknownReason::Cancelled));
    }
}
