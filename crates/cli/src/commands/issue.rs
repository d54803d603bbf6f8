//! `luthier issue`: reports for the maintainers of a solver, in Markdown, in the order of their severity.
//!
//! Each file is observed again on the named release and on the newest one, its releases are bisected, and
//! the values of all subterms are tabulated. A queue file remembers what was sent, so that maintainers get
//! only so many reports a week.

mod queue;
mod report;

use std::path::{Path, PathBuf};

use clap::Args;
use luthier_records::FindingKind;
use luthier_triage::{Report, priority};
use serde::Serialize;

use super::triage::{ProcessOptions, Workplace};
use super::user_releases;
use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::Output;
use queue::Queue;
use report::{Drafted, draft};

const EXAMPLES: &str = "\
Examples:
  luthier issue small.smt2 --solver z3@4.8.9
  luthier issue clusters/*.smt2 --out reports --queue z3-reports.json
  luthier issue clusters/*.smt2 --queue z3-reports.json --per-week 2 --sent";

/// Write bug reports for the maintainers of a solver
///
/// For each reduced file: the input, the command, what the solver says and what is true, the value of
/// every subterm, the affected releases, and whether the newest release fails, tried just now. The
/// worst failures come first: wrong unsat, wrong sat, invalid models and cores, crashes,
/// incompleteness. With --queue, at most --per-week reports of the last seven days are shown. Ends with 0, or
/// with 3 if a file does not fail.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Reduced files, as `luthier reduce` and `luthier cluster` write them
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The failing release and its options [default: the one that the file names in its first line]
    #[arg(long, value_name = "SOLVER")]
    solver: Option<String>,
    /// Write each report to a file in this folder instead of standard output
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// A file that remembers which reports were sent, and when
    #[arg(long, value_name = "FILE")]
    queue: Option<PathBuf>,
    /// How many reports may be sent within seven days
    #[arg(long, value_name = "N", default_value_t = 3)]
    per_week: usize,
    /// Remember the shown reports as sent now
    #[arg(long, requires = "queue")]
    sent: bool,
    /// Bisect over all releases that can be installed, not only over those that are
    #[arg(long)]
    all_releases: bool,
    #[command(flatten)]
    process: ProcessOptions,
}

/// The JSON of `luthier issue`.
#[derive(Serialize)]
struct Record {
    version: u32,
    reports: Vec<ReportRecord>,
    /// Files whose reports have to wait for another week.
    waiting: Vec<String>,
    /// Files whose reports were sent before.
    sent_before: Vec<String>,
    /// Files that do not fail.
    failed: Vec<String>,
}

#[derive(Serialize)]
struct ReportRecord {
    file: String,
    class: &'static str,
    solver: String,
    title: String,
    newest: Option<String>,
    newest_fails: Option<bool>,
    report: Option<String>,
    markdown: String,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let releases = user_releases()?;
    let mut queue = match &arguments.queue {
        Some(path) => Some(Queue::open(path)?),
        None => None,
    };
    let workplace = Workplace::new(&releases, &arguments.process)?;
    let mut drafts: Vec<Drafted> = Vec::new();
    let mut failed = Vec::new();
    for file in &arguments.files {
        let drafted = draft(file, arguments, &workplace, &releases, output)?;
        // A report on a file whose processes were stopped would say that it does not fail.
        if workplace.stop.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(CliError::incomplete("stopped"));
        }
        match drafted {
            Ok(drafted) => drafts.push(drafted),
            Err(why) => {
                output.warn(&format!("{}: {why}", file.display()));
                failed.push(file.display().to_string());
            }
        }
    }
    drafts.sort_by_key(|one| (priority(one.report.kind), one.nodes, one.file.clone()));
    let (mut shown, mut waiting, mut sent_before) = (Vec::new(), Vec::new(), Vec::new());
    let allowed = queue.as_ref().map_or(usize::MAX, |queue| queue.left(arguments.per_week));
    for one in drafts {
        match &queue {
            Some(queue) if queue.was_sent(&one.key) => sent_before.push(one.file),
            _ if shown.len() < allowed => shown.push(one),
            _ => waiting.push(one.file),
        }
    }
    let mut reports = Vec::new();
    for one in &shown {
        let written = match &arguments.out {
            Some(folder) => Some(write(folder, one)?),
            None => None,
        };
        if !output.json && written.is_none() {
            output.text(&one.report.markdown())?;
        }
        if let (Some(queue), true) = (&mut queue, arguments.sent) {
            queue.add(one.key.clone(), one.report.title());
        }
        reports.push(ReportRecord::new(one, written));
    }
    if let (Some(queue), true) = (&queue, arguments.sent) {
        queue.save()?;
    }
    let ending = if failed.is_empty() { Ending::Fine } else { Ending::Incomplete };
    if output.json {
        let record = Record { version: VERSION, reports, waiting, sent_before, failed };
        output.json_line(&record)?;
        return Ok(ending);
    }
    for report in &reports {
        if let Some(path) = &report.report {
            output.line(format_args!("{path}: {}", report.title))?;
        }
    }
    for (files, why) in [(&waiting, "waits for another week"), (&sent_before, "was sent before")] {
        for file in files {
            output.message(format_args!("{file}: {why}"));
        }
    }
    Ok(ending)
}

fn write(folder: &Path, drafted: &Drafted) -> Result<String, CliError> {
    let stem =
        Path::new(&drafted.file).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let path = folder.join(format!("{stem}.md"));
    let failed = |error: std::io::Error| CliError::usage(format!("{}: {error}", path.display()));
    std::fs::create_dir_all(folder).map_err(failed)?;
    std::fs::write(&path, drafted.report.markdown()).map_err(failed)?;
    Ok(path.display().to_string())
}

impl ReportRecord {
    fn new(one: &Drafted, written: Option<String>) -> Self {
        let Report { solver, kind, newest, .. } = &one.report;
        Self {
            file: one.file.clone(),
            class: FindingKind::name(*kind),
            solver: solver.clone(),
            title: one.report.title(),
            newest: newest.as_ref().map(|(version, _)| version.clone()),
            newest_fails: newest.as_ref().map(|(_, fails)| *fails),
            report: written,
            markdown: one.report.markdown(),
        }
    }
}
