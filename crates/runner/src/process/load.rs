//! The load average of the machine compared with its cores, for a warning beside measurements.

use std::num::NonZeroUsize;
use std::{fs, io, thread};

/// The load of the machine at one moment, and our part of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// Processes that ran or wanted to run, averaged over the last minute.
    pub average: f64,
    /// The cores that we may use.
    pub cores: usize,
    /// How many runs of ours go on at the same time.
    pub own_runs: usize,
}

/// An average is never exact; half a process more than there are cores is no reason to warn.
const TOLERANCE: f64 = 0.5;

impl Load {
    /// Reads the load average now; `own_runs` is how many runs of ours go on.
    ///
    /// # Errors
    /// If the kernel does not report its load, as in some containers.
    pub fn measure(own_runs: usize) -> io::Result<Self> {
        let average = parse_load_average(&fs::read_to_string("/proc/loadavg")?)?;
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Ok(Self { average, cores, own_runs })
    }

    /// Whether runs may be waiting for a core: more processes want to run than there are cores,
    /// or we start more than there are. Wall times are then unreliable, and CPU times less reliable.
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
    use super::{Load, parse_load_average};

    #[test]
    fn the_load_is_read() {
        assert_eq!(parse_load_average("1.43 1.44 1.93 1/85 22184\n").unwrap(), 1.43);
        assert!(parse_load_average("").is_err());
        assert!(Load::measure(1).unwrap().average >= 0.0);
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
