//! `luthier slurm-task`: some runs of a campaign, on a node of a cluster. The script of a job array starts
//! it; it is hidden from the help.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use luthier_campaign::Event;
use luthier_slurm::{TaskEnvironment, run_task};

use super::run::stop_on_signals;
use super::user_releases;
use crate::error::{CliError, Ending};
use crate::output::Output;
use crate::text::counted;

const EXAMPLES: &str = "\
Examples:
  luthier slurm-task results.db-slurm/round-1 17";

/// Make the runs of one task of a round and publish them
///
/// Ends with 0, or with 3 if it was told to end before the last run.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The folder of the round
    #[arg(value_name = "ROUND")]
    round: PathBuf,
    /// The task, from 0
    #[arg(value_name = "TASK")]
    task: usize,
}

/// Runs the command. What it prints goes to the log of the task.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let stop = Arc::new(AtomicBool::new(false));
    stop_on_signals(&stop);
    let releases = user_releases()?;
    let outcome = run_task(
        &arguments.round,
        arguments.task,
        &TaskEnvironment::of_process(),
        &releases,
        &|| stop.load(Ordering::Relaxed),
        &mut |event| {
            if let Event::Unreadable { message } = event {
                output.warn(&message);
            }
        },
    )?;
    let ending = if outcome.stopped { Ending::Incomplete } else { Ending::Fine };
    output.line(format_args!(
        "task {}: {} made, {} recorded by earlier attempts, {} in all: {}",
        arguments.task,
        counted(outcome.made, "run"),
        outcome.recorded,
        outcome.runs,
        outcome.published.display()
    ))?;
    Ok(ending)
}
