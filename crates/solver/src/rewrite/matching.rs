//! Rewrite rules that evaluate memberships and regular-expression replacements of literals, if the
//! language is constant.

use luthier_terms::{Op, TermId};

use super::context::Context;
use super::rule::Rule;
use crate::Limit;
use crate::automata::Matcher;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "evaluate-membership",
        law: "(w in R) is a truth value when w is a literal and R is fixed",
        heads: &[Op::StrInRe],
        apply: membership,
    },
    Rule {
        name: "evaluate-replacement",
        law: "replace_re(w, R, u) and replace_re_all(w, R, u) are concatenations of pieces of w and \
              of u when w is a literal and R is fixed",
        heads: &[Op::StrReplaceRe, Op::StrReplaceReAll],
        apply: replacement,
    },
    Rule {
        name: "replace-regex-empty",
        law: "replace_re(s, R, u) = u·s when R is fixed and ε is in R",
        heads: &[Op::StrReplaceRe],
        apply: empty_match,
    },
];

fn matcher<'a>(cx: &Context<'a>, language: TermId) -> Option<Matcher<'a>> {
    let (terms, letters) = (Limit::RewriteMatchTerms, Limit::RewriteMatchLetters);
    Matcher::new(cx.pool, language, terms, letters, cx.budget)
}

fn membership(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[word, language] = args else { return None };
    let word = cx.text(word)?;
    let holds = matcher(cx, language)?.accepts(word)?;
    cx.bool(holds)
}

fn replacement(cx: &mut Context, term: TermId, args: &[TermId]) -> Option<TermId> {
    let &[word, language, by] = args else { return None };
    let word = cx.text(word)?.to_vec();
    let once = super::fold::head(cx, term)? == Op::StrReplaceRe;
    // The letters between matches; a copy of the new text belongs before each but the first.
    let mut pieces = vec![Vec::new()];
    let by_length = cx.text(by).map_or(1, <[_]>::len);
    let mut length = 0;
    {
        let mut matcher = matcher(cx, language)?;
        let mut at = 0;
        while at <= word.len() {
            // `replace_re_all` replaces only nonempty matches.
            let found = matcher.shortest(&word[at..], usize::from(!once))?;
            if let Some(matched) = found {
                pieces.push(Vec::new());
                length += by_length;
                at += matched;
                if once {
                    break;
                }
            } else if let (Some(&letter), Some(last)) = (word.get(at), pieces.last_mut()) {
                last.push(letter);
                length += 1;
                at += 1;
            } else {
                break;
            }
            if cx.exceeds(Limit::RewriteLiteral, length) {
                return None;
            }
        }
        if let Some(last) = pieces.last_mut() {
            last.extend_from_slice(word.get(at..).unwrap_or_default());
        }
    }
    if let Some(by) = cx.text(by) {
        let result = pieces.join(by);
        return cx.literal(&result);
    }
    if cx.exceeds(Limit::RewriteParts, 2 * pieces.len()) {
        return None;
    }
    let mut parts = Vec::with_capacity(2 * pieces.len());
    for (number, piece) in pieces.iter().enumerate() {
        if number > 0 {
            parts.push(by);
        }
        if !piece.is_empty() {
            parts.push(cx.literal(piece)?);
        }
    }
    cx.concat(&parts)
}

fn empty_match(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, language, by] = args else { return None };
    let is_first = matcher(cx, language)?.accepts(&[])?;
    if is_first { cx.concat(&[by, text]) } else { None }
}
