//! What happened in a run, as plain data: what a solver said, how its process ended, what was
//! measured, and the class that follows from these.
//!
//! Three things are kept apart, because benchmark tools that fold them into one word book faults
//! on the wrong account:
//! * **said**: [`Said`], the answers as the solver printed them. A program may say nothing, or say
//!   `sat` and then crash.
//! * **ended**: [`Ending`], how the process came to its end. Every run has exactly one.
//! * **believed**: what a judge makes of it. [`Class`] is not that yet: it only sorts runs by
//!   what was said and how it ended, and never asks whether an answer is true.
//!
//! The crate reads no files, starts nothing and knows no formulas; text is read into [`Said`] by
//! `luthier-runner`. Nothing here derives a serialisation: JSON and SQL rows are for the edges.

mod answer;
mod class;
mod ending;
mod text;
mod units;

pub use answer::{Answer, Said, Verdict};
pub use class::Class;
pub use ending::{Clock, Ending};
pub use text::Text;
pub use units::{Bytes, CpuTime, Measured, WallTime};
