//! Regular languages as deterministic automata, by derivatives.
//!
//! A state is a regular expression; where it goes under a letter is its derivative. Letters come
//! in classes, intervals of characters that no expression tells apart. Complement and intersection
//! cost nothing special this way. Every construction has a limit and gives up beyond it.

mod derivative;
mod dfa;
mod matcher;
mod regex;

#[cfg(test)]
mod tests;

pub use dfa::{Dfa, Move};
pub use matcher::Matcher;
pub use regex::{Regex, Regexes};
