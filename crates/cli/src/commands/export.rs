//! `luthier export`: all runs as a table, all instances as tasks of BenchExec, one instance with
//! everything about it as files, or the pages as a site.

mod benchexec;
mod instance;
mod runs;
mod site;

use std::path::PathBuf;

use clap::Args;
use luthier_store::Store;

use crate::error::{CliError, Ending};
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  luthier export results.db --to runs.csv
  luthier export results.db --to runs.jsonl
  luthier export results.db --to benchexec --out tasks
  luthier export results.db --instance kaluza/sat/small/f.smt2 --out for-the-authors
  luthier export results.db --instance 17 --out finding.tar.gz
  luthier export results.db --site public";

/// Write all runs, tasks, one instance with everything about it, or the pages as a site
///
/// --to writes one record per run, as CSV or JSON Lines by the extension; a file at several places
/// has its runs at each. Memory use does not depend on the size of the database. --to benchexec
/// writes instances, task definitions, and a benchmark definition for each configuration. --instance writes
/// the formula, the input and output of each solver, and a README with the commands, into a folder
/// or an archive, as an attachment for a bug report. --site writes the pages of `luthier serve` as files
/// that any web server can hold; a folder that is an earlier export is brought up to date. Ends with 0
/// also if answers are wrong, with 1 if it cannot be written, and with 3 if Ctrl-C ends a site.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub struct Arguments {
    /// The database
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// Write all runs to a file that ends with .csv or .jsonl, or tasks: benchexec
    #[arg(long, value_name = "FILE|benchexec", group = "what")]
    to: Option<PathBuf>,
    /// An instance: its number on the pages, place, name, end of the path, or SHA-256
    #[arg(long, value_name = "N|NAME", group = "what", requires = "out")]
    instance: Option<String>,
    /// Output: an empty or new folder, or a new .tar, .tar.gz or .tar.zst
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Write the pages into a new or empty folder, or an earlier export
    #[arg(long, value_name = "DIR", group = "what")]
    site: Option<PathBuf>,
    /// Show the clusters in this folder, which `luthier cluster --out` made, on the site too
    #[arg(long, value_name = "FOLDER", requires = "site")]
    clusters: Option<PathBuf>,
}

/// What is written instead of a table of runs.
const BENCHEXEC: &str = "benchexec";

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    if let Some(folder) = &arguments.site {
        return site::run(&arguments.database, folder, arguments.clusters.as_deref(), output);
    }
    let store = Store::open_read_only(&arguments.database)?;
    match (&arguments.to, &arguments.out) {
        (Some(to), Some(out)) if to.as_os_str() == BENCHEXEC => {
            benchexec::run(&store, out, output)?;
        }
        (Some(to), None) if to.as_os_str() == BENCHEXEC => {
            return Err(CliError::usage("there is no place for the tasks")
                .with_hint("name a new folder or archive: --to benchexec --out tasks"));
        }
        (Some(_), Some(_)) => {
            return Err(CliError::usage("--out belongs to --instance and to --to benchexec"));
        }
        (Some(path), None) => runs::run(&store, path, output)?,
        (None, _) => {}
    }
    if let (Some(instance), Some(out)) = (&arguments.instance, &arguments.out) {
        instance::run(&store, instance, out, output)?;
    }
    Ok(Ending::Fine)
}
