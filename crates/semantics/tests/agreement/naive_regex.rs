//! Regular languages by sets of spans: for one string w, the pairs (i, j) for which w[i..j] is in
//! the language, computed from the parts upwards.
//!
//! No derivative and no automaton takes part in it, so it shares no idea with the crate under
//! test.

use std::rc::Rc;

use luthier_terms::BigInt;

/// A ground term of sort `RegLan` whose strings and numbers are evaluated.
#[derive(Debug)]
pub enum Regex {
    None,
    All,
    AllChar,
    Literal(Vec<u32>),
    Range(Vec<u32>, Vec<u32>),
    Concat(Rc<Self>, Rc<Self>),
    Union(Rc<Self>, Rc<Self>),
    Inter(Rc<Self>, Rc<Self>),
    Diff(Rc<Self>, Rc<Self>),
    Star(Rc<Self>),
    Plus(Rc<Self>),
    Opt(Rc<Self>),
    Comp(Rc<Self>),
    Power(BigInt, Rc<Self>),
    Loop(BigInt, BigInt, Rc<Self>),
}

/// The characters that `re.range` of two strings has: none unless both are one character.
pub fn in_range(low: &[u32], high: &[u32], character: u32) -> bool {
    matches!((low, high), ([low], [high]) if *low <= character && character <= *high)
}

/// A set of spans (i, j) with i <= j of one string.
#[derive(Clone)]
pub struct Spans {
    /// The length of the string, plus one.
    size: usize,
    cells: Vec<bool>,
}

impl Spans {
    fn new(size: usize, contains: impl Fn(usize, usize) -> bool) -> Self {
        let cells = (0..size * size)
            .map(|cell| (cell / size, cell % size))
            .map(|(i, j)| i <= j && contains(i, j))
            .collect();
        Self { size, cells }
    }

    /// Whether the span from i to j is in the set.
    pub fn has(&self, i: usize, j: usize) -> bool {
        self.cells[i * self.size + j]
    }

    /// The empty spans: the language that has only the empty string.
    fn empty_string(size: usize) -> Self {
        Self::new(size, |i, j| i == j)
    }

    fn combine(&self, other: &Self, both: impl Fn(bool, bool) -> bool) -> Self {
        Self::new(self.size, |i, j| both(self.has(i, j), other.has(i, j)))
    }

    fn union(&self, other: &Self) -> Self {
        self.combine(other, |one, two| one || two)
    }

    /// The spans (i, j) that some k divides into (i, k) here and (k, j) there.
    fn then(&self, other: &Self) -> Self {
        let mut result = Self::new(self.size, |_, _| false);
        for i in 0..self.size {
            for k in (i..self.size).filter(|&k| self.has(i, k)) {
                for j in (k..self.size).filter(|&j| other.has(k, j)) {
                    result.cells[i * self.size + j] = true;
                }
            }
        }
        result
    }

    /// The reflexive and transitive closure, by Warshall's rule.
    fn closure(&self) -> Self {
        let mut result = self.union(&Self::empty_string(self.size));
        for k in 0..self.size {
            for i in 0..=k {
                for j in k..self.size {
                    if result.has(i, k) && result.has(k, j) {
                        result.cells[i * self.size + j] = true;
                    }
                }
            }
        }
        result
    }

    /// The powers from `least` to `most`, together.
    ///
    /// Counts above `size` are the same as `size`, which is one more than the length of the
    /// string. If the empty string is in the language, the powers grow and a span of at most
    /// size - 1 characters has no more than so many non-empty pieces, so they no longer change
    /// from there on. If it is not, a span of size - 1 characters cannot have `size` non-empty
    /// pieces, so all powers from `size` on are empty.
    fn powers(&self, least: &BigInt, most: &BigInt) -> Self {
        let mut result = Self::new(self.size, |_, _| false);
        if least > most {
            return result;
        }
        let capped = |count: &BigInt| usize::try_from(count).unwrap_or(self.size).min(self.size);
        let (least, most) = (capped(least), capped(most));
        let mut power = Self::empty_string(self.size);
        for count in 0..=most {
            if count >= least {
                result = result.union(&power);
            }
            power = power.then(self);
        }
        result
    }
}

impl Regex {
    /// The spans of `w` that are in the language.
    pub fn spans(&self, w: &[u32]) -> Spans {
        let size = w.len() + 1;
        match self {
            Self::None => Spans::new(size, |_, _| false),
            Self::All => Spans::new(size, |_, _| true),
            Self::AllChar => Spans::new(size, |i, j| i + 1 == j),
            Self::Literal(text) => Spans::new(size, |i, j| w[i..j] == **text),
            Self::Range(low, high) => {
                Spans::new(size, |i, j| i + 1 == j && in_range(low, high, w[i]))
            }
            Self::Concat(one, two) => one.spans(w).then(&two.spans(w)),
            Self::Union(one, two) => one.spans(w).union(&two.spans(w)),
            Self::Inter(one, two) => one.spans(w).combine(&two.spans(w), |one, two| one && two),
            Self::Diff(one, two) => one.spans(w).combine(&two.spans(w), |one, two| one && !two),
            Self::Star(one) => one.spans(w).closure(),
            Self::Plus(one) => {
                let once = one.spans(w);
                once.then(&once.closure())
            }
            Self::Opt(one) => one.spans(w).union(&Spans::empty_string(size)),
            Self::Comp(one) => {
                let inside = one.spans(w);
                Spans::new(size, |i, j| !inside.has(i, j))
            }
            Self::Power(count, one) => one.spans(w).powers(count, count),
            Self::Loop(least, most, one) => one.spans(w).powers(least, most),
        }
    }

    /// Whether the string is in the language.
    pub fn contains(&self, w: &[u32]) -> bool {
        self.spans(w).has(0, w.len())
    }

    /// Calls `found` with every character that the language mentions and the first one after a
    /// mentioned one: between two such characters, all characters behave alike.
    pub fn boundaries(&self, found: &mut impl FnMut(u32)) {
        match self {
            Self::None | Self::All | Self::AllChar => {}
            Self::Literal(text) => text.iter().for_each(|&character| {
                found(character);
                found(character + 1);
            }),
            Self::Range(low, high) => {
                low.iter().for_each(|&character| found(character));
                high.iter().for_each(|&character| found(character + 1));
            }
            Self::Concat(one, two)
            | Self::Union(one, two)
            | Self::Inter(one, two)
            | Self::Diff(one, two) => {
                one.boundaries(found);
                two.boundaries(found);
            }
            Self::Star(one)
            | Self::Plus(one)
            | Self::Opt(one)
            | Self::Comp(one)
            | Self::Power(_, one)
            | Self::Loop(_, _, one) => one.boundaries(found),
        }
    }
}
