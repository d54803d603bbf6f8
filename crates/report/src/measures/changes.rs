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
//!
//! A change is *near the limit* if noise may explain it: *lost* if the run after timed out and the CPU
//! time before, times a margin, exceeds the CPU limit after; *new* likewise with the sides swapped. So
//! what a shorter limit costs is near the limit, too. A run that ends for another reason is not.

use luthier_records::{Class, CpuTime};

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

/// Counts and sums over some entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many there are of each of [`ChangeKind::ALL`].
    counts: [u64; 11],
    /// How many entries both sides have scored runs on.
    pub compared: u64,
    /// The sums before.
    pub before: SideTotals,
    /// The sums after.
    pub after: SideTotals,
}

/// What happened to all entries of a view.
#[derive(Clone, Debug, PartialEq)]
pub struct Changes<'a> {
    /// All entries that have a scored run on some side, in the order of the view.
    pub list: Vec<Change<'a>>,
    /// Counts and sums over the list.
    pub tally: Tally,
    /// How many entries have no scored run on either side; they are not in the list.
    pub neither: u64,
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

    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            Self::VerdictChanged => "verdict changed",
            Self::BecameWrong => "became wrong",
            Self::Lost => "no longer solved",
            Self::Slower => "slower",
            Self::NoLongerWrong => "no longer wrong",
            Self::New => "newly solved",
            Self::Faster => "faster",
            Self::ClassChanged => "fails differently",
            Self::OnlyBefore => "run before only",
            Self::OnlyAfter => "run after only",
            Self::Same => "the same",
        }
    }

    /// Whether something is different, beyond noise.
    pub fn is_change(self) -> bool {
        !matches!(self, Self::OnlyBefore | Self::OnlyAfter | Self::Same)
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

    /// Whether it is lost or new only near the time limit, see above. The margin is a factor on times.
    pub fn is_near_limit(&self, margin: f64) -> bool {
        let within = |solved: &RunInfo, unsolved: &RunInfo| {
            unsolved.scored.class == Class::Timeout
                && solved.scored.cpu.as_secs_f64() * margin
                    > unsolved.scored.cpu_limit.as_secs_f64()
        };
        match (self.kind, self.before, self.after) {
            (ChangeKind::Lost, Some(before), Some(after)) => within(before, after),
            (ChangeKind::New, Some(before), Some(after)) => within(after, before),
            _ => false,
        }
    }
}

impl Tally {
    /// Over these changes.
    pub fn of(list: &[Change<'_>]) -> Self {
        let mut tally = Self::default();
        list.iter().for_each(|change| tally.add(change));
        tally
    }

    /// How many entries are of a kind.
    pub fn count(&self, kind: ChangeKind) -> u64 {
        self.counts[kind as usize]
    }

    fn add(&mut self, change: &Change<'_>) {
        self.counts[change.kind as usize] += 1;
        if let (Some(before), Some(after)) = (change.before, change.after) {
            self.compared += 1;
            self.before.add(&before.scored);
            self.after.add(&after.scored);
        }
    }
}

impl<'a> Changes<'a> {
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
    let mut list = Vec::with_capacity(view.entries.len());
    let mut neither = 0;
    for &index in &view.entries {
        let entry = &view.results.entries[index];
        let (old, new) = (scored(before.run(view, entry)), scored(after.run(view, entry)));
        let kind = match (old, new) {
            (None, None) => {
                neither += 1;
                continue;
            }
            (Some(_), None) => ChangeKind::OnlyBefore,
            (None, Some(_)) => ChangeKind::OnlyAfter,
            (Some(old), Some(new)) => ChangeKind::between(&old.scored, &new.scored, &band),
        };
        list.push(Change { entry: index, kind, before: old, after: new });
    }
    let tally = Tally::of(&list);
    Changes { list, tally, neither, band }
}
