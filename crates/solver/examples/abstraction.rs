//! Runs the abstraction on files and says what it proves: `abstraction Z3 SECONDS < LIST`, where
//! every line of the list is a path, optionally followed by a tab and the expected answer.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

use std::error::Error;
use std::io::BufRead;
use std::time::{Duration, Instant};

use luthier_smtlib::script::Command;
use luthier_solver::abstraction::Abstraction;
use luthier_solver::arithmetic::Backend;
use luthier_solver::{Budget, Cancel, Engine, Problem, Verdict};

fn main() -> Result<(), Box<dyn Error>> {
    Ok(())
}
