//! `luthier import`: results of ZaligVinder, in a database of ours.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use clap::Args;
use luthier_campaign::question::Question;
use luthier_campaign::{parse_duration, this_machine};
use luthier_records::{Campaign, Digest, Timestamp, WallTime};
use luthier_store::{Store, StoreError, ZaligvinderImport};
use serde::Serialize;

use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::Output;
use crate::text::counted;

const EXAMPLES: &str = "\
Examples:
  luthier import zaligvinder.db --timeout 20s --db results.db
  luthier import zaligvinder.db --folder benchmarks/ --db results.db";

/// Import the results of a ZaligVinder database.
///
/// What it does not hold (versions, command lines, limits, CPU times, endings) stays unknown, and
/// what it may have booked wrongly is noted with every run (docs/store.md). A second import adds
/// nothing. Ends with 0, or with 3 if results had to be left out.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The database of ZaligVinder
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The timeout that the solvers had, which is not in the file
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "20s")]
    timeout: Duration,
    /// Where the instances are, if not where they were
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
    /// The database that is added to
    #[arg(long, value_name = "FILE", default_value = "luthier.db")]
    db: PathBuf,
}

/// The JSON of `luthier import`.
#[derive(Serialize)]
struct Record {
    version: u32,
    database: String,
    configurations: usize,
    instances: usize,
    instances_without_file: usize,
    runs_added: usize,
    runs_already_there: usize,
    results_left_out: usize,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let name = &arguments.file;
    let bytes = std::fs::read(name).map_err(|error| {
        CliError::usage(format!("{}: {error}", name.display()))
            .with_hint("name a database that ZaligVinder made")
    })?;
    let digest = Digest::of(&bytes);
    drop(bytes);
    let campaign = Campaign {
        // The same file is the same import.
        id: format!("zaligvinder-{digest}"),
        started: Timestamp::of(SystemTime::now()),
        luthier_version: env!("CARGO_PKG_VERSION").to_owned(),
        command_line: std::env::args_os()
            .map(|argument| argument.to_string_lossy().into_owned())
            .collect(),
        experiment: String::new(),
        machine: this_machine(),
        jobs: 0,
    };
    let was_there = arguments.db.exists();
    let mut store = Store::open(&arguments.db)?;
    let imported = store.import_zaligvinder(
        name,
        ZaligvinderImport {
            campaign: &campaign,
            timeout: WallTime(arguments.timeout),
            folder: &arguments.folder,
            read: &mut |bytes| Question::read(bytes, None).instance,
        },
    );
    store.close()?;
    if matches!(imported, Err(StoreError::NotZaligvinder { .. })) && !was_there {
        // We have just made it, and there is nothing in it.
        let _ = std::fs::remove_file(&arguments.db);
    }
    let report = imported?;
    let record = Record {
        version: VERSION,
        database: arguments.db.display().to_string(),
        configurations: report.configurations,
        instances: report.instances,
        instances_without_file: report.instances_without_file,
        runs_added: report.runs_added,
        runs_already_there: report.runs_already_there,
        results_left_out: report.results_left_out,
    };
    if output.json {
        output.json_line(&record)?;
    } else {
        output.line(format_args!(
            "{} of {} on {} added to {}, {} already there",
            counted(record.runs_added, "result"),
            counted(record.configurations, "solver"),
            counted(record.instances, "instance"),
            record.database,
            record.runs_already_there,
        ))?;
        if record.instances_without_file > 0 {
            let missing = counted(record.instances_without_file, "instance");
            output.warn(&format!("the files of {missing} were not found; --folder says where"));
        }
        if record.results_left_out > 0 {
            let left_out = counted(record.results_left_out, "result");
            output.warn(&format!("{left_out} belong to no instance or solver and are left out"));
        }
    }
    Ok(if record.results_left_out > 0 { Ending::Incomplete } else { Ending::Fine })
}
