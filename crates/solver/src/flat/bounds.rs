//! Upper bounds on lengths that single assertions state, such as `|x| + 2·|y| ≤ 7`.
//!
//! A variable with a small bound gets a domain of all words up to it, which needs no assumption, so
//! that `unsat` can be concluded. Only linear (in)equalities with positive coefficients of lengths
//! are used.

use luthier_terms::{BigInt, Op, Term, TermId, TermPool};
use num_traits::{One, Signed, ToPrimitive};
use rustc_hash::FxHashMap;

use crate::rewrite::Linear;

/// Upper bounds on the lengths of string terms, as far as a single assertion implies one. Products
/// of numerals are computed up to `product_bits` bits.
pub fn upper_bounds(
    pool: &TermPool,
    assertions: &[TermId],
    product_bits: usize,
) -> FxHashMap<TermId, usize> {
    let mut bounds: FxHashMap<TermId, usize> = FxHashMap::default();
    for &assertion in assertions {
        let Some(form) = never_positive(pool, assertion, product_bits) else { continue };
        // An upper bound on a sum of lengths is one on each of them.
        let most = -&form.constant;
        let sum = form.terms.iter().map(|(&term, factor)| {
            let length = match pool.term(term) {
                Term::Op(Op::StrLen, [text]) => Some(*text),
                _ => None,
            };
            length.filter(|_| factor.is_positive()).map(|text| (text, factor))
        });
        let Some(lengths) = sum.collect::<Option<Vec<_>>>() else { continue };
        for (text, factor) in lengths {
            let bound = (&most / factor).to_usize().unwrap_or(0);
            let known = bounds.entry(text).or_insert(bound);
            *known = bound.min(*known);
        }
    }
    bounds
}

/// A linear form that is at most zero if an assertion holds.
fn never_positive(pool: &TermPool, assertion: TermId, product_bits: usize) -> Option<Linear> {
    let linear = |term: TermId| Linear::of(pool, term, product_bits);
    let difference = |left: TermId, right: TermId| linear(left).minus(&linear(right));
    let form = match pool.term(assertion) {
        Term::Op(Op::Eq, &[left, right]) if pool.sort(left) == luthier_terms::Sort::Int => {
            let form = difference(left, right);
            if form.leads_negative() { form.negated() } else { form }
        }
        Term::Op(Op::Le, &[left, right]) | Term::Op(Op::Ge, &[right, left]) => {
            difference(left, right)
        }
        Term::Op(Op::Lt, &[left, right]) | Term::Op(Op::Gt, &[right, left]) => {
            difference(left, right).shifted(1)
        }
        Term::Op(Op::Not, &[inner]) => match pool.term(inner) {
            Term::Op(Op::Ge, &[left, right]) => {
                difference(left, right).plus(&Linear::number(1), &BigInt::one())
            }
            _ => return None,
        },
        _ => return None,
    };
    Some(form)
}

#[cfg(test)]
mod tests {
    use luthier_terms::{SmtString, Sort};

    use super::*;

    #[test]
    fn bounds_are_found_in_equations_and_comparisons() {
        let mut pool = TermPool::new();
        let mut constant = |name: &[u8]| {
            let name = pool.symbols_mut().intern(name).unwrap();
            let function = pool.declare(name, vec![], Sort::String).unwrap();
            pool.apply(function, &[]).unwrap()
        };
        let (x, y) = (constant(b"x"), constant(b"y"));
        let [x_length, y_length] = [x, y].map(|text| pool.op(Op::StrLen, &[text]).unwrap());
        let seven = pool.integer(7).unwrap();
        let equation = pool.op(Op::Eq, &[seven, x_length]).unwrap();
        let sum = pool.op(Op::Add, &[x_length, y_length]).unwrap();
        let large = pool.op(Op::Ge, &[sum, seven]).unwrap();
        let small = pool.op(Op::Not, &[large]).unwrap();
        assert_eq!(upper_bounds(&pool, &[equation], 64), [(x, 7)].into_iter().collect());
        assert_eq!(upper_bounds(&pool, &[small], 64), [(x, 6), (y, 6)].into_iter().collect());
        assert_eq!(upper_bounds(&pool, &[large], 64), FxHashMap::default());
        let text = pool.string(SmtString::empty()).unwrap();
        let other = pool.op(Op::Eq, &[x, text]).unwrap();
        assert_eq!(upper_bounds(&pool, &[other], 64), FxHashMap::default());
    }
}
