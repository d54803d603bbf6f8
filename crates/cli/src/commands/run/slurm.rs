//! `luthier run --on slurm`: an experiment as job arrays, with progress on the terminal.
//!
//! Ctrl-C (and SIGTERM) cancels the jobs and keeps what they have made; a terminal that is closed
//! (SIGHUP) leaves them to go on, and the same command takes over.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use luthier_campaign::{Event, Experiment, Plan};
use luthier_runner::releases::Releases;
use luthier_slurm::{Control, Origin, SlurmEvent, SlurmOptions};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use super::labels::LabelUses;
use super::{MAX_SHOWN, Ran, command_line, forget_errors, stop_on};
use crate::error::CliError;
use crate::output::Output;
use crate::status_line::{Status, StatusLine, bar, clock, fit, rate};
use crate::text::{clean_name, counted};

/// Runs an experiment on a cluster.
pub fn run(
    experiment: Experiment,
    releases: &Releases,
    options: &SlurmOptions,
    retry_errors: bool,
    output: &Output,
) -> Result<Ran, CliError> {
    let database = experiment.database.clone().unwrap_or_else(|| "luthier.db".into());
    // A task has the processors that its runs need, by default one.
    let jobs = experiment.jobs.or(Some(1));
    let plan = Plan::new(Experiment { jobs, ..experiment }, releases)?;
    if retry_errors && database.exists() {
        forget_errors(&plan, &database)?;
    }
    let origin = Origin {
        luthier: releases.luthier.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        command_line: command_line(),
    };
    let (cancel, leave) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    stop_on(&[SIGINT, SIGTERM], &cancel);
    stop_on(&[SIGHUP], &leave);
    let control = || match (cancel.load(Ordering::Relaxed), leave.load(Ordering::Relaxed)) {
        (true, _) => Control::Cancel,
        (false, true) => Control::Leave,
        (false, false) => Control::Continue,
    };
    let line = StatusLine::new(ClusterStatus::new());
    let mut labels = LabelUses::default();
    let mut remarks = 0;
    let mut observer = |event: SlurmEvent<'_>| match event {
        SlurmEvent::Warning(message) | SlurmEvent::Campaign(Event::Unreadable { message }) => {
            line.pause(|| output.warn(&message));
        }
        SlurmEvent::Campaign(Event::Remark { instance, message }) => {
            remarks += 1;
            if remarks <= MAX_SHOWN {
                line.pause(|| output.warn(&format!("{}:{message}", clean_name(instance))));
            }
        }
        SlurmEvent::Campaign(Event::Labelled(used)) => labels.add(used),
        SlurmEvent::Campaign(Event::Registered(_)) => line.pause(|| labels.print(output)),
        SlurmEvent::Submitted { job, tasks, runs } => {
            let (tasks, runs) = (counted(tasks, "task"), counted(runs, "run"));
            line.pause(|| output.message(format_args!("job {job}: {runs} in {tasks}")));
        }
        event => line.update(|status| status.observe(&event)),
    };
    let outcome = luthier_slurm::run(&plan, &origin, options, &database, &control, &mut observer);
    drop(line);
    let outcome = outcome?;
    if outcome.left_jobs {
        let place = database.display().to_string();
        let database = shell_words::quote(&place);
        output.message(format_args!(
            "jobs go on without us; the same command collects their results, `{} cancel \
             {database}` ends them",
            crate::commands::our_name()
        ));
    }
    Ok(Ran { database, finished: outcome.summary, pages: None, stop: cancel })
}

/// How far a campaign on a cluster is.
struct ClusterStatus {
    started: Instant,
    reading: Option<(String, usize)>,
    done: usize,
    /// Runs that were done when this began.
    before: usize,
    total: usize,
    running: usize,
    waiting: usize,
}

impl ClusterStatus {
    fn new() -> Self {
        let started = Instant::now();
        let reading = Some((String::new(), 0));
        Self { started, reading, done: 0, before: 0, total: 0, running: 0, waiting: 0 }
    }

    fn observe(&mut self, event: &SlurmEvent<'_>) {
        match event {
            SlurmEvent::Campaign(Event::Registering { instances, set }) => {
                self.reading = Some(((*set).to_owned(), *instances));
            }
            SlurmEvent::Campaign(Event::Planned(planned)) => {
                self.reading = None;
                (self.done, self.before) = (planned.recorded, planned.recorded);
                self.total = planned.runs;
                self.started = Instant::now();
            }
            SlurmEvent::Progress(progress) => {
                (self.done, self.total) = (progress.done, progress.total);
                (self.running, self.waiting) = (progress.running, progress.waiting);
            }
            _ => {}
        }
    }
}

impl Status for ClusterStatus {
    fn line(&self, now: Instant, width: usize) -> String {
        let elapsed = now.saturating_duration_since(self.started);
        if let Some((set, instances)) = &self.reading {
            let instances = counted(*instances, "instance");
            return fit(
                &[format!("reading {set}: {instances}"), clock(elapsed.as_secs_f64())],
                width,
            );
        }
        let parts = [
            bar(self.done as f64 / self.total.max(1) as f64, width),
            format!("{} of {} runs", self.done, self.total),
            rate(self.done.saturating_sub(self.before), elapsed),
            format!("{} running, {} waiting", counted(self.running, "task"), self.waiting),
            clock(elapsed.as_secs_f64()),
        ];
        fit(&parts, width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use luthier_campaign::Planned;
    use std::time::Duration;

    #[test]
    fn the_line_has_runs_and_tasks() {
        let mut status = ClusterStatus::new();
        let planned = Planned { runs: 200, recorded: 10, jobs: 1 };
        status.observe(&SlurmEvent::Campaign(Event::Planned(planned)));
        (status.done, status.running, status.waiting) = (50, 3, 7);
        let line = status.line(status.started + Duration::from_secs(20), 120);
        let expected =
            "[#####...............]  25%  50 of 200 runs  2.0/s  3 tasks running, 7 waiting  0:20";
        assert_eq!(line, expected);
    }
}
