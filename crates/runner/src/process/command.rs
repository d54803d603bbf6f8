//! The input of a run: program, arguments, environment and standard input, and the limits on CPU
//! time, wall time, resident memory and output.
//!
//! The environment is fixed (`PATH`, `HOME`, `LANG=C` and explicit additions), so that results do not
//! depend on the shell that started the campaign.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use luthier_records::{Bytes, CpuTime, WallTime};
use rustix::thread::{CpuSet, sched_getaffinity};

/// A program with everything it gets from us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The program: a path, or a name that is looked up in the `PATH` of the environment below.
    /// A relative path counts from our own working directory.
    pub program: PathBuf,
    /// The arguments, without the name of the program.
    pub arguments: Vec<OsString>,
    /// What the program reads.
    pub stdin: Stdin,
    /// The working directory; ours if none is given.
    pub working_directory: Option<PathBuf>,
    /// Additions to the environment, which otherwise holds `PATH` and `HOME` as we have them and
    /// `LANG=C`: results must not depend on the shell that started the campaign.
    pub environment: Vec<(OsString, OsString)>,
}

/// Where the standard input of a program comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Stdin {
    /// Nothing to read.
    #[default]
    Null,
    /// A file, from its beginning.
    File(PathBuf),
    /// These bytes. They are given as a file in memory, so a program may leave them unread.
    Bytes(Vec<u8>),
}

/// How much a run may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// CPU time of all processes together. This limit decides what a timeout is.
    pub cpu: CpuTime,
    /// Wall time, a safety net; give it well above the CPU time.
    pub wall: WallTime,
    /// Resident memory of all processes together.
    pub memory: Bytes,
    /// How much of each of the two outputs is kept. More on standard output ends the run.
    pub output_bytes: Bytes,
}

/// A processor core to which a run is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CoreId(u16);

impl Command {
    /// A program without arguments and input.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Command {
            program: program.into(),
            arguments: Vec::new(),
            stdin: Stdin::Null,
            working_directory: None,
            environment: Vec::new(),
        }
    }

    /// Adds arguments.
    #[must_use]
    pub fn arguments<T: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = T>) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }
}

impl Limits {
    /// Limits for a given CPU time: twice as much and ten seconds on the wall, 4 GiB of memory,
    /// 16 MiB of output.
    pub fn with_cpu(cpu: Duration) -> Self {
        Limits {
            cpu: CpuTime(cpu),
            wall: WallTime(cpu.saturating_mul(2).saturating_add(Duration::from_secs(10))),
            memory: Bytes::mebibytes(4096),
            output_bytes: Bytes::mebibytes(16),
        }
    }
}

impl CoreId {
    /// The core with this number, as the kernel counts; `None` above what it can be told.
    pub fn new(number: usize) -> Option<Self> {
        (number < CpuSet::MAX_CPU).then(|| u16::try_from(number).ok().map(CoreId)).flatten()
    }

    /// The number of the core.
    pub fn number(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Display for CoreId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)
    }
}

/// The cores on which we may run, by their numbers; empty if the kernel does not say.
pub fn available_cores() -> Vec<CoreId> {
    match sched_getaffinity(None) {
        Ok(set) => {
            (0..CpuSet::MAX_CPU).filter(|core| set.is_set(*core)).filter_map(CoreId::new).collect()
        }
        Err(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{CoreId, available_cores};

    #[test]
    fn there_is_a_core_to_run_on_and_no_core_beyond_what_the_kernel_can_be_told() {
        assert!(!available_cores().is_empty());
        assert_eq!(CoreId::new(3).map(CoreId::number), Some(3));
        assert_eq!(CoreId::new(1 << 20), None);
    }
}
