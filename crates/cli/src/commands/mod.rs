//! One module for each command: its arguments, its JSON, and its implementation.

pub mod bench;
pub mod bisect;
pub mod cancel;
pub mod check;
pub mod cluster;
pub mod compare;
pub mod completions;
pub mod conformance;
pub mod cvc5_shell;
pub mod demo;
pub mod eval;
pub mod export;
pub mod fmt;
pub mod generate;
pub mod hunt;
pub mod import;
pub mod issue;
pub mod lint;
pub mod man;
pub mod merge;
pub mod parse;
pub mod reduce;
pub mod report;
pub mod run;
pub mod serve;
pub mod show;
pub mod slurm_task;
pub mod solve;
pub mod solvers;
pub mod summary;

mod find_instance;
mod reproduce;
mod triage;

use std::process::ExitCode;

use clap::Parser as _;
use luthier_runner::releases::{Releases, on_search_path};

use crate::args::{Command, CommandLine};
use crate::error::{CliError, Ending};
use crate::output::{self, Output};

/// Runs the command that the command line asks for.
pub fn run() -> ExitCode {
    output::report_panics();
    output::survive_file_size_limits();
    let CommandLine { common, command } =
        match CommandLine::try_parse_from(solve::driver_flags::translated(std::env::args_os())) {
            Ok(command_line) => command_line,
            Err(error) => return output::usage(&error).into(),
        };
    let mut output = Output::new(common);
    let result = match command {
        Command::Parse(arguments) => parse::run(&arguments, &mut output),
        Command::Fmt(arguments) => fmt::run(&arguments, &mut output),
        Command::Lint(arguments) => lint::run(&arguments, &mut output),
        Command::Eval(arguments) => eval::run(&arguments, &mut output),
        Command::Check(arguments) => check::run(&arguments, &mut output),
        Command::Solve(arguments) => solve::run(&arguments, &mut output),
        Command::Solvers(arguments) => solvers::run(&arguments, &mut output),
        Command::Run(arguments) => run::run(&arguments, &mut output),
        Command::Cancel(arguments) => cancel::run(&arguments, &mut output),
        Command::Summary(arguments) => summary::run(&arguments, &mut output),
        Command::Report(arguments) => report::run(&arguments, &mut output),
        Command::Export(arguments) => export::run(&arguments, &mut output),
        Command::Show(arguments) => show::run(&arguments, &mut output),
        Command::Serve(arguments) => serve::run(&arguments, &mut output),
        Command::Compare(arguments) => compare::run(&arguments, &mut output),
        Command::Merge(arguments) => merge::run(&arguments, &mut output),
        Command::Import(arguments) => import::run(&arguments, &mut output),
        Command::Bench(arguments) => bench::run(&arguments, &mut output),
        Command::Demo(arguments) => demo::run(&arguments, &mut output),
        Command::Generate(arguments) => generate::run(&arguments, &mut output),
        Command::Hunt(arguments) => hunt::run(&arguments, &mut output),
        Command::Reduce(arguments) => reduce::run(&arguments, &mut output),
        Command::Cluster(arguments) => cluster::run(&arguments, &mut output),
        Command::Bisect(arguments) => bisect::run(&arguments, &mut output),
        Command::Issue(arguments) => issue::run(&arguments, &mut output),
        Command::Conformance(arguments) => conformance::run(&arguments, &mut output),
        Command::Completions(arguments) => completions::run(&arguments, &mut output),
        Command::Man(arguments) => man::run(&arguments, &mut output),
        Command::Cvc5Shell(arguments) => cvc5_shell::run(&arguments),
        Command::SlurmTask(arguments) => slurm_task::run(&arguments, &mut output),
    };
    let result = result.and_then(|ending: Ending| output.flush().map(|()| ending));
    let ending = result.unwrap_or_else(|error| {
        output.report_error(&error);
        error.ending()
    });
    ending.into()
}

/// The error of a command that was to read many scripts and found none that it could open.
fn nothing_to_read(unreadable: usize) -> CliError {
    match unreadable {
        0 => CliError::usage("there is no script here").with_hint(
            "folders and archives are searched for .smt2 files (also .smt20 to .smt27, .smt); \
             name a file to read it whatever it is called",
        ),
        _ => CliError::usage("nothing could be opened"),
    }
}

/// What to type to start this program again: its name if it is on the search path, else its path.
fn our_name() -> String {
    let Ok(exe) = std::env::current_exe() else { return "luthier".to_owned() };
    let on_path = on_search_path(["luthier"]).and_then(|path| path.canonicalize().ok());
    if on_path == exe.canonicalize().ok() {
        return "luthier".to_owned();
    }
    let here = std::env::current_dir().ok();
    let below = here.and_then(|here| exe.strip_prefix(here).ok().map(std::path::Path::to_owned));
    let shown = below.filter(|path| path.components().count() > 1).unwrap_or(exe);
    shown.display().to_string()
}

/// The solvers that the user has, with our own binary for those that are libraries.
fn user_releases() -> Result<Releases, CliError> {
    let luthier = std::env::current_exe().map_err(|error| CliError::Bug {
        message: format!("the path of this program is not known: {error}"),
    })?;
    Ok(Releases::of_user(luthier)?)
}
