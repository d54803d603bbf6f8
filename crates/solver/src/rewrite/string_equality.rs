//! Rewrite rules for equations between strings, and for equations of lengths, indices and codes
//! that are equivalent to one.

use luthier_terms::{Op, Sort, TermId};
use num_traits::{Signed, Zero};

use super::concat::{Stripped, strip};
use super::context::Context;
use super::linear::Linear;
use super::rule::Rule;
use crate::words;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "equation-common-ends",
        law: "(u·v·w = u·x·w) = (v = x); false if literal ends differ",
        heads: &[Op::Eq],
        apply: common_ends,
    },
    Rule {
        name: "equation-empty",
        law: "(u·v = ε) = (u = ε ∧ v = ε)",
        heads: &[Op::Eq],
        apply: empty,
    },
    Rule {
        name: "equation-length",
        law: "(s = t) = false when |s| ≠ |t| always",
        heads: &[Op::Eq],
        apply: length,
    },
    Rule {
        name: "equation-with-itself",
        law: "(x = u·x·v) = (u = ε ∧ v = ε)",
        heads: &[Op::Eq],
        apply: with_itself,
    },
    Rule {
        name: "equation-same-length-ends",
        law: "(s·u = t·v) = (s = t ∧ u = v) when |s| = |t| always, s and t being first parts; \
              likewise for last parts",
        heads: &[Op::Eq],
        apply: same_length_ends,
    },
    Rule {
        name: "equation-missing-literal",
        law: "(w = u₁·v₁·u₂…) = false when literals vᵢ do not occur one after the other in the \
              literal w",
        heads: &[Op::Eq],
        apply: missing_literal,
    },
    Rule {
        name: "equation-with-piece",
        law: "(x = substr(x, 0, n)) = (n ≥ |x| ∨ x = ε); (x = substr(x, i, n)) = (x = ε) for i > 0",
        heads: &[Op::Eq],
        apply: with_piece,
    },
    Rule {
        name: "equation-with-replacement",
        law: "(x = replace(x, y, z)) = (¬contains(x, y) ∨ y = z)",
        heads: &[Op::Eq],
        apply: with_replacement,
    },
    Rule {
        name: "equation-empty-replacement",
        law: "(replace(x, y, z) = ε) = (x = ε ∧ y ≠ ε ∨ z = ε ∧ x = y)",
        heads: &[Op::Eq],
        apply: empty_replacement,
    },
    Rule {
        name: "equation-empty-piece",
        law: "(substr(s, i, n) = ε) = (i < 0 ∨ n ≤ 0 ∨ i ≥ |s|)",
        heads: &[Op::Eq],
        apply: empty_piece,
    },
    Rule {
        name: "length-zero",
        law: "(|s| = 0) = (s = ε), and for sums of lengths",
        heads: &[Op::Eq],
        apply: length_zero,
    },
    Rule {
        name: "index-missing",
        law: "(indexof(s, t, 0) = -1) = ¬contains(s, t)",
        heads: &[Op::Eq],
        apply: index_missing,
    },
    Rule {
        name: "code-equals",
        law: "(to_code(s) = n) = (s = from_code(n)) for 0 ≤ n ≤ 196607; (to_code(s) = -1) = |s| ≠ 1",
        heads: &[Op::Eq],
        apply: code_equals,
    },
    Rule {
        name: "decimal-equals",
        law: "(from_int(n) = w) = (n = to_int(w)) if w is written as from_int writes, (n < 0) if \
              w = ε, false otherwise",
        heads: &[Op::Eq],
        apply: decimal_equals,
    },
    Rule {
        name: "decimal-leading-zero",
        law: "(from_int(n) = \"0\"·s) = (n = 0 ∧ s = ε); (from_int(n) = \"0\"·w·s) = false for a \
              literal w ≠ ε",
        heads: &[Op::Eq],
        apply: decimal_leading_zero,
    },
    Rule {
        name: "character-equals",
        law: "(from_code(n) = w) = (n = to_code(w)) for |w| = 1, false for |w| > 1",
        heads: &[Op::Eq],
        apply: character_equals,
    },
];

/// The two sides, if they are strings.
fn strings(cx: &Context, args: &[TermId]) -> Option<[TermId; 2]> {
    let &[left, right] = args else { return None };
    (cx.sort(left) == Sort::String).then_some([left, right])
}

fn common_ends(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let [left, right] = strings(cx, args)?;
    let (left, right) = (cx.parts(left), cx.parts(right));
    match strip(cx, left, right)? {
        Stripped::Clash => cx.bool(false),
        Stripped::Same => None,
        Stripped::Rest(left, right) => {
            let (left, right) = (cx.concat(&left)?, cx.concat(&right)?);
            cx.eq(left, right)
        }
    }
}

fn all_empty(cx: &mut Context, parts: &[TermId]) -> Option<TermId> {
    let mut equations = Vec::with_capacity(parts.len());
    for &part in parts {
        equations.push(cx.is_empty_string(part)?);
    }
    cx.and(&equations)
}

fn empty(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let [left, right] = strings(cx, args)?;
    if !cx.is_empty(right) || !cx.is_op(left, Op::StrConcat) {
        return None;
    }
    let parts = cx.parts(left);
    all_empty(cx, &parts)
}

fn length(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let [left, right] = strings(cx, args)?;
    let (left, right) = (cx.length(left)?, cx.length(right)?);
    if cx.above(&left, &right) || cx.above(&right, &left) {
        return cx.bool(false);
    }
    None
}

fn with_itself(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let [left, right] = strings(cx, args)?;
    for (whole, part) in [(left, right), (right, left)] {
        let mut parts = cx.parts(whole);
        if parts.len() > 1
            && let Some(at) = parts.iter().position(|&other| other == part)
        {
            parts.remove(at);
            return all_empty(cx, &parts);
        }
    }
    None
}

fn same_length_ends(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let [left, right] = strings(cx, args)?;
    let (left, right) = (cx.parts(left), cx.parts(right));
    if left.len() < 2 || right.len() < 2 {
        return None;
    }
    let same = |cx: &mut Context, one: TermId, other: TermId| {
        let (one, other) = (cx.length(one)?, cx.length(other)?);
        (cx.at_least(&one, &other) && cx.at_least(&other, &one)).then_some(())
    };
    let (split, at) = if same(cx, left[0], right[0]).is_some() {
        ((left[0], right[0]), (1..left.len(), 1..right.len()))
    } else {
        let (l, r) = (left.len() - 1, right.len() - 1);
        same(cx, left[l], right[r])?;
        ((left[l], right[r]), (0..l, 0..r))
    };
    let ends = cx.eq(split.0, split.1)?;
    let (left, right) = (cx.concat(&left[at.0])?, cx.concat(&right[at.1])?);
    let rest = cx.eq(left, right)?;
    cx.and(&[ends, rest])
}

fn missing_literal(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let [left, right] = strings(cx, args)?;
    let text = cx.text(right)?;
    let parts = cx.args(left, Op::StrConcat)?;
    let mut from = 0;
    for &part in parts {
        if let Some(word) = cx.text(part) {
            match words::find(text, word, from) {
                Some(at) => from = at + word.len(),
                None => return cx.bool(false),
            }
        }
    }
    None
}

fn with_piece(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let [left, right] = strings(cx, args)?;
    for (whole, piece) in [(left, right), (right, left)] {
        let Some([base, from, count]) = cx.three(piece, Op::StrSubstr) else { continue };
        if base != whole {
            continue;
        }
        let (start, nothing) = (cx.linear(from), cx.is_empty_string(whole)?);
        if start.as_number().is_some_and(Zero::is_zero) {
            let (count, length) = (cx.linear(count), cx.length(whole)?);
            let enough = cx.ge(&count, &length)?;
            return cx.or(&[enough, nothing]);
        }
        if cx.never_negative(&start.shifted(-1)) {
            return Some(nothing);
        }
    }
    None
}

fn with_replacement(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let [left, right] = strings(cx, args)?;
    for (whole, replaced) in [(left, right), (right, left)] {
        if let Some([base, needle, by]) = cx.three(replaced, Op::StrReplace)
            && base == whole
        {
            let contains = cx.op(Op::StrContains, &[base, needle])?;
            let (missing, same) = (cx.not(contains)?, cx.eq(needle, by)?);
            return cx.or(&[missing, same]);
        }
    }
    None
}

fn empty_replacement(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let [left, right] = strings(cx, args)?;
    if !cx.is_empty(right) {
        return None;
    }
    let [base, needle, by] = cx.three(left, Op::StrReplace)?;
    let (no_base, no_needle, no_by) =
        (cx.is_empty_string(base)?, cx.is_empty_string(needle)?, cx.is_empty_string(by)?);
    let some_needle = cx.not(no_needle)?;
    let same = cx.eq(base, needle)?;
    let (untouched, vanished) = (cx.and(&[no_base, some_needle])?, cx.and(&[no_by, same])?);
    cx.or(&[untouched, vanished])
}

fn empty_piece(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let [left, right] = strings(cx, args)?;
    if !cx.is_empty(right) {
        return None;
    }
    let [base, from, count] = cx.three(left, Op::StrSubstr)?;
    let (length, from, count) = (cx.length(base)?, cx.linear(from), cx.linear(count));
    let before = cx.ge(&Linear::number(-1), &from)?;
    let nothing = cx.ge(&Linear::default(), &count)?;
    let behind = cx.ge(&from, &length)?;
    cx.or(&[before, nothing, behind])
}

fn length_zero(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[left, right] = args else { return None };
    if !cx.number(right)?.is_zero() {
        return None;
    }
    let form = cx.linear(left);
    if !form.constant.is_zero() || form.terms.is_empty() {
        return None;
    }
    let mut texts = Vec::new();
    for (&term, factor) in &form.terms {
        if factor.is_negative() {
            return None;
        }
        texts.extend_from_slice(cx.args(term, Op::StrLen)?);
    }
    all_empty(cx, &texts)
}

fn index_missing(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[left, right] = args else { return None };
    let [text, needle, from] = cx.three(left, Op::StrIndexOf)?;
    if cx.number(right)? != (-1).into() || !cx.number(from)?.is_zero() {
        return None;
    }
    let contains = cx.op(Op::StrContains, &[text, needle])?;
    cx.not(contains)
}

fn code_equals(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[left, right] = args else { return None };
    let &[text] = cx.args(left, Op::StrToCode)? else { return None };
    let number = cx.number(right)?;
    if number == (-1).into() {
        let one = cx.int(1)?;
        let length = cx.op(Op::StrLen, &[text])?;
        let single = cx.eq(length, one)?;
        return cx.not(single);
    }
    let code = u32::try_from(&number).ok().and_then(luthier_terms::CodePoint::new);
    match code {
        Some(code) => {
            let word = cx.literal(&[code])?;
            cx.eq(text, word)
        }
        None => cx.bool(false),
    }
}

fn decimal_equals(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[left, right] = args else { return None };
    let &[number] = cx.args(left, Op::StrFromInt)? else { return None };
    let text = cx.text(right)?.to_vec();
    if text.is_empty() {
        let form = cx.linear(number);
        return cx.ge(&Linear::number(-1), &form);
    }
    match words::parse(&text) {
        Some(value) if words::decimal(&value).as_deref() == Some(&*text) => {
            let value = cx.int(value)?;
            cx.eq(number, value)
        }
        _ => cx.bool(false),
    }
}

/// No number but zero is written with a zero in front, and a negative one is the empty word.
fn decimal_leading_zero(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let [left, right] = strings(cx, args)?;
    for (decimal, text) in [(left, right), (right, left)] {
        let Some(&[number]) = cx.args(decimal, Op::StrFromInt) else { continue };
        let parts = cx.parts(text);
        let [first, rest @ ..] = &parts[..] else { continue };
        let Some([digit, others @ ..]) = cx.text(*first) else { continue };
        if rest.is_empty() || digit.code() != u32::from(b'0') {
            continue;
        }
        if !others.is_empty() {
            return cx.bool(false);
        }
        let (zero, empty, rest) = (cx.int(0)?, cx.empty()?, cx.concat(rest)?);
        let (is_zero, ends) = (cx.eq(number, zero)?, cx.eq(rest, empty)?);
        return cx.and(&[is_zero, ends]);
    }
    None
}

fn character_equals(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[left, right] = args else { return None };
    let &[number] = cx.args(left, Op::StrFromCode)? else { return None };
    match *cx.text(right)? {
        [] => None,
        [only] => {
            let code = cx.int(only.code())?;
            cx.eq(number, code)
        }
        _ => cx.bool(false),
    }
}
