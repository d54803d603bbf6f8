//! Records of runs as plain data: the parsed output of a solver, the end of its process, what was
//! measured, and the class that follows from these.
//!
//! Three things are kept apart, because benchmark tools that merge them into one word attribute
//! faults to the wrong side:
//!
//! * **said**: [`ParsedOutput`], the answers as the solver printed them. A program may print
//!   nothing, or print `sat` and then crash.
//! * **ended**: [`Ending`], how the process ended. Every run has exactly one.
//! * **derived**: [`GroundTruth`] of a query and [`Judgement`] on an answer, each with its
//!   evidence. [`Class`] is not derived in this sense: it only classifies runs by output and
//!   ending, and never says whether an answer is right.
//!
//! The circumstances of a run are its [`Configuration`], its [`Instance`] and its [`Campaign`].
//!
//! The crate reads no files, starts no processes and knows no formulas; `luthier-runner` parses
//! text into [`ParsedOutput`]. Nothing here derives a serialisation: JSON and SQL rows belong to
//! the edges.

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
mod proven;
mod quantity;
mod run;
mod text;
mod units;

pub use answer::{Answer, ParsedOutput, Verdict};
pub use campaign::{Campaign, Machine};
pub use class::Class;
pub use configuration::{Configuration, Cores, RunLimits};
pub use digest::{Digest, DigestBuilder, InvalidDigest};
pub use ending::{Clock, Ending};
pub use features::Features;
pub use finding::{CoreFinding, CoreOutcome, ModelFinding, ModelOutcome};
pub use finding_kind::FindingKind;
pub use ground_truth::{Conflict, Evidence, GroundTruth, Judgement};
pub use instance::{Instance, Place, Query, place_text};
pub use label::Label;
pub use proven::ProvenAnswer;
pub use quantity::{InvalidQuantity, parse_bytes, parse_duration, show_bytes, show_duration};
pub use run::{Captured, Opinion, Run, RunAnswer};
pub use text::Text;
pub use units::{Bytes, CpuTime, Measured, Timestamp, WallTime};
