//! Sets of characters as sorted intervals.

use std::sync::Arc;

use luthier_terms::CodePoint;

/// A set of characters: inclusive intervals of codes, sorted, neither touching nor overlapping.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CharSet(Arc<[(u32, u32)]>);

const LAST_CODE: u32 = CodePoint::MAX.code();

impl CharSet {
    /// No character.
    pub(crate) fn empty() -> Self {
        Self(Arc::new([]))
    }

    /// Every character.
    pub(crate) fn full() -> Self {
        Self(Arc::new([(0, LAST_CODE)]))
    }

    /// The characters from `first` to `last`; none if `first > last`.
    pub(crate) fn range(first: CodePoint, last: CodePoint) -> Self {
        if first > last { Self::empty() } else { Self(Arc::new([(first.code(), last.code())])) }
    }

    /// One character.
    pub(crate) fn single(character: CodePoint) -> Self {
        Self::range(character, character)
    }

    /// The intervals, from low to high.
    pub(crate) fn intervals(&self) -> &[(u32, u32)] {
        &self.0
    }

    /// Whether it has no character.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether it has every character.
    pub(crate) fn is_full(&self) -> bool {
        *self.0 == [(0, LAST_CODE)]
    }

    /// Whether it has the character of this code.
    pub(crate) fn contains(&self, code: u32) -> bool {
        let after = self.0.partition_point(|&(first, _)| first <= code);
        after > 0 && code <= self.0[after - 1].1
    }

    /// The characters of one or the other.
    pub(crate) fn union(&self, other: &Self) -> Self {
        let mut all = [self.intervals(), other.intervals()].concat();
        all.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(all.len());
        for (first, last) in all {
            match merged.last_mut() {
                // Codes are at most 0x2FFFF, so the sum cannot overflow.
                Some((_, end)) if first <= *end + 1 => *end = last.max(*end),
                _ => merged.push((first, last)),
            }
        }
        Self(merged.into())
    }

    /// The characters of both.
    pub(crate) fn intersection(&self, other: &Self) -> Self {
        let (mut left, mut right) = (self.intervals(), other.intervals());
        let mut common = Vec::new();
        while let ([(a, b), left_rest @ ..], [(c, d), right_rest @ ..]) = (left, right) {
            let (first, last) = (*a.max(c), *b.min(d));
            if first <= last {
                common.push((first, last));
            }
            // The interval that ends first meets nothing further.
            if b <= d {
                left = left_rest;
            } else {
                right = right_rest;
            }
        }
        Self(common.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(first: u32, last: u32) -> CharSet {
        CharSet::range(CodePoint::new(first).unwrap(), CodePoint::new(last).unwrap())
    }

    #[test]
    fn touching_intervals_become_one() {
        assert_eq!(range(0, 5).union(&range(6, LAST_CODE)), CharSet::full());
        assert_eq!(range(0, 5).union(&range(7, 9)).intervals(), [(0, 5), (7, 9)]);
    }

    #[test]
    fn set_operations_agree_with_membership() {
        let sets = [
            CharSet::empty(),
            CharSet::full(),
            range(3, 3),
            range(2, 6).union(&range(9, 12)),
            range(5, 10).union(&range(0, 0)),
            range(9, 3),
        ];
        for left in &sets {
            for right in &sets {
                let (union, both) = (left.union(right), left.intersection(right));
                for code in (0..20).chain([LAST_CODE]) {
                    let (l, r) = (left.contains(code), right.contains(code));
                    assert_eq!(union.contains(code), l || r);
                    assert_eq!(both.contains(code), l && r);
                }
            }
        }
    }
}
