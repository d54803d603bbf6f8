//! Literals as terms, and terms of literals evaluated.

use luthier_terms::{BigInt, BuildError, Op, SmtString, TermId, TermPool};
use num_traits::Signed;

use super::regexes;
use crate::constants::{Constant, value};
use crate::{Limit, Limits};

/// The value of an operator of strings on literals, as a term; `None` if an argument is no literal
/// or the operator is another one.
pub(super) fn evaluate(
    pool: &mut TermPool,
    op: Op,
    arguments: &[TermId],
    limits: &Limits,
) -> Result<Option<TermId>, BuildError> {
    let constant = match (op, arguments) {
        (Op::StrInRe, &[word, language]) => pool
            .as_string(word)
            .map(SmtString::as_slice)
            .and_then(|word| regexes::matches(pool, language, word, limits))
            .map(Constant::Bool),
        _ => value(pool, op, arguments, limits.count(Limit::AbstractionLiteral), limits),
    };
    match constant {
        None => Ok(None),
        Some(Constant::Bool(value)) => pool.bool(value).map(Some),
        Some(Constant::Int(number)) => integer(pool, number).map(Some),
        Some(Constant::Text(text)) => pool.string(text.into()).map(Some),
    }
}

/// A numeral, below zero as the reader makes it.
pub(super) fn integer(pool: &mut TermPool, number: BigInt) -> Result<TermId, BuildError> {
    if number.is_negative() {
        let positive = pool.integer(-number)?;
        return pool.op(Op::Neg, &[positive]);
    }
    pool.integer(number)
}
