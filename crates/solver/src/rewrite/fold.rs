//! Rewrite rules that evaluate operators on literals (constant folding). A property test compares
//! them with the referee.

use luthier_terms::{BigInt, Op, TermId};
use num_integer::Integer;
use num_traits::{Signed, Zero};
use rustc_hash::FxHashSet;

use super::context::Context;
use super::rule::Rule;
use crate::Limit;
use crate::literals::{self, Constant};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "evaluate-integers",
        law: "f(m, n, …) is a numeral or truth value when all arguments are numerals",
        heads: &[
            Op::Add,
            Op::Sub,
            Op::Neg,
            Op::Mul,
            Op::Div,
            Op::Mod,
            Op::Abs,
            Op::Le,
            Op::Lt,
            Op::Ge,
            Op::Gt,
            Op::Divisible,
        ],
        apply: integers,
    },
    Rule {
        name: "evaluate-strings",
        law: "f(v, w, …) is a literal when all arguments are literals",
        heads: &[
            Op::StrConcat,
            Op::StrLen,
            Op::StrLt,
            Op::StrLe,
            Op::StrAt,
            Op::StrSubstr,
            Op::StrPrefixOf,
            Op::StrSuffixOf,
            Op::StrContains,
            Op::StrIndexOf,
            Op::StrReplace,
            Op::StrReplaceAll,
        ],
        apply: strings,
    },
    Rule {
        name: "evaluate-conversions",
        law: "f(w) is a literal when w is a literal, for is_digit, codes and decimals",
        heads: &[Op::StrIsDigit, Op::StrToCode, Op::StrFromCode, Op::StrToInt, Op::StrFromInt],
        apply: strings,
    },
    Rule {
        name: "evaluate-equality",
        law: "v = w is a truth value when v and w are literals; so is distinct(v, w, …)",
        heads: &[Op::Eq, Op::Distinct],
        apply: equality,
    },
];

fn integers(cx: &mut Context, term: TermId, args: &[TermId]) -> Option<TermId> {
    let numbers: Vec<BigInt> = args.iter().map(|&arg| cx.number(arg)).collect::<Option<_>>()?;
    let op = head(cx, term)?;
    let chain = |holds: fn(&BigInt, &BigInt) -> bool| {
        numbers.windows(2).all(|pair| holds(&pair[0], &pair[1]))
    };
    let (first, rest) = numbers.split_first()?;
    let value = match op {
        Op::Neg => match cx.pool.as_integer(term) {
            // A negated numeral is how the parser reads a negative one.
            Some(number) => number,
            None => -first,
        },
        Op::Add => numbers.iter().sum(),
        Op::Sub => rest.iter().fold(first.clone(), |sum, number| sum - number),
        Op::Mul => {
            if numbers.iter().map(BigInt::bits).sum::<u64>()
                > cx.limit(Limit::SharedProductBits) as u64
            {
                return None;
            }
            numbers.iter().product()
        }
        Op::Abs => first.abs(),
        Op::Div => {
            let mut quotient = first.clone();
            for divisor in rest {
                quotient = divide(&quotient, divisor)?.0;
            }
            quotient
        }
        Op::Mod => divide(first, rest.first()?)?.1,
        Op::Le => return cx.bool(chain(|m, n| m <= n)),
        Op::Lt => return cx.bool(chain(|m, n| m < n)),
        Op::Ge => return cx.bool(chain(|m, n| m >= n)),
        Op::Gt => return cx.bool(chain(|m, n| m > n)),
        Op::Divisible => {
            let number = rest.first()?;
            let divides =
                if first.is_zero() { number.is_zero() } else { number.is_multiple_of(first) };
            return cx.bool(divides);
        }
        _ => return None,
    };
    cx.int(value)
}

/// The quotient and the remainder, which is never negative. Division by zero is not folded: its
/// value is up to the model.
fn divide(number: &BigInt, divisor: &BigInt) -> Option<(BigInt, BigInt)> {
    if divisor.is_zero() {
        return None;
    }
    let (quotient, remainder) = number.div_rem(divisor);
    if !remainder.is_negative() {
        return Some((quotient, remainder));
    }
    let step = if divisor.is_negative() { 1 } else { -1 };
    Some((quotient + step, remainder + divisor.abs()))
}

fn strings(cx: &mut Context, term: TermId, args: &[TermId]) -> Option<TermId> {
    let op = head(cx, term)?;
    match literals::value(cx.pool, op, args, cx.limit(Limit::RewriteLiteral), cx.budget.limits())? {
        Constant::Bool(value) => cx.bool(value),
        Constant::Int(number) => cx.int(number),
        Constant::Text(text) => cx.literal(&text),
    }
}

fn equality(cx: &mut Context, term: TermId, args: &[TermId]) -> Option<TermId> {
    if !args.iter().all(|&arg| cx.is_constant(arg)) {
        return None;
    }
    // Negative numerals have two representations, other literals one.
    let values: FxHashSet<Result<BigInt, TermId>> =
        args.iter().map(|&arg| cx.number(arg).ok_or(arg)).collect();
    let holds = match head(cx, term)? {
        Op::Eq => values.len() == 1,
        _ => values.len() == args.len(),
    };
    cx.bool(holds)
}

/// The operator of a term.
pub(super) fn head(cx: &Context, term: TermId) -> Option<Op> {
    match cx.pool.term(term) {
        luthier_terms::Term::Op(op, _) => Some(op),
        _ => None,
    }
}
