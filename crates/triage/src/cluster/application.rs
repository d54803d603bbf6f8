//! Applications of operators to values: what a formula computes under a valuation, step by step.
//!
//! Under a model every subterm `op(t1, …, tn)` is an application of `op` to the values of its arguments,
//! and the referee knows its value `v`. `(= (op v1 … vn) v)` is then a ground fact: a solver that answers
//! `unsat` to it, or `sat` to its negation, is wrong about this one application, whatever else the
//! formula does. Bottom-up, the first such application is the smallest subterm on which solver and referee
//! differ, since the arguments are those that the referee computed.
//!
//! Regular expressions have no values that could be asserted. There, the fact is a membership of a factor of
//! the word in a sub-expression, and the operator at its top is the one in question.
//!
//! Left out: connectives and equality, which the facts themselves need, and arrays.

use luthier_ask::Reply;
use luthier_generator::coverage::corners_of_use;
use luthier_judge::used_functions;
use luthier_records::{FindingKind, Verdict};
use luthier_semantics::{Evaluator, Limits, Model, Value};
use luthier_smtlib::{Assertion, CommandKind, Dialect, PrintOptions, Script, print_term};
use luthier_terms::{Op, PostOrder, SmtString, Sort, Term, TermId, TermPool, Theory};
use rustc_hash::FxHashSet;

use crate::query::{command, last_query};
use crate::trial::Trial;

/// The evaluation steps for all subterms.
const STEPS: u64 = 1_000_000;
/// The factors of a word that are put to a regular expression.
const MOST_FACTORS: usize = 16;
/// The applications of one formula that are put to the solver.
const MOST_APPLICATIONS: usize = 200;

/// An application of an operator to values.
#[derive(Clone, Debug)]
pub struct Application {
    /// The operator.
    pub op: Op,
    /// The values of its arguments, indices first.
    pub arguments: Vec<Value>,
    /// Its value.
    pub result: Value,
    /// The application in SMT-LIB; for an operator of regular expressions, a membership.
    pub text: String,
}

impl Application {
    /// The corner cases of the operator that it is in.
    pub fn corners(&self) -> Vec<&'static str> {
        corners_of_use(self.op, &self.arguments, Some(&self.result))
    }

    /// The value in SMT-LIB.
    pub fn result_text(&self) -> String {
        let mut pool = TermPool::new();
        match self.result.to_term(&mut pool) {
            Ok(term) => term_text(&pool, term),
            Err(error) => error.to_string(),
        }
    }
}

/// An application with the fact about it, in the pool of a formula.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    /// The subterm of the formula that the application comes from.
    pub term: TermId,
    /// A true ground formula.
    pub fact: TermId,
    pub application: Application,
}

/// The applications of the last query under a model, arguments first. What the referee cannot evaluate
/// is left out.
pub(super) fn applications(pool: &mut TermPool, script: &Script, model: &Model) -> Vec<Ground> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    for (term, op, arguments, result) in evaluated(pool, script, model) {
        let grounds = match op {
            Op::StrInRe => memberships(pool, term, &arguments),
            _ => ground(pool, term, op, arguments, result).into_iter().collect(),
        };
        for one in grounds {
            if found.len() < MOST_APPLICATIONS && seen.insert(one.fact) {
                found.push(one);
            }
        }
    }
    found
}

/// The subterms that are applications, with the values of their arguments and their own.
fn evaluated(
    pool: &TermPool,
    script: &Script,
    model: &Model,
) -> Vec<(TermId, Op, Vec<Value>, Value)> {
    let limits = Limits { steps: STEPS, regex_steps: STEPS, ..Limits::default() };
    let mut evaluator = Evaluator::with_limits(pool, model, limits);
    let mut found = Vec::new();
    for term in PostOrder::new(pool, last_query(script)) {
        let Term::Op(op, children) = pool.term(term) else { continue };
        let is_left_out = matches!(op.info().theory, Theory::Core | Theory::Arrays)
            || matches!(pool.sort(term), Sort::RegLan | Sort::Array(..))
            || pool.as_integer(term).is_some();
        if is_left_out || children.is_empty() {
            continue;
        }
        let values: Option<Vec<Value>> =
            children.iter().map(|&child| evaluator.evaluate(child).known().cloned()).collect();
        let result = evaluator.evaluate(term).known().cloned();
        if let (Some(values), Some(result)) = (values, result) {
            found.push((term, op, values, result));
        }
    }
    found
}

/// The application of an operator to these values, with the fact that it has this value.
pub(super) fn ground(
    pool: &mut TermPool,
    term: TermId,
    op: Op,
    arguments: Vec<Value>,
    result: Value,
) -> Option<Ground> {
    let children: Option<Vec<TermId>> =
        arguments.iter().map(|value| value.to_term(pool).ok()).collect();
    let applied = pool.op(op, &children?).ok()?;
    let fact = match result {
        Value::Bool(true) => applied,
        Value::Bool(false) => pool.op(Op::Not, &[applied]).ok()?,
        _ => {
            let value = result.to_term(pool).ok()?;
            pool.op(Op::Eq, &[applied, value]).ok()?
        }
    };
    let application = Application { op, arguments, result, text: term_text(pool, applied) };
    Some(Ground { term, fact, application })
}

/// Memberships of the factors of the word in the sub-expressions, the inner ones first.
fn memberships(pool: &mut TermPool, term: TermId, arguments: &[Value]) -> Vec<Ground> {
    let [Value::String(word), Value::RegLan(language)] = arguments else { return Vec::new() };
    let Some(&written) = pool.children(term).get(1) else { return Vec::new() };
    // The expression as it is written, if it has no constants.
    let root = if used_functions(pool, &[written]).is_empty() {
        Some(written)
    } else {
        language.to_term(pool).ok()
    };
    let Some(root) = root else { return Vec::new() };
    let expressions: Vec<TermId> =
        PostOrder::new(pool, [root]).filter(|&one| pool.sort(one) == Sort::RegLan).collect();
    let mut found = Vec::new();
    for expression in expressions {
        let Term::Op(op, children) = pool.term(expression) else { continue };
        let children = children.to_vec();
        let empty = Model::new();
        let mut evaluator = Evaluator::new(pool, &empty);
        let values: Option<Vec<Value>> =
            children.iter().map(|&child| evaluator.evaluate(child).known().cloned()).collect();
        let (Some(values), Some(result)) =
            (values, evaluator.evaluate(expression).known().cloned())
        else {
            continue;
        };
        for factor in factors(word) {
            let membership = pool
                .string(factor)
                .and_then(|literal| pool.op(Op::StrInRe, &[literal, expression]));
            let Ok(membership) = membership else { continue };
            let holds = Evaluator::new(pool, &empty).evaluate(membership).as_bool();
            let fact = match holds {
                Some(true) => membership,
                Some(false) => match pool.op(Op::Not, &[membership]) {
                    Ok(negated) => negated,
                    Err(_) => continue,
                },
                None => continue,
            };
            let text = term_text(pool, membership);
            let (arguments, result) = (values.clone(), result.clone());
            let application = Application { op, arguments, result, text };
            found.push(Ground { term, fact, application });
        }
    }
    found
}

/// The factors of a word, the shortest first; of a long word only the shortest and the word itself.
fn factors(word: &SmtString) -> Vec<SmtString> {
    let mut factors: Vec<SmtString> = vec![SmtString::empty()];
    for length in 1..word.len() {
        for start in 0..=word.len() - length {
            if factors.len() + 1 >= MOST_FACTORS {
                break;
            }
            let factor: SmtString = word[start..start + length].into();
            if !factors.contains(&factor) {
                factors.push(factor);
            }
        }
    }
    if !factors.contains(word) {
        factors.push(word.clone());
    }
    factors
}

/// How the solver is wrong about each fact, if it is: `unsat` to the fact, or `sat` to its negation.
pub(super) fn wrong_facts(
    pool: &mut TermPool,
    facts: &[TermId],
    trial: &Trial<'_>,
) -> Vec<Option<bool>> {
    let mut scripts = Vec::with_capacity(facts.len() * 2);
    for &fact in facts {
        scripts.push(fact_script(pool, fact, FindingKind::WrongUnsat));
        scripts.push(fact_script(pool, fact, FindingKind::WrongSat));
    }
    let asked: Vec<&Script> = scripts.iter().flatten().collect();
    if asked.len() != scripts.len() {
        return vec![None; facts.len()];
    }
    let replies = trial.ask(pool, &asked, None);
    let verdict = |reply: &Option<Reply>| reply.as_ref().and_then(Reply::verdict);
    let judged = replies.chunks(2).map(|pair| match pair {
        [fact, negation] => match (verdict(fact), verdict(negation)) {
            (Some(Verdict::Unsat), _) | (_, Some(Verdict::Sat)) => Some(true),
            (Some(Verdict::Sat), Some(Verdict::Unsat)) => Some(false),
            _ => None,
        },
        _ => None,
    });
    judged.collect()
}

/// How the solver is wrong about a fact in processes of their own.
pub(super) fn confirmed(
    pool: &mut TermPool,
    fact: TermId,
    trial: &Trial<'_>,
) -> Option<(FindingKind, Script)> {
    let expected =
        [(FindingKind::WrongUnsat, Verdict::Unsat), (FindingKind::WrongSat, Verdict::Sat)];
    for (kind, wrong) in expected {
        let script = fact_script(pool, fact, kind)?;
        let reply = trial.ask_alone(pool, &script, None);
        if reply.and_then(|reply| reply.verdict()) == Some(wrong) {
            return Some((kind, script));
        }
    }
    None
}

/// The script that a solver with this fault is wrong about: the fact, or its negation.
fn fact_script(pool: &mut TermPool, fact: TermId, kind: FindingKind) -> Option<Script> {
    let term = match (kind, pool.term(fact)) {
        (FindingKind::WrongUnsat, _) => fact,
        (_, Term::Op(Op::Not, &[inner])) => inner,
        _ => pool.op(Op::Not, &[fact]).ok()?,
    };
    let logic = pool.symbols_mut().intern(b"QF_SLIA").ok()?;
    let assertion = Assertion { term, name: None, uses_let: false };
    let kinds =
        [CommandKind::SetLogic(logic), CommandKind::Assert(assertion), CommandKind::CheckSat];
    Some(Script { commands: kinds.into_iter().map(command).collect() })
}

/// A term in SMT-LIB 2.7.
pub(super) fn term_text(pool: &TermPool, term: TermId) -> String {
    match print_term(pool, term, &PrintOptions::new(Dialect::Smt27)) {
        Ok(printed) => String::from_utf8_lossy(&printed.bytes).into_owned(),
        Err(error) => error.to_string(),
    }
}
