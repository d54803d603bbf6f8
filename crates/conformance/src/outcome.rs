//! What came of asking a release for a fact.

use luthier_records::Verdict;

/// What came of a fact, from the best to the worst of what a release is responsible for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FactOutcome {
    /// The negation has no model, says the release, and so it is.
    Right,
    /// It does not read the fact as the standard writes it, but is right about it in the texts of
    /// its own dialect.
    Rewritten,
    /// It says `unknown`.
    Undecided,
    /// It reports an error.
    Unsupported,
    /// Its dialect has no texts for the fact, so that it was not asked.
    Inexpressible,
    /// It came to no answer within the limits of time and memory.
    Timeout,
    /// Its process came to a bad end, or printed what is no answer.
    Crash,
    /// It says that the negation has a model.
    Wrong,
    /// The set-up or the machine failed, which says nothing about the release.
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

    /// The sign of it in the cell of a table; a right fact needs none.
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

    /// What it means, in a few texts, for legends.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Rewritten => "right, but only in texts of its own dialect",
            Self::Undecided => "answers unknown",
            Self::Unsupported => "reports an error",
            Self::Inexpressible => "its dialect has no texts for it",
            Self::Timeout => "no answer within the limits",
            Self::Crash => "crashes, or prints no answer",
            Self::Wrong => "WRONG",
            Self::NotAsked => "could not be asked, a fault of the set-up",
        }
    }
}

/// What came of a fact, with what there is to say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactResult {
    /// What came of it.
    pub outcome: FactOutcome,
    /// The texts of the release or of its dialect, where it is not right; may be empty.
    pub detail: String,
    /// More about a wrong answer.
    pub wrong: Option<Box<WrongAnswer>>,
}

/// A wrong answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongAnswer {
    /// The smallest script found that makes the release say `sat` where `unsat` is right. It asks
    /// for the negation of one fact, or, if it takes that, of several, of which the last counts.
    pub script: String,
    /// The release says it only if the script is read with its options for several queries.
    pub incremental: bool,
    /// What it says of the fact itself, asked alone; `None` if that is no verdict.
    pub of_fact: Option<Verdict>,
}

impl FactResult {
    /// An outcome about which there is nothing to say.
    pub fn plain(outcome: FactOutcome) -> Self {
        Self { outcome, detail: String::new(), wrong: None }
    }

    /// An outcome in the texts of somebody.
    pub fn with_detail(outcome: FactOutcome, detail: impl Into<String>) -> Self {
        Self { outcome, detail: detail.into(), wrong: None }
    }
}

impl WrongAnswer {
    /// Whether the release finds models of both the fact and its negation, although a closed
    /// formula is true or false.
    pub fn contradicts_itself(&self) -> bool {
        self.of_fact == Some(Verdict::Sat)
    }
}
