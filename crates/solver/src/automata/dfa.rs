//! Deterministic automata.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::regex::{Regex, Regexes};
use crate::{Budget, UnknownReason};

/// Under a letter from `low` to `high` the automaton goes to `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The smallest letter.
    pub low: u32,
    /// The largest letter.
    pub high: u32,
    /// The state after it.
    pub to: usize,
}

impl Move {
    /// One of its letters; one that is easy to read, if there is one.
    pub fn letter(self) -> u32 {
        let nice = [(0x61, 0x7a), (0x41, 0x5a), (0x30, 0x39), (0x20, 0x7e)];
        let mut found = nice.iter().map(|&(low, high)| (self.low.max(low), self.high.min(high)));
        found.find(|(low, high)| low <= high).map_or(self.low, |(low, _)| low)
    }
}

/// A deterministic automaton without states from which nothing is accepted. State 0 is the
/// first; an automaton without states accepts nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dfa {
    /// For each state its moves, in the order of letters; letters without a move are refused.
    pub moves: Vec<Vec<Move>>,
    /// For each state whether it accepts.
    pub accepting: Vec<bool>,
    /// For each state how many letters an accepting one is away.
    distances: Vec<usize>,
}

impl Dfa {
    /// The automaton of an expression; `None` if it has more than `limit` states, or if these take
    /// too much room.
    #[cfg(test)]
    pub fn new(regexes: &mut Regexes, start: Regex, limit: usize) -> Option<Self> {
        Self::within(regexes, start, limit, &Budget::until_cancelled(crate::Cancel::new())).ok()?
    }

    /// The same, and an error when it takes too long.
    pub fn within(
        regexes: &mut Regexes,
        start: Regex,
        limit: usize,
        budget: &Budget,
    ) -> Result<Option<Self>, UnknownReason> {
        let mut numbers: FxHashMap<Regex, usize> = FxHashMap::default();
        let mut states = vec![start];
        numbers.insert(start, 0);
        let mut moves: Vec<Vec<Move>> = Vec::new();
        while let Some(&state) = states.get(moves.len()) {
            budget.check()?;
            let starts = regexes.classes(state, budget)?;
            let mut from_here: Vec<Move> = Vec::new();
            for (index, &low) in starts.iter().enumerate() {
                let high = starts.get(index + 1).map_or(0x2FFFF, |next| next - 1);
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
                    _ => from_here.push(Move { low, high, to }),
                }
            }
            moves.push(from_here);
            if states.len() > limit {
                return Ok(None);
            }
        }
        let accepting = states.iter().map(|&state| regexes.accepts_empty(state)).collect();
        Ok(Some(Self { moves, accepting, distances: Vec::new() }.trimmed()))
    }

    /// Without states from which no accepting one can be reached.
    fn trimmed(self) -> Self {
        let count = self.moves.len();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (state, moves) in self.moves.iter().enumerate() {
            for one in moves {
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
            return Self { moves: Vec::new(), accepting: Vec::new(), distances: Vec::new() };
        }
        let mut numbers = vec![usize::MAX; count];
        for (new, old) in (0..count).filter(|&state| useful[state]).enumerate() {
            numbers[old] = new;
        }
        let kept = (0..count).filter(|&state| useful[state]);
        let moves = kept
            .clone()
            .map(|state| {
                let moves = self.moves[state].iter().filter(|one| useful[one.to]);
                moves.map(|one| Move { to: numbers[one.to], ..*one }).collect()
            })
            .collect();
        Self {
            moves,
            accepting: kept.clone().map(|state| self.accepting[state]).collect(),
            distances: kept.map(|state| distances[state]).collect(),
        }
    }

    /// A move that leads nearer to acceptance; `None` if the state accepts.
    pub fn nearer(&self, state: usize) -> Option<Move> {
        let here = self.distances[state];
        self.moves[state].iter().copied().find(|one| self.distances[one.to] < here)
    }

    /// Whether it accepts nothing.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// How many states it has.
    pub fn states(&self) -> usize {
        self.moves.len()
    }

    /// Whether it accepts a string.
    pub fn accepts(&self, text: impl IntoIterator<Item = u32>) -> bool {
        let mut state = 0;
        if self.is_empty() {
            return false;
        }
        for letter in text {
            let there =
                self.moves[state].iter().find(|one| one.low <= letter && letter <= one.high);
            match there {
                Some(one) => state = one.to,
                None => return false,
            }
        }
        self.accepting[state]
    }
}
