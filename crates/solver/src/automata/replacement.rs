//! Pre-images of regular languages under replacement of the matches of a regular pattern by a word.
//!
//! `str.replace_re` replaces the leftmost match, of those the shortest; `str.replace_re_all` all of
//! them from left to right; the patterns here do not match the empty word. A text has a result in
//! the language of `T` if and only if an automaton accepts it whose state consists of
//!
//! - the state of `T` after the output so far,
//! - the state of the pattern within a match, or that no match is going on, or that the only one is
//!   over,
//! - the states of the pattern from all positions at which no match starts. None of these may ever
//!   accept: this is what *leftmost* means, and a match that ends at its first accepting state is
//!   the shortest one.
//!
//! Whether a match starts at a position is guessed, and the automaton is made deterministic
//! afterwards. Exact: each text has one accepting run for each possible result, and there is one
//! result. Source: Chen and others: Solving String Constraints with Regex-Dependent Functions through
//! Transducers with Priorities and Variables (POPL 2022), for pre-images; the construction for shortest matches is
//! ours. Limits: no result beyond a number of states.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::dfa::{Dfa, Transition};
use super::regex::LAST_CODE;
use crate::{Budget, UnknownReason};

/// The replacement of matches of a pattern by a word.
#[derive(Clone, Debug)]
pub struct Replacement {
    /// The pattern; it does not accept the empty word.
    pub pattern: Dfa,
    /// What replaces a match.
    pub by: Vec<u32>,
    /// Whether all matches are replaced, not only the first.
    pub all: bool,
}

/// Where a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Mode {
    Outside,
    /// In a match, at a state of the pattern.
    Inside(usize),
    /// Behind the only match.
    Behind,
}

/// A state of the nondeterministic automaton.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct State {
    mode: Mode,
    output: usize,
    /// The states of the pattern from positions at which no match starts.
    watched: Vec<usize>,
}

impl Replacement {
    /// The texts whose result is accepted by `target`; `None` beyond the limit on states.
    pub fn preimage(
        &self,
        target: &Dfa,
        limit: usize,
        budget: &Budget,
    ) -> Result<Option<Dfa>, UnknownReason> {
        if target.is_empty() || self.pattern.is_empty() {
            return Ok(Some(target.clone()));
        }
        let start = vec![State { mode: Mode::Outside, output: 0, watched: Vec::new() }];
        let mut numbers = FxHashMap::default();
        numbers.insert(start.clone(), 0);
        let mut sets = vec![start];
        let (mut transitions, mut accepting): (Vec<Vec<Transition>>, _) = (Vec::new(), Vec::new());
        while let Some(set) = sets.get(transitions.len()).cloned() {
            budget.check()?;
            accepting.push(set.iter().any(|state| {
                !matches!(state.mode, Mode::Inside(_)) && target.accepting[state.output]
            }));
            let mut from_here: Vec<Transition> = Vec::new();
            let starts = self.classes(&set, target);
            for (index, &low) in starts.iter().enumerate() {
                let high = starts.get(index + 1).map_or(LAST_CODE, |next| next - 1);
                let mut next = Vec::new();
                for state in &set {
                    self.step(state, low, target, &mut next);
                }
                if next.is_empty() {
                    continue;
                }
                next.sort_unstable();
                next.dedup();
                if next.len() > limit {
                    return Ok(None);
                }
                let count = sets.len();
                let to = *numbers.entry(next.clone()).or_insert(count);
                if to == count {
                    sets.push(next);
                }
                match from_here.last_mut() {
                    Some(last) if last.to == to && last.high + 1 == low => last.high = high,
                    _ => from_here.push(Transition { low, high, to }),
                }
            }
            transitions.push(from_here);
            if sets.len() > limit {
                return Ok(None);
            }
        }
        Ok(Some(Dfa::from_parts(transitions, accepting)))
    }

    /// The starts of classes of letters that some states do not distinguish.
    fn classes(&self, set: &[State], target: &Dfa) -> Vec<u32> {
        let mut starts = vec![0];
        let mut add = |transitions: &[Transition]| {
            for one in transitions {
                starts.push(one.low);
                starts.extend((one.high < LAST_CODE).then_some(one.high + 1));
            }
        };
        add(&self.pattern.transitions[0]);
        for state in set {
            add(&target.transitions[state.output]);
            for &watched in &state.watched {
                add(&self.pattern.transitions[watched]);
            }
            if let Mode::Inside(inner) = state.mode {
                add(&self.pattern.transitions[inner]);
            }
        }
        starts.sort_unstable();
        starts.dedup();
        starts
    }

    /// The successors of a state under a letter.
    fn step(&self, state: &State, letter: u32, target: &Dfa, next: &mut Vec<State>) {
        let Some(watched) = self.watch(&state.watched, letter) else { return };
        let copied = target.read(state.output, [letter]);
        let matching = match state.mode {
            Mode::Behind => {
                next.extend(copied.map(|output| State { mode: Mode::Behind, output, watched }));
                return;
            }
            Mode::Inside(inner) => inner,
            Mode::Outside => {
                let mut from = state.watched.clone();
                from.push(0);
                if let (Some(watched), Some(output)) = (self.watch(&from, letter), copied) {
                    next.push(State { mode: Mode::Outside, output, watched });
                }
                0
            }
        };
        let Some(inner) = self.pattern.read(matching, [letter]) else { return };
        if !self.pattern.accepting[inner] {
            next.push(State { mode: Mode::Inside(inner), output: state.output, watched });
        } else if let Some(output) = target.read(state.output, self.by.iter().copied()) {
            let mode = if self.all { Mode::Outside } else { Mode::Behind };
            next.push(State { mode, output, watched });
        }
    }

    /// Watched states after a letter; `None` if one accepts, which would be a match.
    fn watch(&self, states: &[usize], letter: u32) -> Option<Vec<usize>> {
        let mut next: Vec<usize> =
            states.iter().filter_map(|&state| self.pattern.read(state, [letter])).collect();
        if next.iter().any(|&state| self.pattern.accepting[state]) {
            return None;
        }
        next.sort_unstable();
        next.dedup();
        Some(next)
    }
}
