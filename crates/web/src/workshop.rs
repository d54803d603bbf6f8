//! What the pages need of the machine they run on.

use luthier_records::{Configuration, ParsedOutput};

/// How a person asks again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reproduction {
    /// A line for a shell.
    pub command: String,
    /// What is different from when the run was made: the program is gone or another one now.
    pub note: Option<String>,
}

/// Things that need solvers or knowledge about them, which this crate does not have.
pub trait Workshop: Send + Sync {
    /// How the question of a run is put to the solver again.
    fn reproduce(&self, run: i64, configuration: &Configuration) -> Reproduction;

    /// What a solver said on its standard output.
    fn read_output(&self, output: &[u8]) -> ParsedOutput;
}
