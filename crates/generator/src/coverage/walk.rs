//! The cells that a formula covers: a traversal of its terms with polarity and position, without
//! recursion. The referee evaluates the arguments under a model; subterms without a known value
//! cover nothing.

use std::collections::{BTreeSet, HashSet};

use luthier_semantics::{Evaluator, Limits, Model, Value};
use luthier_terms::{Op, Sort, Term, TermId, TermPool};

use super::corners::{ANY, OperatorUse, met};
use super::{Cell, Polarity, Position};
use crate::variants::planted::witness;
use crate::variants::read;

/// The evaluation steps for one subterm. A subterm that needs more covers no corner case.
const STEPS: u64 = 100_000;

/// The context of a subterm.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Context {
    polarity: Polarity,
    position: Position,
}

/// The cells of a script: under its planted witness or, if it has none, under default values of all
/// constants. A text that cannot be read has none.
pub fn covered_cells_of_text(text: &str) -> BTreeSet<Cell> {
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
    covered_cells(&pool, &terms, &model)
}

/// The cells of some assertions, by the values of their subterms under a model.
pub fn covered_cells(pool: &TermPool, assertions: &[TermId], model: &Model) -> BTreeSet<Cell> {
    let limits = Limits { steps: STEPS, regex_steps: STEPS, ..Limits::default() };
    let mut evaluator = Evaluator::with_limits(pool, model, limits);
    let mut cells = BTreeSet::new();
    let root = Context { polarity: Polarity::Positive, position: Position::Atom };
    let mut stack: Vec<(TermId, Context)> = assertions.iter().map(|&term| (term, root)).collect();
    let mut seen: HashSet<(TermId, Context)> = HashSet::new();
    while let Some((term, context)) = stack.pop() {
        if !seen.insert((term, context)) {
            continue;
        }
        match pool.term(term) {
            Term::Op(op, children) => {
                let Context { polarity, position } = context;
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
                    stack.push((child, below(pool, term, op, context, (number, last))));
                }
            }
            Term::Apply(function, arguments) => {
                let definition = pool.function(function).definition.as_ref();
                if let Some(body) = definition.and_then(|definition| definition.body())
                    && arguments.is_empty()
                {
                    stack.push((body, context));
                }
                let context = Context { position: deeper(context.position), ..context };
                stack.extend(arguments.iter().map(|&argument| (argument, context)));
            }
            Term::Quantifier(view) => {
                stack.push((view.body, Context { position: Position::Quantified, ..context }));
            }
            Term::Named(_, inner) => stack.push((inner, context)),
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
    met(&OperatorUse { op, arguments: &arguments, result: result.known() })
}

/// The context of a child of an operator; the child is given by its index and whether it is the last.
fn below(
    pool: &TermPool,
    term: TermId,
    op: Op,
    context: Context,
    (number, last): (usize, bool),
) -> Context {
    let Context { polarity, position } = context;
    let quantified = position == Position::Quantified;
    let both = Context { polarity: Polarity::Both, position };
    let child = pool.children(term)[number];
    match op {
        Op::Not => Context { polarity: polarity.opposite(), position },
        Op::And | Op::Or => context,
        Op::Implies if last => context,
        Op::Implies => Context { polarity: polarity.opposite(), position },
        Op::Xor => both,
        Op::Eq | Op::Distinct if pool.sort(child) == Sort::Bool => both,
        Op::Ite if number == 0 => {
            let position = if quantified { position } else { Position::Condition };
            Context { polarity: Polarity::Both, position }
        }
        Op::Ite if pool.sort(term) == Sort::Bool => context,
        _ if quantified => context,
        _ if pool.sort(term) == Sort::RegLan => Context { polarity, position: Position::Language },
        _ => Context { polarity, position: deeper(position) },
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
