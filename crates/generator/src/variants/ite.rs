//! Variants by `ite`: lifting an `ite` above an operator, and wrapping an assertion into an `ite`
//! with two equivalent branches.

use luthier_smtlib::{Assertion, CommandKind};
use luthier_terms::{Op, Sort, Term, TermId, TermPool};

use super::frame::{Edits, Frame};
use super::rewrite::{not, rewrite_some};
use super::{FreshValue, Variant};
use crate::Dice;

/// `(f (ite c a b)) ⇒ (ite c (f a) (f b))`. The result is never a language, since few solvers support `ite`
/// over languages.
pub(super) fn lifted(pool: &mut TermPool, frame: &Frame<'_>, dice: &mut Dice) -> Option<Variant> {
    let can = |pool: &TermPool, term: TermId| {
        pool.sort(term) != Sort::RegLan && !choices(pool, term).is_empty()
    };
    rewrite_some(pool, frame, dice, can, |pool, term, dice| {
        let choices = choices(pool, term);
        if choices.is_empty() {
            return Some(term);
        }
        let position = dice.pick(&choices);
        let Term::Op(op, children) = pool.term(term) else { return Some(term) };
        let Term::Op(Op::Ite, &[condition, then, other]) = pool.term(children[position]) else {
            return Some(term);
        };
        let mut children = children.to_vec();
        children[position] = then;
        let then = pool.op(op, &children).ok()?;
        children[position] = other;
        let other = pool.op(op, &children).ok()?;
        pool.op(Op::Ite, &[condition, then, other]).ok()
    })
}

/// The positions of arguments that are an `ite`.
fn choices(pool: &TermPool, term: TermId) -> Vec<usize> {
    let is_choice = |part: TermId| matches!(pool.term(part), Term::Op(Op::Ite, _));
    match pool.term(term) {
        Term::Op(Op::ConstArray, _) => Vec::new(),
        Term::Op(_, children) => {
            (0..children.len()).filter(|&position| is_choice(children[position])).collect()
        }
        _ => Vec::new(),
    }
}

/// `(assert A) ⇒ (assert (ite p A A'))` where p is new and A' is equivalent to A.
pub(super) fn wrapped(pool: &mut TermPool, frame: &Frame<'_>, dice: &mut Dice) -> Option<Variant> {
    let mut edits = Edits::new();
    let mut fresh = Vec::new();
    let always = dice.below(frame.active.len());
    let mut names = frame.names();
    for (position, &(number, assertion)) in frame.active.iter().enumerate() {
        if position != always && !dice.percent(30) {
            continue;
        }
        let stem = dice.pick(&["p", "choice", "zz"]);
        let (function, constant) = names.fresh_constant(pool, stem, Sort::Bool)?;
        let other = equivalent(pool, assertion.term, dice)?;
        let branches =
            if dice.percent(50) { [assertion.term, other] } else { [other, assertion.term] };
        let term = pool.op(Op::Ite, &[constant, branches[0], branches[1]]).ok()?;
        let assertion = CommandKind::Assert(Assertion { term, ..assertion });
        edits.insert(number, vec![CommandKind::Declare { function, constant: true }, assertion]);
        fresh.push((function, FreshValue::AnyBool));
    }
    Some(Variant { fresh, ..Variant::over_same_constants(frame.edited(edits)) })
}

/// An equivalent formula.
fn equivalent(pool: &mut TermPool, term: TermId, dice: &mut Dice) -> Option<TermId> {
    match dice.below(5) {
        0 => {
            let once = not(pool, term)?;
            not(pool, once)
        }
        1 => {
            let yes = pool.bool(true).ok()?;
            pool.op(Op::Eq, &[term, yes]).ok()
        }
        2 => {
            let no = pool.bool(false).ok()?;
            pool.op(Op::Xor, &[term, no]).ok()
        }
        3 => pool.op(Op::Or, &[term, term]).ok(),
        _ => {
            let yes = pool.bool(true).ok()?;
            pool.op(Op::Implies, &[yes, term]).ok()
        }
    }
}
