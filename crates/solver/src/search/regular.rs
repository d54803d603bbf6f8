//! Regular languages as values of the search: languages that depend on inputs, or whose automata are
//! too large.
//!
//! The value of a language is a regular expression in a store; it is built from the values of its
//! parts, and words are read by derivatives. So memberships and replacements are evaluated without
//! an automaton. Exact; a value is unknown once the store is full, or when the time is over. Words
//! are looked for breadth first among the derivatives, up to `search.derivatives` of them.

use std::cell::RefCell;
use std::collections::VecDeque;

use luthier_terms::Op;
use rustc_hash::FxHashSet;

use super::splitmix::SplitMix;
use super::value::FastValue;
use crate::automata::{Regex, Regexes};
use crate::{Budget, Limit};

/// The largest counter of a repetition.
const MAX_COUNTER: i128 = 5_000;

/// The owner of languages, and the budget for work on them.
#[derive(Debug)]
pub struct Regular {
    store: RefCell<Regexes>,
    budget: Budget,
}

impl Regular {
    /// An empty store.
    pub fn new(budget: &Budget) -> Self {
        Self { store: RefCell::new(Regexes::new()), budget: budget.clone() }
    }

    /// The value of an operator with a language as its result.
    pub fn language(&self, op: Op, of: &[&FastValue]) -> FastValue {
        if of.iter().any(|value| matches!(value, FastValue::Unknown)) {
            return FastValue::Unknown;
        }
        self.known_language(op, of).map_or(FastValue::Unknown, FastValue::Language)
    }

    fn known_language(&self, op: Op, of: &[&FastValue]) -> Option<Regex> {
        let mut store = self.store.borrow_mut();
        let part = |at: usize| match of.get(at) {
            Some(FastValue::Language(regex)) => Some(*regex),
            _ => None,
        };
        let parts = || (0..of.len()).map(part).collect::<Option<Vec<Regex>>>();
        let counter = |at: usize| {
            let number = of.get(at)?.number();
            u32::try_from(number).ok().filter(|_| number <= MAX_COUNTER)
        };
        Some(match op {
            Op::ReNone => store.none(),
            Op::ReAll => store.all(),
            Op::ReAllChar => store.any_letter(),
            Op::StrToRe => store.word(of.first()?.codes()),
            Op::ReRange => match (of.first()?.codes(), of.get(1)?.codes()) {
                (&[low], &[high]) => store.interval(low, high),
                _ => store.none(),
            },
            Op::ReConcat => {
                let empty = store.empty();
                parts()?.into_iter().rev().fold(empty, |rest, part| store.concat(part, rest))
            }
            Op::ReUnion => store.union(parts()?),
            Op::ReInter => store.intersection(parts()?),
            Op::ReStar => store.star(part(0)?),
            Op::RePlus => {
                let star = store.star(part(0)?);
                store.concat(part(0)?, star)
            }
            Op::ReOpt => {
                let empty = store.empty();
                store.union([part(0)?, empty])
            }
            Op::ReComp => store.complement(part(0)?),
            Op::ReDiff => {
                let parts = parts()?;
                let (&first, rest) = parts.split_first()?;
                let rest: Vec<_> = rest.iter().map(|&one| store.complement(one)).collect();
                store.intersection(std::iter::once(first).chain(rest))
            }
            Op::RePower => store.repeat(part(1)?, counter(0)?, counter(0)?),
            Op::ReLoop => store.repeat(part(2)?, counter(0)?, counter(1)?),
            _ => return None,
        })
    }

    /// Whether a word is in a language.
    pub fn accepts(&self, language: &FastValue, word: &FastValue) -> FastValue {
        let (&FastValue::Language(language), FastValue::Text(word)) = (language, word) else {
            return FastValue::Unknown;
        };
        let mut store = self.store.borrow_mut();
        let mut rest = language;
        for &letter in word.iter() {
            if store.is_none(rest) {
                return FastValue::Bool(false);
            }
            match store.derivative(rest, letter, &self.budget) {
                Ok(Some(next)) => rest = next,
                _ => return FastValue::Unknown,
            }
        }
        FastValue::Bool(store.accepts_empty(rest))
    }

    /// The first match in a text from a position on: its start and end. The outer `None` if that is
    /// unknown.
    fn first_match(
        &self,
        language: Regex,
        text: &[u32],
        from: usize,
        least: usize,
    ) -> Option<Option<(usize, usize)>> {
        let mut store = self.store.borrow_mut();
        for start in from..=text.len() {
            let mut rest = language;
            let mut end = start;
            loop {
                if end - start >= least && store.accepts_empty(rest) {
                    return Some(Some((start, end)));
                }
                let Some(&letter) = text.get(end).filter(|_| !store.is_none(rest)) else { break };
                rest = store.derivative(rest, letter, &self.budget).ok()??;
                end += 1;
            }
        }
        Some(None)
    }

    /// A text with the first match of a language, or all of them, replaced.
    pub fn replaced(&self, of: [&FastValue; 3], all: bool, max_letters: usize) -> FastValue {
        let [FastValue::Text(text), FastValue::Language(language), FastValue::Text(by)] = of else {
            return FastValue::Unknown;
        };
        let mut result = Vec::new();
        let mut at = 0;
        loop {
            match self.first_match(*language, text, at, usize::from(all)) {
                None => return FastValue::Unknown,
                Some(None) => break,
                Some(Some((start, end))) => {
                    result.extend_from_slice(&text[at..start]);
                    result.extend_from_slice(by);
                    at = end;
                }
            }
            if result.len() > max_letters {
                return FastValue::Unknown;
            }
            if !all {
                break;
            }
        }
        result.extend_from_slice(&text[at..]);
        FastValue::text(&result)
    }

    /// The places of the first match, if there is one.
    pub fn place(&self, language: &FastValue, text: &[u32], all: bool) -> Option<(usize, usize)> {
        let &FastValue::Language(language) = language else { return None };
        self.first_match(language, text, 0, usize::from(all))?
    }

    /// A short word of a language, with preferred letters where there is a choice.
    pub fn word(
        &self,
        language: &FastValue,
        letters: &[u32],
        random: &mut SplitMix,
    ) -> Option<Vec<u32>> {
        let &FastValue::Language(start) = language else { return None };
        let mut store = self.store.borrow_mut();
        let mut seen = FxHashSet::default();
        seen.insert(start);
        let mut queue = VecDeque::from([(start, Vec::new())]);
        let mut found: Option<Vec<u32>> = None;
        while let Some((regex, word)) = queue.pop_front() {
            if store.accepts_empty(regex) {
                // Not always the shortest one.
                let is_enough = random.once_in(2);
                found = Some(word.clone());
                if is_enough {
                    break;
                }
            }
            let starts = store.classes(regex, &self.budget).ok()?;
            for (index, &low) in starts.iter().enumerate() {
                let high = starts.get(index + 1).map_or(u32::MAX, |next| next - 1);
                let fitting: Vec<u32> =
                    letters.iter().copied().filter(|one| (low..=high).contains(one)).collect();
                let letter = random.one_of(&fitting).copied().unwrap_or(low);
                let next = store.derivative(regex, letter, &self.budget).ok()??;
                if !store.is_none(next) && seen.insert(next) {
                    let mut longer = word.clone();
                    longer.push(letter);
                    queue.push_back((next, longer));
                }
            }
            if seen.len() > self.budget.limit(Limit::SearchDerivatives) {
                break;
            }
        }
        found
    }
}
