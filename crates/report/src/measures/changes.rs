//! Changes between two releases or two campaigns, entry by entry.
//!
//! Every entry that has a scored run on at least one side is of exactly one kind. The first that fits:
//!
//! 1. *only before*, *only after*: the other side has no scored run.
//! 2. *became wrong*: refuted (a wrong answer or an invalid model) after, and not before.
//! 3. *no longer wrong*: refuted before, and not after.
//! 4. *verdict changed*: one side answered `sat` and the other `unsat`, and the ground truth is unknown,
//!    or neither is right.
//! 5. *new*: solved after, and not before. *lost*: solved before, and not after.
//! 6. *slower*, *faster*: solved on both sides, and the CPU times differ beyond noise, see
//!    [`NoiseBand`].
//! 7. *class changed*: solved on neither side, and the classes differ, such as timeout and crash.
//! 8. *same*.
//!
//! The ratio of a change is the penalised CPU time after divided by that before, both at least a
//! millisecond: above 1 it got worse.
//!
//! Totals of both sides are over the entries that have scored runs on both, so that they compare.

use luthier_records::CpuTime;

use super::noise::NoiseBand;
use super::rows::{add, scored};
use crate::{Entry, RunInfo, ScoredRun, View, representative};

/// One side of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Side {
    /// The solver, as an index of the results.
    pub solver: usize,
    /// Only runs of this campaign; `None` for those that the view looks at.
    pub campaign: Option<usize>,
}

/// What happened to an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// A wrong answer or an invalid model, where there was none.
    BecameWrong,
    /// `sat` became `unsat` or the other way round, and it is not known which of them is wrong.
    VerdictChanged,
    /// Solved before, not any more.
    Lost,
    /// Solved on both sides, slower beyond noise.
    Slower,
    /// Not refuted any more.
    NoLongerWrong,
    /// Newly solved.
    New,
    /// Solved on both sides, faster beyond noise.
    Faster,
    /// Not solved on either side, and it fails in another way.
    ClassChanged,
    /// There is no run after.
    OnlyBefore,
    /// There is no run before.
    OnlyAfter,
    /// No significant change.
    Same,
}

/// What happened to one entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change<'a> {
    /// The entry, as an index of the results.
    pub entry: usize,
    /// What happened.
    pub kind: ChangeKind,
    /// The run before, if it is scored.
    pub before: Option<&'a RunInfo>,
    /// The run after, if it is scored.
    pub after: Option<&'a RunInfo>,
}

/// Sums over the entries that both sides have scored runs on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideTotals {
    /// Solved entries.
    pub solved: u64,
    /// Entries with a wrong answer or an invalid model.
    pub refuted: u64,
    /// The sum of penalised times.
    pub par2: CpuTime,
    /// The sum of CPU times.
    pub cpu: CpuTime,
}

/// What happened to all entries of a view.
#[derive(Clone, Debug, PartialEq)]
pub struct Changes<'a> {
    /// All entries that have a scored run on some side, in the order of the view.
    pub list: Vec<Change<'a>>,
    /// How many there are of each of [`ChangeKind::ALL`].
    counts: [u64; 11],
    /// How many entries both sides have scored runs on.
    pub compared: u64,
    /// How many entries have none on either side; they are not in the list.
    pub neither: u64,
    /// The sums before.
    pub before: SideTotals,
    /// The sums after.
    pub after: SideTotals,
    /// What counts as noise.
    pub band: NoiseBand,
}

/// Ratios of shorter times are noise.
const MIN_SECONDS: f64 = 0.001;

impl ChangeKind {
    /// All kinds, what asks for attention first.
    pub const ALL: [Self; 11] = [
        Self::BecameWrong,
        Self::VerdictChanged,
        Self::Lost,
        Self::Slower,
        Self::NoLongerWrong,
        Self::New,
        Self::Faster,
        Self::ClassChanged,
        Self::OnlyBefore,
        Self::OnlyAfter,
        Self::Same,
    ];

    /// A stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::VerdictChanged => "verdict-changed",
            Self::BecameWrong => "became-wrong",
            Self::Lost => "lost",
            Self::Slower => "slower",
            Self::NoLongerWrong => "no-longer-wrong",
            Self::New => "new",
            Self::Faster => "faster",
            Self::ClassChanged => "class-changed",
            Self::OnlyBefore => "only-before",
            Self::OnlyAfter => "only-after",
            Self::Same => "same",
        }
    }

    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Between two runs that are scored.
    fn between(before: &ScoredRun, after: &ScoredRun, band: &NoiseBand) -> Self {
        let both_answered = before.class.is_decided() && after.class.is_decided();
        match (before.is_refuted(), after.is_refuted()) {
            (false, true) => return Self::BecameWrong,
            (true, false) => return Self::NoLongerWrong,
            _ if both_answered && before.class != after.class => return Self::VerdictChanged,
            _ => {}
        }
        match (before.is_solved(), after.is_solved()) {
            (false, true) => Self::New,
            (true, false) => Self::Lost,
            (true, true) if band.is_slower(before.cpu, after.cpu) => Self::Slower,
            (true, true) if band.is_faster(before.cpu, after.cpu) => Self::Faster,
            (false, false) if before.class != after.class => Self::ClassChanged,
            _ => Self::Same,
        }
    }
}

impl Change<'_> {
    /// The penalised time after as a multiple of that before; `None` if a side has none.
    pub fn ratio(&self) -> Option<f64> {
        let time = |run: &RunInfo| run.scored.penalised().as_secs_f64().max(MIN_SECONDS);
        Some(time(self.after?) / time(self.before?))
    }
}

impl<'a> Changes<'a> {
    /// How many entries are of a kind.
    pub fn count(&self, kind: ChangeKind) -> u64 {
        self.counts[kind as usize]
    }

    /// The entries of a kind, in the order of the view.
    pub fn of_kind(&self, kind: ChangeKind) -> impl Iterator<Item = &Change<'a>> {
        self.list.iter().filter(move |change| change.kind == kind)
    }
}

impl Side {
    /// The run that stands for this side on an entry.
    pub(crate) fn run<'a>(&self, view: &View<'a>, entry: &'a Entry) -> Option<&'a RunInfo> {
        let campaign = self.campaign.or(view.campaign);
        let runs = entry.judged.runs_of(self.solver);
        let looked_at = |run: &&RunInfo| campaign.is_none_or(|one| run.campaign == one);
        match runs {
            [] => None,
            [run] => Some(run).filter(looked_at),
            _ => representative(runs.iter().filter(looked_at)),
        }
    }
}

impl SideTotals {
    fn add(&mut self, run: &ScoredRun) {
        self.solved += u64::from(run.is_solved());
        self.refuted += u64::from(run.is_refuted());
        add(&mut self.par2, run.penalised());
        add(&mut self.cpu, run.cpu);
    }
}

/// What happened to the entries of the view between two sides. Its solvers do not matter.
pub fn changes<'a>(view: &View<'a>, before: Side, after: Side, band: NoiseBand) -> Changes<'a> {
    let mut changes = Changes {
        list: Vec::with_capacity(view.entries.len()),
        counts: [0; 11],
        compared: 0,
        neither: 0,
        before: SideTotals::default(),
        after: SideTotals::default(),
        band,
    };
    for &index in &view.entries {
        let entry = &view.results.entries[index];
        let (old, new) = (scored(before.run(view, entry)), scored(after.run(view, entry)));
        let kind = match (old, new) {
            (None, None) => {
                changes.neither += 1;
                continue;
            }
            (Some(_), None) => ChangeKind::OnlyBefore,
            (None, Some(_)) => ChangeKind::OnlyAfter,
            (Some(old), Some(new)) => {
                changes.compared += 1;
                changes.before.add(&old.scored);
                changes.after.add(&new.scored);
                ChangeKind::between(&old.scored, &new.scored, &band)
            }
        };
        changes.counts[kind as usize] += 1;
        changes.list.push(Change { entry: index, kind, before: old, after: new });
    }
    changes
}
