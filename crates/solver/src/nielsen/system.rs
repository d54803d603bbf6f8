//! Systems of word equations in normal form.
//!
//! Normalisation strips common prefixes and suffixes, splits an equation where both sides have the
//! same prefix length for all values (`u₁u₂ = v₁v₂` with equal numbers of letters and of each
//! variable in `u₁` and `v₁`), orients, sorts and removes duplicates. It keeps the set of
//! solutions. It detects two contradictions: different letters at an end, and by Parikh images: one
//! side has more occurrences of some letter and at least as many of each variable.

use rustc_hash::FxHashMap;

/// A letter or a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Symbol {
    /// A character, by its code point.
    Letter(u32),
    /// A variable, by its number.
    Variable(u32),
}

/// A sequence of letters and variables.
pub type Word = Vec<Symbol>;

/// Both sides of a word equation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Equation {
    /// One side.
    pub left: Word,
    /// The other side.
    pub right: Word,
}

/// A conjunction of equations in normal form: the sides begin and end differently, no equation can
/// be split, short equations come first. The empty system is true.
pub type System = Vec<Equation>;

/// The system with a word substituted for a variable.
pub fn substitute(system: &[Equation], variable: u32, value: &[Symbol]) -> Vec<Equation> {
    let replace = |word: &[Symbol]| substitute_word(word, variable, value);
    let both = |one: &Equation| Equation { left: replace(&one.left), right: replace(&one.right) };
    system.iter().map(both).collect()
}

/// The word with another one substituted for a variable.
pub fn substitute_word(word: &[Symbol], variable: u32, value: &[Symbol]) -> Word {
    let mut result = Vec::with_capacity(word.len() + value.len());
    for &symbol in word {
        match symbol == Symbol::Variable(variable) {
            true => result.extend_from_slice(value),
            false => result.push(symbol),
        }
    }
    result
}

/// The number of letters and variables of a system.
pub fn size(system: &[Equation]) -> usize {
    system.iter().map(|one| one.left.len() + one.right.len()).sum()
}

/// The normal form of equations; `None` if a contradiction is detected.
pub fn normalise(equations: Vec<Equation>) -> Option<System> {
    let mut result = Vec::with_capacity(equations.len());
    let mut todo = equations;
    while let Some(equation) = todo.pop() {
        let Some(equation) = strip(equation)? else { continue };
        if has_parikh_conflict(&equation) {
            return None;
        }
        match split(&equation) {
            Some((start, end)) => todo.extend([start, end]),
            None => result.push(oriented(equation)),
        }
    }
    result.sort_unstable_by(|one, other| {
        let lengths =
            (one.left.len() + one.right.len()).cmp(&(other.left.len() + other.right.len()));
        lengths.then_with(|| one.cmp(other))
    });
    result.dedup();
    Some(result)
}

/// Strips the common prefix and suffix. `None` if two letters clash, `Some(None)` if nothing is
/// left.
fn strip(equation: Equation) -> Option<Option<Equation>> {
    let (left, right) = (&equation.left[..], &equation.right[..]);
    let start = left.iter().zip(right).take_while(|(one, other)| one == other).count();
    let (left, right) = (&left[start..], &right[start..]);
    let ends = left.iter().rev().zip(right.iter().rev());
    let end = ends.take_while(|(one, other)| one == other).count();
    let (left, right) = (&left[..left.len() - end], &right[..right.len() - end]);
    let clash = |one: Option<&Symbol>, other: Option<&Symbol>| {
        matches!((one, other), (Some(Symbol::Letter(_)), Some(Symbol::Letter(_))))
    };
    if clash(left.first(), right.first()) || clash(left.last(), right.last()) {
        return None;
    }
    if left.is_empty() && right.is_empty() {
        return Some(None);
    }
    Some(Some(Equation { left: left.to_vec(), right: right.to_vec() }))
}

/// The difference of the Parikh images: how often each symbol occurs on the left minus on the
/// right.
fn balance(equation: &Equation) -> FxHashMap<Symbol, i64> {
    let mut balance: FxHashMap<Symbol, i64> = FxHashMap::default();
    for &symbol in &equation.left {
        *balance.entry(symbol).or_default() += 1;
    }
    for &symbol in &equation.right {
        *balance.entry(symbol).or_default() -= 1;
    }
    balance
}

/// Whether one side has more of some letter and at least as many of each variable: then it has more
/// of that letter for all values.
fn has_parikh_conflict(equation: &Equation) -> bool {
    let balance = balance(equation);
    let (mut more, mut fewer, mut more_letters, mut fewer_letters) = (false, false, false, false);
    for (symbol, difference) in balance {
        match symbol {
            Symbol::Variable(_) => {
                more |= difference > 0;
                fewer |= difference < 0;
            }
            Symbol::Letter(_) => {
                more_letters |= difference > 0;
                fewer_letters |= difference < 0;
            }
        }
    }
    (!fewer && more_letters) || (!more && fewer_letters)
}

/// Splits an equation at a point before which both sides have the same length for all values.
fn split(equation: &Equation) -> Option<(Equation, Equation)> {
    let (left, right) = (&equation.left, &equation.right);
    // Both parts must be nonempty, so the sums at the ends do not count.
    let mut sums: FxHashMap<(u64, u64), usize> = FxHashMap::default();
    for (position, sum) in sums_before(left) {
        sums.insert(sum, position);
    }
    for (position, sum) in sums_before(right) {
        let Some(&other) = sums.get(&sum) else { continue };
        let ((first, rest), (second, others)) = (left.split_at(other), right.split_at(position));
        let start = Equation { left: first.to_vec(), right: second.to_vec() };
        if has_equal_lengths(&start) {
            return Some((start, Equation { left: rest.to_vec(), right: others.to_vec() }));
        }
    }
    None
}

/// For each inner position of a word the number of letters before it, and a hash of the multiset of
/// variables before it.
fn sums_before(word: &[Symbol]) -> impl Iterator<Item = (usize, (u64, u64))> {
    let mut sum = (0_u64, 0_u64);
    let inside = word.iter().take(word.len().saturating_sub(1)).enumerate();
    inside.map(move |(position, symbol)| {
        match *symbol {
            Symbol::Letter(_) => sum.0 += 1,
            Symbol::Variable(variable) => {
                let mixed = (u64::from(variable) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                let mixed = (mixed ^ (mixed >> 31)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
                sum.1 = sum.1.wrapping_add(mixed ^ (mixed >> 29));
            }
        }
        (position + 1, sum)
    })
}

/// Whether both sides have the same length for all values.
fn has_equal_lengths(equation: &Equation) -> bool {
    let mut letters = 0;
    balance(equation).into_iter().all(|(symbol, difference)| match symbol {
        Symbol::Variable(_) => difference == 0,
        Symbol::Letter(_) => {
            letters += difference;
            true
        }
    }) && letters == 0
}

fn oriented(equation: Equation) -> Equation {
    if equation.right < equation.left {
        return Equation { left: equation.right, right: equation.left };
    }
    equation
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Upper-case letters are variables.
    pub fn word(text: &str) -> Word {
        let symbol = |character: char| match character.is_ascii_uppercase() {
            true => Symbol::Variable(u32::from(character) - u32::from('A')),
            false => Symbol::Letter(u32::from(character)),
        };
        text.chars().map(symbol).collect()
    }

    pub fn equation(left: &str, right: &str) -> Equation {
        Equation { left: word(left), right: word(right) }
    }

    #[test]
    fn common_ends_are_taken_away() {
        let normal = normalise(vec![equation("abXcY", "aZcY")]).unwrap();
        assert_eq!(normal, [oriented(equation("bX", "Z"))]);
    }

    #[test]
    fn clashes_are_found_at_both_ends() {
        assert_eq!(normalise(vec![equation("aX", "bX")]), None);
        assert_eq!(normalise(vec![equation("Xa", "Yb")]), None);
        assert_eq!(normalise(vec![equation("", "Xb")]), None);
        assert_eq!(normalise(vec![equation("abX", "Xac")]), None, "letters are counted");
        assert!(normalise(vec![equation("abX", "Xba")]).is_some());
        assert!(normalise(vec![equation("abX", "XbaY")]).is_some());
    }

    #[test]
    fn equations_are_cut_where_lengths_are_the_same() {
        let normal = normalise(vec![equation("abXYcZ", "XbaZcY")]).unwrap();
        assert_eq!(normal.len(), 2, "{normal:?}");
        assert_eq!(
            normal,
            normalise(vec![equation("abX", "Xba"), equation("YcZ", "ZcY")]).unwrap()
        );
    }

    #[test]
    fn what_holds_anyway_is_the_empty_system() {
        assert_eq!(normalise(vec![equation("aXb", "aXb"), equation("", "")]), Some(vec![]));
    }
}
