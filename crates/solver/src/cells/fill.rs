//! Letters for cells that no literal decides.

use super::board::Board;
use crate::automata::Dfa;
use crate::{Budget, Limit, Why};

impl Board<'_> {
    /// Gives the open cells of a row letters such that an automaton accepts it. `false` if this
    /// does not succeed; cells that occur twice are not thought of in advance.
    pub fn fill(&mut self, row: usize, automaton: &Dfa, budget: &Budget) -> Result<bool, Why> {
        let cells = self.row(row).to_vec();
        let states = automaton.moves.len();
        let steps = states.saturating_mul(cells.len() + 1);
        if states == 0 || budget.limits().exceeds(Limit::CellsFill, steps) {
            return Ok(false);
        }
        // From which states the rest of the row can be accepted, from behind.
        let mut good = vec![automaton.accepting.clone()];
        for &cell in cells.iter().rev() {
            budget.check()?;
            let after = &good[good.len() - 1];
            let letter = self.letters[cell];
            let can = |state: usize| {
                automaton.moves[state].iter().any(|one| {
                    after[one.to]
                        && letter.is_none_or(|letter| (one.low..=one.high).contains(&letter))
                })
            };
            let before: Vec<bool> = (0..states).map(can).collect();
            good.push(before);
        }
        let mut state = 0;
        if !good[cells.len()][state] {
            return Ok(false);
        }
        for (place, &cell) in cells.iter().enumerate() {
            let after = &good[cells.len() - place - 1];
            let letter = self.letters[cell];
            let fitting = automaton.moves[state].iter().find(|one| {
                after[one.to] && letter.is_none_or(|letter| (one.low..=one.high).contains(&letter))
            });
            let Some(one) = fitting else { return Ok(false) };
            self.letters[cell].get_or_insert(one.letter());
            state = one.to;
        }
        Ok(true)
    }

    /// Gives every class that is still open a letter of its own, none of those that occur.
    pub fn fill_the_rest(&mut self, mut occurs: impl FnMut(u32) -> bool) {
        let mut fresh = (0x61..=0x7A).chain(0x41..=0x5A).chain(0x100..0x2_FFFF);
        let mut last = 0x61;
        for letter in self.letters.iter_mut().filter(|letter| letter.is_none()) {
            last = fresh.by_ref().find(|&one| !occurs(one)).unwrap_or(last);
            *letter = Some(last);
        }
    }

    /// The word in a row.
    pub fn word(&self, row: usize) -> Vec<u32> {
        self.row(row).iter().map(|&class| self.letters[class].unwrap_or(0x61)).collect()
    }
}
