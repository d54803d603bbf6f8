//! Linear forms `c + Σ cᵢ·tᵢ` over integer terms: the canonical form of `+`, `-` and multiplication
//! by numerals.

use std::collections::BTreeMap;

use luthier_terms::{BigInt, Op, Term, TermId, TermPool};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// `constant + Σ coefficient · term`; no coefficient is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Linear {
    /// The constant.
    pub constant: BigInt,
    /// The coefficient of each term.
    pub terms: BTreeMap<TermId, BigInt>,
}

impl Linear {
    /// A number.
    pub fn number(number: impl Into<BigInt>) -> Self {
        Self { constant: number.into(), terms: BTreeMap::new() }
    }

    /// A term as an atom of the form.
    pub fn atom(term: TermId) -> Self {
        Self { constant: BigInt::ZERO, terms: BTreeMap::from([(term, BigInt::one())]) }
    }

    /// The form of an integer term. A product of two terms, or of numerals of more than
    /// `product_bits` bits, is one opaque term.
    pub fn of(pool: &TermPool, term: TermId, product_bits: usize) -> Self {
        let product_bits = product_bits as u64;
        let mut form = Self::default();
        // Parents have larger ids than their children, so the coefficient of the largest term is
        // final: a shared term is expanded once.
        let mut open = BTreeMap::from([(term, BigInt::one())]);
        let add = |open: &mut BTreeMap<TermId, BigInt>, child: TermId, factor: &BigInt| {
            *open.entry(child).or_default() += factor;
        };
        while let Some((term, factor)) = open.pop_last() {
            match pool.term(term) {
                Term::Integer(number) => form.constant += number * &factor,
                Term::Op(Op::Add, children) => {
                    children.iter().for_each(|&child| add(&mut open, child, &factor));
                }
                Term::Op(Op::Neg, [child]) => add(&mut open, *child, &-factor),
                Term::Op(Op::Sub, [first, rest @ ..]) => {
                    add(&mut open, *first, &factor);
                    let opposite = -factor;
                    rest.iter().for_each(|&child| add(&mut open, child, &opposite));
                }
                Term::Op(Op::Mul, children) => match scaled(pool, children, product_bits) {
                    Some((number, _)) if number.bits() + factor.bits() > product_bits => {
                        form.add_term(term, &factor);
                    }
                    Some((number, Some(child))) => add(&mut open, child, &(factor * number)),
                    Some((number, None)) => form.constant += factor * number,
                    None => form.add_term(term, &factor),
                },
                _ => form.add_term(term, &factor),
            }
        }
        form
    }

    /// Adds a multiple of a term.
    pub fn add_term(&mut self, term: TermId, factor: &BigInt) {
        let coefficient = self.terms.entry(term).or_default();
        *coefficient += factor;
        if coefficient.is_zero() {
            self.terms.remove(&term);
        }
    }

    /// This plus a multiple of another form.
    pub fn plus(&self, other: &Self, factor: &BigInt) -> Self {
        let mut sum = self.clone();
        sum.constant += &other.constant * factor;
        for (&term, coefficient) in &other.terms {
            sum.add_term(term, &(coefficient * factor));
        }
        sum
    }

    /// The difference of two forms.
    pub fn minus(&self, other: &Self) -> Self {
        self.plus(other, &-BigInt::one())
    }

    /// This plus a number.
    pub fn shifted(&self, number: impl Into<BigInt>) -> Self {
        let mut sum = self.clone();
        sum.constant += number.into();
        sum
    }

    /// The negated form.
    pub fn negated(&self) -> Self {
        Self::default().minus(self)
    }

    /// The number, if there are no terms.
    pub fn as_number(&self) -> Option<&BigInt> {
        self.terms.is_empty().then_some(&self.constant)
    }

    /// The greatest common divisor of the coefficients; zero if there are none.
    pub fn divisor(&self) -> BigInt {
        self.terms.values().fold(BigInt::ZERO, |divisor, factor| divisor.gcd(factor))
    }

    /// Whether the coefficient of the oldest term is negative.
    pub fn leads_negative(&self) -> bool {
        self.terms.values().next().is_some_and(Signed::is_negative)
    }

    /// The term of this form.
    pub fn build(&self, pool: &mut TermPool) -> Option<TermId> {
        let mut sum = Vec::with_capacity(self.terms.len() + 1);
        for (&term, factor) in &self.terms {
            sum.push(if factor.is_one() {
                term
            } else {
                let factor = pool.integer(factor.clone()).ok()?;
                pool.op(Op::Mul, &[factor, term]).ok()?
            });
        }
        if !self.constant.is_zero() || sum.is_empty() {
            sum.push(pool.integer(self.constant.clone()).ok()?);
        }
        match *sum {
            [only] => Some(only),
            _ => pool.op(Op::Add, &sum).ok(),
        }
    }
}

/// The product of numerals with at most one other term; `None` if it is too large.
fn scaled(
    pool: &TermPool,
    children: &[TermId],
    product_bits: u64,
) -> Option<(BigInt, Option<TermId>)> {
    let mut number = BigInt::one();
    let mut other = None;
    for &child in children {
        match pool.as_integer(child) {
            Some(factor) if number.bits() + factor.bits() > product_bits => return None,
            Some(factor) => number *= factor,
            None if other.is_none() => other = Some(child),
            None => return None,
        }
    }
    if number.is_zero() {
        other = None;
    }
    Some((number, other))
}
