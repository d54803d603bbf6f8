//! The binary `luthier`: runs string solvers, checks their answers, and solves string constraints.
//!
//! Each command has a module in `commands/`. Only `output` prints: results to standard output,
//! messages to standard error.

mod args;
mod codes;
mod commands;
mod cpu;
#[cfg(test)]
mod documents;
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
