//! From a formula to its cells, without recursion.

use std::collections::{BTreeSet, HashSet};

use luthier_semantics::{Evaluator, Limits, Model, Value};
use luthier_terms::{Op, Sort, Term, TermId, TermPool};

use super::corners::{ANY, Use, met};
use super::{Cell, Polarity, Position};
use crate::variants::planted::witness;
use crate::variants::read;

/// What finding the value of one part may cost. What costs more meets no corner case.
const STEPS: u64 = 100_000;

/// Where a part stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    polarity: Polarity,
    position: Position,
}

/// The cells of a script: under its planted witness or, if it has none, where all constants have
/// default values. A text that cannot be read has none.
pub fn uses_of_text(text: &str) -> BTreeSet<Cell> {
    let mut pool = TermPool::new();
    let Some(script) = read(&mut pool, text) else { return BTreeSet::new() };
    let model = witness(&mut pool, &script).unwrap_or_else(|| {
        let mut model = Model::new();
        for function in script.declared(&pool) {
            model.insert_value(function, Value::default_of(pool.function(function).result));
        }
        model
    });
    let Some(query) = script.queries().last() else { return BTreeSet::new() };
    let assertions = query.assertions.iter().map(|active| active.assertion.term);
    let terms: Vec<TermId> = assertions.chain(query.assumptions.iter().copied()).collect();
    uses(&pool, &terms, &model)
}

/// The cells of some assertions, by the values that their parts have under a model. Parts whose
/// values are not known meet nothing.
pub fn uses(pool: &TermPool, assertions: &[TermId], model: &Model) -> BTreeSet<Cell> {
    let limits = Limits { steps: STEPS, regex_steps: STEPS, ..Limits::default() };
    let mut evaluator = Evaluator::with_limits(pool, model, limits);
    let mut cells = BTreeSet::new();
    let root = Place { polarity: Polarity::Positive, position: Position::Atom };
    let mut stack: Vec<(TermId, Place)> = assertions.iter().map(|&term| (term, root)).collect();
    let mut seen: HashSet<(TermId, Place)> = HashSet::new();
    while let Some((term, place)) = stack.pop() {
        if !seen.insert((term, place)) {
            continue;
        }
        match pool.term(term) {
            Term::Op(op, children) => {
                let Place { polarity, position } = place;
                let found = if position == Position::Quantified {
                    vec![ANY]
                } else {
                    corners_met(&mut evaluator, term, op, children)
                };
                for corner in found {
                    let cell = Cell { op, corner, polarity, position };
                    cells.extend(cell.is_possible().then_some(cell));
                }
                for (number, &child) in children.iter().enumerate().skip(op.info().indices) {
                    let last = number + 1 == children.len();
                    stack.push((child, below(pool, term, op, place, (number, last))));
                }
            }
            Term::Apply(function, arguments) => {
                let definition = pool.function(function).definition.as_ref();
                if let Some(body) = definition.and_then(|definition| definition.body())
                    && arguments.is_empty()
                {
                    stack.push((body, place));
                }
                let place = Place { position: deeper(place.position), ..place };
                stack.extend(arguments.iter().map(|&argument| (argument, place)));
            }
            Term::Quantifier(view) => {
                stack.push((view.body, Place { position: Position::Quantified, ..place }));
            }
            Term::Named(_, inner) => stack.push((inner, place)),
            Term::String(_) | Term::Integer(_) | Term::Variable(_) => {}
        }
    }
    cells
}

fn corners_met(
    evaluator: &mut Evaluator<'_>,
    term: TermId,
    op: Op,
    children: &[TermId],
) -> Vec<&'static str> {
    let mut arguments: Vec<Value> = Vec::with_capacity(children.len());
    for &child in children {
        match evaluator.evaluate(child).known() {
            Some(value) => arguments.push(value.clone()),
            None => return Vec::new(),
        }
    }
    let result = evaluator.evaluate(term);
    met(&Use { op, arguments: &arguments, result: result.known() })
}

/// Where a child of an operator stands; it is described by its number and whether it is the last.
fn below(
    pool: &TermPool,
    term: TermId,
    op: Op,
    place: Place,
    (number, last): (usize, bool),
) -> Place {
    let Place { polarity, position } = place;
    let quantified = position == Position::Quantified;
    let both = Place { polarity: Polarity::Both, position };
    let child = pool.children(term)[number];
    match op {
        Op::Not => Place { polarity: polarity.opposite(), position },
        Op::And | Op::Or => place,
        Op::Implies if last => place,
        Op::Implies => Place { polarity: polarity.opposite(), position },
        Op::Xor => both,
        Op::Eq | Op::Distinct if pool.sort(child) == Sort::Bool => both,
        Op::Ite if number == 0 => {
            let position = if quantified { position } else { Position::Condition };
            Place { polarity: Polarity::Both, position }
        }
        Op::Ite if pool.sort(term) == Sort::Bool => place,
        _ if quantified => place,
        _ if pool.sort(term) == Sort::RegLan => Place { polarity, position: Position::Language },
        _ => Place { polarity, position: deeper(position) },
    }
}

/// The position of an argument.
fn deeper(position: Position) -> Position {
    match position {
        Position::Atom | Position::Condition => Position::Argument,
        Position::Argument | Position::Deeper => Position::Deeper,
        Position::Language | Position::Quantified => position,
    }
}
