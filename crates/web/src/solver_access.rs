//! What pages need of the solvers on this machine; implemented by the caller of [`listen`](crate::listen).

use luthier_records::{Configuration, ParsedOutput};

/// How to reproduce a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reproduction {
    /// A shell command.
    pub command: String,
    /// What is different from when the run was made: the program is gone or another one now.
    pub note: Option<String>,
}

/// Operations that need solver descriptions, which this crate does not depend on.
pub trait SolverAccess: Send + Sync {
    /// The command that repeats a run.
    fn reproduce(&self, run: i64, configuration: &Configuration) -> Reproduction;

    /// Parses the standard output of a solver.
    fn read_output(&self, output: &[u8]) -> ParsedOutput;
}
