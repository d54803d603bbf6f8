//! The graph of systems that arise by guessing how values begin.
//!
//! If a side begins with a variable and the other one with a letter, then the variable is empty or
//! begins with that letter; if both begin with variables, one of them is empty or begins with the
//! other. Each guess replaces the variable and gives another system, of which the solution is
//! shorter or has fewer variables; so following the guesses that are right comes to an end. The equations have a solution exactly if
//! the empty system can be reached; a solution is read off the way back. If no variable occurs more
//! than twice, systems do not grow, so there are finitely many (Nielsen).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::system::{Equation, Symbol, System, Word, normalise, size, substitute};
use crate::{Budget, Limit, UnknownReason};

/// A guess: a variable is a word, in which it may occur again, meaning what is left of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The variable.
    pub variable: u32,
    /// What it is.
    pub value: Word,
}

/// A guess and the system it leads to.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The guess.
    pub guess: Guess,
    /// The number of the system.
    pub to: usize,
}

/// Systems and guesses between them. The first system is the given one.
pub struct Graph {
    systems: Vec<System>,
    numbers: FxHashMap<System, usize>,
    /// For each system its guesses; none as long as it is not expanded.
    pub edges: Vec<Vec<Edge>>,
    depths: Vec<usize>,
    /// Systems to expand: small ones that are near come first, among equals the newest.
    queue: BinaryHeap<(Reverse<usize>, usize)>,
    /// The number of the empty system, once it was reached.
    pub solved: Option<usize>,
    /// Whether a system was left out because it is too large.
    dropped: bool,
    largest: usize,
    symbols: usize,
}

impl Graph {
    /// The graph of a system that is not expanded yet; `None` if it cannot hold.
    pub fn new(equations: Vec<Equation>) -> Option<Self> {
        let system = normalise(equations)?;
        let largest = 4 * size(&system) + 400;
        let mut graph = Self {
            systems: Vec::new(),
            numbers: FxHashMap::default(),
            edges: Vec::new(),
            depths: Vec::new(),
            queue: BinaryHeap::new(),
            solved: None,
            dropped: false,
            largest,
            symbols: 0,
        };
        graph.number(system, 0);
        Some(graph)
    }

    /// How many systems there are.
    pub fn len(&self) -> usize {
        self.systems.len()
    }

    /// Whether every system was expanded and none left out.
    pub fn is_complete(&self) -> bool {
        self.queue.is_empty() && !self.dropped
    }

    /// Whether there is nothing left to expand.
    pub fn is_exhausted(&self) -> bool {
        self.queue.is_empty()
    }

    /// Expands systems until there are this many, or all, or the empty one is reached if that is
    /// what is wanted.
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
            for guess in guesses(&self.systems[number]) {
                let next = substitute(&self.systems[number], guess.variable, &guess.value);
                let Some(next) = normalise(next) else { continue };
                let is_full = budget.limits().exceeds(Limit::NielsenSymbols, self.symbols);
                if size(&next) > self.largest || is_full {
                    self.dropped = true;
                    continue;
                }
                edges.push(Edge { guess, to: self.number(next, depth) });
            }
            self.edges[number] = edges;
        }
        Ok(())
    }

    fn number(&mut self, system: System, depth: usize) -> usize {
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

/// Guesses of which one is right in every solution of a system that is not empty.
fn guesses(system: &[Equation]) -> Vec<Guess> {
    let Some(equation) = system.first() else { return Vec::new() };
    let (left, right) = (&equation.left, &equation.right);
    for (one, other) in [(left, right), (right, left)] {
        if let [Symbol::Variable(variable)] = one[..]
            && !other.contains(&Symbol::Variable(variable))
        {
            return vec![Guess { variable, value: other.clone() }];
        }
    }
    match (left.first(), right.first()) {
        (Some(&Symbol::Variable(one)), Some(&Symbol::Variable(other))) => vec![
            // If one is empty, beginning with it says nothing, so that is a case of its own: each
            // guess makes a solution shorter or takes a variable away.
            Guess { variable: one, value: vec![Symbol::Variable(other), Symbol::Variable(one)] },
            Guess { variable: other, value: vec![Symbol::Variable(one), Symbol::Variable(other)] },
            Guess { variable: one, value: Vec::new() },
            Guess { variable: other, value: Vec::new() },
        ],
        (Some(&Symbol::Variable(variable)), Some(&letter))
        | (Some(&letter), Some(&Symbol::Variable(variable))) => vec![
            Guess { variable, value: Vec::new() },
            Guess { variable, value: vec![letter, Symbol::Variable(variable)] },
        ],
        (Some(&Symbol::Variable(variable)), None) | (None, Some(&Symbol::Variable(variable))) => {
            vec![Guess { variable, value: Vec::new() }]
        }
        // Normal forms do not begin with two letters, nor with a letter on one side of nothing.
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
