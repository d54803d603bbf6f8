//! Queries (`check-sat`, `check-sat-assuming`): decided under the limits, with a report for
//! `--stats` and `--json`.

use std::sync::Arc;
use std::time::Instant;

use luthier_semantics::Model;
use luthier_terms::TermId;

use super::known::Knowledge;
use super::{LastAnswer, QueryAnswer, Reply, Session, Statistics, Stop};
use crate::{
    Budget, Cancel, EngineReport, Limit, Problem, Proof, Solution, UnknownReason, Verdict,
};

/// What answers a query without an engine, in statistics.
const KNOWN: &str = "session";

/// The outcome of a query. [`Session::model_values`] has the model.
pub struct QueryReport {
    /// The number of the query, from 1.
    pub query: usize,
    /// `sat`, `unsat` or `unknown`.
    pub verdict: &'static str,
    /// The argument of the proof, or the reason for `unknown`.
    pub explanation: Option<String>,
    /// The reason for `unknown`.
    pub unknown_reason: Option<UnknownReason>,
    /// A report on each engine.
    pub engines: Vec<EngineReport>,
    /// How often each rule of the rewriter was applied.
    pub rules: crate::rewrite::Counts,
    /// How many distinct assertions were left after rewriting.
    pub assertions_left: usize,
    /// Engines with an invalid model, and which assertion the referee evaluates to false.
    pub mistakes: Vec<String>,
    /// The limits that were hit.
    pub limits_hit: Vec<Limit>,
    /// What has stopped the query, if something did.
    pub stop: Option<Stop>,
}

impl Session {
    pub(super) fn check(&mut self, assumptions: &[TermId]) -> Reply {
        self.queries += 1;
        let terms = self.assertions.items().iter().map(|assertion| assertion.term);
        let all: Vec<TermId> = terms.chain(assumptions.iter().copied()).collect();
        // The time of parsing counts for the first query.
        let deadline = self.first_deadline.take().or_else(|| self.watch.deadline());
        let start = Instant::now();
        let (mut solution, stop) = self.solve_with_knowledge(all, deadline);
        if let Verdict::Sat(_) | Verdict::Unsat(_) = solution.verdict
            && solution.engines.is_empty()
        {
            let (engine, time) = (KNOWN, start.elapsed());
            let outcome = solution.verdict.summary();
            solution.engines.push(EngineReport { engine, outcome, time });
        }
        let (verdict, explanation, unknown_reason) = match &solution.verdict {
            Verdict::Sat(_) => ("sat", None, None),
            Verdict::Unsat(proof) => {
                ("unsat", Some(format!("{}: {}", proof.engine, proof.argument)), None)
            }
            Verdict::Unknown(reason) => ("unknown", Some(reason.to_string()), Some(reason.clone())),
        };
        let answer = match solution.verdict {
            Verdict::Sat(model) => QueryAnswer::Sat(Arc::new(model)),
            Verdict::Unsat(_) => QueryAnswer::Unsat,
            Verdict::Unknown(reason) => QueryAnswer::Unknown(reason),
        };
        let (assumptions, time) = (assumptions.to_vec(), start.elapsed());
        let statistics = Statistics {
            rule_applications: solution.rules.values().sum(),
            assertions_left: solution.assertions_left,
            engines: solution.engines.iter().map(|one| (one.engine, one.time)).collect(),
        };
        self.last = Some(LastAnswer { answer, assumptions, time, statistics });
        let Solution { engines, rules, assertions_left, mistakes, limits_hit, .. } = solution;
        Reply::CheckSat(Box::new(QueryReport {
            query: self.queries,
            verdict,
            explanation,
            unknown_reason,
            engines,
            rules,
            assertions_left,
            mistakes,
            limits_hit,
            stop,
        }))
    }

    /// Decides a conjunction, with what earlier queries have shown.
    fn solve_with_knowledge(
        &mut self,
        all: Vec<TermId>,
        deadline: Option<Instant>,
    ) -> (Solution, Option<Stop>) {
        let (part, base) = match self.knowledge(&all, deadline) {
            Knowledge::Sat(model) => {
                let verdict = Verdict::Sat(Model::clone(&model));
                return (Solution { verdict, ..unanswered(None) }, None);
            }
            Knowledge::Unsat => {
                let argument = "an earlier query was a part of this one".to_owned();
                let verdict = Verdict::Unsat(Proof { engine: KNOWN, argument });
                return (Solution { verdict, ..unanswered(None) }, None);
            }
            Knowledge::Part(part, base) => (part, Some(base)),
            Knowledge::None => (all.clone(), None),
        };
        let problem = Problem { pool: Arc::clone(&self.pool), assertions: part.clone() };
        let (mut solution, stop) = self.solve(problem, deadline);
        match &mut solution.verdict {
            Verdict::Sat(model) => {
                let whole = self.known.add_model(&self.pool, (&all, &part), base, model);
                *model = Model::clone(&whole);
            }
            Verdict::Unsat(_) => self.known.add_contradiction(&part),
            Verdict::Unknown(_) => {}
        }
        (solution, stop)
    }

    /// What earlier queries have shown about a conjunction, found under the limits. If that is
    /// stopped, nothing is known from then on.
    fn knowledge(&mut self, all: &[TermId], deadline: Option<Instant>) -> Knowledge {
        if self.known.is_empty() {
            return Knowledge::None;
        }
        let mut known = std::mem::take(&mut self.known);
        let (pool, all) = (Arc::clone(&self.pool), all.to_vec());
        let outcome = self.watch.run(deadline, &Cancel::new(), move || {
            let knowledge = known.about(&pool, &all);
            (knowledge, known)
        });
        match outcome.result {
            Some((knowledge, known)) => {
                self.known = known;
                knowledge
            }
            None => Knowledge::None,
        }
    }

    /// Decides a problem under the limits. Work that does not end in time is abandoned.
    fn solve(&self, problem: Problem, deadline: Option<Instant>) -> (Solution, Option<Stop>) {
        let cancel = Cancel::new();
        let mut budget = Budget::until_cancelled(cancel.clone());
        if let Some(deadline) = deadline {
            budget = budget.at_most(deadline.saturating_duration_since(Instant::now()));
        }
        let portfolio = self.portfolio.clone();
        let outcome = self.watch.run(deadline, &cancel, move || portfolio.solve(&problem, &budget));
        let stop = outcome.stop;
        let mut solution = outcome.result.unwrap_or_else(|| unanswered(stop));
        // The engine reports a cancellation; the watch knows its cause.
        if let (Verdict::Unknown(UnknownReason::Cancelled), Some(stop)) = (&solution.verdict, stop)
        {
            solution.verdict = Verdict::Unknown(stop.reason());
        }
        (solution, stop)
    }
}

/// The solution if no engine answered in time.
fn unanswered(stop: Option<Stop>) -> Solution {
    Solution {
        verdict: Verdict::Unknown(stop.map_or(UnknownReason::Cancelled, Stop::reason)),
        engines: Vec::new(),
        rules: Default::default(),
        assertions_left: 0,
        mistakes: Vec::new(),
        limits_hit: Vec::new(),
    }
}
