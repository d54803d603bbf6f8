//! Counts of a hunt: formulas, verdicts, findings and processes, in total and for each solver.

use std::collections::BTreeMap;
use std::time::Duration;

use luthier_ask::{AskedIn, Reply, SessionEnd, SessionReply};
use luthier_records::{Class, FindingKind, Verdict};

use crate::RewriteTally;
use crate::reproduce::is_crash;

/// All counts of a hunt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Cases that were run on all solvers.
    pub cases: u64,
    /// Formulas of these cases.
    pub formulas: u64,
    /// One for each solver, in the order in which they were named.
    pub solvers: Vec<Tally>,
    /// How long it took.
    pub elapsed: Duration,
    /// Formulas that could not be read, which is a fault of the generator.
    pub unreadable: u64,
    /// It was stopped before all cases were run.
    pub stopped: bool,
}

/// The counts of one solver.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Its name.
    pub solver: String,
    /// Formulas and sessions that it was asked about.
    pub asked: u64,
    /// Queries that it replied to; a session has several.
    pub queries: u64,
    /// Answers `sat`.
    pub sat: u64,
    /// Answers `unsat`.
    pub unsat: u64,
    /// Answers `unknown`.
    pub unknown: u64,
    /// Errors instead of answers.
    pub unsupported: u64,
    /// Formulas that its dialect cannot express.
    pub inexpressible: u64,
    /// Formulas that could not be run because of a fault of the set-up.
    pub faults: u64,
    /// Confirmed findings.
    pub found: BTreeMap<FindingKind, u64>,
    /// Suspicions that were not confirmed.
    pub unconfirmed: BTreeMap<FindingKind, u64>,
    /// Formulas with an error of a group that has been reported often enough.
    pub similar: u64,
    /// What became of the terms that it was asked to simplify.
    pub rewrites: RewriteTally,
    /// CPU time of its processes.
    pub cpu: Duration,
    /// The number of its processes.
    pub processes: u64,
    /// The limit of a query in a batch that was best in the end; zero if it was not measured.
    pub query_limit: Duration,
    /// By the operation of the formula: formulas that it was asked about, and those that it decided.
    pub operations: BTreeMap<&'static str, (u64, u64)>,
}

impl Summary {
    /// Findings of a class, of all solvers.
    pub fn found(&self, class: FindingKind) -> u64 {
        self.solvers.iter().map(|tally| tally.found(class)).sum()
    }

    /// Whether some solver gave a refuted answer, model or core.
    pub fn has_solver_error(&self) -> bool {
        FindingKind::hunted().any(|class| class.is_solver_error() && self.found(class) > 0)
    }
}

impl Tally {
    /// Findings of a class.
    pub fn found(&self, class: FindingKind) -> u64 {
        self.found.get(&class).copied().unwrap_or(0)
    }

    /// The number of suspicions that were not confirmed.
    pub fn unconfirmed(&self) -> u64 {
        self.unconfirmed.values().sum()
    }

    pub(crate) fn count(&mut self, reply: &Reply) {
        let counter = match (reply.class, reply.asked_in) {
            (_, AskedIn::NoProcess) => {
                self.inexpressible += 1;
                return;
            }
            (Class::FrameworkError, _) => {
                self.faults += 1;
                return;
            }
            (Class::Sat, _) => &mut self.sat,
            (Class::Unsat, _) => &mut self.unsat,
            (Class::Unknown, _) => &mut self.unknown,
            (Class::Unsupported, _) if !is_crash(reply) => &mut self.unsupported,
            _ => {
                self.asked += 1;
                return;
            }
        };
        *counter += 1;
        self.queries += 1;
        self.asked += 1;
    }

    /// Counts whether a formula about an operation was decided.
    pub(crate) fn count_operation(&mut self, operation: &'static str, reply: &Reply) {
        if reply.asked_in == AskedIn::NoProcess || reply.class == Class::FrameworkError {
            return;
        }
        let (asked, decided) = self.operations.entry(operation).or_default();
        *asked += 1;
        *decided += u64::from(matches!(reply.class, Class::Sat | Class::Unsat));
    }

    pub(crate) fn count_session(&mut self, reply: &SessionReply) {
        self.asked += 1;
        for query in &reply.queries {
            self.queries += 1;
            *match query.answer.verdict {
                Verdict::Sat => &mut self.sat,
                Verdict::Unsat => &mut self.unsat,
                Verdict::Unknown => &mut self.unknown,
            } += 1;
        }
        self.unsupported += u64::from(matches!(reply.end, SessionEnd::Error(_)));
    }

    /// Queries that were answered with `sat` or `unsat`.
    pub fn decided(&self) -> u64 {
        self.sat + self.unsat
    }

    /// Adds the counts of another tally, except findings.
    pub(crate) fn add(&mut self, other: &Self) {
        self.asked += other.asked;
        self.queries += other.queries;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.unsupported += other.unsupported;
        self.inexpressible += other.inexpressible;
        self.faults += other.faults;
        self.rewrites.add(&other.rewrites);
        self.cpu += other.cpu;
        self.processes += other.processes;
        for (operation, (asked, decided)) in &other.operations {
            let row = self.operations.entry(operation).or_default();
            row.0 += asked;
            row.1 += decided;
        }
    }
}
