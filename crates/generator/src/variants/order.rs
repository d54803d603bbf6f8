//! Variants by order: of declarations and assertions, and of the arguments of commutative
//! operators.

use luthier_smtlib::CommandKind;
use luthier_terms::{Op, Term, TermId, TermPool};

use super::Variant;
use super::frame::{Edits, Frame};
use super::rewrite::rewrite_some;
use crate::Dice;

/// Shuffles consecutive declarations and consecutive assertions; a constant may be declared by `declare-fun`
/// instead of `declare-const`, or the other way round.
pub(super) fn reordered(pool: &TermPool, frame: &Frame<'_>, dice: &mut Dice) -> Option<Variant> {
    let commands: Vec<CommandKind> =
        frame.script.commands.iter().map(|command| command.kind.clone()).collect();
    let mut edits = Edits::new();
    let mut start = 0;
    while start < commands.len() {
        let same_kind = |kind: &CommandKind| {
            matches!(
                (&commands[start], kind),
                (CommandKind::Declare { .. }, CommandKind::Declare { .. })
                    | (CommandKind::Assert(_), CommandKind::Assert(_))
            )
        };
        let length = commands[start..].iter().take_while(|kind| same_kind(kind)).count().max(1);
        let mut run = commands[start..start + length].to_vec();
        shuffle(&mut run, dice);
        for (number, mut kind) in (start..).zip(run) {
            if let CommandKind::Declare { function, constant } = &mut kind {
                let is_constant = pool.function(*function).parameters.is_empty();
                *constant ^= is_constant && dice.percent(30);
            }
            edits.insert(number, vec![kind]);
        }
        start += length;
    }
    let changed = edits.iter().any(|(&number, kinds)| kinds[..] != commands[number..=number]);
    changed.then(|| Variant::over_same_constants(frame.edited(edits)))
}

/// `(and a b) ⇒ (and b a)`, and the same for other commutative operators.
pub(super) fn commuted(pool: &mut TermPool, frame: &Frame<'_>, dice: &mut Dice) -> Option<Variant> {
    let can = |pool: &TermPool, term: TermId| {
        let Term::Op(op, children) = pool.term(term) else { return false };
        let commutes = matches!(
            op,
            Op::And
                | Op::Or
                | Op::Xor
                | Op::Eq
                | Op::Distinct
                | Op::Add
                | Op::Mul
                | Op::ReUnion
                | Op::ReInter
        );
        commutes && children.iter().any(|&child| child != children[0])
    };
    rewrite_some(pool, frame, dice, can, |pool, term, dice| {
        let Term::Op(op, children) = pool.term(term) else { return Some(term) };
        let before = children.to_vec();
        let mut children = before.clone();
        shuffle(&mut children, dice);
        if children == before {
            children.rotate_left(1);
        }
        pool.op(op, &children).ok()
    })
}

/// A uniformly random order (Fisher–Yates).
pub(super) fn shuffle<T>(things: &mut [T], dice: &mut Dice) {
    for last in (1..things.len()).rev() {
        things.swap(last, dice.below(last + 1));
    }
}
