//! The command line: which commands there are and what an ending means.
//!
//! To add a command, add a file to `commands/` with its arguments and a `run`, a variant to
//! [`Command`] and an arm to [`run`].

mod agree;
mod bench_parse;
mod browser;
mod clients;
mod clusters;
mod contest;
mod corpus;
mod documents;
mod features;
mod fuzz;
mod labelled;
mod overhead;
mod power;
mod quick;
mod reduction;
mod report_formats;
mod same;
mod sample_db;
mod schemathesis;
mod screenshots;
mod serve_speed;
mod server;
mod site;
mod slurm;
mod solve_tables;
mod tidy;

use std::error::Error;
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
    /// Run the tests of a developer's loop, in under two minutes
    Quick(quick::Arguments),
    /// Check the rules of the repository that no other tool checks
    Tidy(tidy::Arguments),
    /// Read benchmark sets: what is accepted, what is rejected and why, does all read back the same
    Corpus(corpus::Arguments),
    /// Measure the speed of reading against solvers on the same files
    BenchParse(bench_parse::Arguments),
    /// Ask solvers whether they agree with the referee on random ground terms
    Agree(agree::Arguments),
    /// Let client libraries of other projects talk to `luthier solve`
    Clients(clients::Arguments),
    /// Group failures of a solver with known faults, and compare the clusters with the faults
    Clusters(clusters::Arguments),
    /// Decide files whose answer is known with our own solver, and look for wrong answers
    Labelled(labelled::Arguments),
    /// Count who solved which share of the satisfiable and of the unsatisfiable files of each set
    Contest(contest::Arguments),
    /// Compare our solver with others on random formulas about each feature of the theory
    Features(features::Arguments),
    /// Measure what each engine of our solver does on benchmark sets
    SolveTables(solve_tables::Arguments),
    /// Measure what a run costs beyond starting the program
    Overhead(overhead::Arguments),
    /// Measure hunting power: distinct wrong answers of releases in equal CPU time, for several hunters
    Power(power::Arguments),
    /// Reduce findings of hunts with luthier and with ddSMT, and compare
    Reduction(reduction::Arguments),
    /// Run the tests of the pages in a real browser
    Browser(browser::Arguments),
    /// Splice tables of results and of the solver into the documents
    Documents(documents::Arguments),
    /// Make all formats of reports from a database and read them with the programs they are for
    ReportFormats(report_formats::Arguments),
    /// Make a large database with made-up results, for acceptance runs
    SampleDb(sample_db::Arguments),
    /// Run a release twice, many times, and count how often `luthier compare` sees no change
    Same(same::Arguments),
    /// Test REST of the running server against its OpenAPI document
    Schemathesis(schemathesis::Arguments),
    /// Measure how fast `luthier serve` answers, and how long answers are
    ServeSpeed(serve_speed::Arguments),
    /// Run a campaign on a real Slurm through failures, and compare it with a local run
    Slurm(slurm::Arguments),
    /// Export a database as a site, measure it, and follow every link of its pages
    Site(site::Arguments),
    /// Take pictures of the main pages with Chromium, for the documents
    Screenshots(screenshots::Arguments),
    /// Run the fuzz targets for some seconds each
    Fuzz(fuzz::Arguments),
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
    let result: Result<Ending, Box<dyn Error>> = match CommandLine::parse().command {
        Command::Quick(arguments) => quick::run(&arguments),
        Command::Tidy(arguments) => tidy::run(&arguments),
        Command::Corpus(arguments) => corpus::run(&arguments),
        Command::BenchParse(arguments) => bench_parse::run(&arguments),
        Command::Agree(arguments) => agree::run(&arguments),
        Command::Clients(arguments) => clients::run(&arguments),
        Command::Clusters(arguments) => clusters::run(&arguments),
        Command::Labelled(arguments) => labelled::run(&arguments),
        Command::Contest(arguments) => contest::run(&arguments),
        Command::Features(arguments) => features::run(&arguments),
        Command::SolveTables(arguments) => solve_tables::run(&arguments),
        Command::Overhead(arguments) => overhead::run(&arguments),
        Command::Power(arguments) => power::run(&arguments),
        Command::Reduction(arguments) => reduction::run(&arguments),
        Command::Browser(arguments) => browser::run(&arguments),
        Command::Documents(arguments) => documents::run(&arguments),
        Command::ReportFormats(arguments) => report_formats::run(&arguments),
        Command::SampleDb(arguments) => sample_db::run(&arguments),
        Command::Same(arguments) => same::run(&arguments),
        Command::Schemathesis(arguments) => schemathesis::run(&arguments),
        Command::ServeSpeed(arguments) => serve_speed::run(&arguments),
        Command::Site(arguments) => site::run(&arguments),
        Command::Screenshots(arguments) => screenshots::run(&arguments),
        Command::Slurm(arguments) => slurm::run(&arguments),
        Command::Fuzz(arguments) => fuzz::run(&arguments),
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
