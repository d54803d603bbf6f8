//! Regular languages as numbered minimal automata, and their splits along the states of another.
//!
//! A language is stored once, as its canonical automaton, so that equal languages have equal
//! numbers and results can be memoised. A *segment* of an automaton `A` from state `p` in a language
//! `X` is the product of both: for each state `q` of `A` that a word of `X` leads to from `p`, the
//! language of these words, `X ∩ L(A, p, q)`. As `A` is deterministic, these languages are disjoint,
//! and their union is the set of words of `X` that do not leave `A`: this is the partition by which
//! a membership `x·y ∈ A` is split into memberships of `x` and `y`.
//!
//! Products are explored on demand and bounded; beyond the limit there is no result, never a smaller
//! language. Source: Hopcroft, Ullman: Introduction to Automata Theory (1979), chapter 3; residual
//! languages between states as in Abdulla and others: String Constraints for Verification (CAV 2014).

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::dfa::{Dfa, Transition};
use super::lengths::LengthSet;
use super::regex::{LAST_CODE, Regex, Regexes};
use super::replacement::Replacement;
use crate::{Budget, UnknownReason};

/// The number of a language in its store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language(u32);

/// The words of a language that stay within an automaton from one of its states.
#[derive(Debug)]
pub struct Segment {
    /// The states that accepted words lead to, in ascending order.
    pub targets: Vec<usize>,
    /// The pairs of states, of the language and of the automaton.
    pairs: Vec<(usize, usize)>,
    transitions: Vec<Vec<Transition>>,
}

/// The store.
#[derive(Debug)]
pub struct LanguageStore {
    automata: Vec<Rc<Dfa>>,
    ids: FxHashMap<Rc<Dfa>, Language>,
    segments: FxHashMap<(Language, Language, usize), Option<Rc<Segment>>>,
    between: FxHashMap<(Language, Language, usize, usize), Language>,
    lengths: FxHashMap<Language, Rc<LengthSet>>,
    replacements: Vec<Rc<Replacement>>,
    preimages: FxHashMap<(usize, Language), Option<Language>>,
    /// The limit on the states of an automaton and of a product.
    max_states: usize,
}

impl LanguageStore {
    /// An empty store for automata of at most this many states.
    pub fn new(max_states: usize) -> Self {
        Self {
            automata: Vec::new(),
            ids: FxHashMap::default(),
            segments: FxHashMap::default(),
            between: FxHashMap::default(),
            lengths: FxHashMap::default(),
            replacements: Vec::new(),
            preimages: FxHashMap::default(),
            max_states,
        }
    }

    /// The language of an automaton.
    pub fn insert(&mut self, automaton: &Dfa, budget: &Budget) -> Result<Language, UnknownReason> {
        let automaton = Rc::new(automaton.minimal(budget)?);
        let next = Language(self.automata.len() as u32);
        let language = *self.ids.entry(Rc::clone(&automaton)).or_insert(next);
        if language == next {
            self.automata.push(automaton);
        }
        Ok(language)
    }

    /// The language of an expression; `None` if its automaton has too many states.
    pub fn of_regex(
        &mut self,
        regexes: &mut Regexes,
        regex: Regex,
        budget: &Budget,
    ) -> Result<Option<Language>, UnknownReason> {
        match Dfa::within(regexes, regex, self.max_states, budget)? {
            Some(automaton) => Ok(Some(self.insert(&automaton, budget)?)),
            None => Ok(None),
        }
    }

    /// The canonical automaton of a language.
    pub fn automaton(&self, language: Language) -> &Rc<Dfa> {
        &self.automata[language.0 as usize]
    }

    /// The lengths of the words of a language.
    pub fn lengths(
        &mut self,
        language: Language,
        budget: &Budget,
    ) -> Result<Rc<LengthSet>, UnknownReason> {
        if let Some(known) = self.lengths.get(&language) {
            return Ok(Rc::clone(known));
        }
        let set = Rc::new(LengthSet::new(self.automaton(language), budget)?);
        self.lengths.insert(language, Rc::clone(&set));
        Ok(set)
    }

    /// The language of one letter.
    pub fn letter(&mut self, letter: u32, budget: &Budget) -> Result<Language, UnknownReason> {
        let step = Transition { low: letter, high: letter, to: 1 };
        let automaton = Dfa::from_parts(vec![vec![step], Vec::new()], vec![false, true]);
        self.insert(&automaton, budget)
    }

    /// The concatenation of some languages, by subset construction; `None` if it is too large.
    pub fn concatenation(
        &mut self,
        parts: &[Language],
        budget: &Budget,
    ) -> Result<Option<Language>, UnknownReason> {
        if let [only] = parts {
            return Ok(Some(*only));
        }
        let automata: Vec<Rc<Dfa>> =
            parts.iter().map(|&part| Rc::clone(self.automaton(part))).collect();
        match concatenated(&automata, self.max_states, budget)? {
            Some(automaton) => Ok(Some(self.insert(&automaton, budget)?)),
            None => Ok(None),
        }
    }

    /// The number of a replacement.
    pub fn add_replacement(&mut self, replacement: Replacement) -> usize {
        self.replacements.push(Rc::new(replacement));
        self.replacements.len() - 1
    }

    /// The texts that a replacement maps to words of a language; `None` if it is too large.
    pub fn preimage(
        &mut self,
        replacement: usize,
        language: Language,
        budget: &Budget,
    ) -> Result<Option<Language>, UnknownReason> {
        if let Some(&known) = self.preimages.get(&(replacement, language)) {
            return Ok(known);
        }
        let function = Rc::clone(&self.replacements[replacement]);
        let target = Rc::clone(self.automaton(language));
        let found = match function.preimage(&target, self.max_states, budget)? {
            Some(automaton) => Some(self.insert(&automaton, budget)?),
            None => None,
        };
        self.preimages.insert((replacement, language), found);
        Ok(found)
    }

    /// The segment of an automaton from a state in a language; `None` if it is too large.
    pub fn segment(
        &mut self,
        words: Language,
        automaton: Language,
        from: usize,
        budget: &Budget,
    ) -> Result<Option<Rc<Segment>>, UnknownReason> {
        let key = (words, automaton, from);
        if let Some(known) = self.segments.get(&key) {
            return Ok(known.clone());
        }
        let (left, right) = (self.automaton(words), self.automaton(automaton));
        let segment = product(left, right, from, self.max_states, budget)?.map(Rc::new);
        self.segments.insert(key, segment.clone());
        Ok(segment)
    }

    /// `words ∩ L(automaton, from, to)`, for a target of the segment.
    pub fn between(
        &mut self,
        words: Language,
        automaton: Language,
        (from, to): (usize, usize),
        budget: &Budget,
    ) -> Result<Option<Language>, UnknownReason> {
        let key = (words, automaton, from, to);
        if let Some(&known) = self.between.get(&key) {
            return Ok(Some(known));
        }
        let Some(segment) = self.segment(words, automaton, from, budget)? else {
            return Ok(None);
        };
        let left = Rc::clone(self.automaton(words));
        let accepts = |&(one, other): &(usize, usize)| left.accepting[one] && other == to;
        let language = self.accepted(&segment, accepts, budget)?;
        self.between.insert(key, language);
        Ok(Some(language))
    }

    /// The intersection of two languages; `None` if it is too large.
    pub fn intersection(
        &mut self,
        one: Language,
        other: Language,
        budget: &Budget,
    ) -> Result<Option<Language>, UnknownReason> {
        if one == other {
            return Ok(Some(one));
        }
        if self.automaton(one).is_empty() || self.automaton(other).is_empty() {
            return Ok(Some(if self.automaton(one).is_empty() { one } else { other }));
        }
        let Some(segment) = self.segment(one, other, 0, budget)? else { return Ok(None) };
        let (left, right) = (Rc::clone(self.automaton(one)), Rc::clone(self.automaton(other)));
        let accepts = |&(p, q): &(usize, usize)| left.accepting[p] && right.accepting[q];
        self.accepted(&segment, accepts, budget).map(Some)
    }

    /// The language of a product with some accepting pairs.
    fn accepted(
        &mut self,
        segment: &Segment,
        accepts: impl Fn(&(usize, usize)) -> bool,
        budget: &Budget,
    ) -> Result<Language, UnknownReason> {
        let accepting = segment.pairs.iter().map(accepts).collect();
        let automaton = Dfa::from_parts(segment.transitions.clone(), accepting);
        self.insert(&automaton, budget)
    }
}

/// The concatenation of automata. A state is a set of pairs of a part and a state of it; the part
/// behind the last one accepts.
fn concatenated(
    parts: &[Rc<Dfa>],
    limit: usize,
    budget: &Budget,
) -> Result<Option<Dfa>, UnknownReason> {
    if parts.iter().any(|part| part.is_empty()) {
        return Ok(Some(Dfa::from_parts(Vec::new(), Vec::new())));
    }
    let closed = |mut set: Vec<(usize, usize)>| {
        let mut done = 0;
        while let Some(&(part, state)) = set.get(done) {
            if parts.get(part).is_some_and(|one| one.accepting[state]) {
                set.push((part + 1, 0));
            }
            done += 1;
        }
        set.sort_unstable();
        set.dedup();
        set
    };
    let start = closed(vec![(0, 0)]);
    let mut numbers = FxHashMap::default();
    numbers.insert(start.clone(), 0);
    let mut sets = vec![start];
    let (mut transitions, mut accepting): (Vec<Vec<Transition>>, _) = (Vec::new(), Vec::new());
    while let Some(set) = sets.get(transitions.len()).cloned() {
        budget.check()?;
        accepting.push(set.iter().any(|&(part, _)| part == parts.len()));
        let mut starts = vec![0];
        for &(part, state) in &set {
            for one in parts.get(part).map_or(&[][..], |dfa| &dfa.transitions[state]) {
                starts.push(one.low);
                starts.extend((one.high < LAST_CODE).then_some(one.high + 1));
            }
        }
        starts.sort_unstable();
        starts.dedup();
        let mut from_here = Vec::new();
        for (index, &low) in starts.iter().enumerate() {
            let high = starts.get(index + 1).map_or(LAST_CODE, |next| next - 1);
            let step = |&(part, state): &(usize, usize)| {
                Some((part, parts.get(part)?.read(state, [low])?))
            };
            let next = closed(set.iter().filter_map(step).collect());
            if next.is_empty() {
                continue;
            }
            let count = sets.len();
            let to = *numbers.entry(next.clone()).or_insert(count);
            if to == count {
                sets.push(next);
            }
            from_here.push(Transition { low, high, to });
        }
        transitions.push(from_here);
        if sets.len() > limit {
            return Ok(None);
        }
    }
    Ok(Some(Dfa::from_parts(transitions, accepting)))
}

/// The reachable part of a product; `None` if it has more than `limit` states.
fn product(
    left: &Dfa,
    right: &Dfa,
    from: usize,
    limit: usize,
    budget: &Budget,
) -> Result<Option<Segment>, UnknownReason> {
    let mut result = Segment { targets: Vec::new(), pairs: Vec::new(), transitions: Vec::new() };
    if left.is_empty() || right.is_empty() {
        return Ok(Some(result));
    }
    let mut numbers: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    numbers.insert((0, from), 0);
    result.pairs.push((0, from));
    while let Some(&(one, other)) = result.pairs.get(result.transitions.len()) {
        budget.check()?;
        if left.accepting[one] {
            result.targets.push(other);
        }
        let mut from_here = Vec::new();
        for (low, high, to) in common(&left.transitions[one], &right.transitions[other]) {
            let number = *numbers.entry(to).or_insert_with(|| {
                result.pairs.push(to);
                result.pairs.len() - 1
            });
            from_here.push(Transition { low, high, to: number });
        }
        result.transitions.push(from_here);
        if result.pairs.len() > limit {
            return Ok(None);
        }
    }
    result.targets.sort_unstable();
    result.targets.dedup();
    Ok(Some(result))
}

/// The common intervals of two lists of transitions, each with both successors.
fn common(left: &[Transition], right: &[Transition]) -> Vec<(u32, u32, (usize, usize))> {
    let (mut one, mut other) = (0, 0);
    let mut found = Vec::new();
    while let (Some(a), Some(b)) = (left.get(one), right.get(other)) {
        let (low, high) = (a.low.max(b.low), a.high.min(b.high));
        if low <= high {
            found.push((low, high, (a.to, b.to)));
        }
        if a.high <= b.high {
            one += 1;
        } else {
            other += 1;
        }
    }
    found
}
