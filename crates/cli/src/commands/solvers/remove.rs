//! `luthier solvers remove`: takes releases out of the cache.

use clap::Args;
use luthier_runner::releases::{Origin, ReleaseName, Releases};
use serde::Serialize;

use super::{ending, release_name};
use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  luthier solvers remove z3@4.8.9
  luthier solvers remove z3@5.4.0 cvc5@1.4.2";

/// Remove releases that luthier installed.
///
/// Ends with 0 if all are gone, with 1 if none was there, and with 3 if some were.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The releases, such as z3@5.4.0
    #[arg(value_name = "SOLVER@VERSION", required = true, value_parser = release_name)]
    releases: Vec<ReleaseName>,
}

/// The JSON of `luthier solvers remove`.
#[derive(Serialize)]
struct Record {
    version: u32,
    removed: Vec<String>,
    /// Those that were not there or cannot be removed.
    failed: Vec<String>,
}

/// Runs the command.
pub fn run(
    arguments: &Arguments,
    releases: &Releases,
    output: &mut Output,
) -> Result<Ending, CliError> {
    let mut record = Record { version: VERSION, removed: Vec::new(), failed: Vec::new() };
    for name in &arguments.releases {
        match remove(name, releases) {
            Ok(removed) => {
                if !output.json {
                    output.line(format_args!("{} {removed}", output.paint.good("removed:")))?;
                }
                record.removed.push(removed);
            }
            Err(error) => {
                output.complain(&error);
                record.failed.push(name.to_string());
            }
        }
    }
    let ending = ending(record.removed.len(), record.failed.len());
    if output.json {
        output.json_line(&record)?;
    }
    Ok(ending)
}

/// Removes one release and gives its name.
fn remove(name: &ReleaseName, releases: &Releases) -> Result<String, CliError> {
    let ReleaseName::Cached { solver, selector: wanted } = name else {
        let message = format!("{name}: only what luthier installed can be removed");
        return Err(CliError::usage(message).with_hint("name a solver and a version: z3@5.4.0"));
    };
    let not_there = || {
        let hint = "luthier solvers list shows what is there";
        CliError::usage(format!("{name} is not installed")).with_hint(hint)
    };
    releases.catalogue.get(solver)?;
    // Also one that is not what it was, and that is therefore not run.
    let release = releases.find_installed(solver, wanted).map_err(|_| not_there())?;
    let version = match (&release.version, release.origin) {
        (Some(version), Origin::Installed) => version.to_string(),
        _ => return Err(not_there()),
    };
    match releases.cache.remove(solver, &version)? {
        true => Ok(release.label()),
        false => Err(not_there()),
    }
}
