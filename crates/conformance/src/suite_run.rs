//! Runs the conformance suite on solver releases, in several threads.
//!
//! The unit of work is one file of the suite on one release. A fact is asked first in the text of
//! [`FactPrinter`]; facts that the release rejects with an error are asked again in the notation of
//! its dialect, if that differs. A right answer to the second text is [`FactOutcome::Rewritten`], a
//! wrong one is wrong.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use luthier_ask::{RunEnvironment, Solver, SolverRunner};
use luthier_records::WallTime;
use luthier_runner::process::Limits;

use crate::fact_check::check_facts;
use crate::fact_text::FactPrinter;
use crate::outcome::{FactOutcome, FactResult};
use crate::suite::Suite;

/// Wall time is only a safety net: with many processes in parallel, a release gets a small fraction of a
/// processor.
const WALL_PER_CPU: u32 = 10;
const SMALLEST_WALL: Duration = Duration::from_secs(60);

/// Checks all facts of a suite on all solvers; `timeout` is the CPU time of one process. The result has
/// for each solver a list in the order of the facts. `done` is called with the number of facts checked so
/// far, over all solvers.
pub fn run_suite(
    solvers: &[Solver],
    suite: &Suite,
    timeout: Duration,
    threads: usize,
    done: &(dyn Fn(usize) + Sync),
) -> Vec<Vec<FactResult>> {
    // Each file on all solvers before the next file, so that slow releases are not left to the end.
    let mut tasks: Vec<(usize, usize, Range<usize>)> = Vec::new();
    for (file, range) in suite.by_file() {
        tasks.extend((0..solvers.len()).map(|solver| (solver, file, range.clone())));
    }
    let next = AtomicUsize::new(0);
    let settled = AtomicUsize::new(0);
    let not_asked = FactResult::plain(FactOutcome::NotAsked);
    let results = Mutex::new(vec![vec![not_asked; suite.facts.len()]; solvers.len()]);
    let work = || {
        while let Some((solver, file, range)) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let found = check_file(&solvers[*solver], suite, *file, range.clone(), timeout);
            let count = found.len();
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            for (position, result) in range.clone().zip(found) {
                results[*solver][position] = result;
            }
            drop(results);
            done(settled.fetch_add(count, Ordering::Relaxed) + count);
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(work);
        }
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Checks the facts of one file on one solver.
fn check_file(
    solver: &Solver,
    suite: &Suite,
    file: usize,
    range: Range<usize>,
    timeout: Duration,
) -> Vec<FactResult> {
    let folder = match tempfile::tempdir() {
        Ok(folder) => folder,
        Err(error) => {
            let result = FactResult::with_detail(FactOutcome::NotAsked, error.to_string());
            return vec![result; range.len()];
        }
    };
    let wall = WallTime(timeout.saturating_mul(WALL_PER_CPU).max(SMALLEST_WALL));
    let limits = Limits { wall, ..Limits::with_cpu(timeout) };
    let environment = RunEnvironment { folder: folder.path(), core: None, limits, stop: None };
    let mut runner = SolverRunner { solver, environment };
    let logic = &suite.files[file].logic;
    let mut check_some = |facts: Vec<Option<String>>| -> Vec<(usize, FactResult)> {
        let numbered = facts.into_iter().enumerate();
        let (positions, facts): (Vec<usize>, Vec<String>) =
            numbered.filter_map(|(position, fact)| Some((position, fact?))).unzip();
        positions.into_iter().zip(check_facts(logic, &facts, &mut runner, timeout)).collect()
    };
    let printer = FactPrinter { dialect: solver.dialect };
    let texts: Vec<_> = suite.facts[range].iter().map(|fact| printer.texts(suite, fact)).collect();
    let mut results: Vec<FactResult> = texts
        .iter()
        .map(|texts| match &texts.first {
            Ok(_) => FactResult::plain(FactOutcome::NotAsked),
            Err(error) => FactResult::with_detail(FactOutcome::Inexpressible, error.to_string()),
        })
        .collect();
    let first = texts.iter().map(|texts| texts.first.clone().ok());
    for (position, result) in check_some(first.collect()) {
        results[position] = result;
    }
    let second = texts
        .into_iter()
        .zip(&results)
        .map(|(texts, result)| texts.second.filter(|_| result.outcome == FactOutcome::Unsupported));
    for (position, result) in check_some(second.collect()) {
        match result.outcome {
            FactOutcome::Right => results[position].outcome = FactOutcome::Rewritten,
            FactOutcome::Wrong => results[position] = result,
            _ => {}
        }
    }
    results
}
