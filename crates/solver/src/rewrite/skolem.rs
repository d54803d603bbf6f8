//! Skolemisation of positive `exists` (and negated `forall`) below conjunctions and disjunctions:
//! bound variables become fresh constants.
//!
//! Such a quantifier is not in the scope of a universal one, so constants suffice. Other
//! quantifiers stay.

use luthier_terms::{Op, Quantifier, Term, TermId, TermPool};
use rustc_hash::FxHashMap;

use super::substitute::substitute;

/// The formula with fresh constants for the variables of positive `exists`; equisatisfiable, and a
/// model of the result is one of the formula.
pub(super) fn skolemise(pool: &mut TermPool, root: TermId) -> Option<TermId> {
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut stack = vec![(root, false)];
    while let Some((term, ready)) = stack.pop() {
        if done.contains_key(&term) {
            continue;
        }
        match pool.term(term) {
            Term::Op(op @ (Op::And | Op::Or), children) => {
                if !ready {
                    stack.push((term, true));
                    stack.extend(children.iter().map(|&child| (child, false)));
                    continue;
                }
                let children: Vec<TermId> = children.iter().map(|child| done[child]).collect();
                let result = pool.op(op, &children).ok()?;
                done.insert(term, result);
            }
            _ => {
                let result = instance(pool, term).unwrap_or(term);
                done.insert(term, result);
            }
        }
    }
    done.get(&root).copied()
}

/// The body of an `exists`, or the negated body of a negated `forall`, with new constants.
fn instance(pool: &mut TermPool, term: TermId) -> Option<TermId> {
    let (quantified, wanted) = match pool.term(term) {
        Term::Op(Op::Not, [inner]) => (*inner, Quantifier::Forall),
        _ => (term, Quantifier::Exists),
    };
    let Term::Quantifier(view) = pool.term(quantified) else { return None };
    if view.quantifier != wanted {
        return None;
    }
    let (variables, body) = (view.variables.to_vec(), view.body);
    let mut map = FxHashMap::default();
    for variable in variables {
        let constant = fresh_constant(pool, variable)?;
        map.insert(variable, constant);
    }
    let body = substitute(pool, body, &map)?;
    if wanted == Quantifier::Forall { pool.op(Op::Not, &[body]).ok() } else { Some(body) }
}

/// A constant with a name that no symbol of the pool has.
fn fresh_constant(pool: &mut TermPool, variable: TermId) -> Option<TermId> {
    let Term::Variable(variable) = pool.term(variable) else { return None };
    let name = pool.symbols().bytes_of(variable.name).to_vec();
    let mut number = pool.symbols().len();
    loop {
        let candidate = [&name[..], format!("!{number}").as_bytes()].concat();
        if pool.symbols().find(&candidate).is_none() {
            let symbol = pool.symbols_mut().intern(&candidate).ok()?;
            let function = pool.declare(symbol, Vec::new(), variable.sort).ok()?;
            return pool.apply(function, &[]).ok();
        }
        number += 1;
    }
}
