//! The scheduler: which run is made when, and who stores it.
//!
//! Workers take runs from one list; each is bound to a processor core of its own, unless there are
//! more workers than cores. The calling thread alone writes to the store: it collects finished runs
//! and commits them a few times a second, so that whatever kills the process loses only the runs
//! since the last commit, which are made again when the campaign is resumed. Runs that are stored
//! already are not repeated.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use luthier_records::{Campaign, Cores, Ending, Query, Run, RunAnswer, Verdict};
use luthier_runner::process::{Load, Scratch, WorkerFolder, available_cores};
use luthier_store::{CampaignId, ConfigurationId, NewRun, Store, StoreError};

use crate::execute::{WorkerEnvironment, execute};
use crate::missing::{MissingRuns, PlannedRun, TargetInstance};
use crate::parsed_instance::ParsedInstance;
use crate::plan::Plan;
use crate::register::{register, require_paths};
use crate::{CampaignError, Event, Planned, Registered};

/// The result of a campaign.
#[derive(Clone, Debug)]
pub struct CampaignSummary {
    /// The instances.
    pub registered: Registered,
    /// What was planned.
    pub planned: Planned,
    /// The number of runs made by this call.
    pub made: usize,
    /// It was stopped before its end.
    pub stopped: bool,
}

/// What workers share.
struct Shared {
    plan: Plan,
    tasks: Vec<PlannedRun>,
    targets: Vec<TargetInstance>,
    next: AtomicUsize,
    stop: AtomicBool,
    /// The load average, measured once per interval.
    load: Mutex<Option<Load>>,
    /// A read-only connection for each worker. They are closed at the end even if workers still run:
    /// only the last connection removes SQLite's auxiliary files.
    readers: Vec<Mutex<Option<Store>>>,
    database: PathBuf,
}

/// What a worker sends.
enum Message {
    Begun(PlannedRun),
    /// A run, and how many of its verdicts contradict the planted answers.
    Done(PlannedRun, Box<Run>, usize),
    Failed(StoreError),
}

/// Commit after this many runs, or after this time.
const BATCH: usize = 256;
const COMMIT_INTERVAL: Duration = Duration::from_millis(200);
/// How long after its solver a campaign may be told to stop, if both are signalled together.
const KILL_DELAY: Duration = Duration::from_secs(1);
/// How often the load of the machine is measured.
const LOAD_INTERVAL: Duration = Duration::from_secs(1);

/// Registers the instances and makes the runs that are not stored yet. `stop` ends the campaign early;
/// unfinished runs are discarded.
pub fn run(
    plan: &Plan,
    campaign: &Campaign,
    database: &Path,
    stop: &dyn Fn() -> bool,
    observer: &mut dyn FnMut(Event<'_>),
) -> Result<CampaignSummary, CampaignError> {
    require_paths(&plan.experiment)?;
    let mut store = Store::open(database)?;
    let scratch = Scratch::new(database)?;
    let registered = register(&plan.experiment, Some(&mut store), stop, observer)?;
    if registered.stopped {
        store.close()?;
        let planned = Planned { runs: 0, recorded: 0, jobs: plan.jobs };
        return Ok(CampaignSummary { registered, planned, made: 0, stopped: true });
    }
    let missing = MissingRuns::new(plan, &registered, &mut store)?;
    observer(Event::Planned(missing.planned));
    let planned = missing.planned;
    let work = Work {
        plan,
        campaign,
        missing,
        store: &mut store,
        instances: &|| Store::open_read_only(database),
        scratch: &scratch,
        bind: true,
    };
    let made = make_runs(work, stop, observer)?;
    drop(scratch);
    store.close()?;
    Ok(CampaignSummary { registered, planned, made: made.runs, stopped: made.stopped })
}

/// Runs to be made, and where.
pub struct Work<'a> {
    /// The plan to which they belong.
    pub plan: &'a Plan,
    /// The campaign with which they are stored.
    pub campaign: &'a Campaign,
    /// The runs. Their instances have numbers of `store`.
    pub missing: MissingRuns,
    /// Where they are stored.
    pub store: &'a mut Store,
    /// Opens the database that has the texts of the instances, once for each worker.
    pub instances: &'a dyn Fn() -> Result<Store, StoreError>,
    /// Where solvers run.
    pub scratch: &'a Scratch,
    /// Bind each worker to a processor core. Not if others use the same cores.
    pub bind: bool,
}

/// What came of making runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MadeRuns {
    /// How many were made.
    pub runs: usize,
    /// It was stopped before the last.
    pub stopped: bool,
}

/// Makes runs and stores them. `stop` ends it early; unfinished runs are discarded.
pub fn make_runs(
    work: Work<'_>,
    stop: &dyn Fn() -> bool,
    observer: &mut dyn FnMut(Event<'_>),
) -> Result<MadeRuns, CampaignError> {
    let Work { plan, campaign, missing, store, instances, scratch, bind } = work;
    let campaign = store.add_campaign(campaign)?;
    let MissingRuns { planned, configurations, instances: targets, runs: tasks } = missing;
    if tasks.is_empty() {
        return Ok(MadeRuns { runs: 0, stopped: false });
    }
    if stop() {
        return Ok(MadeRuns { runs: 0, stopped: true });
    }
    let workers = plan.jobs.min(tasks.len());
    let readers: Result<Vec<Store>, StoreError> = (0..workers).map(|_| instances()).collect();
    let readers = readers?;
    let shared = Arc::new(Shared {
        plan: plan.clone(),
        tasks,
        targets,
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        load: Mutex::new(None),
        readers: readers.into_iter().map(|reader| Mutex::new(Some(reader))).collect(),
        database: store.path().to_owned(),
    });
    let (sender, receiver) = mpsc::sync_channel(4 * BATCH);
    let cores = available_cores();
    for worker in 0..workers {
        let workplace = scratch.worker_folder(worker)?;
        let (shared, sender) = (shared.clone(), sender.clone());
        // With more workers than cores none is bound: the kernel schedules them better.
        let core = cores.get(worker).copied().filter(|_| bind && workers <= cores.len());
        thread::spawn(move || work_on(&shared, worker, workplace, core, &sender));
    }
    drop(sender);
    let mut collector = Collector {
        store,
        campaign,
        configurations: &configurations,
        shared: &shared,
        waiting: Vec::new(),
        since: Instant::now(),
        done: planned.recorded,
        planned,
    };
    let result = collector.collect(&receiver, stop, observer);
    // Workers that wait for a solver see this when it ends; they are not joined.
    shared.stop.store(true, Ordering::Relaxed);
    for reader in &shared.readers {
        drop(reader.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
    Ok(MadeRuns { runs: collector.done - planned.recorded, stopped: result? })
}

/// The loop of a worker.
fn work_on(
    shared: &Shared,
    worker: usize,
    mut workplace: WorkerFolder,
    core: Option<luthier_runner::process::CoreId>,
    sender: &SyncSender<Message>,
) {
    let mut last: Option<(usize, ParsedInstance)> = None;
    while !shared.stop.load(Ordering::Relaxed) {
        let Some(&task) = shared.tasks.get(shared.next.fetch_add(1, Ordering::Relaxed)) else {
            return;
        };
        // Runs on the same instance often follow each other.
        let parsed = match last.take() {
            Some((instance, parsed)) if instance == task.instance => parsed,
            _ => match read(shared, worker, task.instance) {
                Ok(Some(parsed)) => parsed,
                // The campaign has ended.
                Ok(None) => return,
                Err(error) => {
                    // If the receiver is gone, the campaign has ended and the error does not matter.
                    let _ = sender.send(Message::Failed(error));
                    return;
                }
            },
        };
        let parsed = &mut last.insert((task.instance, parsed)).1;
        let load = *shared.load.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = workplace.path();
        let environment = WorkerEnvironment { core, folder, load: load.map(|load| load.average) };
        let runnable = &shared.plan.configurations[task.configuration];
        if sender.send(Message::Begun(task)).is_err() {
            return;
        }
        let run = execute(parsed, runnable, &shared.plan, task.repetition, &environment);
        workplace.clear();
        if ended_from_outside(&run.ending) && stops_within(shared, KILL_DELAY) {
            return;
        }
        let wrong = against_planted(&run, &parsed.instance.queries);
        if sender.send(Message::Done(task, Box::new(run), wrong)).is_err() {
            return;
        }
    }
}

/// Whether somebody else may have ended the solver, or our supervisor of it. A batch system that ends a
/// job, or an init system that ends a service, signals all processes at once.
fn ended_from_outside(ending: &Ending) -> bool {
    let by = |signal: i32| matches!(signal, SIGHUP | SIGINT | SIGKILL | SIGTERM);
    match ending {
        Ending::Signalled(signal) => by(*signal),
        // Launcher scripts report the signal that ended the program in this way.
        Ending::Exited(code) => by(*code - 128),
        Ending::Lost(_) => true,
        _ => false,
    }
}

const SIGHUP: i32 = 1;
const SIGINT: i32 = 2;
const SIGKILL: i32 = 9;
const SIGTERM: i32 = 15;

/// Whether the campaign is stopped within this time. Then a run that was ended from outside is
/// no observation about the solver.
fn stops_within(shared: &Shared, time: Duration) -> bool {
    let since = Instant::now();
    while since.elapsed() < time {
        if shared.stop.load(Ordering::Relaxed) {
            return true;
        }
        thread::sleep(Duration::from_millis(20));
    }
    false
}

/// How many verdicts contradict the planted answers of their queries.
fn against_planted(run: &Run, queries: &[Query]) -> usize {
    let answers = run.answers.iter().zip(queries).filter(|(answer, _)| answer.is_claim());
    let contradicts = |answer: &RunAnswer, query: &Query| {
        let opposite = match answer.verdict {
            Verdict::Sat => Verdict::Unsat,
            Verdict::Unsat => Verdict::Sat,
            Verdict::Unknown => return false,
        };
        query.planted == Some(opposite)
    };
    answers.filter(|(answer, query)| contradicts(answer, query)).count()
}

/// Loads an instance from the store and parses it; `None` if the campaign has ended.
fn read(
    shared: &Shared,
    worker: usize,
    instance: usize,
) -> Result<Option<ParsedInstance>, StoreError> {
    let target = &shared.targets[instance];
    let bytes = {
        let reader = shared.readers[worker].lock().unwrap_or_else(PoisonError::into_inner);
        let Some(store) = reader.as_ref() else { return Ok(None) };
        store.text(target.digest)?.unwrap_or_default()
    };
    let experiment = &shared.plan.experiment;
    let mut parsed = ParsedInstance::read(&bytes, experiment.dialect);
    if experiment.cores == Cores::Always {
        parsed.name_assertions();
    }
    Ok(Some(parsed))
}

/// Collects and stores finished runs, in the calling thread.
struct Collector<'a> {
    store: &'a mut Store,
    campaign: CampaignId,
    configurations: &'a [ConfigurationId],
    shared: &'a Shared,
    waiting: Vec<(PlannedRun, Box<Run>)>,
    /// When the first of the waiting runs arrived.
    since: Instant,
    done: usize,
    planned: Planned,
}

impl Collector<'_> {
    /// Collects runs until all are done; returns whether it was stopped.
    fn collect(
        &mut self,
        receiver: &Receiver<Message>,
        stop: &dyn Fn() -> bool,
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Result<bool, CampaignError> {
        let mut looked: Option<Instant> = None;
        let mut warned = false;
        loop {
            if looked.is_none_or(|time| time.elapsed() >= LOAD_INTERVAL) {
                looked = Some(Instant::now());
                let load = Load::measure(self.planned.jobs).ok();
                *self.shared.load.lock().unwrap_or_else(PoisonError::into_inner) = load;
                // Reported once: the load of each run is recorded with it.
                if let Some(load) = load.filter(|load| !warned && load.is_too_high()) {
                    warned = true;
                    observer(Event::Loaded(load));
                }
            }
            match receiver.recv_timeout(COMMIT_INTERVAL) {
                Ok(Message::Begun(task)) => observer(Event::Started {
                    configuration: self.configuration(task),
                    instance: &self.shared.targets[task.instance].name,
                }),
                Ok(Message::Done(task, run, wrong)) => {
                    if self.waiting.is_empty() {
                        self.since = Instant::now();
                    }
                    self.done += 1;
                    observer(Event::Finished {
                        configuration: self.configuration(task),
                        instance: &self.shared.targets[task.instance].name,
                        run: &run,
                        wrong,
                        done: self.done,
                        total: self.planned.runs,
                    });
                    self.waiting.push((task, run));
                }
                Ok(Message::Failed(error)) => {
                    self.save(observer)?;
                    return Err(error.into());
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    self.save(observer)?;
                    return self.all_made().map(|()| false);
                }
            }
            let full = self.waiting.len() >= BATCH || self.since.elapsed() >= COMMIT_INTERVAL;
            if full && !self.waiting.is_empty() {
                self.save(observer)?;
            }
            if stop() {
                self.save(observer)?;
                return Ok(true);
            }
        }
    }

    fn configuration(&self, task: PlannedRun) -> &str {
        &self.shared.plan.configurations[task.configuration].configuration.name
    }

    /// After all workers have ended: an error if runs are missing, because a worker panicked.
    fn all_made(&self) -> Result<(), CampaignError> {
        match self.planned.runs.saturating_sub(self.done) {
            0 => Ok(()),
            left => Err(CampaignError::Inconsistent(format!(
                "a worker thread ended unexpectedly, {left} runs are missing; the same command makes them"
            ))),
        }
    }

    fn save(&mut self, observer: &mut dyn FnMut(Event<'_>)) -> Result<(), CampaignError> {
        let runs: Vec<NewRun<'_>> = self
            .waiting
            .iter()
            .map(|(task, run)| NewRun {
                configuration: self.configurations[task.configuration],
                instance: self.shared.targets[task.instance].id,
                run,
            })
            .collect();
        self.store.add_runs(self.campaign, &runs)?;
        let database = &self.shared.database;
        observer(Event::Saved { runs: runs.len(), database });
        self.waiting.clear();
        Ok(())
    }
}
