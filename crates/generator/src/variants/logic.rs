//! Variants by equivalent formulas: double negation, De Morgan's laws, connectives by other
//! connectives, comparisons from right to left.

use luthier_terms::{Op, Sort, Term, TermId, TermPool};

use super::Variant;
use super::frame::Frame;
use super::rewrite::{all_not, folded, not, rewrite_some};
use crate::Dice;

/// More arguments than this are not compared pair by pair.
const MOST_PAIRED: usize = 5;

/// `a ⇒ (not (not a))`, `n ⇒ (- (- n))`.
pub(super) fn double_negation(
    pool: &mut TermPool,
    frame: &Frame<'_>,
    dice: &mut Dice,
) -> Option<Variant> {
    let can = |pool: &TermPool, term: TermId| matches!(pool.sort(term), Sort::Bool | Sort::Int);
    rewrite_some(pool, frame, dice, can, |pool, term, _| {
        let op = if pool.sort(term) == Sort::Bool { Op::Not } else { Op::Neg };
        let once = pool.op(op, &[term]).ok()?;
        pool.op(op, &[once]).ok()
    })
}

/// `(and a b) ⇒ (not (or (not a) (not b)))`, and with `and` and `or` exchanged.
pub(super) fn de_morgan(
    pool: &mut TermPool,
    frame: &Frame<'_>,
    dice: &mut Dice,
) -> Option<Variant> {
    rewrite_some(
        pool,
        frame,
        dice,
        |pool, term| matches!(pool.term(term), Term::Op(Op::And | Op::Or, _)),
        |pool, term, _| {
            let Term::Op(op, children) = pool.term(term) else { return Some(term) };
            let other = if op == Op::And { Op::Or } else { Op::And };
            let children = children.to_vec();
            let opposites = all_not(pool, &children)?;
            let inner = pool.op(other, &opposites).ok()?;
            not(pool, inner)
        },
    )
}

/// Each connective by others.
pub(super) fn implications(
    pool: &mut TermPool,
    frame: &Frame<'_>,
    dice: &mut Dice,
) -> Option<Variant> {
    let can = |pool: &TermPool, term: TermId| match pool.term(term) {
        Term::Op(Op::Implies | Op::Or | Op::And | Op::Xor | Op::Distinct, _) => true,
        Term::Op(Op::Eq, children) => pool.sort(children[0]) == Sort::Bool && children.len() == 2,
        Term::Op(Op::Ite, _) => pool.sort(term) == Sort::Bool,
        _ => false,
    };
    rewrite_some(pool, frame, dice, can, by_others)
}

fn by_others(pool: &mut TermPool, term: TermId, dice: &mut Dice) -> Option<TermId> {
    let Term::Op(op, children) = pool.term(term) else { return Some(term) };
    let children = children.to_vec();
    match (op, &children[..]) {
        // (=> a b c) ⇒ (or (not a) (not b) c)
        (Op::Implies, [premises @ .., conclusion]) => {
            let mut parts = all_not(pool, premises)?;
            parts.push(*conclusion);
            pool.op(Op::Or, &parts).ok()
        }
        // (or a b c) ⇒ (=> (not a) (or b c))
        (Op::Or, [first, rest @ ..]) => {
            let (premise, conclusion) = (not(pool, *first)?, folded(pool, Op::Or, rest)?);
            pool.op(Op::Implies, &[premise, conclusion]).ok()
        }
        // (and a b c) ⇒ (ite a (and b c) false)
        (Op::And, [first, rest @ ..]) => {
            let (rest, no) = (folded(pool, Op::And, rest)?, pool.bool(false).ok()?);
            pool.op(Op::Ite, &[*first, rest, no]).ok()
        }
        // (xor a b c) ⇒ (distinct (distinct a b) c)
        (Op::Xor, [first, rest @ ..]) => {
            let mut result = *first;
            for &next in rest {
                result = if dice.percent(50) {
                    pool.op(Op::Distinct, &[result, next]).ok()?
                } else {
                    let same = pool.op(Op::Eq, &[result, next]).ok()?;
                    not(pool, same)?
                };
            }
            Some(result)
        }
        // (= a b) ⇒ (and (=> a b) (=> b a))
        (Op::Eq, &[a, b]) if pool.sort(a) == Sort::Bool => {
            let there = pool.op(Op::Implies, &[a, b]).ok()?;
            let back = pool.op(Op::Implies, &[b, a]).ok()?;
            pool.op(Op::And, &[there, back]).ok()
        }
        // (distinct a b c) ⇒ (and (not (= a b)) (not (= a c)) (not (= b c)))
        (Op::Distinct, all) if all.len() <= MOST_PAIRED => {
            let mut pairs = Vec::new();
            for (position, &one) in all.iter().enumerate() {
                for &other in &all[position + 1..] {
                    let same = pool.op(Op::Eq, &[one, other]).ok()?;
                    pairs.push(not(pool, same)?);
                }
            }
            folded(pool, Op::And, &pairs)
        }
        // (ite c a b) ⇒ (and (=> c a) (=> (not c) b))
        (Op::Ite, &[condition, then, other]) => {
            let opposite = not(pool, condition)?;
            let first = pool.op(Op::Implies, &[condition, then]).ok()?;
            let second = pool.op(Op::Implies, &[opposite, other]).ok()?;
            pool.op(Op::And, &[first, second]).ok()
        }
        _ => Some(term),
    }
}

/// `(= a b) ⇒ (= b a)`, `(< a b) ⇒ (> b a)` or `(not (>= a b))`, and so on.
pub(super) fn flipped(pool: &mut TermPool, frame: &Frame<'_>, dice: &mut Dice) -> Option<Variant> {
    let can = |pool: &TermPool, term: TermId| match pool.term(term) {
        Term::Op(Op::Eq | Op::Le | Op::Lt | Op::Ge | Op::Gt, _) => true,
        Term::Op(Op::StrLt | Op::StrLe, children) => children.len() == 2,
        _ => false,
    };
    rewrite_some(pool, frame, dice, can, |pool, term, dice| {
        let Term::Op(op, children) = pool.term(term) else { return Some(term) };
        let mut children = children.to_vec();
        let opposite = match op {
            Op::Lt => Op::Ge,
            Op::Le => Op::Gt,
            Op::Gt => Op::Le,
            Op::Ge => Op::Lt,
            // The order of strings has no other direction, so its arguments change places.
            Op::StrLt => Op::StrLe,
            Op::StrLe => Op::StrLt,
            _ => Op::Eq,
        };
        match (op, children.len()) {
            (Op::StrLt | Op::StrLe, _) => {
                children.reverse();
                let other = pool.op(opposite, &children).ok()?;
                not(pool, other)
            }
            (Op::Lt | Op::Le | Op::Gt | Op::Ge, 2) if dice.percent(40) => {
                let other = pool.op(opposite, &children).ok()?;
                not(pool, other)
            }
            // Equal integers are neither less nor greater.
            (Op::Eq, 2) if pool.sort(children[0]) == Sort::Int && dice.percent(30) => {
                let below = pool.op(Op::Le, &children).ok()?;
                let above = pool.op(Op::Ge, &children).ok()?;
                pool.op(Op::And, &[below, above]).ok()
            }
            _ => {
                children.reverse();
                let reversed = match op {
                    Op::Lt => Op::Gt,
                    Op::Le => Op::Ge,
                    Op::Gt => Op::Lt,
                    Op::Ge => Op::Le,
                    _ => Op::Eq,
                };
                pool.op(reversed, &children).ok()
            }
        }
    })
}
