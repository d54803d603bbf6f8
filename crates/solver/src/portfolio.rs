//! The portfolio: all engines of the strategy on one problem; the first verdict that passes the
//! check is the answer.
//!
//! Rewriting first, then the two threads of the strategy ([`crate::strategy`]). A model counts only
//! if the referee evaluates every assertion, as it was given, to true. If one evaluates to false,
//! the model is invalid: a bug of the engine, which is recorded as a mistake, and the other engines
//! go on. If the referee cannot decide one (division by zero, a quantifier, a value beyond its
//! limits), there is no bug, but the verdict does not count either.
//!
//! Engines run on threads of their own, which are waited for only as long as the budget lasts: an
//! engine that does not check its budget is abandoned with its cancellation flag set.

use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use luthier_semantics::{Evaluation, Evaluator, Model, Reason};

use crate::arithmetic::Backend;
use crate::flat::NotSubstring;
use crate::oversize;
use crate::preprocessing::Preprocessed;
use crate::rewrite::{self, Counts, skolemised};
use crate::strategy::{self, Entry, Scope, Thread};
use crate::{
    Budget, Cancel, ComponentPortfolio, Engine, EngineReport, Limit, Limits, Problem, Proof,
    UnknownReason, Verdict,
};

/// How long the other engines are waited for once there is an answer.
const GRACE: Duration = Duration::from_millis(200);

/// How long the thread for models is alone if its first engine does not end before: easy queries
/// are answered by then, without an arithmetic solver.
const HEAD_START: Duration = Duration::from_millis(2);

/// How long reports of engines are waited for once the time is over.
const REPORT_GRACE: Duration = Duration::from_millis(20);

/// How long one wait for a message takes before the budget is checked.
const POLL: Duration = Duration::from_millis(5);

/// The solver: which engines there are and what they need.
#[derive(Clone, Debug, Default)]
pub struct Portfolio {
    /// The arithmetic solver. Without one, only rewriting and search are tried.
    pub backend: Option<Backend>,
    /// The seed of the local search.
    pub seed: u64,
    /// How the flat engine encodes not-substring.
    pub not_substring: NotSubstring,
    /// The limits of all engines.
    pub limits: Limits,
}

/// The answer to a problem and how it was found.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The answer. A model gives every declared constant of the problem a value.
    pub verdict: Verdict,
    /// A report on each engine.
    pub engines: Vec<EngineReport>,
    /// How often each rule of the rewriter was applied.
    pub rules: Counts,
    /// How many distinct assertions were left after rewriting.
    pub assertions_left: usize,
    /// Engines with an invalid model: the referee evaluates an assertion to false.
    pub mistakes: Vec<String>,
    /// The limits that were hit, as far as engines note it.
    pub limits_hit: Vec<Limit>,
}

/// An engine in the sequence of a thread.
struct Stage {
    /// Its entry in the strategy; `None` for the component portfolio, which has the whole budget.
    entry: Option<&'static Entry>,
    engine: Box<dyn Engine>,
}

impl Stage {
    fn budget(&self, budget: &Budget) -> Budget {
        self.entry.map_or_else(|| budget.clone(), |entry| entry.slice(budget))
    }
}

impl Portfolio {
    /// Decides a problem within a budget and the limits of the portfolio.
    pub fn solve(&self, problem: &Problem, budget: &Budget) -> Solution {
        let limits = Arc::new(self.limits.clone());
        let mut solution = self.solve_within(problem, &budget.within(Arc::clone(&limits)));
        solution.limits_hit = limits.hits();
        solution
    }

    fn solve_within(&self, problem: &Problem, budget: &Budget) -> Solution {
        let start = Instant::now();
        // After Skolemisation the referee can evaluate existential formulas without enumerating
        // infinitely many values. A model of the result is one of the problem as it was given.
        let problem = &skolemised(problem);
        // Rewriting beyond its share would take time from the engines.
        let slice = strategy::engine(rewrite::NAME).map(|entry| entry.slice(budget));
        let simplified = Preprocessed::new(problem, || slice.as_ref().unwrap_or(budget).clone());
        let mut solution = Solution {
            verdict: Verdict::Unknown(UnknownReason::Incomplete("nothing was tried".to_owned())),
            engines: Vec::new(),
            rules: simplified.counts(),
            assertions_left: simplified.problem().assertions.len(),
            mistakes: Vec::new(),
            limits_hit: Vec::new(),
        };
        let mut open = Vec::new();
        if let Some(argument) = simplified.contradiction() {
            let proof = Proof { engine: rewrite::NAME, argument: argument.to_owned() };
            solution.report(rewrite::NAME, "unsat".to_owned(), start.elapsed());
            solution.verdict = Verdict::Unsat(proof);
            return solution;
        }
        solution.report(rewrite::NAME, "simplified".to_owned(), start.elapsed());
        if simplified.problem().assertions.is_empty() {
            // No assertion is left, so any values are a model.
            let found = Verdict::Sat(Model::new());
            match solution.check(rewrite::NAME, found, problem, &simplified, budget) {
                Ok(verdict) => {
                    solution.verdict = verdict;
                    return solution;
                }
                Err(reason) => open.push(reason),
            }
        }
        self.run_threads(problem, &simplified, budget, &mut solution, open);
        solution
    }

    /// The engines of a thread in their order; those for components as one.
    fn stages(&self, thread: Thread) -> Vec<Stage> {
        let mut stages: Vec<Stage> = Vec::new();
        for entry in strategy::on_thread(thread) {
            if entry.scope == Scope::Whole {
                let engine = entry.build(self);
                stages.extend(engine.map(|engine| Stage { entry: Some(entry), engine }));
            } else if stages.iter().all(|stage| stage.entry.is_some()) {
                let components = ComponentPortfolio::new(self);
                if !components.is_empty() {
                    stages.push(Stage { entry: None, engine: Box::new(components) });
                }
            }
        }
        stages
    }

    /// The fast ones among the engines of the model thread that prove unsatisfiability, for problems
    /// whose models are too large.
    fn stages_for_proofs(&self) -> Vec<Stage> {
        let components = ComponentPortfolio::new(self).without_each();
        match components.is_empty() {
            true => Vec::new(),
            false => vec![Stage { entry: None, engine: Box::new(components) }],
        }
    }

    fn run_threads(
        &self,
        problem: &Problem,
        simplified: &Preprocessed,
        budget: &Budget,
        solution: &mut Solution,
        mut open: Vec<UnknownReason>,
    ) {
        let all_done = Cancel::new();
        let common = budget.also_cancelled_by(&all_done);
        let (sender, answers) = mpsc::channel();
        let shared = Arc::new(simplified.problem().clone());
        let start_thread = |stages: Vec<Stage>, sender: mpsc::Sender<Message>| {
            let common = common.clone();
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || {
                for stage in stages {
                    // The receiver is gone when another engine has answered.
                    let mut report = |report| drop(sender.send(Message::Report(report)));
                    let (engine, budget) = (&stage.engine, stage.budget(&common));
                    let verdict = engine.run_with_reports(&shared, &budget, &mut report);
                    let _ = sender.send(Message::Verdict(engine.name(), verdict));
                }
            });
        };
        let too_long = oversize::least_length(&shared, budget).map(|length| {
            let reason = format!("every model has a string of at least {length} letters");
            UnknownReason::Incomplete(reason)
        });
        let stages = match too_long {
            Some(_) => self.stages_for_proofs(),
            None => self.stages(Thread::Models),
        };
        start_thread(stages, sender.clone());
        // The sender of the second thread, until it is started.
        let mut second = Some(sender);
        loop {
            let message = answers.recv_timeout(if second.is_some() { HEAD_START } else { POLL });
            let is_head_start_over =
                matches!(message, Err(_) | Ok(Message::Verdict(_, Verdict::Unknown(_))));
            if is_head_start_over && let Some(sender) = second.take() {
                start_thread(self.stages(Thread::Proofs), sender);
            }
            let message = match message {
                Ok(message) => message,
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) if budget.check().is_ok() => continue,
                Err(RecvTimeoutError::Timeout) => {
                    all_done.cancel();
                    solution.collect_reports(&answers, REPORT_GRACE);
                    break;
                }
            };
            let (engine, verdict) = match message {
                Message::Report(report) => {
                    solution.engines.push(report);
                    continue;
                }
                Message::Verdict(_, Verdict::Unknown(reason)) => {
                    open.push(reason);
                    continue;
                }
                Message::Verdict(engine, verdict) => (engine, verdict),
            };
            match solution.check(engine, verdict, problem, simplified, budget) {
                Ok(verdict) => {
                    solution.verdict = verdict;
                    all_done.cancel();
                    // Engines that wait for the arithmetic solver end at once; others are not
                    // waited for beyond this: they end when they check their budget.
                    solution.collect_reports(&answers, GRACE);
                    return;
                }
                Err(reason) => open.push(reason),
            }
        }
        let reason = match (too_long, budget.check()) {
            (Some(too_long), Ok(())) => too_long,
            _ => self.reason(&open, budget),
        };
        solution.verdict = Verdict::Unknown(reason);
    }

    /// The reason for `unknown`, chosen from those of all engines.
    fn reason(&self, open: &[UnknownReason], budget: &Budget) -> UnknownReason {
        // That the referee cannot decide a model is more informative than a timeout.
        let undecided = open.iter().find(|reason| matches!(reason, UnknownReason::Undecided(_)));
        match (budget.check(), undecided) {
            (Ok(()) | Err(UnknownReason::Timeout), Some(undecided)) => return undecided.clone(),
            (Err(reason), _) => return reason,
            (Ok(()), None) => {}
        }
        if self.backend.is_none() {
            return UnknownReason::NoBackend;
        }
        let reason = open.iter().find(|reason| matches!(reason, UnknownReason::Failed(_)));
        // `unsupported` by one engine is the least informative reason if another one has tried.
        let tried =
            || open.iter().rev().find(|reason| !matches!(reason, UnknownReason::Unsupported(_)));
        let reason = reason.or_else(tried).or_else(|| open.first());
        reason
            .cloned()
            .unwrap_or_else(|| UnknownReason::Incomplete("no engine has an answer".to_owned()))
    }
}

/// What a thread sends while it runs its engines.
enum Message {
    Report(EngineReport),
    Verdict(&'static str, Verdict),
}

impl Solution {
    fn report(&mut self, engine: &'static str, outcome: String, time: Duration) {
        self.engines.push(EngineReport { engine, outcome, time });
    }

    /// Collects reports that still arrive within some time.
    fn collect_reports(&mut self, answers: &mpsc::Receiver<Message>, grace: Duration) {
        let start = Instant::now();
        while let Some(left) = grace.checked_sub(start.elapsed())
            && let Ok(message) = answers.recv_timeout(left)
        {
            if let Message::Report(report) = message {
                self.engines.push(report);
            }
        }
    }

    /// The verdict of an engine if it passes the check: a model must satisfy the problem as it was
    /// given.
    fn check(
        &mut self,
        engine: &'static str,
        verdict: Verdict,
        problem: &Problem,
        simplified: &Preprocessed,
        budget: &Budget,
    ) -> Result<Verdict, UnknownReason> {
        let Verdict::Sat(mut model) = verdict else { return Ok(verdict) };
        let cause = simplified.complete_within(&mut model, budget)?;
        let mut evaluator =
            Evaluator::with_limits(&problem.pool, &model, budget.evaluation_limits());
        let mut undecided = None;
        for (position, &assertion) in problem.assertions.iter().enumerate() {
            budget.check()?;
            let number = position + 1;
            match evaluator.evaluate(assertion) {
                evaluation if evaluation.is_true() => {}
                Evaluation::Undecided(reasons) => {
                    // Another assertion may still be false, which makes the model invalid.
                    let reason = cause.or(reasons.as_slice().first().copied());
                    let reason = reason.map_or("", describe);
                    undecided.get_or_insert_with(|| {
                        format!("{reason} in assertion {number}, under the model of {engine}")
                    });
                }
                Evaluation::Known(_) if simplified.is_implied_only() => {
                    return Err(UnknownReason::Incomplete(
                        "a model of instances of quantified formulas is none of the formulas"
                            .to_owned(),
                    ));
                }
                Evaluation::Known(_) => {
                    let mistake = format!("{engine}: assertion {number} evaluates to false");
                    self.mistakes.push(mistake);
                    return Err(UnknownReason::Incomplete(format!(
                        "the model of {engine} is invalid"
                    )));
                }
            }
        }
        match undecided {
            Some(undecided) => Err(UnknownReason::Undecided(undecided)),
            None => Ok(Verdict::Sat(model)),
        }
    }
}

/// The reason why the referee is undecided, in a few words.
fn describe(reason: Reason) -> &'static str {
    match reason {
        Reason::MissingValue(_) => "a function without a value",
        Reason::UnfitInterpretation(_) => "a value of another sort",
        Reason::UnboundVariable(_) => "an unbound variable",
        Reason::DivisionByZero(_) | Reason::ModuloByZero(_) => "division by zero",
        Reason::Quantifier(_) => "a quantifier over infinitely many values",
        Reason::RecursionLimit(_) => "a recursive function that does not end within the limit",
        Reason::LanguageComparison(_) => "a comparison of languages beyond the limit",
        Reason::RegexLimit(_) => "matching beyond the limit",
        Reason::SizeLimit(_) => "a value beyond the limit of size",
        _ => "an evaluation beyond the limit of steps",
    }
}
