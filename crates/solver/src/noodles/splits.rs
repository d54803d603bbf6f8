//! Splits of memberships of words into memberships of variables.
//!
//! A word `x·"ab"·y` is in the language of a deterministic automaton if and only if there is a state
//! `q` with `x ∈ L(0, q)` and `y ∈ L(q·ab, F)`. The choices of states at the borders of variables, for
//! all memberships, form a tree (the *noodles* of the product); a branch ends where the language of
//! a variable becomes empty. A leaf has one language for each variable, from which words can be
//! chosen independently: each choice is a solution, and each solution is a choice at one leaf.
//!
//! - Before a membership is split, states that are not on an accepting path for the present
//!   languages are discarded (forward and backward reachability).
//! - States with the same language of a variable are followed together.
//! - The result of a replacement is a variable; when its language is known, the text of the
//!   replacement is in the pre-image of it.
//! - A variable that does not occur later and whose length is not constrained needs no language:
//!   only which states it connects.
//!
//! Sound and complete for memberships: the languages between states partition the words that stay in
//! the automaton. Source: Chen, Chocholatý, Havlena, Holík, Lengál, Síč: Solving String Constraints
//! with Lengths by Stabilization (OOPSLA 2023), noodlification, restricted to one automaton on the
//! right; the use of deterministic automata is ours. Limits: those of the store (no result).

use std::rc::Rc;

use crate::automata::{Language, LanguageStore};
use crate::nielsen::{Symbol, Word};
use crate::{Budget, Limit, UnknownReason};

/// That a word is in a language.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Membership {
    /// The word.
    pub word: Word,
    /// The language.
    pub language: Target,
}

/// The language of a membership.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// This one.
    Language(Language),
    /// The pre-image, under a replacement of the store, of the concatenation of the languages that
    /// the symbols of a word have when all memberships before this one are split.
    Preimage {
        /// The number of the replacement.
        replacement: usize,
        /// The word that is its result.
        value: Word,
    },
}

/// The tree of splits, depth first.
pub struct Splits {
    memberships: Vec<Membership>,
    /// For each membership and position whether the language of its variable is needed later.
    needed: Vec<Vec<bool>>,
    stack: Vec<Node>,
    /// The number of visited nodes.
    visited: usize,
    /// Whether a branch was abandoned because an automaton was too large.
    pub is_incomplete: bool,
}

struct Node {
    languages: Rc<Vec<Language>>,
    membership: usize,
    position: usize,
    states: Vec<usize>,
    /// The language of the membership, once it is known.
    automaton: Option<Language>,
    /// For each position of the membership the states on accepting paths.
    alive: Rc<Vec<Vec<usize>>>,
}

impl Splits {
    /// The splits of memberships of words over variables with languages. `keeps` says which
    /// variables get a language at a leaf in any case. Pre-images come last, in the given order.
    pub fn new(
        mut memberships: Vec<Membership>,
        languages: Vec<Language>,
        keeps: impl Fn(u32) -> bool,
        store: &LanguageStore,
    ) -> Self {
        // Small trees first.
        memberships.sort_by_key(|one| {
            let symbols = one.word.iter();
            let variables = symbols.filter(|one| matches!(one, Symbol::Variable(_))).count();
            match one.language {
                Target::Language(language) => (variables, store.automaton(language).states()),
                Target::Preimage { .. } => (usize::MAX, 0),
            }
        });
        let mut later = vec![false; languages.len()];
        let mut needed: Vec<Vec<bool>> = Vec::with_capacity(memberships.len());
        for Membership { word, language } in memberships.iter().rev() {
            let mut of_word = vec![false; word.len()];
            for (position, symbol) in word.iter().enumerate().rev() {
                if let Symbol::Variable(variable) = *symbol {
                    of_word[position] = later[variable as usize] || keeps(variable);
                    later[variable as usize] = true;
                }
            }
            needed.push(of_word);
            if let Target::Preimage { value, .. } = language {
                for symbol in value {
                    if let Symbol::Variable(variable) = *symbol {
                        later[variable as usize] = true;
                    }
                }
            }
        }
        needed.reverse();
        let root = Node {
            languages: Rc::new(languages),
            membership: 0,
            position: 0,
            states: vec![0],
            automaton: None,
            alive: Rc::default(),
        };
        Self { memberships, needed, stack: vec![root], visited: 0, is_incomplete: false }
    }

    /// The languages at the next leaf; `None` if there is no other.
    pub fn next(
        &mut self,
        store: &mut LanguageStore,
        budget: &Budget,
    ) -> Result<Option<Rc<Vec<Language>>>, UnknownReason> {
        while let Some(mut node) = self.stack.pop() {
            budget.check()?;
            self.visited += 1;
            if budget.limits().exceeds(Limit::NoodlesSplits, self.visited) {
                self.is_incomplete = true;
                self.stack.clear();
                return Ok(None);
            }
            let Some(Membership { word, language }) = self.memberships.get(node.membership) else {
                return Ok(Some(node.languages));
            };
            let automaton = match (node.automaton, language) {
                (Some(known), _) => Some(known),
                (None, Target::Language(known)) => Some(*known),
                (None, Target::Preimage { replacement, value }) => {
                    match concatenation(value, &node.languages, store, budget)? {
                        Some(language) => store.preimage(*replacement, language, budget)?,
                        None => None,
                    }
                }
            };
            let Some(automaton) = automaton else {
                self.is_incomplete = true;
                continue;
            };
            node.automaton = Some(automaton);
            if node.position == 0 {
                match alive(word, automaton, &node.languages, store, budget)? {
                    Some(alive) if alive[0].is_empty() => continue,
                    Some(alive) => node.alive = Rc::new(alive),
                    None => {
                        self.is_incomplete = true;
                        continue;
                    }
                }
            }
            let Some(&symbol) = word.get(node.position) else {
                node.membership += 1;
                node.position = 0;
                node.states = vec![0];
                node.automaton = None;
                self.stack.push(node);
                continue;
            };
            let is_needed = self.needed[node.membership][node.position];
            let goals = &node.alive[node.position + 1];
            let branches = match symbol {
                Symbol::Variable(variable) if is_needed => {
                    branches(variable, automaton, &node, store, budget)?
                }
                _ => {
                    let mut reached = Vec::new();
                    for &state in &node.states {
                        let next = step(symbol, automaton, state, &node.languages, store, budget)?;
                        reached.extend(next.into_iter().flatten());
                    }
                    reached.sort_unstable();
                    reached.dedup();
                    reached.retain(|state| goals.binary_search(state).is_ok());
                    Some(vec![(Rc::clone(&node.languages), reached)])
                }
            };
            let Some(branches) = branches else {
                self.is_incomplete = true;
                continue;
            };
            for (languages, states) in branches.into_iter().rev() {
                if states.is_empty() {
                    continue;
                }
                let (membership, position) = (node.membership, node.position + 1);
                let (automaton, alive) = (node.automaton, Rc::clone(&node.alive));
                let node = Node { languages, membership, position, states, automaton, alive };
                self.stack.push(node);
            }
        }
        Ok(None)
    }
}

/// The concatenation of the languages of symbols, which contains every value of the word; `None` if
/// it is too large.
fn concatenation(
    word: &[Symbol],
    languages: &[Language],
    store: &mut LanguageStore,
    budget: &Budget,
) -> Result<Option<Language>, UnknownReason> {
    let mut parts = Vec::with_capacity(word.len());
    for symbol in word {
        parts.push(match *symbol {
            Symbol::Variable(variable) => languages[variable as usize],
            Symbol::Letter(letter) => store.letter(letter, budget)?,
        });
    }
    store.concatenation(&parts, budget)
}

/// A branch of the tree: the languages of variables, and the states after a symbol.
type Branch = (Rc<Vec<Language>>, Vec<usize>);

/// The languages of a variable between the present states and the next ones, each with the states
/// that it leads to; `None` if an automaton is too large.
fn branches(
    variable: u32,
    automaton: Language,
    node: &Node,
    store: &mut LanguageStore,
    budget: &Budget,
) -> Result<Option<Vec<Branch>>, UnknownReason> {
    let goals = &node.alive[node.position + 1];
    let words = node.languages[variable as usize];
    let mut found: Vec<(Language, Vec<usize>)> = Vec::new();
    for &from in &node.states {
        let Some(segment) = store.segment(words, automaton, from, budget)? else {
            return Ok(None);
        };
        for &to in segment.targets.iter().filter(|to| goals.binary_search(to).is_ok()) {
            let Some(language) = store.between(words, automaton, (from, to), budget)? else {
                return Ok(None);
            };
            match found.iter_mut().find(|(known, _)| *known == language) {
                Some((_, states)) => states.push(to),
                None => found.push((language, vec![to])),
            }
        }
    }
    let branch = |(language, mut states): (Language, Vec<usize>)| {
        states.sort_unstable();
        states.dedup();
        let mut languages = (*node.languages).clone();
        languages[variable as usize] = language;
        (Rc::new(languages), states)
    };
    Ok(Some(found.into_iter().map(branch).collect()))
}

/// The states after a symbol; `None` if an automaton is too large.
fn step(
    symbol: Symbol,
    automaton: Language,
    state: usize,
    languages: &[Language],
    store: &mut LanguageStore,
    budget: &Budget,
) -> Result<Option<Vec<usize>>, UnknownReason> {
    match symbol {
        Symbol::Letter(letter) => {
            let next = store.automaton(automaton).read(state, [letter]);
            Ok(Some(next.into_iter().collect()))
        }
        Symbol::Variable(variable) => {
            let words = languages[variable as usize];
            let segment = store.segment(words, automaton, state, budget)?;
            Ok(segment.map(|segment| segment.targets.clone()))
        }
    }
}

/// For each position of a word the states on paths from the initial state to an accepting one;
/// `None` if an automaton is too large. If there is no path, no state is alive anywhere.
fn alive(
    word: &[Symbol],
    automaton: Language,
    languages: &[Language],
    store: &mut LanguageStore,
    budget: &Budget,
) -> Result<Option<Vec<Vec<usize>>>, UnknownReason> {
    let is_empty = store.automaton(automaton).is_empty();
    let mut layers: Vec<Vec<usize>> = vec![if is_empty { Vec::new() } else { vec![0] }];
    let mut steps: Vec<Vec<Vec<usize>>> = Vec::with_capacity(word.len());
    for &symbol in word {
        budget.check()?;
        let (mut next, mut of_layer) = (Vec::new(), Vec::new());
        for &state in layers.last().into_iter().flatten() {
            let Some(reached) = step(symbol, automaton, state, languages, store, budget)? else {
                return Ok(None);
            };
            next.extend_from_slice(&reached);
            of_layer.push(reached);
        }
        next.sort_unstable();
        next.dedup();
        layers.push(next);
        steps.push(of_layer);
    }
    let accepting = Rc::clone(store.automaton(automaton));
    let last = layers.len() - 1;
    layers[last].retain(|&state| accepting.accepting[state]);
    for position in (0..last).rev() {
        let (before, behind) = layers.split_at_mut(position + 1);
        let goals = &behind[0];
        let mut reached = steps[position].iter();
        before[position].retain(|_| {
            let targets = reached.next();
            targets.is_some_and(|all| all.iter().any(|one| goals.binary_search(one).is_ok()))
        });
    }
    Ok(Some(layers))
}
