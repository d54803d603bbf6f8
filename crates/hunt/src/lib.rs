//! Hunts: formulas are put through solver releases without end, and every wrong answer is
//! confirmed before it is called one.
//!
//! ```text
//! cases ──batch──▶ few processes per solver ──▶ replies
//!     replies ──judge──▶ suspicions ──confirm──▶ findings, events
//! ```
//!
//! * `question.rs` reads a formula once and writes it in the dialect of each solver.
//! * `batch.rs` decides how a batch is asked; [`luthier_ask`] asks it.
//! * `suspect.rs` holds the replies to formulas of the same answer against each other, against the
//!   planted answer and against the referee.
//! * `confirm.rs` asks again: a fresh process, one formula. Only what shows there is a finding.
//! * [`hunt`] has the workers and puts everything in the order of the cases, so that the same
//!   cases give the same findings whatever the number of workers.
//!
//! The crate makes no formulas, writes no files and prints nothing; it emits [`Event`]s.

mod batch;
mod confirm;
mod finding;
mod question;
mod schedule;
mod summary;
mod suspect;

pub use finding::{Finding, Truth};
pub use schedule::{Event, HuntError, Settings, hunt};
pub use summary::{Summary, Tally};
