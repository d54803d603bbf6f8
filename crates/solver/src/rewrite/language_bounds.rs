//! What the syntax of a regular expression says about its language, also if it depends on constants:
//! whether the empty word is in it, and bounds on the lengths of its words.
//!
//! Bottom-up over the operators, for instance `least(R·S) = least(R) + least(S)`. A part
//! `str.to_re s` has at least as many letters as the literals in `s`. What is not known is open, so
//! every bound holds for all values of the constants. Limit: `rewrite.match_terms`.

use luthier_terms::{Op, PostOrder, Sort, Term, TermId, dag_size};
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use super::context::Context;
use crate::Limit;

/// Bounds on the words of a language.
#[derive(Clone, Copy, Debug)]
pub(super) struct LanguageBounds {
    /// Whether the empty word is in it; `None` if that is open.
    pub accepts_empty: Option<bool>,
    /// No word is shorter. `usize::MAX` if there is no word.
    pub least: usize,
    /// No word is longer; `None` if that is open.
    pub most: Option<usize>,
}

impl LanguageBounds {
    const UNKNOWN: Self = Self { accepts_empty: None, least: 0, most: None };
    const EMPTY_WORD: Self = Self { accepts_empty: Some(true), least: 0, most: Some(0) };
    const NONE: Self = Self { accepts_empty: Some(false), least: usize::MAX, most: Some(0) };

    fn of_length(least: usize, most: Option<usize>) -> Self {
        Self { accepts_empty: None, least, most }.consistent()
    }

    /// With what one bound says about another.
    fn consistent(mut self) -> Self {
        if self.least > 0 {
            self.accepts_empty = Some(false);
        } else if self.accepts_empty == Some(false) {
            self.least = 1;
        }
        if self.most == Some(0) && self.accepts_empty == Some(false) {
            self.least = usize::MAX;
        }
        self
    }
}

/// The bounds of a language; `None` if it is too large.
pub(super) fn language_bounds(cx: &Context, language: TermId) -> Option<LanguageBounds> {
    if cx.exceeds(Limit::RewriteMatchTerms, dag_size(cx.pool, language)) {
        return None;
    }
    let mut known: FxHashMap<TermId, LanguageBounds> = FxHashMap::default();
    for term in PostOrder::new(cx.pool, [language]) {
        if cx.sort(term) == Sort::RegLan {
            let bounds = match cx.pool.term(term) {
                Term::Op(op, children) => bounds(cx, op, children, &known),
                Term::Named(_, inner) => known[&inner],
                _ => LanguageBounds::UNKNOWN,
            };
            known.insert(term, bounds.consistent());
        }
    }
    known.get(&language).copied()
}

fn bounds(
    cx: &Context,
    op: Op,
    children: &[TermId],
    known: &FxHashMap<TermId, LanguageBounds>,
) -> LanguageBounds {
    let parts: Vec<LanguageBounds> =
        children.iter().filter_map(|child| known.get(child).copied()).collect();
    let count = |at: usize| cx.number(children[at]).map(|number| number.to_usize());
    match (op, &parts[..]) {
        (Op::ReNone, _) => LanguageBounds::NONE,
        (Op::ReAll, _) => LanguageBounds { accepts_empty: Some(true), ..LanguageBounds::UNKNOWN },
        (Op::ReAllChar | Op::ReRange, _) => LanguageBounds::of_length(1, Some(1)),
        (Op::StrToRe, _) => match cx.text(children[0]) {
            Some([]) => LanguageBounds::EMPTY_WORD,
            Some(text) => LanguageBounds::of_length(text.len(), Some(text.len())),
            None => {
                let literals = cx.parts(children[0]);
                let literals = literals.iter().filter_map(|&part| cx.text(part));
                LanguageBounds::of_length(literals.map(<[_]>::len).sum(), None)
            }
        },
        (Op::ReConcat, parts) => LanguageBounds {
            accepts_empty: all(parts.iter().map(|one| one.accepts_empty)),
            least: parts.iter().fold(0, |sum: usize, one| sum.saturating_add(one.least)),
            most: parts.iter().try_fold(0, |sum: usize, one| sum.checked_add(one.most?)),
        },
        (Op::ReUnion, parts) => LanguageBounds {
            accepts_empty: any(parts.iter().map(|one| one.accepts_empty)),
            least: parts.iter().map(|one| one.least).min().unwrap_or(0),
            most: parts.iter().try_fold(0, |most: usize, one| Some(most.max(one.most?))),
        },
        (Op::ReInter, parts) => LanguageBounds {
            accepts_empty: all(parts.iter().map(|one| one.accepts_empty)),
            least: parts.iter().map(|one| one.least).max().unwrap_or(0),
            most: parts.iter().filter_map(|one| one.most).min(),
        },
        (Op::ReDiff, [first, rest @ ..]) => LanguageBounds {
            accepts_empty: all(std::iter::once(first.accepts_empty)
                .chain(rest.iter().map(|one| one.accepts_empty.map(|accepts| !accepts)))),
            ..*first
        },
        (Op::ReComp, [inner]) => LanguageBounds {
            accepts_empty: inner.accepts_empty.map(|accepts| !accepts),
            ..LanguageBounds::UNKNOWN
        },
        (Op::ReOpt, [inner]) => {
            LanguageBounds { accepts_empty: Some(true), least: 0, most: inner.most }
        }
        (Op::ReStar | Op::RePlus, [inner]) => LanguageBounds {
            accepts_empty: if op == Op::ReStar { Some(true) } else { inner.accepts_empty },
            least: if op == Op::ReStar { 0 } else { inner.least },
            most: inner.most.filter(|&most| most == 0),
        },
        (Op::ReLoop | Op::RePower, [inner]) => {
            let most = if op == Op::ReLoop { 1 } else { 0 };
            match (count(0), count(most)) {
                (Some(Some(least)), Some(most)) => repeated(*inner, least, most),
                _ => LanguageBounds::UNKNOWN,
            }
        }
        _ => LanguageBounds::UNKNOWN,
    }
}

/// Between `least` and `most` words one after the other; `None` is more than can be counted.
fn repeated(inner: LanguageBounds, least: usize, most: Option<usize>) -> LanguageBounds {
    if most.is_some_and(|most| least > most) {
        return LanguageBounds::NONE;
    }
    if most == Some(0) {
        return LanguageBounds::EMPTY_WORD;
    }
    let longest = match (inner.most, most) {
        (Some(0), _) => Some(0),
        (Some(length), Some(most)) => length.checked_mul(most),
        _ => None,
    };
    LanguageBounds {
        accepts_empty: if least == 0 { Some(true) } else { inner.accepts_empty },
        least: inner.least.saturating_mul(least),
        most: longest,
    }
}

/// Three-valued conjunction.
fn all(values: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut result = Some(true);
    for one in values {
        match one {
            Some(false) => return Some(false),
            Some(true) => {}
            None => result = None,
        }
    }
    result
}

/// Three-valued disjunction.
fn any(values: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    all(values.map(|one| one.map(|value| !value))).map(|value| !value)
}
