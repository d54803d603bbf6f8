//! The smallest term and model that show a wrong rewrite.
//!
//! Candidates are smaller terms: the subterms; the term with a subterm replaced by its value in the
//! model, by a new constant with that value, or by one of its own arguments; with an argument of an n-ary
//! operator left out; with a shorter literal. All candidates of a round are simplified in one process,
//! and the smallest whose result differs from it in some model is taken, until there is none. Then the
//! model gets the smallest values that still show it.
//!
//! Sound: each step is a difference that the referee evaluates, on the result of the candidate itself.
//! Limits: [`ROUNDS`] rounds of [`CANDIDATES`] candidates.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use luthier_generator::Dice;
use luthier_semantics::{Evaluator, Limits, Model, Value};
use luthier_terms::{
    BigInt, FunctionId, Op, PostOrder, Shape, SmtString, Sort, Term, TermId, TermPool, substitute,
};
use rustc_hash::FxHashMap;

use super::Difference;
use super::ask::{Asker, Simplified};
use super::models::{Corners, compare, values};
use super::tally::RewriteTally;

/// The largest number of rounds.
const ROUNDS: usize = 16;

/// The largest number of candidates of a round.
const CANDIDATES: usize = 160;

/// The evaluation steps for the value of a subterm.
const STEPS: u64 = 50_000;

/// The smallest difference that was found; `None` if the hunt is stopped.
pub(super) fn shrink(
    asker: &Asker<'_>,
    pool: &mut TermPool,
    mut difference: Difference,
    tally: &mut RewriteTally,
) -> Option<Difference> {
    for _ in 0..ROUNDS {
        if asker.environment.stop.load(Ordering::Relaxed) {
            return None;
        }
        let (candidates, known) = candidates(pool, &difference);
        let results = asker.simplify(pool, &candidates, tally);
        let mut dice = Dice::new(0, 0);
        let smaller = candidates.into_iter().zip(results).find_map(|(term, simplified)| {
            let Simplified::Term(result) = simplified else { return None };
            let compared = compare(pool, (term, result), &known, asker.dialect(), &mut dice);
            compared.difference
        });
        match smaller {
            Some(smaller) => difference = smaller,
            None => break,
        }
    }
    Some(with_small_values(pool, difference, asker))
}

/// The size of a term as a tree, with the lengths of literals.
pub(super) fn size(pool: &TermPool, term: TermId) -> u64 {
    let mut sizes: FxHashMap<TermId, u64> = FxHashMap::default();
    for part in PostOrder::new(pool, [term]) {
        let own = match pool.term(part) {
            Term::String(text) => 1 + text.len() as u64,
            Term::Integer(number) => 1 + number.bits() / 4,
            _ => 1,
        };
        let children = pool.children(part).iter().map(|child| sizes[child]);
        let size = children.fold(own, u64::saturating_add);
        sizes.insert(part, size);
    }
    sizes.get(&term).copied().unwrap_or(0)
}

/// Smaller terms, the smallest first, and the values of all constants in the model of the difference.
fn candidates(
    pool: &mut TermPool,
    difference: &Difference,
) -> (Vec<TermId>, Vec<(FunctionId, Value)>) {
    let term = difference.term;
    let mut known = difference.model.clone();
    let parts: Vec<TermId> = PostOrder::new(pool, [term]).collect();
    let values = subterm_values(pool, &parts, &known);
    let mut found: BTreeSet<(u64, TermId)> = BTreeSet::new();
    let most = size(pool, term);
    let add = |pool: &TermPool, found: &mut BTreeSet<(u64, TermId)>, candidate: TermId| {
        let size = size(pool, candidate);
        if size < most {
            found.insert((size, candidate));
        }
    };
    for (place, &part) in parts.iter().enumerate() {
        let sort = pool.sort(part);
        if is_asked(sort) && part != term {
            add(pool, &mut found, part);
        }
        for replacement in replacements(pool, part, values[place].as_ref(), &mut known, place) {
            let map = [(part, replacement)].into_iter().collect();
            if let Some(candidate) = substitute(pool, term, &map)
                && is_asked(pool.sort(candidate))
            {
                add(pool, &mut found, candidate);
            }
        }
    }
    (found.into_iter().map(|(_, candidate)| candidate).take(CANDIDATES).collect(), known)
}

/// Terms of these sorts can be simplified and compared.
fn is_asked(sort: Sort) -> bool {
    matches!(sort, Sort::Bool | Sort::Int | Sort::String)
}

fn subterm_values(
    pool: &TermPool,
    parts: &[TermId],
    known: &[(FunctionId, Value)],
) -> Vec<Option<Value>> {
    let mut model = Model::new();
    for (function, value) in known {
        model.insert_value(*function, value.clone());
    }
    let limits = Limits { steps: STEPS, string_length: 1 << 16, ..Limits::default() };
    let mut evaluator = Evaluator::with_limits(pool, &model, limits);
    let mut value = |part: &TermId| match is_asked(pool.sort(*part)) {
        true => evaluator.evaluate(*part).known().cloned(),
        false => None,
    };
    parts.iter().map(&mut value).collect()
}

/// Smaller terms that may stand for a part of a term.
fn replacements(
    pool: &mut TermPool,
    part: TermId,
    value: Option<&Value>,
    known: &mut Vec<(FunctionId, Value)>,
    place: usize,
) -> Vec<TermId> {
    let sort = pool.sort(part);
    let mut found = Vec::new();
    let (op, children) = match pool.term(part) {
        Term::String(text) => {
            let codes: Vec<u32> = text.iter().map(|character| character.code()).collect();
            let shorter = [&codes[..0], &codes[..codes.len().min(1)], &codes[..codes.len() / 2]];
            let halves = shorter.into_iter().chain([&codes[codes.len() / 2..]]);
            let texts: Vec<SmtString> =
                halves.filter_map(|part| SmtString::from_codes(part.to_vec())).collect();
            return texts.into_iter().filter_map(|text| pool.string(text).ok()).collect();
        }
        Term::Integer(_) => {
            let small = [0, 1, 2].map(|number| pool.integer(BigInt::from(number)));
            return small.into_iter().flatten().collect();
        }
        Term::Op(op, children) => (op, children.to_vec()),
        _ => return Vec::new(),
    };
    if let Some(value) = value {
        found.extend(value.to_term(pool).ok());
        let name = format!("u{place}");
        let constant = pool
            .symbols_mut()
            .intern(name.as_bytes())
            .and_then(|name| pool.declare(name, Vec::new(), sort))
            .and_then(|function| Ok((function, pool.apply(function, &[])?)));
        if let Ok((function, constant)) = constant {
            known.retain(|(one, _)| *one != function);
            known.push((function, value.clone()));
            found.push(constant);
        }
    }
    if sort == Sort::RegLan {
        found.extend(
            [Op::ReNone, Op::ReAllChar, Op::ReAll].map(|op| pool.op(op, &[])).into_iter().flatten(),
        );
    }
    found.extend(children.iter().copied().filter(|&child| pool.sort(child) == sort));
    let is_nary = matches!(op.info().shape, Shape::Folded(..) | Shape::Polymorphic(_));
    if is_nary && children.len() > 2 {
        for left_out in 0..children.len() {
            let mut fewer = children.clone();
            fewer.remove(left_out);
            found.extend(pool.op(op, &fewer).ok());
        }
    }
    found
}

/// The difference in a model with the smallest values that show it, one constant after the other.
fn with_small_values(pool: &mut TermPool, difference: Difference, asker: &Asker<'_>) -> Difference {
    let Difference { term, result, mut model, values: mut shown } = difference;
    let corners = Corners::new(pool, [term, result], asker.dialect());
    for place in 0..model.len() {
        let sort = pool.function(model[place].0).result;
        let present = model[place].1.clone();
        for value in corners.of(sort) {
            if *value == present {
                break;
            }
            model[place].1 = value.clone();
            match values(pool, [term, result], &model) {
                Some(found) if found[0] != found[1] => {
                    shown = found;
                    break;
                }
                _ => model[place].1 = present.clone(),
            }
        }
    }
    Difference { term, result, model, values: shown }
}
