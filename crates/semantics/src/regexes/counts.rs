//! Sets of repetition counts, as sorted intervals of natural numbers.

use std::rc::Rc;

use luthier_terms::BigInt;
use num_traits::ToPrimitive;

/// A set of counts: inclusive intervals, sorted, neither touching nor overlapping. Only the last
/// interval may have the end [`INFINITE`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Counts(Rc<[(u64, u64)]>);

/// The end of an interval that has none.
const INFINITE: u64 = u64::MAX;

/// Larger finite counts are truncated to this one when a language is imported.
///
/// That is sound for asking whether a word `w` with `|w| < MAX_COUNT` is in the language. Call two
/// languages alike if they contain the same words of length below `MAX_COUNT`. For counts
/// `j, k ≥ MAX_COUNT` the powers `L^j` and `L^k` are alike: if the empty string is not in `L`,
/// neither has a word that short; if it is, then both have exactly the short words that are
/// concatenations of any number of words of `L`, since fewer than `MAX_COUNT` of these are not
/// empty and empty ones fill up the rest. And all operators, complement included, make alike
/// languages from alike ones, because the parts of a short word are short. It is not sound for
/// comparing languages; there, the import reports the truncation.
pub(super) const MAX_COUNT: u64 = 1 << 62;

impl Counts {
    /// From `least` to `most` times, where `None` means any number.
    pub(super) fn between(least: u64, most: Option<u64>) -> Self {
        let most = most.unwrap_or(INFINITE);
        if least > most { Self(Rc::new([])) } else { Self(Rc::new([(least, most)])) }
    }

    /// Exactly `count` times.
    pub(super) fn exactly(count: u64) -> Self {
        Self::between(count, Some(count))
    }

    /// Any number of times.
    pub(super) fn any() -> Self {
        Self::between(0, None)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn is_any(&self) -> bool {
        *self.0 == [(0, INFINITE)]
    }

    pub(super) fn is_exactly(&self, count: u64) -> bool {
        *self.0 == [(count, count)]
    }

    pub(super) fn contains(&self, count: u64) -> bool {
        self.0.iter().any(|&(first, last)| first <= count && count <= last)
    }

    /// How many intervals there are.
    pub(super) fn intervals(&self) -> usize {
        self.0.len()
    }

    /// All counts up to the largest one, which may be infinite; not for the empty set.
    pub(super) fn downward(&self) -> Self {
        let &(_, most) = self.0.last().expect("the set is not empty");
        Self(Rc::new([(0, most)]))
    }

    /// The counts of both sets.
    pub(super) fn union(&self, other: &Self) -> Self {
        let mut all = [&*self.0, &*other.0].concat();
        all.sort_unstable();
        Self(merge(all))
    }

    /// `{ k − 1 | k in the set, k ≥ 1 }`: what is left after one repetition.
    pub(super) fn after_one(&self) -> Self {
        let lower = |&(first, last): &(u64, u64)| match last {
            0 => None,
            INFINITE => Some((first.saturating_sub(1), INFINITE)),
            _ => Some((first.saturating_sub(1), last - 1)),
        };
        Self(self.0.iter().filter_map(lower).collect())
    }

    /// `{ j + k }` for one from each set, if one of the sets is a single interval and the sums
    /// stay below [`MAX_COUNT`]; otherwise `None`, and nothing is lost by not knowing.
    pub(super) fn sum(&self, other: &Self) -> Option<Self> {
        let (&[(first, last)], others) =
            (if self.0.len() == 1 { (&*self.0, &other.0) } else { (&*other.0, &self.0) })
        else {
            return None;
        };
        let add = |left: u64, right: u64| match (left, right) {
            (INFINITE, _) | (_, INFINITE) => Some(INFINITE),
            _ => left.checked_add(right).filter(|&sum| sum < MAX_COUNT),
        };
        let sums: Option<Vec<_>> =
            others.iter().map(|&(low, high)| Some((add(first, low)?, add(last, high)?))).collect();
        sums.map(|sums| Self(merge(sums)))
    }

    /// The counts of `k` repetitions of a repetition, if the set is a single interval and they
    /// stay below [`MAX_COUNT`].
    pub(super) fn times(&self, k: u64) -> Option<Self> {
        let &[(first, last)] = &*self.0 else { return None };
        let multiply = |count: u64| match count {
            INFINITE if k > 0 => Some(INFINITE),
            _ => count.checked_mul(k).filter(|&product| product < MAX_COUNT),
        };
        Some(Self(Rc::new([(multiply(first)?, multiply(last)?)])))
    }

    /// The only count, if there is just one.
    pub(super) fn single(&self) -> Option<u64> {
        match *self.0 {
            [(first, last)] if first == last => Some(first),
            _ => None,
        }
    }
}

/// Merges sorted intervals that touch or overlap.
fn merge(sorted: Vec<(u64, u64)>) -> Rc<[(u64, u64)]> {
    let mut merged: Vec<(u64, u64)> = Vec::with_capacity(sorted.len());
    for (first, last) in sorted {
        match merged.last_mut() {
            Some((_, end)) if first <= end.saturating_add(1) => *end = last.max(*end),
            _ => merged.push((first, last)),
        }
    }
    merged.into()
}

/// The count after truncation, and whether it was truncated.
pub(super) fn cut(count: &BigInt) -> (u64, bool) {
    match count.to_u64() {
        Some(count) if count <= MAX_COUNT => (count, false),
        _ => (MAX_COUNT, true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_repetition_less_drops_zero() {
        assert_eq!(Counts::exactly(0).after_one(), Counts::between(1, Some(0)));
        assert_eq!(Counts::any().after_one(), Counts::any());
        let some = Counts::between(0, Some(2)).union(&Counts::exactly(5));
        assert_eq!(some.after_one(), Counts::between(0, Some(1)).union(&Counts::exactly(4)));
    }

    #[test]
    fn sums_are_sums_of_all_pairs() {
        let some = Counts::exactly(1).union(&Counts::exactly(5));
        assert_eq!(
            some.sum(&Counts::between(0, Some(1))),
            Some(Counts::between(1, Some(2)).union(&Counts::between(5, Some(6))))
        );
        assert_eq!(some.sum(&Counts::any()), Some(Counts::between(1, None)));
        assert_eq!(some.sum(&some), None);
        assert_eq!(Counts::exactly(MAX_COUNT - 1).sum(&Counts::exactly(1)), None);
    }

    #[test]
    fn neighbours_become_one_interval() {
        let merged = Counts::exactly(1).union(&Counts::exactly(2)).union(&Counts::between(3, None));
        assert_eq!(merged, Counts::between(1, None));
    }

    #[test]
    fn a_count_of_thirty_digits_is_cut() {
        let huge: BigInt = "123456789012345678901234567890".parse().unwrap();
        assert_eq!(cut(&huge), (MAX_COUNT, true));
        assert_eq!(cut(&7.into()), (7, false));
    }
}
