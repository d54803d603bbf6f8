//! Walking over terms without recursion.

use crate::{TermId, TermPool};

/// Every distinct term below some roots, children before parents, each once.
pub struct PostOrder<'a> {
    pool: &'a TermPool,
    stack: Vec<(TermId, bool)>,
    seen: Vec<bool>,
}

impl<'a> PostOrder<'a> {
    /// A walk over everything below `roots`, in their order.
    pub fn new(pool: &'a TermPool, roots: impl IntoIterator<Item = TermId>) -> Self {
        let mut stack: Vec<_> = roots.into_iter().map(|root| (root, false)).collect();
        stack.reverse();
        Self { pool, stack, seen: vec![false; pool.len()] }
    }
}

impl Iterator for PostOrder<'_> {
    type Item = TermId;

    fn next(&mut self) -> Option<TermId> {
        while let Some((term, expanded)) = self.stack.pop() {
            if expanded {
                return Some(term);
            }
            if std::mem::replace(&mut self.seen[term.index()], true) {
                continue;
            }
            self.stack.push((term, true));
            self.stack.extend(self.pool.children(term).iter().rev().map(|&child| (child, false)));
        }
        None
    }
}

/// How many distinct terms lie below `root`, itself included.
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
