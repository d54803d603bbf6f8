//! Parses scripts in parallel and delivers the results in the order of the input.

use std::path::PathBuf;
use std::time::Duration;

use luthier_corpus::{Flow, Instance, Options, Prepared, Skipped, in_parallel, instances, survey};
use luthier_smtlib::source::Locator;
use luthier_smtlib::{
    Dialect, ParsedScript, PrintOptions, ReadOptions, RoundTrip, read_script, round_trip,
};
use luthier_terms::TermPool;
use serde::Serialize;

use crate::cpu;
use crate::json::{DiagnosticRecord, render};
use crate::output::Paint;
use crate::progress::Progress;

/// The width of lines in the one round trip that breaks them.
const ROUND_TRIP_WIDTH: usize = 100;

/// What is to be found out about each script.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// How to read.
    pub options: ReadOptions,
    /// Print and read back.
    pub round_trips: bool,
    /// Keep all diagnostics.
    pub diagnostics: bool,
    /// The diagnostics are wanted as JSON, not as text.
    pub json: bool,
    /// Colours of the diagnostics.
    pub paint: Paint,
}

/// The result for one file or archive member.
pub enum Delivery {
    /// A script.
    File(Box<FileReading>),
    /// Something that could not be opened, and why.
    Unreadable(String),
}

/// The result of parsing one script.
pub struct FileReading {
    /// Its name.
    pub file: String,
    /// Its size.
    pub bytes: u64,
    /// The dialect it was read in.
    pub dialect: Dialect,
    /// Why that one.
    pub reason: String,
    /// The first error, if there is one.
    pub rejection: Option<Rejection>,
    /// All diagnostics as text.
    pub rendered: Vec<String>,
    /// All diagnostics for JSON.
    pub records: Vec<FileDiagnostic>,
    /// The result of the round trip, in each dialect.
    pub round_trips: Vec<(Dialect, RoundTrip)>,
    /// The processor time of reading it.
    pub cpu: Duration,
}

/// Why a script was rejected: its first error.
#[derive(Clone, Debug, Serialize)]
pub struct Rejection {
    /// The script.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The stable code of the error.
    pub code: &'static str,
    /// What it is.
    pub message: String,
}

/// A diagnostic of one of many scripts.
#[derive(Clone, Debug, Serialize)]
pub struct FileDiagnostic {
    file: String,
    #[serde(flatten)]
    diagnostic: DiagnosticRecord,
}

/// Reads everything under `paths` with `jobs` threads. What is delivered, and in which order,
/// does not depend on their number. Gives back what was left out.
pub fn read_all(
    paths: &[PathBuf],
    options: &Options,
    jobs: usize,
    wanted: &Wanted,
    deliver: &mut impl FnMut(Delivery) -> Flow,
) -> Skipped {
    let mut progress = Progress::new(|| survey(paths, options));
    let mut found = instances(paths, options);
    in_parallel(
        &mut found,
        jobs,
        Prepared::Work,
        |instance| Delivery::File(Box::new(read_one(instance, wanted))),
        |result, position| {
            let delivery = result.unwrap_or_else(|error| Delivery::Unreadable(error.to_string()));
            if speaks(&delivery) {
                progress.clear();
            }
            let flow = deliver(delivery);
            progress.update(position.delivered, position.bytes_done);
            flow
        },
    );
    progress.clear();
    found.skipped().clone()
}

/// Whether something will be printed for it.
fn speaks(delivery: &Delivery) -> bool {
    match delivery {
        Delivery::File(file) => !file.rendered.is_empty(),
        Delivery::Unreadable(_) => true,
    }
}

fn read_one(instance: Instance, wanted: &Wanted) -> FileReading {
    let Instance { name, bytes } = instance;
    let begin = cpu::of_thread();
    let mut pool = TermPool::new();
    let reading = read_script(&mut pool, &bytes, &wanted.options);
    let cpu = cpu::of_thread().saturating_sub(begin);
    let round_trips = if wanted.round_trips && reading.is_accepted() {
        go_round(&mut pool, &reading)
    } else {
        Vec::new()
    };
    let mut file = FileReading {
        bytes: bytes.len() as u64,
        dialect: reading.detection.dialect,
        reason: reading.detection.reason.describe(),
        rejection: None,
        rendered: Vec::new(),
        records: Vec::new(),
        round_trips,
        cpu,
        file: name,
    };
    describe(&mut file, &reading, &bytes, wanted);
    file
}

/// Writes down what the reader had to say.
fn describe(file: &mut FileReading, reading: &ParsedScript, bytes: &[u8], wanted: &Wanted) {
    if reading.is_accepted() && (!wanted.diagnostics || reading.diagnostics.is_empty()) {
        return;
    }
    let locator = Locator::new(bytes);
    file.rejection = reading.errors().next().map(|error| {
        let place = locator.location(error.span.start);
        Rejection {
            file: file.file.clone(),
            line: place.line,
            column: place.column,
            code: error.code.name(),
            message: error.message.clone(),
        }
    });
    if wanted.diagnostics {
        for diagnostic in &reading.diagnostics {
            if wanted.json {
                let diagnostic = DiagnosticRecord::new(diagnostic, &locator);
                file.records.push(FileDiagnostic { file: file.file.clone(), diagnostic });
            } else {
                file.rendered.push(render(diagnostic, &file.file, &locator, wanted.paint));
            }
        }
    }
}

/// One line a command in every dialect, and broken lines in the standard one.
fn go_round(pool: &mut TermPool, reading: &ParsedScript) -> Vec<(Dialect, RoundTrip)> {
    let flat = Dialect::ALL.map(PrintOptions::new);
    let laid_out = PrintOptions { dialect: Dialect::Smt27, width: Some(ROUND_TRIP_WIDTH) };
    let all = flat.into_iter().chain([laid_out]);
    all.map(|options| (options.dialect, round_trip(pool, &reading.script, &options))).collect()
}
