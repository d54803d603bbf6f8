//! Rewrite rules for `str.len`.

use luthier_terms::{CodePoint, Op, TermId};

use super::context::Context;
use super::linear::Linear;
use super::rule::Rule;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "length-of-concat",
        law: "|u·v| = |u| + |v|",
        heads: &[Op::StrLen],
        apply: of_concat,
    },
    Rule {
        name: "length-of-ite",
        law: "|ite(c, u, v)| = ite(c, |u|, |v|)",
        heads: &[Op::StrLen],
        apply: of_ite,
    },
    Rule {
        name: "length-of-substr",
        law: "|substr(s, i, n)| = n when 0 ≤ i, 0 ≤ n, i + n ≤ |s|; |s| - i when 0 ≤ i ≤ |s| ≤ i + n",
        heads: &[Op::StrLen],
        apply: of_substr,
    },
    Rule {
        name: "length-of-replace",
        law: "|replace(s, t, u)| = |s| when |t| = |u| always; also for replace_all",
        heads: &[Op::StrLen],
        apply: of_replace,
    },
    Rule {
        name: "length-of-from-code",
        law: "|from_code(n)| = ite(0 ≤ n ≤ 196607, 1, 0)",
        heads: &[Op::StrLen],
        apply: of_from_code,
    },
];

fn of_concat(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    if !cx.is_op(*args.first()?, Op::StrConcat) {
        return None;
    }
    cx.length(args[0])?.build(cx.pool)
}

fn of_ite(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let [condition, yes, no] = cx.three(*args.first()?, Op::Ite)?;
    let (yes, no) = (cx.op(Op::StrLen, &[yes])?, cx.op(Op::StrLen, &[no])?);
    cx.ite(condition, yes, no)
}

fn of_substr(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let [base, from, count] = cx.three(*args.first()?, Op::StrSubstr)?;
    let (whole, from, count) = (cx.length(base)?, cx.linear(from), cx.linear(count));
    if !cx.never_negative(&from) {
        return None;
    }
    let rest = whole.minus(&from);
    if cx.at_least(&rest, &count) && cx.never_negative(&count) {
        return count.build(cx.pool);
    }
    if cx.at_least(&count, &rest) && cx.never_negative(&rest) {
        return rest.build(cx.pool);
    }
    None
}

fn of_replace(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let text = *args.first()?;
    let [base, needle, by] =
        cx.three(text, Op::StrReplace).or_else(|| cx.three(text, Op::StrReplaceAll))?;
    let (needle, by) = (cx.length(needle)?, cx.length(by)?);
    if !cx.at_least(&needle, &by) || !cx.at_least(&by, &needle) {
        return None;
    }
    cx.op(Op::StrLen, &[base])
}

fn of_from_code(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[code] = cx.args(*args.first()?, Op::StrFromCode)? else { return None };
    let form = cx.linear(code);
    let low = cx.ge(&form, &Linear::default())?;
    let high = cx.ge(&Linear::number(CodePoint::MAX.code()), &form)?;
    let inside = cx.and(&[low, high])?;
    let (one, zero) = (cx.int(1)?, cx.int(0)?);
    cx.ite(inside, one, zero)
}
