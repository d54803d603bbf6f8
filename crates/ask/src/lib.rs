//! The one layer between formulas and solver processes.
//!
//! ```text
//! script ──copy──▶ the same problem in the dialect of a release ──▶ a process of its own ──▶ reply
//! scripts ──batch formulas──▶ one script with marks and separators ──▶ few processes ──▶ replies
//! ```
//!
//! * [`Solver`] is a configured release: options, dialect and quirks, all from its description in
//!   `solvers/*.toml`. No other code knows a solver by name.
//! * [`script_copy`] is the copy of a script that a solver gets: the same meaning, only what decides the
//!   verdicts, and requests for models and cores.
//! * [`BatchFormula`] is a formula that shares a process with others; [`ask_batch`] runs many of them
//!   and gives each its own reply, whatever happens to the processes.
//! * [`SessionScript`] is a script of several queries; [`ask_sessions`] gives each query its own reply.
//! * [`ask_commands`] does the same for commands that print something by themselves, as `simplify`.
//! * [`Reply`] is the classified reply to one formula, in the classes of stored runs
//!   ([`luthier_records::Class`]).
//!
//! Campaigns, hunts and conformance tests decide which formulas are asked and judge the replies. This
//! crate judges nothing, stores nothing and prints nothing.

mod batch;
mod batch_formula;
mod commands;
mod copy;
mod dialect;
mod error;
mod reply;
mod session;
mod solver;
mod specification;

pub use batch::{
    BatchItem, BatchOptions, BatchReplies, ProcessReplies, ScriptRunner, Transcript, Unanswered,
    ask_batch, ask_in_one_process, batch_script,
};
pub use batch_formula::{BatchFormula, Declaration, Scopes, keeps_meaning, script_with_query};
pub use commands::{CommandOptions, CommandReplies, CommandReply, ask_commands};
pub use copy::{CannotAsk, CopyOptions, ScriptCopy, script_copy};
pub use dialect::dialect_named;
pub use error::AskError;
pub use reply::{AskedIn, Reply};
pub use session::{
    QueryReply, SessionEnd, SessionReplies, SessionReply, SessionScript, ask_session_alone,
    ask_sessions,
};
pub use solver::{ProcessMode, RunEnvironment, Solver, SolverRunner, not_started};
pub use specification::{ConfigurationSpec, installable};

pub use luthier_runner::answer::Request;
pub use luthier_runner::releases::{Quirks, Separator};
