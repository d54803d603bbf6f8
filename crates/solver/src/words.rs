//! Combinatorics on concrete words: first occurrence, common prefixes and suffixes, overlaps, and
//! decimal digits.
//!
//! Shared by rewriting, search and the engines with literals. All functions are exact.

use luthier_terms::{BigInt, CodePoint, decimal};

/// The first occurrence of a needle at or after a position; the empty needle occurs at that
/// position.
pub(crate) fn find<L: PartialEq>(text: &[L], needle: &[L], from: usize) -> Option<usize> {
    let last = text.len().checked_sub(needle.len())?;
    let Some((first, rest)) = needle.split_first() else {
        return (from <= last).then_some(from);
    };
    (from..=last).find(|&at| text[at] == *first && text[at + 1..].starts_with(rest))
}

/// The length of the common prefix.
pub(crate) fn common_prefix(left: &[CodePoint], right: &[CodePoint]) -> usize {
    left.iter().zip(right).take_while(|(one, other)| one == other).count()
}

/// The length of the common suffix.
pub(crate) fn common_suffix(left: &[CodePoint], right: &[CodePoint]) -> usize {
    left.iter().rev().zip(right.iter().rev()).take_while(|(one, other)| one == other).count()
}

/// How many characters at the start of `text·y` cannot be the start of an occurrence of `needle`,
/// whatever `y` is.
pub(crate) fn dead_prefix(text: &[CodePoint], needle: &[CodePoint]) -> usize {
    let may_start = |at: &usize| {
        let rest = &text[*at..];
        if rest.len() < needle.len() { needle.starts_with(rest) } else { rest.starts_with(needle) }
    };
    (0..text.len()).find(may_start).unwrap_or(text.len())
}

/// How many characters at the end of `y·text` cannot be the end of an occurrence of `needle`,
/// whatever `y` is.
pub(crate) fn dead_suffix(text: &[CodePoint], needle: &[CodePoint]) -> usize {
    let may_end = |dropped: &usize| {
        let rest = &text[..text.len() - dropped];
        if rest.len() < needle.len() { needle.ends_with(rest) } else { rest.ends_with(needle) }
    };
    (0..text.len()).find(may_end).unwrap_or(text.len())
}

/// Whether an occurrence of `needle` in `x·text·y` can cover a character of `text`, for some `x`
/// and `y`.
pub(crate) fn can_touch(text: &[CodePoint], needle: &[CodePoint]) -> bool {
    let (t, n) = (text.len() as isize, needle.len() as isize);
    // `shift` is where the needle starts, seen from the start of the text.
    (1 - n..t).any(|shift| {
        let from = shift.max(0);
        let to = (shift + n).min(t);
        let inside = |at: isize| usize::try_from(at).unwrap_or(0);
        text[inside(from)..inside(to)] == needle[inside(from - shift)..inside(to - shift)]
    })
}

/// The value of a decimal digit.
pub(crate) fn digit(character: CodePoint) -> Option<u32> {
    character.code().checked_sub(0x30).filter(|&digit| digit <= 9)
}

/// The number of which a word is the decimal representation; `None` for the empty word and words
/// with other characters.
pub(crate) fn parse(text: &[CodePoint]) -> Option<BigInt> {
    let digits: Option<Vec<u8>> =
        text.iter().map(|&character| u8::try_from(character.code()).ok()).collect();
    decimal::read(&digits?)
}

/// The decimal digits of a number that is not negative.
pub(crate) fn decimal(number: &BigInt) -> Option<Vec<CodePoint>> {
    if *number < BigInt::ZERO {
        return None;
    }
    Some(decimal::write(number).bytes().map(CodePoint::from_byte).collect())
}

/// The offsets of a second word relative to a first one at which they overlap and agree on the
/// overlap. `None` if there are more than `most`.
pub(crate) fn overlaps<T: PartialEq>(first: &[T], second: &[T], most: usize) -> Option<Vec<i64>> {
    let agree = |shift: &i64| {
        let (skipped, cut) = ((*shift).max(0) as usize, (-*shift).max(0) as usize);
        first[skipped..].iter().zip(&second[cut..]).all(|(one, two)| one == two)
    };
    let shifts = 1 - second.len() as i64..first.len() as i64;
    let places: Vec<i64> = shifts.filter(agree).take(most + 1).collect();
    (places.len() <= most).then_some(places)
}
