//! The class of a run or of a query: one word for tables, derived from the parsed output and the
//! end of the process. It does not say whether an answer is right.
//!
//! # The rules, first match wins
//!
//! 0. Not started because the dialect of the solver cannot express the instance ⇒ *unsupported*.
//! 1. A fault of the set-up (not started, supervision lost, SIGKILL from outside) ⇒ *framework
//!    error*.
//! 2. Memory limit ⇒ *memout*; time limit ⇒ *timeout*; output limit ⇒ *malformed*; a signal, or an
//!    exit code of a launcher script that stands for one ⇒ *crash*.
//! 3. An `(error …)` before the verdict, or without any ⇒ *unsupported*, or *memout* if its text
//!    says so and there is no verdict.
//! 4. A verdict ⇒ *sat*, *unsat* or *unknown*, whatever the exit code: Z3 exits with 1 when a
//!    `get-model` after `unsat` fails.
//! 5. No verdict: `timeout` printed ⇒ *timeout*; `unsupported` printed ⇒ *unsupported*; an exit
//!    code that is not 0 ⇒ *crash*; otherwise *malformed*.
//!
//! Rule 2 precedes rule 4 on purpose: a program that prints `sat` and then crashes, or exceeds a
//! limit while it prints the model, did not deliver an answer to its user. The verdict stays in
//! [`ParsedOutput`], so that it can still be judged wrong. In a run of several queries the end of
//! the process affects only the last answer; the earlier ones were complete before.
//!
//! Rule 3 applies to all later queries too: an assertion that could not be read is missing in them.

use std::fmt;

use crate::{Answer, Ending, ParsedOutput, Text, Verdict};

/// The class of a run or a query.
///
/// Ordered from the most to the least informative; [`Class::of`] relies on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// The verdict is `sat`, and the process ended in order.
    Sat,
    /// The verdict is `unsat`, and the process ended in order.
    Unsat,
    /// The verdict is `unknown`, and the process ended in order.
    Unknown,
    /// The solver does not support the script, or its dialect cannot express it.
    Unsupported,
    /// The output is no answer, or exceeds its limit.
    Malformed,
    /// A time limit was reached.
    Timeout,
    /// The memory limit was reached.
    Memout,
    /// The program ended by a signal, or with an error and without an answer.
    Crash,
    /// The set-up or the machine failed; not attributed to the solver.
    FrameworkError,
}

impl Class {
    /// All classes, in their order.
    pub const ALL: [Class; 9] = [
        Class::Sat,
        Class::Unsat,
        Class::Unknown,
        Class::Unsupported,
        Class::Malformed,
        Class::Timeout,
        Class::Memout,
        Class::Crash,
        Class::FrameworkError,
    ];

    /// The class of a whole run on a script with this many queries: the least informative class of its
    /// queries, or that of the last query if all are decided. More answers than queries cannot be
    /// attributed to queries, so that is malformed.
    pub fn of(said: &ParsedOutput, queries: usize, ending: &Ending) -> Class {
        let count = queries.max(1);
        if said.answers.len() > count {
            return Class::of_ending(ending).unwrap_or(Class::Malformed);
        }
        let last = Class::of_query(said, count - 1, ending);
        (0..count)
            .map(|query| Class::of_query(said, query, ending))
            .filter(|class| !class.is_decided())
            .max()
            .unwrap_or(last)
    }

    /// The class of one query, counted from 0. A query beyond the last answer was not answered.
    pub fn of_query(said: &ParsedOutput, query: usize, ending: &Ending) -> Class {
        let answer = said.answers.get(query);
        let was_complete = query + 1 < said.answers.len();
        if !was_complete && let Some(class) = Class::of_ending(ending) {
            return class;
        }
        match answer {
            Some(answer) => {
                let earlier = &said.answers[..=query];
                if earlier.iter().any(|answer| !answer.errors_before.is_empty()) {
                    Class::Unsupported
                } else {
                    Class::of_verdict(answer.verdict)
                }
            }
            None => Class::without_verdict(said, ending),
        }
    }

    /// Whether it is `sat` or `unsat`.
    pub fn is_decided(self) -> bool {
        matches!(self, Class::Sat | Class::Unsat)
    }

    /// A stable lower-case name.
    pub fn name(self) -> &'static str {
        match self {
            Class::Sat => "sat",
            Class::Unsat => "unsat",
            Class::Unknown => "unknown",
            Class::Unsupported => "unsupported",
            Class::Malformed => "malformed",
            Class::Timeout => "timeout",
            Class::Memout => "memout",
            Class::Crash => "crash",
            Class::FrameworkError => "framework-error",
        }
    }

    fn of_verdict(verdict: Verdict) -> Class {
        match verdict {
            Verdict::Sat => Class::Sat,
            Verdict::Unsat => Class::Unsat,
            Verdict::Unknown => Class::Unknown,
        }
    }

    /// Rules 1 and 2; `None` for a program that ended by itself.
    fn of_ending(ending: &Ending) -> Option<Class> {
        if ending.is_our_fault() {
            return Some(Class::FrameworkError);
        }
        if ending.is_crash() {
            return Some(Class::Crash);
        }
        match ending {
            Ending::OutOfMemory => Some(Class::Memout),
            Ending::TimedOut(_) => Some(Class::Timeout),
            Ending::OutputLimit => Some(Class::Malformed),
            Ending::Inexpressible(_) => Some(Class::Unsupported),
            _ => None,
        }
    }

    /// Rules 3 and 5 for a query that has no verdict.
    fn without_verdict(said: &ParsedOutput, ending: &Ending) -> Class {
        let errors = || said.errors.iter().chain(said.answers.iter().flat_map(errors_of));
        if errors().any(is_out_of_memory) {
            Class::Memout
        } else if errors().next().is_some() {
            Class::Unsupported
        } else if said.timeout {
            Class::Timeout
        } else if said.unsupported {
            Class::Unsupported
        } else if !matches!(ending, Ending::Exited(0) | Ending::Unrecorded) {
            Class::Crash
        } else {
            Class::Malformed
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

fn errors_of(answer: &Answer) -> impl Iterator<Item = &Text> {
    answer.errors_before.iter().chain(&answer.errors_after)
}

/// Z3 prints `(error "out of memory")` and exits with 101.
fn is_out_of_memory(message: &Text) -> bool {
    message.to_string().to_lowercase().contains("out of memory")
}
