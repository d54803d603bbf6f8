//! Counts of the rewriter oracle, for each solver.

use std::collections::BTreeMap;
use std::time::Duration;

use super::ask::Simplified;

/// How many different reasons are kept; further ones are counted together.
const REASONS: usize = 40;

/// What became of the terms that a solver was asked to simplify.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RewriteTally {
    /// Terms that it was asked to simplify.
    pub asked: u64,
    /// Results that were parsed.
    pub read_back: u64,
    /// Terms that have a known value, equal or not to that of the result, in some model.
    pub compared: u64,
    /// Results with another value in some model, before confirmation.
    pub differences: u64,
    /// Differences of a group that has been reported often enough.
    pub similar: u64,
    /// Results that could not be parsed, by reason.
    pub unreadable: BTreeMap<String, u64>,
    /// Terms that the solver refused with an error.
    pub refused: u64,
    /// Terms without a reply, also in a process of their own, by how that ended.
    pub unanswered: BTreeMap<String, u64>,
    /// Terms that the dialect of the release cannot express, or reads otherwise.
    pub inexpressible: u64,
    /// CPU time of the processes.
    pub cpu: Duration,
    /// The number of the processes.
    pub processes: u64,
}

impl RewriteTally {
    pub(super) fn count(&mut self, simplified: &Simplified) {
        match simplified {
            Simplified::Term(_) => self.read_back += 1,
            Simplified::Unreadable(reason) => count(&mut self.unreadable, reason, 1),
            Simplified::Refused => self.refused += 1,
            Simplified::Unanswered(ending) => count(&mut self.unanswered, ending, 1),
            Simplified::Inexpressible => {
                self.inexpressible += 1;
                return;
            }
            Simplified::NoFormula | Simplified::Fault(_) | Simplified::Stopped => return,
        }
        self.asked += 1;
    }

    /// Adds the counts of another tally.
    pub(crate) fn add(&mut self, other: &Self) {
        self.asked += other.asked;
        self.read_back += other.read_back;
        self.compared += other.compared;
        self.differences += other.differences;
        self.similar += other.similar;
        for (reason, count) in &other.unreadable {
            self::count(&mut self.unreadable, reason, *count);
        }
        for (ending, count) in &other.unanswered {
            self::count(&mut self.unanswered, ending, *count);
        }
        self.refused += other.refused;
        self.inexpressible += other.inexpressible;
        self.cpu += other.cpu;
        self.processes += other.processes;
    }
}

/// Adds to the count of a reason.
fn count(reasons: &mut BTreeMap<String, u64>, reason: &str, more: u64) {
    let is_known = reasons.contains_key(reason);
    let reason = if is_known || reasons.len() < REASONS { reason } else { "other" };
    *reasons.entry(reason.to_owned()).or_default() += more;
}
