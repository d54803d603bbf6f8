//! A database of results, judged, in memory, followed while it grows.
//!
//! * [`Judge`] says what the facts of a store amount to, one instance after the other.
//! * [`load`] puts everything, judged, into [`Results`](luthier_report::Results).
//! * [`detail`] and [`label_sources`] look up what the results do not keep about a finding.
//! * [`Ledger`] does so for a file that others write to: whoever asks again gets what is new
//!   without reading all of it again.
//! * [`FeatureFinder`] looks at the texts of instances of which nobody recorded the features.

mod details;
mod fill;
mod gather;
mod judged;
mod ledger;
mod load;

pub use details::{detail, label_sources, read_detail};
pub use fill::{FeatureFinder, fill_features};
pub use judged::{Judge, JudgedInstance, JudgedRun, labelled_configurations};
pub use ledger::Ledger;
pub use load::{load, load_with_vote};
