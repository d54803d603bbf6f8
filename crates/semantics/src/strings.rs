//! The operators of the theory of strings without regular languages, one pure function each.
//!
//! The wording follows the SMT-LIB 2.7 theory `Strings`: every function is total, positions start
//! at zero and count code points. Sizes of results are not limited here; the evaluator checks them
//! before the call.

use luthier_terms::{BigInt, CodePoint, SmtString, decimal};
use num_bigint::Sign;
use num_traits::ToPrimitive;

/// `str.++`: the strings one after the other.
///
/// ```
/// use luthier_semantics::strings;
/// use luthier_terms::SmtString;
/// let (a, b) = (SmtString::from_text("ab").unwrap(), SmtString::from_text("c").unwrap());
/// assert_eq!(strings::concat(&[&a, &b]), SmtString::from_text("abc").unwrap());
/// ```
pub fn concat(parts: &[&[CodePoint]]) -> SmtString {
    parts.concat().into()
}

/// `str.len`: the number of code points.
///
/// ```
/// use luthier_semantics::strings;
/// use luthier_terms::SmtString;
/// let w = SmtString::from_codes([0x61, 0xD800, 0x2FFFF]).unwrap();
/// assert_eq!(strings::length(&w), 3.into());
/// ```
pub fn length(w: &[CodePoint]) -> BigInt {
    BigInt::from(w.len())
}

/// `str.<`: strict lexicographic order by code points; a proper prefix is smaller.
///
/// ```
/// use luthier_semantics::strings;
/// use luthier_terms::SmtString;
/// let (a, ab) = (SmtString::from_text("a").unwrap(), SmtString::from_text("ab").unwrap());
/// assert!(strings::less(&[], &a) && strings::less(&a, &ab) && !strings::less(&a, &a));
/// ```
pub fn less(left: &[CodePoint], right: &[CodePoint]) -> bool {
    left < right
}

/// `str.<=`: `str.<` or equal.
///
/// ```
/// use luthier_semantics::strings;
/// assert!(strings::less_or_equal(&[], &[]));
/// ```
pub fn less_or_equal(left: &[CodePoint], right: &[CodePoint]) -> bool {
    left <= right
}

/// `str.at`: the substring of length one at position `i`; `""` if there is no such position.
///
/// ```
/// use luthier_semantics::strings;
/// use luthier_terms::SmtString;
/// let w = SmtString::from_text("ab").unwrap();
/// assert_eq!(strings::at(&w, &1.into()), SmtString::from_text("b").unwrap());
/// assert!(strings::at(&w, &2.into()).is_empty() && strings::at(&w, &(-1).into()).is_empty());
/// ```
pub fn at(w: &[CodePoint], i: &BigInt) -> SmtString {
    substr(w, i, &BigInt::from(1))
}

/// `str.substr`: if `0 ≤ m < |w|` and `n > 0`, the substring at `m` of length `min(n, |w| − m)`;
/// otherwise `""`.
///
/// ```
/// use luthier_semantics::strings;
/// use luthier_terms::{BigInt, SmtString};
/// let w = SmtString::from_text("abc").unwrap();
/// let substr = |m: i64, n: i64| strings::substr(&w, &m.into(), &n.into());
/// assert_eq!(substr(1, 1), SmtString::from_text("b").unwrap());
/// assert_eq!(substr(1, 99), SmtString::from_text("bc").unwrap());
/// assert!(substr(3, 1).is_empty() && substr(-1, 2).is_empty() && substr(0, 0).is_empty());
/// ```
pub fn substr(w: &[CodePoint], m: &BigInt, n: &BigInt) -> SmtString {
    // A position that does not fit in `usize` is negative or beyond the end.
    let Some(start) = m.to_usize().filter(|&start| start < w.len()) else {
        return SmtString::empty();
    };
    if n.sign() != Sign::Plus {
        return SmtString::empty();
    }
    let rest = w.len() - start;
    // A positive length that does not fit in `usize` is longer than the rest.
    let length = n.to_usize().map_or(rest, |n| n.min(rest));
    SmtString::from(&w[start..start + length])
}

/// `str.prefixof`: the **first** argument is a prefix of the second.
///
/// ```
/// use luthier_semantics::strings;
/// use luthier_terms::SmtString;
/// let (a, ab) = (SmtString::from_text("a").unwrap(), SmtString::from_text("ab").unwrap());
/// assert!(strings::prefix_of(&a, &ab) && !strings::prefix_of(&ab, &a));
/// assert!(strings::prefix_of(&[], &a));
/// ```
pub fn prefix_of(prefix: &[CodePoint], w: &[CodePoint]) -> bool {
    w.starts_with(prefix)
}

/// `str.suffixof`: the **first** argument is a suffix of the second.
///
/// ```
/// use luthier_semantics::strings;
/// use luthier_terms::SmtString;
/// let (b, ab) = (SmtString::from_text("b").unwrap(), SmtString::from_text("ab").unwrap());
/// assert!(strings::suffix_of(&b, &ab) && !strings::suffix_of(&ab, &b));
/// assert!(strings::suffix_of(&[], &b));
/// ```
pub fn suffix_of(suffix: &[CodePoint], w: &[CodePoint]) -> bool {
    w.ends_with(suffix)
}

/// `str.contains`: the first argument contains the **second**; every string contains `""`.
///
/// ```
/// use luthier_semantics::strings;
/// use luthier_terms::SmtString;
/// let (b, abc) = (SmtString::from_text("b").unwrap(), SmtString::from_text("abc").unwrap());
/// assert!(strings::contains(&abc, &b) && !strings::contains(&b, &abc));
/// assert!(strings::contains(&[], &[]));
/// ```
pub fn contains(s: &[CodePoint], t: &[CodePoint]) -> bool {
    Pattern::new(t).find(s, 0).is_some()
}

/// `str.indexof`: if `0 ≤ i ≤ |s|`, the least `n ≥ i` at which `t` occurs in `s`; `−1` if there
/// is none, or if `i` is not a position.
///
/// The empty string occurs everywhere, also at `|s|`.
///
/// ```
/// use luthier_semantics::strings;
/// use luthier_terms::SmtString;
/// let (s, t) = (SmtString::from_text("abab").unwrap(), SmtString::from_text("ab").unwrap());
/// let index_of = |t: &SmtString, i: i64| strings::index_of(&s, t, &i.into());
/// assert_eq!(index_of(&t, 0), 0.into());
/// assert_eq!(index_of(&t, 1), 2.into());
/// assert_eq!(index_of(&t, 3), (-1).into());
/// assert_eq!(index_of(&SmtString::empty(), 4), 4.into());
/// assert_eq!(index_of(&SmtString::empty(), 5), (-1).into());
/// assert_eq!(index_of(&SmtString::empty(), -1), (-1).into());
/// ```
pub fn index_of(s: &[CodePoint], t: &[CodePoint], i: &BigInt) -> BigInt {
    let Some(start) = i.to_usize().filter(|&start| start <= s.len()) else {
        return BigInt::from(-1);
    };
    match Pattern::new(t).find(s, start) {
        Some(position) => BigInt::from(position),
        None => BigInt::from(-1),
    }
}

/// `str.replace`: the first occurrence of `t` in `s` becomes `u`; without one, `s`.
///
/// The empty string occurs first at zero, so `u` is prepended then, also for empty `s`.
///
/// ```
/// use luthier_semantics::strings;
/// use luthier_terms::SmtString;
/// let text = |text| SmtString::from_text(text).unwrap();
/// assert_eq!(strings::replace(&text("aba"), &text("a"), &text("xy")), text("xyba"));
/// assert_eq!(strings::replace(&text("aba"), &text("c"), &text("xy")), text("aba"));
/// assert_eq!(strings::replace(&text("b"), &text(""), &text("a")), text("ab"));
/// ```
pub fn replace(s: &[CodePoint], t: &[CodePoint], u: &[CodePoint]) -> SmtString {
    match Pattern::new(t).find(s, 0) {
        Some(position) => concat(&[&s[..position], u, &s[position + t.len()..]]),
        None => SmtString::from(s),
    }
}

/// `str.replace_all`: every occurrence of `t` from the left, not overlapping the one before,
/// becomes `u`; the inserted text is not searched. For empty `t` the result is `s`.
///
/// ```
/// use luthier_semantics::strings;
/// use luthier_terms::SmtString;
/// let text = |text| SmtString::from_text(text).unwrap();
/// assert_eq!(strings::replace_all(&text("aaa"), &text("aa"), &text("b")), text("ba"));
/// assert_eq!(strings::replace_all(&text("aa"), &text("a"), &text("aa")), text("aaaa"));
/// assert_eq!(strings::replace_all(&text("ab"), &text(""), &text("x")), text("ab"));
/// ```
pub fn replace_all(s: &[CodePoint], t: &[CodePoint], u: &[CodePoint]) -> SmtString {
    let mut result = Vec::new();
    let mut rest = 0;
    for position in occurrences(s, t) {
        result.extend_from_slice(&s[rest..position]);
        result.extend_from_slice(u);
        rest = position + t.len();
    }
    result.extend_from_slice(&s[rest..]);
    result.into()
}

/// Where `str.replace_all` replaces: the occurrences of `t` in `s` from the left that do not
/// overlap the one before; none for empty `t`.
pub(crate) fn occurrences(s: &[CodePoint], t: &[CodePoint]) -> impl Iterator<Item = usize> {
    let pattern = (!t.is_empty()).then(|| Pattern::new(t));
    let mut start = 0;
    std::iter::from_fn(move || {
        let pattern = pattern.as_ref()?;
        let position = pattern.find(s, start)?;
        start = position + pattern.text.len();
        Some(position)
    })
}

/// `str.is_digit`: one character from `0` to `9` of ASCII.
///
/// ```
/// use luthier_semantics::strings;
/// use luthier_terms::SmtString;
/// let is_digit = |text| strings::is_digit(&SmtString::from_text(text).unwrap());
/// assert!(is_digit("0") && is_digit("9"));
/// assert!(!is_digit("") && !is_digit("12") && !is_digit("a") && !is_digit("\u{664}"));
/// ```
pub fn is_digit(s: &[CodePoint]) -> bool {
    matches!(s, [character] if digit(*character).is_some())
}

/// `str.to_code`: the code of the only character; `−1` for every other length.
///
/// ```
/// use luthier_semantics::strings;
/// use luthier_terms::SmtString;
/// let to_code = |text| strings::to_code(&SmtString::from_text(text).unwrap());
/// assert_eq!([to_code("a"), to_code(""), to_code("ab")], [97.into(), (-1).into(), (-1).into()]);
/// ```
pub fn to_code(s: &[CodePoint]) -> BigInt {
    match s {
        [character] => BigInt::from(character.code()),
        _ => BigInt::from(-1),
    }
}

/// `str.from_code`: the character of a code from 0 to 196607; otherwise `""`.
///
/// ```
/// use luthier_semantics::strings;
/// assert_eq!(strings::from_code(&196607.into())[0].code(), 0x2FFFF);
/// assert!(strings::from_code(&196608.into()).is_empty());
/// assert!(strings::from_code(&(-1).into()).is_empty());
/// ```
pub fn from_code(n: &BigInt) -> SmtString {
    n.to_u32().and_then(CodePoint::new).into_iter().collect()
}

/// `str.to_int`: the number that a non-empty string of ASCII digits writes; otherwise `−1`.
///
/// ```
/// use luthier_semantics::strings;
/// use luthier_terms::SmtString;
/// let to_int = |text| strings::to_int(&SmtString::from_text(text).unwrap());
/// assert_eq!([to_int("007"), to_int("0")], [7.into(), 0.into()]);
/// for text in ["", "-1", "+1", " 1", "1a", "\u{661}"] {
///     assert_eq!(to_int(text), (-1).into());
/// }
/// ```
pub fn to_int(s: &[CodePoint]) -> BigInt {
    let digits: Option<Vec<u8>> = s.iter().map(|&character| digit(character)).collect();
    digits.and_then(|digits| decimal::read(&digits)).unwrap_or_else(|| BigInt::from(-1))
}

/// `str.from_int`: the decimal digits of `n ≥ 0` without leading zeros; `""` for negative `n`.
///
/// ```
/// use luthier_semantics::strings;
/// use luthier_terms::SmtString;
/// assert_eq!(strings::from_int(&0.into()), SmtString::from_text("0").unwrap());
/// assert_eq!(strings::from_int(&120.into()), SmtString::from_text("120").unwrap());
/// assert!(strings::from_int(&(-1).into()).is_empty());
/// ```
pub fn from_int(n: &BigInt) -> SmtString {
    if n.sign() == Sign::Minus {
        return SmtString::empty();
    }
    decimal::write(n).bytes().map(CodePoint::from_byte).collect()
}

/// The byte of an ASCII digit.
fn digit(character: CodePoint) -> Option<u8> {
    u8::try_from(character.code()).ok().filter(u8::is_ascii_digit)
}

/// A pattern for search in linear time (Knuth, Morris, Pratt), because the naive search takes hours
/// when a model repeats one character.
struct Pattern<'a> {
    text: &'a [CodePoint],
    /// `borders[k]` is the length of the longest proper prefix of `text[..=k]` that is also its
    /// suffix: how much is still matched when the character after `text[..=k]` does not fit.
    borders: Vec<usize>,
}

impl<'a> Pattern<'a> {
    fn new(text: &'a [CodePoint]) -> Self {
        let mut borders = vec![0; text.len()];
        let mut matched = 0;
        for position in 1..text.len() {
            matched = advance(text, &borders, matched, text[position]);
            borders[position] = matched;
        }
        Self { text, borders }
    }

    /// The least position from `start` on at which the text occurs in `s`; `start ≤ |s|`.
    fn find(&self, s: &[CodePoint], start: usize) -> Option<usize> {
        if self.text.is_empty() {
            return Some(start);
        }
        let mut matched = 0;
        for (position, &character) in s.iter().enumerate().skip(start) {
            matched = advance(self.text, &self.borders, matched, character);
            if matched == self.text.len() {
                return Some(position + 1 - matched);
            }
        }
        None
    }
}

/// How many characters of `text` are matched after `character`, if `matched < |text|` were before.
fn advance(
    text: &[CodePoint],
    borders: &[usize],
    mut matched: usize,
    character: CodePoint,
) -> usize {
    while matched > 0 && text[matched] != character {
        matched = borders[matched - 1];
    }
    if text[matched] == character { matched + 1 } else { matched }
}
