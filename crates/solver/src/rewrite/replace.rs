//! Rewrite rules for `str.replace`, `str.replace_all` and replacement by a constant regular
//! expression.

use luthier_terms::{Op, TermId};

use super::context::Context;
use super::linear::Linear;
use super::rule::Rule;
use crate::words;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "replace-identities",
        law: "replace(s, ε, u) = u·s; replace(s, s, u) = u; replace(s, t, t) = s",
        heads: &[Op::StrReplace],
        apply: identities,
    },
    Rule {
        name: "replace-missing",
        law: "replace(s, t, u) = s when ¬contains(s, t) always; also for replace_all",
        heads: &[Op::StrReplace, Op::StrReplaceAll],
        apply: missing,
    },
    Rule {
        name: "replace-as-long",
        law: "replace(s, t, u) = ite(s = t, u, s) when |t| ≥ |s| always",
        heads: &[Op::StrReplace],
        apply: as_long,
    },
    Rule {
        name: "replace-in-letter",
        law: "replace(\"a\", t, u) = ite(t = ε, u·\"a\", ite(t = \"a\", u, \"a\"))",
        heads: &[Op::StrReplace],
        apply: in_letter,
    },
    Rule {
        name: "replace-in-start",
        law: "replace(v·w, t, u) = replace(v, t, u)·w when v contains t always",
        heads: &[Op::StrReplace],
        apply: in_start,
    },
    Rule {
        name: "replace-dead-ends",
        law: "replace(w·v, t, u) = w'·replace(w\"·v, t, u) where w = w'·w\" and no occurrence of \
              the literal t can start in the literal w'; likewise at the end",
        heads: &[Op::StrReplace],
        apply: dead_ends,
    },
    Rule {
        name: "replace-of-ite",
        law: "replace(ite(c, v, w), t, u) = ite(c, replace(v, t, u), replace(w, t, u)), for the \
              first two arguments, if v or w is a literal",
        heads: &[Op::StrReplace],
        apply: of_ite,
    },
    Rule {
        name: "replace-all-identities",
        law: "replace_all(s, ε, u) = s; replace_all(s, t, t) = s; \
              replace_all(s, s, u) = ite(s = ε, ε, u)",
        heads: &[Op::StrReplaceAll],
        apply: all_identities,
    },
    Rule {
        name: "replace-all-letter",
        law: "replace_all(v·w, t, u) = replace_all(v, t, u)·replace_all(w, t, u) when |t| ≤ 1 always",
        heads: &[Op::StrReplaceAll],
        apply: all_letter,
    },
    Rule {
        name: "replace-regex-literal",
        law: "replace_re(s, {w}, u) = replace(s, w, u); replace_re_all(s, {w}, u) = \
              replace_all(s, w, u); both are s for the empty language",
        heads: &[Op::StrReplaceRe, Op::StrReplaceReAll],
        apply: regex_literal,
    },
];

fn identities(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, needle, by] = args else { return None };
    if cx.is_empty(needle) {
        return cx.concat(&[by, text]);
    }
    if text == needle {
        return Some(by);
    }
    (needle == by).then_some(text)
}

fn missing(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, needle, _] = args else { return None };
    (cx.contains(text, needle) == Some(false)).then_some(text)
}

fn as_long(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, needle, by] = args else { return None };
    let (long, short) = (cx.length(text)?, cx.length(needle)?);
    if !cx.at_least(&short, &long) {
        return None;
    }
    // Then containment is equality. An empty needle is possible only for an empty text, and the
    // result is the replacement in that case, too.
    let same = cx.eq(text, needle)?;
    cx.ite(same, by, text)
}

fn in_letter(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, needle, by] = args else { return None };
    if cx.text(text)?.len() != 1 {
        return None;
    }
    let (nothing, same) = (cx.is_empty_string(needle)?, cx.eq(needle, text)?);
    let before = cx.concat(&[by, text])?;
    let otherwise = cx.ite(same, by, text)?;
    cx.ite(nothing, before, otherwise)
}

fn in_start(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, needle, by] = args else { return None };
    let parts = cx.args(text, Op::StrConcat)?.to_vec();
    for kept in 1..parts.len() {
        let start = cx.concat(&parts[..kept])?;
        if cx.contains(start, needle) == Some(true) {
            let start = cx.op(Op::StrReplace, &[start, needle, by])?;
            let mut whole = vec![start];
            whole.extend_from_slice(&parts[kept..]);
            return cx.concat(&whole);
        }
    }
    None
}

fn dead_ends(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, needle, by] = args else { return None };
    let word = cx.text(needle).filter(|word| !word.is_empty())?.to_vec();
    let mut parts = cx.args(text, Op::StrConcat)?.to_vec();
    let last = parts.len() - 1;
    for (at, front) in [(0, true), (last, false)] {
        let Some(literal) = cx.text(parts[at]).map(<[_]>::to_vec) else { continue };
        let dead = if front {
            words::dead_prefix(&literal, &word)
        } else {
            words::dead_suffix(&literal, &word)
        };
        if dead == 0 {
            continue;
        }
        let (rest, off) = if front {
            (&literal[dead..], &literal[..dead])
        } else {
            (&literal[..literal.len() - dead], &literal[literal.len() - dead..])
        };
        parts[at] = cx.literal(rest)?;
        let off = cx.literal(off)?;
        let text = cx.concat(&parts)?;
        let inner = cx.op(Op::StrReplace, &[text, needle, by])?;
        return if front { cx.concat(&[off, inner]) } else { cx.concat(&[inner, off]) };
    }
    None
}

fn of_ite(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    for at in 0..2 {
        let Some([condition, yes, no]) = cx.three(args[at], Op::Ite) else { continue };
        if cx.text(yes).is_none() && cx.text(no).is_none() {
            continue;
        }
        let mut branch = |value: TermId| {
            let mut args = args.to_vec();
            args[at] = value;
            cx.op(Op::StrReplace, &args)
        };
        let (yes, no) = (branch(yes)?, branch(no)?);
        return cx.ite(condition, yes, no);
    }
    None
}

fn all_identities(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, needle, by] = args else { return None };
    if cx.is_empty(needle) || needle == by || cx.is_empty(text) {
        return Some(text);
    }
    if text != needle {
        return None;
    }
    let (nothing, empty) = (cx.is_empty_string(text)?, cx.empty()?);
    cx.ite(nothing, empty, by)
}

fn all_letter(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, needle, by] = args else { return None };
    let mut parts = cx.args(text, Op::StrConcat)?.to_vec();
    let length = cx.length(needle)?;
    if !cx.at_least(&Linear::number(1), &length) {
        return None;
    }
    for part in &mut parts {
        *part = cx.op(Op::StrReplaceAll, &[*part, needle, by])?;
    }
    cx.concat(&parts)
}

fn regex_literal(cx: &mut Context, term: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, language, by] = args else { return None };
    if cx.is_op(language, Op::ReNone) {
        return Some(text);
    }
    let &[word] = cx.args(language, Op::StrToRe)? else { return None };
    let op = if cx.is_op(term, Op::StrReplaceRe) { Op::StrReplace } else { Op::StrReplaceAll };
    cx.op(op, &[text, word, by])
}
