//! Does a model satisfy a script?
//!
//! Reading and judging have limits, because a model is what some program printed: a number of
//! millions of digits, or values that grow without end when the assertions are evaluated. The time
//! is counted from the beginning of [`check_model`] and bounds all of it; the size of the text and
//! of its integers follows from the limits on memory and integers. What is beyond them is
//! [`Outcome::Exceeded`]: nothing is known about such a model.

use std::collections::BTreeSet;
use std::time::Duration;

use luthier_semantics::{
    Deadline, Evaluation, Evaluator, Explanation, Interpretation, Limits, Reason, Value,
};
use luthier_smtlib::source::{Locator, Span};
use luthier_smtlib::{
    Code, Dialect, ModelLimits, ParsedModel, Query, Script, Severity, read_model_within,
};
use luthier_terms::{FunctionId, SymbolId, TermId, TermPool};

use crate::build::{BuiltModel, build_model, default_interpretation};
use crate::expectation::other_semantics;
use crate::render::describe_reason;

/// How to check a model.
#[derive(Clone, Copy, Debug)]
pub struct CheckOptions<'a> {
    /// What the model's text is called in messages.
    pub model_name: &'a str,
    /// The dialect in which the solver writes literals. Without it a model is read by the
    /// standard, and if a literal reads otherwise in older dialects, by those too.
    pub dialect: Option<Dialect>,
    /// Which `check-sat` of the script the model answers, from 1; the last one if not given.
    pub query: Option<usize>,
    /// How much reading and judging may cost; the processor time is that of all of it.
    pub limits: Limits,
}

/// The processor time that reading and judging a model may take if nobody says otherwise.
pub const JUDGING_TIME: Duration = Duration::from_secs(10);

/// The limits for judging a model if nobody says otherwise: those of the referee, and
/// [`JUDGING_TIME`].
pub fn judging_limits() -> Limits {
    Limits { cpu_time: Some(JUDGING_TIME), ..Limits::default() }
}

/// Limits for so much processor time and so many bytes of values. The other limits of the referee
/// grow with them, so that they are what decides.
pub fn limits_within(time: Duration, memory: u64) -> Limits {
    let default = Limits::default();
    let more = |number: u64, factor: f64| {
        // Fractions of a step do not matter, and too large a number becomes the largest.
        (number as f64 * factor) as u64
    };
    let longer = (time.as_secs_f64() / JUDGING_TIME.as_secs_f64()).max(1.0);
    let larger = (memory as f64 / default.memory as f64).max(1.0);
    let cells = more(default.regex_cells as u64, larger);
    let length = more(default.string_length as u64, larger);
    Limits {
        steps: more(default.steps, longer),
        regex_steps: more(default.regex_steps, longer),
        comparison_steps: more(default.comparison_steps, longer),
        regex_cells: usize::try_from(cells).unwrap_or(usize::MAX),
        string_length: usize::try_from(length).unwrap_or(usize::MAX),
        integer_bits: more(default.integer_bits, larger),
        memory,
        cpu_time: Some(time),
        ..default
    }
}

/// How large the text of a model may be: a sixteenth of the memory, since what is read takes more
/// room than its text, and integers that the referee may use.
pub fn model_limits(limits: &Limits) -> ModelLimits {
    let clamp = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    ModelLimits {
        bytes: clamp(limits.memory / 16),
        // log₁₀ 2 > 0.301
        integer_digits: clamp(limits.integer_bits / 1000 * 301),
    }
}

impl Default for CheckOptions<'_> {
    fn default() -> Self {
        Self { model_name: "model", dialect: None, query: None, limits: judging_limits() }
    }
}

/// The judgement on a model.
#[derive(Debug)]
pub struct ModelCheck {
    /// What came of it.
    pub outcome: Outcome,
    /// How many assertions and assumptions there are to check.
    pub checked: usize,
    /// The dialect in which the model's literals were read.
    pub dialect: Dialect,
    /// What is strange about the text although it can be read.
    pub remarks: Vec<String>,
}

/// What came of checking a model.
#[derive(Debug)]
pub enum Outcome {
    /// Every assertion is true.
    Valid,
    /// Some assertion is false, or the solver gives a term a value that it does not have.
    Invalid {
        /// The false assertions.
        failing: Vec<FailingAssertion>,
        /// The wrong values.
        wrong_values: Vec<WrongValue>,
    },
    /// No assertion is false, but the model does not say enough to make all of them true.
    Incomplete {
        /// The constants and functions without a value, by name.
        missing: Vec<FunctionId>,
        /// The divisions by zero that the model says nothing about.
        by_zero: Vec<TermId>,
        /// Whether the model satisfies the script when what is missing gets default values
        /// (`false`, 0, the empty string); `None` if even that is undecided.
        default_completion: Option<bool>,
    },
    /// The judge cannot say.
    Unsupported {
        /// Why.
        reason: String,
    },
    /// Reading or judging it goes beyond a limit.
    Exceeded {
        /// Which one.
        reason: String,
    },
}

/// An assertion that a model makes false.
#[derive(Debug)]
pub struct FailingAssertion {
    /// Its number in the script, from 1; `None` for an assumption of `check-sat-assuming`.
    pub number: Option<usize>,
    /// Its `:named` name.
    pub name: Option<SymbolId>,
    /// The formula.
    pub term: TermId,
    /// Where it stands in the script.
    pub span: Span,
    /// Why it is false.
    pub explanation: Explanation,
}

/// A value that the solver gives for a term, and that the term does not have under its model.
#[derive(Debug)]
pub struct WrongValue {
    /// The term.
    pub term: TermId,
    /// What the solver says.
    pub claimed: TermId,
    /// What it is.
    pub actual: Value,
}

/// A script has fewer queries than were asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchQuery {
    /// How many it has.
    pub queries: usize,
}

impl Outcome {
    /// One word for it: `valid`, `invalid`, `incomplete`, `unsupported` or `exceeded`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Invalid { .. } => "invalid",
            Self::Incomplete { .. } => "incomplete",
            Self::Unsupported { .. } => "unsupported",
            Self::Exceeded { .. } => "exceeded",
        }
    }
}

/// Checks the model in `text`, as a solver printed it, against a script that was read into
/// `pool`. A script that was made for another meaning than the standard's cannot be checked.
pub fn check_model(
    pool: &mut TermPool,
    script: &Script,
    text: &[u8],
    options: &CheckOptions<'_>,
) -> Result<ModelCheck, NoSuchQuery> {
    let deadline = Deadline::after(options.limits.cpu_time);
    let query = chosen_query(script, options.query)?;
    let query = &query;
    let dialect = options.dialect.unwrap_or(Dialect::Smt27);
    if let Some(semantics) = other_semantics(pool, script) {
        let reason = format!(
            "the script was made for another meaning of its operators ({semantics}), and the \
             referee knows only the standard's"
        );
        let checked = query.assertions.len() + query.assumptions.len();
        let outcome = Outcome::Unsupported { reason };
        return Ok(ModelCheck { outcome, checked, dialect, remarks: Vec::new() });
    }
    let (check, depends) = check_reading(pool, script, query, text, dialect, options, deadline);
    if options.dialect.is_some() || !depends {
        return Ok(check);
    }
    // The same text is another model to an older reader. If that changes the judgement, only
    // whoever ran the solver can say which one it is.
    let legacy = Dialect::Smt25;
    let (other, _) = check_reading(pool, script, query, text, legacy, options, deadline);
    if other.outcome.name() == check.outcome.name() {
        return Ok(check);
    }
    let reason = format!(
        "the model has backslash sequences; read by SMT-LIB 2.6 it is {}, read as Z3 up to 4.8.10 \
         and CVC4 up to 1.7 write them it is {}: say which release printed it",
        check.outcome.name(),
        other.outcome.name()
    );
    Ok(ModelCheck { outcome: Outcome::Unsupported { reason }, ..check })
}

/// The query that a model answers: the last one if none is named. A script that asserts nothing
/// asks nothing, and any model will do.
fn chosen_query(script: &Script, number: Option<usize>) -> Result<Query, NoSuchQuery> {
    let mut queries = 0;
    let mut chosen = None;
    for query in script.queries() {
        queries += 1;
        if number.is_none_or(|number| number == queries) {
            chosen = Some(query);
        }
    }
    match chosen {
        Some(query) => Ok(query),
        None if number.is_none() => Ok(Query { assertions: Vec::new(), assumptions: Vec::new() }),
        None => Err(NoSuchQuery { queries }),
    }
}

/// Checks one reading of a model; also says whether the text reads otherwise in other dialects.
fn check_reading(
    pool: &mut TermPool,
    script: &Script,
    query: &Query,
    text: &[u8],
    dialect: Dialect,
    options: &CheckOptions<'_>,
    deadline: Deadline,
) -> (ModelCheck, bool) {
    let reading = read_model_within(pool, script, text, dialect, &model_limits(&options.limits));
    let checked = query.assertions.len() + query.assumptions.len();
    let depends = reading.depends_on_escapes;
    let outcome = match without_model(&reading, text, options.model_name) {
        Some(outcome) => outcome,
        None if deadline.has_passed() => {
            Outcome::Exceeded { reason: "reading the model takes too much time".to_owned() }
        }
        None => {
            let built = build_model(&reading.entries);
            judge(pool, query, &built, options.limits, deadline)
        }
    };
    let warnings = reading.diagnostics.iter().filter(|one| one.severity == Severity::Warning);
    let repeated = warnings.filter(|warning| warning.code == Code::RepeatedValue);
    let remarks = repeated.map(|warning| warning.message.clone()).collect();
    (ModelCheck { outcome, checked, dialect, remarks }, depends)
}

/// Why there is nothing to be judged, if there is not.
fn without_model(reading: &ParsedModel, text: &[u8], name: &str) -> Option<Outcome> {
    if let Some(limit) = &reading.exceeded {
        return Some(Outcome::Exceeded { reason: format!("the model has {limit}") });
    }
    let reason = if let Some(error) = reading.errors().next() {
        let rendered = error.render(name, &Locator::new(text));
        format!("the model could not be read\n{rendered}")
    } else if reading.found {
        return None;
    } else {
        match reading.solver_errors.first() {
            Some(error) => format!("there is no model, only an error of the solver: {error}"),
            None => "there is no model in the text".to_owned(),
        }
    };
    Some(Outcome::Unsupported { reason })
}

fn judge(
    pool: &mut TermPool,
    query: &Query,
    built: &BuiltModel,
    limits: Limits,
    deadline: Deadline,
) -> Outcome {
    let mut evaluator = Evaluator::until(pool, &built.model, limits, deadline);
    let mut undecided: BTreeSet<Reason> = BTreeSet::new();
    let mut failing = Vec::new();
    for (number, name, term, span) in formulas(query) {
        match evaluator.evaluate(term) {
            Evaluation::Known(Value::Bool(true)) => {}
            Evaluation::Known(_) => {
                let explanation = evaluator.explain(term);
                failing.push(FailingAssertion { number, name, term, span, explanation });
            }
            Evaluation::Undecided(reasons) => undecided.extend(reasons.iter()),
        }
    }
    let wrong_values = wrong_values(&mut evaluator, &built.claims);
    if !failing.is_empty() || !wrong_values.is_empty() {
        return Outcome::Invalid { failing, wrong_values };
    }
    if undecided.is_empty() {
        return Outcome::Valid;
    }
    let mut missing = Vec::new();
    let mut by_zero = Vec::new();
    let mut exceeded = None;
    for &reason in &undecided {
        match reason {
            Reason::MissingValue(function) => missing.push(function),
            Reason::DivisionByZero(term) | Reason::ModuloByZero(term) => by_zero.push(term),
            limit if limit.is_limit() => exceeded = exceeded.or(Some(limit)),
            other => return Outcome::Unsupported { reason: describe_reason(pool, other) },
        }
    }
    if let Some(limit) = exceeded {
        return Outcome::Exceeded { reason: describe_reason(pool, limit) };
    }
    let default_completion = complete_by_default(pool, query, built, limits, deadline);
    Outcome::Incomplete { missing, by_zero, default_completion }
}

type Formula = (Option<usize>, Option<SymbolId>, TermId, Span);

fn formulas(query: &Query) -> impl Iterator<Item = Formula> {
    let assertions = query.assertions.iter().map(|active| {
        let assertion = active.assertion;
        (Some(active.number), assertion.name, assertion.term, active.span)
    });
    let assumptions = query.assumptions.iter().map(|&term| (None, None, term, Span::default()));
    assertions.chain(assumptions)
}

fn wrong_values(evaluator: &mut Evaluator<'_>, claims: &[(TermId, TermId)]) -> Vec<WrongValue> {
    let mut wrong = Vec::new();
    for &(term, claimed) in claims {
        let (actual, said) = (evaluator.evaluate(term), evaluator.evaluate(claimed));
        if let (Evaluation::Known(actual), Evaluation::Known(said)) = (actual, said)
            && actual != said
        {
            wrong.push(WrongValue { term, claimed, actual });
        }
    }
    wrong
}

/// Whether the query holds when everything that is missing gets a default value. Defaults may
/// bring new parts into play, so what is missing is asked for until nothing is.
fn complete_by_default(
    pool: &mut TermPool,
    query: &Query,
    built: &BuiltModel,
    limits: Limits,
    deadline: Deadline,
) -> Option<bool> {
    let mut model = built.model.clone();
    let zero = || Interpretation::Value(Value::Int(0.into()));
    model.division_by_zero.get_or_insert_with(zero);
    model.modulo_by_zero.get_or_insert_with(zero);
    loop {
        let mut evaluator = Evaluator::until(pool, &model, limits, deadline);
        let mut missing = BTreeSet::new();
        let mut undecided = false;
        for (_, _, term, _) in formulas(query) {
            match evaluator.evaluate(term) {
                Evaluation::Known(Value::Bool(true)) => {}
                Evaluation::Known(_) => return Some(false),
                Evaluation::Undecided(reasons) => {
                    undecided = true;
                    missing.extend(reasons.iter().filter_map(|reason| match reason {
                        Reason::MissingValue(function) => Some(function),
                        _ => None,
                    }));
                }
            }
        }
        if !undecided {
            return Some(true);
        }
        if missing.is_empty() {
            return None;
        }
        for function in missing {
            if deadline.has_passed() {
                return None;
            }
            let interpretation = default_interpretation(pool, function, &built.claims)?;
            model.insert(function, interpretation);
        }
    }
}
