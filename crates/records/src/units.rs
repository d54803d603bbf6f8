//! Units as types, so that CPU time is never added to wall time nor compared with it.

use std::fmt;
use std::time::Duration;

/// Time that processors spent, in user and in system mode, summed over a process tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CpuTime(pub Duration);

/// Time that passed on a monotonic clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WallTime(pub Duration);

/// A number of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub u64);

/// A point in time: milliseconds since the beginning of 1970, Coordinated Universal Time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

/// What was measured in a run. All zero for a program that could not be started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// CPU time of all processes of the run, those killed at its end included.
    pub cpu: CpuTime,
    /// From just before the start to the end of the main process.
    pub wall: WallTime,
    /// The largest memory seen: of one process exactly, of several running side by side as seen
    /// in samples.
    pub peak_memory: Bytes,
    /// How many processes besides the main one were there when the run ended, and were killed.
    pub left_behind: u32,
}

impl CpuTime {
    /// The time in seconds, for display and scores.
    pub fn as_secs_f64(self) -> f64 {
        self.0.as_secs_f64()
    }
}

impl WallTime {
    /// The time in seconds, for display and scores.
    pub fn as_secs_f64(self) -> f64 {
        self.0.as_secs_f64()
    }
}

impl Bytes {
    /// `count` times 1024.
    pub const fn kibibytes(count: u64) -> Self {
        Bytes(count << 10)
    }

    /// `count` times 1024².
    pub const fn mebibytes(count: u64) -> Self {
        Bytes(count << 20)
    }
}

impl fmt::Display for CpuTime {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_seconds(formatter, self.0)
    }
}

impl fmt::Display for WallTime {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_seconds(formatter, self.0)
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
        if self.0 < 1024 {
            return write!(formatter, "{} B", self.0);
        }
        let mut amount = self.0 as f64 / 1024.0;
        let mut unit = UNITS[0];
        for larger in &UNITS[1..] {
            if amount < 1024.0 {
                break;
            }
            amount /= 1024.0;
            unit = larger;
        }
        write!(formatter, "{amount:.1} {unit}")
    }
}

/// Three decimals: what a clock gives beyond milliseconds is noise to a reader.
fn write_seconds(formatter: &mut fmt::Formatter<'_>, duration: Duration) -> fmt::Result {
    write!(formatter, "{:.3} s", duration.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::{Bytes, CpuTime, WallTime};
    use std::time::Duration;

    #[test]
    fn units_are_shown_with_their_names() {
        assert_eq!(CpuTime(Duration::from_micros(1_234_600)).to_string(), "1.235 s");
        assert_eq!(WallTime(Duration::from_millis(20)).to_string(), "0.020 s");
        assert_eq!(Bytes(1023).to_string(), "1023 B");
        assert_eq!(Bytes::kibibytes(1).to_string(), "1.0 KiB");
        assert_eq!(Bytes::mebibytes(1536).to_string(), "1.5 GiB");
        assert_eq!(Bytes(u64::MAX).to_string(), "16777216.0 TiB");
    }
}
