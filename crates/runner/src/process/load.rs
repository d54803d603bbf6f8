//! How busy the machine is, for a warning beside measurements.

use std::num::NonZeroUsize;
use std::{fs, io, thread};

/// Compares the load of the machine with what we cause ourselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watch {
    /// How many runs of ours go on at the same time.
    pub own_runs: usize,
}

/// One look at the machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// Processes that ran or wanted to run, averaged over the last minute.
    pub average: f64,
    /// The cores that we may use.
    pub cores: usize,
    /// Runs of ours, as given to the [`Watch`].
    pub own_runs: usize,
}

/// An average is never exact; half a process more than there are cores is no reason to warn.
const TOLERANCE: f64 = 0.5;

impl Watch {
    /// Looks at the machine now.
    ///
    /// # Errors
    /// If the kernel does not tell its load, as in some containers.
    pub fn look(&self) -> io::Result<Load> {
        let average = parse_load_average(&fs::read_to_string("/proc/loadavg")?)?;
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Ok(Load { average, cores, own_runs: self.own_runs })
    }
}

impl Load {
    /// Whether runs may be waiting for a core: more processes want to run than there are cores,
    /// or we start more than there are. Wall times are then not to be trusted, CPU times less.
    pub fn is_too_high(&self) -> bool {
        self.own_runs > self.cores || self.average > self.cores as f64 + TOLERANCE
    }
}

fn parse_load_average(text: &str) -> io::Result<f64> {
    let first = text.split_whitespace().next().and_then(|word| word.parse().ok());
    first.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "no number in /proc/loadavg"))
}

#[cfg(test)]
mod tests {
    use super::{Load, Watch, parse_load_average};

    #[test]
    fn the_load_is_read() {
        assert_eq!(parse_load_average("1.43 1.44 1.93 1/85 22184\n").unwrap(), 1.43);
        assert!(parse_load_average("").is_err());
        assert!(Watch { own_runs: 1 }.look().unwrap().average >= 0.0);
    }

    #[test]
    fn a_load_above_the_cores_is_too_high() {
        let load = |average, own_runs| Load { average, cores: 2, own_runs }.is_too_high();
        assert!(!load(0.0, 1));
        assert!(!load(2.3, 2));
        assert!(load(2.6, 1));
        assert!(load(0.0, 3));
    }
}
