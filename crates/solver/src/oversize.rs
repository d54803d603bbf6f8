//! Problems all of whose models have a string that is too long to be built.
//!
//! If assertions demand `Σ cᵢ·|sᵢ| ≥ n` with positive `cᵢ`, some `sᵢ` has at least `n / Σ cᵢ` letters.
//! Beyond the length that the referee evaluates, no model can be checked, so looking for one is
//! in vain; only proofs are left. It is a test of the syntax of single assertions, after rewriting: a
//! length that follows from several assertions is not found.

use luthier_semantics::Limits;
use luthier_terms::{BigInt, Op, Term, TermId, TermPool};
use num_traits::Signed;

use crate::rewrite::Linear;
use crate::{Budget, Limit, Problem};

/// The least length of some string in all models, if that is more than the referee evaluates.
pub(crate) fn least_length(problem: &Problem, budget: &Budget) -> Option<BigInt> {
    let longest = BigInt::from(Limits::default().string_length);
    let bits = budget.limit(Limit::SharedProductBits);
    let lengths =
        problem.assertions.iter().flat_map(|&assertion| demanded(&problem.pool, assertion, bits));
    lengths.filter(|length| *length > longest).max()
}

/// What an assertion demands of the longest of some strings.
fn demanded(pool: &TermPool, assertion: TermId, bits: usize) -> Vec<BigInt> {
    let (atom, truth) = match pool.term(assertion) {
        Term::Op(Op::Not, &[inner]) => (inner, false),
        _ => (assertion, true),
    };
    let Term::Op(op @ (Op::Eq | Op::Ge), &[left, right]) = pool.term(atom) else {
        return Vec::new();
    };
    // `form ≥ 0`, in one or both directions.
    let form = match pool.sort(left) {
        luthier_terms::Sort::Int => {
            Linear::of(pool, left, bits).minus(&Linear::of(pool, right, bits))
        }
        _ => return Vec::new(),
    };
    let forms = match (op, truth) {
        (Op::Eq, true) => vec![form.negated(), form],
        (Op::Ge, true) => vec![form],
        (Op::Ge, false) => vec![form.negated().shifted(-1)],
        _ => return Vec::new(),
    };
    let least = |form: Linear| {
        let is_length = |&term: &TermId| matches!(pool.term(term), Term::Op(Op::StrLen, _));
        if form.terms.is_empty() || !form.terms.keys().all(is_length) {
            return None;
        }
        if !form.terms.values().all(Signed::is_positive) || !form.constant.is_negative() {
            return None;
        }
        let factors: BigInt = form.terms.values().sum();
        Some(-form.constant / factors)
    };
    forms.into_iter().filter_map(least).collect()
}
