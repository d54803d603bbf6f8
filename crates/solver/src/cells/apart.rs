//! Where a row does not stand: words that differ, and occurrences before the first one.
//!
//! Cells that nothing decides get letters of their own in the end, so a row stands where it must
//! not only if all of its cells are known to be the same as others, or to have the same letters.
//! Why they are is a law that forbids it.

use super::board::{Board, Step};
use super::choice::Choice;
use super::reading::Reading;
use crate::arithmetic::Id;
use crate::{Budget, Limit, Why};

/// A row does not stand in another one at the places from one on to before another one.
pub struct Apart {
    /// The row that does not stand there.
    pub part: usize,
    /// The row in which it does not.
    pub whole: usize,
    /// Under which condition.
    pub premise: Id,
    /// From this place on.
    pub from: Id,
    /// Before this place.
    pub before: Id,
}

/// A row that stands where it must not.
#[derive(Debug)]
pub struct Occurrence {
    /// Which of the laws it breaks.
    apart: usize,
    /// Where it begins.
    place: usize,
    /// For each of its cells, why it has the letter of the whole.
    links: Vec<Link>,
}

/// Why two cells have the same letter.
#[derive(Debug)]
enum Link {
    /// They are the same cell: the way from the part to the whole.
    Same(Vec<Step>),
    /// They are cells of literals that have the same letter there.
    Letters([Origin; 2]),
}

/// The cell of a literal and the way from there.
#[derive(Debug)]
struct Origin {
    place: usize,
    steps: Vec<Step>,
}

/// The rows that stand where they must not, whatever letters the open cells get.
pub fn occurrences(
    reading: &Reading,
    choice: &Choice,
    board: &Board<'_>,
    budget: &Budget,
) -> Result<Vec<Occurrence>, Why> {
    let mut found = Vec::new();
    let most = budget.limit(Limit::CellsOccurrences);
    for (number, apart) in reading.aparts.iter().enumerate() {
        budget.check()?;
        let Some((from, before)) = choice.aparts[number] else { continue };
        let (part, whole) = (board.row(apart.part), board.row(apart.whole));
        let is_long = || budget.limits().exceeds(Limit::CellsOccurrenceLetters, part.len());
        if part.len() > whole.len() || is_long() {
            continue;
        }
        let same = |one: usize, two: usize| {
            one == two || board.letters[one].is_some() && board.letters[one] == board.letters[two]
        };
        let stands =
            |place: &usize| part.iter().zip(&whole[*place..]).all(|(&one, &two)| same(one, two));
        let Some(place) = (from..before.min(whole.len() - part.len() + 1)).find(stands) else {
            continue;
        };
        let links = (0..part.len()).map(|at| {
            let ends = [(apart.part, at), (apart.whole, place + at)];
            if part[at] == whole[place + at] {
                return Link::Same(board.way(ends[0], ends[1]));
            }
            Link::Letters(ends.map(|(row, at)| {
                let (place, steps) = board.origin(row, at);
                Origin { place, steps }
            }))
        });
        found.push(Occurrence { apart: number, place, links: links.collect() });
        if found.len() >= most {
            break;
        }
    }
    Ok(found)
}

/// A formula that holds for all strings and forbids an occurrence: if its cells are the same for
/// these reasons, it stands there, which it does not.
pub fn lemma(reading: &mut Reading, occurrence: &Occurrence) -> Id {
    let Apart { part, whole, premise, from, before } = reading.aparts[occurrence.apart];
    let length = reading.conditions.arena.int(occurrence.links.len());
    let length = reading.conditions.arena.eq(reading.rows[part].length, length);
    let mut premises = vec![premise, length];
    // Where the part begins in the whole.
    let mut begin = None;
    for (at, link) in occurrence.links.iter().enumerate() {
        let at = reading.conditions.arena.int(at);
        let place = match link {
            Link::Same(steps) => follow(reading, at, steps, &mut premises),
            Link::Letters(origins) => {
                let [here, there] = origins.each_ref().map(|origin| {
                    let start = reading.conditions.arena.int(origin.place);
                    follow(reading, start, &origin.steps, &mut premises)
                });
                premises.push(reading.conditions.arena.eq(here, at));
                there
            }
        };
        let arena = &mut reading.conditions.arena;
        let place = arena.sub(place, at);
        premises.extend(begin.map(|begin| arena.eq(begin, place)));
        begin.get_or_insert(place);
    }
    let arena = &mut reading.conditions.arena;
    // What is empty stands everywhere.
    let begin = begin.unwrap_or_else(|| {
        let place = arena.int(occurrence.place);
        premises.push(arena.le(place, reading.rows[whole].length));
        place
    });
    premises.extend([arena.ge(begin, from), arena.lt(begin, before)]);
    let all = arena.and(&premises);
    arena.not(all)
}

/// Where a way leads that begins at a place of a row, and under which conditions.
fn follow(reading: &mut Reading, start: Id, steps: &[Step], premises: &mut Vec<Id>) -> Id {
    let Reading { conditions, rows, insides, .. } = reading;
    let arena = &mut conditions.arena;
    let mut place = start;
    for &(step, up) in steps {
        let inside = &insides[step];
        premises.extend(inside.premise);
        if up {
            place = arena.add(&[place, inside.offset]);
            continue;
        }
        place = arena.sub(place, inside.offset);
        // The way into a part is one only where the part is.
        if !inside.is_all {
            let zero = arena.int(0);
            premises.push(arena.ge(place, zero));
            premises.push(arena.lt(place, rows[inside.part].length));
        }
    }
    place
}
