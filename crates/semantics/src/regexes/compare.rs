//! Equivalence of regular languages by bisimulation of derivatives (Hopcroft and Karp).

use rustc_hash::FxHashMap;

use super::language::Language;
use super::matcher::Matcher;
use super::store::ExprId;
use crate::limits::{Budget, Exhausted};

/// Whether two languages have the same words: two expressions that are assumed equivalent must
/// agree on the empty word, and then their derivatives by every character class are assumed
/// equivalent, too. Assumptions are closed by union-find: a pair within one class follows from
/// pairs that are checked, so it needs no check.
pub(super) fn equivalent(
    left: &Language,
    right: &Language,
    cells: usize,
    budget: &mut Budget,
) -> Result<bool, Exhausted> {
    if left == right {
        return Ok(true);
    }
    let (mut matcher, left, right) = Matcher::of_pair(left, right, cells).ok_or(Exhausted)?;
    let mut classes = Classes::default();
    let mut pending = vec![(left, right)];
    while let Some((left, right)) = pending.pop() {
        if !classes.unite(left, right) {
            continue;
        }
        if matcher.accepts(left) != matcher.accepts(right) {
            return Ok(false);
        }
        for class in matcher.alphabet().classes() {
            let left = matcher.derivative(left, class, budget)?;
            let right = matcher.derivative(right, class, budget)?;
            if left != right {
                pending.push((left, right));
            }
            if matcher.size() > cells {
                return Err(Exhausted);
            }
        }
    }
    Ok(true)
}

/// Classes of expressions that are assumed equivalent (union-find).
#[derive(Default)]
struct Classes {
    parents: FxHashMap<ExprId, ExprId>,
}

impl Classes {
    /// Puts two expressions into one class; `false` if they are in one already.
    fn unite(&mut self, left: ExprId, right: ExprId) -> bool {
        let (left, right) = (self.root(left), self.root(right));
        if left == right {
            return false;
        }
        self.parents.insert(left, right);
        true
    }

    fn root(&mut self, mut id: ExprId) -> ExprId {
        while let Some(&parent) = self.parents.get(&id) {
            // Path halving.
            if let Some(&grandparent) = self.parents.get(&parent) {
                self.parents.insert(id, grandparent);
            }
            id = parent;
        }
        id
    }
}
