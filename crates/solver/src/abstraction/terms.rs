//! Constructors for the terms of facts. Operators on literals are folded, concatenations flattened.

use luthier_terms::{BigInt, BuildError, CodePoint, Op, Term, TermId, TermPool};

use super::constants;
use crate::{Budget, Limit};

/// A builder of terms in a pool.
pub(super) struct TermBuilder<'a> {
    pub(super) pool: &'a mut TermPool,
    /// The limits on what is built.
    pub(super) budget: &'a Budget,
}

/// The result of building terms; fails only when the pool is full.
pub(super) type BuildResult<T = TermId> = Result<T, BuildError>;

impl TermBuilder<'_> {
    /// An operator applied to arguments. Literals are folded, concatenations flattened.
    pub(super) fn op(&mut self, op: Op, arguments: &[TermId]) -> BuildResult {
        match (op, arguments) {
            (Op::StrConcat, _) => return self.concat(arguments),
            (Op::And, []) => return self.pool.bool(true),
            (Op::Or, []) => return self.pool.bool(false),
            (Op::And | Op::Or | Op::Add, &[only]) => return Ok(only),
            (Op::Add, []) => return self.int(0),
            (Op::Neg, &[inner]) => {
                // The negation of a negated term is the term.
                if let Term::Op(Op::Neg, &[positive]) = self.pool.term(inner) {
                    return Ok(positive);
                }
            }
            _ => {}
        }
        match constants::evaluate(self.pool, op, arguments, self.budget)? {
            Some(value) => Ok(value),
            None => self.pool.op(op, arguments),
        }
    }

    /// The value of a limit on a number.
    pub(super) fn limit(&self, limit: Limit) -> usize {
        self.budget.limit(limit)
    }

    pub(super) fn int(&mut self, number: impl Into<BigInt>) -> BuildResult {
        constants::integer(self.pool, number.into())
    }

    pub(super) fn text(&mut self, characters: &[CodePoint]) -> BuildResult {
        self.pool.string(characters.into())
    }

    pub(super) fn len(&mut self, term: TermId) -> BuildResult {
        self.op(Op::StrLen, &[term])
    }

    pub(super) fn eq(&mut self, left: TermId, right: TermId) -> BuildResult {
        self.op(Op::Eq, &[left, right])
    }

    pub(super) fn not(&mut self, formula: TermId) -> BuildResult {
        self.op(Op::Not, &[formula])
    }

    pub(super) fn implies(&mut self, premise: TermId, conclusion: TermId) -> BuildResult {
        self.op(Op::Implies, &[premise, conclusion])
    }

    /// The sum of the lengths of some strings.
    pub(super) fn total_length(&mut self, parts: &[TermId]) -> BuildResult {
        let lengths = parts.iter().map(|&part| self.len(part)).collect::<BuildResult<Vec<_>>>()?;
        self.op(Op::Add, &lengths)
    }

    /// The arguments of a concatenation, flattened; of any other string itself; of `""` none.
    pub(super) fn parts(&self, term: TermId) -> Vec<TermId> {
        let (mut parts, mut stack) = (Vec::new(), vec![term]);
        while let Some(term) = stack.pop() {
            match self.pool.term(term) {
                Term::Op(Op::StrConcat, children) => stack.extend(children.iter().rev()),
                Term::String(text) if text.is_empty() => {}
                _ => parts.push(term),
            }
        }
        parts
    }

    /// A concatenation in normal form: flat, adjacent literals joined, no empty arguments.
    pub(super) fn concat(&mut self, terms: &[TermId]) -> BuildResult {
        let mut parts: Vec<TermId> = Vec::new();
        for part in terms.iter().flat_map(|&term| self.parts(term)).collect::<Vec<_>>() {
            if let Some(&last) = parts.last()
                && let Some(joined) =
                    constants::evaluate(self.pool, Op::StrConcat, &[last, part], self.budget)?
            {
                parts.pop();
                parts.push(joined);
                continue;
            }
            parts.push(part);
        }
        match parts[..] {
            [] => self.text(&[]),
            [only] => Ok(only),
            _ => self.pool.op(Op::StrConcat, &parts),
        }
    }
}
