//! What happened in a run, as plain data: what a solver said, how its process ended, what was
//! measured, and the class that follows from these.
//!
//! Three things are kept apart, because benchmark tools that fold them into one word book faults
//! on the wrong account:
//! * **said**: [`ParsedOutput`], the answers as the solver printed them. A program may say nothing, or say
//!   `sat` and then crash.
//! * **ended**: [`Ending`], how the process came to its end. Every run has exactly one.
//! * **derived**: [`GroundTruth`] about a query and [`Judgement`] on an answer, each with its evidence.
//!   [`Class`] is not that: it only sorts runs by what was said and how it ended, and never asks
//!   whether an answer is true.
//!
//! Around runs stand those who were asked ([`Configuration`]), what they were asked ([`Instance`])
//! and the circumstances ([`Campaign`]).
//!
//! The crate reads no files, starts nothing and knows no formulas; text is read into [`ParsedOutput`] by
//! `luthier-runner`. Nothing here derives a serialisation: JSON and SQL rows are for the edges.

mod answer;
mod campaign;
mod class;
mod configuration;
mod digest;
mod ending;
mod features;
mod finding;
mod finding_kind;
mod ground_truth;
mod instance;
mod label;
mod quantity;
mod run;
mod text;
mod units;

pub use answer::{Answer, ParsedOutput, Verdict};
pub use campaign::{Campaign, Machine};
pub use class::Class;
pub use configuration::{Configuration, Cores, RunLimits};
pub use digest::{Digest, DigestBuilder, NoDigest};
pub use ending::{Clock, Ending};
pub use features::Features;
pub use finding::{CoreFinding, CoreOutcome, ModelFinding, ModelOutcome};
pub use finding_kind::FindingKind;
pub use ground_truth::{Conflict, Evidence, GroundTruth, Judgement};
pub use instance::{Instance, Place, Query, place_text};
pub use label::Label;
pub use quantity::{NoQuantity, parse_bytes, parse_duration, show_bytes, show_duration};
pub use run::{Captured, Opinion, Run, RunAnswer};
pub use text::Text;
pub use units::{Bytes, CpuTime, Measured, Timestamp, WallTime};
