//! The fragment of the languages engine: each assertion is a Boolean combination of memberships of
//! one string constant, or a length constraint.
//!
//! `x = "ab"`, `str.prefixof`, `str.suffixof` and `str.contains` with a literal are memberships,
//! too; `and`, `or` and `not` become intersection, union and complement, so that each constant ends
//! up with a list of regular languages.

use luthier_terms::{Op, PostOrder, Sort, Term, TermId, TermPool};
use rustc_hash::FxHashMap;

use crate::automata::{Regex, Regexes};

/// A problem as languages of its string constants and constraints on their lengths.
pub struct Memberships {
    /// The store of the languages.
    pub regexes: Regexes,
    /// The string constants, and the languages they are in.
    pub constants: Vec<(TermId, Vec<Regex>)>,
    /// The numbers of the string constants.
    pub numbers: FxHashMap<TermId, u32>,
    /// Assertions about lengths, integers and truth values.
    pub conditions: Vec<TermId>,
}

/// A formula as the membership of one string constant.
#[derive(Clone, Copy)]
struct Membership {
    constant: Option<TermId>,
    regex: Regex,
}

impl Memberships {
    /// Translates a problem; `None` if an assertion is neither a combination of memberships of one
    /// constant nor a length constraint.
    pub fn new(pool: &TermPool, assertions: &[TermId]) -> Option<Self> {
        let mut result = Self {
            regexes: Regexes::new(),
            constants: Vec::new(),
            numbers: FxHashMap::default(),
            conditions: Vec::new(),
        };
        for term in PostOrder::new(pool, assertions.iter().copied()) {
            if pool.sort(term) == Sort::String && matches!(pool.term(term), Term::Apply(_, [])) {
                result.numbers.insert(term, result.constants.len() as u32);
                result.constants.push((term, Vec::new()));
            }
        }
        let mut known = FxHashMap::default();
        for &assertion in assertions {
            if is_length_constraint(pool, assertion) {
                result.conditions.push(assertion);
                continue;
            }
            let membership = result.membership_of(pool, assertion, &mut known)?;
            let number = *result.numbers.get(&membership.constant?)?;
            result.constants[number as usize].1.push(membership.regex);
        }
        Some(result)
    }

    /// The membership that a formula is equivalent to.
    fn membership_of(
        &mut self,
        pool: &TermPool,
        formula: TermId,
        known: &mut FxHashMap<TermId, Option<Membership>>,
    ) -> Option<Membership> {
        for term in PostOrder::new(pool, [formula]) {
            if pool.sort(term) == Sort::Bool && !known.contains_key(&term) {
                let membership = self.combine(pool, term, known);
                known.insert(term, membership);
            }
        }
        *known.get(&formula)?
    }

    fn combine(
        &mut self,
        pool: &TermPool,
        term: TermId,
        known: &FxHashMap<TermId, Option<Membership>>,
    ) -> Option<Membership> {
        let Term::Op(op, children) = pool.term(term) else { return None };
        match (op, children) {
            (Op::Not, [inner]) => {
                let membership = (*known.get(inner)?)?;
                Some(Membership { regex: self.regexes.complement(membership.regex), ..membership })
            }
            (Op::And | Op::Or, parts) => {
                let parts: Option<Vec<Membership>> =
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
                Some(Membership { constant, regex })
            }
            (Op::StrInRe, &[text, regex]) => {
                let constant = self.constant(text)?;
                Some(Membership { constant, regex: self.regexes.of_term(pool, regex)? })
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

    /// The membership that a constant is a literal, with an arbitrary prefix or suffix.
    fn literal(
        &mut self,
        pool: &TermPool,
        text: TermId,
        literal: TermId,
        before: bool,
        behind: bool,
    ) -> Option<Membership> {
        let constant = self.constant(text)?;
        let mut regex = self.regexes.literal(pool.as_string(literal)?);
        let all = self.regexes.all();
        if before {
            regex = self.regexes.concat(all, regex);
        }
        if behind {
            regex = self.regexes.concat(regex, all);
        }
        Some(Membership { constant, regex })
    }
}

/// Whether an assertion depends on strings only by the lengths of constants, literals and their
/// concatenations.
pub fn is_length_constraint(pool: &TermPool, assertion: TermId) -> bool {
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
