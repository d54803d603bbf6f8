//! Not-substring without a quantifier: a finite list of shifts that covers the first occurrence.
//!
//! Let `G` be a common multiple of the periods of all blocks that repeat, and count each letter
//! of a block that does not as a block of its own. If the needle occurs at a shift `s ≥ G` but not
//! at `s - G`, some letter of it at `x` differs from the haystack at `x + s - G`. Then `x + s - G`
//! and `x + s` are in different blocks of the haystack, so one of these starts at some `h` with
//! `x + s - G < h ≤ x + s`; and `x - G` and `x` are in different blocks of the needle, or `x - G`
//! is before it, so a block of the needle starts at some `f` with `x - G < f ≤ x`. Hence
//! `|s - (h - f)| < G`. So the first occurrence is at a shift below `G`, or at some `h - f + d`
//! with `-G < d < G`.
//!
//! Sound independent of the list: the mismatch at each shift is a consequence of not-substring.
//! Source: ours. Limit: `flat.covering`; beyond it `unknown`.

use num_integer::lcm;
use rustc_hash::FxHashSet;

use super::super::word::Word;
use super::super::word_encoder::{PlacedBlock, WordEncoder};
use crate::arithmetic::{Id, Node};
use crate::{Limit, UnknownReason};

/// Starts of blocks: at `from`, and at the next `extent` positions.
struct Starts {
    from: Id,
    extent: i64,
    /// The period.
    period: usize,
}

impl WordEncoder {
    /// Asserts that under a condition the needle does not occur in the haystack.
    pub(in super::super) fn not_substring_covering(
        &mut self,
        condition: Id,
        needle: &Word,
        hay: &Word,
    ) -> Result<(), UnknownReason> {
        let (short, long) = (self.blocks(needle), self.blocks(hay));
        let letters: usize =
            short.iter().chain(&long).map(|placed| placed.block.letters.len()).sum();
        let most = self.budget.limit(Limit::FlatCovering) / letters.max(1);
        let shifts = self.shifts(&short, &long, most)?;
        for shift in shifts {
            self.assert_mismatch_at(condition, needle, hay, shift);
        }
        Ok(())
    }

    /// Asserts that under a condition the needle does not occur at a shift, if it fits there.
    pub(in super::super) fn assert_mismatch_at(
        &mut self,
        condition: Id,
        needle: &Word,
        hay: &Word,
        shift: Id,
    ) {
        let arena = &mut self.arena;
        let zero = arena.int(0);
        let end = arena.add(&[shift, needle.length()]);
        let (after, fits) = (arena.ge(shift, zero), arena.le(end, hay.length()));
        let fits = arena.and(&[after, fits]);
        if matches!(arena.node(fits), Node::Bool(false)) {
            return;
        }
        let mismatch = self.mismatch(needle, hay, shift);
        self.fact_if(&[condition, fits], mismatch);
    }

    /// Shifts that include the first occurrence of the needle, if there is one.
    pub(super) fn shifts(
        &mut self,
        needle: &[PlacedBlock],
        hay: &[PlacedBlock],
        most: usize,
    ) -> Result<Vec<Id>, UnknownReason> {
        let short: Vec<Starts> = needle.iter().map(starts).collect();
        let long: Vec<Starts> = hay.iter().map(starts).collect();
        let common = short.iter().chain(&long).fold(1, |all, one| lcm(all, one.period));
        let reach = i64::try_from(common).unwrap_or(i64::MAX) - 1;
        let per_pair = |a: &Starts, b: &Starts| 2 * reach + 1 + a.extent + b.extent;
        let pairs = short.iter().flat_map(|a| long.iter().map(move |b| (a, b)));
        let count: i64 = pairs.map(|(a, b)| per_pair(a, b)).sum();
        let too_many = |count: i64| usize::try_from(count).is_ok_and(|count| count > most);
        // A haystack of bounded length has few shifts.
        let capacity = hay.iter().map(capacity).sum::<Option<usize>>();
        if let Some(capacity) = capacity.map(|all| all as i64).filter(|&all| all <= count) {
            if too_many(capacity) {
                return Err(too_large(capacity));
            }
            return Ok((0..=capacity).map(|shift| self.arena.int(shift)).collect());
        }
        if too_many(count) {
            return Err(too_large(count));
        }
        let mut known = FxHashSet::default();
        let mut shifts = Vec::new();
        let mut add = |shift: Id| {
            if known.insert(shift) {
                shifts.push(shift);
            }
        };
        for shift in 0..=reach {
            add(self.arena.int(shift));
        }
        for (index, b) in long.iter().enumerate() {
            // Nothing precedes the haystack, so its own start is not a boundary between blocks.
            let first = i64::from(index == 0);
            if b.extent < first {
                continue;
            }
            for a in &short {
                let between = self.arena.sub(b.from, a.from);
                for distance in first - reach - a.extent..=reach + b.extent {
                    let distance = self.arena.int(distance);
                    add(self.arena.add(&[between, distance]));
                }
            }
        }
        Ok(shifts)
    }
}

fn too_large(shifts: i64) -> UnknownReason {
    UnknownReason::Incomplete(format!("a covering of not-substring would have {shifts} shifts"))
}

/// The starts of blocks with one letter each, or of one that repeats.
fn starts(placed: &PlacedBlock) -> Starts {
    let letters = &placed.block.letters;
    let same = letters.windows(2).all(|pair| pair[0] == pair[1]);
    match (placed.block.repeats, same) {
        (_, true) => Starts { from: placed.from, extent: 0, period: 1 },
        (true, false) => Starts { from: placed.from, extent: 0, period: letters.len() },
        (false, false) => Starts { from: placed.from, extent: letters.len() as i64 - 1, period: 1 },
    }
}

/// The maximal length of a block, unless it repeats.
fn capacity(placed: &PlacedBlock) -> Option<usize> {
    (!placed.block.repeats).then_some(placed.block.letters.len())
}
