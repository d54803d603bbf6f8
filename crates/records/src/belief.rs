//! What is believed, and on what evidence.

use crate::Verdict;

/// What speaks for a verdict, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Evidence {
    /// The query was made so that this is its answer.
    Planted,
    /// A solver printed a model, and the referee found it true.
    Model,
    /// The file claims it, and its set is trusted.
    Status,
    /// Solvers of at least two families said it, and nobody said the opposite.
    Agreement,
}

/// What is believed about one query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Belief {
    /// The verdict, never `unknown`, with the strongest evidence for it; `None` if nothing
    /// decides.
    pub verdict: Option<(Verdict, Evidence)>,
    /// What contradicts what.
    pub conflicts: Vec<Conflict>,
    /// What most solver families said, if somebody asked for a vote and nothing better decides.
    /// A vote is not the truth.
    pub vote: Option<Verdict>,
}

/// Evidence against evidence. Each is worth a look by a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Conflict {
    /// The planted answer is `unsat`, and there is a model that the referee accepts. The
    /// generator or the referee is wrong.
    PlantedAgainstModel,
    /// The planted answer and the status of the file differ.
    PlantedAgainstStatus,
    /// The file says `unsat`, and there is a model that the referee accepts: the label is wrong.
    StatusAgainstModel,
    /// Solvers of at least two families say the opposite of what the file says, and nobody says
    /// the same. The label or all of them are wrong.
    StatusAgainstAgreement,
    /// Some solvers say `sat`, others `unsat`.
    Solvers,
}

/// What is believed about one answer to a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Judgement {
    /// The verdict is the believed one.
    Right(Evidence),
    /// The verdict is the opposite of the believed one.
    Wrong(Evidence),
    /// Solvers contradict each other or all of them the label, and nothing decides who is right.
    Disputed,
    /// Nothing speaks for or against it.
    Unjudged,
    /// There is nothing to judge: `unknown`, or no claim at all.
    NoClaim,
}

impl Evidence {
    /// All kinds of evidence, the strongest first.
    pub const ALL: [Self; 4] = [Self::Planted, Self::Model, Self::Status, Self::Agreement];

    /// A stable lower-case name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Planted => "planted",
            Self::Model => "model",
            Self::Status => "status",
            Self::Agreement => "agreement",
        }
    }
}

impl Conflict {
    /// All conflicts.
    pub const ALL: [Self; 5] = [
        Self::PlantedAgainstModel,
        Self::PlantedAgainstStatus,
        Self::StatusAgainstModel,
        Self::StatusAgainstAgreement,
        Self::Solvers,
    ];

    /// A stable lower-case name.
    pub fn name(self) -> &'static str {
        match self {
            Self::PlantedAgainstModel => "planted-against-model",
            Self::PlantedAgainstStatus => "planted-against-status",
            Self::StatusAgainstModel => "status-against-model",
            Self::StatusAgainstAgreement => "status-against-agreement",
            Self::Solvers => "solvers",
        }
    }
}

impl Judgement {
    /// A stable lower-case name, without the evidence.
    pub fn name(self) -> &'static str {
        match self {
            Self::Right(_) => "right",
            Self::Wrong(_) => "wrong",
            Self::Disputed => "disputed",
            Self::Unjudged => "unjudged",
            Self::NoClaim => "no-claim",
        }
    }
}
