//! The circumstances of runs: command line, experiment, Luthier version and machine.

use crate::{Bytes, Timestamp};

/// One call of `luthier run`, or one import. The runs of an experiment may come from several,
/// if it was stopped and resumed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Campaign {
    /// Unique among the campaigns of all machines.
    pub id: String,
    /// When it began.
    pub started: Timestamp,
    /// The version of Luthier.
    pub luthier_version: String,
    /// The command line that began it.
    pub command_line: Vec<String>,
    /// The whole experiment, as a TOML file that `luthier run` accepts.
    pub experiment: String,
    /// The machine.
    pub machine: Machine,
    /// The number of runs in parallel.
    pub jobs: u32,
}

/// A machine, as far as it affects times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Machine {
    /// Its name.
    pub host: String,
    /// The kernel and its release.
    pub system: String,
    /// The processor.
    pub processor: String,
    /// The cores that we may use.
    pub cores: u32,
    /// Its memory.
    pub memory: Bytes,
}

impl Timestamp {
    /// The timestamp of a [`SystemTime`](std::time::SystemTime).
    pub fn of(time: std::time::SystemTime) -> Self {
        let since = time.duration_since(std::time::UNIX_EPOCH);
        Timestamp(since.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX)))
    }
}
