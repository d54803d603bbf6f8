//! The Nielsen graph: nodes are systems of word equations in normal form, edges are substitutions.
//!
//! The first symbols of an equation determine the cases. `x` against a letter `a`: `x ↦ ε` or `x ↦
//! a·x`. `x` against `y`: `x ↦ y·x`, `y ↦ x·y`, `x ↦ ε` or `y ↦ ε`. Each solution of a system
//! corresponds to one of a successor that is shorter or has fewer variables, so following the right
//! cases terminates: the equations have a solution if and only if the empty system is reachable,
//! and the solution is read off the path backwards. If no variable occurs more than twice
//! (quadratic equations), systems do not grow and the graph is finite (Nielsen).
//!
//! Nodes are expanded in the order of size plus depth. Limits: `nielsen.systems` and
//! `nielsen.symbols`; a system of more than four times the size of the first plus 400 symbols is
//! dropped, and then the graph is never complete.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::system::{Equation, Symbol, System, Word, normalise, size, substitute};
use crate::{Budget, Limit, UnknownReason};

/// A substitution of a word for a variable. If the variable occurs in the word, it denotes the
/// remainder of its value there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Substitution {
    /// The variable.
    pub variable: u32,
    /// The word.
    pub value: Word,
}

/// A substitution and the system it leads to.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The substitution.
    pub substitution: Substitution,
    /// The number of the system.
    pub to: usize,
}

/// Systems and substitutions between them. The first system is the given one.
pub struct Graph {
    systems: Vec<System>,
    numbers: FxHashMap<System, usize>,
    /// The outgoing edges of each system; empty as long as it is not expanded.
    pub edges: Vec<Vec<Edge>>,
    depths: Vec<usize>,
    /// Systems to expand, by size plus depth, among equals the newest first.
    queue: BinaryHeap<(Reverse<usize>, usize)>,
    /// The number of the empty system, once it was reached.
    pub solved: Option<usize>,
    /// Whether a system was dropped because it is too large.
    dropped: bool,
    max_size: usize,
    symbols: usize,
}

impl Graph {
    /// The graph of a system, not expanded yet; `None` if the system is contradictory.
    pub fn new(equations: Vec<Equation>) -> Option<Self> {
        let system = normalise(equations)?;
        let max_size = 4 * size(&system) + 400;
        let mut graph = Self {
            systems: Vec::new(),
            numbers: FxHashMap::default(),
            edges: Vec::new(),
            depths: Vec::new(),
            queue: BinaryHeap::new(),
            solved: None,
            dropped: false,
            max_size,
            symbols: 0,
        };
        graph.node(system, 0);
        Some(graph)
    }

    /// How many systems there are.
    pub fn len(&self) -> usize {
        self.systems.len()
    }

    /// Whether every system was expanded and none dropped.
    pub fn is_complete(&self) -> bool {
        self.queue.is_empty() && !self.dropped
    }

    /// Whether there is nothing left to expand.
    pub fn is_exhausted(&self) -> bool {
        self.queue.is_empty()
    }

    /// Expands systems until there are `until`, or all are expanded, or the empty one is reached if
    /// `stop_when_solved`.
    pub fn expand(
        &mut self,
        until: usize,
        stop_when_solved: bool,
        budget: &Budget,
    ) -> Result<(), UnknownReason> {
        while self.systems.len() < until {
            if stop_when_solved && self.solved.is_some() {
                return Ok(());
            }
            let Some((_, number)) = self.queue.pop() else { return Ok(()) };
            budget.check()?;
            let depth = self.depths[number] + 1;
            let mut edges = Vec::new();
            for substitution in nielsen_substitutions(&self.systems[number]) {
                let next =
                    substitute(&self.systems[number], substitution.variable, &substitution.value);
                let Some(next) = normalise(next) else { continue };
                let is_full = budget.limits().exceeds(Limit::NielsenSymbols, self.symbols);
                if size(&next) > self.max_size || is_full {
                    self.dropped = true;
                    continue;
                }
                edges.push(Edge { substitution, to: self.node(next, depth) });
            }
            self.edges[number] = edges;
        }
        Ok(())
    }

    fn node(&mut self, system: System, depth: usize) -> usize {
        if let Some(&known) = self.numbers.get(&system) {
            return known;
        }
        let (number, size) = (self.systems.len(), size(&system));
        if system.is_empty() {
            self.solved = Some(number);
        } else {
            self.queue.push((Reverse(size + depth), number));
        }
        self.symbols += 2 * size;
        self.numbers.insert(system.clone(), number);
        self.systems.push(system);
        self.edges.push(Vec::new());
        self.depths.push(depth);
        number
    }
}

/// Substitutions that cover all solutions of a system that is not empty.
fn nielsen_substitutions(system: &[Equation]) -> Vec<Substitution> {
    let Some(equation) = system.first() else { return Vec::new() };
    let (left, right) = (&equation.left, &equation.right);
    for (one, other) in [(left, right), (right, left)] {
        if let [Symbol::Variable(variable)] = one[..]
            && !other.contains(&Symbol::Variable(variable))
        {
            return vec![Substitution { variable, value: other.clone() }];
        }
    }
    match (left.first(), right.first()) {
        (Some(&Symbol::Variable(one)), Some(&Symbol::Variable(other))) => vec![
            // `x ↦ y·x` with an empty `y` makes no progress, so emptiness is a case of its own:
            // each case makes a solution shorter or eliminates a variable.
            Substitution {
                variable: one,
                value: vec![Symbol::Variable(other), Symbol::Variable(one)],
            },
            Substitution {
                variable: other,
                value: vec![Symbol::Variable(one), Symbol::Variable(other)],
            },
            Substitution { variable: one, value: Vec::new() },
            Substitution { variable: other, value: Vec::new() },
        ],
        (Some(&Symbol::Variable(variable)), Some(&letter))
        | (Some(&letter), Some(&Symbol::Variable(variable))) => vec![
            Substitution { variable, value: Vec::new() },
            Substitution { variable, value: vec![letter, Symbol::Variable(variable)] },
        ],
        (Some(&Symbol::Variable(variable)), None) | (None, Some(&Symbol::Variable(variable))) => {
            vec![Substitution { variable, value: Vec::new() }]
        }
        // In normal form neither two letters nor a letter and the empty side stand at the start.
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::system::tests::equation;
    use super::*;
    use crate::Cancel;

    fn explored(left: &str, right: &str) -> Option<Graph> {
        let mut graph = Graph::new(vec![equation(left, right)])?;
        graph.expand(10_000, false, &Budget::until_cancelled(Cancel::new())).unwrap();
        Some(graph)
    }

    #[test]
    fn solvable_equations_reach_the_empty_system() {
        for (left, right) in [("abX", "Xba"), ("XabdcY", "YdcbaX"), ("XY", "YX"), ("XaY", "YbZ")] {
            let graph = explored(left, right).unwrap();
            assert!(graph.solved.is_some(), "{left} = {right}");
            assert!(graph.is_complete(), "{left} = {right}");
        }
    }

    #[test]
    fn unsolvable_quadratic_equations_are_exhausted() {
        for (left, right) in [("abX", "XbY"), ("XaabbY", "YababX"), ("XaaabbY", "YababaX")] {
            let solvable = left == "abX";
            let graph = explored(left, right);
            let solved = graph.as_ref().is_some_and(|graph| graph.solved.is_some());
            assert_eq!(solved, solvable, "{left} = {right}");
            assert!(graph.is_none_or(|graph| graph.is_complete()), "{left} = {right}");
        }
    }

    #[test]
    fn equations_that_grow_are_not_complete() {
        let graph = explored("XXaYbZ", "YXbZXYa");
        assert!(graph.is_none_or(|graph| graph.solved.is_some() || !graph.is_complete()));
    }
}
