//! Events of a campaign on a cluster, and what its observer may ask for.

use luthier_campaign::Event;

/// What happens.
#[derive(Debug)]
pub enum SlurmEvent<'a> {
    /// Instances are registered, runs are planned.
    Campaign(Event<'a>),
    /// A job array was submitted.
    Submitted {
        /// The job.
        job: &'a str,
        /// How many tasks it has.
        tasks: usize,
        /// How many runs these make.
        runs: usize,
    },
    /// How far it is.
    Progress(Progress),
    /// Something to know that does not end the campaign.
    Warning(String),
}

/// How far a campaign is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Runs in the results.
    pub done: usize,
    /// All runs.
    pub total: usize,
    /// Tasks that run.
    pub running: usize,
    /// Tasks that wait.
    pub waiting: usize,
}

/// What is to be done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Go on.
    Continue,
    /// Cancel the jobs, collect what they have made, and end.
    Cancel,
    /// End; the jobs go on.
    Leave,
}
