//! The ground truth of a query with its evidence, conflicts of evidence, and the judgement on an
//! answer. `luthier_judge::ground_truth` computes them; they are never stored.

use crate::Verdict;

/// The evidence for a verdict, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Evidence {
    /// The query was generated with this answer.
    Planted,
    /// A solver printed a model that the referee accepts.
    Model,
    /// A table of expected answers from outside says so.
    Label,
    /// The file claims it, and its set is trusted.
    Status,
    /// Solvers of at least two families agree, and none contradicts.
    Agreement,
}

/// The ground truth of one query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroundTruth {
    /// The verdict, never `unknown`, with the strongest evidence for it; `None` if nothing
    /// decides.
    pub verdict: Option<(Verdict, Evidence)>,
    /// The conflicts of evidence.
    pub conflicts: Vec<Conflict>,
    /// The verdict of most solver families, if a vote was requested and nothing decides. A vote is not
    /// the ground truth.
    pub vote: Option<Verdict>,
}

/// A conflict between two pieces of evidence. A person should examine each.
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
    /// The file says `unsat`, and there is a model that the referee accepts: the status is wrong.
    StatusAgainstModel,
    /// Solvers of at least two families contradict a table, and none supports it. The label or all of
    /// them are wrong.
    LabelAgainstAgreement,
    /// Solvers of at least two families contradict the status of the file, and none supports it. The
    /// status or all of them are wrong.
    StatusAgainstAgreement,
    /// Tables contradict each other, or the status of the file.
    Labels,
    /// Some solvers answer `sat`, others `unsat`.
    Solvers,
}

/// The judgement on one answer to a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Judgement {
    /// The verdict is the ground truth.
    Right(Evidence),
    /// The verdict is the opposite of the ground truth.
    Wrong(Evidence),
    /// Solvers contradict each other, or all of them the label, and no evidence decides.
    Disputed,
    /// There is no evidence for or against it.
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

    /// A short description.
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

    /// A short description.
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

    /// Whether it makes answers disputed where no stronger evidence decides.
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
