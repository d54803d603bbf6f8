//! The counts of `luthier parse`, as JSON and as tables.

use std::collections::BTreeMap;
use std::time::Duration;

use luthier_corpus::Skipped;
use luthier_smtlib::RoundTrip;
use serde::Serialize;

use super::read::{FileDiagnostic, FileReading, Rejection};
use crate::error::CliError;
use crate::json::VERSION;
use crate::output::Output;
use crate::text::{self, clean_name};

/// How many rejected files are listed without `--all`.
const LISTED: usize = 20;

/// Everything that is counted.
#[derive(Default)]
pub struct Tally {
    /// Scripts that were read.
    pub files: usize,
    /// What could not be opened, and why.
    pub unreadable: Vec<String>,
    /// The processor time of the whole process.
    pub cpu: Duration,
    reader_cpu: Duration,
    bytes: u64,
    rejections: Vec<Rejection>,
    causes: BTreeMap<&'static str, usize>,
    dialects: BTreeMap<&'static str, usize>,
    reasons: BTreeMap<String, usize>,
    diagnostics: Vec<FileDiagnostic>,
    skipped: u64,
    skipped_files: Vec<SkippedRecord>,
    round_trips: Option<RoundTrips>,
}

/// Counts of round trips.
#[derive(Clone, Debug, Default, Serialize)]
struct RoundTrips {
    same: usize,
    rewritten: usize,
    cannot_express: usize,
    failures: Vec<RoundTripFailure>,
}

#[derive(Clone, Debug, Serialize)]
struct RoundTripFailure {
    file: String,
    dialect: &'static str,
}

#[derive(Clone, Debug, Serialize)]
struct SkippedRecord {
    file: String,
    reason: &'static str,
}

/// The JSON of `luthier parse`.
#[derive(Serialize)]
pub struct Record<'a> {
    version: u32,
    files: usize,
    accepted: usize,
    rejected: usize,
    bytes: u64,
    /// Of the whole process: searching, decompressing, reading.
    cpu_seconds: f64,
    /// Of reading alone.
    reader_cpu_seconds: f64,
    causes: &'a BTreeMap<&'static str, usize>,
    dialects: &'a BTreeMap<&'static str, usize>,
    reasons: &'a BTreeMap<String, usize>,
    rejections: &'a [Rejection],
    unreadable: &'a [String],
    skipped: u64,
    skipped_files: &'a [SkippedRecord],
    #[serde(skip_serializing_if = "Option::is_none")]
    roundtrip: Option<&'a RoundTrips>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnostics: Option<&'a [FileDiagnostic]>,
}

impl Tally {
    /// Nothing counted yet.
    pub fn new(round_trips: bool) -> Self {
        Self { round_trips: round_trips.then(RoundTrips::default), ..Self::default() }
    }

    /// Counts a script.
    pub fn add(&mut self, file: FileReading) {
        self.files += 1;
        self.bytes += file.bytes;
        self.reader_cpu += file.cpu;
        *self.dialects.entry(file.dialect.name()).or_default() += 1;
        *self.reasons.entry(file.reason).or_default() += 1;
        self.diagnostics.extend(file.records);
        if let Some(rejection) = file.rejection {
            *self.causes.entry(rejection.code).or_default() += 1;
            self.rejections.push(rejection);
        }
        let Some(counts) = &mut self.round_trips else { return };
        for (dialect, round_trip) in file.round_trips {
            match round_trip {
                RoundTrip::Same => counts.same += 1,
                RoundTrip::Rewritten => counts.rewritten += 1,
                RoundTrip::CannotExpress(_) => counts.cannot_express += 1,
                RoundTrip::Different(_) => {
                    let (file, dialect) = (file.file.clone(), dialect.name());
                    counts.failures.push(RoundTripFailure { file, dialect });
                }
            }
        }
    }

    /// Counts what was left out.
    pub fn skip(&mut self, skipped: &Skipped) {
        self.skipped = skipped.count();
        let files = skipped.files().iter();
        let record = |file: &luthier_corpus::SkippedFile| SkippedRecord {
            file: file.name.clone(),
            reason: file.reason.describe(),
        };
        self.skipped_files = files.map(record).collect();
    }

    /// How often a script that was printed read back differently.
    pub fn round_trip_failures(&self) -> usize {
        self.round_trips.as_ref().map_or(0, |counts| counts.failures.len())
    }

    /// Whether nothing was rejected or unreadable.
    pub fn everything_was_read(&self) -> bool {
        self.rejections.is_empty() && self.unreadable.is_empty()
    }

    /// The counts for JSON.
    pub fn record(&self, diagnostics: bool) -> Record<'_> {
        Record {
            version: VERSION,
            files: self.files,
            accepted: self.files - self.rejections.len(),
            rejected: self.rejections.len(),
            bytes: self.bytes,
            cpu_seconds: self.cpu.as_secs_f64(),
            reader_cpu_seconds: self.reader_cpu.as_secs_f64(),
            causes: &self.causes,
            dialects: &self.dialects,
            reasons: &self.reasons,
            rejections: &self.rejections,
            unreadable: &self.unreadable,
            skipped: self.skipped,
            skipped_files: &self.skipped_files,
            roundtrip: self.round_trips.as_ref(),
            diagnostics: diagnostics.then_some(&self.diagnostics),
        }
    }

    /// The counts as text.
    pub fn print(&self, output: &mut Output, all: bool) -> Result<(), CliError> {
        self.print_rejections(output, all)?;
        self.print_round_trips(output)?;
        print_counts(output, "rejected by cause", self.causes.iter())?;
        print_counts(output, "dialects", self.dialects.iter())?;
        print_counts(output, "dialect chosen because of", self.reasons.iter())?;
        let per_second =
            |time: Duration| text::bytes((self.bytes as f64 / time.as_secs_f64().max(1e-9)) as u64);
        let throughput = format!(
            "{}/s of CPU time, {}/s while reading",
            per_second(self.cpu),
            per_second(self.reader_cpu)
        );
        let cpu = format!(
            "{:.2} s, of which reading {:.2} s",
            self.cpu.as_secs_f64(),
            self.reader_cpu.as_secs_f64()
        );
        let mut rows = vec![
            ("files", self.files.to_string()),
            ("accepted", (self.files - self.rejections.len()).to_string()),
            ("rejected", self.rejections.len().to_string()),
            ("unreadable", self.unreadable.len().to_string()),
            ("skipped", self.skipped.to_string()),
            ("bytes", format!("{} ({})", self.bytes, text::bytes(self.bytes))),
            ("CPU time", cpu),
            ("throughput", throughput),
        ];
        rows.retain(|(name, value)| value != "0" || !matches!(*name, "unreadable" | "skipped"));
        for (name, value) in rows {
            output.line(format_args!("{name:<10}  {value}"))?;
        }
        Ok(())
    }

    fn print_rejections(&self, output: &mut Output, all: bool) -> Result<(), CliError> {
        if self.rejections.is_empty() {
            return Ok(());
        }
        let shown = if all { self.rejections.len() } else { LISTED };
        output.line(output.paint.bold("rejected files"))?;
        for rejection in self.rejections.iter().take(shown) {
            let Rejection { file, line, column, code, message } = rejection;
            let error = output.paint.error(&format!("error[{code}]:"));
            let (file, message) = (clean_name(file), clean_name(message));
            output.line(format_args!("  {file}:{line}:{column}: {error} {message}"))?;
        }
        if let more @ 1.. = self.rejections.len().saturating_sub(shown) {
            output.line(format_args!("  … and {more} more; --all lists them"))?;
        }
        output.line("")
    }

    fn print_round_trips(&self, output: &mut Output) -> Result<(), CliError> {
        let Some(counts) = &self.round_trips else { return Ok(()) };
        let rows = [
            ("the same", counts.same),
            ("rewritten with other operators", counts.rewritten),
            ("not expressible in the dialect", counts.cannot_express),
            ("different: a fault of luthier", counts.failures.len()),
        ];
        print_counts(output, "printed and read back", rows.iter().map(|(name, n)| (name, n)))?;
        for RoundTripFailure { file, dialect } in &counts.failures {
            let word = output.paint.error("different");
            output.line(format_args!("  {word} in {dialect}: {}", clean_name(file)))?;
        }
        if counts.failures.is_empty() { Ok(()) } else { output.line("") }
    }
}

/// Counts below a heading, the largest first.
fn print_counts<'a, N: AsRef<str> + 'a>(
    output: &mut Output,
    heading: &str,
    counts: impl Iterator<Item = (&'a N, &'a usize)>,
) -> Result<(), CliError> {
    let mut counts: Vec<(&str, usize)> =
        counts.map(|(name, &count)| (name.as_ref(), count)).filter(|row| row.1 > 0).collect();
    if counts.is_empty() {
        return Ok(());
    }
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let width = counts[0].1.to_string().len();
    output.line(output.paint.bold(heading))?;
    for (name, count) in counts {
        output.line(format_args!("  {count:>width$}  {name}"))?;
    }
    output.line("")
}
