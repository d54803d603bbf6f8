//! Models of a problem, part by part.
//!
//! Parts that share no constant are decided one by one, each by the first engine that can: what
//! is said about languages and lengths alone at once, then cells and matching, and what is left
//! with flat words.

use std::sync::Arc;
use std::time::{Duration, Instant};

use luthier_semantics::Model;
use luthier_terms::TermId;

use crate::arithmetic::Backend;
use crate::cells::Cells;
use crate::components::components;
use crate::flat::{Flat, NotSubstring};
use crate::languages::{Languages, reads};
use crate::nielsen::{self, Nielsen};
use crate::{Budget, Engine, EngineReport, Problem, Verdict};

/// How long languages may take at most, and matching word equations from left to right.
const MATCHING: Duration = Duration::from_millis(1500);

/// How long cells may take at most.
const CELLS: Duration = Duration::from_secs(3);

/// The engines that look for models with arithmetic, as one.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The arithmetic solver.
    pub backend: Backend,
    /// How flat words say that a needle does not occur.
    pub not_substring: NotSubstring,
}

impl Engine for Parts {
    fn name(&self) -> &'static str {
        "parts"
    }

    fn run(&self, problem: &Problem, budget: &Budget) -> Verdict {
        self.run_and_tell(problem, budget, &mut drop)
    }

    fn run_and_tell(
        &self,
        problem: &Problem,
        budget: &Budget,
        tell: &mut dyn FnMut(EngineReport),
    ) -> Verdict {
        let mut work = Work { problem, budget, reports: Vec::new() };
        let verdict = self.decide(&mut work);
        work.reports.into_iter().for_each(tell);
        verdict
    }
}

impl Parts {
    fn decide(&self, work: &mut Work<'_>) -> Verdict {
        let mut model = Model::new();
        let mut open = None;
        // There can be hundreds of parts about languages and lengths alone.
        let (simple, mut parts): (Vec<_>, Vec<_>) = components(work.problem)
            .into_iter()
            .partition(|part| work.budget.check().is_ok() && reads(&work.problem.pool, part));
        if !simple.is_empty() {
            let together = work.part(simple.concat());
            let engine = Languages { backend: self.backend.clone() };
            match work.run_for(MATCHING, &engine, &together) {
                Verdict::Sat(values) => model.extend(values),
                Verdict::Unsat(proof) => return Verdict::Unsat(proof),
                Verdict::Unknown(_) => parts.extend(simple),
            }
        }
        // A part without a model is as good as a whole without one, so none is left out because
        // another one is too hard.
        for assertions in parts {
            // There can be many, and each starts processes.
            if let Err(why) = work.budget.check() {
                return Verdict::Unknown(why);
            }
            let part = work.part(assertions);
            match self.decide_one(work, &part) {
                Verdict::Sat(values) => model.extend(values),
                Verdict::Unsat(proof) => return Verdict::Unsat(proof),
                Verdict::Unknown(why) => open = open.or(Some(why)),
            }
        }
        open.map_or(Verdict::Sat(model), Verdict::Unknown)
    }

    fn decide_one(&self, work: &mut Work<'_>, part: &Problem) -> Verdict {
        // Solutions are found faster without variables for letters.
        let cells = Cells { backend: self.backend.clone() };
        let matching = Nielsen { backend: self.backend.clone() };
        let mut engines: [(&dyn Engine, Duration); 2] = [(&cells, CELLS), (&matching, MATCHING)];
        if nielsen::suits(part) {
            engines.reverse();
        }
        for (engine, most) in engines {
            let verdict = work.run_for(most, engine, part);
            if !matches!(verdict, Verdict::Unknown(_)) {
                return verdict;
            }
        }
        let flat = Flat { backend: self.backend.clone(), not_substring: self.not_substring };
        work.run(&flat, part, work.budget)
    }
}

/// A problem, and what was done about it.
struct Work<'a> {
    problem: &'a Problem,
    budget: &'a Budget,
    /// One report an engine, over all parts.
    reports: Vec<EngineReport>,
}

impl Work<'_> {
    fn part(&self, assertions: Vec<TermId>) -> Problem {
        Problem { pool: Arc::clone(&self.problem.pool), assertions }
    }

    /// Runs an engine that is fast if it succeeds at all: for a third of the time at most.
    fn run_for(&mut self, most: Duration, engine: &dyn Engine, part: &Problem) -> Verdict {
        let share = self.budget.left().map_or(most, |left| most.min(left / 3));
        self.run(engine, part, &self.budget.at_most(share))
    }

    fn run(&mut self, engine: &dyn Engine, part: &Problem, budget: &Budget) -> Verdict {
        let start = Instant::now();
        let verdict = engine.run(part, budget);
        let (name, said, time) = (engine.name(), verdict.said(), start.elapsed());
        match self.reports.iter_mut().find(|report| report.engine == name) {
            Some(report) => {
                report.time += time;
                // That an engine has models of some parts says little if it has none of another.
                if !matches!(verdict, Verdict::Sat(_)) {
                    report.said = said;
                }
            }
            None => self.reports.push(EngineReport { engine: name, said, time }),
        }
        verdict
    }
}
