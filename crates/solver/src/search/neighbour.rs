//! Random neighbours of values: small edits, constants of the formula, and words that an automaton
//! accepts.

use super::target::TargetPropagation;
use super::value::FastValue;

impl TargetPropagation<'_> {
    /// A random factor of a text.
    pub(super) fn random_factor(&mut self, text: &[u32]) -> FastValue {
        let from = self.random.below(text.len() + 1);
        let to = from + self.random.below(text.len() - from + 1);
        FastValue::text(&text[from..to])
    }

    /// A random other value: a small edit, or a constant of the formula.
    pub fn neighbour(&mut self, value: &FastValue) -> FastValue {
        if self.random.once_in(3) {
            let same_sort =
                |one: &&FastValue| std::mem::discriminant(*one) == std::mem::discriminant(value);
            let others: Vec<&FastValue> = self.program.constants.iter().filter(same_sort).collect();
            if let Some(other) = self.random.one_of(&others) {
                return (*other).clone();
            }
        }
        match value {
            FastValue::Unknown | FastValue::Language(_) => FastValue::Unknown,
            FastValue::Bool(value) => FastValue::Bool(!value),
            FastValue::Int(number) => {
                let step = 1 + self.random.below(3) as i128;
                let down = self.random.once_in(2);
                FastValue::Int(number.saturating_add(if down { -step } else { step }))
            }
            FastValue::Text(text) => {
                let mut new = text.to_vec();
                let letter = self.random.one_of(self.letters).copied().unwrap_or(0x61);
                let position = self.random.below(new.len() + 1);
                match self.random.below(4) {
                    0 if position < new.len() => drop(new.remove(position)),
                    1 if position < new.len() => new[position] = letter,
                    2 => new.truncate(position),
                    _ => new.insert(position, letter),
                }
                FastValue::text(&new)
            }
        }
    }

    /// A word that an automaton accepts, with a prefix of the old one if possible; if it is not to
    /// be accepted, any other word.
    pub(super) fn accepted_word(
        &mut self,
        automaton: usize,
        old: &[u32],
        accepted: bool,
    ) -> Option<Vec<u32>> {
        if !accepted {
            return Some(self.neighbour(&FastValue::text(old)).codes().to_vec());
        }
        let automaton = &self.program.automata[automaton];
        if automaton.is_empty() {
            return None;
        }
        let keep = self.random.below(old.len() + 1);
        let mut word = Vec::new();
        let mut state = 0;
        for &letter in &old[..keep] {
            let Some(there) = automaton.transitions[state]
                .iter()
                .find(|one| one.low <= letter && letter <= one.high)
            else {
                break;
            };
            word.push(letter);
            state = there.to;
        }
        // A random walk; the longer it is, the more it prefers shortest paths to acceptance.
        for round in 0..self.program.max_target {
            if automaton.accepting[state] && (round > 40 || self.random.once_in(3)) {
                return Some(word);
            }
            let transitions = &automaton.transitions[state];
            let chosen = match automaton.nearer(state) {
                Some(nearer) if round > 12 || self.random.once_in(2) => nearer,
                _ => *self.random.one_of(transitions)?,
            };
            let fitting: Vec<u32> = self
                .letters
                .iter()
                .copied()
                .filter(|&letter| chosen.low <= letter && letter <= chosen.high)
                .collect();
            word.push(self.random.one_of(&fitting).copied().unwrap_or(chosen.low));
            state = chosen.to;
        }
        None
    }
}
