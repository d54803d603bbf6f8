//! The binary `luthier`: a workshop for string solvers, from the command line.
//!
//! One file for each command is in `commands/`. Only `output` prints: data to standard output,
//! talk to standard error.

mod args;
mod codes;
mod commands;
mod cpu;
mod error;
mod input;
mod json;
mod output;
mod progress;
mod status_line;
mod text;
mod whole_file;

use std::process::ExitCode;

fn main() -> ExitCode {
    commands::run()
}
