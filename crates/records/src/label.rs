//! Expected answers from outside: labels that come with a benchmark set, such as the table of a
//! competition or of a paper, and that neither the file nor its generator states.
//!
//! A label belongs to a place of an instance (set, track and name), since its source knows names
//! of files. Several sources may label one place, and they may contradict each other; a label is a
//! fact about its source, and judging it is left to others.

use crate::Verdict;

/// An expected answer and its source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label {
    /// The expected answer: `sat` or `unsat`.
    pub verdict: Verdict,
    /// Where it comes from: the name of a file and the origin of that file.
    pub source: String,
}
