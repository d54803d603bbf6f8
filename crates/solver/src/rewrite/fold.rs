//! Evaluation of operators on constants: the solver's own, so that a mistake here and one in the
//! referee do not hide each other. A property test compares the two.
//!
//! Memberships and replacements by regular expressions are not here: they need automata.

use luthier_terms::{BigInt, CodePoint, Op, TermId};
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};

use super::context::{Context, LONGEST_LITERAL};
use super::rule::Rule;
use super::words;

/// Integers of more bits than this are not built by rewriting.
const MOST_BITS: u64 = 1 << 16;

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
        apply: conversions,
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
            // A negated numeral is the way in which numerals below zero are read.
            Some(number) => number,
            None => -first,
        },
        Op::Add => numbers.iter().sum(),
        Op::Sub => rest.iter().fold(first.clone(), |sum, number| sum - number),
        Op::Mul => {
            if numbers.iter().map(BigInt::bits).sum::<u64>() > MOST_BITS {
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

/// The quotient and the remainder, which is never negative. Division by zero is for the model.
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
    let first = cx.text(*args.first()?)?;
    match op {
        Op::StrConcat => {
            let mut whole = Vec::new();
            for &arg in args {
                let text = cx.text(arg)?;
                if whole.len() + text.len() > LONGEST_LITERAL {
                    return None;
                }
                whole.extend_from_slice(text);
            }
            cx.literal(&whole)
        }
        Op::StrLen => {
            let length = first.len();
            cx.int(length)
        }
        Op::StrLt | Op::StrLe => {
            let texts: Vec<&[CodePoint]> =
                args.iter().map(|&arg| cx.text(arg)).collect::<Option<_>>()?;
            let holds = texts.windows(2).all(|pair| match op {
                Op::StrLt => pair[0] < pair[1],
                _ => pair[0] <= pair[1],
            });
            cx.bool(holds)
        }
        Op::StrAt => {
            let at = cx.number(args[1])?;
            let piece = piece(first, &at, &1.into()).to_vec();
            cx.literal(&piece)
        }
        Op::StrSubstr => {
            let (at, count) = (cx.number(args[1])?, cx.number(args[2])?);
            let piece = piece(first, &at, &count).to_vec();
            cx.literal(&piece)
        }
        Op::StrPrefixOf => {
            let holds = cx.text(args[1])?.starts_with(first);
            cx.bool(holds)
        }
        Op::StrSuffixOf => {
            let holds = cx.text(args[1])?.ends_with(first);
            cx.bool(holds)
        }
        Op::StrContains => {
            let holds = words::find(first, cx.text(args[1])?, 0).is_some();
            cx.bool(holds)
        }
        Op::StrIndexOf => {
            let (needle, from) = (cx.text(args[1])?, cx.number(args[2])?);
            let found = from.to_usize().and_then(|from| words::find(first, needle, from));
            match found {
                Some(at) => cx.int(at),
                None => cx.int(-1),
            }
        }
        Op::StrReplace => {
            let (needle, by) = (cx.text(args[1])?, cx.text(args[2])?);
            let whole = match words::find(first, needle, 0) {
                Some(at) => [&first[..at], by, &first[at + needle.len()..]].concat(),
                None => first.to_vec(),
            };
            cx.literal(&whole)
        }
        Op::StrReplaceAll => {
            let (needle, by) = (cx.text(args[1])?, cx.text(args[2])?);
            let mut whole = Vec::new();
            let mut rest = first;
            while let Some(at) = words::find(rest, needle, 0).filter(|_| !needle.is_empty()) {
                whole.extend_from_slice(&rest[..at]);
                whole.extend_from_slice(by);
                rest = &rest[at + needle.len()..];
                if whole.len() > LONGEST_LITERAL {
                    return None;
                }
            }
            whole.extend_from_slice(rest);
            cx.literal(&whole)
        }
        _ => None,
    }
}

/// The piece of a text at a position, of at most a length.
fn piece<'a>(text: &'a [CodePoint], at: &BigInt, count: &BigInt) -> &'a [CodePoint] {
    match at.to_usize() {
        Some(at) if at < text.len() && count.is_positive() => {
            let rest = &text[at..];
            &rest[..count.to_usize().map_or(rest.len(), |count| count.min(rest.len()))]
        }
        _ => &[],
    }
}

fn conversions(cx: &mut Context, term: TermId, args: &[TermId]) -> Option<TermId> {
    let &[arg] = args else { return None };
    match head(cx, term)? {
        Op::StrIsDigit => {
            let holds = matches!(*cx.text(arg)?, [only] if words::digit(only).is_some());
            cx.bool(holds)
        }
        Op::StrToCode => match *cx.text(arg)? {
            [only] => cx.int(only.code()),
            _ => cx.int(-1),
        },
        Op::StrFromCode => {
            let character = cx.number(arg)?.to_u32().and_then(CodePoint::new);
            let word: Vec<CodePoint> = character.into_iter().collect();
            cx.literal(&word)
        }
        Op::StrToInt => {
            let text = cx.text(arg)?;
            if text.len() > LONGEST_LITERAL {
                return None;
            }
            match words::parse(text) {
                Some(number) => cx.int(number),
                None => cx.int(-1),
            }
        }
        Op::StrFromInt => {
            let number = cx.number(arg)?;
            if number.bits() > MOST_BITS {
                return None;
            }
            let word = words::decimal(&number).unwrap_or_default();
            cx.literal(&word)
        }
        _ => None,
    }
}

fn equality(cx: &mut Context, term: TermId, args: &[TermId]) -> Option<TermId> {
    if !args.iter().all(|&arg| cx.is_constant(arg)) {
        return None;
    }
    // Numerals below zero may be written in two ways, everything else in one.
    let same = |cx: &Context, one: TermId, other: TermId| {
        one == other || cx.number(one).is_some_and(|number| cx.number(other) == Some(number))
    };
    let holds = match head(cx, term)? {
        Op::Eq => args.windows(2).all(|pair| same(cx, pair[0], pair[1])),
        _ => (0..args.len())
            .all(|one| (one + 1..args.len()).all(|other| !same(cx, args[one], args[other]))),
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
