//! Unsatisfiable formulas from laws: a law is true for all values, so the negation of an instance
//! is unsatisfiable.
//!
//! The laws are data, SMT-LIB files in the folder `laws` (`library.rs` reads them); tests check
//! each of them on all small values and on many larger ones. A sketch begins with the negation of
//! an instance of a law, split into clauses (`base.rs`), and transforms the clauses step by step
//! (`steps.rs`), each step preserving unsatisfiability. In the end, for each clause of the core, a
//! model of all other assertions is searched and checked by the referee (`cores.rs`): then the core
//! is the only minimal one. Clauses for which no such model is found are joined with others.
//!
//! That a formula is unsatisfiable follows from the laws in its derivation and from nothing else;
//! that its core is minimal and unique was checked by the referee.

mod base;
mod cores;
mod ground_terms;
mod library;
mod occurrences;
mod pattern;
mod refutation;
mod steps;

use luthier_terms::Op;

pub use library::{Law, files, laws};

use crate::{Dice, Sketch};
use library::LawLibrary;
use refutation::Refutation;

/// Why building a term cannot fail.
const ROOM: &str = "a pool has room for four thousand million terms";

/// Why applying an operator cannot fail.
const SORTED: &str = "the arguments have the sorts of the operator's row";

/// Options of sketches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The smallest number of transformation steps.
    pub least_depth: usize,
    /// The largest number of transformation steps.
    pub depth: usize,
    /// The largest size of an assertion: the number of operators, constants and literals in it.
    pub size: usize,
    /// The percentage of formulas with a quantifier.
    pub quantified: usize,
    /// The number of assignments tried to prove that a clause is needed.
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

/// A sketch with options; rarely `None`.
pub fn sketch_with(mut dice: Dice, about: Op, settings: &Settings) -> Option<Sketch> {
    let law = LawLibrary::get().some_law(&mut dice, about)?;
    let mut refutation = Refutation::new(dice, *settings);
    refutation.begin(law);
    let most = settings.depth.max(settings.least_depth);
    let depth = refutation.dice().between(settings.least_depth as i64, most as i64);
    for _ in 0..depth {
        refutation.step();
    }
    refutation.finish(about)
}
