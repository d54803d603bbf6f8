//! The command line: which commands there are and what an ending means.
//!
//! To add a command, add a file to `commands/` with its arguments and a `run`, a variant to
//! [`Command`] and an arm to [`run`].

mod tidy;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::output;

/// Automation of the Luthier workspace.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check the rules of the repository that no other tool checks
    Tidy(tidy::Arguments),
}

/// How a command ended.
pub enum Ending {
    /// It did its work and found nothing wrong.
    Fine,
    /// It did its work and found something wrong.
    Findings,
}

/// Runs the command that the command line asks for.
pub fn run() -> ExitCode {
    let result = match CommandLine::parse().command {
        Command::Tidy(arguments) => tidy::run(&arguments),
    };
    match result {
        Ok(Ending::Fine) => ExitCode::SUCCESS,
        Ok(Ending::Findings) => ExitCode::from(2),
        Err(error) => {
            output::talk(error);
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CommandLine;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        CommandLine::command().debug_assert();
    }
}
