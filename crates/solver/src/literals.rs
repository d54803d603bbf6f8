//! Evaluation of string operators on literals (constant folding), shared by rewriting, the
//! abstraction and the search.
//!
//! It is deliberately independent of the referee (`luthier-semantics`), so that a bug in one does
//! not hide a bug in the other; property tests of its users compare the two. Letters are checked
//! code points in terms and plain codes in the search. Integers are positions and lengths,
//! saturated at 128 bits. Conversions between strings and integers are exact: [`value`] bounds
//! their digits, [`apply`] leaves them to its caller. Memberships are decided by
//! [`crate::automata::Matcher`].

use luthier_terms::{BigInt, CodePoint, Op, SmtString, TermId, TermPool};
use num_traits::{Signed, ToPrimitive};

use crate::{Limit, Limits, words};

/// A letter of a string.
pub(crate) trait Letter: Copy + Ord {
    fn code(self) -> u32;
    fn from_code(code: u32) -> Option<Self>;
}

impl Letter for CodePoint {
    fn code(self) -> u32 {
        self.code()
    }

    fn from_code(code: u32) -> Option<Self> {
        Self::new(code)
    }
}

impl Letter for u32 {
    fn code(self) -> u32 {
        self
    }

    fn from_code(code: u32) -> Option<Self> {
        (code <= CodePoint::MAX.code()).then_some(code)
    }
}

/// The value of an operator of strings.
pub(crate) enum Literal<'a, L: Clone> {
    Bool(bool),
    Int(i128),
    /// A substring of the first argument, not copied.
    Substring(&'a [L]),
    Text(Vec<L>),
}

/// The value of an operator on literals, which are given by the index of the argument. `None` if an
/// argument is not a literal, if a string would be longer than `max_letters`, or if the operator is
/// not supported.
pub(crate) fn apply<'a, L: Letter + 'a>(
    op: Op,
    count: usize,
    text: impl Fn(usize) -> Option<&'a [L]>,
    number: impl Fn(usize) -> Option<i128>,
    max_letters: usize,
) -> Option<Literal<'a, L>> {
    let ordered = |holds: fn(&[L], &[L]) -> bool| -> Option<bool> {
        let mut all = true;
        for at in 1..count {
            all &= holds(text(at - 1)?, text(at)?);
        }
        Some(all)
    };
    Some(match op {
        Op::StrConcat => {
            let length = (0..count).try_fold(0, |sum, at| Some(sum + text(at)?.len()))?;
            if length > max_letters {
                return None;
            }
            let mut whole = Vec::with_capacity(length);
            (0..count).filter_map(&text).for_each(|part| whole.extend_from_slice(part));
            Literal::Text(whole)
        }
        Op::StrLen => Literal::Int(text(0)?.len() as i128),
        Op::StrLt => Literal::Bool(ordered(|left, right| left < right)?),
        Op::StrLe => Literal::Bool(ordered(|left, right| left <= right)?),
        Op::StrAt => Literal::Substring(substring(text(0)?, number(1)?, 1)),
        Op::StrSubstr => Literal::Substring(substring(text(0)?, number(1)?, number(2)?)),
        Op::StrPrefixOf => Literal::Bool(text(1)?.starts_with(text(0)?)),
        Op::StrSuffixOf => Literal::Bool(text(1)?.ends_with(text(0)?)),
        Op::StrContains => Literal::Bool(words::find(text(0)?, text(1)?, 0).is_some()),
        Op::StrIndexOf => {
            let (text, needle, from) = (text(0)?, text(1)?, number(2)?);
            let from = usize::try_from(from).ok();
            let position = from.and_then(|from| words::find(text, needle, from));
            Literal::Int(position.map_or(-1, |position| position as i128))
        }
        Op::StrReplace => {
            let (text, needle, by) = (text(0)?, text(1)?, text(2)?);
            match words::find(text, needle, 0) {
                Some(at) => {
                    let whole = [&text[..at], by, &text[at + needle.len()..]].concat();
                    Literal::Text(whole)
                }
                None => Literal::Substring(text),
            }
        }
        Op::StrReplaceAll => {
            let (text, needle, by) = (text(0)?, text(1)?, text(2)?);
            match needle.is_empty() {
                true => Literal::Substring(text),
                false => Literal::Text(replace_all(text, needle, by, max_letters)?),
            }
        }
        Op::StrIsDigit => {
            Literal::Bool(matches!(text(0)?, [only] if (0x30..=0x39).contains(&only.code())))
        }
        Op::StrToCode => Literal::Int(match text(0)? {
            [only] => i128::from(only.code()),
            _ => -1,
        }),
        Op::StrFromCode => {
            let code = u32::try_from(number(0)?).ok();
            Literal::Text(code.and_then(L::from_code).into_iter().collect())
        }
        _ => return None,
    })
}

/// The substring at a position, of at most a length.
fn substring<L>(text: &[L], at: i128, count: i128) -> &[L] {
    match usize::try_from(at) {
        Ok(at) if at < text.len() && count > 0 => {
            let rest = &text[at..];
            &rest[..usize::try_from(count).map_or(rest.len(), |count| count.min(rest.len()))]
        }
        _ => &[],
    }
}

fn replace_all<L: Letter>(
    text: &[L],
    needle: &[L],
    by: &[L],
    max_letters: usize,
) -> Option<Vec<L>> {
    let (mut whole, mut rest) = (Vec::new(), text);
    while let Some(at) = words::find(rest, needle, 0) {
        whole.extend_from_slice(&rest[..at]);
        whole.extend_from_slice(by);
        rest = &rest[at + needle.len()..];
        if whole.len() > max_letters {
            return None;
        }
    }
    whole.extend_from_slice(rest);
    Some(whole)
}

/// The value of a term without variables.
pub(crate) enum Constant {
    Bool(bool),
    Int(BigInt),
    Text(Vec<CodePoint>),
}

/// The value of an operator on literals of a pool. `None` if an argument is not a literal, if a
/// string would be longer than `max_letters`, or if the operator is not supported.
pub(crate) fn value(
    pool: &TermPool,
    op: Op,
    arguments: &[TermId],
    max_letters: usize,
    limits: &Limits,
) -> Option<Constant> {
    // Conversions are quadratic in the number of digits.
    let digits = max_letters.min(limits.count(Limit::SharedDigits));
    let text = |at: usize| {
        let &term = arguments.get(at)?;
        pool.as_string(term).map(SmtString::as_slice)
    };
    let exact = |at: usize| arguments.get(at).and_then(|&term| pool.as_integer(term));
    let number = |at: usize| {
        let number = exact(at)?;
        let largest = if number.is_negative() { i128::MIN } else { i128::MAX };
        Some(number.to_i128().unwrap_or(largest))
    };
    let constant = match op {
        Op::StrToInt => {
            let text = text(0)?;
            if text.len() > digits {
                return None;
            }
            Constant::Int(words::parse(text).unwrap_or(BigInt::from(-1)))
        }
        Op::StrFromInt => {
            let number = exact(0)?;
            // A digit has more than three bits.
            if number.is_positive() && number.bits() / 4 > digits as u64 {
                return None;
            }
            Constant::Text(words::decimal(&number).unwrap_or_default())
        }
        _ => match apply(op, arguments.len(), text, number, max_letters)? {
            Literal::Bool(value) => Constant::Bool(value),
            Literal::Int(number) => Constant::Int(number.into()),
            Literal::Substring(text) => Constant::Text(text.to_vec()),
            Literal::Text(text) => Constant::Text(text),
        },
    };
    match &constant {
        Constant::Text(text) if text.len() > max_letters => None,
        _ => Some(constant),
    }
}
