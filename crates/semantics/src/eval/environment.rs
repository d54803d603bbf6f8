//! Environments: bindings of variables, with a cache of the values that depend on them.

use luthier_terms::TermId;
use rustc_hash::FxHashMap;

use super::outcome::Outcome;
use super::scopes::FreeVariables;
use crate::Value;

/// An environment on the stack.
pub(super) type EnvironmentId = usize;

/// The environment without variables.
pub(super) const ROOT: EnvironmentId = 0;

#[derive(Default)]
struct Environment {
    /// The environment around a quantifier; `None` for the body of a function.
    parent: Option<EnvironmentId>,
    bindings: Vec<(TermId, Outcome)>,
    values: FxHashMap<TermId, Outcome>,
    /// The bytes of the cached values.
    bytes: usize,
}

/// The stack of environments in use.
pub(super) struct Environments {
    stack: Vec<Environment>,
}

/// The bytes of cached values at which the cache of an environment is cleared.
const MAX_CACHED_BYTES: usize = 1 << 28;

impl Environments {
    pub(super) fn new() -> Self {
        Self { stack: vec![Environment::default()] }
    }

    pub(super) fn push(
        &mut self,
        parent: Option<EnvironmentId>,
        bindings: Vec<(TermId, Outcome)>,
    ) -> EnvironmentId {
        self.stack.push(Environment { parent, bindings, ..Environment::default() });
        self.stack.len() - 1
    }

    pub(super) fn pop(&mut self) {
        debug_assert!(self.stack.len() > 1, "the root stays");
        self.stack.pop();
    }

    /// Drops everything but the root.
    pub(super) fn unwind(&mut self) {
        self.stack.truncate(1);
    }

    /// The value of a variable, if it is bound, and the number of environments that were searched.
    pub(super) fn lookup(
        &self,
        from: EnvironmentId,
        variable: TermId,
    ) -> (Option<&Outcome>, usize) {
        let mut next = Some(from);
        let mut passed = 0;
        while let Some(id) = next {
            passed += 1;
            let environment = &self.stack[id];
            let binding = environment.bindings.iter().find(|(bound, _)| *bound == variable);
            if let Some((_, outcome)) = binding {
                return (Some(outcome), passed);
            }
            next = environment.parent;
        }
        (None, passed)
    }

    /// The outermost environment in which a term with these free variables has the same value, and
    /// the number of environments that were searched.
    pub(super) fn home(&self, from: EnvironmentId, free: &FreeVariables) -> (EnvironmentId, usize) {
        let variables = match free {
            FreeVariables::Closed => return (ROOT, 0),
            FreeVariables::Many => return (from, 0),
            FreeVariables::Some(variables) => variables,
        };
        let mut next = Some(from);
        let mut passed = 0;
        while let Some(id) = next {
            passed += 1;
            let environment = &self.stack[id];
            if environment.bindings.iter().any(|(bound, _)| variables.contains(bound)) {
                return (id, passed);
            }
            next = environment.parent;
        }
        (ROOT, passed)
    }

    pub(super) fn remembered(&self, environment: EnvironmentId, term: TermId) -> Option<&Outcome> {
        self.stack[environment].values.get(&term)
    }

    pub(super) fn remember(&mut self, environment: EnvironmentId, term: TermId, value: &Outcome) {
        let environment = &mut self.stack[environment];
        environment.bytes += value.value().map_or(0, Value::size);
        if environment.bytes > MAX_CACHED_BYTES {
            environment.values.clear();
            environment.bytes = 0;
        }
        environment.values.insert(term, value.clone());
    }
}
