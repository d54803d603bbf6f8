//! Constraints on the letters of words: the letter at a position, equality of two words at a shift,
//! and a mismatch.
//!
//! Equality compares blocks on their overlap. Two periodic blocks with periods `p` and `q` that
//! agree on `p + q − gcd(p, q)` letters agree as far as both repeat (Fine and Wilf), so no more
//! letters are compared. A mismatch is a fresh position at which the letters differ.
//!
//! Sound: every formula holds for the words of a model as long as the variables are in their
//! domains; a formula that reads letters of a variable is guarded by its domain, so that a
//! contradiction without domains holds for all words. When the budget is used up, remaining
//! constraints are omitted.

use rustc_hash::FxHashMap;

use super::domain::{Base, Block, LetterEncoding};
use super::word::{Slice, Word, maximum, minimum};
use crate::Budget;
use crate::arithmetic::{Arena, Id};

/// Builds constraints on the letters of words.
pub struct WordEncoder {
    /// The arena of all formulas.
    pub arena: Arena,
    /// The encoding of letters as integers.
    pub letters: LetterEncoding,
    /// The variables and literals that slices refer to.
    pub bases: Vec<Base>,
    /// Formulas that are yet to be asserted.
    pub facts: Vec<Id>,
    residues: FxHashMap<(Id, usize), Id>,
    /// The budget; once it is used up, constraints are omitted, and those that are built are still
    /// true.
    pub budget: Budget,
}

/// A block of a slice, in positions of the word.
pub struct PlacedBlock {
    /// The position of the start of the block, which may be before the slice.
    pub origin: Id,
    /// The first position that shows the block.
    pub from: Id,
    /// The end of the positions that show the block.
    pub to: Id,
    /// The block.
    pub block: Block,
    /// The domain that guards its letters.
    pub domain: Option<Id>,
}

impl WordEncoder {
    /// An encoder without bases.
    pub fn new(letters: LetterEncoding, budget: Budget) -> Self {
        Self {
            arena: Arena::new(),
            letters,
            bases: Vec::new(),
            facts: Vec::new(),
            residues: FxHashMap::default(),
            budget,
        }
    }

    /// Adds a formula.
    pub fn fact(&mut self, formula: Id) {
        self.facts.push(formula);
    }

    /// Adds the formula that some conditions imply another.
    pub fn fact_if(&mut self, conditions: &[Id], formula: Id) {
        let condition = self.arena.and(conditions);
        let fact = self.arena.implies(condition, formula);
        self.facts.push(fact);
    }

    /// Whether the budget is used up, so that more constraints are of no use.
    pub fn is_out_of_budget(&self) -> bool {
        self.budget.check().is_err()
    }

    /// A fresh letter.
    fn fresh_letter(&mut self) -> Id {
        let letter = self.arena.fresh_int("w");
        let fact = self.letters.is_letter(&mut self.arena, letter);
        self.facts.push(fact);
        letter
    }

    /// `value mod period`, as a term from 0 to `period - 1`.
    fn residue(&mut self, value: Id, period: usize) -> Id {
        if let Some(&known) = self.residues.get(&(value, period)) {
            return known;
        }
        let residue = self.arena.modulo(value, period);
        self.residues.insert((value, period), residue);
        residue
    }

    /// `low ≤ value < high`.
    pub fn between(&mut self, low: Id, value: Id, high: Id) -> Id {
        let (above, below) = (self.arena.ge(value, low), self.arena.lt(value, high));
        self.arena.and(&[above, below])
    }

    /// The blocks of a slice that starts at `position` of a word.
    fn placed(&mut self, position: Id, slice: Slice) -> Vec<PlacedBlock> {
        let base = self.bases[slice.base].clone();
        let arena = &mut self.arena;
        let end = arena.add(&[position, slice.length]);
        let shift = arena.sub(position, slice.start);
        let mut placed = Vec::with_capacity(base.blocks.len());
        for block in base.blocks {
            let origin = arena.add(&[block.start, shift]);
            // The only block of a base is shown in the whole slice.
            let (from, to) = if placed.capacity() == 1 {
                (position, end)
            } else {
                let block_end = arena.add(&[origin, block.length]);
                (maximum(arena, position, origin), minimum(arena, end, block_end))
            };
            placed.push(PlacedBlock { origin, from, to, block, domain: base.domain });
        }
        placed
    }

    /// The blocks of all slices of a word.
    pub fn blocks(&mut self, word: &Word) -> Vec<PlacedBlock> {
        let placed = word.placed().iter();
        placed.flat_map(|&(position, slice)| self.placed(position, slice)).collect()
    }

    /// The letter at a position of a word; any letter if the word has no such position.
    pub fn letter_at(&mut self, word: &Word, position: Id) -> Id {
        let letter = self.fresh_letter();
        for &(start, slice) in word.placed() {
            for placed in self.placed(start, slice) {
                let inside = self.between(placed.from, position, placed.to);
                let index = self.arena.sub(position, placed.origin);
                self.fact_letter(&[inside], &placed, index, letter);
            }
        }
        letter
    }

    /// Asserts that under some conditions the letter of a block at `index`, which is within it, is
    /// `letter`.
    fn fact_letter(&mut self, conditions: &[Id], placed: &PlacedBlock, index: Id, letter: Id) {
        let period = placed.block.letters.len();
        if period == 0 {
            return;
        }
        let repeats = placed.block.repeats;
        let index = if repeats { self.residue(index, period) } else { index };
        for (number, &known) in placed.block.letters.iter().enumerate() {
            let number = self.arena.int(number);
            let here = self.arena.eq(index, number);
            let same = self.arena.eq(letter, known);
            let mut all = conditions.to_vec();
            all.push(here);
            all.extend(placed.domain);
            self.fact_if(&all, same);
        }
    }

    /// Asserts that under a condition `needle` occurs in `hay` at `shift`. The needle must fit
    /// there.
    pub fn assert_occurrence(&mut self, condition: Id, needle: &Word, hay: &Word, shift: Id) {
        for &(start, left) in needle.placed() {
            for &(position, right) in hay.placed() {
                let position = self.arena.sub(position, shift);
                if left == right && start == position {
                    continue;
                }
                if self.is_out_of_budget() {
                    return;
                }
                for a in self.placed(start, left) {
                    for b in self.placed(position, right) {
                        self.equal_on_overlap(condition, &a, &b);
                    }
                }
            }
        }
    }

    fn equal_on_overlap(&mut self, condition: Id, a: &PlacedBlock, b: &PlacedBlock) {
        if a.block.letters.is_empty() || b.block.letters.is_empty() {
            return;
        }
        let from = maximum(&mut self.arena, a.from, b.from);
        let to = minimum(&mut self.arena, a.to, b.to);
        match (a.domain, b.domain) {
            (None, None) => self.literals_equal(condition, a, b, from, to),
            (None, Some(_)) => self.literal_equal(condition, a, b, from, to),
            (Some(_), None) => self.literal_equal(condition, b, a, from, to),
            (Some(_), Some(_)) => self.blocks_equal(condition, a, b, from, to),
        }
    }

    /// Two literals: no two different letters are at the same position.
    fn literals_equal(
        &mut self,
        condition: Id,
        a: &PlacedBlock,
        b: &PlacedBlock,
        from: Id,
        to: Id,
    ) {
        let shift = self.arena.sub(a.origin, b.origin);
        for (i, &left) in a.block.letters.iter().enumerate() {
            let index = self.arena.int(i);
            let position = self.arena.add(&[a.origin, index]);
            let inside = self.between(from, position, to);
            for (j, &right) in b.block.letters.iter().enumerate() {
                if left == right {
                    continue;
                }
                let meet = self.arena.int(j as i64 - i as i64);
                let meet = self.arena.eq(shift, meet);
                let never = self.arena.bool(false);
                self.fact_if(&[condition, inside, meet], never);
            }
        }
    }

    /// A literal and a block of a variable: each letter of the literal in the overlap equals that
    /// of the block.
    fn literal_equal(
        &mut self,
        condition: Id,
        literal: &PlacedBlock,
        block: &PlacedBlock,
        from: Id,
        to: Id,
    ) {
        // The start of the literal relative to the block; one case distinction serves all letters
        // of the literal.
        let start = self.arena.sub(literal.origin, block.origin);
        let (count, period) = (literal.block.letters.len(), block.block.letters.len());
        let mut insides = Vec::with_capacity(count);
        for index in 0..count {
            let index = self.arena.int(index);
            let position = self.arena.add(&[literal.origin, index]);
            insides.push(self.between(from, position, to));
        }
        for (case, first) in self.starts(block, start, count) {
            for (index, &known) in literal.block.letters.iter().enumerate() {
                let Some(letter) = letter_after(block, first, index, period) else { continue };
                let same = self.arena.eq(letter, known);
                let mut all = vec![condition, insides[index], case];
                all.extend(block.domain);
                self.fact_if(&all, same);
            }
        }
    }

    /// The cases for the start of a word of `count` letters relative to a block: for each a
    /// formula, and the index of the letter, which is before the block if negative.
    fn starts(&mut self, block: &PlacedBlock, start: Id, count: usize) -> Vec<(Id, i64)> {
        let (count, period) = (count as i64, block.block.letters.len() as i64);
        let (start, first) = match block.block.repeats {
            true => (self.residue(start, block.block.letters.len()), 0),
            false => (start, 1 - count),
        };
        let case = |this: &mut Self, number: i64| {
            let value = this.arena.int(number);
            (this.arena.eq(start, value), number)
        };
        (first..period).map(|number| case(self, number)).collect()
    }

    /// Two blocks of variables. If they agree on `p + q - gcd(p, q)` letters they agree as far as
    /// both repeat (Fine and Wilf), so no more are compared. Both are equated with the fresh
    /// letters of a window, which is linear in `p + q` for each offset instead of `p · q`.
    fn blocks_equal(&mut self, condition: Id, a: &PlacedBlock, b: &PlacedBlock, from: Id, to: Id) {
        let (p, q) = (a.block.letters.len(), b.block.letters.len());
        let window = match (a.block.repeats, b.block.repeats) {
            (true, true) => p + q - num_integer::gcd(p, q),
            (true, false) => q,
            (false, true) => p,
            (false, false) => p.min(q),
        };
        let length = self.arena.sub(to, from);
        let mut letters = Vec::with_capacity(window);
        for offset in 0..window {
            let number = self.arena.int(offset);
            letters.push((self.arena.gt(length, number), self.fresh_letter()));
        }
        for placed in [a, b] {
            let start = self.arena.sub(from, placed.origin);
            let period = placed.block.letters.len();
            for (case, first) in self.starts(placed, start, 1) {
                for (offset, &(inside, letter)) in letters.iter().enumerate() {
                    let Some(known) = letter_after(placed, first, offset, period) else { continue };
                    let same = self.arena.eq(letter, known);
                    let mut all = vec![condition, inside, case];
                    all.extend(placed.domain);
                    self.fact_if(&all, same);
                }
            }
        }
    }

    /// The formula that some letter of `needle` differs from the one `shift` positions further in
    /// `hay`. The needle must fit there.
    pub fn mismatch(&mut self, needle: &Word, hay: &Word, shift: Id) -> Id {
        let position = self.arena.fresh_int("pos");
        let zero = self.arena.int(0);
        let inside = self.between(zero, position, needle.length());
        let there = self.arena.add(&[position, shift]);
        let (left, right) = (self.letter_at(needle, position), self.letter_at(hay, there));
        let same = self.arena.eq(left, right);
        let differ = self.arena.not(same);
        self.arena.and(&[inside, differ])
    }
}

/// The letter `offset` positions after the one at index `first`; `None` if it is not in the block.
fn letter_after(placed: &PlacedBlock, first: i64, offset: usize, period: usize) -> Option<Id> {
    let position = first + offset as i64;
    let position = if placed.block.repeats { position.rem_euclid(period as i64) } else { position };
    placed.block.letters.get(usize::try_from(position).ok()?).copied()
}
