//! Which parts of a term are worth a `let`, and in which scope each may stand.

use luthier_terms::{PostOrder, SymbolId, Term, TermId, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known about the parts of one term before it is printed with `let`.
pub(super) struct Sharing<'a> {
    pool: &'a TermPool,
    /// The free variables of the parts that have any.
    free: FxHashMap<TermId, Vec<TermId>>,
}

impl<'a> Sharing<'a> {
    pub fn new(pool: &'a TermPool, root: TermId) -> Self {
        let mut free: FxHashMap<TermId, Vec<TermId>> = FxHashMap::default();
        for term in PostOrder::new(pool, [root]) {
            let mut variables: Vec<TermId> = match pool.term(term) {
                Term::Variable(_) => vec![term],
                _ => {
                    let children = pool.children(term).iter();
                    children.filter_map(|child| free.get(child)).flatten().copied().collect()
                }
            };
            if let Term::Quantifier(quantifier) = pool.term(term) {
                variables.retain(|variable| !quantifier.variables.contains(variable));
            }
            if !variables.is_empty() {
                variables.sort_unstable();
                variables.dedup();
                free.insert(term, variables);
            }
        }
        Self { pool, free }
    }

    /// The parts of `root` that occur more than once and whose free variables are all in scope,
    /// grouped so that each group mentions only groups before it. Parts that have a name already
    /// are left out, with everything below them.
    pub fn levels(
        &self,
        root: TermId,
        in_scope: &[TermId],
        has_name: impl Fn(TermId) -> bool,
    ) -> Vec<Vec<TermId>> {
        let mut references: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut order = Vec::new();
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
            stack.push((term, true));
            stack.extend(self.parts(term).iter().rev().map(|&child| (child, false)));
        }
        let mut depths: FxHashMap<TermId, usize> = FxHashMap::default();
        let mut levels: Vec<Vec<TermId>> = Vec::new();
        for term in order {
            // How many levels of `let` the parts below need.
            let below =
                self.parts(term).iter().map(|child| depths.get(child).copied().unwrap_or(0));
            let below = below.max().unwrap_or(0);
            let shared = references[&term] > 1
                && term != root
                && !self.parts(term).is_empty()
                && self.is_closed(term, in_scope);
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

    fn is_closed(&self, term: TermId, in_scope: &[TermId]) -> bool {
        self.free.get(&term).is_none_or(|free| free.iter().all(|free| in_scope.contains(free)))
    }

    /// The children that are printed as terms: indices and bound variables are not.
    fn parts(&self, term: TermId) -> &'a [TermId] {
        let children = self.pool.children(term);
        match self.pool.term(term) {
            Term::Op(op, _) => &children[op.info().indices..],
            Term::Quantifier(quantifier) => &children[quantifier.variables.len()..],
            _ => children,
        }
    }
}

/// The names of declared functions and of variables other than `bound` that occur below `body`.
pub(super) fn names_below(pool: &TermPool, body: TermId, bound: &[TermId]) -> FxHashSet<SymbolId> {
    let mut names = FxHashSet::default();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut stack = vec![body];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match pool.term(term) {
            Term::Apply(function, _) => {
                names.insert(pool.function(function).name);
            }
            Term::Variable(variable) if !bound.contains(&term) => {
                names.insert(variable.name);
            }
            _ => {}
        }
        // The variables a quantifier binds do not occur unless its body mentions them.
        let skip = match pool.term(term) {
            Term::Quantifier(quantifier) => quantifier.variables.len(),
            _ => 0,
        };
        stack.extend(&pool.children(term)[skip..]);
    }
    names
}
