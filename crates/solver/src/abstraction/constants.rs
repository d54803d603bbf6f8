//! Operators of strings on constants: the engine's own evaluation, compared with the referee's by
//! a property test.

use luthier_terms::{BigInt, BuildError, CodePoint, Op, SmtString, TermId, TermPool};
use num_traits::{Signed, ToPrimitive, Zero};

use super::regexes;

/// Longer literals are not made.
const LONGEST: usize = 10_000;

/// The value of an operator of strings on literals, as a term; `None` if an argument is no literal
/// or the operator is another one.
pub(super) fn evaluate(
    pool: &mut TermPool,
    op: Op,
    arguments: &[TermId],
) -> Result<Option<TermId>, BuildError> {
    let Some(value) = value(pool, op, arguments) else { return Ok(None) };
    match value {
        Constant::Bool(value) => pool.bool(value),
        Constant::Int(number) => integer(pool, number),
        Constant::Text(text) if text.len() > LONGEST => return Ok(None),
        Constant::Text(text) => pool.string(text.into()),
    }
    .map(Some)
}

/// A numeral, below zero as the reader makes it.
pub(super) fn integer(pool: &mut TermPool, number: BigInt) -> Result<TermId, BuildError> {
    if number.is_negative() {
        let positive = pool.integer(-number)?;
        return pool.op(Op::Neg, &[positive]);
    }
    pool.integer(number)
}

enum Constant {
    Bool(bool),
    Int(BigInt),
    Text(Vec<CodePoint>),
}

fn value(pool: &TermPool, op: Op, arguments: &[TermId]) -> Option<Constant> {
    let text = |at: usize| arguments.get(at).and_then(|&term| pool.as_string(term));
    let number = |at: usize| arguments.get(at).and_then(|&term| pool.as_integer(term));
    let int = |number: i64| Constant::Int(number.into());
    let found = |at: Option<usize>| at.map_or(BigInt::from(-1), BigInt::from);
    Some(match op {
        Op::StrConcat => {
            let parts: Vec<&SmtString> =
                arguments.iter().map(|&term| pool.as_string(term)).collect::<Option<_>>()?;
            if parts.iter().map(|part| part.len()).sum::<usize>() > LONGEST {
                return None;
            }
            Constant::Text(parts.iter().flat_map(|part| part.iter().copied()).collect())
        }
        Op::StrLen => Constant::Int(text(0)?.len().into()),
        Op::StrLt if arguments.len() == 2 => Constant::Bool(text(0)? < text(1)?),
        Op::StrLe if arguments.len() == 2 => Constant::Bool(text(0)? <= text(1)?),
        Op::StrAt => Constant::Text(piece(text(0)?, &number(1)?, &BigInt::from(1)).to_vec()),
        Op::StrSubstr => Constant::Text(piece(text(0)?, &number(1)?, &number(2)?).to_vec()),
        Op::StrPrefixOf => Constant::Bool(text(1)?.starts_with(text(0)?)),
        Op::StrSuffixOf => Constant::Bool(text(1)?.ends_with(text(0)?)),
        Op::StrContains => Constant::Bool(find(text(0)?, text(1)?, 0).is_some()),
        Op::StrIndexOf => {
            let (text, needle) = (text(0)?, text(1)?);
            let start = number(2)?;
            match start.to_usize() {
                Some(start) if start <= text.len() => {
                    Constant::Int(found(find(text, needle, start)))
                }
                _ => int(-1),
            }
        }
        Op::StrReplace => {
            let (text, needle, by) = (text(0)?, text(1)?, text(2)?);
            Constant::Text(match find(text, needle, 0) {
                Some(at) => [&text[..at], by, &text[at + needle.len()..]].concat(),
                None => text.to_vec(),
            })
        }
        Op::StrReplaceAll => {
            let (text, needle, by) = (text(0)?, text(1)?, text(2)?);
            if needle.is_empty() || text.len().saturating_mul(by.len().max(1)) > LONGEST {
                return needle.is_empty().then(|| Constant::Text(text.to_vec()));
            }
            let (mut result, mut from) = (Vec::new(), 0);
            while let Some(at) = find(text, needle, from) {
                result.extend_from_slice(&text[from..at]);
                result.extend_from_slice(by);
                from = at + needle.len();
            }
            result.extend_from_slice(&text[from..]);
            Constant::Text(result)
        }
        Op::StrIsDigit => Constant::Bool(matches!(**text(0)?, [one] if is_digit(one))),
        Op::StrToCode => match **text(0)? {
            [one] => Constant::Int(one.code().into()),
            _ => int(-1),
        },
        Op::StrFromCode => {
            let code = number(0)?.to_u32().and_then(CodePoint::new);
            Constant::Text(code.into_iter().collect())
        }
        Op::StrToInt => {
            let text = text(0)?;
            if text.is_empty() || !text.iter().copied().all(is_digit) {
                return Some(int(-1));
            }
            let digits: Vec<u8> = text.iter().map(|digit| (digit.code() - 48) as u8).collect();
            Constant::Int(BigInt::from_radix_be(num_bigint::Sign::Plus, &digits, 10)?)
        }
        Op::StrFromInt => {
            let number = number(0)?;
            if number.is_negative() || number.bits() > 10_000 {
                return number.is_negative().then(|| Constant::Text(Vec::new()));
            }
            Constant::Text(number.to_string().bytes().map(CodePoint::from_byte).collect())
        }
        Op::StrInRe => {
            let text = text(0)?;
            Constant::Bool(regexes::matches(pool, *arguments.get(1)?, text)?)
        }
        _ => return None,
    })
}

/// The piece at a position of at most a length.
fn piece<'a>(text: &'a [CodePoint], start: &BigInt, length: &BigInt) -> &'a [CodePoint] {
    match (start.to_usize(), length.is_positive()) {
        (Some(start), true) if start < text.len() => {
            let rest = &text[start..];
            &rest[..length.to_usize().map_or(rest.len(), |length| length.min(rest.len()))]
        }
        _ => &[],
    }
}

/// Where a needle first occurs from a position on, which is not beyond the end.
pub(super) fn find(text: &[CodePoint], needle: &[CodePoint], from: usize) -> Option<usize> {
    if needle.is_empty() {
        return Some(from);
    }
    text[from..].windows(needle.len()).position(|window| window == needle).map(|at| from + at)
}

fn is_digit(character: CodePoint) -> bool {
    (48..=57).contains(&character.code())
}

/// Ten to a power.
pub(super) fn power_of_ten(exponent: u32) -> BigInt {
    let ten = BigInt::from(10).pow(exponent);
    debug_assert!(!ten.is_zero());
    ten
}
