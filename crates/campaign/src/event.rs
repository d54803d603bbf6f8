//! Events of a campaign, for an observer: registration, planning, finished runs, commits.

use std::path::Path;

use luthier_records::Run;
use luthier_runner::process::Load;

use crate::Registered;
use crate::labels::LabelUse;

/// An event of a campaign.
#[derive(Debug)]
pub enum Event<'a> {
    /// An instance was registered.
    Registering {
        /// How many so far.
        instances: usize,
        /// The set.
        set: &'a str,
    },
    /// A file could not be opened or is too large; the campaign goes on without it.
    Unreadable {
        /// Why.
        message: String,
    },
    /// An annotation of an instance about its own answers is inconsistent and therefore ignored.
    Remark {
        /// The name of the instance.
        instance: &'a str,
        /// Where, and what.
        message: String,
    },
    /// A table of expected answers was matched with the instances of a set.
    Labelled(&'a LabelUse),
    /// All instances are registered.
    Registered(&'a Registered),
    /// The runs are planned.
    Planned(Planned),
    /// The load of the machine exceeds its number of cores.
    Loaded(Load),
    /// A run is finished.
    Finished {
        /// The name of the configuration.
        configuration: &'a str,
        /// The name of the instance.
        instance: &'a str,
        /// What happened.
        run: &'a Run,
        /// How many runs are done, those recorded before included.
        done: usize,
        /// How many runs there are in all.
        total: usize,
    },
    /// Runs were committed to the database.
    Saved {
        /// How many.
        runs: usize,
        /// Where.
        database: &'a Path,
    },
}

/// The number of planned runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    /// All runs of the experiment.
    pub runs: usize,
    /// Those that are recorded already.
    pub recorded: usize,
    /// How many run in parallel.
    pub jobs: usize,
}
