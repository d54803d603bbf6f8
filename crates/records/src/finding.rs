//! What was found about models and cores.

/// What the referee found about a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFinding {
    /// What came of it.
    pub outcome: ModelOutcome,
    /// Which assertion is false, what is missing, or why it cannot be said.
    pub detail: Option<String>,
}

/// What came of checking a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ModelOutcome {
    /// Every assertion is true: the query is satisfiable.
    Valid,
    /// Values are missing, but with default values every assertion is true: the query is
    /// satisfiable.
    Completed,
    /// Values are missing, and default values do not do.
    Incomplete,
    /// Some assertion is false.
    Invalid,
    /// It cannot be said.
    Unsupported,
    /// The limits for reading and judging it were exceeded, so nothing is known about it. It
    /// proves nothing and refutes nothing.
    Exceeded,
}

/// What was found about an unsatisfiable core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreFinding {
    /// What came of it.
    pub outcome: CoreOutcome,
    /// How many names it has.
    pub size: usize,
    /// The reason.
    pub detail: Option<String>,
}

/// What came of checking a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CoreOutcome {
    /// It is the planted minimal core.
    Minimal,
    /// It contains the planted core, so it is unsatisfiable, but something could be left out.
    Larger,
    /// A solver of another family says that it is unsatisfiable.
    Confirmed,
    /// Nothing is known against it.
    Unconfirmed,
    /// A solver of another family says that it is satisfiable, without a model that proves it.
    Disputed,
    /// It names what is not asserted, lacks a part of the planted core, or was found to be
    /// satisfiable with a model that the referee accepts.
    Invalid,
}

impl ModelOutcome {
    /// All outcomes.
    pub const ALL: [Self; 6] = [
        Self::Valid,
        Self::Completed,
        Self::Incomplete,
        Self::Invalid,
        Self::Unsupported,
        Self::Exceeded,
    ];

    /// A stable lower-case name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Completed => "completed",
            Self::Incomplete => "incomplete",
            Self::Invalid => "invalid",
            Self::Unsupported => "unsupported",
            Self::Exceeded => "exceeded",
        }
    }

    /// Whether it proves that the query is satisfiable.
    pub fn proves_sat(self) -> bool {
        matches!(self, Self::Valid | Self::Completed)
    }
}

impl CoreOutcome {
    /// All outcomes.
    pub const ALL: [Self; 6] = [
        Self::Minimal,
        Self::Larger,
        Self::Confirmed,
        Self::Unconfirmed,
        Self::Disputed,
        Self::Invalid,
    ];

    /// A stable lower-case name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Minimal => "minimal",
            Self::Larger => "larger",
            Self::Confirmed => "confirmed",
            Self::Unconfirmed => "unconfirmed",
            Self::Disputed => "disputed",
            Self::Invalid => "invalid",
        }
    }
}
