//! Membership of literals by derivatives, without an automaton.
//!
//! The word is read letter by letter; the remaining language is the derivative. This is cheaper
//! than an automaton if few words are tested.

use luthier_terms::{CodePoint, TermId, TermPool, dag_size};

use super::regex::{Regex, Regexes};
use crate::{Budget, Limit};

/// A language for membership tests.
pub struct Matcher<'a> {
    regexes: Regexes,
    language: Regex,
    /// The number of letters read so far.
    steps: usize,
    /// The limit on them.
    letters: Limit,
    budget: &'a Budget,
}

impl<'a> Matcher<'a> {
    /// `None` if the language has constants, or more terms than a limit allows.
    pub fn new(
        pool: &TermPool,
        language: TermId,
        terms: Limit,
        letters: Limit,
        budget: &'a Budget,
    ) -> Option<Self> {
        if budget.limits().exceeds(terms, dag_size(pool, language)) {
            return None;
        }
        let mut regexes = Regexes::new();
        let language = regexes.of_term(pool, language)?;
        Some(Self { regexes, language, steps: 0, letters, budget })
    }

    /// Whether a word is in the language; `None` beyond the limit on letters or the budget.
    pub fn accepts(&mut self, word: &[CodePoint]) -> Option<bool> {
        let mut rest = self.language;
        for &letter in word {
            if self.regexes.is_none(rest) {
                return Some(false);
            }
            rest = self.step(rest, letter)?;
        }
        Some(self.regexes.accepts_empty(rest))
    }

    /// The length of the shortest prefix of a text that is in the language and has at least `least`
    /// letters: `Some(None)` if there is none.
    pub fn shortest(&mut self, text: &[CodePoint], least: usize) -> Option<Option<usize>> {
        let mut rest = self.language;
        for (length, &letter) in text.iter().enumerate() {
            if length >= least && self.regexes.accepts_empty(rest) {
                return Some(Some(length));
            }
            if self.regexes.is_none(rest) {
                return Some(None);
            }
            rest = self.step(rest, letter)?;
        }
        let is_match = text.len() >= least && self.regexes.accepts_empty(rest);
        Some(is_match.then_some(text.len()))
    }

    /// The derivative by a letter.
    fn step(&mut self, language: Regex, letter: CodePoint) -> Option<Regex> {
        self.steps += 1;
        if self.budget.limits().exceeds(self.letters, self.steps) {
            return None;
        }
        self.regexes.derivative(language, letter.code(), self.budget).ok()?
    }
}
