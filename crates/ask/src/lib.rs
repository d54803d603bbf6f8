//! Asking solvers: the one layer between formulas and processes.
//!
//! ```text
//! script ──copy──▶ the same question in the dialect of a release ──▶ a process of its own ──▶ reply
//! scripts ─piece─▶ many formulas, with marks and separators ──batch──▶ few processes ──▶ replies
//! ```
//!
//! * [`Solver`] is a configured release: options, dialect and quirks, all from its description in
//!   `solvers/*.toml`. No other code knows a solver by name.
//! * [`copy_of`] is a script as a solver gets it: the same meaning, nothing but what decides the
//!   answer, and requests for what we want to know.
//! * [`Piece`] is a formula that shares a process with others, and [`ask_many`] asks about many of
//!   them, whatever happens to the processes.
//! * [`Reply`] is what came of one formula. Its taxonomy is [`luthier_records::Class`], as that of
//!   stored runs.
//!
//! Campaigns, hunts and conformance tests are clients: they decide what is asked and what a reply
//! means. The crate judges nothing, keeps nothing and prints nothing.

mod batch;
mod copy;
mod dialect;
mod error;
mod piece;
mod reply;
mod solver;
mod specification;

pub use batch::{
    Batch, Item, Many, Respondent, Rest, Together, ask_many, ask_together, batch_script,
};
pub use copy::{CannotAsk, Copy, Wanted, copy_of};
pub use dialect::dialect_named;
pub use error::AskError;
pub use piece::{Declaration, Piece, Scopes};
pub use reply::{HowAsked, Reply};
pub use solver::{Bench, Mode, OnBench, Solver, not_run};
pub use specification::{ConfigurationSpec, installable};

pub use luthier_runner::answer::Request;
pub use luthier_runner::releases::{Quirks, Separator};
