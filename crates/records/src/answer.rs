//! The output of a solver, parsed but not judged: verdicts in order, each with the model, core,
//! values and errors printed for it.

use std::fmt;

use crate::Text;

/// The answer to one `check-sat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Satisfiable.
    Sat,
    /// Unsatisfiable.
    Unsat,
    /// Not decided by the solver.
    Unknown,
}

/// One verdict, and what was printed for it until the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The verdict as printed. It stays recorded whatever happened before or after it.
    pub verdict: Verdict,
    /// Messages of `(error …)` printed between the previous verdict and this one that do not
    /// answer a request of the previous query. A solver that cannot read an assertion prints one
    /// and continues without the assertion, so the verdict is about another problem.
    pub errors_before: Vec<Text>,
    /// Messages of `(error …)` printed after the verdict, such as "model is not available".
    pub errors_after: Vec<Text>,
    /// The reply to `(get-info :reason-unknown)`, without the keyword and outer quotes.
    pub reason_unknown: Option<Text>,
    /// The reply to `get-model`, from its opening to its closing parenthesis.
    pub model: Option<Text>,
    /// The reply to `get-unsat-core`: names as printed, bars included.
    pub core: Option<Vec<Text>>,
    /// The replies to `get-value`, each from its opening to its closing parenthesis.
    pub values: Vec<Text>,
}

/// The standard output of a run, parsed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParsedOutput {
    /// One entry per verdict, in order.
    pub answers: Vec<Answer>,
    /// Messages of `(error …)` that no verdict followed or preceded.
    pub errors: Vec<Text>,
    /// Messages of `(error …)` about options that the solver does not know. They do not change the
    /// problem, and scripts written for one solver commonly set options of its own.
    pub option_errors: Vec<Text>,
    /// The solver printed `timeout` by itself, as Z3 does when its own `-T` limit is reached.
    pub timeout: bool,
    /// The solver printed `unsupported`, the standard's reply to an optional command.
    pub unsupported: bool,
    /// Lines that are no reply to any command: warnings, statistics, banners.
    pub noise_lines: u64,
    /// The output ends in the middle of a reply, as it does when a program is killed.
    pub unfinished: bool,
}

impl Verdict {
    /// Its name in the standard.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Sat => "sat",
            Verdict::Unsat => "unsat",
            Verdict::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl Answer {
    /// A verdict for which nothing else was printed.
    pub fn bare(verdict: Verdict) -> Self {
        Answer {
            verdict,
            errors_before: Vec::new(),
            errors_after: Vec::new(),
            reason_unknown: None,
            model: None,
            core: None,
            values: Vec::new(),
        }
    }
}

impl ParsedOutput {
    /// The verdicts in order.
    pub fn verdicts(&self) -> Vec<Verdict> {
        self.answers.iter().map(|answer| answer.verdict).collect()
    }
}
