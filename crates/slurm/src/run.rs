//! The campaign as a whole: register, submit what is missing, wait, collect, until nothing is missing.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use luthier_campaign::{
    CampaignSummary, Event, Experiment, MissingRuns, Plan, Planned, Registered, register,
};
use luthier_records::Timestamp;
use luthier_runner::process::Scratch;
use luthier_store::{InstanceId, Store};

use crate::client::{JobArray, Queue, Slurm};
use crate::collect::Collector;
use crate::event::Progress;
use crate::options::SlurmOptions;
use crate::round::{Round, RoundFolder, RoundRun};
use crate::{CampaignFolder, Control, SlurmError, SlurmEvent, pack};

/// Where a campaign comes from, for its records.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The program that tasks start.
    pub luthier: PathBuf,
    /// Its version.
    pub version: String,
    /// The command line.
    pub command_line: Vec<String>,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Instances and runs.
    pub summary: CampaignSummary,
    /// Jobs were left to go on.
    pub left_jobs: bool,
}

/// How often Slurm is asked: seldom enough for its controller, often at the beginning.
const FIRST_POLL: Duration = Duration::from_millis(250);
const LONGEST_POLL: Duration = Duration::from_secs(20);
/// How often we look whether to stop.
const TICK: Duration = Duration::from_millis(50);
/// While jobs run, a fifth of the time goes into merging at most.
const MERGE_SHARE: u32 = 5;
/// How long jobs that are cancelled may take to end: Slurm gives them half a minute by default.
const CANCEL_TIME: Duration = Duration::from_secs(90);
/// After a round without progress there are at most so many tasks, each as small as that allows.
const CAREFUL_TASKS: usize = 1000;

type Observer<'a> = &'a mut dyn FnMut(SlurmEvent<'_>);

/// Runs an experiment on a cluster. `control` is asked again and again.
pub fn run(
    plan: &Plan,
    origin: &Origin,
    options: &SlurmOptions,
    database: &Path,
    control: &dyn Fn() -> Control,
    observer: Observer<'_>,
) -> Result<Outcome, SlurmError> {
    // Before anything is made.
    Slurm::check()?;
    let limits = options.limits(&plan.experiment, plan.jobs)?;
    let mut store = Store::open(database)?;
    // Its lock keeps a second process from collecting.
    let scratch = Scratch::new(database)?;
    let folder = CampaignFolder::of_database(database)?;
    let slurm = Slurm::new(folder.job_name()?);
    folder.forget_cancelled()?;
    let stop = || control() != Control::Continue;
    let registered = register(&plan.experiment, Some(&mut store), &stop, &mut |event| {
        observer(SlurmEvent::Campaign(event));
    })?;
    let mut planned = Planned { runs: 0, recorded: 0, jobs: plan.jobs };
    if registered.stopped {
        let summary = CampaignSummary { registered, planned, made: 0, stopped: true };
        return Ok(Outcome { summary, left_jobs: false });
    }
    let mut campaign = ClusterCampaign {
        plan,
        origin,
        options,
        limits,
        slurm,
        folder,
        store,
        collector: Collector::default(),
        total: 0,
        before: 0,
        control,
        observer,
    };
    let (ended, first) = campaign.go_on(&registered)?;
    planned.runs = first.runs;
    planned.recorded = first.recorded;
    let ClusterCampaign { mut store, folder, .. } = campaign;
    // Counted in the results: jobs of an earlier, different experiment may have been collected, too.
    let now = MissingRuns::new(plan, &registered, &mut store)?.planned;
    let made = now.recorded.saturating_sub(first.recorded);
    if ended == Ended::Complete {
        folder.remove()?;
    }
    drop(scratch);
    store.close()?;
    let stopped = ended != Ended::Complete;
    let summary = CampaignSummary { registered, planned, made, stopped };
    Ok(Outcome { summary, left_jobs: ended == Ended::JobsGoOn })
}

/// Cancels the jobs of a campaign, from its database or its folder, and waits until they have ended.
/// What they have made stays; the next `luthier run` collects it. Returns how many there were.
pub fn cancel(path: &Path) -> Result<usize, SlurmError> {
    let folder = CampaignFolder::find(path)?;
    Slurm::check()?;
    let slurm = Slurm::new(folder.job_name()?);
    folder.mark_cancelled()?;
    let Queue { running, waiting } = slurm.queue()?;
    slurm.cancel()?;
    wait_until_empty(&slurm);
    Ok(running + waiting)
}

fn wait_until_empty(slurm: &Slurm) {
    let since = Instant::now();
    while since.elapsed() < CANCEL_TIME {
        if slurm.queue().is_ok_and(Queue::is_empty) {
            return;
        }
        std::thread::sleep(FIRST_POLL);
    }
}

/// How a campaign ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    Complete,
    Cancelled,
    JobsGoOn,
}

struct ClusterCampaign<'a> {
    plan: &'a Plan,
    origin: &'a Origin,
    options: &'a SlurmOptions,
    limits: Vec<String>,
    slurm: Slurm,
    folder: CampaignFolder,
    store: Store,
    collector: Collector,
    /// All runs, and those that were recorded before anything was collected.
    total: usize,
    before: usize,
    control: &'a dyn Fn() -> Control,
    observer: Observer<'a>,
}

/// The arrays of a round that are not submitted yet.
struct Submission {
    round: RoundFolder,
    next: usize,
    tasks: usize,
    runs: usize,
    array_size: usize,
}

impl ClusterCampaign<'_> {
    /// Makes rounds until nothing is missing. Also returns what was planned at the beginning.
    fn go_on(&mut self, registered: &Registered) -> Result<(Ended, Planned), SlurmError> {
        let mut missing = MissingRuns::new(self.plan, registered, &mut self.store)?;
        let first = missing.planned;
        (self.total, self.before) = (first.runs, first.recorded);
        (self.observer)(SlurmEvent::Campaign(Event::Planned(first)));
        // What an earlier process submitted comes first; its jobs may still run.
        let old = self.folder.rounds()?;
        let mut number = old.last().and_then(number_of).unwrap_or(0);
        if !old.is_empty() {
            if self.options.detach && !self.slurm.queue()?.is_empty() {
                self.collect(&old, None)?;
                return Ok((Ended::JobsGoOn, first));
            }
            if let Some(ended) = self.wait(&old, None)? {
                return Ok((ended, first));
            }
            old.iter().try_for_each(RoundFolder::remove)?;
        }
        let mut stalled = 0;
        loop {
            missing.look_again(self.plan, &self.store)?;
            if missing.runs.is_empty() {
                return Ok((Ended::Complete, first));
            }
            number += 1;
            let mut submission = self.prepare(&missing, number, stalled > 0)?;
            self.submit_next(&mut submission)?;
            if self.options.detach {
                while submission.next < submission.tasks && self.submit_next(&mut submission)? {}
                return Ok((Ended::JobsGoOn, first));
            }
            let round = submission.round.clone();
            let before = self.collector.added;
            if let Some(ended) = self.wait(std::slice::from_ref(&round), Some(submission))? {
                return Ok((ended, first));
            }
            let endings = self.slurm.endings(&round.jobs());
            if endings.contains_key("CANCELLED") {
                let text = "jobs were cancelled from outside; the same command resumes";
                (self.observer)(SlurmEvent::Warning(text.to_owned()));
                return Ok((Ended::Cancelled, first));
            }
            self.report_endings(&endings);
            if self.collector.added == before {
                stalled += 1;
                if stalled == 2 {
                    let log = round.last_log();
                    let missing = missing.runs.len();
                    return Err(SlurmError::NoProgress { missing, log });
                }
            } else {
                stalled = 0;
            }
            round.remove()?;
        }
    }

    /// Writes a round.
    fn prepare(
        &self,
        missing: &MissingRuns,
        number: u64,
        careful: bool,
    ) -> Result<Submission, SlurmError> {
        let experiment = &self.plan.experiment;
        let runs = missing.runs.len();
        let per_task = match careful {
            // If one run ends its task each time, the others are not to wait behind it.
            true => runs.div_ceil(CAREFUL_TASKS),
            false => {
                pack::runs_per_task(experiment.cpu_limit, self.options.task_time, self.plan.jobs)
            }
        };
        let tasks = pack::tasks(runs, per_task);
        let round = self.folder.next_round(number)?;
        let mut needed: Vec<InstanceId> =
            missing.runs.iter().map(|run| missing.instances[run.instance].id).collect();
        needed.sort_unstable();
        needed.dedup();
        self.store.publish_instances(&needed, &round.instances())?;
        let now = SystemTime::now();
        let unique = now.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
        let configurations = self.plan.configurations.iter();
        let description = Round {
            luthier_version: self.origin.version.clone(),
            campaign: format!("{}-{unique}", self.folder.job_name()?),
            started_ms: Timestamp::of(now).0,
            command_line: self.origin.command_line.clone(),
            experiment: experiment.to_toml(),
            configurations: configurations
                .map(|one| one.configuration.identity().to_string())
                .collect(),
            jobs: self.plan.jobs,
            runs,
            tasks,
        };
        // Instances are in the round, so that no node needs their files.
        let without_sets =
            Experiment { sets: Vec::new(), database: None, shard: None, ..experiment.clone() };
        let listed = missing.runs.iter().map(|run| RoundRun {
            configuration: run.configuration,
            instance: missing.instances[run.instance].id,
            repetition: run.repetition,
        });
        round.write(&description, &without_sets.to_toml(), listed, &self.origin.luthier)?;
        Ok(Submission { round, next: 0, tasks, runs, array_size: self.slurm.max_array_size() })
    }

    /// Submits the next array. A cluster may limit how many jobs a user has: if it refuses one after
    /// the first, it is asked again when fewer are left. Returns whether it was accepted.
    fn submit_next(&mut self, submission: &mut Submission) -> Result<bool, SlurmError> {
        let Submission { round, next, tasks, runs, array_size } = submission;
        let count = (*tasks - *next).min(*array_size);
        let script = round.script();
        let logs = round.logs();
        let array = JobArray {
            script: &script,
            logs: &logs,
            first: *next,
            tasks: count,
            options: &self.limits,
        };
        let job = match self.slurm.submit(&array) {
            Ok(job) => job,
            Err(SlurmError::Refused { .. }) if *next > 0 => return Ok(false),
            Err(error) => {
                if *next == 0 {
                    round.remove()?;
                }
                return Err(error);
            }
        };
        round.add_job(&job)?;
        let start = |task| pack::range(task, *tasks, *runs).start;
        let runs = start(*next + count) - start(*next);
        (self.observer)(SlurmEvent::Submitted { job: &job, tasks: count, runs });
        *next += count;
        Ok(true)
    }

    /// Waits until no job is left and everything is collected; or says how the campaign ends before.
    fn wait(
        &mut self,
        rounds: &[RoundFolder],
        mut submission: Option<Submission>,
    ) -> Result<Option<Ended>, SlurmError> {
        let mut poll = FIRST_POLL;
        let mut unanswered = false;
        loop {
            match self.control_now() {
                Control::Continue => {}
                Control::Leave => return Ok(Some(Ended::JobsGoOn)),
                Control::Cancel => {
                    self.slurm.cancel()?;
                    wait_until_empty(&self.slurm);
                    self.collect(rounds, None)?;
                    return Ok(Some(Ended::Cancelled));
                }
            }
            // Asked before collecting: a task publishes before it ends.
            let queue = match self.slurm.queue() {
                Ok(queue) => {
                    unanswered = false;
                    Some(queue)
                }
                Err(SlurmError::Refused { program, message }) => {
                    if !unanswered {
                        let text = format!("{program} failed: {message}; waiting");
                        (self.observer)(SlurmEvent::Warning(text));
                    }
                    unanswered = true;
                    None
                }
                Err(error) => return Err(error),
            };
            if let Some(submission) = &mut submission
                && submission.next < submission.tasks
                && queue.is_some_and(|queue| 2 * queue.waiting < submission.array_size)
                && self.submit_next(submission)?
            {
                continue;
            }
            if queue.is_some_and(Queue::is_empty) {
                self.collect(rounds, None)?;
                self.report(Queue::default());
                return Ok(self.folder.is_cancelled().then_some(Ended::Cancelled));
            }
            self.collect(rounds, Some(poll / MERGE_SHARE))?;
            if let Some(queue) = queue {
                self.report(queue);
            }
            let since = Instant::now();
            while since.elapsed() < poll && self.control_now() == Control::Continue {
                std::thread::sleep(TICK);
            }
            poll = poll.mul_f64(1.3).min(LONGEST_POLL);
        }
    }

    fn control_now(&self) -> Control {
        (self.control)()
    }

    fn collect(
        &mut self,
        rounds: &[RoundFolder],
        time: Option<Duration>,
    ) -> Result<(), SlurmError> {
        self.collector.collect(rounds, time, &mut self.store, self.observer)?;
        Ok(())
    }

    fn report(&mut self, queue: Queue) {
        let Queue { running, waiting } = queue;
        let done = (self.before + self.collector.added).min(self.total);
        let progress = Progress { done, total: self.total, running, waiting };
        (self.observer)(SlurmEvent::Progress(progress));
    }

    /// Says which tasks did not end as they should.
    fn report_endings(&mut self, endings: &std::collections::BTreeMap<String, usize>) {
        let bad = endings.iter().filter(|(state, _)| *state != "COMPLETED");
        let bad: Vec<String> = bad.map(|(state, count)| format!("{count} {state}")).collect();
        if !bad.is_empty() {
            let text = format!("tasks that did not complete: {}", bad.join(", "));
            (self.observer)(SlurmEvent::Warning(text));
        }
    }
}

fn number_of(round: &RoundFolder) -> Option<u64> {
    round.path().file_name()?.to_str()?.rsplit('-').next()?.parse().ok()
}
