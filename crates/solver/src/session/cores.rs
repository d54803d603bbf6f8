//! Unsatisfiable cores: which named assertions, or which assumptions, have no model together.
//!
//! One after the other is left out, and what remains is solved again. Each answer `unsat` makes
//! the core smaller; anything else, also a limit, keeps the assertion. So a core is always
//! unsatisfiable, and minimal if no limit was met. All attempts together are one piece of work
//! under the limits; if it is stopped, the smallest core so far is the answer.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use luthier_terms::{SymbolId, TermId};

use super::{Session, Stop};
use crate::{Budget, Cancel, Problem, Verdict};

/// How long all attempts together may take, at least; it is more where the answer took long.
const LEAST: Duration = Duration::from_secs(1);

impl Session<'_> {
    /// The names of assertions that have no model together with those without a name; the error
    /// is a signal.
    pub(super) fn core(&self) -> Result<Vec<SymbolId>, Stop> {
        let assumptions = self.last.iter().flat_map(|last| last.assumptions.iter().copied());
        let unnamed =
            self.assertions.items().iter().filter(|one| one.name.is_none()).map(|one| one.term);
        let fixed: Vec<TermId> = unnamed.chain(assumptions).collect();
        let named: Vec<(SymbolId, TermId)> =
            self.assertions.items().iter().filter_map(|one| Some((one.name?, one.term))).collect();
        Ok(self.shrink(fixed, named)?.into_iter().map(|(name, _)| name).collect())
    }

    /// The assumptions of the last question that have no model together with the assertions; the
    /// error is a signal.
    pub(super) fn assumptions_core(&self) -> Result<Vec<TermId>, Stop> {
        let fixed: Vec<TermId> = self.assertions.items().iter().map(|one| one.term).collect();
        let assumed = self.last.iter().flat_map(|last| last.assumptions.iter().copied());
        let assumed: Vec<(TermId, TermId)> = assumed.map(|term| (term, term)).collect();
        Ok(self.shrink(fixed, assumed)?.into_iter().map(|(_, term)| term).collect())
    }

    /// Leaves out what is not needed for there to be no model.
    fn shrink<T: Copy + Send + 'static>(
        &self,
        fixed: Vec<TermId>,
        parts: Vec<(T, TermId)>,
    ) -> Result<Vec<(T, TermId)>, Stop> {
        let took = self.last.as_ref().map_or(Duration::ZERO, |last| last.time);
        let most = LEAST.max(took.saturating_mul(4));
        let most = self.watch.limits().timeout.map_or(most, |limit| most.min(limit));
        // A set with a model may take long: nothing is gained by waiting for that answer.
        let attempt = took.saturating_mul(2).max(LEAST / 10);
        let cancel = Cancel::new();
        let budget = Budget::until_cancelled(cancel.clone()).at_most(most);
        let smallest = Arc::new(Mutex::new(parts.clone()));
        let found = Arc::clone(&smallest);
        let (pool, portfolio) = (Arc::clone(&self.pool), self.portfolio.clone());
        let work = move || {
            let mut parts = parts;
            // The last ones first, so that the core keeps what came first.
            let mut at = parts.len();
            while at > 0 && budget.check().is_ok() {
                at -= 1;
                let others = parts.iter().enumerate().filter(|(place, _)| *place != at);
                let assertions = others.map(|(_, &(_, term))| term).chain(fixed.iter().copied());
                let assertions = assertions.collect();
                let problem = Problem { pool: Arc::clone(&pool), assertions };
                let solution = portfolio.solve(&problem, &budget.at_most(attempt));
                if let Verdict::Unsat(_) = solution.verdict {
                    parts.remove(at);
                    *found.lock().unwrap_or_else(PoisonError::into_inner) = parts.clone();
                }
            }
        };
        let outcome = self.watch.run(Instant::now().checked_add(most), &cancel, work);
        if let Some(stop @ Stop::Signal(_)) = outcome.stop {
            return Err(stop);
        }
        let smallest = smallest.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(smallest.clone())
    }
}
