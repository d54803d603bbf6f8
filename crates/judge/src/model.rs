//! Model checking: does a printed model satisfy a query of a script?
//!
//! The model is read in the dialect of the solver, and the referee evaluates every assertion and
//! assumption under it. A false assertion, or a value claimed for a term that it does not have,
//! makes the model invalid. If no assertion is false but some is undecided because values are
//! missing, the model is incomplete, and it is tried again with default values. Without a known
//! dialect, a model whose literals read differently in older dialects is checked in both readings;
//! if the results differ, nothing is decided.
//!
//! Reading and evaluating have limits, because a model is untrusted output: a number may have
//! millions of digits, and values may grow without end during evaluation. The time is counted from
//! the beginning of [`check_model`] and bounds all of it; limits on the text and its integers
//! follow from those on memory and integers. Beyond them the outcome is [`CheckOutcome::Exceeded`]:
//! nothing is known about such a model.

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

use crate::built_model::{BuiltModel, build_model, default_interpretation};
use crate::expectations::nonstandard_semantics;
use crate::render::describe_reason;

/// How to check a model.
#[derive(Clone, Copy, Debug)]
pub struct CheckOptions<'a> {
    /// The name of the model's text in messages.
    pub model_name: &'a str,
    /// The dialect in which the solver writes literals. Without it a model is read by the
    /// standard, and if a literal reads otherwise in older dialects, by those too.
    pub dialect: Option<Dialect>,
    /// Which `check-sat` of the script the model answers, from 1; the last one if not given.
    pub query: Option<usize>,
    /// The limits of reading and evaluating together.
    pub limits: Limits,
}

/// The default processor time for reading and checking a model.
pub const JUDGING_TIME: Duration = Duration::from_secs(10);

/// The default limits for checking a model: those of the referee, and [`JUDGING_TIME`].
pub fn judging_limits() -> Limits {
    Limits { cpu_time: Some(JUDGING_TIME), ..Limits::default() }
}

/// Limits by steps, which are the same on every machine: what is decided within them is decided everywhere.
/// The time, ten times as long as the steps usually take, only ends what no step counts.
pub fn limits_of_steps(steps: u64, memory: u64) -> Limits {
    let default = Limits::default();
    Limits {
        steps,
        regex_steps: steps.min(default.regex_steps),
        comparison_steps: steps.min(default.comparison_steps),
        memory,
        cpu_time: Some(
            Duration::from_nanos(steps.saturating_mul(100)).max(Duration::from_secs(10)),
        ),
        ..default
    }
}

/// Limits for this processor time and this many bytes of values. The other limits of the referee grow with
/// them, so that these two are the ones that apply.
pub fn limits_within(time: Duration, memory: u64) -> Limits {
    let default = Limits::default();
    let more = |number: u64, factor: f64| {
        // Rounded down, and saturating.
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

/// The result of checking a model.
#[derive(Debug)]
pub struct ModelCheck {
    /// The outcome.
    pub outcome: CheckOutcome,
    /// How many assertions and assumptions there are to check.
    pub checked: usize,
    /// The dialect in which the model's literals were read.
    pub dialect: Dialect,
    /// Remarks on the text, such as repeated values.
    pub remarks: Vec<String>,
}

/// The outcome of checking a model.
#[derive(Debug)]
pub enum CheckOutcome {
    /// Every assertion is true.
    Valid,
    /// Some assertion is false, or the solver gives a term a value that it does not have.
    Invalid {
        /// The false assertions.
        failing: Vec<FailingAssertion>,
        /// The wrong values.
        wrong_values: Vec<WrongValue>,
    },
    /// No assertion is false, but some depend on values that the model does not define.
    Incomplete {
        /// The constants and functions without a value, by name.
        missing: Vec<FunctionId>,
        /// The divisions by zero that the model does not define.
        by_zero: Vec<TermId>,
        /// Whether the model satisfies the script when what is missing gets default values
        /// (`false`, 0, the empty string); `None` if even that is undecided.
        default_completion: Option<bool>,
    },
    /// The referee or the reader does not support it.
    Unsupported {
        /// Why.
        reason: String,
    },
    /// Reading or evaluating it exceeds a limit.
    Exceeded {
        /// The limit.
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
    /// Its position in the script.
    pub span: Span,
    /// Why it is false.
    pub explanation: Explanation,
}

/// A value that the solver gives for a term, and that the term does not have under its model.
#[derive(Debug)]
pub struct WrongValue {
    /// The term.
    pub term: TermId,
    /// The claimed value.
    pub claimed: TermId,
    /// The value under the model.
    pub actual: Value,
}

/// A script has fewer queries than were asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchQuery {
    /// How many it has.
    pub queries: usize,
}

impl CheckOutcome {
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
/// `pool`. A script for a semantics other than the standard's is unsupported.
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
    if let Some(semantics) = nonstandard_semantics(pool, script) {
        let reason = format!(
            "the script was generated for another semantics of its operators ({semantics}), and the \
             referee implements only the standard's"
        );
        let checked = query.assertions.len() + query.assumptions.len();
        let outcome = CheckOutcome::Unsupported { reason };
        return Ok(ModelCheck { outcome, checked, dialect, remarks: Vec::new() });
    }
    let (check, depends) = check_in_dialect(pool, script, query, text, dialect, options, deadline);
    if options.dialect.is_some() || !depends {
        return Ok(check);
    }
    // An older dialect reads the same text as another model. If that changes the outcome, the release
    // that printed it must be known.
    let legacy = Dialect::Smt25;
    let (other, _) = check_in_dialect(pool, script, query, text, legacy, options, deadline);
    if other.outcome.name() == check.outcome.name() {
        return Ok(check);
    }
    let reason = format!(
        "the model has backslash sequences; read by SMT-LIB 2.6 it is {}, read as Z3 up to 4.8.10 \
         and CVC4 up to 1.7 write them it is {}: say which release printed it",
        check.outcome.name(),
        other.outcome.name()
    );
    Ok(ModelCheck { outcome: CheckOutcome::Unsupported { reason }, ..check })
}

/// The query that a model answers: the last one if no number is given. Without a number, a script without
/// queries has the empty query, which every model satisfies.
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

/// Checks a model as read in one dialect; also returns whether other dialects read the text differently.
fn check_in_dialect(
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
    let outcome = match outcome_without_model(&reading, text, options.model_name) {
        Some(outcome) => outcome,
        None if deadline.has_passed() => {
            CheckOutcome::Exceeded { reason: "reading the model takes too much time".to_owned() }
        }
        None => {
            let built = build_model(&reading.entries);
            evaluate_query(pool, query, &built, options.limits, deadline)
        }
    };
    let warnings = reading.diagnostics.iter().filter(|one| one.severity == Severity::Warning);
    let repeated = warnings.filter(|warning| warning.code == Code::RepeatedValue);
    let remarks = repeated.map(|warning| warning.message.clone()).collect();
    (ModelCheck { outcome, checked, dialect, remarks }, depends)
}

/// The outcome if there is no model to evaluate.
fn outcome_without_model(reading: &ParsedModel, text: &[u8], name: &str) -> Option<CheckOutcome> {
    if let Some(limit) = &reading.exceeded {
        return Some(CheckOutcome::Exceeded { reason: format!("the model has {limit}") });
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
    Some(CheckOutcome::Unsupported { reason })
}

fn evaluate_query(
    pool: &mut TermPool,
    query: &Query,
    built: &BuiltModel,
    limits: Limits,
    deadline: Deadline,
) -> CheckOutcome {
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
        return CheckOutcome::Invalid { failing, wrong_values };
    }
    if undecided.is_empty() {
        return CheckOutcome::Valid;
    }
    let mut missing = Vec::new();
    let mut by_zero = Vec::new();
    let mut exceeded = None;
    for &reason in &undecided {
        match reason {
            Reason::MissingValue(function) => missing.push(function),
            Reason::DivisionByZero(term) | Reason::ModuloByZero(term) => by_zero.push(term),
            limit if limit.is_limit() => exceeded = exceeded.or(Some(limit)),
            other => return CheckOutcome::Unsupported { reason: describe_reason(pool, other) },
        }
    }
    if let Some(limit) = exceeded {
        return CheckOutcome::Exceeded { reason: describe_reason(pool, limit) };
    }
    let default_completion = complete_by_default(pool, query, built, limits, deadline);
    CheckOutcome::Incomplete { missing, by_zero, default_completion }
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

/// Whether the query is satisfied when everything that is missing gets a default value. Under defaults,
/// evaluation may reach further undefined functions, so this repeats until nothing is missing.
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
