//! `luthier show`: one run, or one instance across all solvers.
//!
//! A number is that of a run, as `luthier summary` prints it beside each finding. Anything else, and
//! whatever follows `--instance`, names an instance: a place, a name, the end of a path, a digest.

mod instance;
mod model;
mod run;

use std::path::PathBuf;

use clap::Args;
use luthier_store::Store;

pub use run::text_of;

use crate::error::{CliError, Ending};
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  luthier show results.db 17
  luthier show results.db kaluza/sat/small/f.smt2
  luthier show results.db --instance 3
  luthier show results.db 17 --copy | z3 -in";

/// Show one run, or one instance across all solvers
///
/// A number is a run, as `luthier summary` prints it with each finding: input, answers, judgements
/// and the command that reproduces it. A name is an instance: a table of all solvers on it, the
/// ground truth with its evidence, and the models. An instance is named by its place
/// SET/TRACK/NAME, the end of its path, with or without the ending of the file, its SHA-256 or the
/// first 8 digits of it, or, with --instance, its number. Ends with 0, or with 3 if the text of the instance is not stored or the
/// dialect of the solver cannot express it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The database
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// The number of a run, or the name of an instance
    #[arg(value_name = "RUN|INSTANCE", required_unless_present = "instance")]
    what: Option<String>,
    /// An instance: its number on the pages, place, name, end of the path, or SHA-256
    #[arg(long, value_name = "N|NAME", conflicts_with = "what")]
    instance: Option<String>,
    /// Print the text of the instance
    #[arg(long, group = "part")]
    input: bool,
    /// Print what the solver of a run read: the instance in its dialect
    #[arg(long, group = "part")]
    copy: bool,
    /// Print the standard output of a run
    #[arg(long, group = "part")]
    stdout: bool,
    /// Print the standard error of a run
    #[arg(long, group = "part")]
    stderr: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let store = Store::open_read_only(&arguments.database)?;
    let what = arguments.what.as_deref().unwrap_or_default();
    match (&arguments.instance, what.parse::<i64>()) {
        (Some(wanted), _) => instance::show(&store, wanted, arguments, output),
        (None, Ok(number)) => run::show(&store, number, arguments, output),
        (None, Err(_)) => instance::show(&store, what, arguments, output),
    }
}
