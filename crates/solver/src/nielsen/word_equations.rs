//! The word equations of a problem: assertions `u = v` over string constants and literals, and all
//! other assertions as conditions on their solutions.
//!
//! Equations with a side of more than `nielsen.equation` symbols are treated as conditions: they
//! are evaluated, not transformed.

use luthier_terms::{FunctionId, Op, PostOrder, Sort, Term, TermId, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

use super::system::{Equation, Symbol, Word};
use crate::languages::is_length_constraint;
use crate::{Budget, Limit, Problem};

/// The assertions of a problem: word equations, and conditions on their solutions.
pub struct WordEquations {
    /// The string constants, by their numbers.
    pub functions: Vec<FunctionId>,
    /// The numbers of string constants.
    pub numbers: FxHashMap<TermId, u32>,
    /// Assertions that are word equations over constants and literals.
    pub equations: Vec<Equation>,
    /// All other assertions.
    pub conditions: Vec<TermId>,
    /// The letters of all literals.
    pub letters: FxHashSet<u32>,
    /// The limit on the symbols of one side.
    max_symbols: usize,
}

impl WordEquations {
    /// Separates the assertions of a problem.
    pub fn new(problem: &Problem, budget: &Budget) -> Self {
        let pool = &problem.pool;
        let mut result = Self {
            functions: Vec::new(),
            numbers: FxHashMap::default(),
            equations: Vec::new(),
            conditions: Vec::new(),
            letters: FxHashSet::default(),
            max_symbols: budget.limit(Limit::NielsenEquation),
        };
        for term in PostOrder::new(pool, problem.assertions.iter().copied()) {
            match pool.term(term) {
                Term::Apply(function, []) if pool.sort(term) == Sort::String => {
                    result.numbers.insert(term, result.functions.len() as u32);
                    result.functions.push(function);
                }
                Term::String(text) => result.letters.extend(text.iter().map(|one| one.code())),
                _ => {}
            }
        }
        for &assertion in &problem.assertions {
            match result.equation(problem, assertion) {
                Some(equation) => result.equations.push(equation),
                None => result.conditions.push(assertion),
            }
        }
        result
    }

    /// Whether an assertion is a word equation over constants and literals, of any length.
    pub fn is_word_equation(pool: &TermPool, assertion: TermId) -> bool {
        let Term::Op(Op::Eq, &[left, right]) = pool.term(assertion) else { return false };
        let mut seen = FxHashSet::default();
        let mut todo = vec![left, right];
        while let Some(term) = todo.pop() {
            match pool.term(term) {
                Term::String(_) => {}
                Term::Op(Op::StrConcat, parts) => {
                    todo.extend(parts.iter().filter(|&&part| seen.insert(part)));
                }
                Term::Apply(_, []) if pool.sort(term) == Sort::String => {}
                _ => return false,
            }
        }
        true
    }

    /// Whether all other assertions are length constraints.
    pub fn has_only_length_conditions(&self, problem: &Problem) -> bool {
        self.conditions.iter().all(|&one| is_length_constraint(&problem.pool, one))
    }

    fn equation(&self, problem: &Problem, assertion: TermId) -> Option<Equation> {
        let Term::Op(Op::Eq, &[left, right]) = problem.pool.term(assertion) else { return None };
        let (left, right) = (self.word(problem, left)?, self.word(problem, right)?);
        Some(Equation { left, right })
    }

    fn word(&self, problem: &Problem, term: TermId) -> Option<Word> {
        let pool = &problem.pool;
        if pool.sort(term) != Sort::String {
            return None;
        }
        let mut word = Vec::new();
        let mut todo = vec![term];
        while let Some(term) = todo.pop() {
            if word.len() + todo.len() > self.max_symbols {
                return None;
            }
            match pool.term(term) {
                Term::String(text) => {
                    word.extend(text.iter().map(|one| Symbol::Letter(one.code())));
                }
                Term::Op(Op::StrConcat, parts) => todo.extend(parts.iter().rev()),
                _ => word.push(Symbol::Variable(*self.numbers.get(&term)?)),
            }
        }
        (word.len() <= self.max_symbols).then_some(word)
    }

    /// A letter that no literal has.
    pub fn other_letter(&self) -> u32 {
        let letters = (0x61..0x7b).chain(0x41..0x5b).chain(0x30..0x3a).chain(0xc0..0x2_ffff);
        letters.into_iter().find(|letter| !self.letters.contains(letter)).unwrap_or(0x61)
    }
}
