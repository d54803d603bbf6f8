//! Approximations of a regular language from the syntax of its expression: bounds on the lengths of
//! its words, a superset of their letters, and the words themselves if they are few.
//!
//! Bounds and letters are over-approximations, computed bottom-up without an automaton; unknown
//! subterms may be anything.

use luthier_terms::{CodePoint, Op, PostOrder, Term, TermId, TermPool};
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

/// Bounds on the length of the words of a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LengthBounds {
    /// No word is shorter; `None` if there is no word at all.
    pub(super) least: Option<u64>,
    /// No word is longer; `None` if there is no bound.
    pub(super) most: Option<u64>,
}

const ANY: LengthBounds = LengthBounds { least: Some(0), most: None };
const NO_WORD: LengthBounds = LengthBounds { least: None, most: Some(0) };

impl LengthBounds {
    fn then(self, other: Self) -> Self {
        match (self.least, other.least) {
            (Some(one), Some(two)) => {
                Self { least: Some(one.saturating_add(two)), most: sum(self.most, other.most) }
            }
            _ => NO_WORD,
        }
    }

    fn or(self, other: Self) -> Self {
        match (self.least, other.least) {
            (None, _) => other,
            (_, None) => self,
            (Some(one), Some(two)) => Self {
                least: Some(one.min(two)),
                most: self.most.zip(other.most).map(|(one, two)| one.max(two)),
            },
        }
    }

    fn and(self, other: Self) -> Self {
        let most = match (self.most, other.most) {
            (Some(one), Some(two)) => Some(one.min(two)),
            (one, two) => one.or(two),
        };
        match (self.least, other.least) {
            (Some(one), Some(two)) if most.is_none_or(|most| one.max(two) <= most) => {
                Self { least: Some(one.max(two)), most }
            }
            _ => NO_WORD,
        }
    }

    fn times(self, fewest: u64, most: Option<u64>) -> Self {
        match self.least {
            None if fewest == 0 => Self { least: Some(0), most: Some(0) },
            None => NO_WORD,
            Some(least) => Self {
                least: Some(least.saturating_mul(fewest)),
                most: match (self.most, most) {
                    (Some(0), _) => Some(0),
                    (Some(max_letters), Some(times)) => max_letters.checked_mul(times),
                    _ => None,
                },
            },
        }
    }
}

fn sum(one: Option<u64>, two: Option<u64>) -> Option<u64> {
    one?.checked_add(two?)
}

/// Bounds on the length of the words of a regular expression.
pub(super) fn lengths(pool: &TermPool, regex: TermId) -> LengthBounds {
    let mut known: FxHashMap<TermId, LengthBounds> = FxHashMap::default();
    for term in PostOrder::new(pool, [regex]) {
        let Term::Op(op, parts) = pool.term(term) else { continue };
        let of = |at: usize| parts.get(at).and_then(|part| known.get(part)).copied().unwrap_or(ANY);
        let index = |at: usize| parts.get(at).and_then(|&part| pool.as_integer(part)?.to_u64());
        let all = |join: fn(LengthBounds, LengthBounds) -> LengthBounds| {
            (1..parts.len()).fold(of(0), |sum, at| join(sum, of(at)))
        };
        let lengths = match op {
            Op::StrToRe => match pool.as_string(parts[0]) {
                Some(text) => {
                    let length = text.len() as u64;
                    LengthBounds { least: Some(length), most: Some(length) }
                }
                None => ANY,
            },
            Op::ReNone => NO_WORD,
            Op::ReAllChar => LengthBounds { least: Some(1), most: Some(1) },
            Op::ReRange => match range(pool, parts) {
                Some(None) => NO_WORD,
                Some(Some(_)) => LengthBounds { least: Some(1), most: Some(1) },
                // Whatever its ends are, a range has only words of one letter.
                None => LengthBounds { least: Some(1), most: Some(1) },
            },
            Op::ReConcat => all(LengthBounds::then),
            Op::ReUnion => all(LengthBounds::or),
            Op::ReInter => all(LengthBounds::and),
            Op::ReDiff => of(0),
            Op::ReStar => of(0).times(0, None),
            Op::RePlus => of(0).times(1, None),
            Op::ReOpt => of(0).times(0, Some(1)),
            Op::RePower => match index(0) {
                Some(times) => of(1).times(times, Some(times)),
                None => ANY,
            },
            Op::ReLoop => match (index(0), index(1)) {
                (Some(low), Some(high)) if low > high => NO_WORD,
                (Some(low), Some(high)) => of(2).times(low, Some(high)),
                _ => ANY,
            },
            Op::Ite => of(1).or(of(2)),
            _ => ANY,
        };
        known.insert(term, lengths);
    }
    known.get(&regex).copied().unwrap_or(ANY)
}

/// A superset of the letters of all words, as ranges; `None` if there is no bound.
pub(super) fn letters(pool: &TermPool, regex: TermId) -> Option<Vec<(u32, u32)>> {
    let mut known: FxHashMap<TermId, Option<Vec<(u32, u32)>>> = FxHashMap::default();
    for term in PostOrder::new(pool, [regex]) {
        let Term::Op(op, parts) = pool.term(term) else { continue };
        let of = |at: usize| parts.get(at).and_then(|part| known.get(part)).cloned().flatten();
        let set = match op {
            Op::StrToRe => pool.as_string(parts[0]).map(|text| {
                let mut codes: Vec<(u32, u32)> =
                    text.iter().map(|letter| (letter.code(), letter.code())).collect();
                codes.sort_unstable();
                codes.dedup();
                codes
            }),
            Op::ReNone => Some(Vec::new()),
            Op::ReRange => range(pool, parts).map(|range| range.into_iter().collect()),
            Op::ReConcat | Op::ReUnion => (0..parts.len()).try_fold(Vec::new(), |mut all, at| {
                all.extend(of(at)?);
                all.sort_unstable();
                all.dedup();
                (all.len() <= 2000).then_some(all)
            }),
            // For an intersection the set of any argument is a superset; the smallest is the
            // tightest.
            Op::ReInter => (0..parts.len()).filter_map(of).min_by_key(|set| {
                set.iter().map(|(low, high)| u64::from(high - low) + 1).sum::<u64>()
            }),
            Op::ReDiff | Op::ReStar | Op::RePlus | Op::ReOpt => of(0),
            Op::RePower => of(1),
            Op::ReLoop => of(2),
            _ => None,
        };
        known.insert(term, set);
    }
    known.remove(&regex).flatten()
}

/// The words of a finite language of at most `most` words; `None` if there are more, or if it is
/// not known.
pub(super) fn words(pool: &TermPool, regex: TermId, most: usize) -> Option<Vec<Vec<CodePoint>>> {
    let mut known: FxHashMap<TermId, Option<Vec<Vec<CodePoint>>>> = FxHashMap::default();
    for term in PostOrder::new(pool, [regex]) {
        let Term::Op(op, parts) = pool.term(term) else { continue };
        let of = |at: usize| parts.get(at).and_then(|part| known.get(part)).cloned().flatten();
        let few = |mut words: Vec<Vec<CodePoint>>| {
            words.sort_unstable();
            words.dedup();
            (words.len() <= most).then_some(words)
        };
        let words = match op {
            Op::StrToRe => pool.as_string(parts[0]).map(|text| vec![text.to_vec()]),
            Op::ReNone => Some(Vec::new()),
            Op::ReRange => range(pool, parts).and_then(|range| match range {
                Some((low, high)) if (high - low) as usize >= most => None,
                Some((low, high)) => {
                    Some((low..=high).filter_map(CodePoint::new).map(|one| vec![one]).collect())
                }
                None => Some(Vec::new()),
            }),
            Op::ReUnion => (0..parts.len()).try_fold(Vec::new(), |mut all, at| {
                all.extend(of(at)?);
                few(all)
            }),
            Op::ReConcat => (0..parts.len()).try_fold(vec![Vec::new()], |starts, at| {
                let ends = of(at)?;
                if starts.len().saturating_mul(ends.len()) > 4 * most {
                    return None;
                }
                let pairs =
                    starts.iter().flat_map(|start| ends.iter().map(move |end| (start, end)));
                few(pairs.map(|(start, end)| [&start[..], end].concat()).collect())
            }),
            Op::ReOpt => of(0).and_then(|mut words| {
                words.push(Vec::new());
                few(words)
            }),
            _ => None,
        };
        known.insert(term, words);
    }
    known.remove(&regex).flatten()
}

/// The codes of a range: `Some(None)` if it is empty, `None` if its ends are not literals.
fn range(pool: &TermPool, ends: &[TermId]) -> Option<Option<(u32, u32)>> {
    let (low, high) = (pool.as_string(*ends.first()?)?, pool.as_string(*ends.get(1)?)?);
    Some(match (&**low, &**high) {
        ([low], [high]) if low <= high => Some((low.code(), high.code())),
        _ => None,
    })
}
