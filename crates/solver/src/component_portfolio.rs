//! The model engines that work on components, as one engine.
//!
//! Components share no constant, so models of all of them together are a model of the problem, and
//! one unsatisfiable component makes the problem unsatisfiable. First the engines with
//! [`Scope::Together`] get all components that they accept, then each open component goes through
//! those with [`Scope::Each`]. Order, shares of the time and preferences are those of
//! [`crate::strategy`]. A component that stays `unknown` does not end the work, because another one
//! may be unsatisfiable.

use std::sync::Arc;
use std::time::Instant;

use luthier_semantics::Model;
use luthier_terms::TermId;

use crate::components::components;
use crate::strategy::{self, Entry, Scope, Thread};
use crate::{Budget, Engine, EngineReport, Portfolio, Problem, UnknownReason, Verdict};

/// The engines of the model thread that work on components, as one.
pub struct ComponentPortfolio {
    /// Those for all components that they accept, together.
    together: Vec<Member>,
    /// Those for each component.
    each: Vec<Member>,
}

struct Member {
    entry: &'static Entry,
    engine: Box<dyn Engine>,
}

impl ComponentPortfolio {
    /// The engines with the settings of a portfolio.
    pub fn new(portfolio: &Portfolio) -> Self {
        let members = |scope: Scope| -> Vec<Member> {
            let entries = strategy::on_thread(Thread::Models).filter(|entry| entry.scope == scope);
            let built = |entry: &'static Entry| Some((entry, entry.build(portfolio)?));
            entries.filter_map(built).map(|(entry, engine)| Member { entry, engine }).collect()
        };
        Self { together: members(Scope::Together), each: members(Scope::Each) }
    }

    /// Only the engines for all components together.
    pub(crate) fn without_each(self) -> Self {
        Self { each: Vec::new(), ..self }
    }

    /// Whether there is no engine, because there is no arithmetic solver.
    pub(crate) fn is_empty(&self) -> bool {
        self.together.is_empty() && self.each.is_empty()
    }

    fn decide_components(&self, work: &mut Work<'_>) -> Verdict {
        let mut model = Model::new();
        let mut open = None;
        let mut open_components: Vec<Problem> =
            components(work.problem).into_iter().map(|one| work.component(one)).collect();
        for member in &self.together {
            let (accepted, mut others): (Vec<_>, Vec<_>) =
                open_components.into_iter().partition(|component| {
                    work.budget.check().is_ok() && member.engine.accepts(component).is_ok()
                });
            if !accepted.is_empty() {
                let assertions =
                    accepted.iter().flat_map(|component| component.assertions.iter().copied());
                let together = work.component(assertions.collect());
                // Each component was accepted already.
                match work.run(member, |engine, budget| engine.decide(&together, budget)) {
                    Verdict::Sat(values) => model.extend(values),
                    Verdict::Unsat(proof) => return Verdict::Unsat(proof),
                    Verdict::Unknown(_) => others.extend(accepted),
                }
            }
            open_components = others;
        }
        // An unsatisfiable component decides, so none is skipped because another one is too hard.
        for component in open_components {
            // There can be many components, and each starts processes.
            if let Err(reason) = work.budget.check() {
                return Verdict::Unknown(reason);
            }
            match self.decide_one(work, &component) {
                Verdict::Sat(values) => model.extend(values),
                Verdict::Unsat(proof) => return Verdict::Unsat(proof),
                Verdict::Unknown(reason) => open = open.or(Some(reason)),
            }
        }
        open.map_or(Verdict::Sat(model), Verdict::Unknown)
    }

    /// The verdict of the first engine that has an answer, or else that of the last one.
    fn decide_one(&self, work: &mut Work<'_>, component: &Problem) -> Verdict {
        let mut order: Vec<&Member> = self.each.iter().collect();
        order.sort_by_key(|member| !member.entry.is_first(component, work.budget));
        let mut last = Verdict::Unknown(UnknownReason::NoBackend);
        for member in order {
            last = work.run(member, |engine, budget| engine.run(component, budget));
            if !matches!(last, Verdict::Unknown(_)) {
                break;
            }
        }
        last
    }
}

impl Engine for ComponentPortfolio {
    fn name(&self) -> &'static str {
        "parts"
    }

    fn decide(&self, problem: &Problem, budget: &Budget) -> Verdict {
        self.run_with_reports(problem, budget, &mut drop)
    }

    fn run_with_reports(
        &self,
        problem: &Problem,
        budget: &Budget,
        report: &mut dyn FnMut(EngineReport),
    ) -> Verdict {
        let mut work = Work { problem, budget, reports: Vec::new() };
        let verdict = self.decide_components(&mut work);
        work.reports.into_iter().for_each(report);
        verdict
    }
}

/// A problem, and the reports on it so far.
struct Work<'a> {
    problem: &'a Problem,
    budget: &'a Budget,
    /// One report for each engine, over all components.
    reports: Vec<EngineReport>,
}

impl Work<'_> {
    fn component(&self, assertions: Vec<TermId>) -> Problem {
        Problem { pool: Arc::clone(&self.problem.pool), assertions }
    }

    /// Runs an engine within its slice of the budget and reports it.
    fn run(&mut self, member: &Member, run: impl Fn(&dyn Engine, &Budget) -> Verdict) -> Verdict {
        let start = Instant::now();
        let verdict = run(&*member.engine, &member.entry.slice(self.budget));
        let (name, outcome, time) = (member.entry.name, verdict.summary(), start.elapsed());
        match self.reports.iter_mut().find(|report| report.engine == name) {
            Some(report) => {
                report.time += time;
                // `sat` for some components must not hide `unknown` for another.
                if !matches!(verdict, Verdict::Sat(_)) {
                    report.outcome = outcome;
                }
            }
            None => self.reports.push(EngineReport { engine: name, outcome, time }),
        }
        verdict
    }
}
