//! Iterative traversal of term DAGs, each shared term once.

use rustc_hash::FxHashSet;

use crate::{TermId, TermPool};

/// A traversal that has visited one in this many terms of the pool marks them in a dense table.
const DENSE_FRACTION: usize = 32;

/// The distinct subterms of some roots in post-order, each once.
pub struct PostOrder<'a> {
    pool: &'a TermPool,
    stack: Vec<(TermId, bool)>,
    seen: Visited,
}

/// The visited terms: a hash set at first, a dense table later. A traversal of a small term must
/// not allocate a table of the size of the pool, or thousands of them would be quadratic.
enum Visited {
    Few(FxHashSet<TermId>),
    Many(Vec<bool>),
}

impl Visited {
    /// Marks a term; whether it was not marked before.
    fn insert(&mut self, term: TermId, pool: &TermPool) -> bool {
        match self {
            Self::Many(marks) => !std::mem::replace(&mut marks[term.index()], true),
            Self::Few(terms) if terms.len() < pool.len() / DENSE_FRACTION => terms.insert(term),
            Self::Few(terms) => {
                let mut marks = vec![false; pool.len()];
                terms.iter().for_each(|term| marks[term.index()] = true);
                *self = Self::Many(marks);
                self.insert(term, pool)
            }
        }
    }
}

impl<'a> PostOrder<'a> {
    /// A traversal of all subterms of `roots`, in their order.
    pub fn new(pool: &'a TermPool, roots: impl IntoIterator<Item = TermId>) -> Self {
        let mut stack: Vec<_> = roots.into_iter().map(|root| (root, false)).collect();
        stack.reverse();
        Self { pool, stack, seen: Visited::Few(FxHashSet::default()) }
    }
}

impl Iterator for PostOrder<'_> {
    type Item = TermId;

    fn next(&mut self) -> Option<TermId> {
        while let Some((term, expanded)) = self.stack.pop() {
            if expanded {
                return Some(term);
            }
            if !self.seen.insert(term, self.pool) {
                continue;
            }
            self.stack.push((term, true));
            self.stack.extend(self.pool.children(term).iter().rev().map(|&child| (child, false)));
        }
        None
    }
}

/// The number of distinct subterms of `root`, itself included.
pub fn dag_size(pool: &TermPool, root: TermId) -> usize {
    PostOrder::new(pool, [root]).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Op;

    #[test]
    fn a_hundred_thousand_levels_are_walked_and_counted() {
        let mut pool = TermPool::new();
        let mut term = pool.bool(true).unwrap();
        for _ in 0..100_000 {
            term = pool.op(Op::And, &[term, term]).unwrap();
        }
        assert_eq!(dag_size(&pool, term), 100_001);
        assert_eq!(pool.tree_sizes()[term.index()], u64::MAX);
    }

    #[test]
    fn children_come_before_parents_and_each_term_once() {
        let mut pool = TermPool::new();
        let one = pool.integer(1).unwrap();
        let sum = pool.op(Op::Add, &[one, one]).unwrap();
        let root = pool.op(Op::Eq, &[sum, one]).unwrap();
        let order: Vec<_> = PostOrder::new(&pool, [root]).collect();
        assert_eq!(order, [one, sum, root]);
    }
}
