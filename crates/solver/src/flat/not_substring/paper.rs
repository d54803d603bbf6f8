//! Not-substring with a universal quantifier over the shift.
//!
//! `¬contains ∧ domains → |t₁| > |t₂| ∨ ∀s. 0 ≤ s ≤ |t₂| - |t₁| → ⋁ᵢⱼ mᵢⱼ(s)`, where `mᵢⱼ(s)` is
//! true if block `i` of the needle and block `j` of the haystack differ on their overlap. The paper
//! has an inner quantifier over the position of the mismatch. It is not needed: two blocks with
//! periods `p` and `q` that differ on their overlap differ among its first `p + q - gcd(p, q)`
//! letters (Fine and Wilf), so there are finitely many positions. Source: Solving Not-Substring
//! Constraint with Flat Abstraction (APLAS 2021), section 5. Limit: `flat.paper`; beyond it
//! `unknown`.

use super::super::word::{Word, maximum, minimum};
use super::super::word_encoder::{PlacedBlock, WordEncoder};
use crate::arithmetic::Id;
use crate::{Limit, UnknownReason};

/// A block of one word under a shift: its start and the range of positions that shows it.
struct Shifted<'a> {
    placed: &'a PlacedBlock,
    origin: Id,
    from: Id,
    to: Id,
}

impl WordEncoder {
    /// Asserts that under a condition the needle does not occur in the haystack.
    pub(in super::super) fn not_substring_quantified(
        &mut self,
        condition: Id,
        needle: &Word,
        hay: &Word,
    ) -> Result<(), UnknownReason> {
        let (short, long) = (self.blocks(needle), self.blocks(hay));
        let mut size = 0_usize;
        for a in &short {
            for b in &long {
                size += window(a, b) * (a.block.letters.len() + b.block.letters.len());
            }
        }
        if self.budget.limits().exceeds(Limit::FlatPaper, size) {
            let reason = format!("a quantified not-substring would compare {size} letters");
            return Err(UnknownReason::Incomplete(reason));
        }
        let shift = self.arena.fresh_int("shift");
        let mut differ = Vec::with_capacity(short.len() * long.len());
        for b in &long {
            let [origin, from, to] =
                [b.origin, b.from, b.to].map(|position| self.arena.sub(position, shift));
            let b = Shifted { placed: b, origin, from, to };
            for a in &short {
                let a = Shifted { placed: a, origin: a.origin, from: a.from, to: a.to };
                self.differ_on_overlap(&a, &b, &mut differ);
            }
        }
        let arena = &mut self.arena;
        let differ = arena.or(&differ);
        let zero = arena.int(0);
        let room = arena.sub(hay.length(), needle.length());
        let (after, fits) = (arena.ge(shift, zero), arena.le(shift, room));
        let inside = arena.and(&[after, fits]);
        let everywhere = arena.implies(inside, differ);
        let everywhere = arena.forall_int(&[shift], everywhere);
        let longer = arena.gt(needle.length(), hay.length());
        let nowhere = arena.or(&[longer, everywhere]);
        // The formula reads letters, which are those of the values only in the domains.
        let mut guards = vec![condition];
        guards.extend(short.iter().chain(&long).filter_map(|placed| placed.domain));
        self.fact_if(&guards, nowhere);
        Ok(())
    }

    /// Adds the disjuncts for a mismatch of two blocks on their overlap.
    fn differ_on_overlap(&mut self, a: &Shifted<'_>, b: &Shifted<'_>, mismatches: &mut Vec<Id>) {
        let window = window(a.placed, b.placed);
        let from = maximum(&mut self.arena, a.from, b.from);
        let to = minimum(&mut self.arena, a.to, b.to);
        let length = self.arena.sub(to, from);
        let indices = [a, b].map(|one| {
            let index = self.arena.sub(from, one.origin);
            let period = one.placed.block.letters.len();
            if one.placed.block.repeats { self.arena.modulo(index, period) } else { index }
        });
        for offset in 0..window {
            let left = self.letter_from(a.placed, indices[0], offset);
            let right = self.letter_from(b.placed, indices[1], offset);
            let number = self.arena.int(offset);
            let inside = self.arena.gt(length, number);
            let same = self.arena.eq(left, right);
            let differ = self.arena.not(same);
            mismatches.push(self.arena.and(&[inside, differ]));
        }
    }

    /// The letter of a block `offset` positions after `index`, which is within the block; an
    /// arbitrary one of its letters if there is none.
    fn letter_from(&mut self, placed: &PlacedBlock, index: Id, offset: usize) -> Id {
        let letters = &placed.block.letters;
        let period = letters.len();
        let starts = if placed.block.repeats { period } else { period - offset };
        let after = |start: usize| letters[(start + offset) % period];
        let mut chosen = after(starts - 1);
        for start in (0..starts - 1).rev() {
            let number = self.arena.int(start);
            let here = self.arena.eq(index, number);
            chosen = self.arena.ite(here, after(start), chosen);
        }
        chosen
    }
}

/// The length of the prefix of their overlap in which two blocks differ, if they do.
fn window(a: &PlacedBlock, b: &PlacedBlock) -> usize {
    let (p, q) = (a.block.letters.len(), b.block.letters.len());
    match (a.block.repeats, b.block.repeats) {
        _ if p == 0 || q == 0 => 0,
        (true, true) => p + q - num_integer::gcd(p, q),
        (true, false) => q,
        (false, true) => p,
        (false, false) => p.min(q),
    }
}
