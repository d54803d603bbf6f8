//! Assertions that say of one string constant in which regular language it is.

use luthier_terms::{Op, PostOrder, Sort, Term, TermId, TermPool};
use rustc_hash::FxHashMap;

use crate::automata::{Regex, Regexes};

/// A problem as languages of its string constants and conditions on their lengths.
pub struct Reading {
    /// The store of the languages.
    pub regexes: Regexes,
    /// The string constants, and the languages they are in.
    pub constants: Vec<(TermId, Vec<Regex>)>,
    /// The numbers of the string constants.
    pub numbers: FxHashMap<TermId, u32>,
    /// Assertions about lengths, integers and truth values.
    pub conditions: Vec<TermId>,
}

/// What a term says about one string constant.
#[derive(Clone, Copy)]
struct Says {
    constant: Option<TermId>,
    regex: Regex,
}

impl Reading {
    /// Reads a problem; `None` if an assertion is neither about one language nor about lengths.
    pub fn new(pool: &TermPool, assertions: &[TermId]) -> Option<Self> {
        let mut reading = Self {
            regexes: Regexes::new(),
            constants: Vec::new(),
            numbers: FxHashMap::default(),
            conditions: Vec::new(),
        };
        for term in PostOrder::new(pool, assertions.iter().copied()) {
            if pool.sort(term) == Sort::String && matches!(pool.term(term), Term::Apply(_, [])) {
                reading.numbers.insert(term, reading.constants.len() as u32);
                reading.constants.push((term, Vec::new()));
            }
        }
        let mut known = FxHashMap::default();
        for &assertion in assertions {
            if is_about_lengths(pool, assertion) {
                reading.conditions.push(assertion);
                continue;
            }
            let says = reading.says(pool, assertion, &mut known)?;
            let number = *reading.numbers.get(&says.constant?)?;
            reading.constants[number as usize].1.push(says.regex);
        }
        Some(reading)
    }

    /// The language that a formula is about.
    fn says(
        &mut self,
        pool: &TermPool,
        formula: TermId,
        known: &mut FxHashMap<TermId, Option<Says>>,
    ) -> Option<Says> {
        for term in PostOrder::new(pool, [formula]) {
            if pool.sort(term) == Sort::Bool && !known.contains_key(&term) {
                let says = self.says_of_parts(pool, term, known);
                known.insert(term, says);
            }
        }
        *known.get(&formula)?
    }

    fn says_of_parts(
        &mut self,
        pool: &TermPool,
        term: TermId,
        known: &FxHashMap<TermId, Option<Says>>,
    ) -> Option<Says> {
        let Term::Op(op, children) = pool.term(term) else { return None };
        match (op, children) {
            (Op::Not, [inner]) => {
                let says = (*known.get(inner)?)?;
                Some(Says { regex: self.regexes.complement(says.regex), ..says })
            }
            (Op::And | Op::Or, parts) => {
                let parts: Option<Vec<Says>> =
                    parts.iter().map(|part| known.get(part).copied().flatten()).collect();
                let parts = parts?;
                let constant = parts.first()?.constant;
                if parts.iter().any(|part| part.constant != constant) {
                    return None;
                }
                let languages = parts.into_iter().map(|part| part.regex);
                let regex = match op {
                    Op::And => self.regexes.intersection(languages),
                    _ => self.regexes.union(languages),
                };
                Some(Says { constant, regex })
            }
            (Op::StrInRe, &[text, regex]) => {
                let constant = self.constant(text)?;
                Some(Says { constant, regex: self.regexes.of_term(pool, regex)? })
            }
            (Op::Eq, &[text, literal]) => self.literal(pool, text, literal, false, false),
            (Op::StrContains, &[text, literal]) => self.literal(pool, text, literal, true, true),
            (Op::StrPrefixOf, &[literal, text]) => self.literal(pool, text, literal, false, true),
            (Op::StrSuffixOf, &[literal, text]) => self.literal(pool, text, literal, true, false),
            _ => None,
        }
    }

    fn constant(&self, term: TermId) -> Option<Option<TermId>> {
        self.numbers.contains_key(&term).then_some(Some(term))
    }

    /// That a constant is a literal, with anything before or behind it.
    fn literal(
        &mut self,
        pool: &TermPool,
        text: TermId,
        literal: TermId,
        before: bool,
        behind: bool,
    ) -> Option<Says> {
        let constant = self.constant(text)?;
        let mut regex = self.regexes.literal(pool.as_string(literal)?);
        let all = self.regexes.all();
        if before {
            regex = self.regexes.concat(all, regex);
        }
        if behind {
            regex = self.regexes.concat(regex, all);
        }
        Some(Says { constant, regex })
    }
}

/// Whether an assertion looks at strings only by the lengths of constants and their
/// concatenations.
pub fn is_about_lengths(pool: &TermPool, assertion: TermId) -> bool {
    PostOrder::new(pool, [assertion]).all(|term| match pool.term(term) {
        Term::Integer(_) | Term::String(_) => true,
        Term::Apply(_, []) => matches!(pool.sort(term), Sort::String | Sort::Int | Sort::Bool),
        Term::Op(op, children) => {
            let strings = children.iter().any(|&child| pool.sort(child) == Sort::String);
            match op {
                Op::StrLen | Op::StrConcat => true,
                Op::True
                | Op::False
                | Op::Not
                | Op::And
                | Op::Or
                | Op::Implies
                | Op::Eq
                | Op::Ite
                | Op::Ge
                | Op::Gt
                | Op::Le
                | Op::Lt
                | Op::Add
                | Op::Sub
                | Op::Neg
                | Op::Mul => !strings,
                _ => false,
            }
        }
        _ => false,
    })
}
