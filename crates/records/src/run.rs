//! One run: one configuration on one instance, once, with what was observed.

use crate::{Class, CoreFinding, Ending, Measured, ModelFinding, Text, Timestamp, Verdict};

/// The record of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Which repetition it is, from 0.
    pub repetition: u32,
    /// When it began.
    pub started: Timestamp,
    /// How it ended.
    pub ending: Ending,
    /// The class that follows from output and ending.
    pub class: Class,
    /// What was measured.
    pub measured: Measured,
    /// The standard output.
    pub stdout: Captured,
    /// The standard error.
    pub stderr: Captured,
    /// The answers to the queries of the instance, in order. There may be fewer than queries.
    pub answers: Vec<RunAnswer>,
    /// How the notation of the solver's copy differs from the instance.
    pub conversion: Vec<String>,
    /// The processor core to which it was bound.
    pub core: Option<u32>,
    /// The load average of the machine when it began.
    pub load: Option<f64>,
}

/// The output of a program, up to its limit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    /// The first bytes.
    pub bytes: Vec<u8>,
    /// Whether the program printed more.
    pub cut: bool,
}

/// One answer, and the results of examining it by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunAnswer {
    /// The verdict as printed.
    pub verdict: Verdict,
    /// The class of the query: a verdict after an error, or before a crash, is recorded but does not count
    /// as an answer.
    pub class: Class,
    /// Why the verdict is `unknown`.
    pub reason_unknown: Option<Text>,
    /// The result of checking the model; `None` if none was printed.
    pub model: Option<ModelFinding>,
    /// The result of checking the core; `None` if none was printed.
    pub core: Option<CoreFinding>,
    /// The second opinions of verifying solvers on the model.
    pub opinions: Vec<Opinion>,
}

/// The second opinion of a solver on a model: its verdict on the instance with the values of the model
/// added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opinion {
    /// The name of the configuration.
    pub by: String,
    /// The class of its reply: `sat` confirms the model, `unsat` refutes it.
    pub class: Class,
}

impl RunAnswer {
    /// Whether the verdict is a claim about the query: there was no error in reading the script before
    /// it.
    pub fn is_claim(&self) -> bool {
        !matches!(self.class, Class::Unsupported | Class::FrameworkError)
    }
}
