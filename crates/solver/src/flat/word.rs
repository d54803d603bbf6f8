//! String terms as sequences of slices of variables and literals.
//!
//! Solvers usually reduce `substr`, `replace` and `ite` to word equations over fresh variables.
//! Here they are slices whose bounds are arithmetic terms, so that only the variables of the
//! formula have letters to find. Exact: a slice of length 0 is empty wherever it starts.

use std::rc::Rc;

use crate::arithmetic::{Arena, Id};

/// A factor of a base: `length` letters from `start`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slice {
    /// The number of the base.
    pub base: usize,
    /// Where it starts in the base, if it is not empty.
    pub start: Id,
    /// Its length; never negative.
    pub length: Id,
}

/// A concatenation of slices, each with its position in the word.
#[derive(Clone, Debug)]
pub struct Word(Rc<[(Id, Slice)]>, Id);

impl Word {
    /// The word of some slices.
    pub fn new(arena: &mut Arena, slices: impl IntoIterator<Item = Slice>) -> Self {
        let mut position = arena.int(0);
        let mut placed = Vec::new();
        for slice in slices {
            placed.push((position, slice));
            position = arena.add(&[position, slice.length]);
        }
        Self(placed.into(), position)
    }

    /// Its length.
    pub fn length(&self) -> Id {
        self.1
    }

    /// Its slices, each with its position.
    pub fn placed(&self) -> &[(Id, Slice)] {
        &self.0
    }

    /// Its slices.
    pub fn slices(&self) -> impl Iterator<Item = Slice> + '_ {
        self.0.iter().map(|&(_, slice)| slice)
    }

    /// The word if the condition holds, otherwise the empty one.
    pub fn only_if(&self, arena: &mut Arena, condition: Id) -> Vec<Slice> {
        let zero = arena.int(0);
        let cut =
            |slice: Slice| Slice { length: arena.ite(condition, slice.length, zero), ..slice };
        self.slices().map(cut).collect()
    }

    /// `str.substr`: empty unless `0 ≤ from < |w|` and `count > 0`.
    pub fn substr(&self, arena: &mut Arena, from: Id, count: Id) -> Vec<Slice> {
        let zero = arena.int(0);
        let inside = [arena.ge(from, zero), arena.lt(from, self.length()), arena.gt(count, zero)];
        let inside = arena.and(&inside);
        let rest = arena.sub(self.length(), from);
        let shorter = minimum(arena, count, rest);
        let length = arena.ite(inside, shorter, zero);
        self.cut(arena, from, length)
    }

    /// The slices between `from` and `from + length`, which are within the word if `length > 0`.
    pub fn cut(&self, arena: &mut Arena, from: Id, length: Id) -> Vec<Slice> {
        if let [(_, slice)] = *self.0 {
            let start = arena.add(&[slice.start, from]);
            return vec![Slice { start, length, ..slice }];
        }
        let zero = arena.int(0);
        let end = arena.add(&[from, length]);
        let mut pieces = Vec::new();
        for &(position, slice) in self.0.iter() {
            let slice_end = arena.add(&[position, slice.length]);
            let first = maximum(arena, position, from);
            let last = minimum(arena, slice_end, end);
            let left = arena.sub(last, first);
            let length = maximum(arena, left, zero);
            let skipped = arena.sub(first, position);
            let start = arena.add(&[slice.start, skipped]);
            pieces.push(Slice { start, length, ..slice });
        }
        pieces
    }
}

/// The smaller of two terms.
pub fn minimum(arena: &mut Arena, a: Id, b: Id) -> Id {
    let order = arena.le(a, b);
    arena.ite(order, a, b)
}

/// The larger of two terms.
pub fn maximum(arena: &mut Arena, a: Id, b: Id) -> Id {
    let order = arena.ge(a, b);
    arena.ite(order, a, b)
}
