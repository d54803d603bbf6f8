//! Free variables and use counts of terms: in which environment a value may be cached, and whether
//! that pays.

use std::rc::Rc;

use luthier_terms::{Term, TermId, TermPool};
use rustc_hash::FxHashMap;

/// The variables that are free in a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FreeVariables {
    /// None: the value does not depend on the environment.
    Closed,
    /// These, sorted.
    Some(Rc<[TermId]>),
    /// Too many to list; an over-approximation.
    Many,
}

/// The maximal number of listed free variables, so that lists do not grow with the depth of the
/// term.
const MAX_FREE_VARIABLES: usize = 16;

#[derive(Clone, Debug)]
struct Facts {
    free: FreeVariables,
    uses: u32,
}

/// Properties of terms, computed on demand.
#[derive(Default)]
pub(super) struct Scopes {
    facts: FxHashMap<TermId, Facts>,
}

impl Scopes {
    /// Analyses a term and all its subterms.
    pub(super) fn analyse(&mut self, pool: &TermPool, root: TermId) {
        let mut stack = vec![(root, false)];
        while let Some((term, expanded)) = stack.pop() {
            if expanded {
                let free = self.free_of(pool, term);
                self.facts.insert(term, Facts { free, uses: 0 });
                for child in meaningful_children(pool, term) {
                    if let Some(facts) = self.facts.get_mut(child) {
                        facts.uses = facts.uses.saturating_add(1);
                    }
                }
            } else if !self.facts.contains_key(&term) {
                stack.push((term, true));
                let children = meaningful_children(pool, term);
                stack.extend(children.iter().rev().map(|&child| (child, false)));
            }
        }
    }

    /// The free variables of a term that was analysed.
    pub(super) fn free(&self, term: TermId) -> &FreeVariables {
        self.facts.get(&term).map_or(&FreeVariables::Many, |facts| &facts.free)
    }

    /// Whether a term that was analysed is an argument of at most one other term.
    pub(super) fn is_used_once(&self, term: TermId) -> bool {
        self.facts.get(&term).is_some_and(|facts| facts.uses <= 1)
    }

    fn free_of(&self, pool: &TermPool, term: TermId) -> FreeVariables {
        let mut free: Vec<TermId> = Vec::new();
        let mut shared: Option<&Rc<[TermId]>> = None;
        match pool.term(term) {
            Term::Variable(_) => return FreeVariables::Some([term].into()),
            Term::Quantifier(view) => match self.free(view.body) {
                FreeVariables::Closed => return FreeVariables::Closed,
                FreeVariables::Many => return FreeVariables::Many,
                FreeVariables::Some(list) => {
                    free.extend(list.iter().filter(|free| !view.variables.contains(free)));
                }
            },
            _ => {
                for &child in pool.children(term) {
                    match self.free(child) {
                        FreeVariables::Closed => {}
                        FreeVariables::Many => return FreeVariables::Many,
                        FreeVariables::Some(list) => {
                            if shared.is_some_and(|shared| Rc::ptr_eq(shared, list)) {
                                continue;
                            }
                            shared = Some(list);
                            free.extend(list.iter());
                            free.sort_unstable();
                            free.dedup();
                        }
                    }
                    if free.len() > MAX_FREE_VARIABLES {
                        return FreeVariables::Many;
                    }
                }
            }
        }
        match (free.is_empty(), shared) {
            (true, _) => FreeVariables::Closed,
            // The list of a child is shared when it is the same.
            (false, Some(list)) if **list == *free => FreeVariables::Some(list.clone()),
            _ => FreeVariables::Some(free.into()),
        }
    }
}

/// The children that the value depends on: of a quantifier, only the body.
fn meaningful_children(pool: &TermPool, term: TermId) -> &[TermId] {
    match pool.term(term) {
        Term::Quantifier(view) => {
            &pool.children(term)[view.variables.len()..view.variables.len() + 1]
        }
        _ => pool.children(term),
    }
}
