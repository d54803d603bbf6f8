//! Campaigns: solver configurations are run on benchmark instances under limits, every answer is
//! examined, and every observation is stored.
//!
//! ```text
//! experiment ──plan──▶ configurations, sets of instances
//!     instances ──register──▶ store (bytes, dialect, expectations; each once)
//!     (configuration, instance, repetition) ──execute──▶ run ──▶ store, events
//! ```
//!
//! * [`Experiment`] says what is to be run. It comes from options or from a TOML file.
//! * [`Plan`] is an experiment whose releases were found and whose command lines are known.
//! * [`run`] registers the instances, runs what is not stored yet, and reports to an observer.
//! * [`register`], [`MissingRuns`] and [`make_runs`] are its steps, which may be made on different
//!   machines (crate `luthier-slurm`).
//!
//! An instance has one meaning: its dialect is decided when it is registered, and each release gets
//! a copy in its own dialect ([`luthier_ask`]) with the same meaning, or is not run.
//!
//! The crate prints nothing; it emits [`Event`]s.

pub mod benchexec;
mod error;
mod event;
mod execute;
mod experiment;
mod labels;
mod machine;
mod missing;
pub mod parsed_instance;
mod plan;
mod recheck;
mod register;
mod rerun;
mod schedule;
mod shard;
pub mod suites;
mod trial;

pub use error::CampaignError;
pub use event::{Event, Planned};
pub use experiment::{Experiment, Order, SetSpec, TrackSpec};
pub use labels::{LabelTable, LabelUse, MatchedBy};
pub use machine::this_machine;
pub use missing::{MissingRuns, PlannedRun, TargetInstance};
pub use plan::{Plan, RunnableConfiguration};
pub use register::{Registered, RegisteredInstance, RegisteredSet, register};
pub use rerun::Rerun;
pub use schedule::{CampaignSummary, MadeRuns, Work, make_runs, run};
pub use shard::Shard;
pub use trial::trial;
