//! Hunts: an unbounded stream of generated formulas is run on solver releases, and every wrong
//! answer is confirmed before it is reported.
//!
//! ```text
//! cases ──batch──▶ few processes per solver ──▶ replies
//!     replies ──suspicion──▶ suspicions ──confirm──▶ findings, events
//! ```
//!
//! * `parsed_formula.rs` reads a formula once and writes it in the dialect of each solver.
//! * `batch.rs` decides how a batch is run; [`luthier_ask`] runs it.
//! * `suspicion.rs` compares the replies to equisatisfiable formulas with each other, with the
//!   planted answer and with the referee.
//! * `agreement.rs` establishes the answer to open formulas that some solver calls `unsat`.
//! * `values.rs` compares the solver's own evaluation (`get-value`) with the referee's.
//! * `sessions.rs` asks scripts of several queries over one stack.
//! * `reproduce.rs` decides whether one reply shows an error of some kind.
//! * `confirm.rs` repeats a suspicion with one formula in a fresh process. Only what occurs again
//!   is a finding.
//! * `unconfirmed.rs` keeps what is needed to examine a suspicion that does not occur again.
//! * `pace.rs` learns limits of queries and sizes of processes.
//! * `rewrites/` asks solvers to simplify random terms and compares the values of term and result.
//! * [`hunt_slow`] (`slow/`) compares the CPU times of solvers instead of their answers.
//! * [`hunt`] (`schedule.rs`) has the workers and reports in the order of the cases, so that the
//!   same cases give the same findings whatever the number of workers.
//!
//! The crate generates no formulas, writes no files and prints nothing; it emits [`Event`]s.

mod agreement;
mod batch;
mod confirm;
mod finding;
mod pace;
mod parsed_formula;
mod reproduce;
mod rewrites;
mod schedule;
mod sessions;
mod slow;
mod summary;
mod suspicion;
mod unconfirmed;
mod values;

pub use finding::{CaseTruth, Finding};
pub use reproduce::{AskedScript, Reproduced, is_crash, reproduced};
pub use rewrites::{RewriteSettings, RewriteTally};
pub use schedule::{Event, HuntError, Settings, hunt};
pub use sessions::{SessionFailure, session_failure};
pub use slow::{RATIO, hunt_slow};
pub use summary::{Summary, Tally};
pub use unconfirmed::{AskedProcess, Unconfirmed};
pub use values::{ValueRequest, with_values};
