//! Arithmetic: formulas over Booleans, integers and uninterpreted symbols, and who decides them.
//!
//! An [`Arena`] owns formulas, each of which exists once. An [`ArithmeticSolver`] decides them;
//! [`Z3`] is one that talks to an executable over a pipe, and a [`ReplyScript`] answers in tests.
//! [`Backend`] says which one to start. Sorts are a closed type without strings,
//! so no string reasoning can be borrowed from whoever is behind the trait.

mod arena;
mod build;
mod print;
mod process;
mod reply;
mod scripted;
mod solver;
mod z3;

pub use arena::{Arena, FnId, Id, Node, Sort, SortId};
pub use process::{end_processes, process_ids};
pub use scripted::{ReplyScript, ScriptedReply};
pub(crate) use solver::model_of;
pub use solver::{Answer, ArithmeticSolver, Value};
pub use z3::{Backend, Z3};
