//! `luthier export`: data of a database for other programs and other people.

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
/// --to writes every run with all that is known about it: a row of CSV or an object on a line of
/// JSON, by the ending of the name. A file that stands at several places has its runs at each. It
/// takes little memory however large the database is. --instance writes the formula, what each
/// solver was given and printed, and a README with the commands, into a folder or an archive: all
/// that the authors of a solver need. Ends with 0, whoever was wrong, and with 1 if it cannot be
/// written.
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
    /// The instance: its number on the pages, its place SET/TRACK/NAME, its name, or its SHA-256
    #[arg(long, value_name = "N|NAME", group = "what", requires = "out")]
    instance: Option<String>,
    /// Where to write it: an empty or new folder, or a new .tar, .tar.gz or .tar.zst
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
