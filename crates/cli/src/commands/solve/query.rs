//! A query: it is decided under the limits, its answer is printed and remembered.

use std::sync::Arc;
use std::time::Instant;

use luthier_semantics::Model;
use luthier_solver::{Budget, Cancel, Problem, Solution, Verdict, Why};
use luthier_terms::TermId;
use serde::Serialize;

use super::refused;
use super::session::{Answer, Last, Session, end_on_signal};
use super::statistics::print_statistics;
use super::values::{value_of, value_text};
use super::watch::Stop;
use crate::error::CliError;
use crate::json::VERSION;
use crate::output::Output;

/// The JSON of `luthier solve`, one for each check-sat.
#[derive(Serialize)]
struct Record {
    version: u32,
    query: usize,
    verdict: &'static str,
    /// Why the answer is unknown, or how unsat was shown.
    reason: Option<String>,
    /// The values of constants, as SMT-LIB writes them.
    model: Option<serde_json::Map<String, serde_json::Value>>,
    engines: Vec<EngineRecord>,
}

#[derive(Serialize)]
struct EngineRecord {
    engine: &'static str,
    said: String,
    seconds: f64,
}

impl Session<'_> {
    pub(super) fn check(
        &mut self,
        assumptions: &[TermId],
        output: &mut Output,
    ) -> Result<(), CliError> {
        self.queries += 1;
        let terms = self.assertions.iter().map(|assertion| assertion.term);
        let assertions = terms.chain(assumptions.iter().copied()).collect();
        let problem = Problem { pool: Arc::clone(&self.pool), assertions };
        // Reading counts for the first query.
        let deadline = match self.queries {
            1 => self.watch.first_deadline(),
            _ => self.watch.deadline(),
        };
        let start = Instant::now();
        let (solution, stop) = self.solve(problem, deadline);
        self.warn(&solution, output);
        if self.stats {
            print_statistics(&solution, &self.portfolio.limits, output);
        }
        let said = match &solution.verdict {
            Verdict::Sat(_) => "sat",
            Verdict::Unsat(_) => "unsat",
            Verdict::Unknown(_) => "unknown",
        };
        let (engines, reason) = (solution.engines, reason(&solution.verdict));
        let answer = match solution.verdict {
            Verdict::Sat(model) => Answer::Sat(Arc::new(model)),
            Verdict::Unsat(_) => Answer::Unsat,
            Verdict::Unknown(why) => Answer::Unknown(why),
        };
        let (assumptions, time) = (assumptions.to_vec(), start.elapsed());
        self.last = Some(Last { answer, assumptions, time });
        if output.json {
            let engines = engines.into_iter().map(|one| EngineRecord {
                engine: one.engine,
                said: one.said,
                seconds: one.time.as_secs_f64(),
            });
            let engines = engines.collect();
            let (version, query) = (VERSION, self.queries);
            let mut record = Record { version, query, verdict: said, reason, model: None, engines };
            if let Some(model) = self.model() {
                match self.model_record(model) {
                    Ok(values) => record.model = Some(values?),
                    Err(stop) => {
                        record.reason = Some(format!("no model within the limits: {}", stop.why()));
                    }
                }
            }
            output.json_line(&record)?;
        } else {
            output.line(said)?;
        }
        if let Some(Stop::Signal(signal)) = stop {
            end_on_signal(signal, output)?;
        }
        output.flush()
    }

    /// Decides a problem under the limits. What does not end in time is abandoned.
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
        // An engine that was stopped only knows that it was.
        if let (Verdict::Unknown(Why::Cancelled), Some(stop)) = (&solution.verdict, stop) {
            solution.verdict = Verdict::Unknown(stop.why());
        }
        (solution, stop)
    }

    fn warn(&self, solution: &Solution, output: &Output) {
        if !solution.mistakes.is_empty() {
            let kept = match refused::keep(self.source, &solution.mistakes) {
                Ok(path) => format!("the script is kept in {}", path.display()),
                Err(error) => format!("the script could not be kept: {error}"),
            };
            output.warn(&format!(
                "a model was refused by the referee, which is a fault of luthier; please report \
                 it: {}; {kept}",
                solution.mistakes.join("; ")
            ));
        }
        if let Verdict::Unknown(Why::NoBackend) = solution.verdict {
            output.warn(
                "there is no arithmetic solver, so only easy scripts can be decided; \
                 luthier solvers install z3@5.4.0 gets one",
            );
        }
        if let Verdict::Unknown(Why::Failed(what)) = &solution.verdict {
            output.warn(&format!("an engine failed: {what}"));
        }
    }

    /// The values of all constants, by their plain names.
    fn model_record(
        &self,
        model: Arc<Model>,
    ) -> Result<Result<serde_json::Map<String, serde_json::Value>, CliError>, Stop> {
        let (pool, declared) = (Arc::clone(&self.pool), self.declared.clone());
        let outcome = self.watch.run(self.watch.deadline(), &Cancel::new(), move || {
            let mut values = serde_json::Map::new();
            for function in declared {
                let declaration = pool.function(function);
                let value = value_of(&model, function, declaration.result);
                let text = String::from_utf8_lossy(&value_text(&value)?).into_owned();
                values.insert(pool.symbols().display(declaration.name).into_owned(), text.into());
            }
            Ok(values)
        });
        outcome.result.ok_or(outcome.stop.unwrap_or(Stop::Memory))
    }
}

/// The answer when nobody gave one in time.
fn unanswered(stop: Option<Stop>) -> Solution {
    Solution {
        verdict: Verdict::Unknown(stop.map_or(Why::Cancelled, Stop::why)),
        engines: Vec::new(),
        rules: Default::default(),
        assertions_left: 0,
        mistakes: Vec::new(),
        limits_hit: Vec::new(),
    }
}

fn reason(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Sat(_) => None,
        Verdict::Unsat(proof) => Some(format!("{}: {}", proof.engine, proof.argument)),
        Verdict::Unknown(why) => Some(why.to_string()),
    }
}

/// Answers the first query of a script that could not be read within the limits.
pub(super) fn answer_unread(stop: Stop, output: &mut Output) -> Result<(), CliError> {
    let why = stop.why();
    output.warn(&format!(
        "the script could not be read within the limits ({why}): its first query is answered with \
         unknown, and nothing else is answered"
    ));
    if output.json {
        let (version, query, verdict) = (VERSION, 1, "unknown");
        let reason = Some(why.to_string());
        let engines = Vec::new();
        output.json_line(&Record { version, query, verdict, reason, model: None, engines })?;
    } else {
        output.line("unknown")?;
    }
    match stop {
        Stop::Signal(signal) => end_on_signal(signal, output),
        _ => output.flush(),
    }
}
