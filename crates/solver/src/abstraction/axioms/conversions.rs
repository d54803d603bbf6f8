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
