//! The rows of one choice of lengths: which cells are the same, and which letters they have.

use std::collections::VecDeque;

use super::choice::Choice;
use super::reading::Reading;
use crate::{Budget, Why};

/// Two letters of literals that are in the same cell but differ, and why it is the same.
#[derive(Debug)]
pub struct Conflict {
    /// The row of the first literal, and the letter's place in it.
    pub start: (usize, usize),
    /// The way from there: which inside, and whether from the part to the whole.
    pub steps: Vec<(usize, bool)>,
    /// The row of the second literal, and the letter's place in it.
    pub end: (usize, usize),
}

/// Cells of all rows, one after the other, in classes of the same.
pub struct Board<'a> {
    reading: &'a Reading,
    choice: &'a Choice,
    /// The first cell of each row; at the end, how many there are.
    first: Vec<usize>,
    /// The class of each cell.
    classes: Vec<usize>,
    /// The letter of each class.
    pub letters: Vec<Option<u32>>,
    /// The insides of which a row is the whole, and of which it is the part.
    neighbours: Vec<Vec<(usize, bool)>>,
}

const OPEN: usize = usize::MAX;

/// Conflicts that are looked for at once.
const MOST_CONFLICTS: usize = 24;

impl<'a> Board<'a> {
    /// Finds out which cells are the same. The conflicts are those of different literals; if there
    /// is none, each class has at most one letter.
    pub fn new(
        reading: &'a Reading,
        choice: &'a Choice,
        budget: &Budget,
    ) -> Result<(Self, Vec<Conflict>), Why> {
        let mut first = vec![0];
        for &length in &choice.lengths {
            first.push(first[first.len() - 1] + length);
        }
        let mut neighbours = vec![Vec::new(); reading.rows.len()];
        for (number, inside) in reading.insides.iter().enumerate() {
            if choice.offsets[number].is_some() {
                neighbours[inside.part].push((number, true));
                neighbours[inside.whole].push((number, false));
            }
        }
        let classes = vec![OPEN; first[first.len() - 1]];
        let mut board = Self { reading, choice, first, classes, letters: Vec::new(), neighbours };
        let mut conflicts = Vec::new();
        let literals = (0..reading.rows.len()).filter(|&row| reading.rows[row].literal.is_some());
        for row in literals.chain(0..reading.rows.len()) {
            budget.check()?;
            for place in 0..choice.lengths[row] {
                if board.classes[board.first[row] + place] == OPEN {
                    conflicts.extend(board.flood(row, place));
                    if conflicts.len() >= MOST_CONFLICTS {
                        return Ok((board, conflicts));
                    }
                }
            }
        }
        Ok((board, conflicts))
    }

    /// The classes of the cells of a row.
    pub fn row(&self, row: usize) -> &[usize] {
        &self.classes[self.first[row]..self.first[row + 1]]
    }

    fn letter(&self, row: usize, place: usize) -> Option<u32> {
        self.reading.rows[row].literal.as_ref().map(|text| text[place])
    }

    /// Gives all cells that are the same as this one a class.
    fn flood(&mut self, row: usize, place: usize) -> Option<Conflict> {
        let class = self.letters.len();
        let letter = self.letter(row, place);
        self.letters.push(letter);
        self.classes[self.first[row] + place] = class;
        let mut conflict = None;
        // Where each cell was reached from, as a position in this list.
        let mut reached = vec![(row, place, 0, (0, false))];
        let mut queue = VecDeque::from([0]);
        while let Some(at) = queue.pop_front() {
            let (row, place, ..) = reached[at];
            for &(number, up) in &self.neighbours[row] {
                let inside = &self.reading.insides[number];
                let Some(offset) = self.choice.offsets[number] else { continue };
                let (there, offset) =
                    if up { (inside.whole, offset) } else { (inside.part, -offset) };
                let Ok(to) = usize::try_from(place as i64 + offset) else { continue };
                if to >= self.choice.lengths[there] {
                    continue;
                }
                let cell = self.first[there] + to;
                if self.classes[cell] != OPEN {
                    continue;
                }
                self.classes[cell] = class;
                reached.push((there, to, at, (number, up)));
                queue.push_back(reached.len() - 1);
                let other = self.letter(there, to);
                if conflict.is_none() && letter.is_some() && other.is_some() && other != letter {
                    conflict = Some(way(&reached));
                }
            }
        }
        conflict
    }
}

/// The way to the cell that was reached last.
fn way(reached: &[(usize, usize, usize, (usize, bool))]) -> Conflict {
    let mut steps = Vec::new();
    let mut at = reached.len() - 1;
    let (row, place, ..) = reached[at];
    while at > 0 {
        let (_, _, before, step) = reached[at];
        steps.push(step);
        at = before;
    }
    steps.reverse();
    Conflict { start: (reached[0].0, reached[0].1), steps, end: (row, place) }
}
