//! Constructors of arithmetic formulas, with constant folding and normalisation.
//!
//! Sums are normalised to sorted linear combinations, so that differences of positions often
//! vanish; conjunctions and disjunctions are sorted, without repetition and complements. Long sums
//! and nested junctions are not flattened, because building them step by step would be quadratic.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};

use super::arena::{Arena, FnId, Id, Kind, Node, Sort};

/// Sums with more terms are not flattened: building one step by step would take quadratic time and
/// space.
const MAX_FLATTENED_TERMS: usize = 8;

impl Arena {
    /// `true` or `false`.
    pub fn bool(&mut self, value: bool) -> Id {
        self.intern(if value { Kind::True } else { Kind::False }, Sort::Bool, &[])
    }

    /// A number.
    pub fn int(&mut self, number: impl Into<BigInt>) -> Id {
        let number = self.number(number.into());
        self.intern(Kind::Int(number), Sort::Int, &[])
    }

    /// A new integer constant. The hint is part of its printed name.
    pub fn fresh_int(&mut self, hint: &str) -> Id {
        let function = self.function(hint, &[], Sort::Int);
        self.apply(function, &[])
    }

    /// A new Boolean constant. The hint is part of its printed name.
    pub fn fresh_bool(&mut self, hint: &str) -> Id {
        let function = self.function(hint, &[], Sort::Bool);
        self.apply(function, &[])
    }

    /// A function applied to its arguments.
    pub fn apply(&mut self, function: FnId, arguments: &[Id]) -> Id {
        let data = self.function_data(function);
        debug_assert!(
            data.parameters.iter().copied().eq(arguments.iter().map(|&id| self.sort_of(id))),
            "wrong arguments of {}",
            data.name
        );
        let result = data.result;
        self.intern(Kind::Apply(function), result, arguments)
    }

    /// Negation.
    pub fn not(&mut self, formula: Id) -> Id {
        debug_assert_eq!(self.sort_of(formula), Sort::Bool);
        match self.node(formula) {
            Node::Bool(value) => self.bool(!value),
            Node::Not(inner) => inner,
            _ => self.intern(Kind::Not, Sort::Bool, &[formula]),
        }
    }

    /// Conjunction.
    pub fn and(&mut self, parts: &[Id]) -> Id {
        self.junction(parts, true)
    }

    /// Disjunction.
    pub fn or(&mut self, parts: &[Id]) -> Id {
        self.junction(parts, false)
    }

    /// Implication.
    pub fn implies(&mut self, premise: Id, conclusion: Id) -> Id {
        let refuted = self.not(premise);
        self.or(&[refuted, conclusion])
    }

    /// Equivalence.
    pub fn iff(&mut self, left: Id, right: Id) -> Id {
        self.eq(left, right)
    }

    /// If-then-else, of any sort.
    pub fn ite(&mut self, condition: Id, then: Id, other: Id) -> Id {
        debug_assert_eq!(self.sort_of(then), self.sort_of(other));
        if then == other {
            return then;
        }
        match self.node(condition) {
            Node::Bool(true) => return then,
            Node::Bool(false) => return other,
            Node::Not(inner) => return self.ite_of(inner, other, then),
            _ => {}
        }
        self.ite_of(condition, then, other)
    }

    /// Equality of two terms of the same sort.
    pub fn eq(&mut self, left: Id, right: Id) -> Id {
        debug_assert_eq!(self.sort_of(left), self.sort_of(right));
        if left == right {
            return self.bool(true);
        }
        match (self.node(left), self.node(right)) {
            (Node::Int(_), Node::Int(_)) => return self.bool(false),
            (Node::Bool(true), _) => return right,
            (_, Node::Bool(true)) => return left,
            (Node::Bool(false), _) => return self.not(right),
            (_, Node::Bool(false)) => return self.not(left),
            (Node::Not(inner), _) if inner == right => return self.bool(false),
            (_, Node::Not(inner)) if inner == left => return self.bool(false),
            _ => {}
        }
        self.intern(Kind::Eq, Sort::Bool, &[left.min(right), left.max(right)])
    }

    /// A sum; the empty one is zero. Short sums among the arguments are flattened and like terms
    /// combined, so that differences of positions often vanish.
    pub fn add(&mut self, parts: &[Id]) -> Id {
        let mut constant = BigInt::zero();
        let mut others: Vec<(Id, BigInt)> = Vec::with_capacity(parts.len() + 1);
        for &part in parts {
            match self.node(part) {
                Node::Add(inner) if inner.len() <= MAX_FLATTENED_TERMS => {
                    for &term in inner {
                        self.collect(term, &BigInt::one(), &mut constant, &mut others);
                    }
                }
                Node::Scale(factor, sum) => match self.node(sum) {
                    Node::Add(inner) if inner.len() <= MAX_FLATTENED_TERMS => {
                        for &term in inner {
                            self.collect(term, factor, &mut constant, &mut others);
                        }
                    }
                    _ => others.push((sum, factor.clone())),
                },
                _ => self.collect(part, &BigInt::one(), &mut constant, &mut others),
            }
        }
        others.sort_unstable_by_key(|&(term, _)| term);
        let mut sum: Vec<Id> = Vec::with_capacity(others.len() + 1);
        let mut rest = others.into_iter().peekable();
        while let Some((term, mut factor)) = rest.next() {
            while let Some((_, more)) = rest.next_if(|&(other, _)| other == term) {
                factor += more;
            }
            if !factor.is_zero() {
                sum.push(self.scale(factor, term));
            }
        }
        if !constant.is_zero() || sum.is_empty() {
            sum.push(self.int(constant));
        }
        if let [only] = sum[..] {
            return only;
        }
        sum.sort_unstable();
        self.intern(Kind::Add, Sort::Int, &sum)
    }

    /// Adds a multiple of a term that is not a sum to a linear combination.
    fn collect(
        &self,
        term: Id,
        factor: &BigInt,
        constant: &mut BigInt,
        others: &mut Vec<(Id, BigInt)>,
    ) {
        match self.node(term) {
            Node::Int(number) => *constant += factor * number,
            Node::Scale(inner, term) => others.push((term, factor * inner)),
            _ => others.push((term, factor.clone())),
        }
    }

    /// Difference.
    pub fn sub(&mut self, left: Id, right: Id) -> Id {
        if left == right {
            return self.int(0);
        }
        let negated = self.neg(right);
        self.add(&[left, negated])
    }

    /// The negative of a term.
    pub fn neg(&mut self, term: Id) -> Id {
        self.scale(-1, term)
    }

    /// A constant times a term.
    pub fn scale(&mut self, factor: impl Into<BigInt>, term: Id) -> Id {
        let factor = factor.into();
        debug_assert_eq!(self.sort_of(term), Sort::Int);
        let (factor, term) = match self.node(term) {
            Node::Int(number) => {
                let product = factor * number;
                return self.int(product);
            }
            Node::Scale(inner, term) => (factor * inner, term),
            _ => (factor, term),
        };
        if factor.is_zero() {
            return self.int(0);
        }
        if factor.is_one() {
            return term;
        }
        let factor = self.number(factor);
        self.intern(Kind::Scale(factor), Sort::Int, &[term])
    }

    /// A product, possibly nonlinear.
    pub fn mul(&mut self, left: Id, right: Id) -> Id {
        match (self.node(left), self.node(right)) {
            (Node::Int(factor), _) => {
                let factor = factor.clone();
                self.scale(factor, right)
            }
            (_, Node::Int(factor)) => {
                let factor = factor.clone();
                self.scale(factor, left)
            }
            _ => self.intern(Kind::Mul, Sort::Int, &[left.min(right), left.max(right)]),
        }
    }

    /// `left >= right`
    pub fn ge(&mut self, left: Id, right: Id) -> Id {
        if left == right {
            return self.bool(true);
        }
        if let (Node::Int(left), Node::Int(right)) = (self.node(left), self.node(right)) {
            let value = left >= right;
            return self.bool(value);
        }
        self.intern(Kind::Ge, Sort::Bool, &[left, right])
    }

    /// `left > right`
    pub fn gt(&mut self, left: Id, right: Id) -> Id {
        let at_most = self.ge(right, left);
        self.not(at_most)
    }

    /// `left <= right`
    pub fn le(&mut self, left: Id, right: Id) -> Id {
        self.ge(right, left)
    }

    /// `left < right`
    pub fn lt(&mut self, left: Id, right: Id) -> Id {
        let at_least = self.ge(left, right);
        self.not(at_least)
    }

    /// Euclidean division by a constant. By zero it is an uninterpreted function, as in SMT-LIB.
    pub fn div(&mut self, term: Id, divisor: impl Into<BigInt>) -> Id {
        let divisor = divisor.into();
        if divisor.is_one() {
            return term;
        }
        if let (Node::Int(number), false) = (self.node(term), divisor.is_zero()) {
            let quotient = euclid(number, &divisor).0;
            return self.int(quotient);
        }
        let divisor = self.number(divisor);
        self.intern(Kind::Div(divisor), Sort::Int, &[term])
    }

    /// The remainder of [`Self::div`].
    pub fn modulo(&mut self, term: Id, divisor: impl Into<BigInt>) -> Id {
        let divisor = divisor.into();
        if divisor.is_one() {
            return self.int(0);
        }
        if let (Node::Int(number), false) = (self.node(term), divisor.is_zero()) {
            let remainder = euclid(number, &divisor).1;
            return self.int(remainder);
        }
        let divisor = self.number(divisor);
        self.intern(Kind::Mod(divisor), Sort::Int, &[term])
    }

    /// The terms are pairwise distinct.
    pub fn distinct(&mut self, parts: &[Id]) -> Id {
        let mut sorted = parts.to_vec();
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            return self.bool(false);
        }
        match sorted[..] {
            [] | [_] => self.bool(true),
            [left, right] => {
                let equal = self.eq(left, right);
                self.not(equal)
            }
            _ if sorted.iter().all(|&part| matches!(self.node(part), Node::Int(_))) => {
                self.bool(true)
            }
            _ => self.intern(Kind::Distinct, Sort::Bool, &sorted),
        }
    }

    /// A universal quantifier. The variables are integer constants that must not occur outside of
    /// the body.
    pub fn forall_int(&mut self, variables: &[Id], body: Id) -> Id {
        debug_assert!(
            variables.iter().all(|&variable| matches!(self.node(variable), Node::Apply(_, []))
                && self.sort_of(variable) == Sort::Int)
        );
        if variables.is_empty() || matches!(self.node(body), Node::Bool(_)) {
            return body;
        }
        let children: Vec<Id> = variables.iter().copied().chain([body]).collect();
        self.intern(Kind::Forall, Sort::Bool, &children)
    }

    fn ite_of(&mut self, condition: Id, then: Id, other: Id) -> Id {
        match (self.node(then), self.node(other)) {
            (Node::Bool(true), Node::Bool(false)) => condition,
            (Node::Bool(false), Node::Bool(true)) => self.not(condition),
            (Node::Bool(true), _) => self.or(&[condition, other]),
            (_, Node::Bool(false)) => self.and(&[condition, then]),
            (Node::Bool(false), _) => {
                let refuted = self.not(condition);
                self.and(&[refuted, other])
            }
            (_, Node::Bool(true)) => self.implies(condition, then),
            _ => self.intern(Kind::Ite, self.sort_of(then), &[condition, then, other]),
        }
    }

    /// Conjunction (neutral element true) or disjunction (neutral element false). Nested ones are
    /// not flattened: a long chain built step by step would take quadratic space.
    fn junction(&mut self, parts: &[Id], neutral: bool) -> Id {
        let mut kept = Vec::with_capacity(parts.len());
        for &part in parts {
            debug_assert_eq!(self.sort_of(part), Sort::Bool);
            match self.node(part) {
                Node::Bool(value) if value == neutral => {}
                Node::Bool(value) => return self.bool(value),
                _ => kept.push(part),
            }
        }
        kept.sort_unstable();
        kept.dedup();
        let complementary = kept.iter().any(|&part| match self.node(part) {
            Node::Not(inner) => kept.binary_search(&inner).is_ok(),
            _ => false,
        });
        match kept[..] {
            _ if complementary => self.bool(!neutral),
            [] => self.bool(neutral),
            [only] => only,
            _ => self.intern(if neutral { Kind::And } else { Kind::Or }, Sort::Bool, &kept),
        }
    }
}

/// Quotient and remainder with a remainder that is not negative. The divisor is not zero.
pub(super) fn euclid(number: &BigInt, divisor: &BigInt) -> (BigInt, BigInt) {
    let remainder = number.mod_floor(&BigInt::from(divisor.magnitude().clone()));
    ((number - &remainder) / divisor, remainder)
}
