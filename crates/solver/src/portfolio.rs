//! All engines on one problem: the first answer that stands the check is the answer.
//!
//! Rewriting first, then the two lines of the strategy ([`crate::strategy`]), each on a thread. A
//! model counts only if the referee evaluates every assertion, as it was given, to true. If it
//! evaluates one to false, the model is invalid, which is a fault of ours and is kept. If it cannot
//! decide one (division by zero, a quantifier, a value beyond its limits), nothing is at fault, but
//! the answer does not stand either.
//!
//! Engines run on threads of their own, and nobody waits for one longer than the budget lasts: one
//! that does not look at its budget is left behind with its flag raised.

use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use luthier_semantics::{Evaluation, Evaluator, Model, Reason};

use crate::arithmetic::Backend;
use crate::flat::NotSubstring;
use crate::rewrite::{self, Counts, Simplified, simplify, with_witnesses};
use crate::strategy::{self, Entry, Line, Scope};
use crate::{
    Budget, Cancel, Engine, EngineReport, Limit, Limits, Parts, Problem, Proof, Verdict, Why,
};

/// How long engines have to end once there is an answer.
const GRACE: Duration = Duration::from_millis(200);

/// How long engines have to say what they did once the time is over.
const LAST_WORDS: Duration = Duration::from_millis(20);

/// How long one wait for an engine takes; then the flags are looked at.
const POLL: Duration = Duration::from_millis(5);

/// The solver: which engines there are and what they need.
#[derive(Clone, Debug, Default)]
pub struct Portfolio {
    /// The arithmetic solver. Without one, only rewriting and search are tried.
    pub backend: Option<Backend>,
    /// Decides what the search tries.
    pub seed: u64,
    /// How the flat engine says that a needle does not occur.
    pub not_substring: NotSubstring,
    /// The limits of all engines.
    pub limits: Limits,
}

/// The answer to a problem and how it was found.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The answer. A model gives every declared constant of the problem a value.
    pub verdict: Verdict,
    /// What each engine did.
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

/// An engine in its place in a line.
struct Stage {
    /// What the strategy says of it; several engines as one have the whole budget.
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
        // With constants in place of what exists, the referee can check a model without trying
        // infinitely many values. A model of this is one of the problem as it was given.
        let problem = &with_witnesses(problem);
        // What takes longer is better left to the engines.
        let slice = strategy::engine(rewrite::NAME).map(|entry| entry.slice(budget));
        let simplified = simplify(problem, slice.as_ref().unwrap_or(budget));
        let mut solution = Solution {
            verdict: Verdict::Unknown(Why::Incomplete("nothing was tried".to_owned())),
            engines: Vec::new(),
            rules: simplified.counts.clone(),
            assertions_left: simplified.problem.assertions.len(),
            mistakes: Vec::new(),
            limits_hit: Vec::new(),
        };
        let mut open = Vec::new();
        if let Some(argument) = &simplified.contradiction {
            let proof = Proof { engine: rewrite::NAME, argument: argument.clone() };
            solution.report(rewrite::NAME, "unsat".to_owned(), start.elapsed());
            solution.verdict = Verdict::Unsat(proof);
            return solution;
        }
        solution.report(rewrite::NAME, "simplified".to_owned(), start.elapsed());
        if simplified.problem.assertions.is_empty() {
            // Nothing is left to satisfy, so any values do.
            let found = Verdict::Sat(Model::new());
            match solution.check(rewrite::NAME, found, problem, &simplified, budget) {
                Ok(verdict) => {
                    solution.verdict = verdict;
                    return solution;
                }
                Err(why) => open.push(why),
            }
        }
        self.compete(problem, &simplified, budget, &mut solution, open);
        solution
    }

    /// The engines of a line in their order; those for components as one.
    fn stages(&self, line: Line) -> Vec<Stage> {
        let mut stages: Vec<Stage> = Vec::new();
        for entry in strategy::line(line) {
            if entry.scope == Scope::Whole {
                let engine = entry.build(self);
                stages.extend(engine.map(|engine| Stage { entry: Some(entry), engine }));
            } else if stages.iter().all(|stage| stage.entry.is_some()) {
                let parts = Parts::new(self);
                if !parts.is_empty() {
                    stages.push(Stage { entry: None, engine: Box::new(parts) });
                }
            }
        }
        stages
    }

    fn compete(
        &self,
        problem: &Problem,
        simplified: &Simplified,
        budget: &Budget,
        solution: &mut Solution,
        mut open: Vec<Why>,
    ) {
        let all_done = Cancel::new();
        let common = budget.also(&all_done);
        let (sender, answers) = mpsc::channel();
        let shared = Arc::new(simplified.problem.clone());
        for stages in [Line::Models, Line::Proofs].map(|line| self.stages(line)) {
            let (sender, common) = (sender.clone(), common.clone());
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || {
                for stage in stages {
                    // Nobody listens any more when another engine was faster.
                    let mut tell = |report| drop(sender.send(Said::Report(report)));
                    let (engine, budget) = (&stage.engine, stage.budget(&common));
                    let verdict = engine.run_and_tell(&shared, &budget, &mut tell);
                    let _ = sender.send(Said::Verdict(engine.name(), verdict));
                }
            });
        }
        drop(sender);
        loop {
            let said = match answers.recv_timeout(POLL) {
                Ok(said) => said,
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) if budget.check().is_ok() => continue,
                Err(RecvTimeoutError::Timeout) => {
                    all_done.cancel();
                    solution.listen(&answers, LAST_WORDS);
                    break;
                }
            };
            let (engine, verdict) = match said {
                Said::Report(report) => {
                    solution.engines.push(report);
                    continue;
                }
                Said::Verdict(_, Verdict::Unknown(why)) => {
                    open.push(why);
                    continue;
                }
                Said::Verdict(engine, verdict) => (engine, verdict),
            };
            match solution.check(engine, verdict, problem, simplified, budget) {
                Ok(verdict) => {
                    solution.verdict = verdict;
                    all_done.cancel();
                    // Those that wait for arithmetic end it and themselves at once; one that is
                    // deep in work of its own is not waited for: it ends when it looks at the flag.
                    solution.listen(&answers, GRACE);
                    return;
                }
                Err(why) => open.push(why),
            }
        }
        solution.verdict = Verdict::Unknown(self.why(&open, budget));
    }

    /// Why there is no answer, in the one word that says most.
    fn why(&self, open: &[Why], budget: &Budget) -> Why {
        // A model that the referee cannot decide says more than that no other was found in time.
        let undecided = open.iter().find(|why| matches!(why, Why::Undecided(_)));
        match (budget.check(), undecided) {
            (Ok(()) | Err(Why::Timeout), Some(undecided)) => return undecided.clone(),
            (Err(why), _) => return why,
            (Ok(()), None) => {}
        }
        if self.backend.is_none() {
            return Why::NoBackend;
        }
        let telling = open.iter().find(|why| matches!(why, Why::Failed(_)));
        // That one engine cannot read it says little if another one has tried.
        let tried = || open.iter().rev().find(|why| !matches!(why, Why::Unsupported(_)));
        let telling = telling.or_else(tried).or_else(|| open.first());
        telling.cloned().unwrap_or_else(|| Why::Incomplete("no engine has an answer".to_owned()))
    }
}

/// What a core sends while it works through its engines.
enum Said {
    Report(EngineReport),
    Verdict(&'static str, Verdict),
}

impl Solution {
    fn report(&mut self, engine: &'static str, said: String, time: Duration) {
        self.engines.push(EngineReport { engine, said, time });
    }

    /// Notes what engines still say within some time.
    fn listen(&mut self, answers: &mpsc::Receiver<Said>, patience: Duration) {
        let start = Instant::now();
        while let Some(left) = patience.checked_sub(start.elapsed())
            && let Ok(said) = answers.recv_timeout(left)
        {
            if let Said::Report(report) = said {
                self.engines.push(report);
            }
        }
    }

    /// The verdict of an engine, if it stands: a model must satisfy the problem as it was given.
    fn check(
        &mut self,
        engine: &'static str,
        verdict: Verdict,
        problem: &Problem,
        simplified: &Simplified,
        budget: &Budget,
    ) -> Result<Verdict, Why> {
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
                    // Another assertion may still be false, which would be worse.
                    let reason = cause.or(reasons.as_slice().first().copied());
                    let reason = reason.map_or("", describe);
                    undecided.get_or_insert_with(|| {
                        format!("{reason} in assertion {number}, under the model of {engine}")
                    });
                }
                Evaluation::Known(_) => {
                    let mistake = format!("{engine}: assertion {number} evaluates to false");
                    self.mistakes.push(mistake);
                    return Err(Why::Incomplete(format!("the model of {engine} is invalid")));
                }
            }
        }
        match undecided {
            Some(undecided) => Err(Why::Undecided(undecided)),
            None => Ok(Verdict::Sat(model)),
        }
    }
}

/// Why the referee cannot decide, in a few words.
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
