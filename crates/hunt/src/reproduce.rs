//! Whether a reply shows an error of some kind: the check that a suspicion is confirmed by, and that a
//! reduced formula must still pass.
//!
//! Models, values and cores are checked here, by the referee and by the planted core. Whether a verdict is wrong
//! depends on the ground truth of the script, which the caller has established.

use luthier_ask::Reply;
use luthier_judge::{
    CheckOptions, CheckOutcome, check_model, examine_core, judging_limits, render_invalid,
};
use luthier_records::{Class, CoreOutcome, FindingKind, Text, Verdict};
use luthier_semantics::Limits;
use luthier_smtlib::{Dialect, Script};
use luthier_terms::TermPool;

/// The description of a timeout.
pub(crate) const NO_ANSWER: &str = "no answer within the limit";

/// The evaluation steps for one model. Formulas are small; a model that needs more stays undecided.
const STEPS: u64 = 2_000_000;

/// An error that a reply shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reproduced {
    /// What it is; a query without an answer that was incomplete before may be slow now.
    pub class: FindingKind,
    /// What the solver said or did.
    pub said: String,
    /// Why that is wrong, line by line; empty if the class says all.
    pub reasons: Vec<String>,
}

/// A script with one query, as the solver that replies was asked it.
pub struct AskedScript<'a> {
    /// The pool of its terms.
    pub pool: &'a mut TermPool,
    /// The script.
    pub script: &'a Script,
    /// The only minimal core, if one is known.
    pub planted_core: Option<&'a [String]>,
    /// The dialect of the solver.
    pub dialect: Dialect,
}

/// The error of this kind, if the reply shows it. That a verdict is wrong follows from the ground truth
/// of the script, which the caller knows; models and cores are checked here.
pub fn reproduced(
    class: FindingKind,
    reply: &Reply,
    asked: &mut AskedScript<'_>,
) -> Option<Reproduced> {
    let confirmed = |class, said: String, reasons| Some(Reproduced { class, said, reasons });
    let model = reply.model();
    match (class, reply.verdict()) {
        (FindingKind::WrongUnsat, Some(Verdict::Unsat)) => {
            let reason = "the referee evaluates every assertion to true under the model above";
            confirmed(class, "unsat".into(), vec![reason.into()])
        }
        (FindingKind::Contradiction, Some(Verdict::Unsat)) => {
            let reason = "the solver answers sat to the other formula, which is equisatisfiable";
            confirmed(class, "unsat".into(), vec![reason.into()])
        }
        (FindingKind::Disputed, Some(Verdict::Unsat)) => {
            let reason = "nothing decides: no model that the referee accepts, and no proof";
            confirmed(class, "unsat".into(), vec![reason.into()])
        }
        (FindingKind::WrongSat, Some(Verdict::Sat)) => {
            let reasons = match model.map(|model| check(asked, model)) {
                Some(Checked::Invalid(outcome)) => render_invalid(asked.pool, &outcome),
                _ => Vec::new(),
            };
            confirmed(class, said_sat(model), reasons)
        }
        // Of wrong values the caller gives the claims in the place of the model.
        (FindingKind::InvalidModel | FindingKind::WrongValue, Some(Verdict::Sat)) => {
            match check(asked, model?) {
                Checked::Invalid(outcome) => {
                    let reasons = render_invalid(asked.pool, &outcome);
                    confirmed(class, said_sat(model), reasons)
                }
                _ => None,
            }
        }
        (FindingKind::PlantedAgainstModel, Some(Verdict::Sat)) => {
            let checked = check(asked, model?);
            matches!(checked, Checked::Valid).then(|| Reproduced {
                class,
                said: said_sat(model),
                reasons: vec![
                    "the referee evaluates every assertion to true under the model".into(),
                ],
            })
        }
        (FindingKind::InvalidCore, Some(Verdict::Unsat)) => {
            let names = reply.core()?;
            let reason = invalid_core_reason(asked, names)?;
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            confirmed(class, format!("unsat, core ({})", names.join(" ")), vec![reason])
        }
        (FindingKind::Incomplete, Some(Verdict::Unknown)) => {
            let reason = "there is nothing to solve: the formula has no constants";
            confirmed(class, "unknown".into(), vec![reason.into()])
        }
        (FindingKind::Crash, None) if is_crash(reply) => {
            let stderr_line = reply.stderr_line.as_ref().map(|line| format!(": {line}"));
            let said = format!("{}{}", reply.detail, stderr_line.unwrap_or_default());
            confirmed(class, one_line(&said), Vec::new())
        }
        (FindingKind::Slow | FindingKind::Incomplete, None)
            if matches!(reply.class, Class::Timeout | Class::Memout) =>
        {
            confirmed(FindingKind::Slow, NO_ANSWER.into(), Vec::new())
        }
        _ => None,
    }
}

/// The error of this kind that the values of a reply to `get-value` show, as [`ValueRequest::claims`]
/// writes them.
///
/// [`ValueRequest::claims`]: crate::values::ValueRequest::claims
pub(crate) fn reproduced_by_values(
    class: FindingKind,
    claims: &Text,
    asked: &mut AskedScript<'_>,
) -> Option<Reproduced> {
    let said = format!("sat, values {claims}");
    match (class, check(asked, claims)) {
        (FindingKind::WrongValue, Checked::Invalid(outcome)) => {
            Some(Reproduced { class, said, reasons: render_invalid(asked.pool, &outcome) })
        }
        (FindingKind::PlantedAgainstModel, Checked::Valid) => {
            let reason = "the referee evaluates every assertion to true under the values";
            Some(Reproduced { class, said, reasons: vec![reason.into()] })
        }
        _ => None,
    }
}

/// The result of checking a model.
pub(crate) enum Checked {
    Valid,
    Invalid(CheckOutcome),
    /// The model is incomplete, or the referee cannot decide.
    Undecided,
}

/// Checks a model as a solver printed it. An incomplete model that default values complete is valid.
pub(crate) fn check(asked: &mut AskedScript<'_>, model: &Text) -> Checked {
    check_query(asked.pool, asked.script, None, asked.dialect, model)
}

/// As [`check`], for the query with a number from 0, or for the last one.
pub(crate) fn check_query(
    pool: &mut TermPool,
    script: &Script,
    query: Option<usize>,
    dialect: Dialect,
    model: &Text,
) -> Checked {
    let options = CheckOptions {
        dialect: Some(dialect),
        query: query.map(|number| number + 1),
        limits: Limits { steps: STEPS, ..judging_limits() },
        ..CheckOptions::default()
    };
    let checked = check_model(pool, script, model.as_bytes(), &options);
    match checked.map(|check| check.outcome) {
        Ok(
            CheckOutcome::Valid | CheckOutcome::Incomplete { default_completion: Some(true), .. },
        ) => Checked::Valid,
        Ok(outcome @ CheckOutcome::Invalid { .. }) => Checked::Invalid(outcome),
        _ => Checked::Undecided,
    }
}

/// Why a core is invalid; `None` if nothing speaks against it.
pub(crate) fn invalid_core_reason(asked: &AskedScript<'_>, names: &[Text]) -> Option<String> {
    let planted: Option<Vec<Text>> =
        asked.planted_core.map(|core| core.iter().map(|name| Text::from(name.as_str())).collect());
    let found = examine_core(asked.pool, asked.script, 0, names, planted.as_deref()).ok()?;
    (found.outcome == CoreOutcome::Invalid).then(|| found.detail.unwrap_or_default())
}

/// Whether the process exited abnormally, or the solver reports an internal error.
pub fn is_crash(reply: &Reply) -> bool {
    matches!(reply.class, Class::Crash | Class::Malformed) || reply.is_internal_error()
}

/// Not too long, and without control characters.
fn one_line(text: &str) -> String {
    let clean = |character: char| if character.is_control() { ' ' } else { character };
    text.chars().map(clean).take(240).collect()
}

/// `sat`, with the model if there is one.
pub(crate) fn said_sat(model: Option<&Text>) -> String {
    match model {
        Some(model) => format!("sat, model {model}"),
        None => "sat".to_owned(),
    }
}
