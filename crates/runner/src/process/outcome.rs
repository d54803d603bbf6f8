//! The result of a run: how the process ended, resource usage, and the captured outputs.
//!
//! Allocation failures are recognised after the fact. A program may be refused memory below our
//! limit, by the machine or a batch system, and then exits or aborts by itself. That counts as out of
//! memory only if the program failed, had used at least half of its limit, and prints a known phrase
//! of an allocator or runtime at the end of an output.

use luthier_records::{Bytes, Ending, Measured};

/// How a run ended, what it used and what it printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How the process ended. Always there, even if the program was never started.
    pub ending: Ending,
    /// What was measured.
    pub measured: Measured,
    /// The beginning of the standard output.
    pub stdout: Output,
    /// The beginning of the standard error.
    pub stderr: Output,
}

/// What a program printed, up to a limit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// The first bytes, not necessarily text.
    pub bytes: Vec<u8>,
    /// More was printed than is kept here.
    pub cut: bool,
}

/// What allocators and runtime systems print when they get no memory: the C++ library, Rust,
/// Z3 and the Java virtual machine.
const OUT_OF_MEMORY_PHRASES: [&[u8]; 5] = [
    b"std::bad_alloc",
    b"memory allocation of",
    b"out of memory",
    b"Out of memory",
    b"java.lang.OutOfMemoryError",
];

/// A last message stands at the end, and a long output should not be searched for it.
const TAIL: usize = 4096;

const SIGABRT: i32 = 6;

impl Outcome {
    /// A run of which there is nothing but an ending.
    pub(crate) fn without_output(ending: Ending) -> Self {
        Outcome {
            ending,
            measured: Measured::default(),
            stdout: Output::default(),
            stderr: Output::default(),
        }
    }

    /// Corrects the ending by what was printed.
    ///
    /// A program may get no memory before our limit is reached, from a machine or a batch system
    /// that has a limit of its own, and then ends by itself. That is recognised only if all three
    /// hold: the program failed, it used at least half of its memory, and it says so at the end
    /// of an output.
    pub(crate) fn classify_resource_limits(&mut self, memory: Bytes) {
        let ended_by_itself = matches!(self.ending, Ending::Exited(_) | Ending::Signalled(_));
        if ended_by_itself && self.stdout.cut {
            self.ending = Ending::OutputLimit;
            return;
        }
        let failed = match self.ending {
            Ending::Exited(code) => code != 0,
            Ending::Signalled(signal) => signal == SIGABRT,
            _ => false,
        };
        let used_much = self.measured.peak_memory.0 >= memory.0 / 2;
        if failed
            && used_much
            && (self.stderr.ends_out_of_memory() || self.stdout.ends_out_of_memory())
        {
            self.ending = Ending::OutOfMemory;
        }
    }
}

impl Output {
    /// Keeps what fits below the limit.
    pub(crate) fn append(&mut self, bytes: &[u8], limit: Bytes) {
        let limit = usize::try_from(limit.0).unwrap_or(usize::MAX);
        let room = limit.saturating_sub(self.bytes.len());
        self.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.cut |= bytes.len() > room;
    }

    fn ends_out_of_memory(&self) -> bool {
        let tail = &self.bytes[self.bytes.len().saturating_sub(TAIL)..];
        OUT_OF_MEMORY_PHRASES
            .iter()
            .any(|phrase| tail.windows(phrase.len()).any(|window| window == *phrase))
    }
}

#[cfg(test)]
mod tests {
    use luthier_records::{Bytes, Ending};

    use super::{Outcome, Output};

    #[track_caller]
    fn check(ending: Ending, peak: u64, stderr: &str, expected: Ending) {
        let mut outcome = Outcome::without_output(ending);
        outcome.measured.peak_memory = Bytes(peak);
        outcome.stderr.append(stderr.as_bytes(), Bytes(1000));
        outcome.classify_resource_limits(Bytes(100));
        assert_eq!(outcome.ending, expected);
    }

    #[test]
    fn a_failed_allocation_is_out_of_memory_only_with_all_the_evidence() {
        let message = "terminate called after throwing an instance of 'std::bad_alloc'";
        check(Ending::Signalled(6), 60, message, Ending::OutOfMemory);
        check(Ending::Exited(101), 60, "out of memory", Ending::OutOfMemory);
        check(Ending::Signalled(6), 10, message, Ending::Signalled(6));
        check(Ending::Signalled(6), 60, "assertion failed", Ending::Signalled(6));
        check(Ending::Exited(0), 60, "out of memory", Ending::Exited(0));
        check(Ending::Signalled(11), 60, message, Ending::Signalled(11));
    }

    #[test]
    fn output_is_cut_exactly_at_the_limit() {
        let mut output = Output::default();
        output.append(b"abc", Bytes(5));
        output.append(b"de", Bytes(5));
        assert_eq!((output.bytes.as_slice(), output.cut), (b"abcde".as_slice(), false));
        output.append(b"f", Bytes(5));
        assert_eq!((output.bytes.as_slice(), output.cut), (b"abcde".as_slice(), true));
    }

    #[test]
    fn an_output_that_is_cut_is_an_output_limit_even_if_the_program_ended_by_itself() {
        let mut outcome = Outcome::without_output(Ending::Exited(0));
        outcome.stdout.append(b"too long", Bytes(3));
        outcome.classify_resource_limits(Bytes(100));
        assert_eq!(outcome.ending, Ending::OutputLimit);
    }
}
