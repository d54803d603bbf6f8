//! The order of enumeration: in order of size, and fair.
//!
//! Half of all positions go to the third smallest size that is not exhausted, a quarter to the second,
//! an eighth to the smallest, a sixteenth to the fourth, and so on (the ruler sequence: the number of
//! trailing zeros of a counter). So every size comes early, small ones are completed first, and
//! the time is not spent on formulas that are too small to be wrong about.
//!
//! Within a size of `n` formulas, the step `k` takes the index `offset + k · stride mod n` with a
//! stride near `n` divided by the golden ratio and coprime to `n`: a permutation whose every
//! beginning is spread evenly over the indices (a Weyl sequence), hence over operators and literals.
//! The seed chooses the offset; every seed enumerates the same formulas.
//!
//! A position is a step of this order, whether or not a representative is found there. Skipping
//! positions needs no enumeration: between two exhaustions the steps of a size are counted by a
//! formula.

use super::space::{LARGEST, Space};
use crate::Dice;

/// The number of sizes that are enumerated at the same time.
const LOOKAHEAD: usize = 8;

/// How far the enumeration of one size has come.
#[derive(Clone, Debug)]
struct Level {
    size: usize,
    total: u64,
    done: u64,
    stride: u64,
    offset: u64,
}

/// The order of enumeration.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    /// The sizes that are not exhausted, in order.
    levels: Vec<Level>,
    /// Steps since a size was exhausted.
    steps: u64,
    position: u64,
}

impl Order {
    /// The order of a seed, from the first position on.
    pub fn new(space: &Space, seed: u64) -> Self {
        let levels = (1..=LARGEST)
            .map(|size| (size, space.total(size)))
            .filter(|(_, total)| *total > 0)
            .map(|(size, total)| Level {
                size,
                total,
                done: 0,
                stride: stride(total),
                offset: if seed == 0 { 0 } else { offset(seed, size, total) },
            })
            .collect();
        Self { levels, steps: 0, position: 0 }
    }

    /// The position of the next step.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Size and index at the next position; `None` after the last one.
    pub fn next(&mut self) -> Option<(usize, u64)> {
        let active = self.active()?;
        let counter = self.steps + 1;
        let place = level_of_slot((counter.trailing_zeros() as usize).min(active - 1), active);
        let level = &mut self.levels[place];
        let step = u128::from(level.done) * u128::from(level.stride) + u128::from(level.offset);
        let index = (step % u128::from(level.total)) as u64;
        let size = level.size;
        level.done += 1;
        self.position += 1;
        self.steps += 1;
        if level.done == level.total {
            self.levels.remove(place);
            self.steps = 0;
        }
        Some((size, index))
    }

    /// Leaves out positions.
    pub fn skip(&mut self, positions: u64) {
        let mut left = positions;
        while left > 0 {
            let Some(active) = self.active() else { return };
            // The step at which each size would be exhausted; the first one ends this stretch.
            let exhausted = |slot: usize| {
                let level = &self.levels[level_of_slot(slot, active)];
                let visits = visits(self.steps, slot, active) + level.total - level.done;
                step_of_visit(visits, slot, active)
            };
            let end = (0..active).map(exhausted).min().unwrap_or(u64::MAX);
            let target = self.steps.saturating_add(left).min(end);
            let taken = target - self.steps;
            for slot in 0..active {
                let more = visits(target, slot, active) - visits(self.steps, slot, active);
                self.levels[level_of_slot(slot, active)].done += more;
            }
            self.steps = target;
            self.position += taken;
            left -= taken;
            if let Some(place) = self.levels.iter().position(|one| one.done == one.total) {
                self.levels.remove(place);
                self.steps = 0;
            }
        }
    }

    fn active(&self) -> Option<usize> {
        let active = self.levels.len().min(LOOKAHEAD);
        (active > 0).then_some(active)
    }
}

/// The level that a slot of the ruler sequence visits: the first three in reverse.
fn level_of_slot(slot: usize, active: usize) -> usize {
    if active >= 3 && slot < 3 { 2 - slot } else { slot }
}

/// How often a slot was visited within the first steps.
fn visits(steps: u64, slot: usize, active: usize) -> u64 {
    let last = slot == active - 1;
    if last { steps >> slot } else { (steps >> slot) - (steps >> (slot + 1)) }
}

/// The step at which a slot is visited for the n-th time.
fn step_of_visit(visit: u64, slot: usize, active: usize) -> u64 {
    let factor = if slot == active - 1 { visit } else { visit.saturating_mul(2).saturating_sub(1) };
    if factor > u64::MAX >> slot { u64::MAX } else { factor << slot }
}

/// A number near `total / φ` that is coprime to it.
fn stride(total: u64) -> u64 {
    let golden = (u128::from(total) * 0x9E37_79B9_7F4A_7C15) >> 64;
    let mut stride = (golden as u64).max(1);
    while divisor(stride, total) != 1 {
        stride += 1;
    }
    stride
}

fn divisor(mut one: u64, mut other: u64) -> u64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// Where a seed begins in a size.
fn offset(seed: u64, size: usize, total: u64) -> u64 {
    let bound = usize::try_from(total).unwrap_or(usize::MAX);
    Dice::new(seed, size as u64).below(bound) as u64
}
