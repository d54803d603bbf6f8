//! Workers, and the order in which things are told.
//!
//! A worker takes a batch of cases, puts it through all solvers, judges it and confirms what looks
//! wrong. The calling thread gets the batches in the order of their numbers and is the only one
//! that decides what is told, so that the same cases give the same findings whatever the number of
//! workers. Batches are dropped when they are done.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{io, thread};

use luthier_ask::{Reply, Separator, Solver};
use luthier_generator::Case;
use luthier_records::{Class, FindingKind};

use crate::batch::{BatchMode, Bench, ask};
use crate::confirm::confirm;
use crate::question::Question;
use crate::suspect::judge;
use crate::{Finding, Summary, Tally};

/// How to hunt.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Batches at the same time.
    pub jobs: usize,
    /// Cases in a batch.
    pub batch: usize,
    /// CPU time for a formula that is asked alone.
    pub timeout: Duration,
    /// The time after which a solver is to give up a formula of a batch.
    pub query_limit: Duration,
    /// After so many findings of a solver, a class and an operation, further ones are counted only.
    pub most: u64,
    /// At most so many cases.
    pub count: Option<u64>,
    /// No batch is begun after this time.
    pub time: Option<Duration>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            jobs: thread::available_parallelism().map_or(1, usize::from),
            batch: 64,
            timeout: Duration::from_secs(1),
            query_limit: Duration::from_millis(100),
            most: 10,
            count: None,
            time: None,
        }
    }
}

/// What happens in a hunt.
#[derive(Debug)]
pub enum Event<'a> {
    /// A finding, confirmed.
    Found(&'a Finding),
    /// A batch is done, or some time has passed.
    Progress(&'a Summary),
    /// Something that is our fault or that of the machine; each message of a solver is told once.
    Fault {
        /// Who was to be asked, if it was anybody.
        solver: Option<&'a str>,
        /// What happened.
        message: &'a str,
    },
}

/// Why a hunt could not be made.
#[derive(Debug, thiserror::Error)]
pub enum HuntError {
    /// There is no folder for the solvers to run in.
    #[error("there is no temporary folder for solvers to run in: {0}")]
    NoFolder(io::Error),
    /// A worker ended before its time.
    #[error("a worker of the hunt ended before its time")]
    WorkerLost,
}

/// How often we look whether it is time to stop.
const PATIENCE: Duration = Duration::from_millis(100);

/// Hunts until the cases, their number or the time comes to its end, or `stop` says so.
pub fn hunt<I>(
    solvers: &[Solver],
    cases: I,
    settings: &Settings,
    stop: &dyn Fn() -> bool,
    observer: &mut dyn FnMut(Event<'_>),
) -> Result<Summary, HuntError>
where
    I: Iterator<Item = Case> + Send,
{
    let started = Instant::now();
    let shared = Shared {
        solvers,
        settings,
        cases: Mutex::new(Supply { cases, given: 0, batches: 0 }),
        stop: AtomicBool::new(false),
        counts: Mutex::new(BTreeMap::new()),
    };
    let mut folders = Vec::new();
    for _ in 0..settings.jobs.max(1) {
        folders.push(tempfile::tempdir().map_err(HuntError::NoFolder)?);
    }
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        let shared = &shared;
        for folder in &folders {
            let sender = sender.clone();
            scope.spawn(move || work(shared, folder.path(), &sender));
        }
        drop(sender);
        let mut collector = Collector::new(solvers, settings.most);
        let mut stopped = false;
        loop {
            match receiver.recv_timeout(PATIENCE) {
                Ok(done) => {
                    collector.summary.elapsed = started.elapsed();
                    collector.take(done, &shared.counts, observer);
                }
                Err(RecvTimeoutError::Timeout) => {
                    collector.summary.elapsed = started.elapsed();
                    observer(Event::Progress(&collector.summary));
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
            let is_late = settings.time.is_some_and(|time| started.elapsed() >= time);
            if !stopped && (is_late || stop()) {
                stopped = true;
                shared.stop.store(true, Ordering::Relaxed);
            }
        }
        let mut summary = collector.finish()?;
        summary.elapsed = started.elapsed();
        summary.stopped = stopped;
        Ok(summary)
    })
}

/// What workers share.
struct Shared<'a, I> {
    solvers: &'a [Solver],
    settings: &'a Settings,
    cases: Mutex<Supply<I>>,
    stop: AtomicBool,
    /// How many findings of each kind were told.
    counts: Mutex<BTreeMap<Kind, u64>>,
}

struct Supply<I> {
    cases: I,
    given: u64,
    batches: u64,
}

/// Findings of one kind are the same to somebody who reads them.
type Kind = (usize, FindingKind, &'static str);

/// A batch that went through all solvers.
struct Done {
    number: u64,
    cases: u64,
    formulas: u64,
    unreadable: Vec<String>,
    tallies: Vec<Tally>,
    faults: Vec<(usize, String)>,
    suspects: Vec<Suspect>,
}

/// A suspicion and what came of it.
struct Suspect {
    kind: Kind,
    /// `None`: it did not show, or was not tried because there are enough of its kind.
    finding: Option<Box<Finding>>,
    /// Further formulas of the case that show the same.
    more: u64,
}

impl<I: Iterator<Item = Case> + Send> Shared<'_, I> {
    /// The next batch, with its number.
    fn next(&self) -> Option<(u64, Vec<Case>)> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let mut supply = self.cases.lock().unwrap_or_else(PoisonError::into_inner);
        let left = self.settings.count.map_or(u64::MAX, |count| count - supply.given.min(count));
        let size = usize::try_from(left).unwrap_or(usize::MAX).min(self.settings.batch.max(1));
        let batch: Vec<Case> = supply.cases.by_ref().take(size).collect();
        supply.given += batch.len() as u64;
        let number = supply.batches;
        supply.batches += 1;
        (!batch.is_empty()).then_some((number, batch))
    }
}

fn work<I: Iterator<Item = Case> + Send>(
    shared: &Shared<'_, I>,
    folder: &std::path::Path,
    sender: &Sender<Done>,
) {
    while let Some((number, cases)) = shared.next() {
        let done = put_through(shared, number, cases, folder);
        if sender.send(done).is_err() {
            return;
        }
    }
}

/// Puts a batch through all solvers, judges and confirms.
fn put_through<I>(
    shared: &Shared<'_, I>,
    number: u64,
    cases: Vec<Case>,
    folder: &std::path::Path,
) -> Done {
    let Settings { timeout, query_limit, .. } = *shared.settings;
    let bench = Bench { folder, timeout, query_limit, stop: &shared.stop };
    let mut done = Done {
        number,
        cases: cases.len() as u64,
        formulas: 0,
        unreadable: Vec::new(),
        tallies: Vec::new(),
        faults: Vec::new(),
        suspects: Vec::new(),
    };
    // The cases one after the other, and where each begins.
    let mut questions: Vec<Question> = Vec::new();
    let mut ranges = Vec::new();
    for case in cases {
        let start = questions.len();
        for formula in case.formulas {
            match Question::read(formula) {
                Ok(question) => questions.push(question),
                Err(message) => done.unreadable.push(message),
            }
        }
        ranges.push((case.number, start..questions.len()));
    }
    done.formulas = questions.len() as u64;
    let mut replies: Vec<Vec<Option<Reply>>> = Vec::new();
    for (place, solver) in shared.solvers.iter().enumerate() {
        let mode = BatchMode::of(&solver.quirks, number);
        let asked = ask(solver, &mut questions, mode, &bench);
        let mut tally = Tally { cpu: asked.cpu, processes: asked.processes, ..Tally::default() };
        for reply in asked.replies.iter().flatten() {
            tally.count(reply);
            if reply.class == Class::FrameworkError {
                done.faults.push((place, reply.detail.clone()));
            }
        }
        done.tallies.push(tally);
        replies.push(asked.replies);
    }
    for (number_of_case, range) in ranges {
        let rows: Vec<&[Option<Reply>]> = replies.iter().map(|row| &row[range.clone()]).collect();
        let questions = &mut questions[range];
        let (truth, suspicions) = judge(questions, shared.solvers, &rows);
        for suspicion in suspicions {
            let operation = questions[suspicion.questions[0]].formula.operation;
            let kind = (suspicion.solver, suspicion.class, operation);
            let enough = {
                let counts = shared.counts.lock().unwrap_or_else(PoisonError::into_inner);
                counts.get(&kind).is_some_and(|count| *count >= shared.settings.most)
            };
            let solver = &shared.solvers[suspicion.solver];
            let mode = BatchMode::of(&solver.quirks, number);
            let scopes = mode.separator == Separator::Scopes;
            let finding = if enough {
                None
            } else {
                let (number, truth) = (number_of_case, &truth);
                confirm(solver, &suspicion, truth, number, questions, scopes, &bench)
            };
            let more = suspicion.questions.len() as u64 - 1;
            done.suspects.push(Suspect { kind, finding: finding.map(Box::new), more });
        }
    }
    done
}

/// The calling thread's side.
struct Collector {
    summary: Summary,
    most: u64,
    next: u64,
    waiting: BTreeMap<u64, Done>,
    told: Vec<(Option<usize>, String)>,
}

impl Collector {
    fn new(solvers: &[Solver], most: u64) -> Self {
        let solvers =
            solvers.iter().map(|one| Tally { solver: one.name.clone(), ..Tally::default() });
        let summary = Summary { solvers: solvers.collect(), ..Summary::default() };
        Self { summary, most, next: 0, waiting: BTreeMap::new(), told: Vec::new() }
    }

    fn take(
        &mut self,
        done: Done,
        counts: &Mutex<BTreeMap<Kind, u64>>,
        observer: &mut dyn FnMut(Event<'_>),
    ) {
        self.waiting.insert(done.number, done);
        while let Some(done) = self.waiting.remove(&self.next) {
            self.next += 1;
            self.tell(done, counts, observer);
            observer(Event::Progress(&self.summary));
        }
    }

    fn tell(
        &mut self,
        done: Done,
        counts: &Mutex<BTreeMap<Kind, u64>>,
        observer: &mut dyn FnMut(Event<'_>),
    ) {
        let summary = &mut self.summary;
        summary.cases += done.cases;
        summary.formulas += done.formulas;
        summary.unreadable += done.unreadable.len() as u64;
        for (tally, other) in summary.solvers.iter_mut().zip(&done.tallies) {
            tally.add(other);
        }
        let unreadable = done.unreadable.into_iter().map(|message| (None, message));
        let faults = done.faults.into_iter().map(|(solver, message)| (Some(solver), message));
        for fault in unreadable.chain(faults) {
            if !self.told.contains(&fault) {
                let solver = fault.0.map(|solver| summary.solvers[solver].solver.as_str());
                observer(Event::Fault { solver, message: &fault.1 });
                self.told.push(fault);
            }
        }
        // Of one batch the smallest comes first.
        let mut suspects = done.suspects;
        suspects.sort_by_key(|suspect| {
            suspect.finding.as_ref().map_or(usize::MAX, |finding| finding.text.len())
        });
        let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
        for suspect in suspects {
            let tally = &mut summary.solvers[suspect.kind.0];
            let count = counts.entry(suspect.kind).or_default();
            if *count >= self.most {
                tally.similar += 1 + suspect.more;
                continue;
            }
            let Some(finding) = suspect.finding else {
                *tally.unconfirmed.entry(suspect.kind.1).or_default() += 1;
                continue;
            };
            *count += 1;
            tally.similar += suspect.more;
            *tally.found.entry(finding.class).or_default() += 1;
            observer(Event::Found(&finding));
        }
    }

    fn finish(self) -> Result<Summary, HuntError> {
        if self.waiting.is_empty() { Ok(self.summary) } else { Err(HuntError::WorkerLost) }
    }
}
