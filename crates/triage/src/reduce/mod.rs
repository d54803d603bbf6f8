//! Reduction of a failing formula to a minimal one that fails in the same way and has a known answer.
//!
//! Hierarchical delta debugging (Misherghi and Su, "HDD: hierarchical delta debugging", ICSE 2006) on
//! typed terms: commands and assertions first, then subterms from the root down, then constants and
//! literals, until no step helps. Unlike reducers on text, every candidate is well-sorted, legal SMT-LIB,
//! and the ground truth moves with the formula:
//!
//! * A satisfiable formula has a witness. Replacing a term by its own value keeps it; otherwise the
//!   witness is repaired (`witness.rs`), or the candidate is given up.
//! * An unsatisfiable formula stays so if constants are replaced by terms; otherwise the candidate needs
//!   a proof of its own (`prove.rs`). A candidate for which the solver prints a valid model is given up.
//!
//! Candidates of a pass are put to the solver in batches. Of a batch, the cheapest candidate is taken that
//! shows the failure again in a fresh process and whose truth is established. Which candidates form a
//! batch does not depend on the number of processes, so the result does not either.

mod candidate;
mod canonical;
mod constants;
mod literals;
mod structure;
mod terms;
mod test;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use luthier_records::FindingKind;
use luthier_semantics::Model;
use luthier_smtlib::Script;
use luthier_terms::TermPool;
use rustc_hash::FxHashSet;

use crate::Truth;
use crate::prove::Provers;
use crate::query::{nodes, text};
use crate::trial::Trial;
use candidate::{Candidate, Cost};
pub(crate) use test::crash_signature;
pub use test::{CommandTest, Keep};
use test::{Shown, Test};

/// The first candidates of a pass are tried in a small batch, since they are the boldest.
const FIRST_BATCH: usize = 16;
const LARGEST_BATCH: usize = 64;

/// How long the end of the time may go unnoticed.
const WATCH_PAUSE: Duration = Duration::from_millis(20);

/// A pass lists smaller formulas, the most promising first.
type Pass = fn(&mut TermPool, &State) -> Vec<Candidate>;

const PASSES: [Pass; 9] = [
    structure::flatten,
    structure::drop_commands,
    structure::drop_assertions,
    structure::split_assertions,
    terms::replace_subterms,
    constants::fix,
    constants::merge,
    literals::simplify,
    terms::replace_occurrences,
];

/// What to reduce.
#[derive(Clone)]
pub struct Input {
    /// The pool of its terms.
    pub pool: TermPool,
    /// The script; its last query fails.
    pub script: Script,
    /// The answer to that query, as far as it is known.
    pub truth: Truth,
    /// What must stay.
    pub keep: Keep,
}

/// How to reduce.
#[derive(Clone, Copy)]
pub struct Settings<'a> {
    /// The failing solver and its limits.
    pub trial: Trial<'a>,
    /// Who establishes answers.
    pub provers: &'a Provers,
    /// The wall-clock time after which the smallest formula so far is the result.
    pub time: Option<Duration>,
}

/// The present state of a reduction, for an observer.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The nodes of the smallest formula so far.
    pub nodes: u64,
    /// The candidates tried so far.
    pub candidates: u64,
}

/// A reduced formula.
pub struct Reduced {
    /// The pool of its terms.
    pub pool: TermPool,
    /// The script.
    pub script: Script,
    /// Its answer.
    pub truth: Truth,
    /// How it fails; a contradiction whose answer is known is a wrong verdict.
    pub class: Option<FindingKind>,
    /// What the solver says or does, and why that is wrong.
    pub said: String,
    /// Why that is wrong, line by line.
    pub reasons: Vec<String>,
    /// What the solver gets.
    pub copy: Vec<u8>,
    /// The nodes of terms before and after.
    pub nodes: [u64; 2],
    /// How many candidates were tried.
    pub candidates: u64,
    /// The wall-clock time.
    pub elapsed: Duration,
    /// It was stopped before nothing more could be removed.
    pub stopped: bool,
}

/// Why a formula cannot be reduced.
#[derive(Debug, thiserror::Error)]
pub enum ReduceError {
    /// The solver's dialect or commands cannot express it.
    #[error("the dialect or the commands of {0} cannot express the formula")]
    Inexpressible(String),
    /// The failure does not show.
    #[error("{solver} does not fail in this way: {said}")]
    DoesNotFail {
        /// The solver.
        solver: String,
        /// What it says.
        said: String,
    },
    /// A wrong verdict needs a known answer.
    #[error("the answer to the formula is not known, and could not be established")]
    NoTruth,
    /// The command cannot be run.
    #[error("the command cannot be run: {0}")]
    Command(String),
}

/// The formula that is reduced.
pub(crate) struct State {
    pub script: Script,
    pub truth: Truth,
    pub cost: Cost,
    /// Names of assertions matter, since cores are asked for.
    pub keeps_names: bool,
    /// How it fails.
    shown: Shown,
}

impl State {
    fn witness(&self) -> Option<&Model> {
        match &self.truth {
            Truth::Sat(model) => Some(model),
            _ => None,
        }
    }
}

/// A formula that fails, as it is.
#[derive(Clone, Debug)]
pub struct Confirmed {
    /// Its answer.
    pub truth: Truth,
    /// How it fails.
    pub class: Option<FindingKind>,
}

/// Tests whether a formula fails in the way that is to be kept and its answer is known, and changes nothing.
pub fn confirm(input: Input, settings: &Settings<'_>) -> Result<Confirmed, ReduceError> {
    let Input { mut pool, mut script, truth, keep } = input;
    let (test, truth, _) = Test::new(&mut pool, &mut script, truth, &keep, settings)?;
    let class = test.class();
    if keep == Keep::Kind(FindingKind::InvalidModel) && class == Some(FindingKind::WrongSat) {
        let solver = settings.trial.solver.name.clone();
        let said =
            "the formula is unsatisfiable, so its `sat` is wrong, not only its model".to_owned();
        return Err(ReduceError::DoesNotFail { solver, said });
    }
    Ok(Confirmed { truth, class })
}

/// Reduces a formula. `observer` sees every step.
pub fn reduce(
    input: Input,
    settings: &Settings<'_>,
    observer: &mut dyn FnMut(Progress),
) -> Result<Reduced, ReduceError> {
    let deadline = settings.time.map(|time| Instant::now() + time);
    let over = AtomicBool::new(false);
    let (done, is_done) = mpsc::channel();
    thread::scope(|scope| {
        let over = &over;
        scope.spawn(move || set_when_over(over, settings.trial.stop, deadline, &is_done));
        let trial = Trial { stop: over, ..settings.trial };
        let reduced = reduce_until_over(input, &Settings { trial, ..*settings }, observer);
        drop(done);
        reduced
    })
}

/// Sets `over` when a reduction is stopped from outside or its time has passed, so that its running
/// processes end, too; returns when the reduction is done.
fn set_when_over(
    over: &AtomicBool,
    stop: &AtomicBool,
    deadline: Option<Instant>,
    is_done: &mpsc::Receiver<()>,
) {
    while is_done.recv_timeout(WATCH_PAUSE) == Err(RecvTimeoutError::Timeout) {
        if stop.load(Ordering::Relaxed) || deadline.is_some_and(|end| Instant::now() >= end) {
            over.store(true, Ordering::Relaxed);
            return;
        }
    }
}

fn reduce_until_over(
    input: Input,
    settings: &Settings<'_>,
    observer: &mut dyn FnMut(Progress),
) -> Result<Reduced, ReduceError> {
    let started = Instant::now();
    let Input { mut pool, script, truth, keep } = input;
    let mut script = script;
    let (mut test, truth, shown) = Test::new(&mut pool, &mut script, truth, &keep, settings)?;
    test.choose_mode(&mut pool, &script);
    let before = nodes(&pool, &script);
    let cost = Cost::of(&pool, &script);
    let keeps_names = test.keeps_names();
    let state = State { script, truth, cost, keeps_names, shown };
    let mut reducer = Reducer {
        pool,
        state,
        test,
        tried: FxHashSet::default(),
        candidates: 0,
        settings,
        observer,
    };
    reducer.run();
    let stopped = reducer.is_over();
    if !stopped {
        canonical::canonicalise(&mut reducer);
    }
    reducer.finish(before, started, stopped)
}

struct Reducer<'a, 'b> {
    pool: TermPool,
    state: State,
    test: Test<'a>,
    /// The texts of all candidates so far.
    tried: FxHashSet<Vec<u8>>,
    candidates: u64,
    settings: &'a Settings<'a>,
    observer: &'b mut dyn FnMut(Progress),
}

impl Reducer<'_, '_> {
    fn run(&mut self) {
        loop {
            let before = self.state.cost;
            for pass in PASSES {
                while self.run_pass(pass) {}
            }
            if self.state.cost == before || self.is_over() {
                return;
            }
        }
    }

    fn is_over(&self) -> bool {
        self.settings.trial.stop.load(Ordering::Relaxed)
    }

    /// Tries the candidates of a pass; whether one of them became the formula.
    fn run_pass(&mut self, pass: Pass) -> bool {
        if self.is_over() {
            return false;
        }
        let listed = pass(&mut self.pool, &self.state);
        let mut waiting = Vec::new();
        let mut size = FIRST_BATCH;
        for candidate in listed {
            if candidate.cost >= self.state.cost || !self.is_new(&candidate.script) {
                continue;
            }
            waiting.push(candidate);
            if waiting.len() == size {
                if self.try_batch(std::mem::take(&mut waiting)) {
                    return true;
                }
                if self.is_over() {
                    return false;
                }
                size = (size * 2).min(LARGEST_BATCH);
            }
        }
        !waiting.is_empty() && self.try_batch(waiting)
    }

    /// Whether a script was not tried before.
    fn is_new(&mut self, script: &Script) -> bool {
        text(&self.pool, script).is_some_and(|text| self.tried.insert(text))
    }

    /// Tries candidates; whether one of them became the formula.
    fn try_batch(&mut self, mut batch: Vec<Candidate>) -> bool {
        self.candidates += batch.len() as u64;
        batch.sort_by_key(|candidate| candidate.cost);
        let found = self.test.first_failing(&mut self.pool, &self.state, &batch);
        let progress = Progress {
            nodes: found
                .as_ref()
                .map_or(self.state.cost.nodes, |(place, ..)| batch[*place].cost.nodes),
            candidates: self.candidates,
        };
        (self.observer)(progress);
        let Some((place, truth, shown)) = found else { return false };
        let Candidate { script, cost, .. } = batch.swap_remove(place);
        self.state = State { script, truth, cost, keeps_names: self.state.keeps_names, shown };
        true
    }

    fn finish(
        mut self,
        before: u64,
        started: Instant,
        stopped: bool,
    ) -> Result<Reduced, ReduceError> {
        let truth = std::mem::replace(&mut self.state.truth, Truth::Open);
        let truth = match truth {
            // What was not needed for the steps is established for the report.
            Truth::Open if !stopped => {
                let trial = &self.settings.trial;
                let scripts = [&self.state.script];
                let answers = self.settings.provers.answers(&mut self.pool, &scripts, trial);
                answers.into_iter().next().unwrap_or(Truth::Open)
            }
            known => known,
        };
        // If there is no time for that: what was taken over has failed in a process of its own already.
        let shown = match self.test.shown(&mut self.pool, &self.state.script) {
            Ok(shown) => shown,
            Err(_) if self.is_over() => std::mem::take(&mut self.state.shown),
            Err(error) => return Err(error),
        };
        let stopped = self.is_over();
        Ok(Reduced {
            class: self.test.class(),
            said: shown.said,
            reasons: shown.reasons,
            copy: self.test.copy(&mut self.pool, &self.state.script),
            nodes: [before, nodes(&self.pool, &self.state.script)],
            candidates: self.candidates,
            elapsed: started.elapsed(),
            stopped,
            script: self.state.script,
            pool: self.pool,
            truth,
        })
    }
}
