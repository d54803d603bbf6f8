//! Checks a model again, to show the full trace: which assertion is false, and why.
//!
//! The database keeps one line about each model. The formula and the output of the solver are stored,
//! so the trace can be recomputed when a page shows it.

use luthier_judge::{
    CheckOptions, CheckOutcome, check_model, failing_name, limits_of_steps, render_explanation,
    wrong_value_sentence,
};
use luthier_smtlib::source::Locator;
use luthier_smtlib::{Dialect, Mode, PrintOptions, ReadOptions, print_term, read_script};
use luthier_terms::{TermId, TermPool};

use crate::evaluation::{MEMORY, STEPS};
use crate::medium::Medium;
use crate::text::shorten;

/// Larger formulas and models are not checked again for a page.
const MOST_BYTES: usize = 2_000_000;
/// How many false assertions are explained, and how many steps each.
const MOST_ASSERTIONS: usize = 5;
const MOST_STEPS: usize = 40;
const MOST_SHOWN: usize = 300;

/// The result of checking again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trace {
    /// `valid`, `invalid`, `incomplete` or `unsupported`.
    pub outcome: &'static str,
    /// How many assertions were checked.
    pub checked: usize,
    /// False assertions.
    pub failing: Vec<Failing>,
    /// How many more there are.
    pub more: usize,
    /// Sentences: wrong values, missing values, why it cannot be said.
    pub remarks: Vec<String>,
}

/// A false assertion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failing {
    /// ``assertion 3 `name` ``.
    pub which: String,
    /// The line in the formula, from 1; `None` for an assumption.
    pub line: Option<usize>,
    /// Terms with their values, indented by depth.
    pub steps: Vec<String>,
}

/// A model as a solver printed it, for a query of a formula.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Printed<'a> {
    /// The formula.
    pub formula: &'a [u8],
    /// The dialect in which it is read.
    pub dialect: &'a str,
    /// The model.
    pub model: &'a [u8],
    /// The dialect in which the solver writes.
    pub model_dialect: &'a str,
    /// Which query it answers, from 0.
    pub query: usize,
    /// What it is shown on.
    pub medium: Medium,
}

/// Checks a model again. `None` if it is too large, or was made with dialects that are not known.
pub(crate) fn recheck(printed: &Printed<'_>) -> Option<Trace> {
    if printed.formula.len() > MOST_BYTES || printed.model.len() > MOST_BYTES {
        return None;
    }
    let dialect = printed.dialect.parse::<Dialect>().ok()?;
    let model_dialect = printed.model_dialect.parse::<Dialect>().ok()?;
    let mut pool = TermPool::new();
    let options = ReadOptions { dialect: Some(dialect), mode: Mode::Generous };
    let reading = read_script(&mut pool, printed.formula, &options);
    if reading.errors().next().is_some() {
        return None;
    }
    let mut options = CheckOptions {
        dialect: Some(model_dialect),
        query: Some(printed.query + 1),
        ..CheckOptions::default()
    };
    if printed.medium.is_site() {
        // The same on every machine.
        options.limits = limits_of_steps(STEPS, MEMORY);
    }
    let check = check_model(&mut pool, &reading.script, printed.model, &options).ok()?;
    let mut trace = Trace {
        outcome: check.outcome.name(),
        checked: check.checked,
        failing: Vec::new(),
        more: 0,
        remarks: Vec::new(),
    };
    match &check.outcome {
        CheckOutcome::Valid => {}
        CheckOutcome::Invalid { failing, wrong_values } => {
            let locator = Locator::new(printed.formula);
            for one in failing.iter().take(MOST_ASSERTIONS) {
                let which = failing_name(&pool, one);
                let line = one.number.map(|_| locator.location(one.span.start).line);
                let mut steps = render_explanation(&mut pool, &one.explanation);
                steps.truncate(MOST_STEPS);
                trace.failing.push(Failing { which, line, steps });
            }
            trace.more = failing.len().saturating_sub(MOST_ASSERTIONS);
            for wrong in wrong_values.iter().take(MOST_ASSERTIONS) {
                trace.remarks.push(wrong_value_sentence(&mut pool, wrong));
            }
        }
        CheckOutcome::Incomplete { missing, by_zero, default_completion } => {
            for &function in missing.iter().take(MOST_STEPS) {
                let name = pool.function_name(function);
                trace.remarks.push(format!("no value for “{name}”"));
            }
            for &term in by_zero.iter().take(MOST_STEPS) {
                trace.remarks.push(format!("no value for {}", term_text(&pool, term)));
            }
            trace.remarks.push(
                match default_completion {
                    Some(true) => "with default values every assertion is true",
                    Some(false) => "with default values some assertion is false",
                    None => "even with default values it is undecided",
                }
                .to_owned(),
            );
        }
        CheckOutcome::Unsupported { reason } | CheckOutcome::Exceeded { reason } => {
            trace.remarks.push(reason.clone())
        }
    }
    Some(trace)
}

fn term_text(pool: &TermPool, term: TermId) -> String {
    match print_term(pool, term, &PrintOptions::new(Dialect::Smt27)) {
        Ok(printed) => {
            let text = String::from_utf8_lossy(&printed.bytes);
            shorten(text.trim_end(), MOST_SHOWN).into_owned()
        }
        Err(error) => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Printed, recheck};
    use crate::medium::Medium;

    const FORMULA: &str = "(declare-const x String)\n(assert (= (str.len x) 2))\n\
                           (assert (! (str.prefixof \"a\" x) :named begins))\n(check-sat)\n";

    fn trace(model: &str) -> super::Trace {
        recheck(&Printed {
            formula: FORMULA.as_bytes(),
            dialect: "2.7",
            model: model.as_bytes(),
            model_dialect: "2.7",
            query: 0,
            medium: Medium::Server,
        })
        .unwrap()
    }

    #[test]
    fn a_false_assertion_is_named_with_its_line_and_its_reason() {
        let trace = trace("((define-fun x () String \"ba\"))");
        assert_eq!((trace.outcome, trace.checked), ("invalid", 2));
        let [failing] = trace.failing.as_slice() else { panic!("{trace:?}") };
        assert_eq!(failing.which, "assertion 2 `begins`");
        assert_eq!(failing.line, Some(3));
        assert!(failing.steps.iter().any(|step| step.contains("x = \"ba\"")), "{failing:?}");
    }

    #[test]
    fn a_true_model_has_nothing_to_explain_and_a_missing_value_is_named() {
        let valid = trace("((define-fun x () String \"ab\"))");
        assert_eq!(valid.outcome, "valid");
        assert!(valid.failing.is_empty() && valid.remarks.is_empty());
        let missing = trace("()");
        assert_eq!(missing.outcome, "incomplete");
        assert!(missing.remarks[0].contains("“x”"), "{missing:?}");
    }

    #[test]
    fn what_cannot_be_read_is_left_alone() {
        let printed = Printed {
            formula: b"(assert",
            dialect: "2.7",
            model: b"()",
            model_dialect: "2.7",
            query: 0,
            medium: Medium::Server,
        };
        assert_eq!(recheck(&printed), None);
        assert_eq!(recheck(&Printed { dialect: "klingon", ..printed }), None);
    }
}
