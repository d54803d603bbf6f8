//! A conjunction of formulas to be satisfied.

use std::sync::Arc;

use luthier_terms::{FunctionId, PostOrder, Term, TermId, TermPool};
use rustc_hash::FxHashSet;

/// A conjunction of formulas over the constants of a pool.
///
/// It is shared by all engines and never changes, so that a part of it costs no copy of the pool;
/// an engine that makes terms copies the pool, in which all ids stay valid.
#[derive(Clone)]
pub struct Problem {
    /// The owner of the terms.
    pub pool: Arc<TermPool>,
    /// What must hold.
    pub assertions: Vec<TermId>,
}

impl Problem {
    /// The constants and functions that occur, also in definitions of others, in order of first
    /// occurrence.
    pub fn declared(&self) -> Vec<FunctionId> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut roots = self.assertions.clone();
        while !roots.is_empty() {
            let mut bodies = Vec::new();
            for term in PostOrder::new(&self.pool, roots.iter().copied()) {
                if let Term::Apply(function, _) = self.pool.term(term)
                    && seen.insert(function)
                {
                    found.push(function);
                    let definition = self.pool.function(function).definition.as_ref();
                    bodies.extend(definition.and_then(luthier_terms::Definition::body));
                }
            }
            roots = bodies;
        }
        found
    }
}
