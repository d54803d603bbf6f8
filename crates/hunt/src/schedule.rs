//! Workers, and the order of reports.
//!
//! Each worker takes a batch of cases, runs it on all solvers, derives suspicions and confirms
//! them. The calling thread receives the batches, restores the order of their numbers, and alone
//! decides which findings are reported. So the same cases give the same findings whatever the
//! number of workers. Findings are grouped by solver, kind and operator; beyond [`Settings::most`]
//! of a group they are only counted.
//!
//! When the time is over, the batches under way are finished. When the caller stops the hunt, they are
//! abandoned: a batch may take many seconds, and workers cannot be interrupted while they wait for a
//! solver. They are not joined; their solvers end with this process at the latest.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{io, thread};

use luthier_ask::{Separator, Solver};
use luthier_generator::Case;
use luthier_records::{Class, FindingKind};

use crate::agreement::established;
use crate::batch::{AskedBatch, BatchMode, HuntEnvironment, ask};
use crate::confirm::{Ways, confirm};
use crate::pace::Pace;
use crate::parsed_formula::ParsedFormula;
use crate::sessions::{self, AskedSessions, ParsedSession};
use crate::suspicion::{CaseReplies, Suspicion, judge_case};
use crate::unconfirmed::{is_kept, processes, said};
use crate::{CaseTruth, Finding, RewriteSettings, Summary, Tally, Unconfirmed, rewrites};

/// Options of a hunt.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Batches in parallel.
    pub jobs: usize,
    /// Cases in a batch.
    pub batch: usize,
    /// CPU time for a formula that is asked alone.
    pub timeout: Duration,
    /// The time limit of one query in a batch, enforced by the solver.
    pub query_limit: Duration,
    /// Whether a part of this limit is used where it decides nearly as much, as replies teach.
    pub adaptive: bool,
    /// One batch in this many is asked as sessions; none if it is 0.
    pub sessions: u64,
    /// Groups of solvers, by index, of which one is asked in each batch: option sets of one release. A
    /// solver in no group is asked in every batch.
    pub rotating: Vec<Vec<usize>>,
    /// Our own solver, which is asked about open formulas that another one calls `unsat`.
    pub own: Option<Solver>,
    /// How many findings of one solver, kind and operator are reported; further ones are counted.
    pub most: u64,
    /// The number of cases; unlimited if `None`.
    pub count: Option<u64>,
    /// No batch is started after this time.
    pub time: Option<Duration>,
    /// Random terms that solvers are asked to simplify with each batch; none if `None`.
    pub rewrites: Option<RewriteSettings>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            jobs: thread::available_parallelism().map_or(1, usize::from),
            batch: 64,
            timeout: Duration::from_secs(1),
            query_limit: Duration::from_millis(100),
            adaptive: false,
            sessions: 0,
            rotating: Vec::new(),
            own: None,
            most: 10,
            count: None,
            time: None,
            rewrites: None,
        }
    }
}

impl Settings {
    /// Whether a solver is asked in a batch.
    fn asks(&self, solver: usize, batch: u64) -> bool {
        self.rotating.iter().filter(|group| group.contains(&solver)).all(|group| {
            let turn = usize::try_from(batch % group.len() as u64).unwrap_or(0);
            group[turn] == solver
        })
    }
}

/// An event of a hunt, for an observer.
#[derive(Debug)]
pub enum Event<'a> {
    /// A confirmed finding.
    Finding(&'a Finding),
    /// A suspicion that was not confirmed, with what is needed to examine it.
    Unconfirmed(&'a Unconfirmed),
    /// A batch is done, or a polling interval has passed.
    Progress(&'a Summary),
    /// A fault of the set-up, the machine or the generator; each message is reported once per solver.
    Fault {
        /// The solver that was to be run; `None` for a formula that cannot be read.
        solver: Option<&'a str>,
        /// What happened.
        message: &'a str,
    },
}

/// Why a hunt failed.
#[derive(Debug, thiserror::Error)]
pub enum HuntError {
    /// There is no folder for the solvers to run in.
    #[error("there is no temporary folder for solvers to run in: {0}")]
    NoFolder(io::Error),
    /// A worker thread ended without delivering its batch.
    #[error("a worker thread of the hunt ended unexpectedly")]
    WorkerLost,
}

/// How often the end of the hunt is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Hunts until the cases, their number or the time is exhausted, or `stop` returns true.
pub fn hunt<I>(
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
    let shared = Arc::new(Shared {
        solvers: solvers.to_vec(),
        settings: settings.clone(),
        cases: Mutex::new(CaseSource { cases, given: 0, batches: 0 }),
        stop: AtomicBool::new(false),
        counts: Mutex::new(BTreeMap::new()),
        paces: Mutex::new(
            solvers.iter().map(|_| Pace::new(settings.query_limit, settings.adaptive)).collect(),
        ),
    });
    let (sender, receiver) = mpsc::channel();
    // Removed when the hunt ends, also if a worker is still there.
    let mut folders = Vec::new();
    for _ in 0..settings.jobs.max(1) {
        let folder = tempfile::tempdir().map_err(HuntError::NoFolder)?;
        let (shared, sender, path) = (shared.clone(), sender.clone(), folder.path().to_owned());
        folders.push(folder);
        thread::spawn(move || work(&shared, &path, &sender));
    }
    drop(sender);
    let mut collector = Collector::new(solvers, settings.most);
    let mut is_over = false;
    loop {
        match receiver.recv_timeout(POLL_INTERVAL) {
            Ok(done) => {
                collector.summary.elapsed = started.elapsed();
                collector.take(done, &shared.counts, observer);
            }
            Err(RecvTimeoutError::Timeout) => {
                collector.summary.elapsed = started.elapsed();
                observer(Event::Progress(&collector.summary));
            }
            Err(RecvTimeoutError::Disconnected) => {
                let given = shared.cases.lock().unwrap_or_else(PoisonError::into_inner).given;
                if collector.summary.cases != given {
                    return Err(HuntError::WorkerLost);
                }
                break;
            }
        }
        if stop() {
            shared.stop.store(true, Ordering::Relaxed);
            collector.report_waiting(&shared.counts, observer);
            is_over = true;
            break;
        }
        if settings.time.is_some_and(|time| started.elapsed() >= time) {
            shared.stop.store(true, Ordering::Relaxed);
            is_over = true;
        }
    }
    let paces = shared.paces();
    for (tally, pace) in collector.summary.solvers.iter_mut().zip(paces.iter()) {
        tally.query_limit = pace.best_limit();
    }
    Ok(Summary { elapsed: started.elapsed(), stopped: is_over, ..collector.summary })
}

/// What workers share.
struct Shared<I> {
    solvers: Vec<Solver>,
    settings: Settings,
    cases: Mutex<CaseSource<I>>,
    stop: AtomicBool,
    /// How many findings of each group were reported.
    counts: Mutex<BTreeMap<FindingGroup, u64>>,
    /// What was learnt about each solver.
    paces: Mutex<Vec<Pace>>,
}

struct CaseSource<I> {
    cases: I,
    given: u64,
    batches: u64,
}

/// Findings of one group are probably the same fault: solver, kind and operator.
type FindingGroup = (usize, FindingKind, &'static str);

/// A batch that was run on all solvers.
struct BatchResult {
    number: u64,
    cases: u64,
    formulas: u64,
    unreadable: Vec<String>,
    tallies: Vec<Tally>,
    faults: Vec<(usize, String)>,
    suspicions: Vec<CheckedSuspicion>,
}

/// A suspicion after the attempt to confirm it.
struct CheckedSuspicion {
    group: FindingGroup,
    /// `None` if it was not confirmed, or not tried because its group is full.
    finding: Option<Box<Finding>>,
    /// What is left of it, if it was not confirmed.
    trace: Option<Box<Unconfirmed>>,
    /// Further formulas of the case with the same error.
    more: u64,
}

impl<I: Iterator<Item = Case> + Send> Shared<I> {
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

impl<I> Shared<I> {
    /// Whether enough findings of a group were reported, so that further ones are only counted.
    fn has_enough(&self, group: &FindingGroup) -> bool {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.get(group).is_some_and(|count| *count >= self.settings.most)
    }

    fn paces(&self) -> MutexGuard<'_, Vec<Pace>> {
        self.paces.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The environment of a solver in a batch, with the limits that were learnt.
    fn paced<'a>(&self, solver: usize, environment: &HuntEnvironment<'a>) -> HuntEnvironment<'a> {
        let pace = &mut self.paces()[solver];
        let (query_limit, process_size) = (pace.next_limit(), pace.size());
        HuntEnvironment { query_limit, process_size, ..*environment }
    }
}

fn work<I: Iterator<Item = Case> + Send>(
    shared: &Shared<I>,
    folder: &std::path::Path,
    sender: &Sender<BatchResult>,
) {
    while let Some((number, cases)) = shared.next() {
        let done = process_batch(shared, number, cases, folder);
        if sender.send(done).is_err() {
            return;
        }
    }
}

/// Runs a batch on all solvers, derives suspicions and confirms them.
fn process_batch<I>(
    shared: &Shared<I>,
    number: u64,
    cases: Vec<Case>,
    folder: &std::path::Path,
) -> BatchResult {
    let Settings { timeout, query_limit, .. } = shared.settings;
    let process_size = shared.settings.batch;
    let stop = &shared.stop;
    let environment = HuntEnvironment { folder, timeout, query_limit, process_size, stop };
    let mut done = BatchResult {
        number,
        cases: cases.len() as u64,
        formulas: 0,
        unreadable: Vec::new(),
        tallies: Vec::new(),
        faults: Vec::new(),
        suspicions: Vec::new(),
    };
    let terms = shared.settings.rewrites.map(|one| (one.seed, one.numbers(number, &cases)));
    // The formulas of all cases, and the range of each case.
    let mut formulas: Vec<ParsedFormula> = Vec::new();
    let mut ranges = Vec::new();
    let mut sessions: Vec<(u64, ParsedSession)> = Vec::new();
    let is_session_batch = matches!(number.checked_rem(shared.settings.sessions), Some(1));
    for case in cases {
        if is_session_batch
            && let Some(session) = case.formulas.first().and_then(ParsedSession::of_formula)
        {
            sessions.push((case.number, session));
            continue;
        }
        let start = formulas.len();
        for formula in case.formulas {
            match ParsedFormula::read(formula) {
                Ok(parsed) => formulas.push(parsed),
                Err(message) => done.unreadable.push(message),
            }
        }
        ranges.push((case.number, start..formulas.len()));
    }
    done.formulas = (formulas.len() + sessions.len()) as u64;
    let mut replies: Vec<AskedBatch> = Vec::new();
    // The environment of each solver, with its own limits.
    let mut paced: Vec<HuntEnvironment<'_>> = Vec::new();
    for (index, solver) in shared.solvers.iter().enumerate() {
        let mode = BatchMode::of(&solver.quirks, number);
        if !shared.settings.asks(index, number) {
            done.tallies.push(Tally::default());
            replies.push(AskedBatch::nothing(formulas.len()));
            paced.push(environment);
            continue;
        }
        let own_pace = shared.paced(index, &environment);
        let asked = ask(solver, &mut formulas, mode, &own_pace);
        let mut tally = Tally { cpu: asked.cpu, processes: asked.processes, ..Tally::default() };
        for reply in asked.replies.iter().flatten() {
            tally.count(reply);
            if reply.class == Class::FrameworkError {
                done.faults.push((index, reply.detail.clone()));
            }
        }
        for (parsed, reply) in formulas.iter().zip(&asked.replies) {
            if let Some(reply) = reply {
                tally.count_operation(parsed.formula.operation, reply);
            }
        }
        let pace = &mut shared.paces()[index];
        pace.learn(own_pace.query_limit, tally.queries, tally.decided(), tally.cpu);
        pace.learn_size(asked.size);
        done.tallies.push(tally);
        replies.push(asked);
        paced.push(own_pace);
    }
    process_sessions(shared, sessions, &paced, &mut done);
    let places: Vec<std::ops::Range<usize>> =
        ranges.iter().map(|(_, range)| range.clone()).collect();
    let own = shared.settings.own.as_ref();
    let mut established = established(&mut formulas, &places, &replies, own, &environment);
    for (place, (number_of_case, range)) in ranges.into_iter().enumerate() {
        let rows: Vec<CaseReplies<'_>> = replies
            .iter()
            .map(|asked| CaseReplies {
                replies: &asked.replies[range.clone()],
                values: &asked.values[range.clone()],
            })
            .collect();
        let start = range.start;
        let formulas = &mut formulas[range];
        let known = established.remove(&place);
        let (truth, suspicions) = judge_case(formulas, &shared.solvers, &rows, known);
        for suspicion in suspicions {
            let operation = formulas[suspicion.formulas[0]].formula.operation;
            let group = (suspicion.solver, suspicion.class, operation);
            let enough = shared.has_enough(&group);
            let solver = &shared.solvers[suspicion.solver];
            let mode = BatchMode::of(&solver.quirks, number);
            let scopes = mode.separator == Separator::Scopes;
            let ways = Ways { scopes, query: mode.query_command(&solver.quirks) };
            let finding = if enough {
                None
            } else {
                let (number, truth) = (number_of_case, &truth);
                let opponent = suspicion.opponent.map(|one| &shared.solvers[one]);
                let asked = (solver, opponent);
                confirm(asked, &suspicion, truth, number, formulas, ways, &environment)
            };
            let trace = (finding.is_none() && !enough && is_kept(suspicion.class)).then(|| {
                let asked = SuspectedBatch { solvers: &shared.solvers, replies: &replies, start };
                Box::new(trace(
                    &suspicion,
                    &asked,
                    formulas,
                    (number_of_case, &truth),
                    &environment,
                ))
            });
            let more = suspicion.formulas.len() as u64 - 1;
            let finding = finding.map(Box::new);
            done.suspicions.push(CheckedSuspicion { group, finding, trace, more });
        }
    }
    if let Some((seed, numbers)) = terms {
        examine_rewriters(shared, seed, numbers, &environment, &mut done);
    }
    done
}

/// The batch in which a suspicion arose; the formulas of its case begin at `start`.
struct SuspectedBatch<'a> {
    solvers: &'a [Solver],
    replies: &'a [AskedBatch],
    start: usize,
}

/// What is left of a suspicion that was not confirmed.
fn trace(
    suspicion: &Suspicion,
    batch: &SuspectedBatch<'_>,
    formulas: &[ParsedFormula],
    (number, truth): (u64, &CaseTruth),
    environment: &HuntEnvironment<'_>,
) -> Unconfirmed {
    let SuspectedBatch { solvers, replies, start } = *batch;
    let asked_by = |solver: usize, formulas: &[usize]| {
        let places: Vec<usize> = formulas.iter().map(|one| start + one).collect();
        processes(&solvers[solver], &replies[solver].transcripts, &places, environment)
    };
    let mut processes = asked_by(suspicion.solver, &suspicion.formulas);
    if let Some(opposite) = suspicion.opposite {
        let opponent = suspicion.opponent.unwrap_or(suspicion.solver);
        processes.extend(asked_by(opponent, &[opposite]));
    }
    let place = suspicion.formulas[0];
    let formula = &formulas[place].formula;
    let reply = replies[suspicion.solver].replies[start + place].as_ref();
    Unconfirmed {
        class: suspicion.class,
        solver: solvers[suspicion.solver].name.clone(),
        number,
        formula: formula.name.clone(),
        operation: formula.operation,
        truth: truth.clone(),
        said: reply.map(said).unwrap_or_default(),
        text: formula.text.clone(),
        processes,
    }
}

/// Runs sessions on all solvers, and adds what they show to the result of the batch.
fn process_sessions<I>(
    shared: &Shared<I>,
    numbered: Vec<(u64, ParsedSession)>,
    paced: &[HuntEnvironment<'_>],
    done: &mut BatchResult,
) {
    if numbered.is_empty() {
        return;
    }
    let (numbers, mut sessions): (Vec<u64>, Vec<ParsedSession>) = numbered.into_iter().unzip();
    let mut rows: Vec<AskedSessions> = Vec::new();
    for (index, solver) in shared.solvers.iter().enumerate() {
        if !shared.settings.asks(index, done.number) {
            rows.push(AskedSessions::nothing(sessions.len()));
            continue;
        }
        let asked = sessions::ask(solver, &sessions, &paced[index]);
        let tally = &mut done.tallies[index];
        tally.cpu += asked.cpu;
        tally.processes += asked.processes;
        tally.faults += asked.faults.len() as u64;
        done.faults.extend(asked.faults.iter().map(|fault| (index, fault.clone())));
        for session in &asked.sessions {
            match session {
                None => tally.inexpressible += 1,
                Some((_, None)) => {}
                Some((_, Some(reply))) => tally.count_session(reply),
            }
        }
        rows.push(asked);
    }
    for (place, (number, session)) in numbers.into_iter().zip(&mut sessions).enumerate() {
        let replies = rows
            .iter()
            .map(|asked| match &asked.sessions[place] {
                Some((session, Some(reply))) => Some((session, reply)),
                _ => None,
            })
            .collect();
        let (facts, suspicions) = sessions::judge(session, &shared.solvers, &replies);
        for suspicion in suspicions {
            let group = (suspicion.solver, suspicion.class, session.formula.operation);
            let (mut finding, mut trace) = (None, None);
            if !shared.has_enough(&group) {
                let solver = &shared.solvers[suspicion.solver];
                let environment = &paced[suspicion.solver];
                finding =
                    sessions::confirm(solver, &suspicion, &facts, number, session, environment);
                if finding.is_none() && is_kept(suspicion.class) {
                    let transcripts = &rows[suspicion.solver].transcripts;
                    let query = &session.queries[suspicion.query];
                    trace = Some(Box::new(Unconfirmed {
                        class: suspicion.class,
                        solver: solver.name.clone(),
                        number,
                        formula: session.formula.name.clone(),
                        operation: session.formula.operation,
                        truth: facts.truth(&query.set),
                        said: format!("query {} of the session", suspicion.query + 1),
                        text: session.formula.text.clone(),
                        processes: processes(solver, transcripts, &[place], environment),
                    }));
                }
            }
            let finding = finding.map(Box::new);
            done.suspicions.push(CheckedSuspicion { group, finding, trace, more: 0 });
        }
    }
}

/// Runs the rewriter oracle, and adds what it found to the batch.
fn examine_rewriters<I>(
    shared: &Shared<I>,
    seed: u64,
    numbers: std::ops::Range<u64>,
    environment: &HuntEnvironment<'_>,
    done: &mut BatchResult,
) {
    let is_enough =
        |solver, operator| shared.has_enough(&(solver, FindingKind::WrongRewrite, operator));
    let batch = done.number;
    let is_asked = |solver| shared.settings.asks(solver, batch);
    let results =
        rewrites::examine(&shared.solvers, numbers, seed, environment, &is_asked, &is_enough);
    for (solver, result) in results.into_iter().enumerate() {
        done.tallies[solver].rewrites = result.tally;
        done.faults.extend(result.faults.into_iter().map(|message| (solver, message)));
        for (kind, operator, finding) in result.suspicions {
            let group = (solver, kind, operator);
            done.suspicions.push(CheckedSuspicion { group, finding, trace: None, more: 0 });
        }
    }
}

/// Puts batches in order and reports them, in the calling thread.
struct Collector {
    summary: Summary,
    most: u64,
    next: u64,
    waiting: BTreeMap<u64, BatchResult>,
    reported_faults: Vec<(Option<usize>, String)>,
}

impl Collector {
    fn new(solvers: &[Solver], most: u64) -> Self {
        let solvers =
            solvers.iter().map(|one| Tally { solver: one.name.clone(), ..Tally::default() });
        let summary = Summary { solvers: solvers.collect(), ..Summary::default() };
        Self { summary, most, next: 0, waiting: BTreeMap::new(), reported_faults: Vec::new() }
    }

    fn take(
        &mut self,
        done: BatchResult,
        counts: &Mutex<BTreeMap<FindingGroup, u64>>,
        observer: &mut dyn FnMut(Event<'_>),
    ) {
        self.waiting.insert(done.number, done);
        while let Some(done) = self.waiting.remove(&self.next) {
            self.next += 1;
            self.report(done, counts, observer);
            observer(Event::Progress(&self.summary));
        }
    }

    /// Reports batches that are done although one before them is not.
    fn report_waiting(
        &mut self,
        counts: &Mutex<BTreeMap<FindingGroup, u64>>,
        observer: &mut dyn FnMut(Event<'_>),
    ) {
        for done in std::mem::take(&mut self.waiting).into_values() {
            self.report(done, counts, observer);
        }
    }

    fn report(
        &mut self,
        done: BatchResult,
        counts: &Mutex<BTreeMap<FindingGroup, u64>>,
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
            if !self.reported_faults.contains(&fault) {
                let solver = fault.0.map(|solver| summary.solvers[solver].solver.as_str());
                observer(Event::Fault { solver, message: &fault.1 });
                self.reported_faults.push(fault);
            }
        }
        // Within a batch the smallest formula is reported first.
        let mut suspicions = done.suspicions;
        suspicions.sort_by_key(|suspicion| {
            suspicion.finding.as_ref().map_or(usize::MAX, |finding| finding.text.len())
        });
        let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
        for suspicion in suspicions {
            let tally = &mut summary.solvers[suspicion.group.0];
            let count = counts.entry(suspicion.group).or_default();
            if *count >= self.most {
                tally.similar += 1 + suspicion.more;
                continue;
            }
            let Some(finding) = suspicion.finding else {
                *tally.unconfirmed.entry(suspicion.group.1).or_default() += 1;
                if let Some(trace) = suspicion.trace {
                    observer(Event::Unconfirmed(&trace));
                }
                continue;
            };
            *count += 1;
            tally.similar += suspicion.more;
            *tally.found.entry(finding.class).or_default() += 1;
            observer(Event::Finding(&finding));
        }
    }
}
