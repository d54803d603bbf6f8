//! The space of small formulas: how many there are of each size, and the one with an index.
//!
//! `count(kind, size)` is the sum over all symbols of the kind and all ways to divide the rest of
//! the size among their arguments; the arguments of a commutative symbol come with the smaller one
//! first. The index of a term is a number in a mixed radix over the indices of its arguments, so
//! that a term is found from its index without enumerating others, and any permutation of indices
//! is an order of enumeration.
//!
//! A formula has one to three atoms: up to three literals, or a clause and perhaps a literal, with
//! the literals in the order of their sizes. What remains of symmetry (renaming, and arguments or
//! assertions of equal size) is left to `canonical.rs`.

use super::signature::{Kind, SYMBOLS, symbol};

/// The largest size of a formula.
pub(crate) const LARGEST: usize = 18;

/// A symbol with the sizes of its arguments, for one kind and size.
#[derive(Clone, Copy, Debug)]
struct Alternative {
    code: u8,
    sizes: [u8; 3],
    /// The number of terms of the alternatives before this one.
    before: u64,
}

/// The assertions of a formula, by kind and size.
#[derive(Clone, Copy, Debug)]
struct FormulaShape {
    parts: [(Kind, u8); 3],
    count: u8,
    before: u64,
}

/// All formulas up to [`LARGEST`].
pub(crate) struct Space {
    /// By kind and size.
    alternatives: Vec<Vec<Alternative>>,
    counts: Vec<u64>,
    /// By the size of the formula.
    shapes: Vec<Vec<FormulaShape>>,
    totals: Vec<u64>,
}

/// The sequences of assertions, as kinds; three atoms at most.
const FORMULAS: [&[Kind]; 5] = [
    &[Kind::Literal],
    &[Kind::Literal, Kind::Literal],
    &[Kind::Literal, Kind::Literal, Kind::Literal],
    &[Kind::Clause],
    &[Kind::Literal, Kind::Clause],
];

impl Space {
    /// The space, counted.
    pub fn new() -> Self {
        let mut space = Self {
            alternatives: vec![Vec::new(); Kind::COUNT * (LARGEST + 1)],
            counts: vec![0; Kind::COUNT * (LARGEST + 1)],
            shapes: vec![Vec::new(); LARGEST + 1],
            totals: vec![0; LARGEST + 1],
        };
        // Arguments are smaller than the term, so that their counts are known.
        const KINDS: [Kind; Kind::COUNT] =
            [Kind::Text, Kind::Int, Kind::Language, Kind::Atom, Kind::Literal, Kind::Clause];
        for size in 1..=LARGEST {
            for kind in KINDS {
                space.count_terms(kind, size);
            }
        }
        for size in 1..=LARGEST {
            space.count_formulas(size);
        }
        space
    }

    /// The number of formulas of a size.
    pub fn total(&self, size: usize) -> u64 {
        self.totals[size]
    }

    fn count(&self, kind: Kind, size: usize) -> u64 {
        self.counts[place(kind, size)]
    }

    fn count_terms(&mut self, kind: Kind, size: usize) {
        let mut found = Vec::new();
        let mut before = 0_u64;
        for (code, symbol) in SYMBOLS.iter().enumerate() {
            let own = usize::from(symbol.size);
            if !kind.admits(symbol.kind) || own > size {
                continue;
            }
            for sizes in divisions(size - own, symbol.arguments.len(), symbol.commutative) {
                let counts = symbol.arguments.iter().zip(sizes);
                let count: u64 =
                    counts.map(|(&kind, size)| self.count(kind, usize::from(size))).product();
                if count > 0 {
                    found.push(Alternative { code: code as u8, sizes, before });
                    before += count;
                }
            }
        }
        self.alternatives[place(kind, size)] = found;
        self.counts[place(kind, size)] = before;
    }

    fn count_formulas(&mut self, size: usize) {
        let mut before = 0_u64;
        let mut found = Vec::new();
        for kinds in FORMULAS {
            for sizes in divisions(size, kinds.len(), false) {
                let literals = kinds.iter().filter(|kind| **kind == Kind::Literal).count();
                if !sizes[..literals].is_sorted() {
                    continue;
                }
                let mut parts = [(Kind::Clause, 0); 3];
                let mut count = 1;
                for (part, (&kind, size)) in parts.iter_mut().zip(kinds.iter().zip(sizes)) {
                    *part = (kind, size);
                    count *= self.count(kind, usize::from(size));
                }
                if count > 0 {
                    found.push(FormulaShape { parts, count: kinds.len() as u8, before });
                    before += count;
                }
            }
        }
        self.shapes[size] = found;
        self.totals[size] = before;
    }

    /// The codes of the formula of a size with an index below [`Space::total`].
    pub fn formula(&self, size: usize, index: u64, codes: &mut Vec<u8>) {
        codes.clear();
        let shapes = &self.shapes[size];
        let shape = &shapes[shapes.partition_point(|shape| shape.before <= index) - 1];
        let mut rest = index - shape.before;
        let mut work: Vec<(Kind, u8, u64)> = Vec::with_capacity(12);
        for &(kind, size) in &shape.parts[..usize::from(shape.count)] {
            let count = self.count(kind, usize::from(size));
            work.push((kind, size, rest % count));
            rest /= count;
        }
        work.reverse();
        while let Some((kind, size, index)) = work.pop() {
            let alternatives = &self.alternatives[place(kind, usize::from(size))];
            let chosen = alternatives.partition_point(|one| one.before <= index) - 1;
            let chosen = &alternatives[chosen];
            codes.push(chosen.code);
            let mut rest = index - chosen.before;
            let start = work.len();
            for (&kind, size) in symbol(chosen.code).arguments.iter().zip(chosen.sizes) {
                let count = self.count(kind, usize::from(size));
                work.push((kind, size, rest % count));
                rest /= count;
            }
            work[start..].reverse();
        }
    }
}

fn place(kind: Kind, size: usize) -> usize {
    kind as usize * (LARGEST + 1) + size
}

/// The ways to divide a size among arguments, at least 1 each; sorted if they may be exchanged.
fn divisions(size: usize, arguments: usize, sorted: bool) -> Vec<[u8; 3]> {
    let byte = |size: usize| size as u8;
    match arguments {
        0 if size == 0 => vec![[0; 3]],
        1 if size > 0 => vec![[byte(size), 0, 0]],
        2 => (1..size)
            .map(|first| [byte(first), byte(size - first), 0])
            .filter(|sizes| !sorted || sizes[0] <= sizes[1])
            .collect(),
        3 => (1..size)
            .flat_map(|first| (1..size - first).map(move |second| (first, second)))
            .map(|(first, second)| [byte(first), byte(second), byte(size - first - second)])
            .collect(),
        _ => Vec::new(),
    }
}
