//! The kinds of findings: observations that a person should examine.
//!
//! This is the one list of them. Campaigns and hunts, terminal, pages, REST and documents take names,
//! titles and order from here, so that a finding is called the same wherever it is shown.
//!
//! Most kinds follow from the stored observations of a campaign. Some do not and come only from a
//! hunt, which knows more about its formulas: [`Contradiction`](FindingKind::Contradiction) needs two
//! formulas that are equisatisfiable by construction, [`WrongValue`](FindingKind::WrongValue) and
//! [`WrongRewrite`](FindingKind::WrongRewrite) requests that a campaign does not make,
//! [`Incomplete`](FindingKind::Incomplete) and
//! [`Slow`](FindingKind::Slow) a formula that is known to be easy. In the results of a campaign
//! `unknown` and a timeout are classes, not findings.
//!
//! Until version 2 of the JSON, `wrong-sat` and `wrong-unsat` were one kind, `wrong-verdict`. Where
//! findings are filtered by kind, that name still selects both, see [`FindingKind::named`].

use std::fmt;

use crate::Verdict;

/// Defines the kinds: the enum, and all that is known about each variant.
macro_rules! kinds {
    ($($(#[$about:meta])* $kind:ident, $name:literal, $title:literal, $meaning:literal;)*) => {
        /// What a finding is, the worst first.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FindingKind {
            $($(#[$about])* $kind,)*
        }

        impl FindingKind {
            /// All kinds, the worst first.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$kind),*];

            /// A stable name.
            pub fn name(self) -> &'static str {
                match self { $(Self::$kind => $name,)* }
            }

            /// The heading of a list of them.
            pub fn title(self) -> &'static str {
                match self { $(Self::$kind => $title,)* }
            }

            /// What it means, in a sentence.
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$kind => $meaning,)* }
            }
        }
    };
}

kinds! {
    /// Our own evidence contradicts itself: a model that the referee accepts satisfies a formula planted
    /// as `unsat`.
    PlantedAgainstModel, "planted-against-model", "Planted answers refuted",
        "The planted answer is unsat, and there is a model that Luthier accepts: the generator or Luthier is wrong.";
    /// Refutation unsoundness: `unsat` for a formula that is known to be satisfiable.
    WrongUnsat, "wrong-unsat", "Wrong answers: unsat",
        "The answer is unsat, and the formula is known to be satisfiable.";
    /// Solution unsoundness: `sat` for a formula that is known to be unsatisfiable.
    WrongSat, "wrong-sat", "Wrong answers: sat",
        "The answer is sat, and the formula is known to be unsatisfiable.";
    /// A model that does not satisfy the instance.
    InvalidModel, "invalid-model", "Invalid models",
        "The model does not satisfy the formula.";
    /// A value of `get-value` that the term does not have, or values that do not satisfy the formula.
    WrongValue, "wrong-value", "Wrong values",
        "A value that get-value prints is not that of the term, or the values do not satisfy the formula.";
    /// A core that is satisfiable, or names what is not there.
    InvalidCore, "invalid-core", "Invalid cores",
        "The core is satisfiable, or names what is not asserted.";
    /// A simplified term, or the goals of a tactic, with another value than the term in some model.
    WrongRewrite, "wrong-rewrite", "Wrong rewrites",
        "The solver rewrites a term to one that has another value in some model.";
    /// `sat` to one and `unsat` to another of two equisatisfiable formulas, by the same solver.
    Contradiction, "contradiction", "Contradictions",
        "The solver answers sat to one and unsat to another of two equisatisfiable formulas.";
    /// A label from a table is refuted by a model or by the planted answer.
    WrongLabel, "wrong-label", "Wrong labels",
        "An expected answer from a table is refuted by a model that Luthier checked, or by the planted answer.";
    /// The status in a file is refuted by a model.
    WrongStatus, "wrong-status", "Wrong status",
        "The status in the file is refuted by a model that Luthier checked.";
    /// Independent solvers agree against a label from a table.
    DoubtfulLabel, "doubtful-label", "Doubtful labels",
        "Independent solvers agree against an expected answer from a table.";
    /// Independent solvers agree against the status in a file.
    DoubtfulStatus, "doubtful-status", "Doubtful status",
        "Independent solvers agree against the status in the file.";
    /// Labels from tables contradict each other or the status in the file.
    ContradictoryLabels, "contradictory-labels", "Contradictory labels",
        "Expected answers from tables contradict each other or the status in the file.";
    /// Solvers contradict each other, and nothing decides.
    Disputed, "disputed", "Disputed answers",
        "Solvers contradict each other, and nothing decides.";
    /// A core that another solver calls satisfiable.
    DisputedCore, "disputed-core", "Disputed cores",
        "Another solver calls the core satisfiable, without proof.";
    /// A verifying solver disagrees with the referee about a model.
    DifferentOpinion, "different-opinion", "Different opinions",
        "A verifying solver disagrees with the referee about a model.";
    /// The planted answer and the status in a file differ.
    PlantedAgainstStatus, "planted-against-status", "Status against planted answer",
        "The planted answer and the status in the file differ.";
    /// The program crashed.
    Crash, "crash", "Crashes",
        "The program ended by a signal, or with an error and no answer.";
    /// `unknown` to a formula without constants.
    Incomplete, "incomplete", "Incomplete answers",
        "The answer to a formula without constants is unknown.";
    /// No answer within the time limit.
    Slow, "slow", "Slow answers",
        "There was no answer within the time limit.";
}

/// The name that stands for both kinds of wrong verdicts in filters.
const WRONG_VERDICT: &str = "wrong-verdict";

impl FindingKind {
    /// How many kinds there are.
    pub const COUNT: usize = Self::ALL.len();

    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The kinds that can follow from stored observations, the worst first.
    pub fn observed() -> impl Iterator<Item = Self> + Clone {
        Self::ALL.into_iter().filter(|kind| kind.is_observed())
    }

    /// Whether it can follow from stored observations; otherwise it comes only from a hunt.
    pub fn is_observed(self) -> bool {
        !matches!(
            self,
            Self::WrongValue
                | Self::WrongRewrite
                | Self::Contradiction
                | Self::Incomplete
                | Self::Slow
        )
    }

    /// The kinds that a hunt looks for, the worst first.
    pub fn hunted() -> impl Iterator<Item = Self> + Clone {
        Self::ALL.into_iter().filter(|kind| {
            let also = matches!(kind, Self::PlantedAgainstModel | Self::Disputed | Self::Crash);
            also || kind.is_solver_error() || !kind.is_observed()
        })
    }

    /// The observed kinds that a filter of this name selects: the kind of the name, or both kinds of
    /// wrong verdicts for `wrong-verdict`. None for any other name.
    pub fn named(name: &str) -> Vec<Self> {
        let is_meant = |kind: &Self| match name {
            WRONG_VERDICT => matches!(kind, Self::WrongUnsat | Self::WrongSat),
            _ => kind.name() == name,
        };
        Self::observed().filter(is_meant).collect()
    }

    /// All names that [`named`](Self::named) knows.
    pub fn filter_names() -> Vec<&'static str> {
        Self::observed().map(Self::name).chain([WRONG_VERDICT]).collect()
    }

    /// What this verdict is if it is wrong; `None` for `unknown`, which claims nothing.
    pub fn of_wrong(said: Verdict) -> Option<Self> {
        match said {
            Verdict::Sat => Some(Self::WrongSat),
            Verdict::Unsat => Some(Self::WrongUnsat),
            Verdict::Unknown => None,
        }
    }

    /// Whether a solver or Luthier itself is certainly wrong.
    pub fn is_wrong(self) -> bool {
        self == Self::PlantedAgainstModel || self.is_solver_error()
    }

    /// Whether the solver is certainly wrong: it gave an answer, a model or a core that is refuted.
    pub fn is_solver_error(self) -> bool {
        matches!(
            self,
            Self::WrongUnsat
                | Self::WrongSat
                | Self::InvalidModel
                | Self::WrongValue
                | Self::InvalidCore
                | Self::WrongRewrite
                | Self::Contradiction
        )
    }
}

impl fmt::Display for FindingKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::FindingKind;
    use crate::Verdict;

    #[test]
    fn kinds_are_listed_in_their_order_and_known_by_their_names() {
        for (place, kind) in FindingKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, place);
            assert_eq!(FindingKind::from_name(kind.name()), Some(kind));
            let is_kebab = |byte: u8| byte.is_ascii_lowercase() || byte == b'-';
            assert!(kind.name().bytes().all(is_kebab), "{kind}");
        }
        assert_eq!(FindingKind::from_name("nothing"), None);
        assert_eq!(FindingKind::from_name("wrong-verdict"), None, "a name of filters only");
    }

    #[test]
    fn a_filter_selects_one_kind_or_both_wrong_verdicts() {
        let wrong = [Verdict::Unsat, Verdict::Sat].map(FindingKind::of_wrong).map(Option::unwrap);
        assert_eq!(FindingKind::named("wrong-verdict"), wrong);
        assert_eq!(FindingKind::of_wrong(Verdict::Unknown), None);
        for name in FindingKind::filter_names() {
            assert!(!FindingKind::named(name).is_empty(), "{name}");
        }
        for hunted in
            ["wrong-value", "wrong-rewrite", "contradiction", "incomplete", "slow", "", "nothing"]
        {
            assert!(FindingKind::named(hunted).is_empty(), "{hunted}");
        }
    }
}
