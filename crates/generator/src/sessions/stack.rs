//! The assertion stack of a session under construction: which assertions are on it, at which level, and
//! under which guard.

use luthier_terms::{FunctionId, TermId};

/// A Boolean constant that guards an assertion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guard {
    pub function: FunctionId,
    pub constant: TermId,
}

/// An assertion on the stack, by its place in the formula.
struct Entry {
    place: usize,
    guard: Option<Guard>,
    level: usize,
}

/// The stack.
pub(super) struct Stack {
    count: usize,
    depth: usize,
    entries: Vec<Entry>,
    /// All guards that were ever declared, so that no number is used twice.
    declared: Vec<Guard>,
}

impl Stack {
    /// For a formula with this many assertions.
    pub fn new(count: usize) -> Self {
        Self { count, depth: 0, entries: Vec::new(), declared: Vec::new() }
    }

    pub fn depth(&self) -> usize {
        self.depth
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn push(&mut self) {
        self.depth += 1;
    }

    /// Removes levels with their assertions.
    pub fn pop(&mut self, count: usize) {
        self.depth = self.depth.saturating_sub(count);
        self.entries.retain(|entry| entry.level <= self.depth);
    }

    pub fn assert(&mut self, place: usize, guard: Option<Guard>) {
        self.declared.extend(guard);
        self.entries.push(Entry { place, guard, level: self.depth });
    }

    /// The assertions that are not on the stack.
    pub fn missing(&self) -> Vec<usize> {
        let is_there = |place: usize| self.entries.iter().any(|entry| entry.place == place);
        (0..self.count).filter(|&place| !is_there(place)).collect()
    }

    /// All guards that were ever declared.
    pub fn guards(&self) -> &[Guard] {
        &self.declared
    }

    /// The guarded assertions on the stack.
    pub fn guarded(&self) -> impl Iterator<Item = (usize, Guard)> {
        self.entries.iter().filter_map(|entry| Some((entry.place, entry.guard?)))
    }

    /// Whether an assertion is on the stack without a guard.
    pub fn is_plain(&self, place: usize) -> bool {
        self.entries.iter().any(|entry| entry.place == place && entry.guard.is_none())
    }

    /// Whether an assertion is on the stack under a guard.
    pub fn is_guarded(&self, place: usize) -> bool {
        self.entries.iter().any(|entry| entry.place == place && entry.guard.is_some())
    }
}
