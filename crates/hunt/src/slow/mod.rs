//! Slow formulas: those that one solver decides at least [`RATIO`] times slower than another.
//!
//! Every formula is asked alone, once by each solver, and its CPU time measured. A solver is slow if it
//! decides the formula, or reaches the time limit, after a hundred times the CPU time of another one that
//! decides it. Small times are mostly those of starting a process, so that no time below [`LEAST`] counts
//! as faster than that. A suspicion is measured twice more by both solvers, and confirmed if the smallest
//! time of the one and the largest of the other still differ so much.
//!
//! Generated formulas alternate with families of growing size (`families.rs`): a solver whose time grows
//! exponentially with the size becomes slow at some size, and its times by size are part of the finding. A
//! solver that has reached the limit in a family is not asked about larger members.
//!
//! `unknown` within the limit is no slow answer: the solver gave up.

mod families;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use luthier_ask::{ProcessMode, Reply, Solver};
use luthier_generator::{Case, Formula};
use luthier_records::{Class, FindingKind, Verdict};

use crate::batch::{HuntEnvironment, ask_alone};
use crate::parsed_formula::ParsedFormula;
use crate::reproduce::NO_ANSWER;
use crate::{CaseTruth, Event, Finding, HuntError, Settings, Summary, Tally};
use families::{Member, members};

/// How many times slower a solver must be.
pub const RATIO: u32 = 100;

/// A solver that is faster than this counts as taking this long.
const LEAST: Duration = Duration::from_millis(10);

/// How often a suspicion is measured again.
const REPETITIONS: usize = 2;

/// How often the end of the hunt is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Hunts for slow answers until the cases, their number or the time is exhausted, or `stop` returns true.
/// The time limit of a formula is [`Settings::timeout`].
pub fn hunt_slow<I>(
    solvers: &[Solver],
    cases: I,
    settings: &Settings,
    stop: &dyn Fn() -> bool,
    observer: &mut dyn FnMut(Event<'_>),
) -> Result<Summary, HuntError>
where
    I: Iterator<Item = Case> + Send + 'static,
{
    let started = Instant::now();
    let folder = tempfile::tempdir().map_err(HuntError::NoFolder)?;
    let stopping = Arc::new(AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    let names = solvers.iter().map(|one| Tally { solver: one.name.clone(), ..Tally::default() });
    let mut summary = Summary { solvers: names.collect(), ..Summary::default() };
    let path = folder.path().to_owned();
    let (solvers, settings) = (solvers.to_vec(), settings.clone());
    let (time, most) = (settings.time, settings.most);
    let is_stopped = stopping.clone();
    // One process at a time, so that solvers do not slow each other down.
    thread::spawn(move || work(&solvers, cases, &settings, &path, &is_stopped, &sender));
    let mut counts: BTreeMap<(usize, &'static str), u64> = BTreeMap::new();
    loop {
        match receiver.recv_timeout(POLL_INTERVAL) {
            Ok(done) => take(done, most, &mut counts, &mut summary, observer),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        summary.elapsed = started.elapsed();
        observer(Event::Progress(&summary));
        if stop() {
            stopping.store(true, Ordering::Relaxed);
            summary.stopped = true;
            break;
        }
        if time.is_some_and(|time| started.elapsed() >= time) {
            stopping.store(true, Ordering::Relaxed);
            summary.stopped = true;
        }
    }
    Ok(Summary { elapsed: started.elapsed(), ..summary })
}

/// What became of one formula.
#[derive(Default)]
struct Done {
    tallies: Vec<Tally>,
    unreadable: Option<String>,
    /// By the index of the solver: a finding, or `None` if it was not confirmed.
    findings: Vec<(usize, Option<Box<Finding>>)>,
    is_case: bool,
}

/// Adds the result of a formula to the summary, and reports it.
fn take(
    done: Done,
    most: u64,
    counts: &mut BTreeMap<(usize, &'static str), u64>,
    summary: &mut Summary,
    observer: &mut dyn FnMut(Event<'_>),
) {
    summary.cases += u64::from(done.is_case);
    summary.formulas += u64::from(done.unreadable.is_none());
    if let Some(message) = &done.unreadable {
        summary.unreadable += 1;
        observer(Event::Fault { solver: None, message });
    }
    for (tally, more) in summary.solvers.iter_mut().zip(&done.tallies) {
        tally.add(more);
    }
    for (solver, finding) in done.findings {
        let tally = &mut summary.solvers[solver];
        let Some(finding) = finding else {
            *tally.unconfirmed.entry(FindingKind::Slow).or_default() += 1;
            continue;
        };
        let count = counts.entry((solver, finding.operation)).or_default();
        if *count >= most {
            tally.similar += 1;
            continue;
        }
        *count += 1;
        *tally.found.entry(FindingKind::Slow).or_default() += 1;
        observer(Event::Finding(&finding));
    }
}

/// Measures formulas of families and cases in turn.
fn work<I: Iterator<Item = Case>>(
    solvers: &[Solver],
    cases: I,
    settings: &Settings,
    folder: &Path,
    stop: &AtomicBool,
    sender: &Sender<Done>,
) {
    let Settings { timeout, query_limit, count, .. } = *settings;
    let environment = HuntEnvironment { folder, timeout, query_limit, process_size: 1, stop };
    let count = count.and_then(|count| usize::try_from(count).ok()).unwrap_or(usize::MAX);
    let mut families = members();
    let mut measured: BTreeMap<&'static str, Vec<(u64, Vec<Measurement>)>> = BTreeMap::new();
    let mut lost: BTreeSet<(&'static str, usize)> = BTreeSet::new();
    for case in cases.take(count) {
        if let Some(Member { family, size, formula }) = families.next() {
            let asked = |solver| !lost.contains(&(family, solver));
            let before = measured.entry(family).or_default();
            let (mut done, times) = measure(solvers, 0, formula, &environment, &asked, before);
            for (solver, time) in times.iter().enumerate() {
                if time.class == Some(Class::Timeout) {
                    lost.insert((family, solver));
                }
            }
            before.push((size, times));
            done.is_case = false;
            if stop.load(Ordering::Relaxed) || sender.send(done).is_err() {
                return;
            }
        }
        let Some(formula) = case.formulas.into_iter().next() else { continue };
        let (done, _) = measure(solvers, case.number, formula, &environment, &|_| true, &[]);
        if stop.load(Ordering::Relaxed) || sender.send(done).is_err() {
            return;
        }
    }
}

/// The CPU time of one solver for one formula.
#[derive(Clone, Debug, Default)]
struct Measurement {
    cpu: Duration,
    /// `None` if it was not asked.
    class: Option<Class>,
    verdict: Option<Verdict>,
}

impl Measurement {
    /// The time of a solver that decided the formula.
    fn decided(&self) -> Option<Duration> {
        matches!(self.verdict, Some(Verdict::Sat | Verdict::Unsat)).then_some(self.cpu)
    }

    /// The time of a solver that decided the formula or reached the limit.
    fn spent(&self) -> Option<Duration> {
        let is_late = self.class == Some(Class::Timeout);
        if is_late { Some(self.cpu) } else { self.decided() }
    }

    fn text(&self) -> String {
        let seconds = self.cpu.as_secs_f64();
        match (self.class, self.verdict) {
            (None, _) => "not asked".to_owned(),
            (_, Some(verdict)) => format!("{} after {seconds:.3} s", verdict.name()),
            (Some(class), None) => format!("{} after {seconds:.3} s", class.name()),
        }
    }
}

/// Whether one time is a hundred times the other.
fn is_slower(slow: Duration, fast: Duration) -> bool {
    slow >= fast.max(LEAST).saturating_mul(RATIO)
}

/// Measures one formula with all solvers, and confirms what is slow.
fn measure(
    solvers: &[Solver],
    number: u64,
    formula: Formula,
    environment: &HuntEnvironment<'_>,
    is_asked: &dyn Fn(usize) -> bool,
    before: &[(u64, Vec<Measurement>)],
) -> (Done, Vec<Measurement>) {
    let mut done = Done { is_case: true, ..Done::default() };
    done.tallies.resize_with(solvers.len(), Tally::default);
    let mut times = vec![Measurement::default(); solvers.len()];
    let mut parsed = match ParsedFormula::read(formula) {
        Ok(parsed) => parsed,
        Err(message) => {
            done.unreadable = Some(message);
            return (done, times);
        }
    };
    let ask = |parsed: &mut ParsedFormula, place: usize, tally: &mut Tally| {
        let mut runner = environment.runner(&solvers[place]);
        let (reply, cpu): (Reply, Duration) =
            ask_alone(&mut runner, parsed, false, environment.timeout);
        tally.count(&reply);
        tally.cpu += cpu;
        tally.processes += 1;
        Measurement { cpu, class: Some(reply.class), verdict: reply.verdict() }
    };
    for (place, time) in times.iter_mut().enumerate() {
        if is_asked(place) && !environment.stop.load(Ordering::Relaxed) {
            *time = ask(&mut parsed, place, &mut done.tallies[place]);
        }
    }
    let fastest =
        (0..solvers.len()).filter_map(|place| Some((times[place].decided()?, place))).min();
    let Some((fast, reference)) = fastest else { return (done, times) };
    for place in 0..solvers.len() {
        if !times[place].spent().is_some_and(|slow| is_slower(slow, fast)) {
            continue;
        }
        let (mut slowest, mut largest) = (times[place].clone(), times[reference].clone());
        let mut is_confirmed = true;
        for _ in 0..REPETITIONS {
            if environment.stop.load(Ordering::Relaxed) {
                return (done, times);
            }
            let slow = ask(&mut parsed, place, &mut Tally::default());
            let fast = ask(&mut parsed, reference, &mut Tally::default());
            is_confirmed &= slow.spent().is_some() && fast.decided().is_some();
            slowest.cpu = slowest.cpu.min(slow.cpu);
            largest.cpu = largest.cpu.max(fast.cpu);
        }
        is_confirmed &= is_slower(slowest.cpu, largest.cpu);
        let finding = is_confirmed.then(|| {
            let shown = [(place, &slowest), (reference, &largest)];
            finding(solvers, number, &mut parsed, shown, before)
        });
        done.findings.push((place, finding.flatten().map(Box::new)));
    }
    (done, times)
}

/// The finding about a slow solver and a fast one.
fn finding(
    solvers: &[Solver],
    number: u64,
    parsed: &mut ParsedFormula,
    [(place, slow), (reference, fast)]: [(usize, &Measurement); 2],
    before: &[(u64, Vec<Measurement>)],
) -> Option<Finding> {
    let (solver, other) = (&solvers[place], &solvers[reference]);
    let mode = ProcessMode { models: true, ..ProcessMode::default() };
    let copy = parsed.script_alone(solver, mode).ok()?;
    let mut reasons = vec![
        format!("CPU time of {}: {}, the least of three", solver.name, slow.text()),
        format!("CPU time of {}: {}, the most of three", other.name, fast.text()),
    ];
    for (size, times) in before {
        let (one, two) = (times[place].text(), times[reference].text());
        reasons.push(format!("size {size}: {} {one}, {} {two}", solver.name, other.name));
    }
    let said = match slow.verdict {
        Some(_) => slow.text(),
        None => NO_ANSWER.to_owned(),
    };
    let formula = &parsed.formula;
    Some(Finding {
        class: FindingKind::Slow,
        solver: solver.name.clone(),
        number,
        formula: formula.name.clone(),
        category: formula.category,
        operation: formula.operation,
        derivation: formula.derivation.clone(),
        truth: CaseTruth::planted(formula),
        said,
        reasons,
        incremental_only: false,
        query: None,
        text: formula.text.clone(),
        other_text: None,
        copy,
        dialect: solver.dialect.name(),
        command: solver.command_line("{file}", mode),
        option_sets: solver.option_sets.clone(),
        expert_options: solver.has_expert_options(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_times_counts_from_ten_milliseconds_on() {
        let milliseconds = Duration::from_millis;
        assert!(is_slower(milliseconds(1000), milliseconds(1)));
        assert!(!is_slower(milliseconds(999), milliseconds(1)));
        assert!(!is_slower(milliseconds(1999), milliseconds(20)));
        assert!(is_slower(milliseconds(2000), milliseconds(20)));
    }

    #[test]
    fn giving_up_is_not_slow_and_a_timeout_is() {
        let cpu = Duration::from_secs(5);
        let time = |class, verdict| Measurement { cpu, class: Some(class), verdict };
        assert_eq!(time(Class::Unknown, Some(Verdict::Unknown)).spent(), None);
        assert_eq!(time(Class::Timeout, None).spent(), Some(cpu));
        assert_eq!(time(Class::Timeout, None).decided(), None);
        assert_eq!(time(Class::Sat, Some(Verdict::Sat)).decided(), Some(cpu));
        assert_eq!(time(Class::Crash, None).spent(), None);
    }
}
