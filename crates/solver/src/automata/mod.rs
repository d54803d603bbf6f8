//! Regular languages by Brzozowski derivatives.
//!
//! A state of an automaton is a regular expression, and its successor under a letter is its
//! derivative. Letters are grouped into classes: intervals of characters that the expression does
//! not distinguish. Complement and intersection need no product construction. Expressions are
//! hash-consed and normalised, which keeps the number of derivatives finite (similarity). Source:
//! Brzozowski: Derivatives of Regular Expressions (JACM 1964), sections 3 to 5; character classes
//! as in Owens, Reppy, Turon: Regular-expression derivatives re-examined (JFP 2009). Every
//! construction has a limit and gives no result beyond it.

mod derivative;
mod dfa;
mod languages;
mod lengths;
mod matcher;
mod minimal;
mod regex;
mod replacement;

#[cfg(test)]
mod tests;

pub use dfa::Dfa;
pub use languages::{Language, LanguageStore};
pub use lengths::{LengthSet, varied_word_of_length, word_of_length};
pub use matcher::Matcher;
pub use regex::{Regex, Regexes};
pub use replacement::Replacement;
