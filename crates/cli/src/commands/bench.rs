//! `luthier bench`: benchmark sets by name, selections of their files, their audit, and proven labels.

mod add;
mod audit;
mod chosen;
mod label;
mod list;
mod select;

use clap::{Args, Subcommand};
use luthier_corpus::sets::SetError;

use crate::error::{CliError, Ending};
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  luthier bench list                                known sets, and where they are
  luthier bench add kaluza kaluza.tar.zst           say where a set is; its digest is checked
  luthier bench audit kaluza norn --db results.db   duplicates, operators, wrong labels
  luthier bench select kaluza --no-duplicates --random 100 --out hundred.tsv
  luthier bench label results.db --out labels       proven answers as tables of labels";

/// Keep benchmark sets: list, add, select, audit, label
///
/// A set is a folder or an archive, read in place. Published sets are described in Luthier (source,
/// licence, citation, digest) but do not come with it; a file in the folder luthier/benchmarks of your
/// settings describes a further one. docs/benchmarks.md explains all of it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    List(list::Arguments),
    Add(add::Arguments),
    Select(Box<select::Arguments>),
    Audit(audit::Arguments),
    Label(label::Arguments),
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    match &arguments.action {
        Action::List(arguments) => list::run(arguments, output),
        Action::Add(arguments) => add::run(arguments, output),
        Action::Select(arguments) => select::run(arguments, output),
        Action::Audit(arguments) => audit::run(arguments, output),
        Action::Label(arguments) => label::run(arguments, output),
    }
}

impl From<SetError> for CliError {
    fn from(error: SetError) -> Self {
        let usage = Self::usage(error.to_string());
        match error.hint() {
            Some(hint) => usage.with_hint(hint),
            None => usage,
        }
    }
}
