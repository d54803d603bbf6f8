//! Limits on the cost of an evaluation: steps, CPU time and memory.
//!
//! Steps are counted, so that the same limits give the same result on every machine. A step takes
//! about ten nanoseconds, but not exactly, so CPU time is limited, too, for interactive use: every
//! loop that may be long charges its steps to a [`Budget`], which reads the clock every hundred
//! thousand steps. Exceeding a limit makes a value undecided, never wrong.

use std::marker::PhantomData;
use std::time::Duration;

/// Limits of an evaluation. Exceeding one makes the result undecided, never wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Steps of one call of `evaluate`: ten for each request for the value of a term, one for each
    /// character of a result and for each part of a regular expression that is built or visited. A
    /// step takes about ten nanoseconds.
    pub steps: u64,
    /// The depth of nested calls of recursive functions and of functions of the model.
    pub recursion: usize,
    /// The longest string, in code points.
    pub string_length: usize,
    /// The largest integer, in bits.
    pub integer_bits: u64,
    /// Steps of one membership test or replacement; they also count as steps of the evaluation.
    pub regex_steps: u64,
    /// Memory for the regular expressions of one matcher, in cells of about eight bytes. Caches are
    /// cleared when they are full, so only a single larger state exceeds the limit.
    pub regex_cells: usize,
    /// Steps of one comparison of two regular languages.
    pub comparison_steps: u64,
    /// The maximal number of steps of an explanation.
    pub explanation_steps: usize,
    /// The memory of large values that are in use at the same time, in bytes.
    pub memory: u64,
    /// The CPU time of all evaluations of an evaluator together; `None` if only steps are limited.
    pub cpu_time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 500_000_000,
            recursion: 100_000,
            string_length: 1 << 26,
            integer_bits: 1 << 24,
            regex_steps: 500_000_000,
            regex_cells: 1 << 23,
            comparison_steps: 20_000_000,
            explanation_steps: 200,
            memory: 1 << 30,
            cpu_time: None,
        }
    }
}

/// A deadline in the CPU time of the thread that created it.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    at: Option<Duration>,
    /// Each thread has its own clock, so it is not `Send`.
    thread: PhantomData<*const ()>,
}

impl Deadline {
    /// A deadline that is never reached.
    pub const NEVER: Self = Self { at: None, thread: PhantomData };

    /// The deadline after some more CPU time of this thread; without a time, never.
    pub fn after(time: Option<Duration>) -> Self {
        Self { at: time.map(|time| thread_time().saturating_add(time)), thread: PhantomData }
    }

    /// Whether it is reached.
    pub fn has_passed(self) -> bool {
        self.at.is_some_and(|at| thread_time() >= at)
    }
}

/// The CPU time of this thread.
#[cfg(unix)]
fn thread_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    // Neither number is ever negative for this clock.
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let nanoseconds = u32::try_from(time.tv_nsec).unwrap_or(0);
    Duration::new(seconds, nanoseconds)
}

/// Without such a clock, the wall-clock time since the first call.
#[cfg(not(unix))]
fn thread_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

/// A number of steps that are left, with a deadline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    left: u64,
    /// The clock is read when this many are left.
    look_at: u64,
    deadline: Deadline,
}

/// A budget is exhausted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exhausted;

/// The number of steps between two reads of the clock: about a millisecond.
const CLOCK_INTERVAL: u64 = 100_000;

impl Budget {
    pub(crate) fn new(steps: u64) -> Self {
        Self::until(steps, Deadline::NEVER)
    }

    pub(crate) fn until(steps: u64, deadline: Deadline) -> Self {
        let look_at = if deadline.at.is_some() { steps } else { 0 };
        Self { left: steps, look_at, deadline }
    }

    /// A part of the steps that are left, with the same deadline.
    pub(crate) fn part(&self, steps: u64) -> Self {
        Self::until(steps, self.deadline)
    }

    pub(crate) fn left(self) -> u64 {
        self.left
    }

    /// Charges some steps. After a failure, nothing is left.
    pub(crate) fn charge(&mut self, steps: usize) -> Result<(), Exhausted> {
        match self.left.checked_sub(steps as u64) {
            Some(left) if left >= self.look_at => {
                self.left = left;
                Ok(())
            }
            Some(left) => {
                self.left = left;
                self.look()
            }
            None => {
                self.left = 0;
                Err(Exhausted)
            }
        }
    }

    /// Charges what was used of a part of this budget.
    pub(crate) fn charge_part(&mut self, steps: u64, part: &Self) -> Result<(), Exhausted> {
        let spent = usize::try_from(steps - part.left).unwrap_or(usize::MAX);
        self.charge(spent)?;
        // A part that ended early may have reached the deadline.
        if part.left == 0 && self.deadline.has_passed() {
            self.left = 0;
            return Err(Exhausted);
        }
        Ok(())
    }

    #[cold]
    fn look(&mut self) -> Result<(), Exhausted> {
        self.look_at = self.left.saturating_sub(CLOCK_INTERVAL);
        if self.deadline.has_passed() {
            self.left = 0;
            return Err(Exhausted);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_ends_with_its_steps_or_with_its_deadline() {
        let mut budget = Budget::new(10);
        assert_eq!(budget.charge(10), Ok(()));
        assert_eq!(budget.charge(1), Err(Exhausted));
        let mut budget = Budget::until(u64::MAX, Deadline::after(Some(Duration::ZERO)));
        assert_eq!(budget.charge(1), Err(Exhausted));
        assert_eq!(budget.left(), 0);
        let mut budget = Budget::until(u64::MAX, Deadline::after(Some(Duration::from_millis(20))));
        while budget.charge(1000).is_ok() {}
        assert!(budget.deadline.has_passed());
    }

    #[test]
    fn a_part_of_a_budget_has_the_same_deadline() {
        let mut budget = Budget::until(1000, Deadline::after(Some(Duration::from_secs(1000))));
        let mut part = budget.part(100);
        assert_eq!(part.charge(101), Err(Exhausted));
        assert_eq!(budget.charge_part(100, &part), Ok(()));
        assert_eq!(budget.left(), 900);
        let budget = Budget::until(1000, Deadline::after(Some(Duration::ZERO)));
        assert_eq!(budget.part(100).charge(1), Err(Exhausted));
    }
}
