//! What one release does with a formula whose answer is known: an outcome in the terms of findings.

use luthier_ask::{Reply, Request};
use luthier_hunt::{AskedScript, is_crash, reproduced};
use luthier_records::{Class, FindingKind, Verdict};
use luthier_smtlib::Script;
use luthier_terms::TermPool;

use crate::Truth;
use crate::trial::Trial;
use crate::truth::accepted_model;

/// What a release does with a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The failure, if it is one.
    pub failure: Option<FindingKind>,
    /// `sat`, `unsat`, `unknown`, or how the process ended.
    pub outcome: &'static str,
    /// What the release said or did.
    pub said: String,
    /// Why that is wrong, line by line.
    pub reasons: Vec<String>,
}

impl Observation {
    /// The failure if there is one, else the outcome.
    pub fn name(&self) -> &'static str {
        self.failure.map_or(self.outcome, FindingKind::name)
    }
}

/// Asks a release in a process of its own, first for the verdict and then, if it is `sat`, for a model;
/// the worst failure of both counts. `None` if its dialect cannot express the formula.
pub fn observe(
    pool: &mut TermPool,
    script: &Script,
    truth: &Truth,
    trial: &Trial<'_>,
) -> Option<Observation> {
    let reply = trial.ask_alone(pool, script, None)?;
    let observation = judge(pool, script, truth, &reply, trial);
    if observation.failure.is_some() || reply.verdict() != Some(Verdict::Sat) {
        return Some(observation);
    }
    // The model may be wrong where the verdict is right.
    let with_model = trial.ask_alone(pool, script, Some(Request::Model))?;
    let second = judge(pool, script, truth, &with_model, trial);
    Some(if second.failure.is_some() { second } else { observation })
}

fn judge(
    pool: &mut TermPool,
    script: &Script,
    truth: &Truth,
    reply: &Reply,
    trial: &Trial<'_>,
) -> Observation {
    let outcome = match (reply.verdict(), reply.class) {
        (Some(Verdict::Sat), _) => "sat",
        (Some(Verdict::Unsat), _) => "unsat",
        (Some(Verdict::Unknown), _) => "unknown",
        (None, Class::Timeout) => "timeout",
        (None, Class::Memout) => "memout",
        (None, Class::Unsupported) => "unsupported",
        (None, Class::FrameworkError) => "framework-error",
        (None, _) => "crash",
    };
    let dialect = trial.solver.dialect;
    let suspected = match (reply.verdict(), truth) {
        (Some(Verdict::Unsat), Truth::Sat(_)) => Some(FindingKind::WrongUnsat),
        (Some(Verdict::Sat), Truth::Unsat(_)) => Some(FindingKind::WrongSat),
        (Some(Verdict::Sat), _) => reply.model().map(|_| FindingKind::InvalidModel),
        (None, _) if is_crash(reply) => Some(FindingKind::Crash),
        _ => None,
    };
    // A valid model refutes the ground truth `unsat`.
    let refutes = suspected == Some(FindingKind::WrongSat)
        && reply
            .model()
            .is_some_and(|model| accepted_model(pool, script, model, dialect).is_some());
    let suspected = if refutes { Some(FindingKind::PlantedAgainstModel) } else { suspected };
    let found = suspected.and_then(|kind| {
        let mut asked = AskedScript { pool, script, planted_core: None, dialect };
        reproduced(kind, reply, &mut asked)
    });
    match found {
        Some(found) => Observation {
            failure: Some(found.class),
            outcome,
            said: found.said,
            reasons: found.reasons,
        },
        None => {
            let said = match reply.verdict() {
                Some(verdict) => verdict.to_string(),
                None => reply.detail.clone(),
            };
            Observation { failure: None, outcome, said, reasons: Vec::new() }
        }
    }
}
