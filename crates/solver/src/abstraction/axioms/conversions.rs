//! Axioms about conversions between numbers and digits: magnitude against length, and `str.to_int`
//! of a concatenation by its arguments.

use luthier_terms::{BigInt, Op, TermId};

use super::{Axiom, Trigger};
use crate::Limit;
use crate::abstraction::terms::{BuildResult, TermBuilder};
use crate::abstraction::universe::Universe;

pub(super) const AXIOMS: &[Axiom] = &[
    Axiom {
        name: "to-int-is-below-its-power",
        law: "|x| <= k implies to_int(x) < 10^k, for small k",
        level: 1,
        trigger: Trigger::Code(&[Op::StrToInt], to_int_is_below_its_power),
    },
    Axiom {
        name: "from-int-length",
        law: "n >= 0 implies (|from_int(n)| <= k exactly if n < 10^k), for small k",
        level: 1,
        trigger: Trigger::Code(&[Op::StrFromInt], from_int_length),
    },
    Axiom {
        name: "to-int-of-a-concat",
        law: "to_int(x1 ++ … ++ xn) >= 0 implies xi = \"\" or to_int(xi) >= 0, and the reverse",
        level: 1,
        trigger: Trigger::Code(&[Op::StrToInt], to_int_of_a_concat),
    },
    Axiom {
        name: "to-int-of-digits-at-the-end",
        law: "to_int(x ++ w) = 10^|w| * to_int(x) + to_int(w) for digits w, if x has only digits, too; \
              to_int(w) if x is empty; else -1",
        level: 1,
        trigger: Trigger::Code(&[Op::StrToInt], to_int_of_digits_at_the_end),
    },
    Axiom {
        name: "to-int-of-digits-at-the-start",
        law: "to_int(w ++ x) >= 0 and |x| >= k implies to_int(w ++ x) >= 10^k * to_int(w), and < \
              10^k * (to_int(w) + 1) if |x| <= k, for digits w and small k",
        level: 1,
        trigger: Trigger::Code(&[Op::StrToInt], to_int_of_digits_at_the_start),
    },
];

/// Up to this many digits have facts.
fn digits_of_facts(terms: &TermBuilder<'_>) -> u32 {
    u32::try_from(terms.limit(Limit::AbstractionDigits)).unwrap_or(u32::MAX)
}

fn to_int_is_below_its_power(
    terms: &mut TermBuilder<'_>,
    _: &Universe,
    term: TermId,
    found: &mut Vec<TermId>,
) -> BuildResult<()> {
    let &[text] = terms.pool.children(term) else { return Ok(()) };
    let length = terms.len(text)?;
    for digits in 1..=digits_of_facts(terms) {
        let (bound, power) = (terms.int(digits)?, terms.int(BigInt::from(10).pow(digits))?);
        let short = terms.op(Op::Le, &[length, bound])?;
        let small = terms.op(Op::Lt, &[term, power])?;
        found.push(terms.implies(short, small)?);
    }
    Ok(())
}

fn from_int_length(
    terms: &mut TermBuilder<'_>,
    _: &Universe,
    term: TermId,
    found: &mut Vec<TermId>,
) -> BuildResult<()> {
    let &[number] = terms.pool.children(term) else { return Ok(()) };
    let (length, zero) = (terms.len(term)?, terms.int(0)?);
    let natural = terms.op(Op::Ge, &[number, zero])?;
    for digits in 1..=digits_of_facts(terms) {
        let (bound, power) = (terms.int(digits)?, terms.int(BigInt::from(10).pow(digits))?);
        let short = terms.op(Op::Le, &[length, bound])?;
        let small = terms.op(Op::Lt, &[number, power])?;
        let same = terms.eq(short, small)?;
        found.push(terms.implies(natural, same)?);
    }
    Ok(())
}

fn to_int_of_a_concat(
    terms: &mut TermBuilder<'_>,
    _: &Universe,
    term: TermId,
    found: &mut Vec<TermId>,
) -> BuildResult<()> {
    let &[text] = terms.pool.children(term) else { return Ok(()) };
    let parts = terms.parts(text);
    if !(2..=12).contains(&parts.len()) {
        return Ok(());
    }
    let (zero, empty) = (terms.int(0)?, terms.text(&[])?);
    let mut fine = Vec::with_capacity(parts.len());
    for part in parts {
        let value = terms.op(Op::StrToInt, &[part])?;
        let number = terms.op(Op::Ge, &[value, zero])?;
        let nothing = terms.eq(part, empty)?;
        fine.push(terms.op(Op::Or, &[number, nothing])?);
    }
    let number = terms.op(Op::Ge, &[term, zero])?;
    let nothing = terms.eq(text, empty)?;
    let left = terms.op(Op::Or, &[number, nothing])?;
    let right = terms.op(Op::And, &fine)?;
    found.push(terms.eq(left, right)?);
    Ok(())
}

/// The value of a literal that is not empty and has only digits, not too many of them.
fn digits(terms: &TermBuilder<'_>, term: TermId) -> Option<(u32, BigInt)> {
    let text = terms.pool.as_string(term)?;
    let length = u32::try_from(text.len()).ok()?;
    if length == 0 || length > digits_of_facts(terms) {
        return None;
    }
    let mut value = BigInt::ZERO;
    for letter in text.iter() {
        let digit = letter.code().checked_sub(48).filter(|digit| *digit < 10)?;
        value = value * 10 + digit;
    }
    Some((length, value))
}

fn to_int_of_digits_at_the_end(
    terms: &mut TermBuilder<'_>,
    _: &Universe,
    term: TermId,
    found: &mut Vec<TermId>,
) -> BuildResult<()> {
    let &[text] = terms.pool.children(term) else { return Ok(()) };
    let parts = terms.parts(text);
    let [before @ .., last] = parts.as_slice() else { return Ok(()) };
    let Some((length, value)) = digits(terms, *last) else { return Ok(()) };
    let before = match before {
        [] => return Ok(()),
        [only] => *only,
        _ => terms.op(Op::StrConcat, before)?,
    };
    let number = terms.op(Op::StrToInt, &[before])?;
    let (zero, none, empty) = (terms.int(0)?, terms.int(-1)?, terms.text(&[])?);
    let (power, value) = (terms.int(BigInt::from(10).pow(length))?, terms.int(value)?);
    let shifted = terms.op(Op::Mul, &[power, number])?;
    let sum = terms.op(Op::Add, &[shifted, value])?;
    let natural = terms.op(Op::Ge, &[number, zero])?;
    let nothing = terms.eq(before, empty)?;
    let other = terms.op(Op::Ite, &[nothing, value, none])?;
    let expected = terms.op(Op::Ite, &[natural, sum, other])?;
    found.push(terms.eq(term, expected)?);
    Ok(())
}

fn to_int_of_digits_at_the_start(
    terms: &mut TermBuilder<'_>,
    _: &Universe,
    term: TermId,
    found: &mut Vec<TermId>,
) -> BuildResult<()> {
    let &[text] = terms.pool.children(term) else { return Ok(()) };
    let parts = terms.parts(text);
    let [first, after @ ..] = parts.as_slice() else { return Ok(()) };
    let Some((_, value)) = digits(terms, *first) else { return Ok(()) };
    let after = match after {
        [] => return Ok(()),
        [only] => *only,
        _ => terms.op(Op::StrConcat, after)?,
    };
    let (length, zero) = (terms.len(after)?, terms.int(0)?);
    let natural = terms.op(Op::Ge, &[term, zero])?;
    for digits in 0..=digits_of_facts(terms) {
        let bound = terms.int(digits)?;
        let power = BigInt::from(10).pow(digits);
        let (least, beyond) = (terms.int(&power * &value)?, terms.int(&power * (&value + 1))?);
        let long = terms.op(Op::Ge, &[length, bound])?;
        let large = terms.op(Op::Ge, &[term, least])?;
        let premise = terms.op(Op::And, &[natural, long])?;
        found.push(terms.implies(premise, large)?);
        let short = terms.op(Op::Le, &[length, bound])?;
        let small = terms.op(Op::Lt, &[term, beyond])?;
        let premise = terms.op(Op::And, &[natural, short])?;
        found.push(terms.implies(premise, small)?);
    }
    Ok(())
}
