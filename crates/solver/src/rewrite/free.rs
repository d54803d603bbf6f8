//! Constants that only one `not contains` mentions.
//!
//! In `¬contains(s, x)` with an `x` that occurs nowhere else, `x = s·"a"` is right whatever `s` is.
//! In `¬contains(x, t)` it is `x = ""` if anything is. So there is a model exactly if there is one
//! with these values.

use luthier_terms::{CodePoint, Op, PostOrder, Sort, Term, TermId};
use rustc_hash::FxHashMap;

use super::context::Context;
use super::solve::{Solution, is_open};

/// Values for constants that stand alone on one side of a `not contains` and nowhere else.
pub(super) fn free_constants(cx: &mut Context, assertions: &[TermId]) -> Vec<Solution> {
    let mut candidates = Vec::new();
    for &assertion in assertions {
        let Some(&[atom]) = cx.args(assertion, Op::Not) else { continue };
        let Some([text, needle]) = cx.two(atom, Op::StrContains) else { continue };
        candidates.push((assertion, atom, [text, needle]));
    }
    if candidates.is_empty() {
        return Vec::new();
    }
    // How often each term is mentioned by another one.
    let mut mentioned: FxHashMap<TermId, usize> = FxHashMap::default();
    for term in PostOrder::new(cx.pool, assertions.iter().copied()) {
        for &child in cx.pool.children(term) {
            *mentioned.entry(child).or_default() += 1;
        }
        // What is inside of a quantifier or a definition is not seen here.
        let hides = match cx.pool.term(term) {
            Term::Quantifier(_) => true,
            Term::Apply(function, _) => cx.pool.function(function).definition.is_some(),
            _ => false,
        };
        if hides {
            return Vec::new();
        }
    }
    let once = |term: TermId| mentioned.get(&term) == Some(&1);
    let free = |cx: &Context, term: TermId| {
        is_open(cx.pool, term) && cx.sort(term) == Sort::String && once(term)
    };
    let mut found: Vec<Solution> = Vec::new();
    for (assertion, atom, [text, needle]) in candidates {
        // The atom may be part of other assertions too.
        if mentioned.contains_key(&assertion) || !once(atom) {
            continue;
        }
        let (constant, value) = if free(cx, needle) {
            let letter = CodePoint::new(0x61).and_then(|letter| cx.literal(&[letter]));
            let Some(letter) = letter else { continue };
            (needle, cx.op(Op::StrConcat, &[text, letter]))
        } else if free(cx, text) {
            (text, cx.empty())
        } else {
            continue;
        };
        let (Some(value), Term::Apply(function, _)) = (value, cx.pool.term(constant)) else {
            continue;
        };
        found.push(Solution { function, constant, value, source: None });
    }
    found
}
