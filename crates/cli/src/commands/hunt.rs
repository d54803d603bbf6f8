//! `luthier hunt`: fuzzing of solvers with generated formulas of known or related answers.
//!
//! Formulas come from the generator's suites, oracles are planted answers, the referee and
//! metamorphic variants. The hunt itself is in `luthier-hunt`, which emits events; this module shows
//! them and keeps every confirmed finding as a file.

mod cases;
mod progress;
mod record;
mod reduction;
mod seeds;
mod suites;
mod table;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;
use luthier_ask::{ConfigurationSpec, Solver, installable};
use luthier_hunt::{Event, HuntError, Settings, Summary, hunt, hunt_slow};
use luthier_records::FindingKind;
use luthier_records::parse_duration;
use luthier_runner::releases::Releases;
use serde::Serialize;

use super::run::stop_on_signals;
use super::triage::OWN;
use super::user_releases;
use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::Output;
use crate::status_line::StatusLine;
use crate::text::counted;

use cases::{Cases, Generated, Selection};
use luthier_generator::Profile;
use progress::HuntStatus;
use record::Folder;
use reduction::Reduction;
use suites::{Chosen, HuntSuite};

const EXAMPLES: &str = "\
Examples:
  luthier hunt z3@5.4.0 cvc5@1.4.2 --time 10m
  luthier hunt z3@4.8.9+z3str3 --suite icse20-corrected --install
  luthier hunt cvc5@1.4.2 --from benchmarks/ --time 10m
  luthier hunt cvc5@1.4.2 --suite small --start 250000 --time 1h
  luthier hunt cvc5@1.4.2 --options documented --time 1h
  luthier hunt z3@4.8.9 --suite rewrites --count 100000
  luthier hunt z3@4.8.9 z3@5.4.0 --slow --time 10m
  luthier hunt ./my-z3 --seed 7 --count 10000 --json";

/// Fuzz solvers with generated formulas and keep every wrong answer
///
/// Runs until --time or --count is reached, or Ctrl-C. Oracles are planted answers, the referee on models
/// and on values, metamorphic variants, which have the same answer by construction, sessions of several
/// queries, and the other solvers. A suspicion becomes a finding
/// only if it is reproduced in a process of its own. Each finding is a file in the folder --out,
/// with the ground truth and the evidence, a reduced file beside it, and a line in findings.jsonl. The same seed and --count
/// give the same formulas (docs/hunt.md). Ends with 2 if an answer is wrong, else with 0; a crash
/// is a finding but no wrong answer.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Releases and their options: z3@5.4.0, z3@4.8.9+z3str3, "z3 smt.x=1"
    #[arg(value_name = "SOLVER", required = true)]
    solvers: Vec<String>,
    /// Wall-clock time of the hunt [default: until Ctrl-C]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    time: Option<Duration>,
    /// Maximal number of cases; a case is a formula with its variants
    #[arg(long, value_name = "N")]
    count: Option<u64>,
    /// Random seed of the generator
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Suite of formulas, or `rewrites`: terms to simplify; repeatable [default: all endless suites, or none with --from]
    #[arg(long, value_name = "NAME", value_parser = suites::suite)]
    suite: Vec<HuntSuite>,
    /// Make formulas of the parts of real ones: files, folders and archives; repeatable
    #[arg(long, value_name = "FILE")]
    from: Vec<PathBuf>,
    /// First position of small and small-bounded; a hunt says at its end where the next goes on
    #[arg(long, value_name = "N", default_value_t = 0, hide_short_help = true)]
    start: u64,
    /// Maximal number of metamorphic variants per formula of an endless suite
    #[arg(long, alias = "twins", value_name = "N", default_value_t = 1, hide_short_help = true)]
    variants: usize,
    /// Folder for the findings [default: hunt-SEED]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Limit on CPU time for a formula in a process of its own
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = parse_duration, hide_short_help = true)]
    timeout: Duration,
    /// Limit on time for a formula in a batch; without --count, a part of it where that decides nearly as much
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = parse_duration, hide_short_help = true)]
    query_timeout: Duration,
    /// Option sets of the releases that are asked besides the default, in turn
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = OptionLevel::Default)]
    options: OptionLevel,
    /// One batch in N is asked as sessions: several queries over one assertion stack; 0 for none
    #[arg(long, value_name = "N", default_value_t = 4, hide_short_help = true)]
    sessions: u64,
    /// Findings kept per solver, kind and operation; further ones are only counted
    #[arg(long, value_name = "N", default_value_t = 10, hide_short_help = true)]
    most: u64,
    /// Parallel batches [default: the number of cores]
    #[arg(long, value_name = "N", hide_short_help = true)]
    jobs: Option<usize>,
    /// Compare CPU times instead of answers: formulas that one solver decides 100 times slower than
    /// another, each asked alone, with ten times the limit --timeout
    #[arg(long)]
    slow: bool,
    /// Leave findings as they are instead of reducing each one
    #[arg(long)]
    no_reduce: bool,
    /// Install missing releases
    #[arg(long)]
    install: bool,
}

/// Which option sets are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum OptionLevel {
    /// None but those that are named
    Default,
    /// Those that the description of the solver does not mark as expert
    Documented,
    /// All of them
    All,
}

/// The JSON of `luthier hunt`.
#[derive(Serialize)]
struct Record {
    version: u32,
    seed: u64,
    suites: Vec<&'static str>,
    /// Files, folders and archives that seeds come from.
    from: Vec<String>,
    /// Cells of the coverage map that the formulas of endless suites reached.
    coverage: Option<CoverageRecord>,
    /// Where the enumeration of the suite `small` goes on, if any of it was asked: `--start`.
    next_start: Option<u64>,
    /// Formulas about each operator that were asked, and decided, over all solvers.
    operators: Vec<OperatorRecord>,
    /// Somebody stopped it, or the time was over.
    stopped: bool,
    cases: u64,
    formulas: u64,
    seconds: f64,
    formulas_per_second: f64,
    /// Queries that were replied to, by all solvers; a session has several.
    queries: u64,
    /// Replies `sat` and `unsat` among them.
    decided: u64,
    findings: u64,
    #[serde(flatten)]
    classes: table::Counts,
    unconfirmed: u64,
    /// The folders of those that can be examined, from the folder on.
    unconfirmed_folders: Vec<String>,
    similar: u64,
    inexpressible: u64,
    unreadable: u64,
    faults: u64,
    solvers: Vec<table::Row>,
    folder: Option<String>,
    files: BTreeMap<&'static str, Vec<String>>,
}

#[derive(Serialize)]
struct OperatorRecord {
    name: &'static str,
    asked: u64,
    decided: u64,
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
    let mut solvers = arguments.find(&specs, &releases)?;
    let has_seeds = !arguments.from.is_empty();
    let suites = Chosen::new(&arguments.suite, has_seeds);
    let mut settings = suites.settings(arguments.settings()?, arguments.seed);
    if arguments.slow {
        if solvers.len() < 2 || suites.has_only_terms {
            let message = "--slow compares at least two solvers on formulas";
            return Err(
                CliError::usage(message).with_hint("luthier hunt z3@5.4.0 cvc5@1.4.2 --slow")
            );
        }
        settings.timeout = settings.timeout.saturating_mul(10);
    }
    settings.rotating = arguments.add_option_sets(&mut solvers)?;
    settings.own = own_solver(&releases, &solvers);
    let mut folder = Folder::new(arguments.out.as_deref(), arguments.seed)?;
    let seeds = match arguments.from[..] {
        [] => Vec::new(),
        _ => seeds::read(&arguments.from, arguments.seed, output)?,
    };
    let generated = Generated::default();
    let selection = Selection {
        suites: suites.formulas.clone(),
        seed: arguments.seed,
        start: arguments.start,
        variants: arguments.variants,
        seeds: Arc::new(seeds),
    };
    let formulas = suites.cases(Cases::new(&selection, generated.clone()));
    let stop = Arc::new(AtomicBool::new(false));
    stop_on_signals(&stop);
    let reduction = match arguments.no_reduce {
        true => None,
        false => Some(Reduction::new(&releases, arguments.timeout)?),
    };
    let line = StatusLine::new(HuntStatus::new(arguments.time, arguments.count));
    let mut failure = None;
    let summary = {
        let failed = AtomicBool::new(false);
        let stop = || stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
        let mut observer = |event: Event<'_>| match event {
            Event::Finding(finding) => {
                let reduced = reduction.as_ref().and_then(|one| one.reduced(finding, &solvers));
                let kept = line.pause(|| {
                    let file = folder.keep(finding, reduced.as_ref())?;
                    if output.json {
                        return Ok(());
                    }
                    table::print_finding(finding, &file, reduced.as_ref(), output)?;
                    output.flush()
                });
                if let Err(error) = kept {
                    failed.store(true, Ordering::Relaxed);
                    failure.get_or_insert(error);
                }
            }
            Event::Unconfirmed(trace) => {
                if let Err(error) = line.pause(|| folder.keep_unconfirmed(trace)) {
                    failed.store(true, Ordering::Relaxed);
                    failure.get_or_insert(error);
                }
            }
            Event::Progress(summary) => {
                generated.complete(summary.cases);
                // With --count, seed and number decide a formula.
                if arguments.count.is_none() {
                    generated.learn(profile(summary));
                }
                line.update(|status| status.observe(summary, &generated));
            }
            Event::Fault { solver, message } => {
                let who = solver.map_or_else(String::new, |solver| format!("{solver}: "));
                line.pause(|| output.warn(&format!("{who}{message}")));
            }
        };
        match arguments.slow {
            true => hunt_slow(&solvers, formulas, &settings, &stop, &mut observer),
            false => hunt(&solvers, formulas, &settings, &stop, &mut observer),
        }
    };
    drop(line);
    if let Some(error) = failure {
        return Err(error);
    }
    let summary = summary.map_err(|error| match error {
        HuntError::NoFolder(_) => CliError::usage(error.to_string()),
        HuntError::WorkerLost => CliError::Bug { message: error.to_string() },
    })?;
    let suites = suites.names();
    let (covered, next_start) = (generated.cells(), generated.next_position());
    let found = Found { summary: &summary, suites, folder: &folder, covered, next_start };
    finish(arguments, &found, output)
}

/// How many of the least decided operators are shown.
const SHOWN_OPERATORS: usize = 6;

/// Asked and decided formulas by operator, over all solvers.
fn operators(summary: &Summary) -> Vec<OperatorRecord> {
    let mut rows: BTreeMap<&'static str, (u64, u64)> = BTreeMap::new();
    for (name, (asked, decided)) in summary.solvers.iter().flat_map(|tally| &tally.operations) {
        let row = rows.entry(name).or_default();
        row.0 += asked;
        row.1 += decided;
    }
    let record = |(name, (asked, decided))| OperatorRecord { name, asked, decided };
    rows.into_iter().map(record).collect()
}

/// What a hunt learnt about the decided shares of operators.
fn profile(summary: &Summary) -> Profile {
    Profile::new(operators(summary).iter().map(|row| (row.name, row.asked, row.decided)))
}

/// Our own solver, to decide open formulas, unless it is hunted itself.
fn own_solver(releases: &Releases, hunted: &[Solver]) -> Option<Solver> {
    let own = ConfigurationSpec { solver: OWN.to_owned(), ..ConfigurationSpec::default() };
    let own = Solver::find(&own, None, releases).ok()?;
    let family = |solver: &Solver| solver.release.description.family().to_owned();
    (!hunted.iter().any(|solver| family(solver) == family(&own))).then_some(own)
}

/// The outcome of a hunt.
struct Found<'a> {
    summary: &'a Summary,
    suites: Vec<&'static str>,
    folder: &'a Folder,
    covered: Option<(usize, usize)>,
    next_start: Option<u64>,
}

/// Prints the outcome.
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
        from: arguments.from.iter().map(|path| path.display().to_string()).collect(),
        coverage: covered.map(|(covered, total)| CoverageRecord { covered, total }),
        next_start: found.next_start,
        operators: operators(summary),
        stopped: summary.stopped,
        cases: summary.cases,
        formulas: summary.formulas,
        seconds,
        formulas_per_second: summary.formulas as f64 / seconds.max(1e-9),
        queries: total(|tally| tally.queries),
        decided: total(luthier_hunt::Tally::decided),
        findings: FindingKind::hunted().map(|class| summary.found(class)).sum(),
        classes: table::counts(|class| summary.found(class)),
        unconfirmed: total(|tally| tally.unconfirmed()),
        unconfirmed_folders: folder.unconfirmed().to_vec(),
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
        let limits: Vec<String> = summary
            .solvers
            .iter()
            .filter(|tally| !tally.query_limit.is_zero() && arguments.count.is_none())
            .map(|tally| format!("{} {} ms", tally.solver, tally.query_limit.as_millis()))
            .collect();
        if !limits.is_empty() {
            output.line(format_args!("limit of a query: {}", limits.join(", ")))?;
        }
        let kept = folder.unconfirmed().len();
        if kept > 0 {
            let kept = counted(kept, "suspicion");
            output.line(format_args!("{kept} not confirmed, kept in the folder unconfirmed"))?;
        }
        let less = profile(summary).asked_less();
        if !less.is_empty() {
            let less: Vec<String> = less
                .iter()
                .take(SHOWN_OPERATORS)
                .map(|(name, asked, decided)| format!("{name} {decided} of {asked}"))
                .collect();
            output.line(format_args!("least decided: {}", less.join(", ")))?;
        }
        if let Some(next) = found.next_start {
            output.line(format_args!(
                "the enumeration of small formulas goes on with --start {next}"
            ))?;
        }
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

    /// Adds the option sets of each solver, of which one is asked in each batch. Returns their indices.
    fn add_option_sets(&self, solvers: &mut Vec<Solver>) -> Result<Vec<Vec<usize>>, CliError> {
        let mut groups = Vec::new();
        if self.options == OptionLevel::Default {
            return Ok(groups);
        }
        for solver in solvers.clone() {
            let named = |other: &Solver| solvers.iter().any(|one| one.name == other.name);
            let mut sets = solver.with_option_sets(self.options == OptionLevel::All)?;
            sets.retain(|other| !named(other));
            if !sets.is_empty() {
                groups.push((solvers.len()..solvers.len() + sets.len()).collect());
                solvers.append(&mut sets);
            }
        }
        Ok(groups)
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
            // With --count, replies must depend on the machine as little as they can.
            adaptive: self.count.is_none(),
            sessions: self.sessions,
            most: self.most,
            count: self.count,
            time: self.time,
            ..default
        })
    }
}
