//! The context of rules: the term pool with short constructors and views, and the facts that hold
//! for the term.
//!
//! A constructor returns `None` when the pool is full; then the rule does not apply.

use luthier_terms::{BigInt, CodePoint, Op, SmtString, Sort, Term, TermId, TermPool};

use super::entail::EntailmentCache;
use super::facts::Facts;
use super::linear::Linear;
use crate::{Budget, Limit};

/// The pool, the facts and the limits.
pub(super) struct Context<'a> {
    pub pool: &'a mut TermPool,
    pub facts: Option<&'a Facts>,
    /// The cache of arithmetic entailment.
    pub cache: EntailmentCache,
    /// The budget of the rules.
    pub budget: &'a Budget,
}

impl<'a> Context<'a> {
    pub fn new(pool: &'a mut TermPool, facts: Option<&'a Facts>, budget: &'a Budget) -> Self {
        Self { pool, facts, cache: EntailmentCache::default(), budget }
    }

    /// The value of a limit on a number.
    pub fn limit(&self, limit: Limit) -> usize {
        self.budget.limit(limit)
    }

    /// Whether an amount exceeds a limit; if so, the limit is recorded as hit.
    pub fn exceeds(&self, limit: Limit, amount: usize) -> bool {
        self.budget.limits().exceeds(limit, amount)
    }

    pub fn op(&mut self, op: Op, arguments: &[TermId]) -> Option<TermId> {
        self.pool.op(op, arguments).ok()
    }

    pub fn bool(&mut self, value: bool) -> Option<TermId> {
        self.pool.bool(value).ok()
    }

    pub fn int(&mut self, number: impl Into<BigInt>) -> Option<TermId> {
        self.pool.integer(number).ok()
    }

    pub fn literal(&mut self, characters: &[CodePoint]) -> Option<TermId> {
        self.pool.string(SmtString::from(characters)).ok()
    }

    pub fn empty(&mut self) -> Option<TermId> {
        self.literal(&[])
    }

    /// The negation, without a double one.
    pub fn not(&mut self, term: TermId) -> Option<TermId> {
        match self.pool.term(term) {
            Term::Op(Op::Not, [inner]) => Some(*inner),
            Term::Op(Op::True, _) => self.bool(false),
            Term::Op(Op::False, _) => self.bool(true),
            _ => self.op(Op::Not, &[term]),
        }
    }

    pub fn and(&mut self, terms: &[TermId]) -> Option<TermId> {
        match terms {
            [] => self.bool(true),
            [only] => Some(*only),
            _ => self.op(Op::And, terms),
        }
    }

    pub fn or(&mut self, terms: &[TermId]) -> Option<TermId> {
        match terms {
            [] => self.bool(false),
            [only] => Some(*only),
            _ => self.op(Op::Or, terms),
        }
    }

    pub fn eq(&mut self, left: TermId, right: TermId) -> Option<TermId> {
        self.op(Op::Eq, &[left, right])
    }

    pub fn ite(&mut self, condition: TermId, yes: TermId, no: TermId) -> Option<TermId> {
        self.op(Op::Ite, &[condition, yes, no])
    }

    pub fn is_empty_string(&mut self, term: TermId) -> Option<TermId> {
        let empty = self.empty()?;
        self.eq(term, empty)
    }

    /// `left >= right`.
    pub fn ge(&mut self, left: &Linear, right: &Linear) -> Option<TermId> {
        let left = left.build(self.pool)?;
        let right = right.build(self.pool)?;
        self.op(Op::Ge, &[left, right])
    }

    /// The concatenation of parts, of which there may be none or one.
    pub fn concat(&mut self, parts: &[TermId]) -> Option<TermId> {
        match parts {
            [] => self.empty(),
            [only] => Some(*only),
            _ => self.op(Op::StrConcat, parts),
        }
    }

    /// The arguments, if the term applies this operator.
    pub fn args(&self, term: TermId, op: Op) -> Option<&[TermId]> {
        match self.pool.term(term) {
            Term::Op(found, arguments) if found == op => Some(arguments),
            _ => None,
        }
    }

    /// The arguments of an operator with two arguments.
    pub fn two(&self, term: TermId, op: Op) -> Option<[TermId; 2]> {
        self.args(term, op).and_then(|arguments| arguments.try_into().ok())
    }

    /// The arguments of an operator with three arguments.
    pub fn three(&self, term: TermId, op: Op) -> Option<[TermId; 3]> {
        self.args(term, op).and_then(|arguments| arguments.try_into().ok())
    }

    pub fn is_op(&self, term: TermId, op: Op) -> bool {
        self.args(term, op).is_some()
    }

    /// The characters of a literal.
    pub fn text(&self, term: TermId) -> Option<&[CodePoint]> {
        self.pool.as_string(term).map(SmtString::as_slice)
    }

    pub fn number(&self, term: TermId) -> Option<BigInt> {
        self.pool.as_integer(term)
    }

    pub fn truth(&self, term: TermId) -> Option<bool> {
        match self.pool.term(term) {
            Term::Op(Op::True, _) => Some(true),
            Term::Op(Op::False, _) => Some(false),
            _ => None,
        }
    }

    pub fn is_empty(&self, term: TermId) -> bool {
        self.text(term).is_some_and(<[CodePoint]>::is_empty)
    }

    /// Whether the term is a literal of sort `Bool`, `Int` or `String`.
    pub fn is_constant(&self, term: TermId) -> bool {
        match self.pool.term(term) {
            Term::String(_) | Term::Integer(_) | Term::Op(Op::True | Op::False, _) => true,
            Term::Op(Op::Neg, [inner]) => matches!(self.pool.term(*inner), Term::Integer(_)),
            _ => false,
        }
    }

    /// The arguments of a concatenation; of any other string itself, of the empty one none.
    pub fn parts(&self, term: TermId) -> Vec<TermId> {
        match self.pool.term(term) {
            Term::Op(Op::StrConcat, parts) => parts.to_vec(),
            _ if self.is_empty(term) => Vec::new(),
            _ => vec![term],
        }
    }

    /// The linear form of an integer term.
    pub fn linear(&self, term: TermId) -> Linear {
        Linear::of(self.pool, term, self.limit(Limit::SharedProductBits))
    }

    /// The linear form of the length of a string, over the lengths of its parts.
    pub fn length(&mut self, term: TermId) -> Option<Linear> {
        let mut form = Linear::default();
        for part in self.parts(term) {
            match self.text(part) {
                Some(text) => form.constant += text.len(),
                None => {
                    let length = self.op(Op::StrLen, &[part])?;
                    form.add_term(length, &1.into());
                }
            }
        }
        Some(form)
    }

    /// The length of the concatenation of parts.
    pub fn length_of_parts(&mut self, parts: &[TermId]) -> Option<Linear> {
        let mut form = Linear::default();
        for &part in parts {
            let length = self.length(part)?;
            form = form.plus(&length, &1.into());
        }
        Some(form)
    }

    /// Whether a formula is known to be true or false here: by itself or by a fact.
    pub fn known(&self, term: TermId) -> Option<bool> {
        self.truth(term).or_else(|| {
            let value = self.facts?.value(term)?;
            self.truth(value)
        })
    }

    pub fn sort(&self, term: TermId) -> Sort {
        self.pool.sort(term)
    }
}
