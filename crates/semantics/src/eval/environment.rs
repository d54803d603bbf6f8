//! Environments: what variables stand for, and the values that depend on it.

use luthier_terms::TermId;
use rustc_hash::FxHashMap;

use super::outcome::Outcome;
use super::scopes::Free;
use crate::Value;

/// An environment on the stack.
pub(super) type EnvironmentId = usize;

/// The environment without variables.
pub(super) const ROOT: EnvironmentId = 0;

#[derive(Default)]
struct Environment {
    /// The environment around a quantifier; the body of a function sees nothing around it.
    parent: Option<EnvironmentId>,
    bindings: Vec<(TermId, Outcome)>,
    values: FxHashMap<TermId, Outcome>,
    /// How many characters the remembered strings have.
    characters: usize,
}

/// The environments in use. The last one is always the first to go.
pub(super) struct Environments {
    stack: Vec<Environment>,
}

/// How many characters of strings an environment remembers before it forgets everything.
const REMEMBERED: usize = 1 << 26;

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

    /// What a variable stands for, if something binds it.
    pub(super) fn lookup(&self, from: EnvironmentId, variable: TermId) -> Option<&Outcome> {
        let mut next = Some(from);
        while let Some(id) = next {
            let environment = &self.stack[id];
            let binding = environment.bindings.iter().find(|(bound, _)| *bound == variable);
            if let Some((_, outcome)) = binding {
                return Some(outcome);
            }
            next = environment.parent;
        }
        None
    }

    /// The outermost environment in which a term with these free variables means the same.
    pub(super) fn home(&self, from: EnvironmentId, free: &Free) -> EnvironmentId {
        let variables = match free {
            Free::Closed => return ROOT,
            Free::Many => return from,
            Free::Some(variables) => variables,
        };
        let mut next = Some(from);
        while let Some(id) = next {
            let environment = &self.stack[id];
            if environment.bindings.iter().any(|(bound, _)| variables.contains(bound)) {
                return id;
            }
            next = environment.parent;
        }
        ROOT
    }

    pub(super) fn remembered(&self, environment: EnvironmentId, term: TermId) -> Option<&Outcome> {
        self.stack[environment].values.get(&term)
    }

    pub(super) fn remember(&mut self, environment: EnvironmentId, term: TermId, value: &Outcome) {
        let environment = &mut self.stack[environment];
        if let Some(Value::String(text)) = value.value() {
            environment.characters += text.len();
        }
        if environment.characters > REMEMBERED {
            environment.values.clear();
            environment.characters = 0;
        }
        environment.values.insert(term, value.clone());
    }
}
