//! Minimal deterministic automata in canonical form: equal languages have equal automata.
//!
//! Partition refinement (Moore): states are equivalent if they agree on acceptance and if each
//! letter leads to equivalent states. Missing transitions are those of the rejecting sink, which a
//! trimmed automaton does not have. The quotient is numbered in breadth-first order of letters, and
//! neighbouring intervals with the same successor are merged, so the result depends on the language
//! alone. Source: Moore: Gedanken-experiments on sequential machines (1956); the numbering is usual.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::dfa::{Dfa, Transition};
use crate::{Budget, UnknownReason};

impl Dfa {
    /// The minimal automaton of the language, in canonical form.
    pub fn minimal(&self, budget: &Budget) -> Result<Self, UnknownReason> {
        let mut classes: Vec<usize> = self.accepting.iter().map(|&one| usize::from(one)).collect();
        let mut count = 0;
        loop {
            budget.check()?;
            let mut numbers: FxHashMap<(usize, Vec<Transition>), usize> = FxHashMap::default();
            let mut refined = Vec::with_capacity(classes.len());
            for (state, &class) in classes.iter().enumerate() {
                let next = numbers.len();
                refined
                    .push(*numbers.entry((class, self.quotient(state, &classes))).or_insert(next));
            }
            let stable = numbers.len() == count;
            count = numbers.len();
            classes = refined;
            if stable {
                return Ok(self.numbered(&classes, count));
            }
        }
    }

    /// The transitions of a state to classes of states, with merged intervals.
    fn quotient(&self, state: usize, classes: &[usize]) -> Vec<Transition> {
        let mut merged: Vec<Transition> = Vec::with_capacity(self.transitions[state].len());
        for one in &self.transitions[state] {
            let to = classes[one.to];
            match merged.last_mut() {
                Some(last) if last.to == to && last.high + 1 == one.low => last.high = one.high,
                _ => merged.push(Transition { to, ..*one }),
            }
        }
        merged
    }

    /// The quotient by an equivalence, numbered in breadth-first order.
    fn numbered(&self, classes: &[usize], count: usize) -> Self {
        if self.is_empty() {
            return self.clone();
        }
        let mut member = vec![0; count];
        for (state, &class) in classes.iter().enumerate().rev() {
            member[class] = state;
        }
        let mut numbers = vec![usize::MAX; count];
        numbers[classes[0]] = 0;
        let mut queue = VecDeque::from([classes[0]]);
        let (mut found, mut transitions, mut accepting) = (1, Vec::new(), Vec::new());
        while let Some(class) = queue.pop_front() {
            let mut from_here = self.quotient(member[class], classes);
            for one in &mut from_here {
                if numbers[one.to] == usize::MAX {
                    numbers[one.to] = found;
                    found += 1;
                    queue.push_back(one.to);
                }
                one.to = numbers[one.to];
            }
            transitions.push(from_here);
            accepting.push(self.accepting[member[class]]);
        }
        Self::from_parts(transitions, accepting)
    }
}
