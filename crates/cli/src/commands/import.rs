//! `luthier import`: converts a ZaligVinder database, with models checked by the referee, or a result
//! file of BenchExec.

mod benchexec;
mod model;

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use clap::Args;
use luthier_campaign::benchexec::ResultFile;
use luthier_campaign::parsed_instance::ParsedInstance;
use luthier_campaign::this_machine;
use luthier_records::parse_duration;
use luthier_records::{Campaign, Digest, DigestBuilder, Machine, Timestamp, WallTime};
use luthier_store::{BadRow, Store, ZaligvinderImport};
use serde::Serialize;

use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::Output;
use crate::text::counted;

const EXAMPLES: &str = "\
Examples:
  luthier import zaligvinder.db --timeout 20s --db results.db
  luthier import zaligvinder.db --folder benchmarks/ --db results.db
  luthier import qf-s.results.z3.norn.xml.bz2 --folder tasks/ --db results.db";

/// Import the results of a ZaligVinder database or of BenchExec
///
/// FILE is a database of ZaligVinder, or a result file of BenchExec (.xml, .xml.bz2).
///
/// What it does not hold (versions, command lines, limits, CPU times, endings) stays unknown, and
/// what it may have attributed wrongly is noted with every run (docs/store.md). A second import adds
/// nothing. A result counts once, also if several files have the same bytes. The referee checks the
/// models of instances whose files are there. Bad rows are reported and left out. Ends with 0, or
/// with 3 if there are bad rows.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The database of ZaligVinder, or the result file of BenchExec
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The timeout that the solvers had, which is not in a database of ZaligVinder
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
    models_checked: usize,
    bad_rows: Vec<BadRowRecord>,
}

#[derive(Serialize)]
struct BadRowRecord {
    table: &'static str,
    row: i64,
    instance: Option<String>,
    problem: String,
}

/// How many bad rows are shown; JSON has all of them.
const MOST_SHOWN: usize = 20;

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let name = &arguments.file;
    if name.is_file() && ResultFile::recognise(name) {
        return benchexec::run(arguments, output);
    }
    // Before anything is made or read to its end: it may be a device, or no database.
    Store::recognise_zaligvinder(name)?;
    let digest = digest_of(name)?;
    // The same file is the same import.
    let campaign = campaign(format!("zaligvinder-{digest}"), this_machine());
    let mut store = Store::open(&arguments.db)?;
    let mut models = model::Models::default();
    let imported = store.import_zaligvinder(
        name,
        ZaligvinderImport {
            campaign: &campaign,
            timeout: WallTime(arguments.timeout),
            folder: &arguments.folder,
            read: &mut |bytes| ParsedInstance::read(bytes, None).instance,
            check: &mut |found| models.check(found),
        },
    );
    store.close()?;
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
        models_checked: report.models_checked,
        bad_rows: report.bad_rows.into_iter().map(BadRowRecord::from).collect(),
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
        if record.models_checked > 0 {
            let models = counted(record.models_checked, "model");
            output.line(format_args!("the referee checked {models}"))?;
        }
        for bad in record.bad_rows.iter().take(MOST_SHOWN) {
            let about = bad.instance.as_ref().map(|name| format!(", instance {name:?}"));
            output.warn(&format!(
                "{}: table {}, row {}{}: {}",
                name.display(),
                bad.table,
                bad.row,
                about.unwrap_or_default(),
                bad.problem
            ));
        }
        if !record.bad_rows.is_empty() {
            let all = counted(record.bad_rows.len(), "bad row");
            let left_out = counted(record.results_left_out, "result");
            let hidden = record.bad_rows.len().saturating_sub(MOST_SHOWN);
            let more = if hidden > 0 {
                format!("; --json lists the other {hidden}")
            } else {
                String::new()
            };
            output.warn(&format!("{all}, {left_out} left out{more}"));
        }
    }
    Ok(if record.bad_rows.is_empty() { Ending::Fine } else { Ending::Incomplete })
}

impl From<BadRow> for BadRowRecord {
    fn from(bad: BadRow) -> Self {
        let BadRow { table, row, instance, problem } = bad;
        Self { table, row, instance, problem }
    }
}

fn campaign(id: String, machine: Machine) -> Campaign {
    Campaign {
        id,
        started: Timestamp::of(SystemTime::now()),
        luthier_version: env!("CARGO_PKG_VERSION").to_owned(),
        command_line: std::env::args_os()
            .map(|argument| argument.to_string_lossy().into_owned())
            .collect(),
        experiment: String::new(),
        machine,
        jobs: 0,
    }
}

/// The digest of a file, however large it is.
fn digest_of(path: &Path) -> Result<Digest, CliError> {
    let failed = |error: std::io::Error| CliError::usage(format!("{}: {error}", path.display()));
    let mut file = File::open(path).map_err(failed)?;
    let mut builder = DigestBuilder::default();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer).map_err(failed)? {
            0 => return Ok(builder.finish()),
            read => builder.add(&buffer[..read]),
        }
    }
}
