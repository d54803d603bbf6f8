//! The values that a solver claims for subterms, where its model is wrong.
//!
//! `get-value` is not there in every release, and not every release answers it from the model that it
//! prints. Instead every subterm gets a name: `(assert (= v t))` with a fresh constant `v`, so that the model
//! has a claimed value of each. An application whose claimed value is not what the referee computes from the
//! claimed values of its arguments is one on which solver and referee differ; the smallest is the culprit.
//! Arithmetic, `str.len` and `str.++` are seldom at fault themselves: they are where a wrong value meets
//! others. They are passed over.
//!
//! Limits: the names change the formula. If it does not fail any more, nothing is found.

use luthier_ask::Request;
use luthier_hunt::{AskedScript, reproduced};
use luthier_judge::{build_model, used_functions};
use luthier_records::{FindingKind, Text, Verdict};
use luthier_semantics::{Evaluator, Interpretation, Model, Value};
use luthier_smtlib::{Assertion, CommandKind, Script, read_model};
use luthier_terms::{FunctionId, Op, PostOrder, Sort, Term, TermId, TermPool, Theory};
use rustc_hash::FxHashMap;

use super::application::{Application, Ground, ground};
use crate::query::{command, is_closed, last_query, with_declarations};
use crate::trial::Trial;

/// The model that a solver prints, with default values where it is incomplete.
pub(super) fn printed_model(
    pool: &mut TermPool,
    script: &Script,
    trial: &Trial<'_>,
) -> Option<Model> {
    let reply = trial.ask_alone(pool, script, Some(Request::Model))?;
    if reply.verdict() != Some(Verdict::Sat) {
        return None;
    }
    Some(completed(pool, script, reply.model()?, trial))
}

/// The values of constants that a solver gives with a wrong value of another term.
pub(super) fn wrong_values(
    pool: &mut TermPool,
    script: &Script,
    trial: &Trial<'_>,
) -> Option<Model> {
    let reply = trial.ask_alone(pool, script, Some(Request::Value))?;
    let dialect = trial.solver.dialect;
    let mut asked = AskedScript { pool, script, planted_core: None, dialect };
    reproduced(FindingKind::WrongValue, &reply, &mut asked)?;
    Some(completed(pool, script, reply.model()?, trial))
}

/// A printed model, with default values where it is incomplete.
fn completed(pool: &mut TermPool, script: &Script, text: &Text, trial: &Trial<'_>) -> Model {
    let reading = read_model(pool, script, text.as_bytes(), trial.solver.dialect);
    let mut model = build_model(&reading.entries).model;
    for function in used_functions(pool, &last_query(script)) {
        if model.get(function).is_none() {
            let result = pool.function(function).result;
            model.insert_value(function, Value::default_of(result));
        }
    }
    model
}

/// The smallest application whose claimed value is wrong, with its term.
pub(super) fn wrong_claim(
    pool: &mut TermPool,
    script: &Script,
    trial: &Trial<'_>,
) -> Option<(TermId, Application)> {
    let named = subterms(pool, script);
    let (script, names) = with_names(pool, script, &named)?;
    let model = printed_model(pool, &script, trial)?;
    // Claimed values of the named subterms; what has no name is evaluated under the model.
    let mut claims: FxHashMap<TermId, Value> = FxHashMap::default();
    for (&term, &name) in named.iter().zip(&names) {
        claims.insert(term, value_of(pool, &model, name)?);
    }
    for &term in &named {
        let Term::Op(op, children) = pool.term(term) else { continue };
        if matches!(op.info().theory, Theory::Core | Theory::Arrays) || is_common(op) {
            continue;
        }
        let children = children.to_vec();
        let mut evaluator = Evaluator::new(pool, &model);
        let arguments: Option<Vec<Value>> = children
            .iter()
            .map(|child| match claims.get(child) {
                Some(value) => Some(value.clone()),
                None => evaluator.evaluate(*child).known().cloned(),
            })
            .collect();
        let Some(found) = arguments.and_then(|arguments| applied(pool, op, arguments)) else {
            continue;
        };
        if claims.get(&term).is_some_and(|claim| *claim != found.application.result) {
            return Some((term, found.application));
        }
    }
    None
}

/// Whether an operator occurs in formulas about all others.
pub(super) fn is_common(op: Op) -> bool {
    op.info().theory == Theory::Ints || matches!(op, Op::StrLen | Op::StrConcat | Op::StrToRe)
}

/// An operator applied to values, with its value by the referee.
pub(super) fn applied(pool: &mut TermPool, op: Op, arguments: Vec<Value>) -> Option<Ground> {
    let children: Option<Vec<TermId>> =
        arguments.iter().map(|value| value.to_term(pool).ok()).collect();
    let term = pool.op(op, &children?).ok()?;
    let result = Evaluator::new(pool, &Model::new()).evaluate(term).known().cloned()?;
    ground(pool, term, op, arguments, result)
}

/// The closed subterms that are no leaves and whose sort has literals, arguments first.
pub(super) fn subterms(pool: &TermPool, script: &Script) -> Vec<TermId> {
    let is_named = |&term: &TermId| {
        matches!(pool.sort(term), Sort::Bool | Sort::Int | Sort::String)
            && !pool.children(term).is_empty()
            && pool.as_integer(term).is_none()
            && is_closed(pool, &[term])
    };
    PostOrder::new(pool, last_query(script)).filter(is_named).collect()
}

/// The script with a constant for each of these terms that is equal to it.
fn with_names(
    pool: &mut TermPool,
    script: &Script,
    terms: &[TermId],
) -> Option<(Script, Vec<FunctionId>)> {
    let mut script = script.clone();
    let mut names = Vec::new();
    let is_query = |kind: &CommandKind| {
        matches!(kind, CommandKind::CheckSat | CommandKind::CheckSatAssuming(_))
    };
    let place = script.commands.iter().rposition(|one| is_query(&one.kind))?;
    let mut equations = Vec::new();
    for (number, &term) in terms.iter().enumerate() {
        let sort = pool.sort(term);
        let name = fresh(pool, number, sort)?;
        let constant = pool.apply(name, &[]).ok()?;
        let term = pool.op(Op::Eq, &[constant, term]).ok()?;
        let assertion = Assertion { term, name: None, uses_let: false };
        equations.push(command(CommandKind::Assert(assertion)));
        names.push(name);
    }
    script.commands.splice(place..place, equations);
    Some((with_declarations(pool, &script), names))
}

/// A constant that no formula of ours declares.
pub(super) fn fresh(pool: &mut TermPool, number: usize, sort: Sort) -> Option<FunctionId> {
    let name = format!("luthier.value.{number}");
    let symbol = pool.symbols_mut().intern(name.as_bytes()).ok()?;
    pool.declare(symbol, Vec::new(), sort).ok()
}

fn value_of(pool: &TermPool, model: &Model, constant: FunctionId) -> Option<Value> {
    match model.get(constant)? {
        Interpretation::Value(value) => Some(value.clone()),
        Interpretation::Function { body, .. } => {
            Evaluator::new(pool, model).evaluate(*body).known().cloned()
        }
        // No constant has a table.
        Interpretation::Table(_) => None,
    }
}
