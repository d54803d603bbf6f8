//! Deterministic finite automata with transitions on intervals of letters, built from an expression
//! by derivatives.
//!
//! They are trimmed: from every state an accepting one can be reached, so an automaton without
//! states is the empty language.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::regex::{LAST_CODE, Regex, Regexes};
use crate::{Budget, UnknownReason};

/// A transition to the state `to` under each letter from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Transition {
    /// The smallest letter.
    pub low: u32,
    /// The largest letter.
    pub high: u32,
    /// The state after it.
    pub to: usize,
}

impl Transition {
    /// One of its letters; a readable one, if there is one.
    pub fn letter(self) -> u32 {
        self.varied_letter(0)
    }

    /// The same, another one for each `variant` if there is a choice.
    pub fn varied_letter(self, variant: u32) -> u32 {
        let nice = [(0x61, 0x7a), (0x41, 0x5a), (0x30, 0x39), (0x20, 0x7e)];
        let mut found = nice.iter().map(|&(low, high)| (self.low.max(low), self.high.min(high)));
        let readable = found.find(|(low, high)| low <= high);
        let (low, high) = readable.unwrap_or((self.low, self.high));
        low + variant % (high - low + 1)
    }
}

/// A trimmed deterministic automaton. State 0 is the initial one; an automaton without states
/// accepts nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dfa {
    /// The transitions of each state, in the order of letters; other letters are rejected.
    pub transitions: Vec<Vec<Transition>>,
    /// For each state whether it accepts.
    pub accepting: Vec<bool>,
    /// For each state the distance to an accepting one, in letters.
    distances: Vec<usize>,
}

impl Dfa {
    /// The automaton of an expression; `None` if it has more than `limit` states, or if the store
    /// is full.
    #[cfg(test)]
    pub fn new(regexes: &mut Regexes, start: Regex, limit: usize) -> Option<Self> {
        Self::within(regexes, start, limit, &Budget::until_cancelled(crate::Cancel::new())).ok()?
    }

    /// The same within a budget.
    pub fn within(
        regexes: &mut Regexes,
        start: Regex,
        limit: usize,
        budget: &Budget,
    ) -> Result<Option<Self>, UnknownReason> {
        let mut numbers: FxHashMap<Regex, usize> = FxHashMap::default();
        let mut states = vec![start];
        numbers.insert(start, 0);
        let mut transitions: Vec<Vec<Transition>> = Vec::new();
        while let Some(&state) = states.get(transitions.len()) {
            budget.check()?;
            let starts = regexes.classes(state, budget)?;
            let mut from_here: Vec<Transition> = Vec::new();
            for (index, &low) in starts.iter().enumerate() {
                let high = starts.get(index + 1).map_or(LAST_CODE, |next| next - 1);
                let Some(next) = regexes.derivative(state, low, budget)? else { return Ok(None) };
                if regexes.is_none(next) {
                    continue;
                }
                let to = *numbers.entry(next).or_insert_with(|| {
                    states.push(next);
                    states.len() - 1
                });
                match from_here.last_mut() {
                    Some(last) if last.to == to && last.high + 1 == low => last.high = high,
                    _ => from_here.push(Transition { low, high, to }),
                }
            }
            transitions.push(from_here);
            if states.len() > limit {
                return Ok(None);
            }
        }
        let accepting = states.iter().map(|&state| regexes.accepts_empty(state)).collect();
        Ok(Some(Self::from_parts(transitions, accepting)))
    }

    /// The automaton with these transitions, trimmed. State 0 is the initial one, all states are
    /// reachable from it, and the transitions of a state are disjoint and in the order of letters.
    pub fn from_parts(transitions: Vec<Vec<Transition>>, accepting: Vec<bool>) -> Self {
        Self { transitions, accepting, distances: Vec::new() }.trimmed()
    }

    /// The state after reading a word from a state; `None` if no word with that prefix is accepted.
    pub fn read(&self, state: usize, word: impl IntoIterator<Item = u32>) -> Option<usize> {
        word.into_iter().try_fold(state, |state, letter| {
            let transitions = self.transitions.get(state)?;
            let there = transitions.partition_point(|one| one.high < letter);
            transitions.get(there).filter(|one| one.low <= letter).map(|one| one.to)
        })
    }

    /// The automaton without states from which no accepting one can be reached.
    fn trimmed(self) -> Self {
        let count = self.transitions.len();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (state, transitions) in self.transitions.iter().enumerate() {
            for one in transitions {
                before[one.to].push(state);
            }
        }
        let mut distances = vec![usize::MAX; count];
        let mut queue: VecDeque<usize> = VecDeque::new();
        for state in (0..count).filter(|&state| self.accepting[state]) {
            distances[state] = 0;
            queue.push_back(state);
        }
        while let Some(state) = queue.pop_front() {
            for &earlier in &before[state] {
                if distances[earlier] == usize::MAX {
                    distances[earlier] = distances[state] + 1;
                    queue.push_back(earlier);
                }
            }
        }
        let useful: Vec<bool> = distances.iter().map(|&distance| distance < usize::MAX).collect();
        if count == 0 || !useful[0] {
            return Self { transitions: Vec::new(), accepting: Vec::new(), distances: Vec::new() };
        }
        let mut numbers = vec![usize::MAX; count];
        for (new, old) in (0..count).filter(|&state| useful[state]).enumerate() {
            numbers[old] = new;
        }
        let kept = (0..count).filter(|&state| useful[state]);
        let transitions = kept
            .clone()
            .map(|state| {
                let transitions = self.transitions[state].iter().filter(|one| useful[one.to]);
                transitions.map(|one| Transition { to: numbers[one.to], ..*one }).collect()
            })
            .collect();
        Self {
            transitions,
            accepting: kept.clone().map(|state| self.accepting[state]).collect(),
            distances: kept.map(|state| distances[state]).collect(),
        }
    }

    /// A transition on a shortest path to acceptance; `None` if the state accepts.
    pub fn nearer(&self, state: usize) -> Option<Transition> {
        let here = self.distances[state];
        self.transitions[state].iter().copied().find(|one| self.distances[one.to] < here)
    }

    /// Whether it accepts nothing.
    pub fn is_empty(&self) -> bool {
        self.transitions.is_empty()
    }

    /// Whether it is the minimal automaton of all words.
    pub fn is_universal(&self) -> bool {
        let whole = Transition { low: 0, high: LAST_CODE, to: 0 };
        self.accepting == [true] && self.transitions[0] == [whole]
    }

    /// The word that it accepts, if there is exactly one.
    pub fn only_word(&self) -> Option<Vec<u32>> {
        let mut word = Vec::new();
        let mut state = 0;
        loop {
            match (&self.transitions.get(state)?[..], self.accepting[state]) {
                ([], true) => return Some(word),
                // A cycle has an exit, because the automaton is trimmed.
                ([one], false) if one.low == one.high => {
                    word.push(one.low);
                    state = one.to;
                }
                _ => return None,
            }
        }
    }

    /// How many states it has.
    pub fn states(&self) -> usize {
        self.transitions.len()
    }

    /// Whether it accepts a string.
    pub fn accepts(&self, text: impl IntoIterator<Item = u32>) -> bool {
        !self.is_empty() && self.read(0, text).is_some_and(|state| self.accepting[state])
    }
}
