//! The result of checking a fact on a release: its outcome, a detail, and for a wrong answer the
//! script that reproduces it.

use luthier_records::Verdict;

/// The outcome of a fact, from the best to the worst for which the release is responsible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FactOutcome {
    /// The release answers that the negation is unsatisfiable, which is right.
    Right,
    /// It rejects the fact as the standard writes it, but is right about it in its own dialect.
    Rewritten,
    /// It answers `unknown`.
    Undecided,
    /// It reports an error.
    Unsupported,
    /// Its dialect cannot express the fact, so that it was not asked.
    Inexpressible,
    /// It gives no answer within the limits of time and memory.
    Timeout,
    /// Abnormal exit, or output that is no answer.
    Crash,
    /// It answers that the negation is satisfiable.
    Wrong,
    /// The set-up or the machine failed; not attributed to the release.
    NotAsked,
}

impl FactOutcome {
    /// All outcomes, in their order.
    pub const ALL: [Self; 9] = [
        Self::Right,
        Self::Rewritten,
        Self::Undecided,
        Self::Unsupported,
        Self::Inexpressible,
        Self::Timeout,
        Self::Crash,
        Self::Wrong,
        Self::NotAsked,
    ];

    /// A stable lower-case name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Rewritten => "rewritten",
            Self::Undecided => "undecided",
            Self::Unsupported => "unsupported",
            Self::Inexpressible => "inexpressible",
            Self::Timeout => "timeout",
            Self::Crash => "crash",
            Self::Wrong => "wrong",
            Self::NotAsked => "not-asked",
        }
    }

    /// Its symbol in the cell of a table; empty for a right fact.
    pub fn letter(self) -> &'static str {
        match self {
            Self::Right => "",
            Self::Rewritten => "r",
            Self::Undecided => "?",
            Self::Unsupported => "u",
            Self::Inexpressible => "i",
            Self::Timeout => "t",
            Self::Crash => "c",
            Self::Wrong => "W",
            Self::NotAsked => "x",
        }
    }

    /// A short description for legends.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Rewritten => "right, but only in its own dialect",
            Self::Undecided => "answers unknown",
            Self::Unsupported => "reports an error",
            Self::Inexpressible => "its dialect cannot express it",
            Self::Timeout => "no answer within the limits",
            Self::Crash => "crashes, or prints no answer",
            Self::Wrong => "WRONG",
            Self::NotAsked => "could not be asked, a fault of the set-up",
        }
    }
}

/// The result of checking a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactResult {
    /// The outcome.
    pub outcome: FactOutcome,
    /// Where it is not right: the error of the release or of the printer; may be empty.
    pub detail: String,
    /// More about a wrong answer.
    pub wrong: Option<Box<WrongAnswer>>,
}

/// A wrong answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongAnswer {
    /// The smallest script found on which the release answers `sat` where `unsat` is right. It asserts
    /// the negation of one fact, or of several facts in turn, of which the last is the wrong one.
    pub script: String,
    /// The answer is wrong only with the release's options for incremental solving.
    pub incremental: bool,
    /// Its verdict on the fact itself, asked alone; `None` if it gives none.
    pub of_fact: Option<Verdict>,
}

impl FactResult {
    /// An outcome without a detail.
    pub fn plain(outcome: FactOutcome) -> Self {
        Self { outcome, detail: String::new(), wrong: None }
    }

    /// An outcome with a detail.
    pub fn with_detail(outcome: FactOutcome, detail: impl Into<String>) -> Self {
        Self { outcome, detail: detail.into(), wrong: None }
    }
}

impl WrongAnswer {
    /// Whether the release answers `sat` to both the fact and its negation, although a closed formula
    /// is true or false.
    pub fn contradicts_itself(&self) -> bool {
        self.of_fact == Some(Verdict::Sat)
    }
}
