//! All engines on one problem: the first answer that stands the check is the answer.
//!
//! Engines that look for models work on one core, those that look for proofs on the other. A
//! model is believed only when the referee finds every assertion true as it was given; one that
//! fails the check is a fault of ours and is kept, and the engine's answer does not count.

use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use luthier_semantics::{Evaluator, Model};

use crate::arithmetic::Backend;
use crate::flat::NotSubstring;
use crate::rewrite::{Counts, Simplified, simplify, with_witnesses};
use crate::search::Search;
use crate::{Budget, Cancel, Engine, EngineReport, Parts, Problem, Proof, Verdict, Why};

/// How long rewriting may take at most.
const SIMPLIFY: Duration = Duration::from_secs(3);

/// How long engines have to end once there is an answer.
const GRACE: Duration = Duration::from_millis(200);

/// The solver: which engines there are and what they need.
#[derive(Clone, Debug, Default)]
pub struct Portfolio {
    /// The arithmetic solver. Without one, only rewriting and search are tried.
    pub backend: Option<Backend>,
    /// Decides what the search tries.
    pub seed: u64,
    /// How the flat engine says that a needle does not occur.
    pub not_substring: NotSubstring,
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
    /// Engines whose model the referee refused, with what it says.
    pub mistakes: Vec<String>,
}

impl Portfolio {
    /// Decides a problem within a budget.
    pub fn solve(&self, problem: &Problem, budget: &Budget) -> Solution {
        let start = Instant::now();
        // With constants in place of what exists, the referee can check a model without trying
        // infinitely many values. A model of this is one of the problem as it was given.
        let problem = &with_witnesses(problem);
        // What takes longer is better left to the engines.
        let share = budget.left().map_or(SIMPLIFY, |left| SIMPLIFY.min(left / 4));
        let simplified = simplify(problem, &budget.at_most(share));
        let mut solution = Solution {
            verdict: Verdict::Unknown(Why::Incomplete("nothing was tried".to_owned())),
            engines: Vec::new(),
            rules: simplified.counts.clone(),
            assertions_left: simplified.problem.assertions.len(),
            mistakes: Vec::new(),
        };
        if let Some(argument) = &simplified.contradiction {
            let proof = Proof { engine: "rewrite", argument: argument.clone() };
            solution.report("rewrite", "unsat".to_owned(), start.elapsed());
            solution.verdict = Verdict::Unsat(proof);
            return solution;
        }
        solution.report("rewrite", "simplified".to_owned(), start.elapsed());
        if simplified.problem.assertions.is_empty() {
            // Nothing is left to satisfy, so any values do.
            let found = Verdict::Sat(Model::new());
            if let Some(verdict) = solution.check("rewrite", found, problem, &simplified) {
                solution.verdict = verdict;
                return solution;
            }
        }
        self.compete(problem, &simplified, budget, &mut solution);
        solution
    }

    /// The engines, in the order in which each core runs them.
    fn lines(&self) -> [Vec<Box<dyn Engine>>; 2] {
        let mut models: Vec<Box<dyn Engine>> = vec![Box::new(Search { seed: self.seed })];
        let mut proofs: Vec<Box<dyn Engine>> = Vec::new();
        if let Some(backend) = &self.backend {
            models.push(Box::new(Parts {
                backend: backend.clone(),
                not_substring: self.not_substring,
            }));
            proofs.push(Box::new(crate::abstraction::Abstraction::new(backend.clone())));
        }
        [models, proofs]
    }

    fn compete(
        &self,
        problem: &Problem,
        simplified: &Simplified,
        budget: &Budget,
        solution: &mut Solution,
    ) {
        let all_done = Cancel::new();
        let common = budget.also(&all_done);
        let (sender, answers) = mpsc::channel();
        let mut open = Vec::new();
        let shared = Arc::new(simplified.problem.clone());
        for line in self.lines() {
            let (sender, common) = (sender.clone(), common.clone());
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || {
                for engine in line {
                    // Nobody listens any more when another engine was faster.
                    let mut tell = |report| drop(sender.send(Said::Report(report)));
                    let verdict = engine.run_and_tell(&shared, &common, &mut tell);
                    let _ = sender.send(Said::Verdict(engine.name(), verdict));
                }
            });
        }
        drop(sender);
        while let Ok(said) = answers.recv() {
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
            if let Some(verdict) = solution.check(engine, verdict, problem, simplified) {
                solution.verdict = verdict;
                all_done.cancel();
                // Those that wait for arithmetic end it and themselves at once; one that is deep
                // in work of its own is not waited for: it ends when it looks at the flag.
                while let Ok(said) = answers.recv_timeout(GRACE) {
                    if let Said::Report(report) = said {
                        solution.engines.push(report);
                    }
                }
                return;
            }
        }
        solution.verdict = Verdict::Unknown(self.why(&open, budget));
    }

    /// Why there is no answer, in the one word that says most.
    fn why(&self, open: &[Why], budget: &Budget) -> Why {
        if let Err(why) = budget.check() {
            return why;
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

    /// The verdict of an engine, if it stands: a model must satisfy the problem as it was given.
    fn check(
        &mut self,
        engine: &'static str,
        verdict: Verdict,
        problem: &Problem,
        simplified: &Simplified,
    ) -> Option<Verdict> {
        let Verdict::Sat(mut model) = verdict else { return Some(verdict) };
        simplified.complete(&mut model);
        let mut evaluator = Evaluator::new(&problem.pool, &model);
        let mut assertions = problem.assertions.iter().copied();
        let refused = assertions.find(|&one| !evaluator.evaluate(one).is_true());
        match refused {
            None => Some(Verdict::Sat(model)),
            Some(assertion) => {
                let number = problem.assertions.iter().position(|&one| one == assertion);
                let number = number.map_or(0, |position| position + 1);
                let value = evaluator.evaluate(assertion);
                let mistake = format!("{engine}: assertion {number} is not true but {value:?}");
                self.mistakes.push(mistake);
                None
            }
        }
    }
}
