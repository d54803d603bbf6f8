//! One run: one configuration on one instance.

use crate::{Class, CoreFinding, Ending, Measured, ModelFinding, Text, Timestamp, Verdict};

/// Everything that is kept about a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Which repetition it is, from 0.
    pub repetition: u32,
    /// When it began.
    pub started: Timestamp,
    /// How it ended.
    pub ending: Ending,
    /// The class that follows from what was said and how it ended.
    pub class: Class,
    /// What was measured.
    pub measured: Measured,
    /// The standard output.
    pub stdout: Captured,
    /// The standard error.
    pub stderr: Captured,
    /// The answers to the queries of the instance, in order. There may be fewer than queries.
    pub answers: Vec<RunAnswer>,
    /// How the copy that the solver got differs in writing from the instance.
    pub conversion: Vec<String>,
    /// The processor core to which it was bound.
    pub core: Option<u32>,
    /// The load average of the machine when it began.
    pub load: Option<f64>,
}

/// What a program printed, as far as it is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    /// The first bytes.
    pub bytes: Vec<u8>,
    /// More was printed.
    pub cut: bool,
}

/// One answer, and what came of looking at it by itself, without comparing it with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunAnswer {
    /// The verdict as printed.
    pub verdict: Verdict,
    /// The class of the query: a verdict after an error, or before a crash, does not count as an
    /// answer, but it was said.
    pub class: Class,
    /// Why the verdict is `unknown`.
    pub reason_unknown: Option<Text>,
    /// What the referee found about the model; `None` if none was printed.
    pub model: Option<ModelFinding>,
    /// What was found about the core; `None` if none was printed.
    pub core: Option<CoreFinding>,
    /// What verifying solvers said about the model.
    pub opinions: Vec<Opinion>,
}

/// The second opinion of a solver on a model: the instance with the values of the model put in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opinion {
    /// The name of the configuration that was asked.
    pub by: String,
    /// What came of it: `sat` confirms the model, `unsat` refutes it.
    pub class: Class,
}

impl RunAnswer {
    /// Whether the verdict counts as something that the solver claims: it was not said after an
    /// error in reading the question.
    pub fn is_claim(&self) -> bool {
        !matches!(self.class, Class::Unsupported | Class::FrameworkError)
    }
}
