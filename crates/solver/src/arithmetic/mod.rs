//! The interface to the arithmetic solver: formulas over Booleans, integers and uninterpreted
//! symbols (UFLIA with products), and their decision.
//!
//! An [`Arena`] owns hash-consed formulas. An [`ArithmeticSolver`] decides them incrementally, with
//! assumptions and cores; [`Z3`] runs an executable over a pipe, a [`ReplyScript`] answers in
//! tests, and [`Backend`] selects one. Sorts are a closed type without strings, so the backend
//! cannot contribute any string reasoning.

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
