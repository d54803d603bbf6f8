//! A task: some runs of a round, made on a node.
//!
//! It works on a database on the node's own disk, with the same scheduler as a local campaign, and
//! publishes copies of it on the shared file system: now and then, and when it ends or is told to end.
//! If the node fails, the runs since the last publication are lost and made again.
//!
//! A task that is started again (requeued after a failure or a preemption) has another file to publish
//! in, and leaves out what its earlier attempts have published. Should an attempt that Slurm believes
//! dead be alive behind a broken network, both may make the same run; only one of the two is merged.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use luthier_campaign::{
    Event, Experiment, MissingRuns, Plan, Planned, PlannedRun, TargetInstance, Work, make_runs,
    this_machine,
};
use luthier_records::{Campaign, Digest, Instance, Timestamp};
use luthier_runner::process::{Scratch, available_cores};
use luthier_runner::releases::Releases;
use luthier_store::{InstanceId, Store, StoreError};

use crate::SlurmError;
use crate::round::{Round, RoundFolder, RoundRun};

/// Who we are, as Slurm says it.
#[derive(Clone, Debug)]
pub struct TaskEnvironment {
    /// What no other attempt of any task has: the job and how often it was started again.
    pub attempt: String,
    /// The folder for files of this node.
    pub local: PathBuf,
}

/// What a task has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskOutcome {
    /// How many runs it was to make.
    pub runs: usize,
    /// How many of these its earlier attempts had made.
    pub recorded: usize,
    /// How many it made.
    pub made: usize,
    /// It was told to end before the last.
    pub stopped: bool,
    /// Where its runs are.
    pub published: PathBuf,
}

/// A copy is published at most this often, and at most this share of the time is spent on it.
const PUBLISH_INTERVAL: Duration = Duration::from_secs(30);
const PUBLISH_SHARE: u32 = 20;

impl TaskEnvironment {
    /// From the variables that Slurm sets. Outside of Slurm an attempt is named after its process.
    pub fn of_process() -> Self {
        let variable = |name: &str| {
            let value = std::env::var(name).ok()?;
            let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then_some(value)
        };
        let attempt = match variable("SLURM_JOB_ID") {
            Some(job) => {
                format!("{job}.{}", variable("SLURM_RESTART_COUNT").unwrap_or_else(|| "0".into()))
            }
            None => format!("process-{}", std::process::id()),
        };
        Self { attempt, local: std::env::temp_dir() }
    }
}

/// Makes the runs of a task. `stop` ends it early; what is made is published.
pub fn run_task(
    round_folder: &Path,
    task: usize,
    environment: &TaskEnvironment,
    releases: &Releases,
    stop: &dyn Fn() -> bool,
    observer: &mut dyn FnMut(Event<'_>),
) -> Result<TaskOutcome, SlurmError> {
    let folder = RoundFolder::new(round_folder.to_owned());
    let round = folder.read()?;
    let runs = folder.runs_of(&round, task)?;
    let experiment = Experiment::read(&folder.experiment())?;
    let plan = Plan::new(Experiment { jobs: Some(round.jobs), ..experiment }, releases)?;
    check_configurations(&round, &plan)?;
    let published = folder.publication(task, &environment.attempt);
    let instances = instances_of(&folder, &runs)?;
    let earlier = earlier_runs(&folder, task, &published, observer)?;
    let key = |run: &RoundRun| {
        let (digest, dialect) = &instances[&run.instance].1;
        (round.configurations[run.configuration].clone(), *digest, dialect.clone(), run.repetition)
    };
    let left: Vec<RoundRun> =
        runs.iter().filter(|run| !earlier.contains(&key(run))).copied().collect();
    let recorded = runs.len() - left.len();
    let mut outcome =
        TaskOutcome { runs: runs.len(), recorded, made: 0, stopped: false, published };
    if left.is_empty() {
        return Ok(outcome);
    }
    let local = tempfile::Builder::new()
        .prefix("luthier-task-")
        .tempdir_in(&environment.local)
        .map_err(|cause| SlurmError::file(&environment.local, cause))?;
    let database = local.path().join("task.db");
    let mut store = Store::open(&database)?;
    let scratch = Scratch::new(&database)?;
    let missing = missing_runs(&plan, &instances, &left, &mut store)?;
    let planned = missing.planned;
    observer(Event::Planned(planned));
    let campaign = campaign_of(&round);
    let mut publisher = Publisher::new(database, outcome.published.clone());
    let made = make_runs(
        Work {
            plan: &plan,
            campaign: &campaign,
            missing,
            store: &mut store,
            instances: &|| Store::open_published(folder.instances()),
            scratch: &scratch,
            // Where Slurm confines us to our processors; else others run on the same.
            bind: available_cores().len() == round.jobs,
        },
        stop,
        &mut |event| {
            // A copy that cannot be written now may be written in the end, which is reported.
            if matches!(event, Event::Saved { .. })
                && let Err(error) = publisher.publish_if_due()
            {
                observer(Event::Unreadable { message: error.to_string() });
            }
            observer(event);
        },
    );
    // What is made is published, whatever happened to the rest.
    let last = publisher.publish();
    let made = made?;
    last?;
    (outcome.made, outcome.stopped) = (made.runs, made.stopped);
    drop(scratch);
    store.close()?;
    Ok(outcome)
}

/// The same names must mean the same programs here as where the round was submitted.
fn check_configurations(round: &Round, plan: &Plan) -> Result<(), SlurmError> {
    let here = plan.configurations.iter().map(|one| (one.configuration.identity(), one));
    let here: Vec<_> = here.collect();
    let identities: Vec<String> = here.iter().map(|(identity, _)| identity.to_string()).collect();
    if identities == round.configurations {
        return Ok(());
    }
    let other =
        here.iter().zip(&round.configurations).find(|((one, _), two)| one.to_string() != **two);
    let name = other.map_or("one", |((_, runnable), _)| &runnable.configuration.name);
    let host = this_machine().host;
    Err(SlurmError::Inconsistent(format!(
        "on {host} the configuration {name} is another one than where the campaign was submitted: the \
         program or its description differs; install the same on all nodes, or on a file system that \
         they share"
    )))
}

/// Digest and dialect of an instance, which identify it.
type InstanceKey = (Digest, String);

/// The instances of a task by their numbers in the round.
fn instances_of(
    folder: &RoundFolder,
    runs: &[RoundRun],
) -> Result<BTreeMap<InstanceId, (Instance, InstanceKey)>, SlurmError> {
    let mut wanted: Vec<InstanceId> = runs.iter().map(|run| run.instance).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let path = folder.instances();
    let store = Store::open_published(&path)?;
    let mut found = BTreeMap::new();
    store.visit_selected(&wanted, |one| -> Result<(), StoreError> {
        let key = (one.instance.digest, one.instance.dialect.clone());
        found.insert(one.id, (one.instance, key));
        Ok(())
    })?;
    match wanted.iter().find(|id| !found.contains_key(id)) {
        None => Ok(found),
        Some(id) => {
            Err(SlurmError::BadRound { path, problem: format!("instance {} is missing", id.0) })
        }
    }
}

/// What earlier attempts of the same task have published. A database of theirs that cannot be read
/// counts for nothing: whoever collects cannot read it either.
fn earlier_runs(
    folder: &RoundFolder,
    task: usize,
    own: &Path,
    observer: &mut dyn FnMut(Event<'_>),
) -> Result<HashSet<(String, Digest, String, u32)>, SlurmError> {
    let mut known = HashSet::new();
    for path in folder.published(Some(task))?.into_iter().filter(|path| path != own) {
        let mut of_attempt = Vec::new();
        let read = Store::open_published(&path).and_then(|store| {
            let identities: HashMap<_, String> = store
                .configurations()?
                .into_iter()
                .map(|(id, configuration)| (id, configuration.identity().to_string()))
                .collect();
            store.visit_instances(|one| {
                for run in &one.runs {
                    let Some(identity) = identities.get(&run.configuration) else { continue };
                    let (digest, dialect) = (one.instance.digest, one.instance.dialect.clone());
                    of_attempt.push((identity.clone(), digest, dialect, run.repetition));
                }
                Ok::<(), StoreError>(())
            })
        });
        match read {
            Ok(()) => known.extend(of_attempt),
            Err(error) => observer(Event::Unreadable { message: error.to_string() }),
        }
    }
    Ok(known)
}

/// The runs of a task, with the numbers of its own database.
fn missing_runs(
    plan: &Plan,
    instances: &BTreeMap<InstanceId, (Instance, InstanceKey)>,
    runs: &[RoundRun],
    store: &mut Store,
) -> Result<MissingRuns, SlurmError> {
    store.batch(|store| {
        let mut configurations = Vec::new();
        for runnable in &plan.configurations {
            configurations.push(store.add_configuration(&runnable.configuration)?);
        }
        let mut targets = Vec::new();
        let mut positions: HashMap<InstanceId, usize> = HashMap::new();
        let mut planned = Vec::new();
        for run in runs {
            let instance = match positions.get(&run.instance) {
                Some(position) => *position,
                None => {
                    let (instance, _) = &instances[&run.instance];
                    // Its text stays where it is.
                    let id = store.add_instance_without_text(instance)?;
                    let (digest, name) = (instance.digest, format!("instance {}", run.instance.0));
                    targets.push(TargetInstance { id, digest, name });
                    positions.insert(run.instance, targets.len() - 1);
                    targets.len() - 1
                }
            };
            let RoundRun { configuration, repetition, .. } = *run;
            planned.push(PlannedRun { configuration, instance, repetition });
        }
        Ok(MissingRuns {
            planned: Planned { runs: planned.len(), recorded: 0, jobs: plan.jobs },
            configurations,
            instances: targets,
            runs: planned,
        })
    })
}

/// The campaign of all tasks of a round on this host.
fn campaign_of(round: &Round) -> Campaign {
    let machine = this_machine();
    Campaign {
        id: format!("{}-{}", round.campaign, machine.host),
        started: Timestamp(round.started_ms),
        luthier_version: round.luthier_version.clone(),
        command_line: round.command_line.clone(),
        experiment: round.experiment.clone(),
        machine,
        jobs: u32::try_from(round.jobs).unwrap_or(u32::MAX),
    }
}

/// Publishes copies of the database of a task.
struct Publisher {
    database: PathBuf,
    target: PathBuf,
    last: Instant,
    cost: Duration,
}

impl Publisher {
    fn new(database: PathBuf, target: PathBuf) -> Self {
        Self { database, target, last: Instant::now(), cost: Duration::ZERO }
    }

    fn publish_if_due(&mut self) -> Result<(), SlurmError> {
        let interval = PUBLISH_INTERVAL.max(self.cost.saturating_mul(PUBLISH_SHARE));
        if self.last.elapsed() < interval { Ok(()) } else { self.publish() }
    }

    fn publish(&mut self) -> Result<(), SlurmError> {
        let since = Instant::now();
        let published = Store::open(&self.database).and_then(|store| {
            store.publish(&self.target)?;
            store.close()
        });
        (self.last, self.cost) = (Instant::now(), since.elapsed());
        Ok(published?)
    }
}
