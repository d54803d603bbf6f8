//! Finds subterms to share by `let`, and the scope in which each may be bound.
//!
//! A subterm is shared if it occurs more than once; it can be bound only where all its free variables
//! are in scope. Shared subterms of one scope are grouped by dependence, because `let` binds in
//! parallel: a group refers only to groups before it.

use luthier_terms::{Term, TermId, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

use super::names::{parts, post_order};

/// What is known about the parts of one term before it is printed with `let`.
pub(super) struct Sharing<'a> {
    pool: &'a TermPool,
    /// The free variables of the parts that have any.
    free: FxHashMap<TermId, Vec<TermId>>,
    /// The free variables of the parts that occur more than once: only where one of these is
    /// bound can there be something new to share.
    shared_variables: FxHashSet<TermId>,
}

impl<'a> Sharing<'a> {
    /// `None`: nothing occurs more than once.
    pub fn new(pool: &'a TermPool, root: TermId) -> Option<Self> {
        let order = post_order(pool, root);
        let mut references: FxHashMap<TermId, u32> = FxHashMap::default();
        for part in order.iter().flat_map(|&term| parts(pool, term)) {
            *references.entry(*part).or_default() += 1;
        }
        let is_shared = |term: &TermId| {
            references.get(term).is_some_and(|&count| count > 1) && !parts(pool, *term).is_empty()
        };
        if !order.iter().any(is_shared) {
            return None;
        }
        let mut free: FxHashMap<TermId, Vec<TermId>> = FxHashMap::default();
        let mut shared_variables = FxHashSet::default();
        for term in order {
            let mut variables: Vec<TermId> = match pool.term(term) {
                Term::Variable(_) => vec![term],
                _ => {
                    let parts = parts(pool, term).iter();
                    parts.filter_map(|part| free.get(part)).flatten().copied().collect()
                }
            };
            if let Term::Quantifier(quantifier) = pool.term(term) {
                let bound: FxHashSet<TermId> = quantifier.variables.iter().copied().collect();
                variables.retain(|variable| !bound.contains(variable));
            }
            if !variables.is_empty() {
                variables.sort_unstable();
                variables.dedup();
                if is_shared(&term) {
                    shared_variables.extend(variables.iter().copied());
                }
                free.insert(term, variables);
            }
        }
        Some(Self { pool, free, shared_variables })
    }

    /// Whether binding these variables can make a part sharable that was not before.
    pub fn concerns(&self, variables: &[TermId]) -> bool {
        variables.iter().any(|variable| self.shared_variables.contains(variable))
    }

    /// The parts of `root` that occur more than once and whose free variables are all in scope,
    /// grouped so that each group mentions only groups before it. Parts that have a name already
    /// are left out, with everything below them.
    pub fn levels(
        &self,
        root: TermId,
        in_scope: impl Fn(TermId) -> bool,
        has_name: impl Fn(TermId) -> bool,
    ) -> Vec<Vec<TermId>> {
        let mut references: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut order = Vec::new();
        // Variables that are bound again further in, where they mean something else.
        let mut rebound: FxHashSet<TermId> = FxHashSet::default();
        let mut stack = vec![(root, false)];
        while let Some((term, expanded)) = stack.pop() {
            if expanded {
                order.push(term);
                continue;
            }
            let count = references.entry(term).or_default();
            *count += 1;
            if *count > 1 || has_name(term) {
                continue;
            }
            if let Term::Quantifier(quantifier) = self.pool.term(term) {
                rebound.extend(quantifier.variables);
            }
            stack.push((term, true));
            stack.extend(parts(self.pool, term).iter().rev().map(|&part| (part, false)));
        }
        let is_closed = |term: TermId| {
            let mut free = self.free.get(&term).into_iter().flatten();
            free.all(|&variable| in_scope(variable) && !rebound.contains(&variable))
        };
        let mut depths: FxHashMap<TermId, usize> = FxHashMap::default();
        let mut levels: Vec<Vec<TermId>> = Vec::new();
        for term in order {
            // How many levels of `let` the parts below need.
            let parts = parts(self.pool, term);
            let below = parts.iter().map(|part| depths.get(part).copied().unwrap_or(0));
            let below = below.max().unwrap_or(0);
            let shared =
                references[&term] > 1 && term != root && !parts.is_empty() && is_closed(term);
            if shared {
                if levels.len() == below {
                    levels.push(Vec::new());
                }
                levels[below].push(term);
            }
            depths.insert(term, below + usize::from(shared));
        }
        levels
    }
}
