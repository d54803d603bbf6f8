//! What a campaign tells while it goes on.

use std::path::Path;

use luthier_records::Run;
use luthier_runner::process::Load;

use crate::Registered;
use crate::labels::LabelUse;

/// Something happened.
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
    /// An instance says something about its own answers that cannot be meant; it is not used.
    Remark {
        /// The name of the instance.
        instance: &'a str,
        /// Where, and what.
        message: String,
    },
    /// A table of expected answers was held against the instances of a set.
    Labelled(&'a LabelUse),
    /// All instances are registered.
    Registered(&'a Registered),
    /// It is known what is to be run.
    Planned(Planned),
    /// The machine has more to do than it has cores.
    Loaded(Load),
    /// A run begins.
    Started {
        /// The name of the configuration.
        configuration: &'a str,
        /// The name of the instance.
        instance: &'a str,
    },
    /// A run came to its end.
    Finished {
        /// The name of the configuration.
        configuration: &'a str,
        /// The name of the instance.
        instance: &'a str,
        /// What happened.
        run: &'a Run,
        /// How many of its verdicts contradict the planted answers of the instance. Other evidence is
        /// weighed when all runs are there.
        wrong: usize,
        /// How many runs are done, those recorded before included.
        done: usize,
        /// How many runs there are in all.
        total: usize,
    },
    /// Runs are safely on disk.
    Saved {
        /// How many.
        runs: usize,
        /// Where.
        database: &'a Path,
    },
}

/// What is to be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    /// All runs of the experiment.
    pub runs: usize,
    /// Those that are recorded already.
    pub recorded: usize,
    /// How many go on at the same time.
    pub jobs: usize,
}
