//! Results as text for people: values, explanations, and why a model is invalid.
//!
//! An invalid model is always described in the same way: a false assertion by [`failing_name`] and
//! the steps of [`render_explanation`], a wrong value by [`wrong_value_sentence`].
//! [`render_invalid`] has both, line by line. Terms and values of more than 160 characters are cut
//! in the middle.

use luthier_semantics::{Evaluation, Explanation, Reason, Value};
use luthier_smtlib::{Dialect, PrintOptions, print_term};
use luthier_terms::{BigInt, SymbolId, Term, TermId, TermPool, decimal};

use crate::{CheckOutcome, FailingAssertion, WrongValue};

/// Longer terms and values are cut in the middle, so that an explanation stays readable.
const MAX_SHOWN: usize = 160;

/// Integers of more bits are described; writing their digits takes time.
const HUGE: u64 = 1 << 14;

/// A reason why something is undecided, for people.
pub fn describe_reason(pool: &TermPool, reason: Reason) -> String {
    let term = |term: TermId| short_term(pool, term);
    match reason {
        Reason::MissingValue(function) => {
            format!("the model gives no value to `{}`", pool.function_name(function))
        }
        Reason::UnfitInterpretation(function) => {
            format!("the model gives `{}` other sorts", pool.function_name(function))
        }
        Reason::UnboundVariable(variable) => format!("nothing binds {}", term(variable)),
        Reason::DivisionByZero(place) | Reason::ModuloByZero(place) => {
            format!("the value of {} depends on what dividing by zero gives", term(place))
        }
        Reason::Quantifier(place) => {
            format!("{} ranges over infinitely many values", term(place))
        }
        Reason::RecursionLimit(function) => {
            format!("unfolding `{}` does not end within the limit", pool.function_name(function))
        }
        Reason::LanguageComparison(place) => {
            format!("comparing the languages in {} takes too long", term(place))
        }
        Reason::RegexLimit(place) => format!("matching in {} takes too long", term(place)),
        Reason::SizeLimit(place) => format!("the value of {} is too large", term(place)),
        Reason::MemoryLimit(place) => {
            format!("the value of {} takes too much memory beside the others", term(place))
        }
        Reason::StepLimit => "the evaluation takes too many steps".to_owned(),
        Reason::TimeLimit => "the evaluation takes too much time".to_owned(),
        other => format!("{other:?}"),
    }
}

/// A value as a literal of SMT-LIB 2.7.
pub fn render_value(pool: &mut TermPool, value: &Value) -> String {
    match value {
        // For people: -1, not (- 1).
        Value::Int(number) => decimal::write(number),
        value => match value.to_term(pool) {
            Ok(term) => term_text(pool, term),
            Err(error) => error.to_string(),
        },
    }
}

/// An explanation, one line a step: `(str.indexof x "0" 0) = -1`, indented by depth.
pub fn render_explanation(pool: &mut TermPool, explanation: &Explanation) -> Vec<String> {
    let mut lines = Vec::new();
    for step in &explanation.steps {
        let value = match &step.value {
            Evaluation::Known(value) => short_value(pool, value),
            Evaluation::Undecided(reasons) => {
                let reasons: Vec<String> =
                    reasons.iter().map(|reason| describe_reason(pool, reason)).collect();
                format!("undecided ({})", reasons.join("; "))
            }
        };
        let term = short_term(pool, step.term);
        lines.push(format!("{}{term} = {value}", "  ".repeat(step.depth.min(20))));
    }
    if explanation.cut > 0 {
        lines.push(format!("… and {} more", explanation.cut));
    }
    lines
}

/// Why a model is invalid, line by line: each false assertion with its explanation, indented, then each
/// value that a term does not have. No lines for any other outcome.
pub fn render_invalid(pool: &mut TermPool, outcome: &CheckOutcome) -> Vec<String> {
    let mut lines = Vec::new();
    let CheckOutcome::Invalid { failing, wrong_values } = outcome else { return lines };
    for one in failing {
        lines.push(format!("{} is false:", failing_name(pool, one)));
        let steps = render_explanation(pool, &one.explanation);
        lines.extend(steps.into_iter().map(|step| format!("  {step}")));
    }
    lines.extend(wrong_values.iter().map(|one| wrong_value_sentence(pool, one)));
    lines
}

/// Which assertion is false: ``assertion 3 `name` ``, or `an assumption`.
pub fn failing_name(pool: &TermPool, failing: &FailingAssertion) -> String {
    formula_name(pool, failing.number, failing.name)
}

/// The name of an assertion with its number in the script, or of an assumption, which has none.
pub fn formula_name(pool: &TermPool, number: Option<usize>, name: Option<SymbolId>) -> String {
    let which = match number {
        Some(number) => format!("assertion {number}"),
        None => "an assumption".to_owned(),
    };
    match name {
        Some(name) => format!("{which} `{}`", pool.symbols().display(name)),
        None => which,
    }
}

/// That a term has another value than the solver says: `(str.len x) is 2, not 7 as the solver says`.
pub fn wrong_value_sentence(pool: &mut TermPool, wrong: &WrongValue) -> String {
    let actual = short_value(pool, &wrong.actual);
    let (term, claimed) = (short_term(pool, wrong.term), short_term(pool, wrong.claimed));
    format!("{term} is {actual}, not {claimed} as the solver says")
}

/// A term in SMT-LIB 2.7.
pub(crate) fn term_text(pool: &TermPool, term: TermId) -> String {
    match print_term(pool, term, &PrintOptions::new(Dialect::Smt27)) {
        Ok(printed) => String::from_utf8_lossy(&printed.bytes).into_owned(),
        Err(error) => error.to_string(),
    }
}

/// A value in an explanation. A huge one is described or cut before it is printed.
pub(crate) fn short_value(pool: &mut TermPool, value: &Value) -> String {
    match value {
        Value::Int(number) if number.bits() > HUGE => describe_huge(number),
        Value::String(text) if text.len() > MAX_SHOWN => {
            let half = MAX_SHOWN / 2;
            let ends = [&text[..half], &text[text.len() - half..]];
            let ends = ends.map(|end| render_value(pool, &Value::String(end.into())));
            shorten(&format!("{} … {}", ends[0], ends[1]))
        }
        value => shorten(&render_value(pool, value)),
    }
}

/// A term in an explanation.
pub(crate) fn short_term(pool: &TermPool, term: TermId) -> String {
    match pool.term(term) {
        Term::Integer(number) if number.bits() > HUGE => describe_huge(number),
        _ => shorten(&term_text(pool, term)),
    }
}

fn describe_huge(number: &BigInt) -> String {
    format!("(an integer of {} bits)", number.bits())
}

/// A text that is not too long to be read at a glance.
pub(crate) fn shorten(text: &str) -> String {
    let count = text.chars().count();
    if count <= MAX_SHOWN {
        return text.to_owned();
    }
    let half = MAX_SHOWN / 2;
    let head: String = text.chars().take(half).collect();
    let tail: String = text.chars().skip(count - half).collect();
    format!("{head} … {tail}")
}
