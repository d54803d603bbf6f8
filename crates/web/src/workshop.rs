//! What the pages need of the machine they run on.

use luthier_records::{Configuration, Said};

/// Things that need solvers or knowledge about them, which this crate does not have.
pub trait Workshop: Send + Sync {
    /// A line for a shell that puts the question of a run to the solver again.
    fn reproduce(&self, run: i64, configuration: &Configuration) -> String;

    /// What a solver said on its standard output.
    fn read_output(&self, output: &[u8]) -> Said;
}
