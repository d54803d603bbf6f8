//! Variants of literals as concatenations and sums.

use luthier_terms::{BigInt, Op, Sign, SmtString, Term, TermId, TermPool};

use super::Variant;
use super::frame::Frame;
use super::rewrite::rewrite_some;
use crate::Dice;

/// `"ab" ⇒ (str.++ "a" "b")`, `5 ⇒ (+ 2 3)` or `(- 7 2)`.
pub(super) fn split(pool: &mut TermPool, frame: &Frame<'_>, dice: &mut Dice) -> Option<Variant> {
    let can = |pool: &TermPool, term: TermId| {
        matches!(pool.term(term), Term::String(_) | Term::Integer(_))
    };
    rewrite_some(pool, frame, dice, can, |pool, term, dice| match pool.term(term) {
        Term::String(text) => {
            let text = text.clone();
            split_string(pool, &text, dice)
        }
        Term::Integer(number) => {
            let number = number.clone();
            split_number(pool, &number, dice)
        }
        _ => Some(term),
    })
}

fn split_string(pool: &mut TermPool, text: &SmtString, dice: &mut Dice) -> Option<TermId> {
    let characters = text.as_slice();
    // Mostly both parts are nonempty, where that is possible.
    let inside = characters.len().saturating_sub(1);
    let position = if inside > 0 && dice.percent(90) {
        1 + dice.below(inside)
    } else {
        dice.pick(&[0, characters.len()])
    };
    let (left, right) = characters.split_at(position);
    let left = pool.string(left.into()).ok()?;
    let right = pool.string(right.into()).ok()?;
    pool.op(Op::StrConcat, &[left, right]).ok()
}

fn split_number(pool: &mut TermPool, number: &BigInt, dice: &mut Dice) -> Option<TermId> {
    // Only numerals: a minus is an operator.
    let numeral = |pool: &mut TermPool, number: BigInt| match number.sign() {
        Sign::Minus => {
            let positive = pool.integer(-number).ok()?;
            pool.op(Op::Neg, &[positive]).ok()
        }
        _ => pool.integer(number).ok(),
    };
    let other = BigInt::from(dice.pick(&[0, 1, 1, 2, 3, 10]));
    if dice.percent(50) {
        let first = numeral(pool, number - &other)?;
        let second = numeral(pool, other)?;
        pool.op(Op::Add, &[first, second]).ok()
    } else {
        let first = numeral(pool, number + &other)?;
        let second = numeral(pool, other)?;
        pool.op(Op::Sub, &[first, second]).ok()
    }
}
