//! `luthier cvc5-shell`: an executable around the libraries of cvc5, whose packages have none. The
//! runner starts it for such releases; it is hidden from the help.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use luthier_runner::releases::cvc5;

use crate::error::{CliError, Ending};
use crate::output;

const EXAMPLES: &str = "\
Examples:
  luthier cvc5-shell --library FOLDER --version
  luthier cvc5-shell --library FOLDER --strings-exp --tlimit=1000 script.smt2";

/// Run the libraries of cvc5 as its executable would run.
///
/// Takes the options of cvc5, reads a script (or standard input) and prints what cvc5 prints. Ends
/// with the exit code of cvc5.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, disable_version_flag = true)]
pub struct Arguments {
    /// The folder with libcvc5 and libcvc5parser
    #[arg(long, value_name = "FOLDER")]
    library: PathBuf,
    /// The command line of cvc5
    #[arg(value_name = "ARGUMENTS", trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Ending, CliError> {
    let (mut out, mut talk) = output::raw();
    let code = cvc5::run(&arguments.library, &arguments.arguments, &mut out, &mut talk);
    match code {
        Ok(0) => Ok(Ending::Fine),
        Ok(_) => Ok(Ending::Usage),
        Err(error) => Err(CliError::usage(format!("cannot write what cvc5 says: {error}"))),
    }
}
