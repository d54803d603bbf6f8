//! Components of a problem: the finest partition of its assertions such that two with a common
//! constant or function are together.
//!
//! Computed by union-find over subterms. Components can be decided independently: the problem is
//! satisfiable if and only if each of them is.

use luthier_terms::{PostOrder, Term, TermId};
use rustc_hash::FxHashMap;

use crate::Problem;

/// The assertions of a problem, grouped: two that share a constant are in the same group. Groups
/// are in the order of their first assertions.
pub fn components(problem: &Problem) -> Vec<Vec<TermId>> {
    let pool = &problem.pool;
    let mut parents: FxHashMap<TermId, TermId> = FxHashMap::default();
    for term in PostOrder::new(pool, problem.assertions.iter().copied()) {
        let children = pool.children(term);
        let is_constant = matches!(pool.term(term), Term::Apply(..) | Term::Variable(_));
        // Ground terms connect nothing.
        let connects = children.iter().any(|child| parents.contains_key(child));
        if !is_constant && !connects {
            continue;
        }
        parents.insert(term, term);
        for child in children {
            if parents.contains_key(child) {
                let root = find(&mut parents, *child);
                parents.insert(root, term);
            }
        }
    }
    // Applications of one function are connected, whatever their arguments are.
    let mut functions = FxHashMap::default();
    for term in PostOrder::new(pool, problem.assertions.iter().copied()) {
        if let Term::Apply(function, _) = pool.term(term) {
            let first = *functions.entry(function).or_insert(term);
            let (one, other) = (find(&mut parents, first), find(&mut parents, term));
            parents.insert(one, other);
        }
    }
    let mut groups: Vec<Vec<TermId>> = Vec::new();
    let mut numbers: FxHashMap<TermId, usize> = FxHashMap::default();
    for &assertion in &problem.assertions {
        let root = match parents.contains_key(&assertion) {
            true => find(&mut parents, assertion),
            false => assertion,
        };
        let number = *numbers.entry(root).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[number].push(assertion);
    }
    groups
}

/// The representative of a term's group, with path halving.
fn find(parents: &mut FxHashMap<TermId, TermId>, mut term: TermId) -> TermId {
    loop {
        let parent = parents[&term];
        if parent == term {
            return term;
        }
        let above = parents[&parent];
        parents.insert(term, above);
        term = above;
    }
}

#[cfg(test)]
mod tests {
    use luthier_terms::{Op, Sort, TermPool};

    use super::*;

    #[test]
    fn assertions_that_share_a_constant_stay_together() {
        let mut pool = TermPool::new();
        let mut constant = |name: &str| {
            let name = pool.symbols_mut().intern(name.as_bytes()).unwrap();
            let function = pool.declare(name, vec![], Sort::Bool).unwrap();
            pool.apply(function, &[]).unwrap()
        };
        let [a, b, c, d] = ["a", "b", "c", "d"].map(&mut constant);
        let ab = pool.op(Op::Or, &[a, b]).unwrap();
        let bc = pool.op(Op::Or, &[b, c]).unwrap();
        let yes = pool.bool(true).unwrap();
        let dd = pool.op(Op::Or, &[d, yes]).unwrap();
        let problem = Problem { pool: pool.into(), assertions: vec![ab, dd, bc, yes] };
        assert_eq!(components(&problem), [vec![ab, bc], vec![dd], vec![yes]]);
    }

    #[test]
    fn applications_of_a_function_stay_together() {
        let mut pool = TermPool::new();
        let name = pool.symbols_mut().intern(b"f").unwrap();
        let function = pool.declare(name, vec![Sort::Int], Sort::Bool).unwrap();
        let (one, two) = (pool.integer(1).unwrap(), pool.integer(2).unwrap());
        let (first, second) =
            (pool.apply(function, &[one]).unwrap(), pool.apply(function, &[two]).unwrap());
        let problem = Problem { pool: pool.into(), assertions: vec![first, second] };
        assert_eq!(components(&problem), [vec![first, second]]);
    }
}
