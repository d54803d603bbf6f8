//! Rewrite rules for powers of one word, for which lengths decide.
//!
//! Two powers of a word `w` are equal if and only if their lengths are, and one occurs in the other
//! if and only if it is not longer. The arguments of a concatenation are powers of one word if they
//! are copies of one term, or if each is a power of the same literal: by itself, or because a fact
//! says that it is in `w*`.

use luthier_terms::{CodePoint, Op, Sort, TermId};
use num_traits::ToPrimitive;

use super::context::Context;
use super::rule::Rule;
use crate::Limit;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "contains-powers",
        law: "contains(s, t) = (|s| ≥ |t|) when s and t are powers of one word",
        heads: &[Op::StrContains],
        apply: contains,
    },
    Rule {
        name: "equal-powers",
        law: "(s = t) = (|s| = |t|) when s and t are concatenations and powers of one word",
        heads: &[Op::Eq],
        apply: equal,
    },
    Rule {
        name: "equally-long-powers",
        law: "(|s| = |t|) = (s = t) when s and t are powers of one word; (|s| = n) = (s = w…w) \
              when s is a power of w, or false when |w| does not divide n",
        heads: &[Op::Eq],
        apply: equally_long,
    },
];

fn contains(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, needle] = args else { return None };
    if !are_powers(cx, text, needle) {
        return None;
    }
    let (long, short) = (cx.length(text)?, cx.length(needle)?);
    cx.ge(&long, &short)
}

fn equal(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[left, right] = args else { return None };
    if cx.sort(left) != Sort::String {
        return None;
    }
    // An equation for a constant is kept, because it can eliminate the constant.
    let long = |term| cx.args(term, Op::StrConcat).is_some();
    if !long(left) || !long(right) || !are_powers(cx, left, right) {
        return None;
    }
    let (left, right) = (cx.length(left)?, cx.length(right)?);
    let (left, right) = (left.build(cx.pool)?, right.build(cx.pool)?);
    cx.eq(left, right)
}

fn equally_long(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[left, right] = args else { return None };
    let &[left] = cx.args(left, Op::StrLen)? else { return None };
    if let Some(length) = cx.number(right) {
        let root = root_of(cx, left)?;
        let length = length.to_usize().filter(|&length| length <= cx.limit(Limit::RewritePower))?;
        if !length.is_multiple_of(root.len()) {
            return cx.bool(false);
        }
        let power = cx.literal(&root.repeat(length / root.len()))?;
        return cx.eq(left, power);
    }
    let &[right] = cx.args(right, Op::StrLen)? else { return None };
    if are_powers(cx, left, right) { cx.eq(left, right) } else { None }
}

/// Whether two strings are powers of one word.
fn are_powers(cx: &Context, left: TermId, right: TermId) -> bool {
    let mut parts = cx.parts(left);
    parts.extend(cx.parts(right));
    let Some(&first) = parts.first() else { return false };
    // Literals alone are decided by other rules.
    if parts.iter().all(|&part| cx.text(part).is_some()) {
        return false;
    }
    parts.sort_unstable();
    parts.dedup();
    parts.len() == 1 || {
        let first = root_of(cx, first);
        first.is_some() && parts.iter().all(|&part| root_of(cx, part) == first)
    }
}

/// The primitive word of which a string is known to be a power.
fn root_of(cx: &Context, part: TermId) -> Option<Vec<CodePoint>> {
    if let Some(text) = cx.text(part) {
        return primitive_root(text).map(<[CodePoint]>::to_vec);
    }
    cx.facts?.memberships(part).find_map(|language| root_of_language(cx, language))
}

/// The primitive word of which all words of a language are powers, if the syntax shows it.
fn root_of_language(cx: &Context, language: TermId) -> Option<Vec<CodePoint>> {
    let mut root: Option<&[CodePoint]> = None;
    let mut stack = vec![language];
    for _ in 0..cx.limit(Limit::RewritePowerParts) {
        let Some(part) = stack.pop() else { break };
        if let Some(&[text]) = cx.args(part, Op::StrToRe) {
            let text = cx.text(text)?;
            let found = primitive_root(text);
            match (root, found) {
                (_, None) => {}
                (None, Some(_)) => root = found,
                (Some(root), Some(found)) if root == found => {}
                _ => return None,
            }
            continue;
        }
        let inner =
            [Op::ReStar, Op::ReConcat, Op::ReUnion].into_iter().find_map(|op| cx.args(part, op))?;
        stack.extend_from_slice(inner);
    }
    if stack.is_empty() { root.map(<[CodePoint]>::to_vec) } else { None }
}

/// The shortest word of which a word is a power; `None` for the empty one.
fn primitive_root(word: &[CodePoint]) -> Option<&[CodePoint]> {
    (1..=word.len())
        .filter(|period| word.len().is_multiple_of(*period))
        .find(|&period| word[period..] == word[..word.len() - period])
        .map(|period| &word[..period])
}

#[cfg(test)]
mod tests {
    use luthier_terms::SmtString;

    use super::primitive_root;

    #[test]
    fn primitive_roots_are_the_shortest() {
        for (word, root) in
            [("abab", Some("ab")), ("aba", Some("aba")), ("aaa", Some("a")), ("", None)]
        {
            let word = SmtString::from_text(word).unwrap();
            let root = root.map(|root| SmtString::from_text(root).unwrap());
            assert_eq!(primitive_root(&word).map(SmtString::from), root);
        }
    }
}
