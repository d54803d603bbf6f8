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
//! * `confirm.rs` repeats a suspicion with one formula in a fresh process. Only what occurs again
//!   is a finding.
//! * [`hunt`] (`schedule.rs`) has the workers and reports in the order of the cases, so that the
//!   same cases give the same findings whatever the number of workers.
//!
//! The crate generates no formulas, writes no files and prints nothing; it emits [`Event`]s.

mod batch;
mod confirm;
mod finding;
mod parsed_formula;
mod schedule;
mod summary;
mod suspicion;

pub use finding::{CaseTruth, Finding};
pub use schedule::{Event, HuntError, Settings, hunt};
pub use summary::{Summary, Tally};
