//! Bounded search for a witness: whether a model holds, and other models near it where it does not.
//!
//! A reduction changes a satisfiable formula many times, and each time its witness must be one of the new
//! formula; a hunt searches from the empty model where a solver says `unsat` and nothing is planted. Other
//! values are tried for one constant, and then for all constants together as long as the products of
//! their small domains are few. Domains consist of the present value and its parts, the literals of the
//! formula, and a few fixed values. The referee evaluates every attempt, so a witness that is found is as
//! good as a planted one; one that is not found proves nothing.

use std::collections::BTreeSet;

use luthier_semantics::{Evaluator, Interpretation, Limits, Model, Value};
use luthier_terms::{
    BigInt, CodePoint, FunctionId, PostOrder, SmtString, Sort, Term, TermId, TermPool,
};

/// The evaluation steps for one attempt.
const STEPS: u64 = 200_000;
/// The attempts with one constant changed.
const SINGLE_ATTEMPTS: usize = 200;
/// The attempts with all constants changed.
const JOINT_ATTEMPTS: usize = 600;
/// Longer literals and values have no parts in a domain.
const LONGEST_PART: usize = 64;

/// Whether all formulas are true under a model; `None` if one is undecided and none is false.
pub fn holds(pool: &TermPool, formulas: &[TermId], model: &Model) -> Option<bool> {
    let limits = Limits { steps: STEPS, ..Limits::default() };
    let mut evaluator = Evaluator::with_limits(pool, model, limits);
    let mut is_decided = true;
    for &formula in formulas {
        match evaluator.evaluate(formula).as_bool() {
            Some(true) => {}
            Some(false) => return Some(false),
            None => is_decided = false,
        }
    }
    is_decided.then_some(true)
}

/// A witness of the formulas near a model, which is one itself if it still holds. Functions with
/// parameters keep their interpretation.
pub fn repaired(pool: &TermPool, formulas: &[TermId], model: &Model) -> Option<Model> {
    let mut complete = model.clone();
    let used = used_functions(pool, formulas);
    for &function in &used {
        if complete.get(function).is_none() {
            let result = pool.function(function).result;
            complete.insert_value(function, Value::default_of(result));
        }
    }
    if holds(pool, formulas, &complete) == Some(true) {
        return Some(complete);
    }
    let constants: Vec<FunctionId> =
        used.into_iter().filter(|&one| pool.function(one).parameters.is_empty()).collect();
    let domains: Vec<Vec<Value>> =
        constants.iter().map(|&one| domain(pool, formulas, one, &complete)).collect();
    one_changed(pool, formulas, &complete, &constants, &domains)
        .or_else(|| all_changed(pool, formulas, &complete, &constants, &domains))
}

fn one_changed(
    pool: &TermPool,
    formulas: &[TermId],
    model: &Model,
    constants: &[FunctionId],
    domains: &[Vec<Value>],
) -> Option<Model> {
    let each = SINGLE_ATTEMPTS / constants.len().max(1);
    for (&constant, domain) in constants.iter().zip(domains) {
        let mut changed = model.clone();
        for value in domain.iter().take(each) {
            changed.insert_value(constant, value.clone());
            if holds(pool, formulas, &changed) == Some(true) {
                return Some(changed);
            }
        }
    }
    None
}

/// Tries the products of as long beginnings of the domains as the attempts allow.
fn all_changed(
    pool: &TermPool,
    formulas: &[TermId],
    model: &Model,
    constants: &[FunctionId],
    domains: &[Vec<Value>],
) -> Option<Model> {
    if constants.len() < 2 {
        return None;
    }
    let mut size = domains.iter().map(Vec::len).max().unwrap_or(0);
    let product = |size: usize| {
        let sizes = domains.iter().map(|domain| domain.len().min(size).max(1));
        sizes.fold(1_usize, usize::saturating_mul)
    };
    while size > 1 && product(size) > JOINT_ATTEMPTS {
        size -= 1;
    }
    if size < 2 {
        return None;
    }
    let mut changed = model.clone();
    for number in 0..product(size) {
        let mut rest = number;
        for (&constant, domain) in constants.iter().zip(domains) {
            let width = domain.len().min(size).max(1);
            if let Some(value) = domain.get(rest % width) {
                changed.insert_value(constant, value.clone());
            }
            rest /= width;
        }
        if holds(pool, formulas, &changed) == Some(true) {
            return Some(changed);
        }
    }
    None
}

/// The values to try for a constant, the most promising first.
fn domain(pool: &TermPool, formulas: &[TermId], constant: FunctionId, model: &Model) -> Vec<Value> {
    let now = match model.get(constant) {
        Some(Interpretation::Value(value)) => Some(value.clone()),
        // A value that a model gives as a term.
        Some(Interpretation::Function { body, .. }) => {
            Evaluator::new(pool, model).evaluate(*body).known().cloned()
        }
        Some(Interpretation::Table(_)) | None => None,
    };
    let mut values: Vec<Value> = Vec::new();
    let mut add = |value: Value| {
        if !values.contains(&value) {
            values.push(value);
        }
    };
    match pool.function(constant).result {
        Sort::Bool => {
            add(Value::Bool(false));
            add(Value::Bool(true));
        }
        Sort::Int => {
            for small in [0, 1, -1, 2] {
                add(Value::Int(BigInt::from(small)));
            }
            for number in integer_literals(pool, formulas) {
                for offset in [0, 1, -1] {
                    add(Value::Int(&number + offset));
                }
            }
        }
        Sort::String => {
            add(Value::String(SmtString::empty()));
            let literals = string_literals(pool, formulas);
            for literal in &literals {
                add(Value::String(literal.clone()));
            }
            for code in [0x61, 0x30, 0x62, 0x31] {
                add(Value::String(CodePoint::new(code).into_iter().collect()));
            }
            let now = match &now {
                Some(Value::String(text)) => Some(text.clone()),
                _ => None,
            };
            for text in now.iter().chain(&literals).filter(|text| text.len() <= LONGEST_PART) {
                for end in 0..text.len() {
                    add(Value::String(text[..end].into()));
                    add(Value::String(text[end..].into()));
                    add(Value::String(text[end..=end].into()));
                }
                let twice = [&text[..], &text[..]].concat();
                add(Value::String(twice.into()));
            }
        }
        sort @ (Sort::RegLan | Sort::Array(..)) => add(Value::default_of(sort)),
    }
    if let Some(now) = now {
        values.retain(|value| *value != now);
        values.insert(0, now);
    }
    values
}

fn string_literals(pool: &TermPool, formulas: &[TermId]) -> Vec<SmtString> {
    let terms = PostOrder::new(pool, formulas.iter().copied());
    terms.filter_map(|term| pool.as_string(term).cloned()).collect()
}

fn integer_literals(pool: &TermPool, formulas: &[TermId]) -> Vec<BigInt> {
    let terms = PostOrder::new(pool, formulas.iter().copied());
    terms.filter_map(|term| pool.as_integer(term)).collect()
}

/// The declared functions that occur in some terms, definitions included, in the order of their first
/// occurrence.
pub fn used_functions(pool: &TermPool, roots: &[TermId]) -> Vec<FunctionId> {
    let mut used = Vec::new();
    let mut seen: BTreeSet<FunctionId> = BTreeSet::new();
    let mut pending: Vec<TermId> = roots.to_vec();
    while !pending.is_empty() {
        let mut bodies = Vec::new();
        for term in PostOrder::new(pool, std::mem::take(&mut pending)) {
            let Term::Apply(function, _) = pool.term(term) else { continue };
            if !seen.insert(function) {
                continue;
            }
            match &pool.function(function).definition {
                None => used.push(function),
                Some(definition) => bodies.extend(definition.body()),
            }
        }
        pending = bodies;
    }
    used
}

/// The value of each constant as a literal, and the text of functions with parameters, as a model that
/// any solver might have printed. Only what occurs in the formulas is written.
pub fn witness_text(pool: &mut TermPool, formulas: &[TermId], model: &Model) -> Option<String> {
    use luthier_smtlib::{Dialect, PrintOptions, print_symbol, print_term};
    let options = PrintOptions::new(Dialect::Smt27);
    let mut lines = Vec::new();
    for function in used_functions(pool, formulas) {
        let declared = pool.function(function).clone();
        let name = String::from_utf8_lossy(&print_symbol(pool.symbols().bytes_of(declared.name)))
            .into_owned();
        let (parameters, body) = match model.get(function)? {
            Interpretation::Value(value) => {
                let value = value.clone();
                (String::new(), value.to_term(pool).ok()?)
            }
            Interpretation::Function { variables, body } if variables.is_empty() => {
                let value = Evaluator::new(pool, model).evaluate(*body).known().cloned()?;
                (String::new(), value.to_term(pool).ok()?)
            }
            Interpretation::Function { variables, body } => {
                let mut parameters = Vec::new();
                for &variable in variables {
                    let Term::Variable(one) = pool.term(variable) else { return None };
                    let printed = print_term(pool, variable, &options).ok()?.bytes;
                    let printed = String::from_utf8_lossy(&printed).into_owned();
                    parameters.push(format!("({printed} {})", one.sort));
                }
                (parameters.join(" "), *body)
            }
            // Models that are read from text have terms.
            Interpretation::Table(_) => return None,
        };
        let body = print_term(pool, body, &options).ok()?.bytes;
        let body = String::from_utf8_lossy(&body);
        lines.push(format!("(define-fun {name} ({parameters}) {} {body})", declared.result));
    }
    Some(format!("({})", lines.join(" ")))
}
