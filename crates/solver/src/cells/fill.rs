//! Letters for positions that no literal determines.
//!
//! A word with memberships is filled along an accepting run of their automaton: backwards, the
//! states from which the remaining positions can be accepted given the letters known so far; then
//! forwards, any transition between such states. All other classes get pairwise different letters
//! that occur in no literal, so that no equality or occurrence holds by accident. Incomplete: a
//! class that occurs twice in a word is fixed at its first position, which may make a fillable word
//! fail. Limit: `cells.fill`.

use super::letter_classes::LetterClasses;
use crate::automata::Dfa;
use crate::{Budget, Limit, UnknownReason};

impl LetterClasses<'_> {
    /// Gives the free positions of a word letters such that an automaton accepts it; `false` if
    /// this does not succeed, which may also be because a class occurs twice.
    pub fn fill(
        &mut self,
        word: usize,
        automaton: &Dfa,
        budget: &Budget,
    ) -> Result<bool, UnknownReason> {
        let classes = self.of_word(word).to_vec();
        let states = automaton.transitions.len();
        let steps = states.saturating_mul(classes.len() + 1);
        if states == 0 || budget.limits().exceeds(Limit::CellsFill, steps) {
            return Ok(false);
        }
        // The states from which the rest of the word can be accepted, from its end to its start.
        let mut live = vec![automaton.accepting.clone()];
        for &class in classes.iter().rev() {
            budget.check()?;
            let after = &live[live.len() - 1];
            let letter = self.letters[class];
            let is_live = |state: usize| {
                automaton.transitions[state].iter().any(|one| {
                    after[one.to]
                        && letter.is_none_or(|letter| (one.low..=one.high).contains(&letter))
                })
            };
            let before: Vec<bool> = (0..states).map(is_live).collect();
            live.push(before);
        }
        let mut state = 0;
        if !live[classes.len()][state] {
            return Ok(false);
        }
        for (position, &class) in classes.iter().enumerate() {
            let after = &live[classes.len() - position - 1];
            let letter = self.letters[class];
            let fitting = automaton.transitions[state].iter().find(|one| {
                after[one.to] && letter.is_none_or(|letter| (one.low..=one.high).contains(&letter))
            });
            let Some(one) = fitting else { return Ok(false) };
            self.letters[class].get_or_insert(one.letter());
            state = one.to;
        }
        Ok(true)
    }

    /// Gives every class without a letter one of its own that does not occur elsewhere.
    pub fn fill_remaining(&mut self, mut occurs: impl FnMut(u32) -> bool) {
        let mut fresh = (0x61..=0x7A).chain(0x41..=0x5A).chain(0x100..0x2_FFFF);
        let mut last = 0x61;
        for letter in self.letters.iter_mut().filter(|letter| letter.is_none()) {
            last = fresh.by_ref().find(|&one| !occurs(one)).unwrap_or(last);
            *letter = Some(last);
        }
    }

    /// The value of a word.
    pub fn value(&self, word: usize) -> Vec<u32> {
        self.of_word(word).iter().map(|&class| self.letters[class].unwrap_or(0x61)).collect()
    }
}
