//! Lemmas from letter conflicts of the length-first engine.
//!
//! A conflict is a path of embeddings from a letter of one literal to a different letter of
//! another. Summed along the path, the offsets say where the second literal begins relative to the
//! first, `shift`. The lemma is `premises → |shift| too large to overlap ∨ shift ∈ S`, where `S`
//! are the shifts at which the two literals agree on their overlap: with `x·"ab"·y = u·"c"·v`,
//! `|u|` is neither `|x|` nor `|x| + 1`. If the path passes through a part that covers only some
//! positions, or if `S` has more than `cells.offsets` elements, the lemma excludes only that these
//! two letters meet.
//!
//! Sound: the path is symbolic, so the lemma holds for all lengths and offsets. Source: ours.

use super::constraints::Constraints;
use super::letter_classes::Conflict;
use crate::arithmetic::Id;
use crate::words::overlaps;
use crate::{Budget, Limit};

/// The lemma that excludes a conflict: the path does not lead from the one letter to the other,
/// different one. It holds for all strings.
pub fn conflict_lemma(constraints: &mut Constraints, conflict: &Conflict, budget: &Budget) -> Id {
    let Constraints { abstraction, words, embeddings, .. } = constraints;
    let arena = &mut abstraction.arena;
    let zero = arena.int(0);
    let mut premises = Vec::new();
    let mut is_bounded = false;
    // The position of the first letter of the first literal in the word reached so far.
    let mut origin = zero;
    let from = arena.int(conflict.start.1);
    for (number, &(step, to_whole)) in conflict.steps.iter().enumerate() {
        let embedding = &embeddings[step];
        premises.extend(embedding.premise);
        origin = if to_whole {
            arena.add(&[origin, embedding.offset])
        } else {
            arena.sub(origin, embedding.offset)
        };
        // A position of the whole is one of the part only within its bounds.
        if !to_whole && !embedding.is_equality && number + 1 < conflict.steps.len() {
            is_bounded = true;
            let position = arena.add(&[origin, from]);
            let (after, before) =
                (arena.ge(position, zero), arena.lt(position, words[embedding.part].length));
            premises.extend([after, before]);
        }
    }
    let literal = |word: usize| words[word].literal.as_deref().unwrap_or_default();
    let (one, two) = (literal(conflict.start.0), literal(conflict.end.0));
    let most = budget.limit(Limit::CellsOffsets);
    let offsets = if is_bounded { None } else { overlaps(one, two, most) };
    let premise = arena.and(&premises);
    let Some(offsets) = offsets else {
        let (position, to) = (arena.add(&[origin, from]), arena.int(conflict.end.1));
        let meet = arena.eq(position, to);
        let both = arena.and(&[premise, meet]);
        return arena.not(both);
    };
    // All letters of the first literal are shifted by the same path, so at an overlap all of them
    // must agree with the second literal.
    let shift = arena.neg(origin);
    let (end, start) = (arena.int(one.len()), arena.int(-(two.len() as i64)));
    let mut cases = vec![arena.le(shift, start), arena.ge(shift, end)];
    for offset in offsets {
        let offset = arena.int(offset);
        cases.push(arena.eq(shift, offset));
    }
    let cases = arena.or(&cases);
    arena.implies(premise, cases)
}
