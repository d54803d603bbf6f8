//! A conjunction of formulas to be satisfied.

use luthier_terms::{FunctionId, PostOrder, Term, TermId, TermPool};

/// A conjunction of formulas over the constants of a pool.
///
/// It is shared by all engines and never changes; an engine that makes terms clones the pool, in
/// which all ids stay valid.
#[derive(Clone)]
pub struct Problem {
    /// The owner of the terms.
    pub pool: TermPool,
    /// What must hold.
    pub assertions: Vec<TermId>,
}

impl Problem {
    /// The declared constants and functions that occur, in order of first occurrence.
    pub fn declared(&self) -> Vec<FunctionId> {
        let mut found = Vec::new();
        for term in PostOrder::new(&self.pool, self.assertions.iter().copied()) {
            if let Term::Apply(function, _) = self.pool.term(term)
                && !found.contains(&function)
            {
                found.push(function);
            }
        }
        found
    }
}
