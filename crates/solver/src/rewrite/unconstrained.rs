//! Unconstrained constants: elimination of string constants that occur only in one `¬contains`.
//!
//! In `¬contains(s, x)` with an `x` that occurs nowhere else, `x = s·"a"` satisfies it for every
//! `s`. In `¬contains(x, t)`, `x = ""` does if any value does. So the problem is equisatisfiable
//! with the one for these values.

use luthier_terms::{CodePoint, Op, PostOrder, Sort, Term, TermId};
use rustc_hash::FxHashMap;

use super::context::Context;
use super::eliminate::{Elimination, is_declared_constant};

/// Values for constants that are one argument of a `¬contains` and occur nowhere else.
pub(super) fn unconstrained_constants(cx: &mut Context, assertions: &[TermId]) -> Vec<Elimination> {
    let mut candidates = Vec::new();
    for &assertion in assertions {
        let Some(&[atom]) = cx.args(assertion, Op::Not) else { continue };
        let Some([text, needle]) = cx.two(atom, Op::StrContains) else { continue };
        candidates.push((assertion, atom, [text, needle]));
    }
    if candidates.is_empty() {
        return Vec::new();
    }
    // The number of parents of each term.
    let mut parents: FxHashMap<TermId, usize> = FxHashMap::default();
    for term in PostOrder::new(cx.pool, assertions.iter().copied()) {
        for &child in cx.pool.children(term) {
            *parents.entry(child).or_default() += 1;
        }
        // Occurrences below a quantifier or in a definition are not counted, so nothing is
        // eliminated then.
        let hides_occurrences = match cx.pool.term(term) {
            Term::Quantifier(_) => true,
            Term::Apply(function, _) => cx.pool.function(function).definition.is_some(),
            _ => false,
        };
        if hides_occurrences {
            return Vec::new();
        }
    }
    let once = |term: TermId| parents.get(&term) == Some(&1);
    let is_unconstrained = |cx: &Context, term: TermId| {
        is_declared_constant(cx.pool, term) && cx.sort(term) == Sort::String && once(term)
    };
    let mut found: Vec<Elimination> = Vec::new();
    for (assertion, atom, [text, needle]) in candidates {
        // The atom may occur in other assertions, too.
        if parents.contains_key(&assertion) || !once(atom) {
            continue;
        }
        let (constant, value) = if is_unconstrained(cx, needle) {
            let letter = CodePoint::new(0x61).and_then(|letter| cx.literal(&[letter]));
            let Some(letter) = letter else { continue };
            (needle, cx.op(Op::StrConcat, &[text, letter]))
        } else if is_unconstrained(cx, text) {
            (text, cx.empty())
        } else {
            continue;
        };
        let (Some(value), Term::Apply(function, _)) = (value, cx.pool.term(constant)) else {
            continue;
        };
        found.push(Elimination { function, constant, value, source: None });
    }
    found
}
