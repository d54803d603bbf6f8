//! What an engine is: it says whether it accepts a problem, and gives a verdict within a budget.

use std::time::{Duration, Instant};

use luthier_semantics::Model;

use crate::{Budget, Problem};

/// Something that can decide problems.
pub trait Engine: Send + Sync {
    /// Its name, for statistics and reasons.
    fn name(&self) -> &'static str;

    /// Whether it has a procedure for the problem: a test of the syntax, fast beside any attempt.
    /// The error is [`Why::Unsupported`] and names what it does not accept.
    fn accepts(&self, _problem: &Problem) -> Result<(), Why> {
        Ok(())
    }

    /// Decides a problem that it accepts, until the budget is used up.
    fn decide(&self, problem: &Problem, budget: &Budget) -> Verdict;

    /// Decides a problem if it accepts it.
    fn run(&self, problem: &Problem, budget: &Budget) -> Verdict {
        match self.accepts(problem) {
            Ok(()) => self.decide(problem, budget),
            Err(why) => Verdict::Unknown(why),
        }
    }

    /// Does the same and reports what was done; one that consists of several engines reports each.
    fn run_and_tell(
        &self,
        problem: &Problem,
        budget: &Budget,
        tell: &mut dyn FnMut(EngineReport),
    ) -> Verdict {
        let start = Instant::now();
        let verdict = self.run(problem, budget);
        tell(EngineReport { engine: self.name(), said: verdict.said(), time: start.elapsed() });
        verdict
    }
}

/// What one engine did.
#[derive(Clone, Debug)]
pub struct EngineReport {
    /// Its name.
    pub engine: &'static str,
    /// What it said, in one line.
    pub said: String,
    /// How long it took.
    pub time: Duration,
}

/// What an engine says about a problem.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// These values satisfy it, the engine believes; the referee still has to agree.
    Sat(Model),
    /// No values satisfy it.
    Unsat(Proof),
    /// The engine cannot tell.
    Unknown(Why),
}

impl Verdict {
    /// The verdict in one line.
    pub fn said(&self) -> String {
        match self {
            Self::Sat(_) => "sat".to_owned(),
            Self::Unsat(proof) => format!("unsat: {}", proof.argument),
            Self::Unknown(why) => why.to_string(),
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

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Why {
    /// The time is over.
    #[error("timeout")]
    Timeout,
    /// Somebody else was faster, or the user does not want to wait.
    #[error("canceled")]
    Cancelled,
    /// The memory is used up.
    #[error("memout")]
    Memory,
    /// The engine tried everything it knows.
    #[error("incomplete: {0}")]
    Incomplete(String),
    /// The formula uses something that the engine does not handle.
    #[error("unsupported: {0}")]
    Unsupported(String),
    /// An engine has a model, and the referee can say neither that it is valid nor that it is not.
    #[error("incomplete: the referee is undecided: {0}")]
    Undecided(String),
    /// There is no arithmetic solver.
    #[error("no arithmetic solver")]
    NoBackend,
    /// Something went wrong outside, for instance in the arithmetic solver.
    #[error("failed: {0}")]
    Failed(String),
}
