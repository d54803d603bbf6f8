//! Import of a language into a store of expressions, forwards or reversed.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::counts::{Counts, cut};
use super::language::{Language, Operator};
use super::store::{EPSILON, Expr, ExprId, Store};

/// The direction in which words are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Direction {
    Forward,
    /// The expression is for the words of the language read from right to left.
    Backward,
}

/// An imported language.
pub(super) struct Imported {
    pub(super) expr: ExprId,
    /// Whether a repetition count was truncated, so that only membership is sound.
    pub(super) cut: bool,
}

/// Imports a language. Nested operators of one kind are flattened where they are not shared:
/// building every level of a large union would take quadratic time and memory, and concatenations
/// nested to the left would be traversed for every character of a word.
pub(super) fn import(store: &mut Store, language: &Language, direction: Direction) -> Imported {
    let mut uses: FxHashMap<usize, usize> = FxHashMap::default();
    for part in language.parts() {
        for operand in &part.node().operands {
            *uses.entry(operand.address()).or_default() += 1;
        }
    }
    let mut done: FxHashMap<usize, ExprId> = FxHashMap::default();
    let mut any_cut = false;
    let mut stack: Vec<(&Language, Option<Vec<&Language>>)> = vec![(language, None)];
    while let Some((part, operands)) = stack.pop() {
        let Some(operands) = operands else {
            if !done.contains_key(&part.address()) {
                let operands = flat_operands(part, &uses);
                stack.push((part, Some(operands.clone())));
                stack.extend(operands.into_iter().map(|operand| (operand, None)));
            }
            continue;
        };
        let ids = operands.iter().map(|operand| done[&operand.address()]);
        let expr = match &part.node().operator {
            Operator::Characters(set) => store.characters(set.clone()),
            Operator::Literal(text) if direction == Direction::Backward => {
                let reversed: Vec<_> = text.iter().rev().copied().collect();
                store.literal(&reversed)
            }
            Operator::Literal(text) => store.literal(text),
            Operator::Concat => {
                let mut ids: Vec<ExprId> = ids.collect();
                if direction == Direction::Backward {
                    ids.reverse();
                }
                ids.into_iter().rev().fold(EPSILON, |rest, id| store.concat(id, rest))
            }
            Operator::Union => store.union(ids.collect::<Vec<_>>()),
            Operator::Intersection => store.intersection(ids.collect::<Vec<_>>()),
            Operator::Complement => {
                let operand = done[&part.node().operands[0].address()];
                store.complement(operand)
            }
            Operator::Repeat { least, most } => {
                let operand = done[&part.node().operands[0].address()];
                let (least, least_cut) = cut(least);
                let most = most.as_ref().map(cut);
                any_cut |= least_cut || most.is_some_and(|(_, most_cut)| most_cut);
                store.repeat(operand, Counts::between(least, most.map(|(most, _)| most)))
            }
        };
        done.insert(part.address(), expr);
    }
    Imported { expr: done[&language.address()], cut: any_cut }
}

/// The operands, flattened over the same associative operator where they are not shared.
fn flat_operands<'a>(part: &'a Language, uses: &FxHashMap<usize, usize>) -> Vec<&'a Language> {
    let operator = &part.node().operator;
    let associative =
        matches!(operator, Operator::Concat | Operator::Union | Operator::Intersection);
    let mut flat = Vec::new();
    let mut pending: Vec<&Language> = part.node().operands.iter().rev().collect();
    while let Some(operand) = pending.pop() {
        if associative
            && operand.node().operator == *operator
            && uses.get(&operand.address()) == Some(&1)
        {
            pending.extend(operand.node().operands.iter().rev());
        } else {
            flat.push(operand);
        }
    }
    flat
}

/// Copies expressions from one store to another that has nothing else.
pub(super) fn transfer(from: &Store, to: &mut Store, roots: &[ExprId]) -> Vec<ExprId> {
    let mut done: FxHashMap<ExprId, ExprId> = FxHashMap::default();
    let mut stack: Vec<(ExprId, bool)> = roots.iter().map(|&root| (root, false)).collect();
    while let Some((id, expanded)) = stack.pop() {
        if done.contains_key(&id) {
            continue;
        }
        let operands: Rc<[ExprId]> = match from.expr(id) {
            Expr::Empty | Expr::Epsilon | Expr::Characters(_) | Expr::Literal { .. } => [].into(),
            Expr::Concat(head, tail) => [*head, *tail].into(),
            Expr::Union(list) | Expr::Intersection(list) => list.clone(),
            Expr::Complement(inner) | Expr::Repeat(inner, _) => [*inner].into(),
        };
        if !expanded {
            stack.push((id, true));
            stack.extend(operands.iter().map(|&operand| (operand, false)));
            continue;
        }
        let copied: Vec<ExprId> = operands.iter().map(|operand| done[operand]).collect();
        let copy = match from.expr(id) {
            Expr::Empty => super::store::EMPTY,
            Expr::Epsilon => EPSILON,
            Expr::Characters(set) => to.characters(set.clone()),
            Expr::Literal { text, offset } => {
                let text = to.share_text(from, *text);
                to.literal_from(text, *offset)
            }
            Expr::Concat(..) => to.concat(copied[0], copied[1]),
            Expr::Union(_) => to.union(copied),
            Expr::Intersection(_) => to.intersection(copied),
            Expr::Complement(_) => to.complement(copied[0]),
            Expr::Repeat(_, counts) => to.repeat(copied[0], counts.clone()),
        };
        done.insert(id, copy);
    }
    roots.iter().map(|root| done[root]).collect()
}
