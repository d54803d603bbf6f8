//! The only place of this program that prints: data to standard output, messages to standard error.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is where printing happens")]

use std::fmt::Display;

/// One line of results.
pub fn data(line: impl Display) {
    println!("{line}");
}

/// One line for the person at the terminal.
pub fn talk(line: impl Display) {
    eprintln!("xtask: {line}");
}
