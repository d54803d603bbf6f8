//! The work on failures: distributed over processor cores, in any order, with the same result.
//!
//! Every failure is examined by itself, with one solver process at a time, so that nothing depends on the
//! number of jobs but the time.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use luthier_ask::{ConfigurationSpec, Solver};
use luthier_records::FindingKind;
use luthier_runner::releases::{ReleaseName, Releases};
use luthier_terms::Op;
use luthier_triage::bisect::Mark;
use luthier_triage::cluster::{
    Application, Cause, Examined, Failure as Failing, Member, Minimal, Profiles, examine, profile,
};
use luthier_triage::{Settings, Trial, Truth, observe, stated_truth};

use super::input::Failure;
use super::record::{Smallest, Unexamined};
use crate::commands::bisect::{mark, versions_of};
use crate::commands::triage::{ProcessOptions, Workplace, find_solver};
use crate::error::CliError;
use crate::output::Output;
use crate::status_line::{Status, StatusLine, clock, fit};

/// How long things may take.
#[derive(Clone, Copy)]
pub struct Times {
    /// When everything must be over.
    pub deadline: Option<Instant>,
    /// For the reduction of one failure.
    pub reduction: Duration,
}

/// Failures and what is needed to examine them.
pub struct Work<'a> {
    failures: &'a [Failure],
    workplace: &'a Workplace,
    releases: &'a Releases,
    times: Times,
    /// By the names in failures.
    solvers: BTreeMap<String, Solver>,
}

impl<'a> Work<'a> {
    pub fn new(
        failures: &'a [Failure],
        workplace: &'a Workplace,
        releases: &'a Releases,
        times: Times,
    ) -> Self {
        Self { failures, workplace, releases, times, solvers: BTreeMap::new() }
    }

    /// Finds the solvers that the failures name; `instead` stands for all of them.
    pub fn find_solvers(
        &mut self,
        instead: Option<&str>,
        options: &ProcessOptions,
        output: &mut Output,
    ) -> Result<(), CliError> {
        for failure in self.failures {
            if !self.solvers.contains_key(&failure.solver) {
                let name = instead.unwrap_or(&failure.solver);
                let solver = find_solver(name, options, self.releases, output)?;
                self.solvers.insert(failure.solver.clone(), solver);
            }
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.workplace.stop.load(Ordering::Relaxed)
            || self.times.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn jobs(&self, solver: &Solver) -> usize {
        self.workplace.trial(solver).jobs
    }

    /// The time for a reduction that begins now.
    fn time(&self) -> Duration {
        let left = self.times.deadline.map(|end| end.saturating_duration_since(Instant::now()));
        left.map_or(self.times.reduction, |left| left.min(self.times.reduction))
    }

    /// Examines all failures: which ones, what was found out about them, and those that are left.
    pub fn examine(&self) -> (Vec<usize>, Vec<Member>, Vec<Unexamined>) {
        let line = StatusLine::new(ClusterStatus {
            started: Instant::now(),
            done: 0,
            total: self.failures.len(),
        });
        let examined = self.in_parallel(self.failures.len(), |place| {
            let result = self.examine_one(&self.failures[place]);
            line.update(|status| status.done += 1);
            result
        });
        let (mut places, mut members, mut unexamined) = (Vec::new(), Vec::new(), Vec::new());
        for (place, result) in examined.into_iter().enumerate() {
            let failure = &self.failures[place];
            let family = || {
                let solver = &self.solvers[&failure.solver];
                solver.release.description.family().to_owned()
            };
            match result {
                Ok(examined) => {
                    places.push(place);
                    members.push(Member {
                        family: family(),
                        solver: failure.solver.clone(),
                        kind: failure.kind,
                        examined,
                        releases: Vec::new(),
                    });
                }
                Err(reason) => unexamined.push(Unexamined { file: failure.name.clone(), reason }),
            }
        }
        (places, members, unexamined)
    }

    /// Computes something for each number below `count` on all cores; the results are in order.
    fn in_parallel<T: Send>(&self, count: usize, compute: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let next = AtomicUsize::new(0);
        let results: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::with_capacity(count));
        let jobs = self.solvers.values().next().map_or(1, |solver| self.jobs(solver));
        std::thread::scope(|scope| {
            for _ in 0..jobs.min(count) {
                scope.spawn(|| {
                    loop {
                        let place = next.fetch_add(1, Ordering::Relaxed);
                        if place >= count {
                            return;
                        }
                        let result = compute(place);
                        let mut all = results.lock().unwrap_or_else(PoisonError::into_inner);
                        all.push((place, result));
                    }
                });
            }
        });
        let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.sort_by_key(|(place, _)| *place);
        results.into_iter().map(|(_, result)| result).collect()
    }

    fn examine_one(&self, failure: &Failure) -> Result<Examined, String> {
        if self.is_over() {
            return Err("stopped before it was examined".to_owned());
        }
        let mut formula = failure.formula().map_err(|error| error.to_string())?;
        let truth = match formula.truth {
            Truth::Open => stated_truth(&mut formula.pool, &formula.script),
            known => known,
        };
        let failing = Failing {
            pool: formula.pool,
            script: formula.script,
            truth,
            kind: failure.kind,
            is_reduced: formula.is_reduced,
        };
        let solver = &self.solvers[&failure.solver];
        let trial = Trial { jobs: 1, ..self.workplace.trial(solver) };
        let settings =
            Settings { trial, provers: &self.workplace.provers, time: Some(self.time()) };
        let examined = examine(failing, &settings).map_err(|error| error.to_string())?;
        let is_located = matches!(examined.cause, Cause::Evaluation(_));
        if !is_located && !examined.minimal.is_reduced && self.is_over() {
            return Err("stopped before it was minimal".to_owned());
        }
        Ok(examined)
    }

    /// Asks each solver about the operators that it evaluates wrongly.
    pub fn profiles(&self, wrong: &BTreeMap<(String, Op), Vec<&Application>>) -> Profiles {
        let asked: Vec<(&(String, Op), &Vec<&Application>)> = wrong.iter().collect();
        let profiles = self.in_parallel(asked.len(), |place| {
            let ((solver, op), applications) = asked[place];
            let trial = Trial { jobs: 1, ..self.workplace.trial(&self.solvers[solver]) };
            profile(*op, applications, &trial)
        });
        let names = asked.into_iter().map(|(name, _)| name.clone());
        names.zip(profiles).collect()
    }

    /// Observes the installed releases of each member's solver on its minimal formula.
    pub fn observe_releases(&self, members: &mut [Member]) -> Result<(), CliError> {
        let mut of_solver: BTreeMap<String, Vec<(String, Solver)>> = BTreeMap::new();
        for (name, solver) in &self.solvers {
            of_solver.insert(name.clone(), self.installed(solver)?);
        }
        let members: Vec<Mutex<&mut Member>> = members.iter_mut().map(Mutex::new).collect();
        self.in_parallel(members.len(), |place| {
            let mut member = members[place].lock().unwrap_or_else(PoisonError::into_inner);
            let Member { solver, examined, releases, .. } = &mut **member;
            let Minimal { pool, script, truth, kind, .. } = &mut examined.minimal;
            for (version, release) in of_solver.get(solver).into_iter().flatten() {
                // An observation asks for no cores.
                let seen = match self.is_over() || *kind == FindingKind::InvalidCore {
                    true => None,
                    false => observe(pool, script, truth, &self.workplace.trial(release)),
                };
                let mark = seen.map_or(Mark::Neither, |seen| mark(&seen, Some(*kind), truth));
                releases.push((version.clone(), mark));
            }
        });
        Ok(())
    }

    /// The installed releases of a solver with the same options, oldest first; none for a program that
    /// is no release.
    fn installed(&self, solver: &Solver) -> Result<Vec<(String, Solver)>, CliError> {
        let spec = ConfigurationSpec::parse(&solver.name).map_err(CliError::usage)?;
        let ReleaseName::Cached { solver: name, .. } = spec.configuration_name()?.release else {
            return Ok(Vec::new());
        };
        let sets: String = solver.option_sets.iter().map(|set| format!("+{set}")).collect();
        let mut found = Vec::new();
        for version in versions_of(&name, true, self.releases)? {
            let solver = format!("{name}@{version}{sets}");
            let spec = ConfigurationSpec { solver, ..spec.clone() };
            // A release without these option sets is not comparable.
            if let Ok(solver) = Solver::find(&spec, None, self.releases) {
                found.push((version.to_string(), solver));
            }
        }
        Ok(found)
    }

    /// The smallest formula of a cluster, from its smallest member.
    pub fn smallest(&self, member: &mut Member) -> Smallest {
        let solver = &self.solvers[&member.solver];
        let trial = self.workplace.trial(solver);
        if !self.is_over() {
            let settings =
                Settings { trial, provers: &self.workplace.provers, time: Some(self.time()) };
            member.examined.minimal.reduce_further(&settings);
        }
        let minimal = &mut member.examined.minimal;
        let shown = minimal.shown(&trial).unwrap_or_default();
        Smallest::new(minimal, &solver.name, shown)
    }
}

/// The status line: time and failures.
struct ClusterStatus {
    started: Instant,
    done: usize,
    total: usize,
}

impl Status for ClusterStatus {
    fn line(&self, now: Instant, width: usize) -> String {
        let elapsed = now.saturating_duration_since(self.started);
        let parts = [
            clock(elapsed.as_secs_f64()),
            format!("{} of {} failures examined", self.done, self.total),
        ];
        fit(&parts, width)
    }
}
