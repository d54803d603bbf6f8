//! The status line of a campaign: share done, rate, time left, findings so far, and the run that
//! has taken longest of those under way.
//!
//! Findings are those that a run shows by itself: verdicts against planted answers, invalid models
//! and cores, crashes. Evidence that needs other runs is weighed at the end.

use std::time::Instant;

use luthier_campaign::Event;
use luthier_records::{Class, CoreOutcome, ModelOutcome, Run};

use crate::status_line::{Status, bar, clock, fit, rate};
use crate::text::counted;

/// How far a campaign has come.
pub struct RunStatus {
    started: Instant,
    stage: Stage,
    found: Found,
    /// The runs under way, the oldest first.
    running: Vec<Running>,
}

enum Stage {
    Reading { set: String, instances: usize },
    Running { since: Instant, before: usize, done: usize, total: usize },
}

#[derive(Default)]
struct Found {
    wrong: usize,
    invalid_models: usize,
    invalid_cores: usize,
    crashes: usize,
}

struct Running {
    configuration: String,
    instance: String,
    since: Instant,
}

impl RunStatus {
    /// Nothing has happened yet.
    pub fn new() -> Self {
        Self {
            started: Instant::now(),
            stage: Stage::Reading { set: String::new(), instances: 0 },
            found: Found::default(),
            running: Vec::new(),
        }
    }

    /// Takes an event into account.
    pub fn observe(&mut self, event: &Event<'_>) {
        match event {
            Event::Registering { instances, set } => {
                let instances = *instances;
                match &mut self.stage {
                    Stage::Reading { set: name, instances: count } => {
                        (**set).clone_into(name);
                        *count = instances;
                    }
                    Stage::Running { .. } => {}
                }
            }
            Event::Planned(planned) => {
                let (before, total) = (planned.recorded, planned.runs);
                self.stage = Stage::Running { since: Instant::now(), before, done: before, total };
            }
            Event::Started { configuration, instance } => self.running.push(Running {
                configuration: (*configuration).to_owned(),
                instance: (*instance).to_owned(),
                since: Instant::now(),
            }),
            Event::Finished { configuration, instance, run, wrong, done: now, .. } => {
                let is_it = |one: &Running| {
                    one.configuration == *configuration && one.instance == *instance
                };
                if let Some(position) = self.running.iter().position(is_it) {
                    self.running.remove(position);
                }
                self.found.add(run, *wrong);
                if let Stage::Running { done, .. } = &mut self.stage {
                    *done = *now;
                }
            }
            _ => {}
        }
    }
}

impl Status for RunStatus {
    fn line(&self, now: Instant, width: usize) -> String {
        let (since, before, done, total) = match &self.stage {
            Stage::Reading { set, instances } => {
                let instances = counted(*instances, "instance");
                let elapsed = clock((now - self.started).as_secs_f64());
                return fit(&[format!("reading {set}: {instances}"), elapsed], width);
            }
            Stage::Running { since, before, done, total } => (*since, *before, *done, *total),
        };
        let made = done.saturating_sub(before);
        let elapsed = now.saturating_duration_since(since);
        let left = match made {
            0 => String::new(),
            made => {
                let left = total.saturating_sub(done);
                format!("{} left", clock(elapsed.as_secs_f64() / made as f64 * left as f64))
            }
        };
        let mut parts = vec![
            bar(done as f64 / total.max(1) as f64, width),
            format!("{done} of {total} runs"),
            rate(made, elapsed),
            left,
        ];
        parts.extend(self.found.parts());
        if let Some(oldest) = self.running.first() {
            let running = now.saturating_duration_since(oldest.since).as_secs_f64();
            parts.push(format!(
                "{} {} on {}",
                clock(running),
                oldest.configuration,
                oldest.instance
            ));
        }
        fit(&parts, width)
    }
}

impl Found {
    fn add(&mut self, run: &Run, wrong: usize) {
        self.wrong += wrong;
        self.crashes += usize::from(run.class == Class::Crash);
        for answer in &run.answers {
            let model = answer.model.as_ref().map(|model| model.outcome);
            self.invalid_models += usize::from(model == Some(ModelOutcome::Invalid));
            let core = answer.core.as_ref().map(|core| core.outcome);
            self.invalid_cores += usize::from(core == Some(CoreOutcome::Invalid));
        }
    }

    fn parts(&self) -> Vec<String> {
        let counts = [
            (self.wrong, "WRONG"),
            (self.invalid_models, "INVALID MODELS"),
            (self.invalid_cores, "INVALID CORES"),
            (self.crashes, "crashed"),
        ];
        let found = counts.iter().filter(|(count, _)| *count > 0);
        found.map(|(count, what)| format!("{count} {what}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use luthier_campaign::Planned;
    use std::time::Duration;

    fn status(now: Instant) -> RunStatus {
        let mut status = RunStatus::new();
        status.observe(&Event::Planned(Planned { runs: 200, recorded: 10, jobs: 2 }));
        if let Stage::Running { since, done, .. } = &mut status.stage {
            (*since, *done) = (now, 50);
        }
        status
    }

    #[test]
    fn the_line_has_share_rate_time_left_findings_and_the_oldest_run() {
        let now = Instant::now();
        let mut status = status(now);
        status.found = Found { wrong: 1, invalid_models: 2, ..Found::default() };
        for instance in ["a.smt2", "b.smt2"] {
            status.observe(&Event::Started { configuration: "z3", instance });
        }
        status.running.iter_mut().for_each(|running| running.since = now);
        // 40 runs in 20 s; 150 are left.
        let later = now + Duration::from_secs(20);
        let line = status.line(later, 120);
        let expected = "[#####...............]  25%  50 of 200 runs  2.0/s  1:15 left  1 WRONG  \
                        2 INVALID MODELS  0:20 z3 on a.smt2";
        assert_eq!(line, expected);
        let moved = status.line(later + Duration::from_secs(1), 120);
        assert_ne!(moved, expected, "it moves while nothing ends");
        assert!(status.line(later, 50).chars().count() <= 50);
    }

    #[test]
    fn before_the_first_run_ends_no_time_is_estimated() {
        let mut status = RunStatus::new();
        status.observe(&Event::Registering { instances: 7, set: "norn" });
        assert!(status.line(Instant::now(), 80).starts_with("reading norn: 7 instances  0:00"));
        status.observe(&Event::Planned(Planned { runs: 4, recorded: 0, jobs: 2 }));
        let line = status.line(Instant::now(), 80);
        assert_eq!(line, "[..........]   0%  0 of 4 runs  0.0/s");
    }
}
