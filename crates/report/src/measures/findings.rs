//! Entries that a person should look at.
//!
//! Every run that the view looks at counts, also repetitions. There is one finding for each entry, kind
//! and solver, with the first run that shows it; conflicts and disputes are about an entry and have no
//! solver. The kinds are those of [`FindingKind`]. Different opinions about models are not in
//! [`Results`](crate::Results), so they are not here. A file that stands at several places is found at
//! each of them.
//!
//! * planted-against-model, wrong-label, wrong-status, contradictory-labels, planted-against-status: a
//!   conflict of that kind, see [`of_conflict`].
//! * wrong-verdict: an answer of the run is wrong; invalid-model, invalid-core, disputed-core: the worst
//!   outcome of its models or cores is this.
//! * doubtful-label, doubtful-status, disputed: a run of the view has a disputed answer; it is one of the
//!   first two if solvers agree against the label or the status. The solvers whose answers are disputed
//!   are counted.
//! * crash: the class of the run.

use luthier_records::{Class, Conflict, CoreOutcome, FindingKind, Judgement, ModelOutcome};

use crate::{ScoredRun, View};

/// Something to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub kind: FindingKind,
    /// The entry, as an index of the results.
    pub entry: usize,
    /// The solver, as an index of the results; `None` if it is about nobody in particular.
    pub solver: Option<usize>,
    /// The number of the run.
    pub run: Option<i64>,
}

/// All that there is to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Findings {
    totals: [u64; FindingKind::COUNT],
    by_solver: Vec<[u64; FindingKind::COUNT]>,
    /// The findings by kind, then entry, then solver; of each kind at most as many as asked for.
    pub list: Vec<Finding>,
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

/// What disputed answers are as a finding, by the conflicts of their query.
pub fn of_dispute(conflicts: impl IntoIterator<Item = Conflict>) -> FindingKind {
    let of_one = |conflict| match conflict {
        Conflict::LabelAgainstAgreement => FindingKind::DoubtfulLabel,
        Conflict::StatusAgainstAgreement => FindingKind::DoubtfulStatus,
        _ => FindingKind::Disputed,
    };
    conflicts.into_iter().map(of_one).min().unwrap_or(FindingKind::Disputed)
}

/// Whether a run shows this kind; never for what is about an entry.
fn shows(kind: FindingKind, run: &ScoredRun) -> bool {
    match kind {
        FindingKind::WrongVerdict => run.is_wrong(),
        FindingKind::InvalidModel => run.model == Some(ModelOutcome::Invalid),
        FindingKind::InvalidCore => run.core == Some(CoreOutcome::Invalid),
        FindingKind::DisputedCore => run.core == Some(CoreOutcome::Disputed),
        FindingKind::Crash => run.class == Class::Crash,
        FindingKind::PlantedAgainstModel
        | FindingKind::WrongLabel
        | FindingKind::WrongStatus
        | FindingKind::DoubtfulLabel
        | FindingKind::DoubtfulStatus
        | FindingKind::ContradictoryLabels
        | FindingKind::Disputed
        | FindingKind::DifferentOpinion
        | FindingKind::PlantedAgainstStatus => false,
    }
}

/// Whether a run is worth a closer look at all; nearly none is.
fn shows_any(run: &ScoredRun) -> bool {
    run.is_refuted()
        || matches!(run.core, Some(CoreOutcome::Invalid | CoreOutcome::Disputed))
        || run.class == Class::Crash
}

impl Findings {
    /// How many findings there are of a kind, also those that are not in the list.
    pub fn count(&self, kind: FindingKind) -> u64 {
        self.totals[kind as usize]
    }

    /// On how many entries a solver of the view, by its place there, shows this kind.
    pub fn count_of(&self, kind: FindingKind, position: usize) -> u64 {
        self.by_solver.get(position).map_or(0, |counts| counts[kind as usize])
    }

    /// The findings of a kind that are in the list.
    pub fn of_kind(&self, kind: FindingKind) -> impl Iterator<Item = &Finding> {
        self.list.iter().filter(move |finding| finding.kind == kind)
    }
}

/// What there is to look at in a view. Of each kind at most `limit` are listed; all are counted.
pub fn findings(view: &View<'_>, limit: usize) -> Findings {
    let mut found = Findings {
        totals: [0; FindingKind::COUNT],
        by_solver: vec![[0; FindingKind::COUNT]; view.solvers.len()],
        list: Vec::new(),
    };
    let push =
        |totals: &mut [u64; FindingKind::COUNT], list: &mut Vec<Finding>, finding: Finding| {
            let total = &mut totals[finding.kind as usize];
            *total += 1;
            if *total <= limit as u64 {
                list.push(finding);
            }
        };
    for &index in &view.entries {
        let entry = &view.results.entries[index];
        let conflicts = || entry.judged.beliefs.iter().flat_map(|belief| &belief.conflicts);
        let of_entry = |kind| Finding { kind, entry: index, solver: None, run: None };
        let mut shown: Vec<FindingKind> = conflicts().filter_map(|one| of_conflict(*one)).collect();
        shown.sort_unstable();
        shown.dedup();
        for kind in shown {
            push(&mut found.totals, &mut found.list, of_entry(kind));
        }
        let dispute = of_dispute(conflicts().copied());
        let mut is_disputed = false;
        for (position, &solver) in view.solvers.iter().enumerate() {
            let runs = || view.runs(entry, solver);
            if runs().any(|run| run.scored.judgement == Judgement::Disputed) {
                found.by_solver[position][dispute as usize] += 1;
                is_disputed = true;
            }
            if !runs().any(|run| shows_any(&run.scored)) {
                continue;
            }
            for kind in FindingKind::ALL {
                if let Some(run) = runs().find(|run| shows(kind, &run.scored)) {
                    found.by_solver[position][kind as usize] += 1;
                    let finding =
                        Finding { solver: Some(solver), run: Some(run.number), ..of_entry(kind) };
                    push(&mut found.totals, &mut found.list, finding);
                }
            }
        }
        if is_disputed {
            push(&mut found.totals, &mut found.list, of_entry(dispute));
        }
    }
    // Stable, so that entries and solvers stay in their order.
    found.list.sort_by_key(|finding| finding.kind);
    found
}
