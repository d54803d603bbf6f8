//! Regular languages as values ([`Language`]), with membership, replacement and equivalence by
//! Brzozowski derivatives.
//!
//! Matchers are cached by language and purpose, because a script has many queries about few
//! languages.

mod alphabet;
mod charset;
mod compare;
mod counts;
mod import;
mod language;
mod matcher;
mod replace;
mod store;

use luthier_terms::{CodePoint, SmtString};
use rustc_hash::FxHashMap;

use crate::limits::{Budget, Exhausted, Limits};
use import::Direction;
use matcher::Matcher;
use replace::Finder;

pub use language::Language;

impl Language {
    /// Whether a word is in the language; `None` if that takes more than the limits allow.
    pub fn contains(&self, word: &[CodePoint], limits: &Limits) -> Option<bool> {
        let mut budget = Budget::new(limits.regex_steps);
        Regexes::new(limits).contains(self, word, &mut budget).ok()
    }

    /// Whether two languages have the same words; `None` if that takes more than the limits
    /// allow.
    pub fn equivalent(&self, other: &Self, limits: &Limits) -> Option<bool> {
        let mut budget = Budget::new(limits.comparison_steps);
        Regexes::new(limits).equivalent(self, other, &mut budget).ok()
    }
}

/// The purpose of a matcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Purpose {
    /// Words of the language.
    Words,
    /// Words of the language that are not empty.
    NonEmptyWords,
    /// Words that begin with a word of the language, from right to left.
    Starts,
    /// Words that begin with a word of the language that is not empty, from right to left.
    NonEmptyStarts,
}

/// Decides queries about languages, with a cache of matchers.
pub(crate) struct Regexes {
    /// By the address of the language, which is kept alive so that the address is not reused.
    matchers: FxHashMap<(usize, Purpose), (Language, Matcher)>,
    cells: usize,
    string_length: usize,
}

impl Regexes {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            matchers: FxHashMap::default(),
            cells: limits.regex_cells,
            string_length: limits.string_length,
        }
    }

    /// `str.in_re`.
    pub(crate) fn contains(
        &mut self,
        language: &Language,
        word: &[CodePoint],
        budget: &mut Budget,
    ) -> Result<bool, Exhausted> {
        let mut matcher = self.take(language, Purpose::Words, budget)?;
        let answer = matcher.matches(word.iter().copied(), budget);
        self.put_back(language, Purpose::Words, matcher);
        answer
    }

    /// `str.replace_re`.
    pub(crate) fn replace(
        &mut self,
        s: &[CodePoint],
        language: &Language,
        u: &[CodePoint],
        budget: &mut Budget,
    ) -> Result<SmtString, Exhausted> {
        let mut forward = self.take(language, Purpose::Words, budget)?;
        let mut starts = self.take(language, Purpose::Starts, budget)?;
        let mut finder = Finder { forward: &mut forward, starts: &mut starts };
        let answer = finder.replace(s, u, budget);
        self.put_back(language, Purpose::Words, forward);
        self.put_back(language, Purpose::Starts, starts);
        answer
    }

    /// `str.replace_re_all`.
    pub(crate) fn replace_all(
        &mut self,
        s: &[CodePoint],
        language: &Language,
        u: &[CodePoint],
        budget: &mut Budget,
    ) -> Result<SmtString, Exhausted> {
        let mut forward = self.take(language, Purpose::NonEmptyWords, budget)?;
        let mut starts = self.take(language, Purpose::NonEmptyStarts, budget)?;
        let mut finder = Finder { forward: &mut forward, starts: &mut starts };
        let answer = finder.replace_all(s, u, self.string_length, budget);
        self.put_back(language, Purpose::NonEmptyWords, forward);
        self.put_back(language, Purpose::NonEmptyStarts, starts);
        answer
    }

    /// `=` of languages.
    pub(crate) fn equivalent(
        &mut self,
        left: &Language,
        right: &Language,
        budget: &mut Budget,
    ) -> Result<bool, Exhausted> {
        compare::equivalent(left, right, self.cells, budget)
    }

    /// The matcher for a language and purpose, out of the cache or new.
    fn take(
        &mut self,
        language: &Language,
        purpose: Purpose,
        budget: &mut Budget,
    ) -> Result<Matcher, Exhausted> {
        if let Some((_, matcher)) = self.matchers.remove(&(language.address(), purpose)) {
            return Ok(matcher);
        }
        let begins = |language: Language| Language::concat(vec![language, Language::all()]);
        let non_empty = |language: &Language| {
            Language::intersection(vec![language.clone(), Language::all_characters().plus()])
        };
        let (read, direction) = match purpose {
            Purpose::Words => (language.clone(), Direction::Forward),
            Purpose::NonEmptyWords => (non_empty(language), Direction::Forward),
            Purpose::Starts => (begins(language.clone()), Direction::Backward),
            Purpose::NonEmptyStarts => (begins(non_empty(language)), Direction::Backward),
        };
        let matcher = Matcher::new(&read, direction, self.cells);
        budget.charge(matcher.size())?;
        if matcher.size() > self.cells { Err(Exhausted) } else { Ok(matcher) }
    }

    fn put_back(&mut self, language: &Language, purpose: Purpose, matcher: Matcher) {
        let kept: usize = self.matchers.values().map(|(_, matcher)| matcher.size()).sum();
        if kept + matcher.size() > self.cells || self.matchers.len() > 64 {
            self.matchers.clear();
        }
        self.matchers.insert((language.address(), purpose), (language.clone(), matcher));
    }
}
