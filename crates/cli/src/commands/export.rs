//! `luthier export`: all runs as a table, or one instance with everything about it as files.

mod instance;
mod runs;

use std::path::PathBuf;

use clap::Args;
use luthier_store::Store;

use crate::error::{CliError, Ending};
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  luthier export results.db --to runs.csv
  luthier export results.db --to runs.jsonl
  luthier export results.db --instance kaluza/sat/small/f.smt2 --out for-the-authors
  luthier export results.db --instance 17 --out finding.tar.gz";

/// Write all runs as a table, or everything about one instance
///
/// --to writes one record per run, as CSV or JSON Lines by the extension; a file at several places
/// has its runs at each. Memory use does not depend on the size of the database. --instance writes
/// the formula, the input and output of each solver, and a README with the commands, into a folder
/// or an archive, as an attachment for a bug report. Ends with 0 also if answers are wrong, and
/// with 1 if it cannot be written.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub struct Arguments {
    /// The database
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// Write all runs to a file that ends with .csv or .jsonl
    #[arg(long, value_name = "FILE", group = "what")]
    to: Option<PathBuf>,
    /// An instance: its number on the pages, place, name, end of the path, or SHA-256
    #[arg(long, value_name = "N|NAME", group = "what", requires = "out")]
    instance: Option<String>,
    /// Output: an empty or new folder, or a new .tar, .tar.gz or .tar.zst
    #[arg(long, value_name = "PATH", requires = "instance")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let store = Store::open_read_only(&arguments.database)?;
    if let Some(path) = &arguments.to {
        runs::run(&store, path, output)?;
    }
    if let (Some(instance), Some(out)) = (&arguments.instance, &arguments.out) {
        instance::run(&store, instance, out, output)?;
    }
    Ok(Ending::Fine)
}
