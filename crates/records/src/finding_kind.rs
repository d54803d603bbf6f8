//! The kinds of findings: what a person should look at.
//!
//! This is the one list of them. Terminal, pages, REST and documents take names, titles and order from
//! here, so that a finding is called the same wherever it is shown.

/// What a finding is, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FindingKind {
    /// Our own evidence contradicts itself.
    PlantedAgainstModel,
    /// A verdict that is known to be wrong.
    WrongVerdict,
    /// A model that does not satisfy the instance.
    InvalidModel,
    /// A core that is satisfiable, or names what is not there.
    InvalidCore,
    /// A label from a table is refuted by a model or by the planted answer.
    WrongLabel,
    /// The status in a file is refuted by a model.
    WrongStatus,
    /// Independent solvers agree against a label from a table.
    DoubtfulLabel,
    /// Independent solvers agree against the status in a file.
    DoubtfulStatus,
    /// Labels from tables contradict each other or the status in the file.
    ContradictoryLabels,
    /// Solvers contradict each other, and nothing decides.
    Disputed,
    /// A core that another solver calls satisfiable.
    DisputedCore,
    /// A verifying solver disagrees with the referee about a model.
    DifferentOpinion,
    /// The planted answer and the status in a file differ.
    PlantedAgainstStatus,
    /// The program crashed.
    Crash,
}

impl FindingKind {
    /// How many kinds there are.
    pub const COUNT: usize = 14;

    /// All kinds, the worst first.
    pub const ALL: [Self; Self::COUNT] = [
        Self::PlantedAgainstModel,
        Self::WrongVerdict,
        Self::InvalidModel,
        Self::InvalidCore,
        Self::WrongLabel,
        Self::WrongStatus,
        Self::DoubtfulLabel,
        Self::DoubtfulStatus,
        Self::ContradictoryLabels,
        Self::Disputed,
        Self::DisputedCore,
        Self::DifferentOpinion,
        Self::PlantedAgainstStatus,
        Self::Crash,
    ];

    /// A stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::PlantedAgainstModel => "planted-against-model",
            Self::WrongVerdict => "wrong-verdict",
            Self::InvalidModel => "invalid-model",
            Self::InvalidCore => "invalid-core",
            Self::WrongLabel => "wrong-label",
            Self::WrongStatus => "wrong-status",
            Self::DoubtfulLabel => "doubtful-label",
            Self::DoubtfulStatus => "doubtful-status",
            Self::ContradictoryLabels => "contradictory-labels",
            Self::Disputed => "disputed",
            Self::DisputedCore => "disputed-core",
            Self::DifferentOpinion => "different-opinion",
            Self::PlantedAgainstStatus => "planted-against-status",
            Self::Crash => "crash",
        }
    }

    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// What stands above a list of them.
    pub fn title(self) -> &'static str {
        match self {
            Self::PlantedAgainstModel => "Planted answers refuted",
            Self::WrongVerdict => "Wrong answers",
            Self::InvalidModel => "Invalid models",
            Self::InvalidCore => "Invalid cores",
            Self::WrongLabel => "Wrong labels",
            Self::WrongStatus => "Wrong status",
            Self::DoubtfulLabel => "Doubtful labels",
            Self::DoubtfulStatus => "Doubtful status",
            Self::ContradictoryLabels => "Contradictory labels",
            Self::Disputed => "Disputed answers",
            Self::DisputedCore => "Disputed cores",
            Self::DifferentOpinion => "Different opinions",
            Self::PlantedAgainstStatus => "Status against planted answer",
            Self::Crash => "Crashes",
        }
    }

    /// What it means, in a sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::PlantedAgainstModel => {
                "The planted answer is unsat, and there is a model that Luthier accepts: the \
                 generator or Luthier is wrong."
            }
            Self::WrongVerdict => "The answer is the opposite of what is known.",
            Self::InvalidModel => "The model does not satisfy the formula.",
            Self::InvalidCore => "The core is satisfiable, or names what is not asserted.",
            Self::WrongLabel => {
                "An expected answer from a table is refuted by a model that Luthier checked, or by \
                 the planted answer."
            }
            Self::WrongStatus => {
                "The status in the file is refuted by a model that Luthier checked."
            }
            Self::DoubtfulLabel => {
                "Independent solvers agree against an expected answer from a table."
            }
            Self::DoubtfulStatus => "Independent solvers agree against the status in the file.",
            Self::ContradictoryLabels => {
                "Expected answers from tables contradict each other or the status in the file."
            }
            Self::Disputed => "Solvers contradict each other, and nothing decides.",
            Self::DisputedCore => "Another solver calls the core satisfiable, without proof.",
            Self::DifferentOpinion => {
                "A verifying solver disagrees with the referee about a model."
            }
            Self::PlantedAgainstStatus => "The planted answer and the status in the file differ.",
            Self::Crash => "The program ended by a signal, or with an error and no answer.",
        }
    }

    /// Whether somebody is certainly wrong.
    pub fn is_wrong(self) -> bool {
        matches!(
            self,
            Self::PlantedAgainstModel | Self::WrongVerdict | Self::InvalidModel | Self::InvalidCore
        )
    }
}

#[cfg(test)]
mod tests {
    use super::FindingKind;

    #[test]
    fn kinds_are_listed_in_their_order_and_known_by_their_names() {
        for (place, kind) in FindingKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, place);
            assert_eq!(FindingKind::from_name(kind.name()), Some(kind));
        }
        assert_eq!(FindingKind::from_name("nothing"), None);
    }
}
