//! Rewrite rules for regular expressions and memberships that need no automaton.

use luthier_terms::{CodePoint, Op, TermId};
use num_traits::{One, Zero};

use super::context::Context;
use super::language_bounds::language_bounds;
use super::rule::Rule;
use crate::Limit;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "regex-derived",
        law: "r⁺ = r·r*; r? = r ∪ {ε}; r \\ s = r ∩ ¬s; rⁿ = loop(n, n, r)",
        heads: &[Op::RePlus, Op::ReOpt, Op::ReDiff, Op::RePower],
        apply: derived,
    },
    Rule {
        name: "regex-loop",
        law: "loop(i, n, r) = ∅ for i > n; loop(0, 0, r) = {ε}; loop(1, 1, r) = r; \
              loop(i, n, {ε}) = {ε}; loop(i, n, ∅) = ∅ for 0 < i ≤ n, {ε} for i = 0",
        heads: &[Op::ReLoop],
        apply: repeated,
    },
    Rule {
        name: "regex-star",
        law: "r** = r*; ∅* = {ε}* = {ε}; (all)* = (any letter)* = all; ({ε} ∪ r)* = r*",
        heads: &[Op::ReStar],
        apply: star,
    },
    Rule {
        name: "regex-concat",
        law: "concatenation is flat; r·∅ = ∅; r·{ε} = r; {v}·{w} = {v·w}; r*·r* = r*; \
              all·r = r·all = all when ε is in r by its syntax",
        heads: &[Op::ReConcat],
        apply: concat,
    },
    Rule {
        name: "regex-set",
        law: "∪ and ∩ are flat, ordered by age, without repetition; r ∪ ∅ = r; r ∪ all = all; \
              r ∩ all = r; r ∩ ∅ = ∅; r ∪ ¬r = all; r ∩ ¬r = ∅",
        heads: &[Op::ReUnion, Op::ReInter],
        apply: set,
    },
    Rule {
        name: "regex-complement",
        law: "¬¬r = r; ¬∅ = all; ¬all = ∅",
        heads: &[Op::ReComp],
        apply: complement,
    },
    Rule {
        name: "regex-range",
        law: "[a-a] = {a}; [v-w] = ∅ unless v and w are letters with v ≤ w; [\\u{0}-\\u{2ffff}] is \
              any letter",
        heads: &[Op::ReRange],
        apply: range,
    },
    Rule {
        name: "member-simple",
        law: "s ∈ ∅ = false; s ∈ all = true; s ∈ {t} = (s = t); s ∈ any letter = (|s| = 1); \
              s ∈ ¬r = ¬(s ∈ r)",
        heads: &[Op::StrInRe],
        apply: member_simple,
    },
    Rule {
        name: "member-affix",
        law: "s ∈ {t}·all = prefixof(t, s); s ∈ all·{t} = suffixof(t, s); \
              s ∈ all·{t}·all = contains(s, t)",
        heads: &[Op::StrInRe],
        apply: member_affix,
    },
    Rule {
        name: "member-literal",
        law: "w ∈ [a-b] for a literal w; w ∈ r ∪ s = w ∈ r ∨ w ∈ s; w ∈ r ∩ s = w ∈ r ∧ w ∈ s",
        heads: &[Op::StrInRe],
        apply: member_literal,
    },
    Rule {
        name: "member-ite",
        law: "ite(c, u, v) ∈ r = ite(c, u ∈ r, v ∈ r) if u or v is a literal",
        heads: &[Op::StrInRe],
        apply: member_ite,
    },
];

fn epsilon(cx: &mut Context) -> Option<TermId> {
    let empty = cx.empty()?;
    cx.op(Op::StrToRe, &[empty])
}

fn is_epsilon(cx: &Context, language: TermId) -> bool {
    matches!(cx.args(language, Op::StrToRe), Some(&[word]) if cx.is_empty(word))
}

fn derived(cx: &mut Context, term: TermId, args: &[TermId]) -> Option<TermId> {
    match (super::fold::head(cx, term)?, args) {
        (Op::RePlus, &[inner]) => {
            let star = cx.op(Op::ReStar, &[inner])?;
            cx.op(Op::ReConcat, &[inner, star])
        }
        (Op::ReOpt, &[inner]) => {
            let epsilon = epsilon(cx)?;
            cx.op(Op::ReUnion, &[epsilon, inner])
        }
        (Op::ReDiff, [first, rest @ ..]) => {
            let mut parts = vec![*first];
            for &other in rest {
                parts.push(cx.op(Op::ReComp, &[other])?);
            }
            cx.op(Op::ReInter, &parts)
        }
        (Op::RePower, &[count, inner]) => cx.op(Op::ReLoop, &[count, count, inner]),
        _ => None,
    }
}

fn repeated(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[least, most, inner] = args else { return None };
    let (least, most) = (cx.number(least)?, cx.number(most)?);
    if least > most {
        return cx.op(Op::ReNone, &[]);
    }
    if most.is_zero() || is_epsilon(cx, inner) {
        return epsilon(cx);
    }
    if cx.is_op(inner, Op::ReNone) {
        return if least.is_zero() { epsilon(cx) } else { Some(inner) };
    }
    if least.is_one() && most.is_one() {
        return Some(inner);
    }
    None
}

fn star(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[inner] = args else { return None };
    if cx.is_op(inner, Op::ReStar) || cx.is_op(inner, Op::ReAll) || is_epsilon(cx, inner) {
        return Some(inner);
    }
    if cx.is_op(inner, Op::ReNone) {
        return epsilon(cx);
    }
    if cx.is_op(inner, Op::ReAllChar) {
        return cx.op(Op::ReAll, &[]);
    }
    let parts = cx.args(inner, Op::ReUnion)?;
    let kept: Vec<TermId> = parts.iter().copied().filter(|&part| !is_epsilon(cx, part)).collect();
    if kept.len() == parts.len() {
        return None;
    }
    let inner = if let [only] = *kept { only } else { cx.op(Op::ReUnion, &kept)? };
    cx.op(Op::ReStar, &[inner])
}

fn concat(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let mut parts = Vec::with_capacity(args.len());
    for &arg in args {
        match cx.args(arg, Op::ReConcat) {
            Some(inner) => parts.extend_from_slice(inner),
            None => parts.push(arg),
        }
        if parts.len() > cx.limit(Limit::RewriteParts) {
            return None;
        }
    }
    if parts.iter().any(|&part| cx.is_op(part, Op::ReNone)) {
        return cx.op(Op::ReNone, &[]);
    }
    let mut merged: Vec<TermId> = Vec::with_capacity(parts.len());
    for part in parts {
        if is_epsilon(cx, part) {
            continue;
        }
        let before = merged.last().copied();
        if before == Some(part) && (cx.is_op(part, Op::ReAll) || cx.is_op(part, Op::ReStar)) {
            continue;
        }
        if let Some(before) = before
            && let (Some(&[one]), Some(&[other])) =
                (cx.args(before, Op::StrToRe), cx.args(part, Op::StrToRe))
            && let (Some(one), Some(other)) = (cx.text(one), cx.text(other))
            && one.len() + other.len() <= cx.limit(Limit::RewriteLiteral)
        {
            let both = [one, other].concat();
            let both = cx.literal(&both)?;
            merged.pop();
            merged.push(cx.op(Op::StrToRe, &[both])?);
        } else {
            merged.push(part);
        }
    }
    drop_before_all(cx, &mut merged);
    merged.reverse();
    drop_before_all(cx, &mut merged);
    merged.reverse();
    if merged == args {
        return None;
    }
    match *merged {
        [] => epsilon(cx),
        [only] => Some(only),
        _ => cx.op(Op::ReConcat, &merged),
    }
}

/// Removes parts with the empty word before one that has all words.
fn drop_before_all(cx: &Context, parts: &mut Vec<TermId>) {
    let mut kept: Vec<TermId> = Vec::with_capacity(parts.len());
    for &part in parts.iter() {
        while cx.is_op(part, Op::ReAll)
            && let Some(&before) = kept.last()
            && language_bounds(cx, before).is_some_and(|one| one.accepts_empty == Some(true))
        {
            kept.pop();
        }
        kept.push(part);
    }
    *parts = kept;
}

fn set(cx: &mut Context, term: TermId, args: &[TermId]) -> Option<TermId> {
    let op = super::fold::head(cx, term)?;
    let (neutral, absorbing) =
        if op == Op::ReUnion { (Op::ReNone, Op::ReAll) } else { (Op::ReAll, Op::ReNone) };
    let mut parts = Vec::with_capacity(args.len());
    for &arg in args {
        match cx.args(arg, op) {
            Some(inner) => parts.extend_from_slice(inner),
            None => parts.push(arg),
        }
    }
    parts.sort_unstable();
    parts.dedup();
    parts.retain(|&part| !cx.is_op(part, neutral));
    let clash = |&part: &TermId| {
        cx.is_op(part, absorbing)
            || cx.args(part, Op::ReComp).is_some_and(|inner| parts.binary_search(&inner[0]).is_ok())
    };
    if parts.iter().any(clash) {
        return cx.op(absorbing, &[]);
    }
    if parts == args {
        return None;
    }
    match *parts {
        [] => cx.op(neutral, &[]),
        [only] => Some(only),
        _ => cx.op(op, &parts),
    }
}

fn complement(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[inner] = args else { return None };
    if cx.is_op(inner, Op::ReNone) {
        return cx.op(Op::ReAll, &[]);
    }
    if cx.is_op(inner, Op::ReAll) {
        return cx.op(Op::ReNone, &[]);
    }
    cx.args(inner, Op::ReComp).map(|inner| inner[0])
}

/// The letters at the ends of a range, if both are literals; `None` inside if it is empty.
fn letters(cx: &Context, args: &[TermId]) -> Option<Option<(CodePoint, CodePoint)>> {
    let &[low, high] = args else { return None };
    match (cx.text(low), cx.text(high)) {
        (Some(&[low]), Some(&[high])) => Some((low <= high).then_some((low, high))),
        (Some(&[_]), None) | (None, Some(&[_]) | None) => None,
        _ => Some(None),
    }
}

fn range(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    match letters(cx, args)? {
        None => cx.op(Op::ReNone, &[]),
        Some((low, high)) if low == high => cx.op(Op::StrToRe, &args[..1]),
        Some((CodePoint::MIN, CodePoint::MAX)) => cx.op(Op::ReAllChar, &[]),
        Some(_) => None,
    }
}

fn member_simple(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, language] = args else { return None };
    match super::fold::head(cx, language)? {
        Op::ReNone => cx.bool(false),
        Op::ReAll => cx.bool(true),
        Op::ReAllChar => {
            let (length, one) = (cx.op(Op::StrLen, &[text])?, cx.int(1)?);
            cx.eq(length, one)
        }
        Op::StrToRe => {
            let word = cx.pool.children(language)[0];
            cx.eq(text, word)
        }
        Op::ReComp => {
            let inner = cx.pool.children(language)[0];
            let member = cx.op(Op::StrInRe, &[text, inner])?;
            cx.not(member)
        }
        _ => None,
    }
}

fn member_affix(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, language] = args else { return None };
    let parts = cx.args(language, Op::ReConcat)?;
    let word = |part: TermId| cx.args(part, Op::StrToRe).map(|word| word[0]);
    let all = |part: TermId| cx.is_op(part, Op::ReAll);
    match *parts {
        [first, last] if all(last) => {
            let word = word(first)?;
            cx.op(Op::StrPrefixOf, &[word, text])
        }
        [first, last] if all(first) => {
            let word = word(last)?;
            cx.op(Op::StrSuffixOf, &[word, text])
        }
        [first, middle, last] if all(first) && all(last) => {
            let word = word(middle)?;
            cx.op(Op::StrContains, &[text, word])
        }
        _ => None,
    }
}

fn member_literal(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, language] = args else { return None };
    let word = cx.text(text)?;
    let op = super::fold::head(cx, language)?;
    if op == Op::ReRange {
        let range = letters(cx, cx.pool.children(language))?;
        let inside = match (word, range) {
            (&[only], Some((low, high))) => low <= only && only <= high,
            _ => false,
        };
        return cx.bool(inside);
    }
    if !matches!(op, Op::ReUnion | Op::ReInter) {
        return None;
    }
    let mut parts = cx.pool.children(language).to_vec();
    for part in &mut parts {
        *part = cx.op(Op::StrInRe, &[text, *part])?;
    }
    if op == Op::ReUnion { cx.or(&parts) } else { cx.and(&parts) }
}

fn member_ite(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, language] = args else { return None };
    let [condition, yes, no] = cx.three(text, Op::Ite)?;
    if cx.text(yes).is_none() && cx.text(no).is_none() {
        return None;
    }
    let yes = cx.op(Op::StrInRe, &[yes, language])?;
    let no = cx.op(Op::StrInRe, &[no, language])?;
    cx.ite(condition, yes, no)
}
