//! `cargo xtask labelled --labels TABLE PATH…`: our solver on instances with known answers.
//!
//! Every file is decided in this process, by the same engines as `luthier solve`. The command fails on
//! a wrong answer; solved instances are counted.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use luthier_campaign::LabelTable;
use luthier_corpus::{Instance, Options, instances};
use luthier_records::{FindingKind, Verdict as Answer, parse_duration};
use luthier_runner::releases::Cache;
use luthier_smtlib::{ReadOptions, read_script};
use luthier_solver::arithmetic::Backend;
use luthier_solver::{Budget, Cancel, Portfolio, Problem, Verdict};
use luthier_terms::TermPool;

use super::Ending;
use crate::output;

#[derive(clap::Args)]
pub struct Arguments {
    /// Files, folders and archives
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Tables with the known answers, as for `luthier run --labels`
    #[arg(long, required = true)]
    labels: Vec<PathBuf>,
    /// Time for a file
    #[arg(long, default_value = "2s", value_parser = parse_duration)]
    timeout: Duration,
    /// How many files at the same time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Only one file in so many
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// Name the files that stay open, too
    #[arg(long)]
    open: bool,
}

/// Known answer and ours, in words, and how often; and what is to be looked into.
#[derive(Default)]
struct Tally {
    counts: BTreeMap<(&'static str, &'static str), usize>,
    faults: usize,
}

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let tables = arguments.labels.iter().map(|path| LabelTable::read(path));
    let labels = tables.collect::<Result<Vec<_>, _>>()?;
    let portfolio = Portfolio { backend: Some(backend()?), ..Portfolio::default() };
    let source = instances(&arguments.paths, &Options::default());
    let source = Mutex::new(source.step_by(arguments.every.max(1)));
    let tally = Mutex::new(Tally::default());
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let next = source.lock().expect("no thread panics while it reads").next();
                    let Some(next) = next else { return };
                    let (counted, faults) = match &next {
                        Ok(instance) => examine(instance, &labels, &portfolio, arguments.timeout),
                        Err(error) => (None, vec![error.to_string()]),
                    };
                    let mut tally = tally.lock().expect("no thread panics while it counts");
                    if let Some(counted) = counted {
                        *tally.counts.entry(counted).or_default() += 1;
                    }
                    if let (true, Some((known, "unknown")), Ok(instance)) =
                        (arguments.open, counted, &next)
                    {
                        output::data(format!("{}: known {known}, open", instance.name));
                    }
                    tally.faults += faults.len();
                    faults.into_iter().for_each(output::data);
                }
            });
        }
    });
    let tally = tally.into_inner().expect("all threads have ended");
    for ((known, ours), count) in &tally.counts {
        output::data(format!("{count:7} known {known}, ours {ours}"));
    }
    output::data(format!("{:.0} s, faults: {}", start.elapsed().as_secs_f64(), tally.faults));
    Ok(if tally.faults == 0 { Ending::Fine } else { Ending::Findings })
}

/// The installed release that `luthier solve` would take.
pub(super) fn backend() -> Result<Backend, Box<dyn Error>> {
    let cache = Cache::of_user()?;
    let newest = cache.installed("z3")?.into_iter().next();
    let newest = newest.ok_or("there is no Z3: luthier solvers install z3@5.4.0")?;
    let program = newest.program(&cache.folder_of(&newest.solver, &newest.version)).file()?;
    Ok(Backend::z3(program))
}

/// What is counted, and what is wrong.
fn examine(
    instance: &Instance,
    labels: &[LabelTable],
    portfolio: &Portfolio,
    timeout: Duration,
) -> (Option<(&'static str, &'static str)>, Vec<String>) {
    let label = labels.iter().find_map(|table| table.of(&instance.name));
    let known = match label.map(|(label, _)| label.verdict) {
        Some(Answer::Sat) => "sat",
        Some(Answer::Unsat) => "unsat",
        _ => return (None, Vec::new()),
    };
    let mut pool = TermPool::new();
    let reading = read_script(&mut pool, &instance.bytes, &ReadOptions::default());
    let queries: Vec<_> = reading.script.queries().collect();
    // The table has one answer for a file.
    let [query] = queries.as_slice() else { return (Some((known, "several questions")), vec![]) };
    if !reading.is_accepted() {
        return (Some((known, "not readable")), vec![]);
    }
    let assertions = query.assertions.iter().map(|one| one.assertion.term).collect();
    let problem = Problem { pool: pool.into(), assertions };
    let budget = Budget::until_cancelled(Cancel::new()).at_most(timeout);
    let solution = portfolio.solve(&problem, &budget);
    let ours = match solution.verdict {
        Verdict::Sat(_) => Answer::Sat,
        Verdict::Unsat(_) => Answer::Unsat,
        Verdict::Unknown(_) => Answer::Unknown,
    };
    let name = &instance.name;
    let mut faults: Vec<String> = solution
        .mistakes
        .iter()
        .map(|mistake| format!("{name}: refused model: {mistake}"))
        .collect();
    if let Some(kind) = FindingKind::of_wrong(ours)
        && ours.name() != known
    {
        faults.push(format!("{name}: {kind}: known {known}, ours {ours}"));
    }
    (Some((known, ours.name())), faults)
}
