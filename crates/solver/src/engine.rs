//! The interface of an engine: which problems it accepts, and a verdict (`sat` with a model,
//! `unsat` with an argument, `unknown` with a reason) within a budget.
//!
//! An engine may be incomplete, but not unsound: `unsat` must hold for all models. A model is a
//! candidate until the portfolio has evaluated the original assertions under it.

use std::time::{Duration, Instant};

use luthier_semantics::Model;

use crate::{Budget, Problem};

/// A decision procedure, in general incomplete.
pub trait Engine: Send + Sync {
    /// Its name, for statistics and reasons.
    fn name(&self) -> &'static str;

    /// Whether it has a procedure for the problem: a test of the syntax, fast beside any attempt.
    /// The error is [`UnknownReason::Unsupported`] and names what it does not accept.
    fn accepts(&self, _problem: &Problem) -> Result<(), UnknownReason> {
        Ok(())
    }

    /// Decides a problem that it accepts, until the budget is used up.
    fn decide(&self, problem: &Problem, budget: &Budget) -> Verdict;

    /// Decides a problem if it accepts it.
    fn run(&self, problem: &Problem, budget: &Budget) -> Verdict {
        match self.accepts(problem) {
            Ok(()) => self.decide(problem, budget),
            Err(reason) => Verdict::Unknown(reason),
        }
    }

    /// As [`Engine::run`], with a report on each engine that took part.
    fn run_with_reports(
        &self,
        problem: &Problem,
        budget: &Budget,
        report: &mut dyn FnMut(EngineReport),
    ) -> Verdict {
        let start = Instant::now();
        let verdict = self.run(problem, budget);
        report(EngineReport {
            engine: self.name(),
            outcome: verdict.summary(),
            time: start.elapsed(),
        });
        verdict
    }
}

/// The outcome and the time of one engine.
#[derive(Clone, Debug)]
pub struct EngineReport {
    /// Its name.
    pub engine: &'static str,
    /// Its verdict in one line.
    pub outcome: String,
    /// How long it took.
    pub time: Duration,
}

/// The verdict of an engine on a problem.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// A candidate model; the referee has yet to evaluate the assertions under it.
    Sat(Model),
    /// There is no model.
    Unsat(Proof),
    /// The engine has no answer.
    Unknown(UnknownReason),
}

impl Verdict {
    /// The verdict in one line.
    pub fn summary(&self) -> String {
        match self {
            Self::Sat(_) => "sat".to_owned(),
            Self::Unsat(proof) => format!("unsat: {}", proof.argument),
            Self::Unknown(reason) => reason.to_string(),
        }
    }
}

/// Why a problem has no model: which engine derived the contradiction, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The engine.
    pub engine: &'static str,
    /// The argument in words.
    pub argument: String,
}

/// The reason for `unknown`, as `get-info :reason-unknown` gives it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownReason {
    /// The time is over.
    #[error("timeout")]
    Timeout,
    /// Another engine has answered, or the user interrupted.
    #[error("canceled")]
    Cancelled,
    /// The memory is used up.
    #[error("memout")]
    Memory,
    /// The engine is incomplete on this problem.
    #[error("incomplete: {0}")]
    Incomplete(String),
    /// The formula uses something that the engine does not handle.
    #[error("unsupported: {0}")]
    Unsupported(String),
    /// An engine has a model, and the referee can decide neither that it is valid nor that it is
    /// invalid.
    #[error("incomplete: the referee is undecided: {0}")]
    Undecided(String),
    /// There is no arithmetic solver.
    #[error("no arithmetic solver")]
    NoBackend,
    /// A failure outside of the engine, for instance of the arithmetic solver.
    #[error("failed: {0}")]
    Failed(String),
}
