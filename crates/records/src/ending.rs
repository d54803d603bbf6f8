//! How the process of a run ended: exit code, signal, a limit, or a fault of the set-up.
//!
//! Exactly one of these holds for every run. It says nothing about what was printed before;
//! [`Class`](crate::Class) combines both.

use std::fmt;

/// The clock of a time limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Clock {
    /// The CPU time of the whole process tree: the limit that defines a timeout.
    Cpu,
    /// Wall time: a safety net for programs that sleep or wait.
    Wall,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The program ended by itself with this exit code.
    Exited(i32),
    /// The program was ended by this signal, which we did not send.
    Signalled(i32),
    /// A time limit was exceeded.
    TimedOut(Clock),
    /// The memory limit was exceeded, or the program gave up because of it.
    OutOfMemory,
    /// More was printed than the limit allows.
    OutputLimit,
    /// The program was not started, because its dialect cannot express the instance.
    Inexpressible(String),
    /// The program could not be started, which is a fault of the set-up.
    NotStarted(String),
    /// The program was started, but the supervision failed, so its end is not known.
    Lost(String),
    /// The program ended by itself, and its exit code was not recorded: an imported result.
    Unrecorded,
}

/// SIGKILL, which a program does not send to itself.
const SIGKILL: i32 = 9;

impl Ending {
    /// Whether the set-up or the machine failed, so that nothing is attributed to the solver.
    ///
    /// A SIGKILL that we did not send comes from outside: from the kernel when the machine is out
    /// of memory, from a batch system or from a person.
    pub fn is_our_fault(&self) -> bool {
        matches!(self, Ending::NotStarted(_) | Ending::Lost(_) | Ending::Signalled(SIGKILL))
    }

    /// Whether the program crashed, directly or, as launcher scripts report it, with an exit code
    /// of 128 and the number of the signal.
    pub fn is_crash(&self) -> bool {
        match self {
            Ending::Signalled(signal) => *signal != SIGKILL,
            Ending::Exited(code) => (129..=128 + 31).contains(code),
            _ => false,
        }
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Clock::Cpu => "CPU time",
            Clock::Wall => "wall time",
        })
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Exited(code) => write!(formatter, "exit code {code}"),
            Ending::Signalled(signal) => match signal_name(*signal) {
                Some(name) => write!(formatter, "signal {signal} ({name})"),
                None => write!(formatter, "signal {signal}"),
            },
            Ending::TimedOut(clock) => write!(formatter, "{clock} limit"),
            Ending::OutOfMemory => formatter.write_str("memory limit"),
            Ending::OutputLimit => formatter.write_str("output limit"),
            Ending::Inexpressible(cause) => write!(formatter, "not expressible: {cause}"),
            Ending::NotStarted(cause) => write!(formatter, "not started: {cause}"),
            Ending::Lost(cause) => write!(formatter, "lost: {cause}"),
            Ending::Unrecorded => formatter.write_str("exit code not recorded"),
        }
    }
}

/// The names of the signals by which programs usually end; their numbers are the same on all
/// architectures that Linux has in common use.
fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        25 => "SIGXFSZ",
        31 => "SIGSYS",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Clock, Ending};

    #[test]
    fn endings_are_shown_in_words() {
        let check = |ending: Ending, expected: &str| assert_eq!(ending.to_string(), expected);
        check(Ending::Exited(1), "exit code 1");
        check(Ending::Signalled(11), "signal 11 (SIGSEGV)");
        check(Ending::Signalled(34), "signal 34");
        check(Ending::TimedOut(Clock::Cpu), "CPU time limit");
        check(Ending::NotStarted("no such file".to_owned()), "not started: no such file");
    }

    #[test]
    fn exit_codes_of_launchers_count_as_crashes_but_255_does_not() {
        assert!(Ending::Exited(139).is_crash());
        assert!(Ending::Exited(134).is_crash());
        assert!(!Ending::Exited(255).is_crash());
        assert!(!Ending::Exited(128).is_crash());
        assert!(!Ending::Exited(101).is_crash());
    }
}
