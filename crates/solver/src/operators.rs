//! Boolean and integer operators in the language of the arithmetic solver, with their exact
//! meaning.
//!
//! Every engine that uses the arithmetic solver translates this structure in the same way; they
//! differ in their treatment of strings. Division by unknowns or by zero, products of very large
//! numerals and, in [`linear`], products of unknowns have no translation here; the caller abstracts
//! them.

use luthier_terms::{BigInt, Op};
use num_traits::Zero;

use crate::arithmetic::{Arena, Id, Node, Sort};

/// The translation of an operator applied to translated arguments. `None` if it is not an operator
/// of Booleans and integers, if it is a product or quotient of unknowns, or a product of more than
/// `product_bits` bits.
pub fn linear(arena: &mut Arena, op: Op, parts: &[Id], product_bits: usize) -> Option<Id> {
    Some(match (op, parts) {
        (Op::True, _) => arena.bool(true),
        (Op::False, _) => arena.bool(false),
        (Op::Not, &[inner]) => arena.not(inner),
        (Op::And, _) => arena.and(parts),
        (Op::Or, _) => arena.or(parts),
        (Op::Implies, [premises @ .., last]) => {
            premises.iter().rev().fold(*last, |rest, &premise| arena.implies(premise, rest))
        }
        (Op::Xor, [first, rest @ ..]) => rest.iter().fold(*first, |left, &right| {
            let same = arena.iff(left, right);
            arena.not(same)
        }),
        (Op::Eq, _) => chain(arena, parts, Arena::eq),
        // Three Booleans are never pairwise distinct.
        (Op::Distinct, &[first, _, _, ..]) if arena.sort_of(first) == Sort::Bool => {
            arena.bool(false)
        }
        (Op::Distinct, _) => arena.distinct(parts),
        (Op::Ite, &[condition, then, other]) => arena.ite(condition, then, other),
        (Op::Neg, &[inner]) => arena.neg(inner),
        (Op::Add, _) => arena.add(parts),
        (Op::Sub, [first, rest @ ..]) => {
            let rest = arena.add(rest);
            arena.sub(*first, rest)
        }
        (Op::Mul, _) => {
            if is_large(arena, parts, product_bits) {
                return None;
            }
            let mut factor = BigInt::from(1);
            let mut others = Vec::new();
            for &part in parts {
                match number(arena, part) {
                    Some(number) => factor *= number,
                    None => others.push(part),
                }
            }
            match others[..] {
                [] => arena.int(factor),
                [only] => arena.scale(factor, only),
                _ => return None,
            }
        }
        (Op::Div, &[inner, by]) => {
            let by = divisor(arena, by)?;
            arena.div(inner, by)
        }
        (Op::Mod, &[inner, by]) => {
            let by = divisor(arena, by)?;
            arena.modulo(inner, by)
        }
        (Op::Divisible, &[by, inner]) => {
            let by = divisor(arena, by)?;
            let (rest, zero) = (arena.modulo(inner, by), arena.int(0));
            arena.eq(rest, zero)
        }
        (Op::Abs, &[inner]) => {
            let zero = arena.int(0);
            let (natural, negated) = (arena.ge(inner, zero), arena.neg(inner));
            arena.ite(natural, inner, negated)
        }
        (Op::Le, _) => chain(arena, parts, Arena::le),
        (Op::Lt, _) => chain(arena, parts, Arena::lt),
        (Op::Ge, _) => chain(arena, parts, Arena::ge),
        (Op::Gt, _) => chain(arena, parts, Arena::gt),
        _ => return None,
    })
}

/// As [`linear`], with products of unknowns.
pub fn polynomial(arena: &mut Arena, op: Op, parts: &[Id], product_bits: usize) -> Option<Id> {
    match op {
        Op::Mul if is_large(arena, parts, product_bits) => None,
        Op::Mul => parts.iter().copied().reduce(|left, right| arena.mul(left, right)),
        _ => linear(arena, op, parts, product_bits),
    }
}

/// A chainable relation: it holds between each two neighbours.
fn chain(arena: &mut Arena, parts: &[Id], relation: fn(&mut Arena, Id, Id) -> Id) -> Id {
    let pairs: Vec<Id> = parts.windows(2).map(|pair| relation(arena, pair[0], pair[1])).collect();
    arena.and(&pairs)
}

fn number(arena: &Arena, part: Id) -> Option<BigInt> {
    match arena.node(part) {
        Node::Int(number) => Some(number.clone()),
        _ => None,
    }
}

/// Whether the numbers among some factors have a product that takes too long to compute.
fn is_large(arena: &Arena, parts: &[Id], product_bits: usize) -> bool {
    let bits = parts.iter().map(|&part| match arena.node(part) {
        Node::Int(number) => number.bits(),
        _ => 0,
    });
    bits.sum::<u64>() > product_bits as u64
}

/// A divisor other than zero: SMT-LIB leaves quotients by zero uninterpreted.
fn divisor(arena: &Arena, part: Id) -> Option<BigInt> {
    number(arena, part).filter(|number| !number.is_zero())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_computed() {
        let mut arena = Arena::new();
        let cases: [(Op, &[i64], i64); 8] = [
            (Op::Add, &[1, 2, 3], 6),
            (Op::Sub, &[10, 2, 3], 5),
            (Op::Mul, &[2, 3, -4], -24),
            (Op::Div, &[-7, 2], -4),
            (Op::Div, &[-7, -2], 4),
            (Op::Mod, &[-7, -2], 1),
            (Op::Abs, &[-3], 3),
            (Op::Neg, &[3], -3),
        ];
        for (op, arguments, expected) in cases {
            let parts: Vec<Id> = arguments.iter().map(|&one| arena.int(one)).collect();
            let expected = arena.int(expected);
            assert_eq!(
                linear(&mut arena, op, &parts, 1000),
                Some(expected),
                "{op:?} {arguments:?}"
            );
        }
    }

    #[test]
    fn chains_and_truth_values_are_decided() {
        let mut arena = Arena::new();
        let [one, two] = [1, 2].map(|number| arena.int(number));
        let [yes, no] = [true, false].map(|value| arena.bool(value));
        let open = arena.fresh_bool("open");
        let cases: [(Op, &[Id], Id); 9] = [
            (Op::Lt, &[one, two], yes),
            (Op::Lt, &[one, two, two], no),
            (Op::Le, &[one, two, two], yes),
            (Op::Distinct, &[one, two, one], no),
            (Op::Distinct, &[open, yes, no], no),
            (Op::Xor, &[yes, yes, yes], yes),
            (Op::Implies, &[yes, no, no], yes),
            (Op::Implies, &[yes, yes, no], no),
            (Op::Divisible, &[two, one], no),
        ];
        for (op, parts, expected) in cases {
            assert_eq!(linear(&mut arena, op, parts, 1000), Some(expected), "{op:?}");
        }
    }

    #[test]
    fn products_of_unknowns_and_quotients_by_zero_are_not_linear() {
        let mut arena = Arena::new();
        let (x, y) = (arena.fresh_int("x"), arena.fresh_int("y"));
        let zero = arena.int(0);
        for (op, parts) in [(Op::Mul, [x, y]), (Op::Div, [x, y]), (Op::Div, [x, zero])] {
            assert_eq!(linear(&mut arena, op, &parts, 1000), None, "{op:?}");
        }
        let product = arena.mul(x, y);
        assert_eq!(polynomial(&mut arena, Op::Mul, &[x, y], 1000), Some(product));
        assert_eq!(linear(&mut arena, Op::StrLen, &[x], 1000), None);
    }
}
