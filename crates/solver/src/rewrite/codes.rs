//! Rewrite rules for `str.to_code`, `str.from_code`, `str.to_int`, `str.from_int` and
//! `str.is_digit`.

use luthier_terms::{CodePoint, Op, TermId};

use super::context::Context;
use super::linear::Linear;
use super::rule::Rule;
use crate::words;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "is-digit",
        law: "is_digit(s) = (48 ≤ to_code(s) ≤ 57)",
        heads: &[Op::StrIsDigit],
        apply: is_digit,
    },
    Rule {
        name: "code-of-other-length",
        law: "to_code(s) = -1 when |s| ≠ 1 always",
        heads: &[Op::StrToCode],
        apply: code_of_other_length,
    },
    Rule {
        name: "code-of-character",
        law: "to_code(from_code(n)) = ite(0 ≤ n ≤ 196607, n, -1)",
        heads: &[Op::StrToCode],
        apply: code_of_character,
    },
    Rule {
        name: "character-of-code",
        law: "from_code(to_code(s)) = ite(|s| = 1, s, ε)",
        heads: &[Op::StrFromCode],
        apply: character_of_code,
    },
    Rule {
        name: "character-out-of-range",
        law: "from_code(n) = ε when n < 0 or n > 196607 always",
        heads: &[Op::StrFromCode],
        apply: character_out_of_range,
    },
    Rule {
        name: "number-of-decimal",
        law: "to_int(from_int(n)) = ite(n ≥ 0, n, -1)",
        heads: &[Op::StrToInt],
        apply: number_of_decimal,
    },
    Rule {
        name: "number-of-other-text",
        law: "to_int(u·w·v) = -1 for a literal w with something else than digits",
        heads: &[Op::StrToInt],
        apply: number_of_other_text,
    },
    Rule {
        name: "decimal-of-negative",
        law: "from_int(n) = ε when n < 0 always",
        heads: &[Op::StrFromInt],
        apply: decimal_of_negative,
    },
    Rule {
        name: "conversion-of-ite",
        law: "f(ite(c, u, v)) = ite(c, f(u), f(v)) for conversions f, if u or v is a literal",
        heads: &[Op::StrToCode, Op::StrFromCode, Op::StrToInt, Op::StrFromInt],
        apply: of_ite,
    },
];

fn is_digit(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let code = Linear::atom(cx.op(Op::StrToCode, args)?);
    let low = cx.ge(&code, &Linear::number(48))?;
    let high = cx.ge(&Linear::number(57), &code)?;
    cx.and(&[low, high])
}

fn code_of_other_length(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let length = cx.length(*args.first()?)?;
    let one = Linear::number(1);
    if cx.above(&length, &one) || cx.above(&one, &length) { cx.int(-1) } else { None }
}

fn in_range(cx: &mut Context, number: TermId) -> Option<TermId> {
    let form = cx.linear(number);
    let low = cx.ge(&form, &Linear::default())?;
    let high = cx.ge(&Linear::number(CodePoint::MAX.code()), &form)?;
    cx.and(&[low, high])
}

fn code_of_character(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[number] = cx.args(*args.first()?, Op::StrFromCode)? else { return None };
    let (inside, none) = (in_range(cx, number)?, cx.int(-1)?);
    cx.ite(inside, number, none)
}

fn character_of_code(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text] = cx.args(*args.first()?, Op::StrToCode)? else { return None };
    let (length, one, empty) = (cx.op(Op::StrLen, &[text])?, cx.int(1)?, cx.empty()?);
    let single = cx.eq(length, one)?;
    cx.ite(single, text, empty)
}

fn character_out_of_range(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let form = cx.linear(*args.first()?);
    let low = cx.never_negative(&form.negated().shifted(-1));
    if low || cx.above(&form, &Linear::number(CodePoint::MAX.code())) { cx.empty() } else { None }
}

fn number_of_decimal(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[number] = cx.args(*args.first()?, Op::StrFromInt)? else { return None };
    let form = cx.linear(number);
    let (inside, none) = (cx.ge(&form, &Linear::default())?, cx.int(-1)?);
    cx.ite(inside, number, none)
}

fn number_of_other_text(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let odd = |&part: &TermId| {
        cx.text(part)
            .is_some_and(|word| word.iter().any(|&character| words::digit(character).is_none()))
    };
    if cx.parts(*args.first()?).iter().any(odd) { cx.int(-1) } else { None }
}

fn decimal_of_negative(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let form = cx.linear(*args.first()?);
    if cx.never_negative(&form.negated().shifted(-1)) { cx.empty() } else { None }
}

fn of_ite(cx: &mut Context, term: TermId, args: &[TermId]) -> Option<TermId> {
    let op = super::fold::head(cx, term)?;
    let [condition, yes, no] = cx.three(*args.first()?, Op::Ite)?;
    if !cx.is_constant(yes) && !cx.is_constant(no) {
        return None;
    }
    let (yes, no) = (cx.op(op, &[yes])?, cx.op(op, &[no])?);
    cx.ite(condition, yes, no)
}
