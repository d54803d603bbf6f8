//! Queries (`check-sat`, `check-sat-assuming`): decided under the limits, with a report for
//! `--stats` and `--json`.

use std::sync::Arc;
use std::time::Instant;

use luthier_terms::TermId;

use super::{LastAnswer, QueryAnswer, Reply, Session, Stop};
use crate::{Budget, Cancel, EngineReport, Limit, Problem, Solution, UnknownReason, Verdict};

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

impl Session<'_> {
    pub(super) fn check(&mut self, assumptions: &[TermId]) -> Reply {
        self.queries += 1;
        let terms = self.assertions.items().iter().map(|assertion| assertion.term);
        let assertions = terms.chain(assumptions.iter().copied()).collect();
        let problem = Problem { pool: Arc::clone(&self.pool), assertions };
        // The time of parsing counts for the first query.
        let deadline = match self.queries {
            1 => self.watch.first_deadline(),
            _ => self.watch.deadline(),
        };
        let start = Instant::now();
        let (solution, stop) = self.solve(problem, deadline);
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
        self.last = Some(LastAnswer { answer, assumptions, time });
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
