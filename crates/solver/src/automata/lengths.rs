//! The set of lengths of the words of a regular language, and a word of a given length.
//!
//! The sets of states reachable after 0, 1, 2, … letters form an ultimately periodic sequence,
//! because there are finitely many sets and each determines the next; so the set of lengths is
//! ultimately periodic, too, and a formula of Presburger arithmetic: `n` is one of finitely many
//! numbers, or `n ≥ s ∧ (n − s) mod p ∈ R`. (It is the Parikh image of the language with all
//! letters identified.) Limits: `shared.lengths` and `shared.length_work`; if the period is not
//! found within them, the set has only the lengths up to there and is not exact, and then no
//! `unsat` may depend on it.

use rustc_hash::FxHashMap;

use super::dfa::{Dfa, Transition};
use crate::arithmetic::{Arena, Id};
use crate::{Budget, Limit, UnknownReason};

/// The set of lengths of the words of a language; ultimately periodic.
#[derive(Debug)]
pub struct LengthSet {
    /// Whether there is a word of each length, up to the end of the first period.
    has: Vec<bool>,
    /// The start of the periodic part, if it was found.
    repeats_from: Option<usize>,
}

/// The sets of states that are reachable after each number of letters.
pub struct ReachableStates {
    layers: Vec<Vec<u64>>,
}

impl ReachableStates {
    /// The initial state.
    fn new(automaton: &Dfa) -> Self {
        let mut first = vec![0; automaton.states().div_ceil(64)];
        if let Some(word) = first.first_mut() {
            *word = 1;
        }
        Self { layers: vec![first] }
    }

    /// Adds the states that are reachable after one more letter.
    fn step(&mut self, automaton: &Dfa) {
        let mut next = vec![0; automaton.states().div_ceil(64)];
        if let Some(last) = self.layers.last() {
            for state in members(last) {
                for one in &automaton.transitions[state] {
                    next[one.to / 64] |= 1 << (one.to % 64);
                }
            }
        }
        self.layers.push(next);
    }
}

fn members(set: &[u64]) -> impl Iterator<Item = usize> {
    set.iter().enumerate().flat_map(|(place, &word)| {
        (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| place * 64 + bit)
    })
}

fn is_member(set: &[u64], state: usize) -> bool {
    set[state / 64] >> (state % 64) & 1 == 1
}

impl LengthSet {
    /// The lengths of the words that an automaton accepts.
    pub fn new(automaton: &Dfa, budget: &Budget) -> Result<Self, UnknownReason> {
        let mut layers = ReachableStates::new(automaton);
        let mut seen: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
        let mut has = Vec::new();
        let work = budget.limit(Limit::SharedLengthWork) / automaton.states().max(1);
        let most = work.min(budget.limit(Limit::SharedLengths));
        for length in 0..most {
            budget.check()?;
            let Some(states) = layers.layers.pop() else { break };
            if let Some(&before) = seen.get(&states) {
                return Ok(Self { has, repeats_from: Some(before) });
            }
            has.push(members(&states).any(|state| automaton.accepting[state]));
            layers.layers = vec![states.clone()];
            seen.insert(states, length);
            layers.step(automaton);
        }
        Ok(Self { has, repeats_from: None })
    }

    /// Whether the set is complete.
    pub fn is_exact(&self) -> bool {
        self.repeats_from.is_some()
    }

    /// The shortest length.
    pub fn least(&self) -> Option<usize> {
        self.has.iter().position(|&has| has)
    }

    /// The shortest length but for some shorter ones; the longest known one if there are not so many.
    pub fn nth(&self, skipped: usize) -> Option<usize> {
        let lengths = self.has.iter().enumerate().filter(|(_, has)| **has);
        lengths.take(skipped + 1).last().map(|(length, _)| length)
    }

    /// The formula that a length is in the set.
    pub fn contains(&self, arena: &mut Arena, length: Id) -> Id {
        let start = self.repeats_from.unwrap_or(self.has.len());
        let mut cases = Vec::new();
        let mut number = 0;
        while number < start {
            // An interval of lengths is one case.
            let run = self.has[number..start].iter().take_while(|&&has| has).count();
            if run > 0 {
                let (low, high) = (arena.int(number), arena.int(number + run - 1));
                let (above, below) = (arena.ge(length, low), arena.le(length, high));
                cases.push(arena.and(&[above, below]));
            }
            number += run.max(1);
        }
        let period = self.has.len() - start;
        let repeating = &self.has[start..];
        let low = arena.int(start);
        let above = arena.ge(length, low);
        if period > 0 && repeating.iter().all(|&has| has) {
            cases.push(above);
        } else if repeating.iter().any(|&has| has) {
            let offset = arena.sub(length, low);
            let residue = arena.modulo(offset, period);
            let mut residues = Vec::new();
            for (number, _) in repeating.iter().enumerate().filter(|(_, has)| **has) {
                let number = arena.int(number);
                residues.push(arena.eq(residue, number));
            }
            let residues = arena.or(&residues);
            cases.push(arena.and(&[above, residues]));
        }
        arena.or(&cases)
    }
}

/// A word of a given length that the automaton accepts; `None` if there is none, or if the limit on
/// work is exceeded.
pub fn word_of_length(
    automaton: &Dfa,
    length: usize,
    budget: &Budget,
) -> Result<Option<Vec<u32>>, UnknownReason> {
    varied_word_of_length(automaton, length, 0, budget)
}

/// The same with other letters for each `variant`, where there is a choice.
pub fn varied_word_of_length(
    automaton: &Dfa,
    length: usize,
    variant: u32,
    budget: &Budget,
) -> Result<Option<Vec<u32>>, UnknownReason> {
    let work = length.saturating_mul(automaton.states());
    if automaton.is_empty() || budget.limits().exceeds(Limit::SharedLengthWork, work) {
        return Ok(None);
    }
    let mut layers = ReachableStates::new(automaton);
    for _ in 0..length {
        budget.check()?;
        layers.step(automaton);
    }
    let mut before: Vec<Vec<(usize, Transition)>> = vec![Vec::new(); automaton.states()];
    for (state, transitions) in automaton.transitions.iter().enumerate() {
        for &one in transitions {
            before[one.to].push((state, one));
        }
    }
    let Some(mut state) = members(&layers.layers[length]).find(|&one| automaton.accepting[one])
    else {
        return Ok(None);
    };
    let mut letters = Vec::with_capacity(length);
    for layer in layers.layers[..length].iter().rev() {
        let earlier = before[state].iter().find(|(from, _)| is_member(layer, *from));
        let Some(&(from, one)) = earlier else { return Ok(None) };
        letters.push(one.varied_letter(variant));
        state = from;
    }
    letters.reverse();
    Ok(Some(letters))
}

#[cfg(test)]
mod tests {
    use luthier_terms::SmtString;

    use super::*;
    use crate::Cancel;
    use crate::automata::Regexes;

    fn budget() -> Budget {
        Budget::until_cancelled(Cancel::new())
    }

    /// `(aa)(aaa)*|b`.
    fn automaton() -> Dfa {
        let mut regexes = Regexes::new();
        let mut text = |text: &str| regexes.literal(&SmtString::from_text(text).unwrap());
        let (two, three, other) = (text("aa"), text("aaa"), text("b"));
        let many = regexes.star(three);
        let words = regexes.concat(two, many);
        let all = regexes.union([words, other]);
        Dfa::new(&mut regexes, all, 100).unwrap()
    }

    #[test]
    fn lengths_repeat_and_are_exactly_those_of_words() {
        let automaton = automaton();
        let set = LengthSet::new(&automaton, &budget()).unwrap();
        assert!(set.is_exact());
        assert_eq!(set.least(), Some(1));
        for length in 0..30 {
            let expected = length == 1 || length % 3 == 2;
            let found = word_of_length(&automaton, length, &budget()).unwrap();
            assert_eq!(found.is_some(), expected, "{length}");
            if let Some(found) = found {
                assert_eq!(found.len(), length);
                assert!(automaton.accepts(found));
            }
            let mut arena = Arena::new();
            let number = arena.int(length);
            let (holds, right) = (set.contains(&mut arena, number), arena.bool(expected));
            assert_eq!(holds, right, "{length}");
        }
    }
}
