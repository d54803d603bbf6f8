//! Rewriting of subterms of assertions, without recursion.
//!
//! [`rewrite_some`] applies a value-preserving rewrite to a random, nonempty subset of the subterms
//! for which it is possible, bottom-up, each distinct subterm once. Indices of operators and
//! patterns of quantifiers are not rewritten.

use std::collections::{BTreeMap, BTreeSet};

use luthier_smtlib::{Assertion, CommandKind};
use luthier_terms::{Op, Sort, Term, TermId, TermPool};

use super::Variant;
use super::frame::{Edits, Frame};
use crate::Dice;

/// The percentage of possible subterms that are rewritten. One always is.
const CHANGED: usize = 40;

/// Assertions with more distinct subterms than this have no variant.
const MOST_PARTS: usize = 20_000;

/// The script in which some of the subterms that `can` be rewritten are. `change` gets such a subterm after
/// its own subterms were rewritten; it must return a term with the same value.
pub(super) fn rewrite_some(
    pool: &mut TermPool,
    frame: &Frame<'_>,
    dice: &mut Dice,
    can: impl Fn(&TermPool, TermId) -> bool,
    mut change: impl FnMut(&mut TermPool, TermId, &mut Dice) -> Option<TermId>,
) -> Option<Variant> {
    let candidates = candidates(pool, &frame.terms(), &can)?;
    if candidates.is_empty() {
        return None;
    }
    let always = dice.pick(&candidates);
    let chosen: BTreeSet<TermId> =
        candidates.into_iter().filter(|&part| dice.percent(CHANGED) || part == always).collect();
    let mut changed = false;
    let mut edits = Edits::new();
    let mut memory = BTreeMap::new();
    for &(number, assertion) in &frame.active {
        let term = rebuild(pool, assertion.term, &mut memory, |pool, old, new| {
            if chosen.contains(&old) { change(pool, new, dice) } else { Some(new) }
        })?;
        if term != assertion.term {
            changed = true;
            edits.insert(number, vec![CommandKind::Assert(Assertion { term, ..assertion })]);
        }
    }
    changed.then(|| Variant::over_same_constants(frame.edited(edits)))
}

/// The distinct subterms that can be rewritten, children first. Patterns of quantifiers and indices of
/// operators do not count. `None` if there are too many.
pub(super) fn candidates(
    pool: &TermPool,
    roots: &[TermId],
    can: &impl Fn(&TermPool, TermId) -> bool,
) -> Option<Vec<TermId>> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    let mut stack: Vec<TermId> = roots.iter().rev().copied().collect();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if seen.len() > MOST_PARTS {
            return None;
        }
        if can(pool, term) {
            found.push(term);
        }
        stack.extend(parts(pool, term).iter().rev());
    }
    found.reverse();
    Some(found)
}

/// The children of a term that can be rewritten.
pub(super) fn parts(pool: &TermPool, term: TermId) -> &[TermId] {
    let children = pool.children(term);
    match pool.term(term) {
        Term::Op(op, _) => &children[op.info().indices..],
        Term::Quantifier(view) => {
            let body = view.variables.len();
            &children[body..=body]
        }
        _ => children,
    }
}

/// A term rebuilt bottom-up: `replace` gets each subterm as it was, and with its own subterms replaced.
/// `None` if `replace` returns `None`.
pub(super) fn rebuild(
    pool: &mut TermPool,
    root: TermId,
    memory: &mut BTreeMap<TermId, TermId>,
    mut replace: impl FnMut(&mut TermPool, TermId, TermId) -> Option<TermId>,
) -> Option<TermId> {
    let mut stack = vec![(root, false)];
    while let Some((term, expanded)) = stack.pop() {
        if memory.contains_key(&term) {
            continue;
        }
        if !expanded {
            stack.push((term, true));
            stack.extend(parts(pool, term).iter().map(|&part| (part, false)));
            continue;
        }
        let new = with_parts(pool, term, memory)?;
        let new = replace(pool, term, new)?;
        memory.insert(term, new);
    }
    memory.get(&root).copied()
}

/// The term with its children replaced.
fn with_parts(
    pool: &mut TermPool,
    term: TermId,
    memory: &BTreeMap<TermId, TermId>,
) -> Option<TermId> {
    let become_of = |part: &TermId| memory.get(part).copied().unwrap_or(*part);
    let now: Vec<TermId> = parts(pool, term).iter().map(become_of).collect();
    if now == parts(pool, term) {
        return Some(term);
    }
    match pool.term(term) {
        Term::Op(Op::ConstArray, _) => {
            let Sort::Array(index, _) = pool.sort(term) else { return None };
            pool.constant_array(index, now[0]).ok()
        }
        Term::Op(op, children) => {
            let mut all = children[..op.info().indices].to_vec();
            all.extend(now);
            pool.op(op, &all).ok()
        }
        Term::Apply(function, _) => pool.apply(function, &now).ok(),
        Term::Quantifier(view) => {
            let (quantifier, variables) = (view.quantifier, view.variables.to_vec());
            let patterns: Vec<Vec<TermId>> = view.patterns().map(<[TermId]>::to_vec).collect();
            pool.quantify(quantifier, &variables, now[0], &patterns).ok()
        }
        Term::Named(name, _) => pool.named(name, now[0]).ok(),
        Term::String(_) | Term::Integer(_) | Term::Variable(_) => Some(term),
    }
}

/// The negation of a formula.
pub(super) fn not(pool: &mut TermPool, term: TermId) -> Option<TermId> {
    pool.op(Op::Not, &[term]).ok()
}

/// The negations of formulas.
pub(super) fn all_not(pool: &mut TermPool, terms: &[TermId]) -> Option<Vec<TermId>> {
    terms.iter().map(|&term| not(pool, term)).collect()
}

/// One term alone, or an operator over two or more.
pub(super) fn folded(pool: &mut TermPool, op: Op, terms: &[TermId]) -> Option<TermId> {
    match terms {
        [] => None,
        [one] => Some(*one),
        several => pool.op(op, several).ok(),
    }
}
