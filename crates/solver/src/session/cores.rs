//! Unsatisfiable cores and unsatisfiable assumptions, by deletion.
//!
//! One element after the other is removed and the rest is solved again; `unsat` makes the removal
//! permanent, any other answer (also a limit) keeps the element. So a core is always unsatisfiable,
//! and minimal unless a limit was hit. All attempts together are one piece of work under the
//! limits; if it is stopped, the smallest core so far is the answer.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use luthier_terms::{SymbolId, TermId};

use super::{Session, Stop};
use crate::{Budget, Cancel, Problem, Verdict};

/// The time for all attempts together, or more if the answer took long.
const MIN_CORE_TIME: Duration = Duration::from_secs(1);

impl Session {
    /// The names of an unsatisfiable core of the named assertions, given those without a name; the
    /// error is a signal.
    pub(super) fn core(&self) -> Result<Vec<SymbolId>, Stop> {
        let assumptions = self.last.iter().flat_map(|last| last.assumptions.iter().copied());
        let unnamed =
            self.assertions.items().iter().filter(|one| one.name.is_none()).map(|one| one.term);
        let fixed: Vec<TermId> = unnamed.chain(assumptions).collect();
        let named: Vec<(SymbolId, TermId)> =
            self.assertions.items().iter().filter_map(|one| Some((one.name?, one.term))).collect();
        Ok(self.shrink(fixed, named)?.into_iter().map(|(name, _)| name).collect())
    }

    /// An unsatisfiable subset of the assumptions of the last query, given the assertions; the
    /// error is a signal.
    pub(super) fn assumptions_core(&self) -> Result<Vec<TermId>, Stop> {
        let fixed: Vec<TermId> = self.assertions.items().iter().map(|one| one.term).collect();
        let assumed = self.last.iter().flat_map(|last| last.assumptions.iter().copied());
        let assumed: Vec<(TermId, TermId)> = assumed.map(|term| (term, term)).collect();
        Ok(self.shrink(fixed, assumed)?.into_iter().map(|(_, term)| term).collect())
    }

    /// Deletion-based minimisation of `parts`, with `fixed` always present.
    fn shrink<T: Copy + Send + 'static>(
        &self,
        fixed: Vec<TermId>,
        parts: Vec<(T, TermId)>,
    ) -> Result<Vec<(T, TermId)>, Stop> {
        let took = self.last.as_ref().map_or(Duration::ZERO, |last| last.time);
        let most = MIN_CORE_TIME.max(took.saturating_mul(4));
        let most = self.watch.limits().timeout.map_or(most, |limit| most.min(limit));
        // A satisfiable subset may take long to solve, and that answer is of no use.
        let attempt = took.saturating_mul(2).max(MIN_CORE_TIME / 10);
        let cancel = Cancel::new();
        let budget = Budget::until_cancelled(cancel.clone()).at_most(most);
        let smallest = Arc::new(Mutex::new(parts.clone()));
        let found = Arc::clone(&smallest);
        let (pool, portfolio) = (Arc::clone(&self.pool), self.portfolio.clone());
        let work = move || {
            let mut parts = parts;
            // From the last one on, so that earlier elements are preferred for the core.
            let mut at = parts.len();
            while at > 0 && budget.check().is_ok() {
                at -= 1;
                let others = parts.iter().enumerate().filter(|(position, _)| *position != at);
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
