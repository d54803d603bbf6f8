//! `luthier solvers`: which releases of solvers are there, fetching others, trying them out.

pub mod install;
mod list;
mod remove;
mod test;

use clap::{Args, Subcommand};
use luthier_runner::releases::{Release, ReleaseError, ReleaseName};

use crate::error::{CliError, Ending};
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  luthier solvers list                              what is there, and what could be
  luthier solvers install z3@latest cvc5@1.4.2      fetch releases with pip
  luthier solvers test z3@latest cvc5@1.4.2 ./my-z3 solve two formulas with each
  luthier solvers remove z3@4.8.9";

/// Find, install, remove and try out releases of solvers.
///
/// A release is named by solver and version (z3@5.4.0, z3@latest), by its solver alone if it is on
/// the search path (z3), or by its path (./my-z3, or z3-noodler=./build/z3 to say what it is).
/// Releases are fetched with the pip of your Python, by your settings of it, into the folder
/// luthier/solvers of your cache. A file in the folder luthier/solvers of your settings
/// describes a further solver. Ends with 0 if all went well, with 1 if something cannot be done,
/// and with 3 if some of it could be.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    List(list::Arguments),
    Install(install::Arguments),
    Remove(remove::Arguments),
    Test(test::Arguments),
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let releases = super::user_releases()?;
    match &arguments.action {
        Action::List(arguments) => list::run(arguments, &releases, output),
        Action::Install(arguments) => install::run(arguments, &releases, output),
        Action::Remove(arguments) => remove::run(arguments, &releases, output),
        Action::Test(arguments) => test::run(arguments, &releases, output),
    }
}

impl From<ReleaseError> for CliError {
    fn from(error: ReleaseError) -> Self {
        let complaint = Self::usage(error.to_string());
        match error.hint() {
            Some(hint) => complaint.with_hint(hint),
            None => complaint,
        }
    }
}

/// Reads a name on the command line, so that clap complains of a wrong one.
fn release_name(text: &str) -> Result<ReleaseName, String> {
    text.parse().map_err(|error: luthier_runner::releases::InvalidReleaseName| error.to_string())
}

/// How a command ends of whose parts some failed.
fn ending(done: usize, failed: usize) -> Ending {
    match (done, failed) {
        (_, 0) => Ending::Fine,
        (0, _) => Ending::Usage,
        _ => Ending::Incomplete,
    }
}

/// Where a release is, for people.
fn place(release: &Release) -> String {
    match release.program.file() {
        Ok(file) => file.display().to_string(),
        Err(error) => error.to_string(),
    }
}
