//! The scheduler: which run is made when, and who stores it.
//!
//! Workers take runs from one list; each is bound to a processor core of its own, unless there are
//! more workers than cores. The calling thread alone writes to the store: it collects finished runs
//! and commits them a few times a second, so that whatever kills the process loses only the runs
//! since the last commit, which are made again when the campaign is resumed. Runs that are stored
//! already are not repeated.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use luthier_records::{Campaign, Cores, Digest, Run};
use luthier_runner::process::{Load, Scratch, WorkerFolder, available_cores};
use luthier_store::{CampaignId, ConfigurationId, InstanceId, NewRun, Store, StoreError};

use crate::execute::{WorkerEnvironment, execute};
use crate::experiment::Order;
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

/// One planned run.
#[derive(Clone, Copy, Debug)]
struct Task {
    runnable: usize,
    instance: usize,
    repetition: u32,
}

/// An instance of planned runs.
#[derive(Clone, Debug)]
struct TaskInstance {
    id: InstanceId,
    digest: Digest,
    name: String,
}

/// What workers share.
struct Shared {
    plan: Plan,
    tasks: Vec<Task>,
    targets: Vec<TaskInstance>,
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
    Done(Task, Box<Run>),
    Failed(StoreError),
}

/// Commit after this many runs, or after this time.
const BATCH: usize = 256;
const COMMIT_INTERVAL: Duration = Duration::from_millis(200);
/// How often the load of the machine is measured.
const LOAD_INTERVAL: Duration = Duration::from_secs(1);

/// Makes the runs that are not stored yet. `stop` ends the campaign early; unfinished runs are discarded.
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
    let campaign = store.add_campaign(campaign)?;
    let mut configurations = Vec::new();
    for runnable in &plan.configurations {
        configurations.push(store.add_configuration(&runnable.configuration)?);
    }
    let targets = targets(&registered);
    let (tasks, planned) = tasks(plan, &targets, &configurations, &store)?;
    observer(Event::Planned(planned));
    let mut finished = CampaignSummary { registered, planned, made: 0, stopped: false };
    if tasks.is_empty() {
        store.close()?;
        return Ok(finished);
    }
    let workers = plan.jobs.min(tasks.len());
    let readers: Result<Vec<Store>, StoreError> =
        (0..workers).map(|_| Store::open_read_only(database)).collect();
    let readers = readers?;
    let shared = Arc::new(Shared {
        plan: plan.clone(),
        tasks,
        targets,
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        load: Mutex::new(None),
        readers: readers.into_iter().map(|reader| Mutex::new(Some(reader))).collect(),
        database: database.to_owned(),
    });
    let (sender, receiver) = mpsc::sync_channel(4 * BATCH);
    let cores = available_cores();
    for worker in 0..workers {
        let workplace = scratch.worker_folder(worker)?;
        let (shared, sender) = (shared.clone(), sender.clone());
        // With more workers than cores none is bound: the kernel schedules them better.
        let core = cores.get(worker).copied().filter(|_| workers <= cores.len());
        thread::spawn(move || work(&shared, worker, workplace, core, &sender));
    }
    drop(sender);
    let mut collector = Collector {
        store: &mut store,
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
    finished.made = collector.done - planned.recorded;
    finished.stopped = result?;
    drop(scratch);
    store.close()?;
    Ok(finished)
}

/// Every instance once, however many sets contain it.
fn targets(registered: &Registered) -> Vec<TaskInstance> {
    let mut seen = BTreeSet::new();
    let instances = registered.sets.iter().flat_map(|set| &set.instances);
    let stored = instances.filter_map(|instance| Some((instance.id?, instance)));
    stored
        .filter(|(id, _)| seen.insert(*id))
        .map(|(id, instance)| TaskInstance {
            id,
            digest: instance.digest,
            name: instance.name.clone(),
        })
        .collect()
}

/// The runs that are not stored yet, in order.
fn tasks(
    plan: &Plan,
    targets: &[TaskInstance],
    configurations: &[ConfigurationId],
    store: &Store,
) -> Result<(Vec<Task>, Planned), CampaignError> {
    let mut recorded = Vec::new();
    for configuration in configurations {
        recorded.push(store.recorded(*configuration)?);
    }
    let repetitions = plan.experiment.repetitions;
    let mut tasks = Vec::new();
    let mut already = 0;
    for repetition in 0..repetitions {
        for (instance, target) in targets.iter().enumerate() {
            for (runnable, recorded) in recorded.iter().enumerate() {
                if recorded.contains(&(target.id, repetition)) {
                    already += 1;
                } else {
                    tasks.push(Task { runnable, instance, repetition });
                }
            }
        }
    }
    match plan.experiment.order {
        Order::Instances => {}
        Order::Solvers => tasks.sort_by_key(|task| (task.repetition, task.runnable)),
        Order::Random => {
            let seed = plan.experiment.seeds.first().copied().unwrap_or(0);
            tasks.sort_by_cached_key(|task| {
                let identity = &plan.configurations[task.runnable].configuration.identity();
                let target = &targets[task.instance].digest;
                let text = format!("{seed} {identity} {target} {}", task.repetition);
                Digest::of(text.as_bytes())
            });
        }
    }
    let planned = Planned { runs: tasks.len() + already, recorded: already, jobs: plan.jobs };
    Ok((tasks, planned))
}

/// The loop of a worker.
fn work(
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
        let runnable = &shared.plan.configurations[task.runnable];
        let run = execute(parsed, runnable, &shared.plan, task.repetition, &environment);
        workplace.clear();
        if sender.send(Message::Done(task, Box::new(run))).is_err() {
            return;
        }
    }
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
    waiting: Vec<(Task, Box<Run>)>,
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
                Ok(Message::Done(task, run)) => {
                    if self.waiting.is_empty() {
                        self.since = Instant::now();
                    }
                    self.done += 1;
                    observer(Event::Finished {
                        configuration: &self.shared.plan.configurations[task.runnable]
                            .configuration
                            .name,
                        instance: &self.shared.targets[task.instance].name,
                        run: &run,
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
                configuration: self.configurations[task.runnable],
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
