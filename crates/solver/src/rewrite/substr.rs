//! Rewrite rules for `str.substr` and `str.at`, which is a substring of length one.

use luthier_terms::{Op, TermId};
use num_traits::{Signed, ToPrimitive, Zero};

use super::context::Context;
use super::linear::Linear;
use super::rule::Rule;

pub(super) const RULES: &[Rule] = &[
    Rule { name: "at", law: "at(s, i) = substr(s, i, 1)", heads: &[Op::StrAt], apply: at },
    Rule {
        name: "substr-nothing",
        law: "substr(s, i, n) = ε when s = ε, n ≤ 0, i < 0 or i ≥ |s| always",
        heads: &[Op::StrSubstr],
        apply: nothing,
    },
    Rule {
        name: "substr-everything",
        law: "substr(s, 0, n) = s when n ≥ |s| always",
        heads: &[Op::StrSubstr],
        apply: everything,
    },
    Rule {
        name: "substr-skips-start",
        law: "substr(u·v, i, n) = substr(v, i - |u|, n) when i ≥ |u| always",
        heads: &[Op::StrSubstr],
        apply: skips_start,
    },
    Rule {
        name: "substr-skips-end",
        law: "substr(u·v, i, n) = substr(u, i, n) when i + n ≤ |u| always",
        heads: &[Op::StrSubstr],
        apply: skips_end,
    },
    Rule {
        name: "substr-keeps-start",
        law: "substr(u·v, 0, n) = u·substr(v, 0, n - |u|) when n ≥ |u| always",
        heads: &[Op::StrSubstr],
        apply: keeps_start,
    },
    Rule {
        name: "substr-of-substr",
        law: "substr(substr(s, i, n), j, m) = substr(s, i + j, min(m, n - j)) when i, j ≥ 0 always",
        heads: &[Op::StrSubstr],
        apply: of_substr,
    },
    Rule {
        name: "substr-to-end",
        law: "substr(s, i, n) = substr(s, i, |s| - i) when i ≥ 0 and i + n ≥ |s| always",
        heads: &[Op::StrSubstr],
        apply: to_end,
    },
    Rule {
        name: "substr-of-letter",
        law: "substr(\"a\", i, n) = ite(i = 0 ∧ n ≥ 1, \"a\", ε)",
        heads: &[Op::StrSubstr],
        apply: of_letter,
    },
    Rule {
        name: "substr-of-ite",
        law: "substr(ite(c, u, v), i, n) = ite(c, substr(u, i, n), substr(v, i, n)) for a literal \
              u or v",
        heads: &[Op::StrSubstr],
        apply: of_ite,
    },
];

fn at(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let one = cx.int(1)?;
    cx.op(Op::StrSubstr, &[args[0], args[1], one])
}

/// The arguments: the string, the start and the length.
fn view(cx: &Context, args: &[TermId]) -> Option<(TermId, Linear, Linear)> {
    let &[base, from, count] = args else { return None };
    Some((base, cx.linear(from), cx.linear(count)))
}

fn build(cx: &mut Context, base: TermId, from: &Linear, count: &Linear) -> Option<TermId> {
    let (from, count) = (from.build(cx.pool)?, count.build(cx.pool)?);
    cx.op(Op::StrSubstr, &[base, from, count])
}

fn nothing(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let (base, from, count) = view(cx, args)?;
    let length = cx.length(base)?;
    if cx.is_empty(base)
        || cx.never_negative(&count.negated())
        || cx.never_negative(&from.negated().shifted(-1))
        || cx.at_least(&from, &length)
    {
        return cx.empty();
    }
    None
}

fn everything(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let (base, from, count) = view(cx, args)?;
    let length = cx.length(base)?;
    (from.as_number()?.is_zero() && cx.at_least(&count, &length)).then_some(base)
}

fn skips_start(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let (base, from, count) = view(cx, args)?;
    let parts = cx.parts(base);
    let first = *parts.first()?;
    // A constant number of letters of a literal.
    if let (Some(text), Some(number)) = (cx.text(first), from.as_number())
        && number.is_positive()
    {
        let skipped = number.to_usize().map_or(text.len(), |number| number.min(text.len()));
        let rest = text[skipped..].to_vec();
        let mut parts = parts;
        parts[0] = cx.literal(&rest)?;
        let base = cx.concat(&parts)?;
        return build(cx, base, &from.shifted(-skipped.to_i64()?), &count);
    }
    if parts.len() < 2 {
        return None;
    }
    let length = cx.length(first)?;
    if !cx.at_least(&from, &length) {
        return None;
    }
    let rest = cx.concat(&parts[1..])?;
    build(cx, rest, &from.minus(&length), &count)
}

fn skips_end(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let (base, from, count) = view(cx, args)?;
    let mut parts = cx.parts(base);
    let end = from.plus(&count, &1.into());
    let last = *parts.last()?;
    if parts.len() > 1 {
        let kept = cx.length_of_parts(&parts[..parts.len() - 1])?;
        if cx.at_least(&kept, &end) {
            parts.pop();
            let base = cx.concat(&parts)?;
            return build(cx, base, &from, &count);
        }
    }
    // A constant number of letters of a literal at the end.
    let text = cx.text(last)?.to_vec();
    let whole = cx.length_of_parts(&parts)?;
    let spare = whole.minus(&end);
    let spare = spare.as_number()?.to_usize()?.min(text.len());
    if spare == 0 {
        return None;
    }
    parts.pop();
    parts.push(cx.literal(&text[..text.len() - spare])?);
    let base = cx.concat(&parts)?;
    build(cx, base, &from, &count)
}

fn keeps_start(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let (base, from, count) = view(cx, args)?;
    let parts = cx.parts(base);
    if parts.len() < 2 || !from.as_number()?.is_zero() {
        return None;
    }
    let length = cx.length(parts[0])?;
    if !cx.at_least(&count, &length) {
        return None;
    }
    let rest = cx.concat(&parts[1..])?;
    let rest = build(cx, rest, &from, &count.minus(&length))?;
    cx.concat(&[parts[0], rest])
}

fn of_substr(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let (inner, from, count) = view(cx, args)?;
    let [base, start, extent] = cx.three(inner, Op::StrSubstr)?;
    let (start, extent) = (cx.linear(start), cx.linear(extent));
    if !cx.never_negative(&start) || !cx.never_negative(&from) {
        return None;
    }
    let rest = extent.minus(&from);
    let count = if cx.at_least(&rest, &count) {
        count
    } else if cx.at_least(&count, &rest) {
        rest
    } else {
        return None;
    };
    build(cx, base, &start.plus(&from, &1.into()), &count)
}

fn to_end(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let (base, from, count) = view(cx, args)?;
    let rest = cx.length(base)?.minus(&from);
    if rest == count || !cx.never_negative(&from) || !cx.at_least(&count, &rest) {
        return None;
    }
    build(cx, base, &from, &rest)
}

fn of_letter(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let (base, from, count) = view(cx, args)?;
    if cx.text(base)?.len() != 1 {
        return None;
    }
    let zero = cx.int(0)?;
    let first = cx.eq(args[1], zero)?;
    let some = cx.ge(&count, &Linear::number(1))?;
    let both = if from.as_number().is_some() { some } else { cx.and(&[first, some])? };
    if from.as_number().is_some_and(|from| !from.is_zero()) {
        return cx.empty();
    }
    let empty = cx.empty()?;
    cx.ite(both, base, empty)
}

fn of_ite(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let [condition, yes, no] = cx.three(args[0], Op::Ite)?;
    if cx.text(yes).is_none() && cx.text(no).is_none() {
        return None;
    }
    let yes = cx.op(Op::StrSubstr, &[yes, args[1], args[2]])?;
    let no = cx.op(Op::StrSubstr, &[no, args[1], args[2]])?;
    cx.ite(condition, yes, no)
}
