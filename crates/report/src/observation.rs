//! Observations: what a run shows about the soundness of its solver.
//!
//! Findings are collected in two steps. [`observe`] looks at one run while the database is read, when
//! its answers and the judgements on them are at hand, and gives one [`Observation`] for each query and
//! kind; nearly all runs give none. [`measures::findings`](crate::measures::findings) then groups the
//! observations of a view. Nothing else decides what a finding is.
//!
//! | kind | the run shows it if |
//! |---|---|
//! | wrong-unsat, wrong-sat | the answer is the opposite of the ground truth |
//! | doubtful-label, doubtful-status, disputed | the answer is disputed; one of the first two if independent solvers agree against the label or the status |
//! | invalid-model | the referee evaluates an assertion to false under the model |
//! | different-opinion | a verifying solver accepts an invalid or rejects a valid model |
//! | invalid-core, disputed-core | the outcome of the core is this |
//! | crash | its class is this; at the query at which the program ended |

use luthier_records::{
    Class, Conflict, CoreOutcome, FindingKind, GroundTruth, Judgement, ModelOutcome, Opinion,
    RunAnswer, Verdict,
};

/// Something that a run shows about one query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observation {
    /// What it is.
    pub kind: FindingKind,
    /// The query, from 0.
    pub query: u32,
    /// The run, as an index of [`JudgedContent::runs`](crate::JudgedContent::runs).
    pub run: u32,
    /// The verdict of the run on the query.
    pub said: Option<Verdict>,
}

/// What a run shows, by query, then kind. `run` is its index in the list of runs.
pub fn observe(
    run: usize,
    class: Class,
    answers: &[RunAnswer],
    judgements: &[Judgement],
    truths: &[GroundTruth],
) -> Vec<Observation> {
    let run = u32::try_from(run).unwrap_or(u32::MAX);
    let mut observations = Vec::new();
    for (query, answer) in (0..).zip(answers) {
        let before = observations.len();
        let mut push = |kind| {
            observations.push(Observation { kind, query, run, said: Some(answer.verdict) });
        };
        let index = query as usize;
        match judgements.get(index) {
            Some(Judgement::Wrong(_)) => {
                FindingKind::of_wrong(answer.verdict).into_iter().for_each(&mut push);
            }
            Some(Judgement::Disputed) => {
                let conflicts = truths.get(index).map(|truth| truth.conflicts.as_slice());
                push(of_dispute(conflicts.unwrap_or_default()));
            }
            Some(Judgement::Right(_) | Judgement::Unjudged | Judgement::NoClaim) | None => {}
        }
        if answer.model.as_ref().is_some_and(|model| model.outcome == ModelOutcome::Invalid) {
            push(FindingKind::InvalidModel);
        }
        if different_opinions(answer).next().is_some() {
            push(FindingKind::DifferentOpinion);
        }
        match answer.core.as_ref().map(|core| core.outcome) {
            Some(CoreOutcome::Invalid) => push(FindingKind::InvalidCore),
            Some(CoreOutcome::Disputed) => push(FindingKind::DisputedCore),
            _ => {}
        }
        observations[before..].sort_unstable_by_key(|one| one.kind);
    }
    if class == Class::Crash {
        // An answer before the crash has its class. Without one it is the first query
        // that has no answer.
        let place = answers.iter().position(|answer| answer.class == Class::Crash);
        let last = truths.len().saturating_sub(1);
        let query = u32::try_from(place.unwrap_or(answers.len()).min(last)).unwrap_or(u32::MAX);
        let said = place.and_then(|place| answers.get(place)).map(|answer| answer.verdict);
        observations.push(Observation { kind: FindingKind::Crash, query, run, said });
    }
    observations
}

/// The second opinions on the model of an answer that differ from what the referee found, each with
/// whether the solver accepts the model.
pub fn different_opinions(answer: &RunAnswer) -> impl Iterator<Item = (&Opinion, bool)> {
    let is_true = match answer.model.as_ref().map(|model| model.outcome) {
        Some(ModelOutcome::Valid) => Some(true),
        Some(ModelOutcome::Invalid) => Some(false),
        _ => None,
    };
    answer.opinions.iter().filter_map(move |opinion| {
        let accepts = match opinion.class {
            Class::Sat => true,
            Class::Unsat => false,
            _ => return None,
        };
        is_true.is_some_and(|is_true| is_true != accepts).then_some((opinion, accepts))
    })
}

/// What a conflict is as a finding; `None` for those that show only in disputed answers.
pub fn of_conflict(conflict: Conflict) -> Option<FindingKind> {
    match conflict {
        Conflict::PlantedAgainstModel => Some(FindingKind::PlantedAgainstModel),
        Conflict::PlantedAgainstLabel | Conflict::LabelAgainstModel => {
            Some(FindingKind::WrongLabel)
        }
        Conflict::StatusAgainstModel => Some(FindingKind::WrongStatus),
        Conflict::PlantedAgainstStatus => Some(FindingKind::PlantedAgainstStatus),
        Conflict::Labels => Some(FindingKind::ContradictoryLabels),
        Conflict::LabelAgainstAgreement | Conflict::StatusAgainstAgreement | Conflict::Solvers => {
            None
        }
    }
}

/// Whether findings of this kind are disputes: about a query and all who answered it.
pub fn is_dispute(kind: FindingKind) -> bool {
    matches!(kind, FindingKind::DoubtfulLabel | FindingKind::DoubtfulStatus | FindingKind::Disputed)
}

/// What disputed answers are as a finding, by the conflicts of their query.
fn of_dispute(conflicts: &[Conflict]) -> FindingKind {
    let of_one = |conflict: &Conflict| match conflict {
        Conflict::LabelAgainstAgreement => FindingKind::DoubtfulLabel,
        Conflict::StatusAgainstAgreement => FindingKind::DoubtfulStatus,
        _ => FindingKind::Disputed,
    };
    conflicts.iter().map(of_one).min().unwrap_or(FindingKind::Disputed)
}
