//! Parameters of the suite: constants, depths, equivalences, equalities, semantics, limits. The
//! defaults are those of the paper.

use std::fmt;

use luthier_terms::{BigInt, SmtString};

use super::equivalences::{EQUALITIES, EQUIVALENCES, Equality, Equivalence};
use super::semantics::Semantics;

/// Parameters of the suite. The defaults are those of the paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The constants of [`super::constant_assignment`].
    pub assignment: Constants,
    /// The constants of [`super::term_synthesis`].
    pub synthesis: Constants,
    /// How deep the terms that become arguments and results in [`super::term_synthesis`] may be;
    /// those of depth 1 are operations on constants. With 0 they are the constants themselves.
    pub depth: usize,
    /// How many terms of each depth and operation become arguments in [`super::term_synthesis`].
    pub arguments_per_operation: usize,
    /// How many terms of each depth and operation, among those that have the value in question,
    /// become results in [`super::term_synthesis`].
    pub results_per_operation: usize,
    /// The names of the equivalences for unsatisfiable formulas.
    pub equivalences: Vec<&'static str>,
    /// The names of the equalities that are applied to their variables and constants.
    pub equalities: Vec<&'static str>,
    /// The semantics of the operations.
    pub semantics: Semantics,
    /// More formulas than this are an error. Terms are counted too.
    pub most: usize,
}

/// Constants of the sorts of parameters. Repetitions are ignored.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Constants {
    /// The strings.
    pub strings: Vec<SmtString>,
    /// The integers.
    pub integers: Vec<BigInt>,
}

/// The suite would exceed the limit of the settings. Nothing is left out silently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyFormulas {
    /// The limit.
    pub most: usize,
    /// What exceeds it.
    pub what: &'static str,
}

impl fmt::Display for TooManyFormulas {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "there are more than {} {}", self.most, self.what)
    }
}

impl std::error::Error for TooManyFormulas {}

impl Default for Settings {
    fn default() -> Self {
        let constants = |strings: &[&str], integers: &[i64]| {
            Constants::from_text(strings, integers).expect("all characters are ASCII")
        };
        Self {
            assignment: constants(&["", "\"a\"", "a", "\u{7}", "\n", "-1", "0", "2"], &[-1, 0, 2]),
            synthesis: constants(&["a", "", "-1", "0"], &[-1, 0]),
            depth: 1,
            arguments_per_operation: 1,
            results_per_operation: 1,
            equivalences: EQUIVALENCES.iter().map(|one| one.id).collect(),
            equalities: EQUALITIES.iter().map(|one| one.id).collect(),
            semantics: Semantics::default(),
            most: 100_000,
        }
    }
}

impl Settings {
    /// The equivalences that are used, in the order of the paper.
    pub fn equivalences(&self) -> impl Iterator<Item = &'static Equivalence> {
        EQUIVALENCES.iter().filter(|one| self.equivalences.contains(&one.id))
    }

    /// The equalities that are used, in the order of the paper.
    pub fn equalities(&self) -> impl Iterator<Item = &'static Equality> {
        EQUALITIES.iter().filter(|one| self.equalities.contains(&one.id))
    }
}

impl Constants {
    /// From plain values; `None` if a character is beyond the alphabet (U+2FFFF).
    pub fn from_text(strings: &[&str], integers: &[i64]) -> Option<Self> {
        let strings: Option<Vec<SmtString>> =
            strings.iter().map(|text| SmtString::from_text(text)).collect();
        let integers = integers.iter().copied().map(BigInt::from).collect();
        Some(Self { strings: strings?, integers })
    }
}
