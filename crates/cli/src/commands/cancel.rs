//! `luthier cancel`: ends the jobs of a campaign on a cluster.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::Output;
use crate::text::counted;

const EXAMPLES: &str = "\
Examples:
  luthier cancel results.db
  luthier cancel results.db-slurm";

/// Cancel the jobs of a campaign that was started with `run --on slurm`
///
/// Waits until the jobs have ended; each publishes the runs that it has made. These are kept: the
/// same `luthier run` collects them and makes the others. Ends with 0.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The database of the campaign, or the folder DB-slurm beside it
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// The JSON of `luthier cancel`.
#[derive(Serialize)]
struct Record {
    version: u32,
    /// How many tasks ran or waited.
    cancelled: usize,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let cancelled = luthier_slurm::cancel(&arguments.folder)?;
    if output.json {
        output.json_line(&Record { version: VERSION, cancelled })?;
    } else {
        let tasks = counted(cancelled, "task");
        output.line(format_args!(
            "{tasks} cancelled; what is done is kept, and the same `luthier run` resumes"
        ))?;
    }
    Ok(Ending::Fine)
}
