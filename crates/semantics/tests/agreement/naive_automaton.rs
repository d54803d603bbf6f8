//! Equality of regular languages by the textbook: deterministic automata made from the parts
//! upwards, each as small as it can be, and a search for a string that only one accepts.
//!
//! The spans of `naive_regex` answer only for one string at a time. The tests compare the two
//! methods with each other before they trust either.

use std::collections::{BTreeMap, BTreeSet};

use luthier_terms::BigInt;

use crate::naive::TooLarge;
use crate::regex::{Regex, in_range};

/// Larger automata are given up.
const MAX_STATES: usize = 300;
/// Larger counters are given up.
const MAX_COUNTER: u32 = 8;

/// A complete deterministic automaton over some letters. It starts in state 0.
struct Automaton {
    accepting: Vec<bool>,
    /// For each state and each letter (by its number), the next state.
    next: Vec<Vec<usize>>,
}

/// Characters that represent all characters for some languages, in order.
pub fn representatives(languages: &[&Regex]) -> Vec<u32> {
    let mut letters = BTreeSet::from([0]);
    for language in languages {
        language.boundaries(&mut |character| {
            letters.insert(character);
        });
    }
    letters.into_iter().filter(|&character| character <= 0x2FFFF).collect()
}

/// A shortest string over `representatives` that is in one of the languages only.
pub fn difference(one: &Regex, two: &Regex) -> Result<Option<Vec<u32>>, TooLarge> {
    let letters = representatives(&[one, two]);
    let (one, two) = (Automaton::of(one, &letters)?, Automaton::of(two, &letters)?);
    let mut seen = BTreeSet::from([(0, 0)]);
    let mut queue = vec![((0, 0), Vec::new())];
    let mut position = 0;
    while position < queue.len() {
        let ((p, q), word) = queue[position].clone();
        if one.accepting[p] != two.accepting[q] {
            return Ok(Some(word));
        }
        for (letter, &character) in letters.iter().enumerate() {
            let pair = (one.next[p][letter], two.next[q][letter]);
            if seen.insert(pair) {
                let mut longer = word.clone();
                longer.push(character);
                queue.push((pair, longer));
            }
        }
        position += 1;
    }
    Ok(None)
}

impl Automaton {
    /// The automaton of all states that can be reached from `start`.
    fn explore<S: Clone + Ord>(
        letters: &[u32],
        start: S,
        step: impl Fn(&S, usize) -> S,
        accepts: impl Fn(&S) -> bool,
    ) -> Result<Self, TooLarge> {
        let mut numbers = BTreeMap::from([(start.clone(), 0)]);
        let mut states = vec![start];
        let mut next = Vec::new();
        while next.len() < states.len() {
            let state = states[next.len()].clone();
            let mut row = Vec::with_capacity(letters.len());
            for letter in 0..letters.len() {
                let target = step(&state, letter);
                let number = *numbers.entry(target.clone()).or_insert_with(|| {
                    states.push(target);
                    states.len() - 1
                });
                row.push(number);
            }
            if states.len() > MAX_STATES {
                return Err(TooLarge);
            }
            next.push(row);
        }
        Ok(Self { accepting: states.iter().map(accepts).collect(), next }.minimal())
    }

    /// The same language with as few states as possible, by Moore's refinement.
    fn minimal(self) -> Self {
        let mut class: Vec<usize> = self.accepting.iter().map(|&yes| usize::from(yes)).collect();
        let mut count = class.iter().collect::<BTreeSet<_>>().len();
        loop {
            let mut numbers = BTreeMap::new();
            let refined: Vec<usize> = (0..class.len())
                .map(|state| {
                    let behind: Vec<usize> = self.next[state].iter().map(|&s| class[s]).collect();
                    let fresh = numbers.len();
                    *numbers.entry((class[state], behind)).or_insert(fresh)
                })
                .collect();
            class = refined;
            // Classes are only ever split, so an unchanged number means an unchanged partition.
            if numbers.len() == count {
                break;
            }
            count = numbers.len();
        }
        // State 0 comes first, so its class has number 0: the start stays where it is.
        let mut accepting = vec![false; count];
        let mut next = vec![Vec::new(); count];
        for (state, &number) in class.iter().enumerate() {
            accepting[number] = self.accepting[state];
            next[number] = self.next[state].iter().map(|&target| class[target]).collect();
        }
        Self { accepting, next }
    }

    fn of(regex: &Regex, letters: &[u32]) -> Result<Self, TooLarge> {
        let of = |part: &Regex| Self::of(part, letters);
        match regex {
            Regex::None => Self::constant(letters, false),
            Regex::All => Self::constant(letters, true),
            Regex::AllChar => Self::characters(letters, |_| true),
            Regex::Range(low, high) => Self::characters(letters, |c| in_range(low, high, c)),
            Regex::Literal(text) => Self::explore(
                letters,
                Some(0),
                |&read, letter| {
                    read.filter(|&read| text.get(read) == Some(&letters[letter])).map(|n| n + 1)
                },
                |&read| read == Some(text.len()),
            ),
            Regex::Concat(one, two) => of(one)?.then(&of(two)?, letters),
            Regex::Union(one, two) => of(one)?.product(&of(two)?, letters, |a, b| a || b),
            Regex::Inter(one, two) => of(one)?.product(&of(two)?, letters, |a, b| a && b),
            Regex::Diff(one, two) => of(one)?.product(&of(two)?, letters, |a, b| a && !b),
            Regex::Star(one) => of(one)?.star(letters),
            Regex::Plus(one) => {
                let once = of(one)?;
                once.then(&once.star(letters)?, letters)
            }
            Regex::Opt(one) => {
                of(one)?.product(&of(&Regex::Literal(Vec::new()))?, letters, |a, b| a || b)
            }
            Regex::Comp(one) => {
                let Self { accepting, next } = of(one)?;
                Ok(Self { accepting: accepting.into_iter().map(|yes| !yes).collect(), next })
            }
            Regex::Power(count, one) => of(one)?.powers(count, count, letters),
            Regex::Loop(least, most, one) => of(one)?.powers(least, most, letters),
        }
    }

    fn constant(letters: &[u32], value: bool) -> Result<Self, TooLarge> {
        Self::explore(letters, (), |(), _| (), |()| value)
    }

    /// The one-character strings whose character fits.
    fn characters(letters: &[u32], fits: impl Fn(u32) -> bool) -> Result<Self, TooLarge> {
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
        enum State {
            Start,
            Match,
            Failure,
        }
        Self::explore(
            letters,
            State::Start,
            |state, letter| match state {
                State::Start if fits(letters[letter]) => State::Match,
                _ => State::Failure,
            },
            |state| *state == State::Match,
        )
    }

    fn product(
        &self,
        other: &Self,
        letters: &[u32],
        both: impl Fn(bool, bool) -> bool,
    ) -> Result<Self, TooLarge> {
        Self::explore(
            letters,
            (0, 0),
            |&(p, q), letter| (self.next[p][letter], other.next[q][letter]),
            |&(p, q)| both(self.accepting[p], other.accepting[q]),
        )
    }

    /// Concatenation: one run of the first, and a run of the second for each way to divide.
    fn then(&self, other: &Self, letters: &[u32]) -> Result<Self, TooLarge> {
        let fork = |p: usize, mut runs: BTreeSet<usize>| {
            if self.accepting[p] {
                runs.insert(0);
            }
            (p, runs)
        };
        Self::explore(
            letters,
            fork(0, BTreeSet::new()),
            |(p, runs), letter| {
                let moved = runs.iter().map(|&q| other.next[q][letter]).collect();
                fork(self.next[*p][letter], moved)
            },
            |(_, runs)| runs.iter().any(|&q| other.accepting[q]),
        )
    }

    /// Repetition: a run that may start again whenever it has matched.
    fn star(&self, letters: &[u32]) -> Result<Self, TooLarge> {
        Self::explore(
            letters,
            (true, BTreeSet::from([0])),
            |(_, runs), letter| {
                let mut moved: BTreeSet<usize> =
                    runs.iter().map(|&p| self.next[p][letter]).collect();
                if moved.iter().any(|&p| self.accepting[p]) {
                    moved.insert(0);
                }
                (false, moved)
            },
            |(nothing_read, runs)| *nothing_read || runs.iter().any(|&p| self.accepting[p]),
        )
    }

    fn powers(&self, least: &BigInt, most: &BigInt, letters: &[u32]) -> Result<Self, TooLarge> {
        let mut result = Self::constant(letters, false)?;
        if least > most {
            return Ok(result);
        }
        let most = u32::try_from(most).ok().filter(|&most| most <= MAX_COUNTER).ok_or(TooLarge)?;
        let mut power = Self::of(&Regex::Literal(Vec::new()), letters)?;
        for count in 0..=most {
            if BigInt::from(count) >= *least {
                result = result.product(&power, letters, |a, b| a || b)?;
            }
            power = power.then(self, letters)?;
        }
        Ok(result)
    }
}
