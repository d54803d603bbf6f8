//! Cubes: the string literals of one candidate of the arithmetic solver, as word equations and
//! memberships of words.
//!
//! The literals are those that justify the assertions under the candidate's truth values: for a
//! true disjunction one true part is enough. A literal becomes an equation (`s = t`, and with fresh
//! variables `s = a·t·b` for `contains`, `prefixof` and `suffixof`) or a membership (a regular
//! language, or its complement). `x ≠ w`, `x < w` and predicates with a literal are memberships.
//!
//! Sound: a literal without a translation (`not contains` of two variables) is omitted, which only
//! adds solutions; the referee checks every model.

use luthier_terms::{Op, Sort, Term, TermId, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::automata::{Regex, Regexes};
use crate::nielsen::{Equation, Symbol, Word};

/// Word equations and memberships; variables are numbered from those of the problem on.
#[derive(Default)]
pub struct Cube {
    /// The word equations.
    pub equations: Vec<Equation>,
    /// Pairs of words that differ.
    pub disequalities: Vec<(Word, Word)>,
    /// The languages of each word, in the order of first occurrence.
    pub memberships: Vec<(Word, Vec<Regex>)>,
    numbers: FxHashMap<Word, usize>,
    /// The number of variables.
    pub variables: u32,
}

/// The string atoms that justify some assertions, with their truth values. `None` if a term has no
/// value.
pub fn justification(
    pool: &TermPool,
    assertions: &[TermId],
    value: impl Fn(TermId) -> Option<bool>,
) -> Option<Vec<(TermId, bool)>> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack: Vec<TermId> = assertions.iter().rev().copied().collect();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        let Term::Op(op, children) = pool.term(term) else { continue };
        let holds = value(term)?;
        let is_formula = |&child: &TermId| pool.sort(child) == Sort::Bool;
        match op {
            Op::And | Op::Or if holds == (op == Op::Or) => {
                // One part suffices; one that is justified already, or without strings, is best.
                let mut parts = Vec::new();
                for &child in children {
                    if value(child)? == holds {
                        parts.push(child);
                    }
                }
                let cost = |child: &&TermId| match pool.term(**child) {
                    _ if seen.contains(*child) => 0,
                    Term::Op(Op::Ge | Op::Le | Op::Gt | Op::Lt, _) | Term::Apply(..) => 1,
                    _ if is_string_atom(pool, **child) => 2,
                    _ => 3,
                };
                stack.extend(parts.iter().min_by_key(cost));
            }
            Op::Ite => {
                let &[condition, then, other] = children else { return None };
                stack.push(condition);
                stack.push(if value(condition)? { then } else { other });
            }
            _ if is_string_atom(pool, term) => found.push((term, holds)),
            // Formulas below integer terms are decided by arithmetic with their atoms.
            _ => {
                let mut below = children.to_vec();
                let mut visited = FxHashSet::default();
                while let Some(child) = below.pop() {
                    if is_formula(&child) {
                        stack.push(child);
                    } else if pool.sort(child) == Sort::Int && visited.insert(child) {
                        below.extend(pool.children(child));
                    }
                }
            }
        }
    }
    Some(found)
}

/// Whether a formula is an atom about strings.
pub fn is_string_atom(pool: &TermPool, term: TermId) -> bool {
    match pool.term(term) {
        Term::Op(
            Op::StrInRe
            | Op::StrContains
            | Op::StrPrefixOf
            | Op::StrSuffixOf
            | Op::StrLt
            | Op::StrLe
            | Op::StrIsDigit,
            _,
        ) => true,
        Term::Op(Op::Eq | Op::Distinct, children) => {
            children.first().is_some_and(|&child| pool.sort(child) == Sort::String)
        }
        _ => false,
    }
}

/// Translates literals.
pub struct Translator<'a> {
    /// The terms.
    pub pool: &'a TermPool,
    /// The numbers of string constants.
    pub numbers: &'a FxHashMap<TermId, u32>,
    /// The owner of the languages.
    pub regexes: &'a mut Regexes,
}

impl Translator<'_> {
    /// The cube of some literals.
    pub fn cube(&mut self, literals: &[(TermId, bool)]) -> Cube {
        let mut cube = Cube { variables: self.numbers.len() as u32, ..Cube::default() };
        for &(atom, holds) in literals {
            // What has no translation is left out.
            let _ = self.add(&mut cube, atom, holds);
        }
        cube
    }

    fn add(&mut self, cube: &mut Cube, atom: TermId, holds: bool) -> Option<()> {
        let Term::Op(op, &[left, right]) = self.pool.term(atom) else { return None };
        if op == Op::StrInRe {
            let (word, regex) = (self.word(left)?, self.regexes.of_term(self.pool, right)?);
            self.member(cube, word, regex, holds);
            return Some(());
        }
        let (one, other) = (self.word(left)?, self.word(right)?);
        let (literal_left, literal_right) = (letters(&one), letters(&other));
        let all = self.regexes.all();
        match op {
            Op::Eq if holds => cube.equations.push(Equation { left: one, right: other }),
            Op::Eq => {
                let (word, literal) = match (literal_left, literal_right) {
                    (_, Some(literal)) => (one, literal),
                    (Some(literal), None) => (other, literal),
                    (None, None) => {
                        cube.disequalities.push((one, other));
                        return Some(());
                    }
                };
                let regex = self.literal(&literal);
                self.member(cube, word, regex, false);
            }
            Op::StrContains => match literal_right {
                Some(needle) => {
                    let needle = self.literal(&needle);
                    let behind = self.regexes.concat(needle, all);
                    let regex = self.regexes.concat(all, behind);
                    self.member(cube, one, regex, holds);
                }
                None if holds => {
                    let whole = [vec![cube.fresh()], other, vec![cube.fresh()]].concat();
                    cube.equations.push(Equation { left: one, right: whole });
                }
                None => return None,
            },
            Op::StrPrefixOf | Op::StrSuffixOf => match literal_left {
                Some(affix) => {
                    let affix = self.literal(&affix);
                    let regex = match op {
                        Op::StrPrefixOf => self.regexes.concat(affix, all),
                        _ => self.regexes.concat(all, affix),
                    };
                    self.member(cube, other, regex, holds);
                }
                None if holds => {
                    let rest = vec![cube.fresh()];
                    let whole = match op {
                        Op::StrPrefixOf => [one, rest].concat(),
                        _ => [rest, one].concat(),
                    };
                    cube.equations.push(Equation { left: other, right: whole });
                }
                None => return None,
            },
            Op::StrLt | Op::StrLe => match (literal_left, literal_right) {
                (_, Some(bound)) => {
                    let regex = self.below(&bound, op == Op::StrLe);
                    self.member(cube, one, regex, holds);
                }
                (Some(bound), None) => {
                    let regex = self.below(&bound, op == Op::StrLt);
                    self.member(cube, other, regex, !holds);
                }
                _ => return None,
            },
            _ => return None,
        }
        Some(())
    }

    fn member(&mut self, cube: &mut Cube, word: Word, regex: Regex, holds: bool) {
        let regex = if holds { regex } else { self.regexes.complement(regex) };
        let next = cube.memberships.len();
        let number = *cube.numbers.entry(word.clone()).or_insert(next);
        if number == next {
            cube.memberships.push((word, Vec::new()));
        }
        cube.memberships[number].1.push(regex);
    }

    fn literal(&mut self, letters: &[u32]) -> Regex {
        let empty = self.regexes.empty();
        letters.iter().rev().fold(empty, |rest, &letter| {
            let letter = self.regexes.interval(letter, letter);
            self.regexes.concat(letter, rest)
        })
    }

    /// The words before a bound in the lexicographic order, or up to it: those that are a proper
    /// prefix of it, or have a smaller letter where they differ first.
    fn below(&mut self, bound: &[u32], included: bool) -> Regex {
        let all = self.regexes.all();
        let mut rest = if included { self.regexes.empty() } else { self.regexes.none() };
        for &letter in bound.iter().rev() {
            let same = self.regexes.interval(letter, letter);
            let same = self.regexes.concat(same, rest);
            let empty = self.regexes.empty();
            let smaller = match letter.checked_sub(1) {
                Some(high) => {
                    let smaller = self.regexes.interval(0, high);
                    self.regexes.concat(smaller, all)
                }
                None => self.regexes.none(),
            };
            rest = self.regexes.union([empty, smaller, same]);
        }
        rest
    }

    /// The pattern of a replacement, without the empty word: a language, or a word.
    pub fn pattern(&mut self, term: TermId) -> Option<Regex> {
        let regex = match self.pool.sort(term) {
            Sort::RegLan => self.regexes.of_term(self.pool, term)?,
            _ => self.regexes.literal(self.pool.as_string(term)?),
        };
        let empty = self.regexes.empty();
        let not_empty = self.regexes.complement(empty);
        Some(self.regexes.intersection([regex, not_empty]))
    }

    /// A string term as letters and variables; `None` if it has another operator.
    pub fn word(&self, term: TermId) -> Option<Word> {
        let mut word = Vec::new();
        let mut todo = vec![term];
        while let Some(term) = todo.pop() {
            match self.pool.term(term) {
                Term::String(text) => {
                    word.extend(text.iter().map(|one| Symbol::Letter(one.code())));
                }
                Term::Op(Op::StrConcat, parts) => todo.extend(parts.iter().rev()),
                _ => word.push(Symbol::Variable(*self.numbers.get(&term)?)),
            }
        }
        Some(word)
    }
}

impl Cube {
    fn fresh(&mut self) -> Symbol {
        self.variables += 1;
        Symbol::Variable(self.variables - 1)
    }
}

/// The letters of a word without variables.
pub fn letters(word: &[Symbol]) -> Option<Vec<u32>> {
    let letter = |symbol: &Symbol| match *symbol {
        Symbol::Letter(letter) => Some(letter),
        Symbol::Variable(_) => None,
    };
    word.iter().map(letter).collect()
}
