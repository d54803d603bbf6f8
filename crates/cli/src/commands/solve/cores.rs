//! Why there is no model: which named assertions, or which assumptions, are enough.
//!
//! One after the other is left out, and what remains is solved again. Each answer `unsat` makes
//! the core smaller; anything else, also a limit, keeps the assertion. So a core is always
//! unsatisfiable, and minimal if no limit was met.

use std::time::{Duration, Instant};

use luthier_solver::{Problem, Verdict};
use luthier_terms::{SymbolId, TermId};

use super::session::{Limits, Session};

/// How long all attempts together may take, at least; it is more where the answer took long.
const LEAST: Duration = Duration::from_secs(1);

impl Session<'_> {
    /// The names of assertions that have no model together with those without a name.
    pub(super) fn core(&self) -> Vec<SymbolId> {
        let assumptions = self.last.iter().flat_map(|last| last.assumptions.iter().copied());
        let unnamed = self.assertions.iter().filter(|one| one.name.is_none()).map(|one| one.term);
        let fixed: Vec<TermId> = unnamed.chain(assumptions).collect();
        let named: Vec<(SymbolId, TermId)> =
            self.assertions.iter().filter_map(|one| Some((one.name?, one.term))).collect();
        self.shrink(&fixed, named).into_iter().map(|(name, _)| name).collect()
    }

    /// The assumptions of the last question that have no model together with the assertions.
    pub(super) fn assumptions_core(&self) -> Vec<TermId> {
        let fixed: Vec<TermId> = self.assertions.iter().map(|one| one.term).collect();
        let assumed = self.last.iter().flat_map(|last| last.assumptions.iter().copied());
        let assumed: Vec<(TermId, TermId)> = assumed.map(|term| (term, term)).collect();
        self.shrink(&fixed, assumed).into_iter().map(|(_, term)| term).collect()
    }

    /// Leaves out what is not needed for there to be no model.
    fn shrink<T: Copy>(&self, fixed: &[TermId], mut parts: Vec<(T, TermId)>) -> Vec<(T, TermId)> {
        let took = self.last.as_ref().map_or(Duration::ZERO, |last| last.time);
        let most = LEAST.max(took.saturating_mul(4));
        let most = self.limits.timeout.map_or(most, |limit| most.min(limit));
        let start = Instant::now();
        // The last ones first, so that the core keeps what came first.
        let mut at = parts.len();
        while at > 0 {
            at -= 1;
            let Some(left) = most.checked_sub(start.elapsed()) else { break };
            let others = parts.iter().enumerate().filter(|(place, _)| *place != at);
            let assertions = others.map(|(_, &(_, term))| term).chain(fixed.iter().copied());
            let problem = Problem { pool: self.pool.clone(), assertions: assertions.collect() };
            // A set with a model may take long: nothing is gained by waiting for that answer.
            let timeout = left.min(took.saturating_mul(2).max(LEAST / 10));
            let limits = Limits { timeout: Some(timeout), memory: self.limits.memory };
            if let Verdict::Unsat(_) = self.solve(&problem, limits).verdict {
                parts.remove(at);
            }
        }
        parts
    }
}
