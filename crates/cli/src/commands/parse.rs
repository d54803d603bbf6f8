//! `luthier parse`: parses many scripts and counts accepted, rejected and their causes.

mod read;
mod report;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread::available_parallelism;

use clap::Args;
use luthier_corpus::{Flow, Options};
use luthier_smtlib::{Mode, ReadOptions};

use crate::args::ScriptDialect;
use crate::commands::nothing_to_read;
use crate::cpu;
use crate::error::{CliError, Ending};
use crate::output::Output;
use read::{Delivery, Wanted, read_all};
use report::Tally;

const EXAMPLES: &str = "\
Examples:
  luthier parse benchmarks/
  luthier parse --strict --all suite.tar.zst script.smt2.gz
  luthier parse --json --roundtrip benchmarks/ > counts.json";

/// Parse scripts in files, folders and archives, and count rejections by cause
///
/// Folders are searched for .smt2, .smt25, .smt26, .smt27, .smt20 and .smt files, compressed or
/// not, and for .tar archives of them (.gz, .xz, .zst), which are read without unpacking.
/// Ends with 0 if everything could be read, and with 3 if something was rejected or unreadable.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Files, folders and archives
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Accept only what the standard allows
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    script: ScriptDialect,
    /// Print each script in every dialect that can express it, and parse that again
    #[arg(long)]
    roundtrip: bool,
    /// Show all diagnostics of all files, warnings too
    #[arg(long)]
    diagnostics: bool,
    /// List all rejected files, not only the first ones
    #[arg(long)]
    all: bool,
    /// Parallel files [default: the number of processors]
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let mode = if arguments.strict { Mode::Strict } else { Mode::Generous };
    let wanted = Wanted {
        options: ReadOptions { dialect: arguments.script.dialect, mode },
        round_trips: arguments.roundtrip,
        diagnostics: arguments.diagnostics,
        paint: output.paint,
        json: output.json,
    };
    let jobs = arguments.jobs.or_else(|| available_parallelism().ok());
    let mut tally = Tally::new(arguments.roundtrip);
    let mut failure = None;
    let mut deliver = |delivery: Delivery| {
        match delivery {
            Delivery::File(mut file) => {
                for text in file.rendered.drain(..) {
                    if let Err(error) = output.line(text) {
                        failure = Some(error);
                    }
                }
                tally.add(*file);
            }
            Delivery::Unreadable(message) => {
                output.report_error(&CliError::usage(message.as_str()));
                tally.unreadable.push(message);
            }
        }
        // Without anybody to read it the rest is not worth its time.
        if failure.is_some() || output.is_closed() { Flow::Stop } else { Flow::Continue }
    };
    let jobs = jobs.map_or(1, NonZeroUsize::get);
    let skipped = read_all(&arguments.paths, &Options::default(), jobs, &wanted, &mut deliver);
    if let Some(error) = failure {
        return Err(error);
    }
    tally.skip(&skipped);
    tally.cpu = cpu::of_process();
    if output.json {
        output.json_line(&tally.record(arguments.diagnostics))?;
    } else {
        tally.print(output, arguments.all)?;
    }
    if tally.round_trip_failures() > 0 {
        let message = "a script that was printed reads back differently";
        return Err(CliError::Bug { message: message.to_owned() });
    }
    if tally.files == 0 {
        return Err(nothing_to_read(tally.unreadable.len()));
    }
    Ok(if tally.everything_was_read() { Ending::Fine } else { Ending::Incomplete })
}
