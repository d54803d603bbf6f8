//! Does a model satisfy a script?

use std::collections::BTreeSet;

use luthier_semantics::{
    Evaluation, Evaluator, Explanation, Interpretation, Limits, Reason, Value,
};
use luthier_smtlib::source::{Locator, Span};
use luthier_smtlib::{Dialect, Query, Script, read_model};
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
    /// How much work an evaluation may take.
    pub limits: Limits,
}

impl Default for CheckOptions<'_> {
    fn default() -> Self {
        Self { model_name: "model", dialect: None, query: None, limits: Limits::default() }
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
    /// One word for it: `valid`, `invalid`, `incomplete` or `unsupported`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Invalid { .. } => "invalid",
            Self::Incomplete { .. } => "incomplete",
            Self::Unsupported { .. } => "unsupported",
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
    let query = chosen_query(script, options.query)?;
    let query = &query;
    let dialect = options.dialect.unwrap_or(Dialect::Smt27);
    if let Some(semantics) = other_semantics(pool, script) {
        let reason = format!(
            "the script was made for another meaning of its operators ({semantics}), and the \
             referee knows only the standard's"
        );
        let checked = query.assertions.len() + query.assumptions.len();
        return Ok(ModelCheck { outcome: Outcome::Unsupported { reason }, checked, dialect });
    }
    let (check, depends) = check_reading(pool, script, query, text, dialect, options);
    if options.dialect.is_some() || !depends {
        return Ok(check);
    }
    // The same text is another model to an older reader. If that changes the judgement, only
    // whoever ran the solver can say which one it is.
    let legacy = Dialect::Smt25;
    let (other, _) = check_reading(pool, script, query, text, legacy, options);
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
) -> (ModelCheck, bool) {
    let reading = read_model(pool, script, text, dialect);
    let checked = query.assertions.len() + query.assumptions.len();
    let depends = reading.depends_on_escapes;
    let unsupported = |reason: String| {
        (ModelCheck { outcome: Outcome::Unsupported { reason }, checked, dialect }, depends)
    };
    if let Some(error) = reading.errors().next() {
        let rendered = error.render(options.model_name, &Locator::new(text));
        return unsupported(format!("the model could not be read\n{rendered}"));
    }
    if !reading.found {
        return unsupported(match reading.solver_errors.first() {
            Some(error) => format!("there is no model, only an error of the solver: {error}"),
            None => "there is no model in the text".to_owned(),
        });
    }
    let built = build_model(&reading.entries);
    let outcome = judge(pool, query, &built, options.limits);
    (ModelCheck { outcome, checked, dialect }, depends)
}

fn judge(pool: &mut TermPool, query: &Query, built: &BuiltModel, limits: Limits) -> Outcome {
    let mut evaluator = Evaluator::with_limits(pool, &built.model, limits);
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
    for &reason in &undecided {
        match reason {
            Reason::MissingValue(function) => missing.push(function),
            Reason::DivisionByZero(term) | Reason::ModuloByZero(term) => by_zero.push(term),
            other => return Outcome::Unsupported { reason: describe_reason(pool, other) },
        }
    }
    let default_completion = complete_by_default(pool, query, built, limits);
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
) -> Option<bool> {
    let mut model = built.model.clone();
    let zero = || Interpretation::Value(Value::Int(0.into()));
    model.division_by_zero.get_or_insert_with(zero);
    model.modulo_by_zero.get_or_insert_with(zero);
    loop {
        let mut evaluator = Evaluator::with_limits(pool, &model, limits);
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
            let interpretation = default_interpretation(pool, function, &built.claims)?;
            model.insert(function, interpretation);
        }
    }
}
