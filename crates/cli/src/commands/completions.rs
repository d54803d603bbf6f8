//! `luthier completions`: a script with which a shell completes the command line.

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;
use serde::Serialize;

use crate::args::CommandLine;
use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  luthier completions bash > ~/.local/share/bash-completion/completions/luthier
  luthier completions zsh > ~/.zfunc/_luthier
  luthier completions fish > ~/.config/fish/completions/luthier.fish";

/// Print a completion script for a shell
///
/// The script completes commands, options and their values. Where a shell looks for it stands in
/// the examples; `source <(luthier completions bash)` tries it out. Ends with 0.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// The JSON of `luthier completions`.
#[derive(Serialize)]
struct Record {
    version: u32,
    shell: String,
    script: String,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut CommandLine::command(), "luthier", &mut script);
    if output.json {
        let script = String::from_utf8_lossy(&script).into_owned();
        let shell = arguments.shell.to_string();
        output.json_line(&Record { version: VERSION, shell, script })?;
    } else {
        output.data(&script)?;
    }
    Ok(Ending::Fine)
}
