//! Alignments of word equations: case distinctions on the first symbols of both sides until no
//! equation is left (Levi's lemma).
//!
//! `x·u = y·v` has the cases `x = y`, `x = y·x'` and `y = x·y'` with a non-empty rest; `x·u = w·v`
//! with a literal `w` has one for each proper prefix of `w` as `x`, and `x = w·x'`. A variable that
//! is a whole side and does not occur on the other is replaced by that. A substitution is applied
//! to all memberships, so the language of a replaced variable becomes one of a word; a word whose
//! leading letters leave the automaton ends the case. At a leaf only memberships are left (see
//! `splits`), and the lengths of replaced variables are sums.
//!
//! Sound and complete: the cases of a step cover all solutions. It ends if no variable occurs twice
//! in one equation while that is transformed, so for straight-line systems, and for chain-free ones
//! as far as that holds; otherwise the limits `noodles.alignments` and `noodles.word` end it, and
//! nothing is concluded. Source: Levi: On semigroups (1944); together with regular constraints as in
//! Abdulla and others: String Constraints for Verification (CAV 2014).

use crate::automata::{Language, LanguageStore};
use crate::nielsen::{Equation, Symbol, Word, normalise, substitute, substitute_word};
use crate::{Budget, Limit, UnknownReason};

/// A system without equations: memberships, and the words that replace variables.
#[derive(Clone)]
pub struct Aligned {
    /// Words and their languages, single variables included.
    pub memberships: Vec<(Word, Language)>,
    /// Replaced variables with their words over variables that may be replaced later in the list.
    pub replaced: Vec<(u32, Word)>,
    /// Pairs of words that differ.
    pub disequalities: Vec<(Word, Word)>,
    /// Results of replacements.
    pub results: Vec<ReplacementResult>,
    /// The number of variables.
    pub variables: u32,
}

/// A word that is the result of a replacement in another one.
#[derive(Clone, Debug)]
pub struct ReplacementResult {
    /// The number of the replacement in the store of languages.
    pub replacement: usize,
    /// The result.
    pub value: Word,
    /// The text in which matches are replaced.
    pub text: Word,
}

/// All alignments, depth first.
pub struct Alignments {
    stack: Vec<(Vec<Equation>, Aligned)>,
    /// The language of all words but the empty one.
    not_empty: Language,
    visited: usize,
    /// Whether a case was abandoned at a limit.
    pub is_incomplete: bool,
}

impl Alignments {
    /// The alignments of equations between words with memberships.
    pub fn new(equations: Vec<Equation>, system: Aligned, not_empty: Language) -> Self {
        Self { stack: vec![(equations, system)], not_empty, visited: 0, is_incomplete: false }
    }

    /// The next system without equations; `None` if there is no other.
    pub fn next(
        &mut self,
        store: &LanguageStore,
        budget: &Budget,
    ) -> Result<Option<Aligned>, UnknownReason> {
        while let Some((equations, system)) = self.stack.pop() {
            budget.check()?;
            self.visited += 1;
            let too_long = |one: &Equation| {
                budget.limits().exceeds(Limit::NoodlesWord, one.left.len() + one.right.len())
            };
            if budget.limits().exceeds(Limit::NoodlesAlignments, self.visited)
                || equations.iter().any(too_long)
            {
                self.is_incomplete = true;
                continue;
            }
            let is_contradictory = system.disequalities.iter().any(|(one, other)| one == other);
            if is_contradictory || !may_hold(&system.memberships, store) {
                continue;
            }
            let Some(equations) = normalise(equations) else { continue };
            let definition = equations.iter().find(|one| is_definition(one));
            // Short equations come first in the normal form.
            match definition.or(equations.first()) {
                Some(equation) => self.expand(equation, &equations, &system),
                None => return Ok(Some(system)),
            }
        }
        Ok(None)
    }

    /// Adds the cases of an equation.
    fn expand(&mut self, equation: &Equation, equations: &[Equation], system: &Aligned) {
        let Equation { left, right } = equation;
        let whole = |one: &Word, other: &Word| match one[..] {
            [Symbol::Variable(variable)] if !other.contains(&one[0]) => Some(variable),
            _ => None,
        };
        let mut cases: Vec<(u32, Word, bool)> = Vec::new();
        let next = system.variables;
        if left.is_empty() || right.is_empty() {
            let rest = if left.is_empty() { right } else { left };
            match rest.iter().find_map(|symbol| match *symbol {
                Symbol::Variable(variable) => Some(variable),
                Symbol::Letter(_) => None,
            }) {
                Some(variable) => cases.push((variable, Vec::new(), false)),
                None => return,
            }
        } else if let Some(variable) = whole(left, right) {
            cases.push((variable, right.clone(), false));
        } else if let Some(variable) = whole(right, left) {
            cases.push((variable, left.clone(), false));
        } else {
            match (left[0], right[0]) {
                (Symbol::Variable(one), Symbol::Variable(other)) => {
                    let rest = Symbol::Variable(next);
                    cases.push((one, vec![right[0]], false));
                    cases.push((one, vec![right[0], rest], true));
                    cases.push((other, vec![left[0], rest], true));
                }
                (Symbol::Variable(variable), Symbol::Letter(_)) => {
                    prefixes(variable, right, next, &mut cases);
                }
                (Symbol::Letter(_), Symbol::Variable(variable)) => {
                    prefixes(variable, left, next, &mut cases);
                }
                // Not in normal form.
                (Symbol::Letter(_), Symbol::Letter(_)) => return,
            }
        }
        for (variable, word, has_rest) in cases.into_iter().rev() {
            let equations = substitute(equations, variable, &word);
            let mut system = system.clone();
            for (text, _) in &mut system.memberships {
                *text = substitute_word(text, variable, &word);
            }
            for (one, other) in &mut system.disequalities {
                *one = substitute_word(one, variable, &word);
                *other = substitute_word(other, variable, &word);
            }
            for one in &mut system.results {
                one.text = substitute_word(&one.text, variable, &word);
                one.value = substitute_word(&one.value, variable, &word);
            }
            if has_rest {
                system.memberships.push((vec![Symbol::Variable(next)], self.not_empty));
                system.variables += 1;
            }
            system.replaced.push((variable, word));
            self.stack.push((equations, system));
        }
    }
}

/// The cases of a variable against a side that begins with letters: the proper prefixes of these,
/// and all of them with a rest.
fn prefixes(variable: u32, side: &[Symbol], next: u32, cases: &mut Vec<(u32, Word, bool)>) {
    let literal = side.iter().take_while(|one| matches!(one, Symbol::Letter(_))).count();
    for length in 0..=literal {
        cases.push((variable, side[..length].to_vec(), false));
    }
    // A rest behind all letters; with no symbol left there is none.
    if literal < side.len() {
        let word = [&side[..literal], &[Symbol::Variable(next)]].concat();
        cases.push((variable, word, true));
    }
}

/// Whether an equation replaces a variable at once.
fn is_definition(equation: &Equation) -> bool {
    let is = |one: &Word, other: &Word| {
        one.is_empty() || matches!(one[..], [Symbol::Variable(_)]) && !other.contains(&one[0])
    };
    is(&equation.left, &equation.right) || is(&equation.right, &equation.left)
}

/// Whether the leading letters of every word stay in its automaton, and words of letters are
/// accepted.
fn may_hold(memberships: &[(Word, Language)], store: &LanguageStore) -> bool {
    memberships.iter().all(|(word, language)| {
        let automaton = store.automaton(*language);
        if automaton.is_empty() {
            return false;
        }
        let letters = word.iter().map_while(|symbol| match *symbol {
            Symbol::Letter(letter) => Some(letter),
            Symbol::Variable(_) => None,
        });
        let count = letters.clone().count();
        match automaton.read(0, letters) {
            Some(state) => count < word.len() || automaton.accepting[state],
            None => false,
        }
    })
}
