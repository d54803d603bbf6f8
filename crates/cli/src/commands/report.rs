//! `luthier report`: tables of a database for papers and comparisons.

mod icse20;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::error::{CliError, Ending};
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  luthier run --suite icse20 --solver z3@5.4.0 --db icse20.db
  luthier report icse20.db --table icse20
  luthier report icse20.db --table icse20 --json";

/// Show the results in a database as a published table.
///
/// Answers are judged anew from the stored facts, as `luthier summary` does. The table icse20 is
/// that of "Automatically Testing String Solvers": for each category of tests IM (incorrect model),
/// IC (incorrect core), S (sat), U (unsat), K (unknown), T (timeout), E (error). It needs runs on
/// the suite icse20 or on its files. Ends with 0, with 2 if somebody was wrong, and with 3 if tests
/// were not run.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The database
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// Which table
    #[arg(long, value_name = "NAME")]
    table: TableName,
}

/// The tables that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TableName {
    /// Categories of the suite icse20, solver by solver
    Icse20,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    match arguments.table {
        TableName::Icse20 => icse20::run(&arguments.database, output),
    }
}
