//! The results of checking a printed model and a printed unsatisfiable core.

/// The result of checking a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFinding {
    /// The outcome.
    pub outcome: ModelOutcome,
    /// Which assertion is false, what is missing, or why it cannot be decided.
    pub detail: Option<String>,
}

/// The outcome of checking a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ModelOutcome {
    /// Every assertion is true: the query is satisfiable.
    Valid,
    /// Values are missing, but with default values every assertion is true: the query is
    /// satisfiable.
    Completed,
    /// Values are missing, and default values do not satisfy the query.
    Incomplete,
    /// Some assertion is false, or a claimed value is wrong.
    Invalid,
    /// The model or the script is not supported, so nothing is decided.
    Unsupported,
    /// The limits of reading and evaluating were exceeded, so nothing is decided.
    Exceeded,
}

/// The result of checking an unsatisfiable core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreFinding {
    /// The outcome.
    pub outcome: CoreOutcome,
    /// How many names it has.
    pub size: usize,
    /// The reason.
    pub detail: Option<String>,
}

/// The outcome of checking a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CoreOutcome {
    /// It is the planted minimal core.
    Minimal,
    /// It contains the planted core, so it is unsatisfiable, but not minimal.
    Larger,
    /// Another solver answers that it is unsatisfiable.
    Confirmed,
    /// Neither confirmed nor refuted.
    Unconfirmed,
    /// Another solver answers that it is satisfiable, without a model that proves it.
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
