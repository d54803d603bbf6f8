//! Releases are asked for all facts of a suite, in some threads.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use luthier_ask::{Bench, OnBench, Solver};
use luthier_records::WallTime;
use luthier_runner::process::Limits;

use crate::outcome::{Finding, Outcome};
use crate::suite::Suite;
use crate::survey::survey;
use crate::wording::Wording;

/// Wall time is a safety net only: with many processes beside it, a release gets a small share of
/// a processor.
const WALL_PER_CPU: u32 = 10;
const SMALLEST_WALL: Duration = Duration::from_secs(60);

/// Asks solvers for all facts of a suite; `timeout` is CPU time for a fact. There is a list of
/// findings for each solver, in the order of the facts. `done` is told how many facts are settled,
/// over all solvers, as often as that changes.
pub fn examine(
    solvers: &[Solver],
    suite: &Suite,
    timeout: Duration,
    threads: usize,
    done: &(dyn Fn(usize) + Sync),
) -> Vec<Vec<Finding>> {
    // A file at a time of one solver after the other: releases that are slow do not all wait for
    // the end.
    let mut tasks: Vec<(usize, usize, Range<usize>)> = Vec::new();
    for (file, range) in suite.by_file() {
        tasks.extend((0..solvers.len()).map(|solver| (solver, file, range.clone())));
    }
    let next = AtomicUsize::new(0);
    let settled = AtomicUsize::new(0);
    let nothing = Finding::plain(Outcome::NotAsked);
    let findings = Mutex::new(vec![vec![nothing; suite.facts.len()]; solvers.len()]);
    let work = || {
        while let Some((solver, file, range)) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let found = examine_file(&solvers[*solver], suite, *file, range.clone(), timeout);
            let count = found.len();
            let mut findings = findings.lock().unwrap_or_else(PoisonError::into_inner);
            for (position, finding) in range.clone().zip(found) {
                findings[*solver][position] = finding;
            }
            drop(findings);
            done(settled.fetch_add(count, Ordering::Relaxed) + count);
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(work);
        }
    });
    findings.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Asks for the facts of one file.
fn examine_file(
    solver: &Solver,
    suite: &Suite,
    file: usize,
    range: Range<usize>,
    timeout: Duration,
) -> Vec<Finding> {
    let folder = match tempfile::tempdir() {
        Ok(folder) => folder,
        Err(error) => {
            let finding = Finding::with_detail(Outcome::NotAsked, error.to_string());
            return vec![finding; range.len()];
        }
    };
    let wall = WallTime(timeout.saturating_mul(WALL_PER_CPU).max(SMALLEST_WALL));
    let limits = Limits { wall, ..Limits::with_cpu(timeout) };
    let bench = Bench { folder: folder.path(), core: None, limits };
    let mut respondent = OnBench { solver, bench };
    let logic = &suite.files[file].logic;
    let mut survey_some = |facts: Vec<Option<String>>| -> Vec<(usize, Finding)> {
        let numbered = facts.into_iter().enumerate();
        let (positions, facts): (Vec<usize>, Vec<String>) =
            numbered.filter_map(|(position, fact)| Some((position, fact?))).unzip();
        positions.into_iter().zip(survey(logic, &facts, &mut respondent, timeout)).collect()
    };
    let wording = Wording { dialect: solver.dialect };
    let words: Vec<_> = suite.facts[range].iter().map(|fact| wording.words(suite, fact)).collect();
    let mut findings: Vec<Finding> = words
        .iter()
        .map(|words| match &words.first {
            Ok(_) => Finding::plain(Outcome::NotAsked),
            Err(error) => Finding::with_detail(Outcome::Inexpressible, error.to_string()),
        })
        .collect();
    let first = words.iter().map(|words| words.first.clone().ok());
    for (position, finding) in survey_some(first.collect()) {
        findings[position] = finding;
    }
    let second = words
        .into_iter()
        .zip(&findings)
        .map(|(words, finding)| words.second.filter(|_| finding.outcome == Outcome::Unsupported));
    for (position, finding) in survey_some(second.collect()) {
        match finding.outcome {
            Outcome::Right => findings[position].outcome = Outcome::Rewritten,
            Outcome::Wrong => findings[position] = finding,
            _ => {}
        }
    }
    findings
}
