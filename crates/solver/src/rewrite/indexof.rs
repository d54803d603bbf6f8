//! Rewrite rules for `str.indexof`.

use luthier_terms::{Op, TermId};
use num_traits::Zero;

use super::context::Context;
use super::linear::Linear;
use super::rule::Rule;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "indexof-missing",
        law: "indexof(s, t, i) = -1 when i < 0, i + |t| > |s| or ¬contains(s, t) always",
        heads: &[Op::StrIndexOf],
        apply: missing,
    },
    Rule {
        name: "indexof-empty",
        law: "indexof(s, ε, i) = ite(0 ≤ i ≤ |s|, i, -1)",
        heads: &[Op::StrIndexOf],
        apply: empty,
    },
    Rule {
        name: "indexof-itself",
        law: "indexof(s, s, i) = ite(i = 0, 0, -1)",
        heads: &[Op::StrIndexOf],
        apply: itself,
    },
    Rule {
        name: "indexof-start",
        law: "indexof(t·u, t, 0) = 0",
        heads: &[Op::StrIndexOf],
        apply: start,
    },
    Rule {
        name: "indexof-in-start",
        law: "indexof(u·v, t, 0) = indexof(u, t, 0) when u contains t always",
        heads: &[Op::StrIndexOf],
        apply: in_start,
    },
    Rule {
        name: "indexof-as-long",
        law: "indexof(s, t, 0) = ite(s = t, 0, -1) when |t| ≥ |s| always",
        heads: &[Op::StrIndexOf],
        apply: as_long,
    },
    Rule {
        name: "indexof-in-letter",
        law: "indexof(\"a\", t, i) = ite(t = ε ∧ 0 ≤ i ≤ 1, i, ite(t = \"a\" ∧ i = 0, 0, -1))",
        heads: &[Op::StrIndexOf],
        apply: in_letter,
    },
    Rule {
        name: "indexof-of-ite",
        law: "indexof(ite(c, u, v), t, i) = ite(c, indexof(u, t, i), indexof(v, t, i)), for any \
              argument, if u or v is a literal",
        heads: &[Op::StrIndexOf],
        apply: of_ite,
    },
];

fn missing(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, needle, from] = args else { return None };
    let from = cx.linear(from);
    let (long, short) = (cx.length(text)?, cx.length(needle)?);
    let end = from.plus(&short, &1.into());
    if cx.never_negative(&from.negated().shifted(-1))
        || cx.above(&end, &long)
        || cx.contains(text, needle) == Some(false)
    {
        return cx.int(-1);
    }
    None
}

fn empty(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, needle, from] = args else { return None };
    if !cx.is_empty(needle) {
        return None;
    }
    let (form, length) = (cx.linear(from), cx.length(text)?);
    let (low, high) = (cx.ge(&form, &Linear::default())?, cx.ge(&length, &form)?);
    let inside = cx.and(&[low, high])?;
    let none = cx.int(-1)?;
    cx.ite(inside, from, none)
}

fn itself(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, needle, from] = args else { return None };
    if text != needle {
        return None;
    }
    let (zero, none) = (cx.int(0)?, cx.int(-1)?);
    let at_start = cx.eq(from, zero)?;
    cx.ite(at_start, zero, none)
}

fn from_zero(cx: &Context, args: &[TermId]) -> Option<[TermId; 2]> {
    let &[text, needle, from] = args else { return None };
    cx.number(from)?.is_zero().then_some([text, needle])
}

fn start(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let [text, needle] = from_zero(cx, args)?;
    let (text, needle) = (cx.parts(text), cx.parts(needle));
    let (&last, before) = needle.split_last()?;
    if text.len() < needle.len() || text[..before.len()] != *before {
        return None;
    }
    let here = text[before.len()];
    let starts = match (cx.text(here), cx.text(last)) {
        (Some(text), Some(word)) => text.starts_with(word),
        _ => here == last,
    };
    if starts { cx.int(0) } else { None }
}

fn in_start(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let [text, needle] = from_zero(cx, args)?;
    let parts = cx.args(text, Op::StrConcat)?.to_vec();
    for kept in 1..parts.len() {
        let start = cx.concat(&parts[..kept])?;
        if cx.contains(start, needle) == Some(true) {
            return cx.op(Op::StrIndexOf, &[start, needle, args[2]]);
        }
    }
    None
}

fn as_long(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let [text, needle] = from_zero(cx, args)?;
    let (long, short) = (cx.length(text)?, cx.length(needle)?);
    if !cx.at_least(&short, &long) {
        return None;
    }
    let (same, zero, none) = (cx.eq(text, needle)?, cx.int(0)?, cx.int(-1)?);
    cx.ite(same, zero, none)
}

fn in_letter(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, needle, from] = args else { return None };
    if cx.text(text)?.len() != 1 {
        return None;
    }
    let form = cx.linear(from);
    let (zero, none) = (cx.int(0)?, cx.int(-1)?);
    let nothing = cx.is_empty_string(needle)?;
    let low = cx.ge(&form, &Linear::default())?;
    let high = cx.ge(&Linear::number(1), &form)?;
    let free = cx.and(&[nothing, low, high])?;
    let (same, first) = (cx.eq(needle, text)?, cx.eq(from, zero)?);
    let found = cx.and(&[same, first])?;
    let otherwise = cx.ite(found, zero, none)?;
    cx.ite(free, from, otherwise)
}

fn of_ite(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    for at in 0..args.len() {
        let Some([condition, yes, no]) = cx.three(args[at], Op::Ite) else { continue };
        if !cx.is_constant(yes) && !cx.is_constant(no) {
            continue;
        }
        let mut branch = |value: TermId| {
            let mut args = args.to_vec();
            args[at] = value;
            cx.op(Op::StrIndexOf, &args)
        };
        let (yes, no) = (branch(yes)?, branch(no)?);
        return cx.ite(condition, yes, no);
    }
    None
}
