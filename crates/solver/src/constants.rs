//! Operators of strings on literals: the solver's own evaluation, so that a mistake here and one
//! in the referee do not hide each other. Property tests of its users compare the two.
//!
//! Memberships and replacements by regular expressions are not here: they need the languages.

use luthier_terms::{BigInt, CodePoint, Op, SmtString, TermId, TermPool};
use num_traits::{Signed, ToPrimitive};

use crate::{Limit, Limits, words};

/// The value of a term without variables.
pub(crate) enum Constant {
    Bool(bool),
    Int(BigInt),
    Text(Vec<CodePoint>),
}

/// The value of an operator on literals. `None` if an argument is no literal, if a string would be
/// longer than `longest`, or if the operator is another one.
pub(crate) fn value(
    pool: &TermPool,
    op: Op,
    arguments: &[TermId],
    longest: usize,
    limits: &Limits,
) -> Option<Constant> {
    // Conversions take time that is quadratic in the number of digits.
    let digits = longest.min(limits.count(Limit::SharedDigits));
    let constant = plain_value(pool, op, arguments, longest, digits)?;
    match &constant {
        Constant::Text(text) if text.len() > longest => None,
        _ => Some(constant),
    }
}

fn plain_value(
    pool: &TermPool,
    op: Op,
    arguments: &[TermId],
    longest: usize,
    digits: usize,
) -> Option<Constant> {
    let text_of = |term: TermId| pool.as_string(term).map(SmtString::as_slice);
    let text = |at: usize| arguments.get(at).and_then(|&term| text_of(term));
    let number = |at: usize| arguments.get(at).and_then(|&term| pool.as_integer(term));
    let texts = || arguments.iter().map(|&term| text_of(term)).collect::<Option<Vec<_>>>();
    let place = |at: Option<usize>| Constant::Int(at.map_or(BigInt::from(-1), BigInt::from));
    Some(match op {
        Op::StrConcat => {
            let parts = texts()?;
            if parts.iter().map(|part| part.len()).sum::<usize>() > longest {
                return None;
            }
            Constant::Text(parts.concat())
        }
        Op::StrLen => Constant::Int(text(0)?.len().into()),
        Op::StrLt => Constant::Bool(texts()?.windows(2).all(|pair| pair[0] < pair[1])),
        Op::StrLe => Constant::Bool(texts()?.windows(2).all(|pair| pair[0] <= pair[1])),
        Op::StrAt => Constant::Text(piece(text(0)?, &number(1)?, &BigInt::from(1)).to_vec()),
        Op::StrSubstr => Constant::Text(piece(text(0)?, &number(1)?, &number(2)?).to_vec()),
        Op::StrPrefixOf => Constant::Bool(text(1)?.starts_with(text(0)?)),
        Op::StrSuffixOf => Constant::Bool(text(1)?.ends_with(text(0)?)),
        Op::StrContains => Constant::Bool(words::find(text(0)?, text(1)?, 0).is_some()),
        Op::StrIndexOf => {
            let (text, needle, from) = (text(0)?, text(1)?, number(2)?);
            place(from.to_usize().and_then(|from| words::find(text, needle, from)))
        }
        Op::StrReplace => {
            let (text, needle, by) = (text(0)?, text(1)?, text(2)?);
            Constant::Text(match words::find(text, needle, 0) {
                Some(at) => [&text[..at], by, &text[at + needle.len()..]].concat(),
                None => text.to_vec(),
            })
        }
        Op::StrReplaceAll => Constant::Text(replace_all(text(0)?, text(1)?, text(2)?, longest)?),
        Op::StrIsDigit => {
            Constant::Bool(matches!(*text(0)?, [only] if words::digit(only).is_some()))
        }
        Op::StrToCode => Constant::Int(match *text(0)? {
            [only] => only.code().into(),
            _ => BigInt::from(-1),
        }),
        Op::StrFromCode => {
            let character = number(0)?.to_u32().and_then(CodePoint::new);
            Constant::Text(character.into_iter().collect())
        }
        Op::StrToInt => {
            let text = text(0)?;
            if text.len() > digits {
                return None;
            }
            Constant::Int(words::parse(text).unwrap_or(BigInt::from(-1)))
        }
        Op::StrFromInt => {
            let number = number(0)?;
            // A digit has more than three bits.
            if number.is_positive() && number.bits() / 4 > digits as u64 {
                return None;
            }
            Constant::Text(words::decimal(&number).unwrap_or_default())
        }
        _ => return None,
    })
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

fn replace_all(
    text: &[CodePoint],
    needle: &[CodePoint],
    by: &[CodePoint],
    longest: usize,
) -> Option<Vec<CodePoint>> {
    if needle.is_empty() {
        return Some(text.to_vec());
    }
    let (mut whole, mut rest) = (Vec::new(), text);
    while let Some(at) = words::find(rest, needle, 0) {
        whole.extend_from_slice(&rest[..at]);
        whole.extend_from_slice(by);
        rest = &rest[at + needle.len()..];
        if whole.len() > longest {
            return None;
        }
    }
    whole.extend_from_slice(rest);
    Some(whole)
}
