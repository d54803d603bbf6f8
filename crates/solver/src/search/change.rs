//! New values that are near old ones, taken at random.

use super::value::Quick;
use super::wish::Wisher;

impl Wisher<'_> {
    /// Some part of a text.
    pub(super) fn piece_of(&mut self, text: &[u32]) -> Quick {
        let from = self.random.below(text.len() + 1);
        let to = from + self.random.below(text.len() - from + 1);
        Quick::text(&text[from..to])
    }

    /// Some other value, near or from the formula.
    pub fn different(&mut self, value: &Quick) -> Quick {
        if self.random.once_in(3) {
            let same_sort =
                |one: &&Quick| std::mem::discriminant(*one) == std::mem::discriminant(value);
            let others: Vec<&Quick> = self.program.constants.iter().filter(same_sort).collect();
            if let Some(other) = self.random.one_of(&others) {
                return (*other).clone();
            }
        }
        match value {
            Quick::Lost => Quick::Lost,
            Quick::Bool(value) => Quick::Bool(!value),
            Quick::Int(number) => {
                let step = 1 + self.random.below(3) as i128;
                let down = self.random.once_in(2);
                Quick::Int(number.saturating_add(if down { -step } else { step }))
            }
            Quick::Text(text) => {
                let mut new = text.to_vec();
                let letter = self.random.one_of(self.letters).copied().unwrap_or(0x61);
                let place = self.random.below(new.len() + 1);
                match self.random.below(4) {
                    0 if place < new.len() => drop(new.remove(place)),
                    1 if place < new.len() => new[place] = letter,
                    2 => new.truncate(place),
                    _ => new.insert(place, letter),
                }
                Quick::text(&new)
            }
        }
    }

    /// A word that an automaton accepts, or does not: one that begins as the old one, if it can.
    pub(super) fn word(
        &mut self,
        automaton: usize,
        old: &[u32],
        accepted: bool,
    ) -> Option<Vec<u32>> {
        if !accepted {
            return Some(self.different(&Quick::text(old)).codes().to_vec());
        }
        let automaton = &self.program.automata[automaton];
        if automaton.is_empty() {
            return None;
        }
        let keep = self.random.below(old.len() + 1);
        let mut word = Vec::new();
        let mut state = 0;
        for &letter in &old[..keep] {
            let Some(there) =
                automaton.moves[state].iter().find(|one| one.low <= letter && letter <= one.high)
            else {
                break;
            };
            word.push(letter);
            state = there.to;
        }
        // A walk at random; the longer it is, the more it is drawn to the end.
        for round in 0..self.program.longest_target {
            if automaton.accepting[state] && (round > 40 || self.random.once_in(3)) {
                return Some(word);
            }
            let moves = &automaton.moves[state];
            let chosen = match automaton.nearer(state) {
                Some(nearer) if round > 12 || self.random.once_in(2) => nearer,
                _ => *self.random.one_of(moves)?,
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
