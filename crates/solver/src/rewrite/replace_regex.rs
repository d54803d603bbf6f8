//! Rewrite rules for replacement of matches of a regular expression, also of one that depends on
//! constants, and for languages with few words.

use luthier_terms::{Op, PostOrder, Term, TermId, dag_size};

use super::context::Context;
use super::language_bounds::language_bounds;
use super::linear::Linear;
use super::rule::Rule;
use crate::Limit;
use crate::automata::{Dfa, Regexes};
use crate::words::find;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "regex-constant",
        law: "R = ∅, R = {w} or R = all when R has an operator ∩, ¬ or \\, is fixed, and a small \
              automaton has that language; in memberships and replacements",
        heads: &[Op::StrInRe, Op::StrReplaceRe, Op::StrReplaceReAll],
        apply: constant_language,
    },
    Rule {
        name: "replace-regex-nullable",
        law: "replace_re(s, R, u) = u·s when ε is in R by its syntax",
        heads: &[Op::StrReplaceRe],
        apply: nullable,
    },
    Rule {
        name: "replace-regex-of-empty",
        law: "replace_re(ε, R, u) = ite(ε ∈ R, u, ε); replace_re_all(ε, R, u) = ε",
        heads: &[Op::StrReplaceRe, Op::StrReplaceReAll],
        apply: of_empty,
    },
    Rule {
        name: "replace-regex-short",
        law: "replace_re(s, R, u) = replace_re_all(s, R, u) = s when every word of R is longer than \
              s; replace_re_all(s, R, u) = s when R has at most the word ε",
        heads: &[Op::StrReplaceRe, Op::StrReplaceReAll],
        apply: short,
    },
    Rule {
        name: "replace-in-literal",
        law: "replace(w, v, u) and replace_all(w, v, u) are concatenations of pieces of w and of u \
              when w and v are literals and v is not ε",
        heads: &[Op::StrReplace, Op::StrReplaceAll],
        apply: in_literal,
    },
    Rule {
        name: "member-empty",
        law: "ε ∈ R by the syntax of R; (ε ∈ r·s) = (ε ∈ r ∧ ε ∈ s); (ε ∈ loop(i, n, r)) = (ε ∈ r) \
              for 0 < i ≤ n",
        heads: &[Op::StrInRe],
        apply: member_empty,
    },
    Rule {
        name: "member-too-short",
        law: "(s ∈ R) = false when every word of R is longer than s",
        heads: &[Op::StrInRe],
        apply: member_too_short,
    },
    Rule {
        name: "member-itself",
        law: "(s ∈ R) = true when R is {s}, or a union, an iteration or a power that includes it",
        heads: &[Op::StrInRe],
        apply: member_itself,
    },
];

fn constant_language(cx: &mut Context, term: TermId, args: &[TermId]) -> Option<TermId> {
    let language = args[1];
    let terms = dag_size(cx.pool, language);
    if terms > cx.limit(Limit::RewriteConstantTerms) {
        return None;
    }
    let is_compound =
        |part| matches!(cx.pool.term(part), Term::Op(Op::ReInter | Op::ReComp | Op::ReDiff, _));
    if !PostOrder::new(cx.pool, [language]).any(is_compound) {
        return None;
    }
    let mut regexes = Regexes::new();
    let regex = regexes.of_term(cx.pool, language)?;
    let states = cx.limit(Limit::RewriteConstantStates);
    let automaton = Dfa::within(&mut regexes, regex, states, cx.budget).ok()??;
    let result = if automaton.is_empty() {
        cx.op(Op::ReNone, &[])?
    } else if automaton.minimal(cx.budget).ok()?.is_universal() {
        cx.op(Op::ReAll, &[])?
    } else {
        let word = automaton.only_word()?;
        let word = luthier_terms::SmtString::from_codes(word)?;
        let word = cx.literal(&word)?;
        cx.op(Op::StrToRe, &[word])?
    };
    let mut args = args.to_vec();
    args[1] = result;
    let op = super::fold::head(cx, term)?;
    cx.op(op, &args)
}

fn nullable(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, language, by] = args else { return None };
    match language_bounds(cx, language)?.accepts_empty {
        Some(true) => cx.concat(&[by, text]),
        _ => None,
    }
}

fn of_empty(cx: &mut Context, term: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, language, by] = args else { return None };
    if !cx.is_empty(text) {
        return None;
    }
    if super::fold::head(cx, term)? == Op::StrReplaceReAll {
        return Some(text);
    }
    let matches = cx.op(Op::StrInRe, &[text, language])?;
    cx.ite(matches, by, text)
}

/// Whether every word of a language is longer than a string.
fn is_shorter(cx: &mut Context, text: TermId, language: TermId) -> Option<bool> {
    let least = language_bounds(cx, language)?.least;
    if least == usize::MAX {
        return Some(true);
    }
    if least == 0 {
        return Some(false);
    }
    let length = cx.length(text)?;
    Some(cx.at_least(&Linear::number(least - 1), &length))
}

fn short(cx: &mut Context, term: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, language, _] = args else { return None };
    let all = super::fold::head(cx, term)? == Op::StrReplaceReAll;
    if all && language_bounds(cx, language)?.most == Some(0) {
        return Some(text);
    }
    is_shorter(cx, text, language)?.then_some(text)
}

fn in_literal(cx: &mut Context, term: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, needle, by] = args else { return None };
    let text = cx.text(text)?.to_vec();
    let needle = cx.text(needle).filter(|needle| !needle.is_empty())?.to_vec();
    let once = super::fold::head(cx, term)? == Op::StrReplace;
    let (mut parts, mut at) = (Vec::new(), 0);
    while let Some(found) = find(&text, &needle, at) {
        if found > at {
            parts.push(cx.literal(&text[at..found])?);
        }
        parts.push(by);
        at = found + needle.len();
        if once {
            break;
        }
        if cx.exceeds(Limit::RewriteParts, parts.len()) {
            return None;
        }
    }
    if at < text.len() {
        parts.push(cx.literal(&text[at..])?);
    }
    cx.concat(&parts)
}

fn member_empty(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, language] = args else { return None };
    if !cx.is_empty(text) {
        return None;
    }
    if let Some(accepts) = language_bounds(cx, language)?.accepts_empty {
        return cx.bool(accepts);
    }
    match super::fold::head(cx, language)? {
        Op::ReConcat => {
            let mut parts = cx.pool.children(language).to_vec();
            for part in &mut parts {
                *part = cx.op(Op::StrInRe, &[text, *part])?;
            }
            cx.and(&parts)
        }
        // The bounds decide `loop(0, n, r)`.
        Op::ReLoop => {
            let &[least, most, inner] = cx.pool.children(language) else { return None };
            let is_possible = cx.number(least)? <= cx.number(most)?;
            if is_possible { cx.op(Op::StrInRe, &[text, inner]) } else { None }
        }
        _ => None,
    }
}

fn member_too_short(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, language] = args else { return None };
    if is_shorter(cx, text, language)? { cx.bool(false) } else { None }
}

fn member_itself(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, language] = args else { return None };
    let mut stack = vec![language];
    for _ in 0..cx.limit(Limit::RewritePowerParts) {
        let part = stack.pop()?;
        let Term::Op(op, children) = cx.pool.term(part) else { continue };
        match (op, children) {
            (Op::StrToRe, &[word]) if word == text => return cx.bool(true),
            (Op::ReUnion | Op::ReStar | Op::RePlus | Op::ReOpt, parts) => {
                stack.extend_from_slice(parts);
            }
            (Op::ReLoop, &[least, most, inner]) => {
                let one = luthier_terms::BigInt::from(1);
                if cx.number(least)? <= one && cx.number(most)? >= one {
                    stack.push(inner);
                }
            }
            // `r·r*`, as `r⁺` is written in the normal form.
            (Op::ReConcat, &[first, rest]) if cx.args(rest, Op::ReStar) == Some(&[first]) => {
                stack.push(first);
            }
            _ => {}
        }
    }
    None
}
