//! `luthier hunt`: generates formulas, runs solvers on them and keeps every wrong answer.

mod cases;
mod progress;
mod record;
mod table;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;
use luthier_ask::{ConfigurationSpec, Solver, installable};
use luthier_hunt::{Event, HuntError, Settings, Summary, hunt};
use luthier_records::FindingKind;
use luthier_records::parse_duration;
use luthier_runner::releases::Releases;
use serde::Serialize;

use super::run::stop_on_signals;
use super::user_releases;
use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::Output;
use crate::text::counted;

use cases::{Cases, Covered};
use luthier_generator::Suite;
use progress::HuntProgress;
use record::Folder;

const EXAMPLES: &str = "\
Examples:
  luthier hunt z3@5.4.0 cvc5@1.4.2 --time 10m
  luthier hunt z3@4.8.9+z3str3 --suite icse20-corrected --install
  luthier hunt ./my-z3 --seed 7 --count 10000 --json";

/// Put generated formulas through solvers and keep every wrong answer.
///
/// Goes on until the time or the formulas come to their end, or Ctrl-C. Answers are held against
/// planted answers, against the referee, and against answers to formulas that must have the same.
/// What looks wrong is asked again in a process of its own, and only if it shows there it is a
/// finding. Each is a file in the folder --out, with the truth and the reason, and a line in
/// findings.jsonl there. The same seed and --count give the same formulas (docs/hunt.md). Ends with
/// 2 if a solver was wrong, and with 0 otherwise: a crash is no wrong answer.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Releases and their options: z3@5.4.0, z3@4.8.9+z3str3, "z3 smt.x=1"
    #[arg(value_name = "SOLVER", required = true)]
    solvers: Vec<String>,
    /// How long to hunt [default: until Ctrl-C]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    time: Option<Duration>,
    /// At most so many cases; a case is a formula with its variants
    #[arg(long, value_name = "N")]
    count: Option<u64>,
    /// What decides which formulas are made
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Where formulas come from; may be given several times [default: all endless suites]
    #[arg(long, value_name = "NAME", value_parser = cases::suite)]
    suite: Vec<Suite>,
    /// At most N metamorphic variants of each formula of an endless suite
    #[arg(long, alias = "twins", value_name = "N", default_value_t = 1)]
    variants: usize,
    /// The folder for what is found [default: hunt-SEED]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// CPU time for a formula that is asked alone
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = parse_duration)]
    timeout: Duration,
    /// The time after which a formula of a batch is given up
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = parse_duration)]
    query_timeout: Duration,
    /// Findings of one solver, class and operation that are kept; more are counted
    #[arg(long, value_name = "N", default_value_t = 10)]
    most: u64,
    /// Batches at the same time [default: the number of cores]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Fetch releases that are missing
    #[arg(long)]
    install: bool,
}

/// The JSON of `luthier hunt`.
#[derive(Serialize)]
struct Record {
    version: u32,
    seed: u64,
    suites: Vec<&'static str>,
    /// Cells of the coverage map that the formulas of endless suites reached.
    coverage: Option<CoverageRecord>,
    /// Somebody stopped it, or the time was over.
    stopped: bool,
    cases: u64,
    formulas: u64,
    seconds: f64,
    formulas_per_second: f64,
    findings: u64,
    #[serde(flatten)]
    classes: table::Counts,
    unconfirmed: u64,
    similar: u64,
    inexpressible: u64,
    unreadable: u64,
    faults: u64,
    solvers: Vec<table::Row>,
    folder: Option<String>,
    files: BTreeMap<&'static str, Vec<String>>,
}

#[derive(Serialize)]
struct CoverageRecord {
    covered: usize,
    total: usize,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let releases = user_releases()?;
    let specs = arguments.specs()?;
    if arguments.install {
        super::solvers::install::ensure(&installable(&specs)?, &releases, output)?;
    }
    let solvers = arguments.find(&specs, &releases)?;
    let settings = arguments.settings()?;
    let mut folder = Folder::new(arguments.out.as_deref(), arguments.seed)?;
    let suites = cases::chosen(&arguments.suite);
    let covered = Covered::default();
    let formulas = Cases::new(&suites, arguments.seed, arguments.variants, covered.clone());
    let stop = Arc::new(AtomicBool::new(false));
    stop_on_signals(&stop);
    let mut progress = HuntProgress::new();
    let mut failure = None;
    let summary = {
        let failed = AtomicBool::new(false);
        let stop = || stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
        let mut observer = |event: Event<'_>| match event {
            Event::Finding(finding) => {
                progress.clear();
                let told = folder.keep(finding).and_then(|file| {
                    if output.json {
                        return Ok(());
                    }
                    table::print_finding(finding, &file, output)?;
                    output.flush()
                });
                if let Err(error) = told {
                    failed.store(true, Ordering::Relaxed);
                    failure.get_or_insert(error);
                }
            }
            Event::Progress(summary) => progress.update(summary, covered.cells()),
            Event::Fault { solver, message } => {
                progress.clear();
                let who = solver.map_or_else(String::new, |solver| format!("{solver}: "));
                output.warn(&format!("{who}{message}"));
            }
        };
        hunt(&solvers, formulas, &settings, &stop, &mut observer)
    };
    progress.clear();
    if let Some(error) = failure {
        return Err(error);
    }
    let summary = summary.map_err(|error| match error {
        HuntError::NoFolder(_) => CliError::usage(error.to_string()),
        HuntError::WorkerLost => CliError::Bug { message: error.to_string() },
    })?;
    let suites = cases::names(&suites);
    let found = Found { summary: &summary, suites, folder: &folder, covered: covered.cells() };
    finish(arguments, &found, output)
}

/// What came of a hunt.
struct Found<'a> {
    summary: &'a Summary,
    suites: Vec<&'static str>,
    folder: &'a Folder,
    covered: Option<(usize, usize)>,
}

/// Tells what came of it.
fn finish(
    arguments: &Arguments,
    found: &Found<'_>,
    output: &mut Output,
) -> Result<Ending, CliError> {
    let Found { summary, folder, covered, .. } = *found;
    let seconds = summary.elapsed.as_secs_f64();
    let total = |count: fn(&luthier_hunt::Tally) -> u64| summary.solvers.iter().map(count).sum();
    let faults: u64 = total(|tally| tally.faults);
    let record = Record {
        version: VERSION,
        seed: arguments.seed,
        suites: found.suites.clone(),
        coverage: covered.map(|(covered, total)| CoverageRecord { covered, total }),
        stopped: summary.stopped,
        cases: summary.cases,
        formulas: summary.formulas,
        seconds,
        formulas_per_second: summary.formulas as f64 / seconds.max(1e-9),
        findings: FindingKind::hunted().map(|class| summary.found(class)).sum(),
        classes: table::counts(|class| summary.found(class)),
        unconfirmed: total(|tally| tally.unconfirmed()),
        similar: total(|tally| tally.similar),
        inexpressible: total(|tally| tally.inexpressible),
        unreadable: summary.unreadable,
        faults,
        solvers: summary.solvers.iter().map(table::Row::of).collect(),
        folder: folder.path().map(|path| path.display().to_string()),
        files: folder.files(),
    };
    if output.json {
        output.json_line(&record)?;
    } else {
        table::print(&record.solvers, output)?;
        let formulas = counted(usize::try_from(summary.formulas).unwrap_or(usize::MAX), "formula");
        let speed = record.formulas_per_second;
        let coverage = covered.map_or_else(String::new, progress::describe_coverage);
        let place = match folder.path() {
            Some(path) => format!("; findings in {}", path.display()),
            None => String::new(),
        };
        output.line(format_args!(
            "{formulas} in {seconds:.1} s, {speed:.0} per second{coverage}{place}"
        ))?;
    }
    if summary.found(FindingKind::PlantedAgainstModel) > 0 {
        output.warn(
            "a formula that was made to be unsatisfiable has a model: that is a fault of Luthier, \
             please report the files in `planted-against-model`",
        );
    }
    Ok(match () {
        () if summary.has_solver_error() => Ending::WrongAnswer,
        () if faults > 0 || summary.unreadable > 0 => Ending::Incomplete,
        () => Ending::Fine,
    })
}

impl Arguments {
    fn specs(&self) -> Result<Vec<ConfigurationSpec>, CliError> {
        let specs = self.solvers.iter().map(|text| ConfigurationSpec::parse(text));
        specs.collect::<Result<_, String>>().map_err(CliError::usage)
    }

    fn find(
        &self,
        specs: &[ConfigurationSpec],
        releases: &Releases,
    ) -> Result<Vec<Solver>, CliError> {
        let found: Result<Vec<Solver>, _> =
            specs.iter().map(|spec| Solver::find(spec, None, releases)).collect();
        let found = found?;
        let names: Vec<String> = found.iter().map(|solver| solver.name.clone()).collect();
        let mut solvers: Vec<Solver> = Vec::new();
        for (mut solver, text) in found.into_iter().zip(&self.solvers) {
            // Two programs that say they are the same release are called as they were named.
            if names.iter().filter(|name| **name == solver.name).count() > 1 {
                solver.name.clone_from(text);
            }
            if solvers.iter().any(|other| other.name == solver.name) {
                let message = format!("{} is named twice", solver.name);
                return Err(CliError::usage(message).with_hint("name each solver once"));
            }
            solvers.push(solver);
        }
        Ok(solvers)
    }

    fn settings(&self) -> Result<Settings, CliError> {
        let default = Settings::default();
        let jobs = self.jobs.unwrap_or(default.jobs);
        if jobs == 0 {
            return Err(CliError::usage("there must be at least 1 job"));
        }
        Ok(Settings {
            jobs,
            timeout: self.timeout,
            query_limit: self.query_timeout,
            most: self.most,
            count: self.count,
            time: self.time,
            ..default
        })
    }
}
