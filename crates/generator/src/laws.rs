//! Unsatisfiable formulas from laws: a law is true for all values, so its opposite has no model.
//!
//! The laws stand in the folder `laws` in SMT-LIB (`book.rs` reads them); tests try each of them on
//! all small values and on many large ones. A sketch begins with the opposite of an instance of a
//! law, taken apart into clauses (`base.rs`), and changes the clauses step by step (`steps.rs`),
//! each step keeping them unsatisfiable. In the end, for each clause of the core, the referee is
//! shown a model of all the other assertions (`cores.rs`): so the core is the only minimal one.
//! Clauses for which no such model is found are joined with others.
//!
//! That a formula is unsatisfiable follows from the laws in its derivation and from nothing else;
//! that its core is minimal and unique was checked by the referee when it was made.

mod base;
mod book;
mod cores;
mod occurrences;
mod pattern;
mod refutation;
mod steps;
mod written;

use luthier_terms::Op;

pub use book::{Law, files, laws};

use crate::{Dice, Sketch};
use book::Book;
use refutation::Refutation;

/// Why making a term cannot fail.
const ROOM: &str = "a pool has room for four thousand million terms";

/// Why applying an operator cannot fail.
const SORTED: &str = "the arguments have the sorts of the operator's row";

/// How sketches are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How many steps the clauses of the law are changed by, at least.
    pub least_depth: usize,
    /// And at most.
    pub depth: usize,
    /// How large an assertion may grow: the number of operators, constants and literals in it.
    pub size: usize,
    /// How many, out of a hundred, have a quantifier.
    pub quantified: usize,
    /// How many assignments are tried to show that the core needs a clause.
    pub tries: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { least_depth: 0, depth: 4, size: 48, quantified: 4, tries: 16 }
    }
}

/// A sketch from a law about the operator, or from any law if there is none about it.
pub fn sketch(dice: Dice, about: Op) -> Option<Sketch> {
    sketch_with(dice, about, &Settings::default())
}

/// A sketch with settings. There is none if the dice fall badly, which is rare.
pub fn sketch_with(mut dice: Dice, about: Op, settings: &Settings) -> Option<Sketch> {
    let law = Book::get().some_law(&mut dice, about)?;
    let mut refutation = Refutation::new(dice, *settings);
    refutation.begin(law);
    let most = settings.depth.max(settings.least_depth);
    let depth = refutation.dice().between(settings.least_depth as i64, most as i64);
    for _ in 0..depth {
        refutation.step();
    }
    refutation.finish(about)
}
