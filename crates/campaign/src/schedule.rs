//! Which run is made when, and by whom.
//!
//! Workers take runs from one list, each bound to a core of its own. The calling thread writes:
//! it alone holds the store, collects finished runs and commits them a few times a second, so
//! that whatever kills us costs at most the runs of that moment, which are made again when the
//! campaign is resumed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use luthier_records::{Campaign, Cores, Digest, Run};
use luthier_runner::process::{Load, Scratch, Watch, WorkerFolder, available_cores};
use luthier_store::{CampaignId, ConfigurationId, InstanceId, NewRun, Store, StoreError};

use crate::execute::{Bench, execute};
use crate::experiment::Order;
use crate::plan::Plan;
use crate::question::Question;
use crate::register::{register, require_paths};
use crate::{CampaignError, Event, Planned, Registered};

/// What came of a campaign.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The instances.
    pub registered: Registered,
    /// What was planned.
    pub planned: Planned,
    /// How many runs were made now.
    pub made: usize,
    /// It was stopped before its end.
    pub stopped: bool,
}

/// One run that is to be made.
#[derive(Clone, Copy, Debug)]
struct Task {
    contestant: usize,
    instance: usize,
    repetition: u32,
}

/// An instance to which tasks refer.
#[derive(Clone, Debug)]
struct Target {
    id: InstanceId,
    digest: Digest,
    name: String,
}

/// What workers share.
struct Shared {
    plan: Plan,
    tasks: Vec<Task>,
    targets: Vec<Target>,
    next: AtomicUsize,
    stop: AtomicBool,
    /// The load average, looked at from time to time.
    load: Mutex<Option<Load>>,
    /// The database for each worker, to read from. They are taken away at the end, whatever the
    /// workers do: only the last connection removes the files that SQLite has beside a database.
    readers: Vec<Mutex<Option<Store>>>,
    database: PathBuf,
}

/// What a worker sends.
enum Message {
    Done(Task, Box<Run>),
    Failed(StoreError),
}

/// Commit when so many runs have come together, or after this time.
const BATCH: usize = 256;
const PATIENCE: Duration = Duration::from_millis(200);
/// How often we look at the load of the machine.
const LOAD_INTERVAL: Duration = Duration::from_secs(1);

/// Runs what is not recorded yet. `stop` ends the campaign early: runs that go on are abandoned.
pub fn run(
    plan: &Plan,
    campaign: &Campaign,
    database: &Path,
    stop: &dyn Fn() -> bool,
    observer: &mut dyn FnMut(Event<'_>),
) -> Result<Finished, CampaignError> {
    require_paths(&plan.experiment)?;
    let mut store = Store::open(database)?;
    let scratch = Scratch::new(database)?;
    let registered = register(&plan.experiment, Some(&mut store), stop, observer)?;
    if registered.stopped {
        store.close()?;
        let planned = Planned { runs: 0, recorded: 0, jobs: plan.jobs };
        return Ok(Finished { registered, planned, made: 0, stopped: true });
    }
    let campaign = store.add_campaign(campaign)?;
    let mut configurations = Vec::new();
    for contestant in &plan.contestants {
        configurations.push(store.add_configuration(&contestant.configuration)?);
    }
    let targets = targets(&registered);
    let (tasks, planned) = tasks(plan, &targets, &configurations, &store)?;
    observer(Event::Planned(planned));
    let mut finished = Finished { registered, planned, made: 0, stopped: false };
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
        let workplace = scratch.workplace(worker)?;
        let (shared, sender) = (shared.clone(), sender.clone());
        // More workers than cores are not bound: the kernel shares the time out better.
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
    // Workers that wait for a solver see this when they are done; nobody waits for them.
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

/// Every instance once, however often it stands in sets.
fn targets(registered: &Registered) -> Vec<Target> {
    let mut seen = BTreeSet::new();
    let instances = registered.sets.iter().flat_map(|set| &set.instances);
    let stored = instances.filter_map(|instance| Some((instance.id?, instance)));
    stored
        .filter(|(id, _)| seen.insert(*id))
        .map(|(id, instance)| Target { id, digest: instance.digest, name: instance.name.clone() })
        .collect()
}

/// The runs that are not recorded, in order.
fn tasks(
    plan: &Plan,
    targets: &[Target],
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
            for (contestant, recorded) in recorded.iter().enumerate() {
                if recorded.contains(&(target.id, repetition)) {
                    already += 1;
                } else {
                    tasks.push(Task { contestant, instance, repetition });
                }
            }
        }
    }
    match plan.experiment.order {
        Order::Instances => {}
        Order::Solvers => tasks.sort_by_key(|task| (task.repetition, task.contestant)),
        Order::Random => {
            let seed = plan.experiment.seeds.first().copied().unwrap_or(0);
            tasks.sort_by_cached_key(|task| {
                let identity = &plan.contestants[task.contestant].configuration.identity();
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
    let mut last: Option<(usize, Question)> = None;
    while !shared.stop.load(Ordering::Relaxed) {
        let Some(&task) = shared.tasks.get(shared.next.fetch_add(1, Ordering::Relaxed)) else {
            return;
        };
        // Runs on the same instance often follow each other.
        let question = match last.take() {
            Some((instance, question)) if instance == task.instance => question,
            _ => match read(shared, worker, task.instance) {
                Ok(Some(question)) => question,
                // The campaign has ended.
                Ok(None) => return,
                Err(error) => {
                    // Nobody listens any more, and nobody needs it then.
                    let _ = sender.send(Message::Failed(error));
                    return;
                }
            },
        };
        let question = &mut last.insert((task.instance, question)).1;
        let load = *shared.load.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = workplace.path();
        let bench = Bench { core, folder, load: load.map(|load| load.average) };
        let contestant = &shared.plan.contestants[task.contestant];
        let run = execute(question, contestant, &shared.plan, task.repetition, &bench);
        workplace.clear();
        if sender.send(Message::Done(task, Box::new(run))).is_err() {
            return;
        }
    }
}

/// Fetches an instance and reads it.
fn read(shared: &Shared, worker: usize, instance: usize) -> Result<Option<Question>, StoreError> {
    let target = &shared.targets[instance];
    let bytes = {
        let reader = shared.readers[worker].lock().unwrap_or_else(PoisonError::into_inner);
        let Some(store) = reader.as_ref() else { return Ok(None) };
        store.text(target.digest)?.unwrap_or_default()
    };
    let experiment = &shared.plan.experiment;
    let mut question = Question::read(&bytes, experiment.dialect);
    if experiment.cores == Cores::Always {
        question.name_assertions();
    }
    Ok(Some(question))
}

/// The calling thread's side.
struct Collector<'a> {
    store: &'a mut Store,
    campaign: CampaignId,
    configurations: &'a [ConfigurationId],
    shared: &'a Shared,
    waiting: Vec<(Task, Box<Run>)>,
    /// When the first of those that wait came.
    since: Instant,
    done: usize,
    planned: Planned,
}

impl Collector<'_> {
    /// Collects runs until all are there; says whether it was stopped.
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
                let load = Watch { own_runs: self.planned.jobs }.look().ok();
                *self.shared.load.lock().unwrap_or_else(PoisonError::into_inner) = load;
                // Once is enough: the load of each run is recorded with it.
                if let Some(load) = load.filter(|load| !warned && load.is_too_high()) {
                    warned = true;
                    observer(Event::Loaded(load));
                }
            }
            match receiver.recv_timeout(PATIENCE) {
                Ok(Message::Done(task, run)) => {
                    if self.waiting.is_empty() {
                        self.since = Instant::now();
                    }
                    self.done += 1;
                    observer(Event::Finished {
                        configuration: &self.shared.plan.contestants[task.contestant]
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
            let full = self.waiting.len() >= BATCH || self.since.elapsed() >= PATIENCE;
            if full && !self.waiting.is_empty() {
                self.save(observer)?;
            }
            if stop() {
                self.save(observer)?;
                return Ok(true);
            }
        }
    }

    /// All workers are gone; one that panicked may have left runs behind.
    fn all_made(&self) -> Result<(), CampaignError> {
        match self.planned.runs.saturating_sub(self.done) {
            0 => Ok(()),
            left => Err(CampaignError::Inconsistent(format!(
                "a worker ended before its time, {left} runs are left; the same command makes them"
            ))),
        }
    }

    fn save(&mut self, observer: &mut dyn FnMut(Event<'_>)) -> Result<(), CampaignError> {
        let runs: Vec<NewRun<'_>> = self
            .waiting
            .iter()
            .map(|(task, run)| NewRun {
                configuration: self.configurations[task.contestant],
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
