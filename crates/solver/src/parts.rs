//! The engines for components, as one engine.
//!
//! Components share no constant, so that models of all of them are a model of the problem, and a
//! component without a model is a problem without one. The order, the shares of the time and the
//! preferences are those of the strategy ([`crate::strategy`]).

use std::sync::Arc;
use std::time::Instant;

use luthier_semantics::Model;
use luthier_terms::TermId;

use crate::components::components;
use crate::strategy::{self, Entry, Line, Scope};
use crate::{Budget, Engine, EngineReport, Portfolio, Problem, Verdict, Why};

/// The engines of the line of models that work on components, as one.
pub struct Parts {
    /// Those for all components that they accept, together.
    together: Vec<Member>,
    /// Those for each component.
    each: Vec<Member>,
}

struct Member {
    entry: &'static Entry,
    engine: Box<dyn Engine>,
}

impl Parts {
    /// The engines as a portfolio is set up.
    pub fn new(portfolio: &Portfolio) -> Self {
        let members = |scope: Scope| -> Vec<Member> {
            let entries = strategy::line(Line::Models).filter(|entry| entry.scope == scope);
            let built = |entry: &'static Entry| Some((entry, entry.build(portfolio)?));
            entries.filter_map(built).map(|(entry, engine)| Member { entry, engine }).collect()
        };
        Self { together: members(Scope::Together), each: members(Scope::Each) }
    }

    /// Whether there is no engine, for want of an arithmetic solver.
    pub(crate) fn is_empty(&self) -> bool {
        self.together.is_empty() && self.each.is_empty()
    }

    fn decide_components(&self, work: &mut Work<'_>) -> Verdict {
        let mut model = Model::new();
        let mut open = None;
        let mut parts: Vec<Problem> =
            components(work.problem).into_iter().map(|one| work.part(one)).collect();
        for member in &self.together {
            let (accepted, mut others): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| {
                work.budget.check().is_ok() && member.engine.accepts(part).is_ok()
            });
            if !accepted.is_empty() {
                let assertions = accepted.iter().flat_map(|part| part.assertions.iter().copied());
                let together = work.part(assertions.collect());
                // Each component was accepted already.
                match work.run(member, |engine, budget| engine.decide(&together, budget)) {
                    Verdict::Sat(values) => model.extend(values),
                    Verdict::Unsat(proof) => return Verdict::Unsat(proof),
                    Verdict::Unknown(_) => others.extend(accepted),
                }
            }
            parts = others;
        }
        // A component without a model decides, so none is left out because another one is too hard.
        for part in parts {
            // There can be many, and each starts processes.
            if let Err(why) = work.budget.check() {
                return Verdict::Unknown(why);
            }
            match self.decide_one(work, &part) {
                Verdict::Sat(values) => model.extend(values),
                Verdict::Unsat(proof) => return Verdict::Unsat(proof),
                Verdict::Unknown(why) => open = open.or(Some(why)),
            }
        }
        open.map_or(Verdict::Sat(model), Verdict::Unknown)
    }

    /// The answer of the first engine that has one, or what the last one says.
    fn decide_one(&self, work: &mut Work<'_>, part: &Problem) -> Verdict {
        let mut order: Vec<&Member> = self.each.iter().collect();
        order.sort_by_key(|member| !member.entry.is_first(part, work.budget));
        let mut last = Verdict::Unknown(Why::NoBackend);
        for member in order {
            last = work.run(member, |engine, budget| engine.run(part, budget));
            if !matches!(last, Verdict::Unknown(_)) {
                break;
            }
        }
        last
    }
}

impl Engine for Parts {
    fn name(&self) -> &'static str {
        "parts"
    }

    fn decide(&self, problem: &Problem, budget: &Budget) -> Verdict {
        self.run_and_tell(problem, budget, &mut drop)
    }

    fn run_and_tell(
        &self,
        problem: &Problem,
        budget: &Budget,
        tell: &mut dyn FnMut(EngineReport),
    ) -> Verdict {
        let mut work = Work { problem, budget, reports: Vec::new() };
        let verdict = self.decide_components(&mut work);
        work.reports.into_iter().for_each(tell);
        verdict
    }
}

/// A problem, and what was done about it.
struct Work<'a> {
    problem: &'a Problem,
    budget: &'a Budget,
    /// One report an engine, over all components.
    reports: Vec<EngineReport>,
}

impl Work<'_> {
    fn part(&self, assertions: Vec<TermId>) -> Problem {
        Problem { pool: Arc::clone(&self.problem.pool), assertions }
    }

    /// Runs an engine within its slice of the budget and reports it.
    fn run(&mut self, member: &Member, run: impl Fn(&dyn Engine, &Budget) -> Verdict) -> Verdict {
        let start = Instant::now();
        let verdict = run(&*member.engine, &member.entry.slice(self.budget));
        let (name, said, time) = (member.entry.name, verdict.said(), start.elapsed());
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
