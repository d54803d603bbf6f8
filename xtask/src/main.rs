//! Automation of the workspace, run as `cargo xtask COMMAND`. One file for each command is in
//! `commands/`; what the commands print goes through `output`.

mod commands;
mod documents;
mod output;
mod tidy;

use std::process::ExitCode;

fn main() -> ExitCode {
    commands::run()
}
