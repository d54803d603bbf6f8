//! Evaluation of operators on literals, with the results as terms of a pool.

use luthier_terms::{BigInt, BuildError, CodePoint, Op, SmtString, TermId, TermPool};
use num_traits::Signed;

use crate::automata::Matcher;
use crate::literals::{Constant, value};
use crate::{Budget, Limit};

/// The value of a string operator on literals, as a term; `None` if an argument is not a literal or
/// the operator is not supported.
pub(super) fn evaluate(
    pool: &mut TermPool,
    op: Op,
    arguments: &[TermId],
    budget: &Budget,
) -> Result<Option<TermId>, BuildError> {
    let constant = match (op, arguments) {
        (Op::StrInRe, &[word, language]) => pool
            .as_string(word)
            .map(SmtString::as_slice)
            .and_then(|word| is_member(pool, language, word, budget))
            .map(Constant::Bool),
        _ => value(pool, op, arguments, budget.limit(Limit::AbstractionLiteral), budget.limits()),
    };
    match constant {
        None => Ok(None),
        Some(Constant::Bool(value)) => pool.bool(value).map(Some),
        Some(Constant::Int(number)) => integer(pool, number).map(Some),
        Some(Constant::Text(text)) => pool.string(text.into()).map(Some),
    }
}

/// Whether a word is in a language; `None` if that exceeds a limit or the language is not constant.
pub(super) fn is_member(
    pool: &TermPool,
    language: TermId,
    word: &[CodePoint],
    budget: &Budget,
) -> Option<bool> {
    let (terms, letters) = (Limit::AbstractionMatchTerms, Limit::AbstractionMatchLetters);
    Matcher::new(pool, language, terms, letters, budget)?.accepts(word)
}

/// A numeral; negative ones as the parser builds them.
pub(super) fn integer(pool: &mut TermPool, number: BigInt) -> Result<TermId, BuildError> {
    if number.is_negative() {
        let positive = pool.integer(-number)?;
        return pool.op(Op::Neg, &[positive]);
    }
    pool.integer(number)
}
