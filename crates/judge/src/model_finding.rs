//! The result of checking a model as a record: an outcome and one line of detail.
//!
//! The detail names the first false assertion with a few steps of its explanation, the missing
//! values, or the reason why nothing can be decided. Checking the model again gives the whole
//! explanation.

use luthier_records::{ModelFinding, ModelOutcome};
use luthier_smtlib::source::Locator;
use luthier_terms::TermPool;

use crate::render::{failing_name, render_explanation, short_term, wrong_value_sentence};
use crate::{CheckOutcome, FailingAssertion, ModelCheck, WrongValue};

/// The longest detail, in characters.
const MAX_DETAIL: usize = 400;
/// How many steps of an explanation are shown after the assertion itself.
const MAX_STEPS: usize = 3;
/// How many missing values are named.
const MAX_NAMES: usize = 5;

/// The record of a checked model. With the script's source, positions are given by line.
pub fn model_finding(
    pool: &mut TermPool,
    check: &ModelCheck,
    source: Option<&Locator<'_>>,
) -> ModelFinding {
    let (outcome, detail) = match &check.outcome {
        CheckOutcome::Valid => {
            (ModelOutcome::Valid, check.remarks.first().map(|one| one_line(one)))
        }
        CheckOutcome::Invalid { failing, wrong_values } => {
            (ModelOutcome::Invalid, Some(describe_invalid(pool, failing, wrong_values, source)))
        }
        CheckOutcome::Incomplete { missing, by_zero, default_completion } => {
            let names =
                missing.iter().map(|&function| format!("`{}`", pool.function_name(function)));
            let divisions = by_zero.iter().map(|&term| short_term(pool, term));
            let all: Vec<String> = names.chain(divisions).collect();
            let mut detail = format!("no value for {}", list(&all));
            detail.push_str(match default_completion {
                Some(true) => "; true with default values",
                Some(false) => "; false with default values",
                None => "; undecided even with default values",
            });
            let completed = *default_completion == Some(true);
            let outcome =
                if completed { ModelOutcome::Completed } else { ModelOutcome::Incomplete };
            (outcome, Some(one_line(&detail)))
        }
        CheckOutcome::Unsupported { reason } => {
            // The message first, then where it is; the quoted line of the source is left out.
            let lines: Vec<&str> =
                reason.lines().map(str::trim).filter(|line| !line.is_empty()).take(2).collect();
            (ModelOutcome::Unsupported, Some(one_line(&lines.join(": "))))
        }
        CheckOutcome::Exceeded { reason } => (ModelOutcome::Exceeded, Some(one_line(reason))),
    };
    ModelFinding { outcome, detail }
}

fn describe_invalid(
    pool: &mut TermPool,
    failing: &[FailingAssertion],
    wrong_values: &[WrongValue],
    source: Option<&Locator<'_>>,
) -> String {
    let detail = match (failing.first(), wrong_values.first()) {
        (Some(first), _) => describe_failing(pool, first, source),
        (None, Some(first)) => wrong_value_sentence(pool, first),
        (None, None) => "it is refuted".to_owned(),
    };
    match failing.len().saturating_sub(1) {
        0 => one_line(&detail),
        more => format!("{} (and {more} more)", one_line(&detail)),
    }
}

fn describe_failing(
    pool: &mut TermPool,
    failing: &FailingAssertion,
    source: Option<&Locator<'_>>,
) -> String {
    let mut which = failing_name(pool, failing);
    if let (Some(_), Some(source)) = (failing.number, source) {
        which.push_str(&format!(" in line {}", source.location(failing.span.start).line));
    }
    // The first step is the assertion itself, the rest is what makes it false.
    let steps: Vec<String> = render_explanation(pool, &failing.explanation)
        .into_iter()
        .skip(1)
        .take(MAX_STEPS)
        .map(|step| step.trim().to_owned())
        .collect();
    let why = if steps.is_empty() { short_term(pool, failing.term) } else { steps.join(", ") };
    format!("{which} is false: {why}")
}

fn list(names: &[String]) -> String {
    let shown = names.len().min(MAX_NAMES);
    let mut text = names[..shown].join(", ");
    if shown < names.len() {
        text.push_str(&format!(" and {} more", names.len() - shown));
    }
    text
}

/// Without line breaks and other control characters, and not too long.
fn one_line(text: &str) -> String {
    let clean = |character: char| if character.is_control() { ' ' } else { character };
    let mut line: String = text.chars().map(clean).take(MAX_DETAIL).collect();
    if text.chars().nth(MAX_DETAIL).is_some() {
        line.push('…');
    }
    line
}
