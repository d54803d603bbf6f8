//! A satisfiability problem: a conjunction of formulas over the constants of a shared, immutable
//! term pool.

use std::sync::Arc;

use luthier_terms::{FunctionId, PostOrder, Sort, Term, TermId, TermPool};
use rustc_hash::FxHashSet;

use crate::UnknownReason;

/// A conjunction of formulas over the constants of a pool.
///
/// It is immutable and shared by all engines, so that a component costs no copy of the pool. An
/// engine that builds terms clones the pool, in which all ids stay valid.
#[derive(Clone)]
pub struct Problem {
    /// The owner of the terms.
    pub pool: Arc<TermPool>,
    /// The conjuncts.
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

/// Whether a model of the problem consists of values of constants of sort `Bool`, `Int` and
/// `String`: no functions with arguments, no quantifiers, no arrays.
pub(crate) fn has_plain_constants(problem: &Problem) -> Result<(), UnknownReason> {
    let pool = &problem.pool;
    for term in PostOrder::new(pool, problem.assertions.iter().copied()) {
        let what = match (pool.term(term), pool.sort(term)) {
            (Term::Apply(_, []), Sort::String | Sort::Int | Sort::Bool) => continue,
            (Term::Apply(_, []), sort) => format!("a constant of sort {sort}"),
            (Term::Apply(..), _) => "a function with arguments".to_owned(),
            (Term::Quantifier(_) | Term::Variable(_), _) => "a quantifier".to_owned(),
            _ => continue,
        };
        return Err(UnknownReason::Unsupported(what));
    }
    Ok(())
}
