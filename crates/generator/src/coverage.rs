//! Coverage of formulas: a map of operators, corner cases, polarities and positions.
//!
//! A cell of the map says that an operator is used in a corner case (an empty pattern, an offset at
//! the end), at some position of a formula and with some polarity. Corner cases are determined by
//! the values of the arguments under a model, so a formula with variables covers the same cells as
//! one with literals.
//!
//! [`covered_cells`] computes the cells of a formula. [`Coverage`] counts them and proposes a cell
//! that is still empty as the next target; [`formula_for`] generates a formula for it.
//! [`PairCoverage`] does the same for pairs of operators, one directly below another.

mod corners;
mod integers;
mod languages;
mod logic;
mod pairs;
mod steer;
mod strings;
mod walk;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use luthier_terms::{Op, Shape, Sort};

use crate::Dice;
use crate::random::operators;
pub use corners::{ANY, corners, corners_of_use};
pub use pairs::{Pair, PairCoverage, covered_pairs, formula_for_pair};
pub use steer::formula_for;
pub use walk::{covered_cells, covered_cells_of_text};

/// The polarity of a subformula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Polarity {
    /// Under an even number of negations.
    Positive,
    /// Under an odd number of negations.
    Negative,
    /// Both: below `xor`, an equality of Booleans, or in a condition.
    Both,
}

/// The position of an operator in a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Position {
    /// A connective, or directly below connectives.
    Atom,
    /// An argument of an atom.
    Argument,
    /// Deeper than an argument of an atom.
    Deeper,
    /// In the condition of an `ite`: a connective, or directly below connectives.
    Condition,
    /// Inside a language: an operator of languages that is not the whole language, or a string of it.
    Language,
    /// In the body of a quantifier, where values are not known.
    Quantified,
}

/// An operator in a corner case, with polarity and position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The operator.
    pub op: Op,
    /// The corner case, one of [`corners`] or, below a quantifier, [`ANY`].
    pub corner: &'static str,
    /// The polarity.
    pub polarity: Polarity,
    /// The position.
    pub position: Position,
}

impl Polarity {
    /// All polarities.
    pub const ALL: [Self; 3] = [Self::Positive, Self::Negative, Self::Both];

    /// A stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Positive => "positive",
            Self::Negative => "negative",
            Self::Both => "both",
        }
    }

    /// The polarity below a negation.
    pub(self) fn opposite(self) -> Self {
        match self {
            Self::Positive => Self::Negative,
            Self::Negative => Self::Positive,
            Self::Both => Self::Both,
        }
    }
}

impl Position {
    /// All positions.
    pub const ALL: [Self; 6] = [
        Self::Atom,
        Self::Argument,
        Self::Deeper,
        Self::Condition,
        Self::Language,
        Self::Quantified,
    ];

    /// A stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Atom => "atom",
            Self::Argument => "argument",
            Self::Deeper => "deeper",
            Self::Condition => "condition",
            Self::Language => "language",
            Self::Quantified => "quantified",
        }
    }
}

impl Cell {
    /// All cells of an operator that the sorts allow: formulas are arguments of connectives only, and
    /// conditions have both polarities.
    pub fn of(op: Op) -> Vec<Self> {
        let mut cells = Vec::new();
        for position in Position::ALL {
            let corners = if position == Position::Quantified { &[ANY][..] } else { corners(op) };
            for &corner in corners {
                for polarity in Polarity::ALL {
                    let cell = Self { op, corner, polarity, position };
                    cells.extend(cell.is_possible().then_some(cell));
                }
            }
        }
        cells
    }

    /// Whether the sorts allow the operator at the position.
    fn is_possible(self) -> bool {
        let (formula, term) = match self.op.info().shape {
            Shape::IfThenElse => (true, true),
            Shape::Exact(_, result) | Shape::Folded(_, result, _) => {
                (result == Sort::Bool, result != Sort::Bool)
            }
            Shape::Polymorphic(_) => (true, false),
            // Arrays are not part of the map.
            Shape::Select | Shape::Store | Shape::ConstantArray => return false,
        };
        match self.position {
            Position::Atom => formula,
            Position::Condition => formula && self.polarity == Polarity::Both,
            Position::Argument | Position::Deeper | Position::Language => term,
            Position::Quantified => true,
        }
    }
}

/// The coverage of one operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorSummary {
    /// The operator.
    pub op: Op,
    /// The number of covered cells.
    pub covered: usize,
    /// The number of all cells.
    pub total: usize,
    /// The corner cases that were not covered at any position.
    pub never_met: Vec<&'static str>,
}

/// How often each cell was covered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    counts: BTreeMap<Cell, u64>,
    /// The number of covered cells of each operator at each position.
    by_position_count: BTreeMap<(Op, Position), usize>,
}

impl Coverage {
    /// An empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts the cells of a formula; returns how many are new.
    pub fn add(&mut self, cells: &BTreeSet<Cell>) -> usize {
        cells.iter().filter(|&&cell| self.count_more(cell, 1)).count()
    }

    /// How many cells would be new.
    pub fn gain(&self, cells: &BTreeSet<Cell>) -> usize {
        cells.iter().filter(|cell| !self.counts.contains_key(cell)).count()
    }

    /// Counts a cell; returns whether it is new.
    fn count_more(&mut self, cell: Cell, more: u64) -> bool {
        let count = self.counts.entry(cell).or_default();
        let is_new = *count == 0;
        *count += more;
        if is_new {
            *self.by_position_count.entry((cell.op, cell.position)).or_default() += 1;
        }
        is_new
    }

    /// How often a cell was covered.
    pub fn count(&self, cell: &Cell) -> u64 {
        self.counts.get(cell).copied().unwrap_or(0)
    }

    /// The covered cells with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (&Cell, u64)> {
        self.counts.iter().map(|(cell, &count)| (cell, count))
    }

    /// The number of covered cells.
    pub fn covered(&self) -> usize {
        self.counts.len()
    }

    /// The number of all cells.
    pub fn total() -> usize {
        operators().into_iter().map(|op| cells_of(op).len()).sum()
    }

    /// An empty cell as the target of the next formula, see [`formula_for`]; operators with more empty cells
    /// are more likely. `None` if all cells are covered except those below quantifiers.
    pub fn target(&self, dice: &mut Dice) -> Option<Cell> {
        let is_wanted = |position| position != Position::Quantified;
        let op = self.weighted(dice, &operators(), is_wanted);
        let empty = |op: Op| -> Vec<Cell> {
            let is_empty =
                |cell: &Cell| is_wanted(cell.position) && !self.counts.contains_key(cell);
            cells_of(op).iter().copied().filter(is_empty).collect()
        };
        let mut choices = empty(op);
        if choices.is_empty() {
            choices = operators().into_iter().flat_map(empty).collect();
        }
        (!choices.is_empty()).then(|| dice.pick(&choices))
    }

    /// A random operator, weighted by its empty cells at the wanted positions; any if there are none.
    fn weighted(&self, dice: &mut Dice, operators: &[Op], wanted: impl Fn(Position) -> bool) -> Op {
        let weight = |&op: &Op| -> usize {
            let places = totals(op).iter().filter(|(position, _)| wanted(*position));
            places.map(|&(position, total)| total - self.covered_at(op, position)).sum()
        };
        let weights: Vec<usize> = operators.iter().map(weight).collect();
        let mut throw = dice.below(weights.iter().sum());
        for (&op, weight) in operators.iter().zip(weights) {
            if throw < weight {
                return op;
            }
            throw -= weight;
        }
        dice.pick(operators)
    }

    fn covered_at(&self, op: Op, position: Position) -> usize {
        self.by_position_count.get(&(op, position)).copied().unwrap_or(0)
    }

    fn covered_of(&self, op: Op) -> usize {
        Position::ALL.into_iter().map(|position| self.covered_at(op, position)).sum()
    }

    /// The coverage of each operator, in the order of the table.
    pub fn summary(&self) -> Vec<OperatorSummary> {
        let mut met: BTreeMap<Op, BTreeSet<&'static str>> = BTreeMap::new();
        for cell in self.counts.keys() {
            met.entry(cell.op).or_default().insert(cell.corner);
        }
        let summary = |op: Op| OperatorSummary {
            op,
            covered: self.covered_of(op),
            total: cells_of(op).len(),
            never_met: corners(op)
                .iter()
                .copied()
                .filter(|corner| !met.get(&op).is_some_and(|met| met.contains(corner)))
                .collect(),
        };
        operators().into_iter().map(summary).collect()
    }

    /// The number of covered cells and of all cells at each position.
    pub fn by_position(&self) -> Vec<(Position, usize, usize)> {
        let all: Vec<Cell> = operators().into_iter().flat_map(Cell::of).collect();
        let count = |position: Position| {
            let here = || all.iter().filter(move |cell| cell.position == position);
            let met = here().filter(|cell| self.counts.contains_key(cell)).count();
            (position, met, here().count())
        };
        Position::ALL.into_iter().map(count).collect()
    }
}

/// All cells of an operator, computed once.
fn cells_of(op: Op) -> &'static [Cell] {
    static CELLS: OnceLock<Vec<Vec<Cell>>> = OnceLock::new();
    let cells = CELLS.get_or_init(|| Op::TABLE.iter().map(|info| Cell::of(info.op)).collect());
    &cells[op as usize]
}

/// How many cells an operator has at each position, counted once.
fn totals(op: Op) -> &'static [(Position, usize)] {
    static TOTALS: OnceLock<Vec<Vec<(Position, usize)>>> = OnceLock::new();
    let count = |op: Op, position: Position| {
        cells_of(op).iter().filter(|cell| cell.position == position).count()
    };
    let totals = TOTALS.get_or_init(|| {
        let of = |op: Op| Position::ALL.map(|position| (position, count(op, position))).to_vec();
        Op::TABLE.iter().map(|info| of(info.op)).collect()
    });
    &totals[op as usize]
}
