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
        law: "replace_re(w, R, v) and replace_re_all(w, R, v) are literals when w and v are and R \
              is fixed",
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
    let (word, by) = (cx.text(word)?, cx.text(by)?);
    let once = super::fold::head(cx, term)? == Op::StrReplaceRe;
    let mut matcher = matcher(cx, language)?;
    let mut result = Vec::new();
    let mut at = 0;
    while at <= word.len() {
        // `replace_re_all` replaces only nonempty matches.
        let found = matcher.shortest(&word[at..], usize::from(!once))?;
        if let Some(length) = found {
            result.extend_from_slice(by);
            at += length;
            if once {
                break;
            }
        } else if let Some(&letter) = word.get(at) {
            result.push(letter);
            at += 1;
        } else {
            break;
        }
        if cx.exceeds(Limit::RewriteLiteral, result.len()) {
            return None;
        }
    }
    result.extend_from_slice(word.get(at..).unwrap_or_default());
    cx.literal(&result)
}

fn empty_match(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, language, by] = args else { return None };
    let is_first = matcher(cx, language)?.accepts(&[])?;
    if is_first { cx.concat(&[by, text]) } else { None }
}
