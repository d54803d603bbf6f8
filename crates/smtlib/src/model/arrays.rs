//! Arrays from functions with finitely many exceptions: `(ite (= x 1) "a" (ite (= x 2) "b" "c"))` is
//! the constant array `"c"` with stores at 2 and then at 1. Any other body gives no array.

use luthier_terms::{BasicSort, Op, Term, TermId, TermPool};

/// The array whose element at `variable` is `body`, if `body` is a table: nested `ite`s that
/// compare `variable` with values, around values.
pub(super) fn array_of_function(
    pool: &mut TermPool,
    index: BasicSort,
    variable: TermId,
    body: TermId,
) -> Option<TermId> {
    let mut rows: Vec<(Vec<TermId>, TermId)> = Vec::new();
    let mut rest = body;
    while let Term::Op(Op::Ite, &[condition, value, otherwise]) = pool.term(rest) {
        rows.push((compared_values(pool, variable, condition)?, value));
        rest = otherwise;
    }
    if !is_value(pool, rest) {
        return None;
    }
    let mut array = pool.constant_array(index, rest).ok()?;
    // The first row that fits decides, so it is stored last.
    for (keys, value) in rows.into_iter().rev() {
        for key in keys {
            if !is_value(pool, value) {
                return None;
            }
            array = pool.op(Op::Store, &[array, key, value]).ok()?;
        }
    }
    Some(array)
}

/// The values that a condition compares the variable with.
fn compared_values(pool: &TermPool, variable: TermId, condition: TermId) -> Option<Vec<TermId>> {
    match pool.term(condition) {
        Term::Op(Op::Eq, &[left, right]) if left == variable && is_value(pool, right) => {
            Some(vec![right])
        }
        Term::Op(Op::Eq, &[left, right]) if right == variable && is_value(pool, left) => {
            Some(vec![left])
        }
        Term::Op(Op::Or, alternatives) => {
            let mut values = Vec::new();
            for &alternative in alternatives {
                let Term::Op(Op::Eq, _) = pool.term(alternative) else { return None };
                values.extend(compared_values(pool, variable, alternative)?);
            }
            Some(values)
        }
        _ => None,
    }
}

pub(super) fn is_value(pool: &TermPool, term: TermId) -> bool {
    match pool.term(term) {
        Term::String(_) | Term::Integer(_) | Term::Op(Op::True | Op::False, _) => true,
        Term::Op(Op::Neg, _) => pool.as_integer(term).is_some(),
        _ => false,
    }
}
