//! The rows of one choice of lengths: which cells are the same, and which letters they have.

use super::choice::Choice;
use super::reading::Reading;
use crate::{Budget, Limit, Why};

/// A step from a cell to another row's: by which inside, and whether from the part to the whole.
pub type Step = (usize, bool);

/// Two letters of literals that are in the same cell but differ, and why it is the same.
#[derive(Debug)]
pub struct Conflict {
    /// The row of the first literal, and the letter's place in it.
    pub start: (usize, usize),
    /// The way from there.
    pub steps: Vec<Step>,
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
    /// How each cell was reached, as a position in the list below.
    reached: Vec<usize>,
    /// All cells in the order in which they were reached.
    trail: Vec<Reached>,
    /// The letter of each class. A class that has one was first reached in a literal.
    pub letters: Vec<Option<u32>>,
    /// The insides of which a row is the whole, and of which it is the part.
    neighbours: Vec<Vec<Step>>,
}

/// A cell, and the one before it on the way from the first of its class.
#[derive(Clone, Copy)]
struct Reached {
    row: usize,
    place: usize,
    /// `None` for the first one.
    before: Option<(usize, Step)>,
}

const OPEN: usize = usize::MAX;

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
        let cells = first[first.len() - 1];
        let mut board = Self {
            reading,
            choice,
            first,
            classes: vec![OPEN; cells],
            reached: vec![0; cells],
            trail: Vec::with_capacity(cells),
            letters: Vec::new(),
            neighbours,
        };
        let mut conflicts = Vec::new();
        let most = budget.limit(Limit::CellsConflicts);
        let literals = (0..reading.rows.len()).filter(|&row| reading.rows[row].literal.is_some());
        for row in literals.chain(0..reading.rows.len()) {
            for place in 0..choice.lengths[row] {
                if place % 256 == 0 {
                    budget.check()?;
                }
                if board.classes[board.first[row] + place] == OPEN {
                    conflicts.extend(board.flood(row, place));
                    // The board is complete unless there is a conflict.
                    if !conflicts.is_empty() && conflicts.len() >= most {
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

    /// The way between two places that are the same cell.
    pub fn way(&self, from: (usize, usize), to: (usize, usize)) -> Vec<Step> {
        let (_, down) = self.origin(from.0, from.1);
        let (_, up) = self.origin(to.0, to.1);
        let common = down.iter().zip(&up).take_while(|(one, two)| one == two).count();
        let back = down[common..].iter().rev().map(|&(number, up)| (number, !up));
        back.chain(up[common..].iter().copied()).collect()
    }

    /// The place of a cell in the row where its class was first reached, and the way from there.
    pub fn origin(&self, row: usize, place: usize) -> (usize, Vec<Step>) {
        let mut at = self.trail[self.reached[self.first[row] + place]];
        let mut steps = Vec::new();
        while let Some((before, step)) = at.before {
            steps.push(step);
            at = self.trail[before];
        }
        steps.reverse();
        (at.place, steps)
    }

    fn letter(&self, row: usize, place: usize) -> Option<u32> {
        self.reading.rows[row].literal.as_ref().map(|text| text[place])
    }

    /// Gives all cells that are the same as this one a class.
    fn flood(&mut self, row: usize, place: usize) -> Option<Conflict> {
        let class = self.letters.len();
        let letter = self.letter(row, place);
        self.letters.push(letter);
        let start = (row, place);
        let mut next = self.trail.len();
        self.reach(class, Reached { row, place, before: None });
        let mut conflict = None;
        while let Some(&Reached { row, place, .. }) = self.trail.get(next) {
            for neighbour in 0..self.neighbours[row].len() {
                let step = self.neighbours[row][neighbour];
                let Some((there, to)) = self.beside(row, place, step) else { continue };
                if self.classes[self.first[there] + to] != OPEN {
                    continue;
                }
                let before = Some((next, step));
                self.reach(class, Reached { row: there, place: to, before });
                let other = self.letter(there, to);
                if conflict.is_none() && letter.is_some() && other.is_some() && other != letter {
                    let (_, steps) = self.origin(there, to);
                    conflict = Some(Conflict { start, steps, end: (there, to) });
                }
            }
            next += 1;
        }
        conflict
    }

    fn reach(&mut self, class: usize, cell: Reached) {
        let number = self.first[cell.row] + cell.place;
        self.classes[number] = class;
        self.reached[number] = self.trail.len();
        self.trail.push(cell);
    }

    /// The cell to which a step leads, if there is one.
    fn beside(&self, row: usize, place: usize, (number, up): Step) -> Option<(usize, usize)> {
        let inside = &self.reading.insides[number];
        debug_assert_eq!(row, if up { inside.part } else { inside.whole });
        let offset = self.choice.offsets[number]?;
        let (there, offset) =
            if up { (inside.whole, offset) } else { (inside.part, offset.checked_neg()?) };
        let to = usize::try_from((place as i64).checked_add(offset)?).ok()?;
        (to < self.choice.lengths[there]).then_some((there, to))
    }
}
