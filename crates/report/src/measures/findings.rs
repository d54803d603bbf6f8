//! Entries that a person should look at.
//!
//! Every run that the view looks at counts, also repetitions. There is one finding for each entry, kind
//! and solver, with the first run that shows it; conflicts and disputes are about an entry and have no
//! solver. The kinds and their order are those of `luthier summary --findings`, with two more at the
//! end: the planted answer against the status, and crashes. Different opinions about models are not in
//! [`Results`](crate::Results), so they are not here. A file that stands at several places is found at
//! each of them.
//!
//! * planted-against-model, wrong-status, planted-against-status: the conflict of that kind.
//! * wrong-verdict: an answer of the run is wrong; invalid-model, invalid-core, disputed-core: the worst
//!   outcome of its models or cores is this.
//! * doubtful-status, disputed: a run of the view has a disputed answer; it is the first if solvers agree
//!   against the status. The solvers whose answers are disputed are counted.
//! * crash: the class of the run.

use luthier_records::{Class, Conflict, CoreOutcome, Judgement, ModelOutcome};

use crate::{ScoredRun, View};

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
    /// The label of a file is refuted by a model.
    WrongStatus,
    /// Independent solvers agree against the label of a file.
    DoubtfulStatus,
    /// Solvers contradict each other, and nothing decides.
    Disputed,
    /// A core that another solver calls satisfiable.
    DisputedCore,
    /// The planted answer and the label of a file differ.
    PlantedAgainstStatus,
    /// The program crashed.
    Crash,
}

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
    totals: [u64; 10],
    by_solver: Vec<[u64; 10]>,
    /// The findings by kind, then entry, then solver; of each kind at most as many as asked for.
    pub list: Vec<Finding>,
}

impl FindingKind {
    /// All kinds, the worst first.
    pub const ALL: [Self; 10] = [
        Self::PlantedAgainstModel,
        Self::WrongVerdict,
        Self::InvalidModel,
        Self::InvalidCore,
        Self::WrongStatus,
        Self::DoubtfulStatus,
        Self::Disputed,
        Self::DisputedCore,
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
            Self::WrongStatus => "wrong-status",
            Self::DoubtfulStatus => "doubtful-status",
            Self::Disputed => "disputed",
            Self::DisputedCore => "disputed-core",
            Self::PlantedAgainstStatus => "planted-against-status",
            Self::Crash => "crash",
        }
    }

    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether somebody is certainly wrong.
    pub fn is_wrong(self) -> bool {
        matches!(
            self,
            Self::PlantedAgainstModel | Self::WrongVerdict | Self::InvalidModel | Self::InvalidCore
        )
    }

    /// Whether a run shows it; never for what is about an entry.
    fn is_of(self, run: &ScoredRun) -> bool {
        match self {
            Self::WrongVerdict => run.is_wrong(),
            Self::InvalidModel => run.model == Some(ModelOutcome::Invalid),
            Self::InvalidCore => run.core == Some(CoreOutcome::Invalid),
            Self::DisputedCore => run.core == Some(CoreOutcome::Disputed),
            Self::Crash => run.class == Class::Crash,
            Self::PlantedAgainstModel
            | Self::WrongStatus
            | Self::DoubtfulStatus
            | Self::Disputed
            | Self::PlantedAgainstStatus => false,
        }
    }

    /// Whether a run is worth a closer look at all; nearly none is.
    fn any_is_of(run: &ScoredRun) -> bool {
        run.is_refuted()
            || matches!(run.core, Some(CoreOutcome::Invalid | CoreOutcome::Disputed))
            || run.class == Class::Crash
    }
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
        totals: [0; 10],
        by_solver: vec![[0; 10]; view.solvers.len()],
        list: Vec::new(),
    };
    let push = |totals: &mut [u64; 10], list: &mut Vec<Finding>, finding: Finding| {
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
        for (conflict, kind) in [
            (Conflict::PlantedAgainstModel, FindingKind::PlantedAgainstModel),
            (Conflict::StatusAgainstModel, FindingKind::WrongStatus),
            (Conflict::PlantedAgainstStatus, FindingKind::PlantedAgainstStatus),
        ] {
            if conflicts().any(|one| *one == conflict) {
                push(&mut found.totals, &mut found.list, of_entry(kind));
            }
        }
        let doubtful = conflicts().any(|one| *one == Conflict::StatusAgainstAgreement);
        let dispute = if doubtful { FindingKind::DoubtfulStatus } else { FindingKind::Disputed };
        let mut is_disputed = false;
        for (position, &solver) in view.solvers.iter().enumerate() {
            let runs = || view.runs(entry, solver);
            if runs().any(|run| run.scored.judgement == Judgement::Disputed) {
                found.by_solver[position][dispute as usize] += 1;
                is_disputed = true;
            }
            if !runs().any(|run| FindingKind::any_is_of(&run.scored)) {
                continue;
            }
            for kind in FindingKind::ALL {
                if let Some(run) = runs().find(|run| kind.is_of(&run.scored)) {
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
