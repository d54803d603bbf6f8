//! What two letters in one cell teach.

use super::board::Conflict;
use super::reading::Reading;
use crate::arithmetic::Id;
use crate::words::overlaps;
use crate::{Budget, Limit};

/// A formula that holds for all strings and forbids a conflict: if the way leads from one letter
/// to the other, they are the same letter, which they are not.
pub fn lemma(reading: &mut Reading, conflict: &Conflict, budget: &Budget) -> Id {
    let Reading { conditions, rows, insides, .. } = reading;
    let arena = &mut conditions.arena;
    let zero = arena.int(0);
    let mut premises = Vec::new();
    let mut is_narrow = false;
    // Where the first letter of the first literal is in the row that was reached.
    let mut origin = zero;
    let from = arena.int(conflict.start.1);
    for (number, &(step, up)) in conflict.steps.iter().enumerate() {
        let inside = &insides[step];
        premises.extend(inside.premise);
        origin =
            if up { arena.add(&[origin, inside.offset]) } else { arena.sub(origin, inside.offset) };
        // The way into a part is one only where the part is.
        if !up && !inside.is_all && number + 1 < conflict.steps.len() {
            is_narrow = true;
            let place = arena.add(&[origin, from]);
            let (after, before) =
                (arena.ge(place, zero), arena.lt(place, rows[inside.part].length));
            premises.extend([after, before]);
        }
    }
    let literal = |row: usize| rows[row].literal.as_deref().unwrap_or_default();
    let (one, two) = (literal(conflict.start.0), literal(conflict.end.0));
    let most = budget.limit(Limit::CellsOffsets);
    let places = if is_narrow { None } else { overlaps(one, two, most) };
    let premise = arena.and(&premises);
    let Some(places) = places else {
        let (place, to) = (arena.add(&[origin, from]), arena.int(conflict.end.1));
        let meet = arena.eq(place, to);
        let both = arena.and(&[premise, meet]);
        return arena.not(both);
    };
    // All letters of the first literal go the same way, so wherever they meet the second one, all
    // of them must fit.
    let shift = arena.neg(origin);
    let (end, start) = (arena.int(one.len()), arena.int(-(two.len() as i64)));
    let mut cases = vec![arena.le(shift, start), arena.ge(shift, end)];
    for place in places {
        let place = arena.int(place);
        cases.push(arena.eq(shift, place));
    }
    let cases = arena.or(&cases);
    arena.implies(premise, cases)
}
