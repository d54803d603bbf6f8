//! The ground truth of queries with its evidence, and the judgement on answers that follows from it.

use crate::Verdict;

/// What speaks for a verdict, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Evidence {
    /// The query was made so that this is its answer.
    Planted,
    /// A solver printed a model, and the referee found it true.
    Model,
    /// A table of expected answers from outside says so.
    Label,
    /// The file claims it, and its set is trusted.
    Status,
    /// Solvers of at least two families said it, and nobody said the opposite.
    Agreement,
}

/// The ground truth of one query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroundTruth {
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
    /// The planted answer and an expected answer from a table differ.
    PlantedAgainstLabel,
    /// The planted answer and the status of the file differ.
    PlantedAgainstStatus,
    /// A table says `unsat`, and there is a model that the referee accepts: the label is wrong.
    LabelAgainstModel,
    /// The file says `unsat`, and there is a model that the referee accepts: the label is wrong.
    StatusAgainstModel,
    /// Solvers of at least two families say the opposite of what a table says, and nobody says the
    /// same. The label or all of them are wrong.
    LabelAgainstAgreement,
    /// Solvers of at least two families say the opposite of what the file says, and nobody says
    /// the same. The status or all of them are wrong.
    StatusAgainstAgreement,
    /// Tables contradict each other, or the status of the file.
    Labels,
    /// Some solvers say `sat`, others `unsat`.
    Solvers,
}

/// The judgement on one answer to a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Judgement {
    /// The verdict is the ground truth.
    Right(Evidence),
    /// The verdict is the opposite of the ground truth.
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
    pub const ALL: [Self; 5] =
        [Self::Planted, Self::Model, Self::Label, Self::Status, Self::Agreement];

    /// A stable lower-case name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Planted => "planted",
            Self::Model => "model",
            Self::Label => "label",
            Self::Status => "status",
            Self::Agreement => "agreement",
        }
    }

    /// What it is, in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Planted => "planted answer",
            Self::Model => "a model that Luthier checked",
            Self::Label => "label from a table",
            Self::Status => "status of the file",
            Self::Agreement => "agreement of independent solvers",
        }
    }
}

impl Conflict {
    /// All conflicts.
    pub const ALL: [Self; 9] = [
        Self::PlantedAgainstModel,
        Self::PlantedAgainstLabel,
        Self::PlantedAgainstStatus,
        Self::LabelAgainstModel,
        Self::StatusAgainstModel,
        Self::LabelAgainstAgreement,
        Self::StatusAgainstAgreement,
        Self::Labels,
        Self::Solvers,
    ];

    /// A stable lower-case name.
    pub fn name(self) -> &'static str {
        match self {
            Self::PlantedAgainstModel => "planted-against-model",
            Self::PlantedAgainstLabel => "planted-against-label",
            Self::PlantedAgainstStatus => "planted-against-status",
            Self::LabelAgainstModel => "label-against-model",
            Self::StatusAgainstModel => "status-against-model",
            Self::LabelAgainstAgreement => "label-against-agreement",
            Self::StatusAgainstAgreement => "status-against-agreement",
            Self::Labels => "labels",
            Self::Solvers => "solvers",
        }
    }

    /// What contradicts what, in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::PlantedAgainstModel => {
                "the planted answer is refuted by a model: the generator or Luthier is wrong"
            }
            Self::PlantedAgainstLabel => "the planted answer and a label from a table differ",
            Self::PlantedAgainstStatus => "the planted answer and the status of the file differ",
            Self::LabelAgainstModel => {
                "a label from a table is refuted by a model that Luthier checked"
            }
            Self::StatusAgainstModel => {
                "the status of the file is refuted by a model that Luthier checked"
            }
            Self::LabelAgainstAgreement => "independent solvers agree against a label from a table",
            Self::StatusAgainstAgreement => {
                "independent solvers agree against the status of the file"
            }
            Self::Labels => "labels contradict each other or the status of the file",
            Self::Solvers => "solvers contradict each other",
        }
    }

    /// Whether it leaves open who is right where nothing stronger decides.
    pub fn leaves_open(self) -> bool {
        match self {
            Self::PlantedAgainstModel
            | Self::LabelAgainstAgreement
            | Self::StatusAgainstAgreement
            | Self::Solvers => true,
            Self::PlantedAgainstLabel
            | Self::PlantedAgainstStatus
            | Self::LabelAgainstModel
            | Self::StatusAgainstModel
            | Self::Labels => false,
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
