//! The comparison of two sides with its outcome: same, better, worse, or something became wrong.
//!
//! [`changes`] says what happened to each entry. This module says, set by set and over everything,
//! what of it counts:
//!
//! * *became wrong* always counts; so does a *changed verdict*, since one of the two is wrong.
//! * *lost* and *new* count unless they are near the time limit, see [`Change::is_near_limit`].
//! * *Times* of a set are judged by the [`Shift`] of the ratios of CPU times over the entries that both
//!   sides solved, of which one took at least 10 ms (all), and over those of which one took at least a
//!   second (long), so that many short runs do not hide a few long ones. They are slower if one of the two
//!   intervals lies above the threshold, faster if one lies below its reciprocal and none above.
//! * A single entry is *much slower* if it is slower beyond noise, takes at least `single` times as long
//!   and at least a second more. A slower entry that is not much slower is listed and does not count.
//!
//! What times are worth depends on how they were measured. On a machine that has a core for every
//! process, the wall time of a run is its CPU time; if processes wait for cores, it is longer. So the
//! *stretch* of a side is the median of wall time divided by CPU time, over its runs of at least 10 ms. If
//! it is above 1.25 on a side, or 1.25 times that of the other side, there was a load, and
//! `shift_under_load` is the threshold: a load slows a process down even in CPU time (shared caches, shared
//! execution units), by a factor that CPU times alone cannot tell from a change of the solver. If the
//! processors differ, times are not judged at all.
//!
//! | outcome      | when                                                                         |
//! |--------------|------------------------------------------------------------------------------|
//! | became wrong | an entry became wrong                                                        |
//! | worse        | a verdict changed, more is lost than allowed, an entry is much slower, or the times of a set or of everything are slower |
//! | better       | none of these, and something is new, no longer wrong, or faster as a set     |
//! | same         | otherwise                                                                    |
//!
//! The strict comparison also counts what is lost near the limit, and every entry that is slower.

use std::collections::BTreeSet;
use std::time::Duration;

use luthier_records::RunLimits;

use super::changes::{Change, ChangeKind, Changes, Side, Tally, changes};
use super::noise::NoiseBand;
use super::shift::Shift;
use crate::{Results, RunInfo, View};

/// What counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// What single times count as noise; `None` for that of the view, see [`NoiseBand::of`].
    pub band: Option<NoiseBand>,
    /// Times of a set that shifted by more than this factor are slower or faster.
    pub shift: f64,
    /// The same if a side was measured under load.
    pub shift_under_load: f64,
    /// A single entry that takes this many times as long, and a second more, counts by itself.
    pub single: f64,
    /// The margin before the time limit, as a factor.
    pub near_limit: f64,
    /// How many lost entries are accepted.
    pub lost: u64,
    /// Whether everything lost and every slower entry counts.
    pub strict: bool,
}

/// How a comparison came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// Nothing that counts happened.
    Same,
    /// Something got better, and nothing that counts got worse.
    Better,
    /// Something was lost, is slower or contradicts.
    Worse,
    /// A wrong answer or an invalid model, where there was none.
    BecameWrong,
}

/// Something that makes a comparison worse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reason {
    /// This many entries became wrong.
    BecameWrong(u64),
    /// This many verdicts changed.
    VerdictChanged(u64),
    /// This many entries are lost, those near the limit only if they count.
    Lost(u64),
    /// This many entries are slower and count by themselves.
    Slower(u64),
    /// Times shifted.
    Times(Shift),
}

/// What the CPU times of a set say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times {
    /// Over entries that both sides solved and that took at least 10 ms; `None` if they are too few.
    pub all: Option<Shift>,
    /// Over those that took at least a second; `None` if they are too few.
    pub long: Option<Shift>,
    /// What follows.
    pub verdict: TimesVerdict,
}

/// Whether times differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimesVerdict {
    /// Slower beyond the threshold.
    Slower,
    /// Faster beyond the threshold.
    Faster,
    /// Neither.
    Same,
    /// There are too few entries to tell.
    TooFew,
    /// The processors differ.
    OtherProcessor,
}

/// A set, or everything.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Counts and sums.
    pub tally: Tally,
    /// How many of the lost are near the time limit.
    pub lost_near_limit: u64,
    /// How many of the new are near the time limit.
    pub new_near_limit: u64,
    /// How many of the slower are much slower.
    pub much_slower: u64,
    /// What the times say.
    pub times: Times,
    /// How it came out.
    pub outcome: Outcome,
}

/// Under which conditions both sides were measured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Conditions {
    /// The median over the runs before of wall time divided by CPU time; `None` if all were too short.
    pub stretch_before: Option<f64>,
    /// The same after.
    pub stretch_after: Option<f64>,
    /// Whether the processors differ.
    pub other_processor: bool,
    /// The limits before and after, if they differ.
    pub limits: Option<(RunLimits, RunLimits)>,
    /// How many places have other contents before and after, so that they are not compared.
    pub edited: u64,
}

/// A comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison<'a> {
    /// What happened to each entry.
    pub changes: Changes<'a>,
    /// Over everything.
    pub all: Part,
    /// Set by set, as indices of the results; those without any scored run are left out.
    pub sets: Vec<(usize, Part)>,
    /// Under which conditions it was measured.
    pub conditions: Conditions,
    /// What counted.
    pub thresholds: Thresholds,
}

/// Shorter times are mostly the start of the process.
const MIN_ALL: Duration = Duration::from_millis(10);
/// From this stretch on there was a load.
const LOADED: f64 = 1.25;
const MIN_LONG: Duration = Duration::from_secs(1);
/// A single entry that is much slower takes this much longer, at least.
const SINGLE_FLOOR: Duration = Duration::from_secs(1);

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            band: None,
            shift: 1.2,
            shift_under_load: 1.5,
            single: 3.0,
            near_limit: 1.5,
            lost: 0,
            strict: false,
        }
    }
}

impl Outcome {
    /// A stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Better => "better",
            Self::Worse => "worse",
            Self::BecameWrong => "became-wrong",
        }
    }

    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            Self::Same => "no change",
            Self::Better => "better",
            Self::Worse => "worse",
            Self::BecameWrong => "an answer became wrong",
        }
    }
}

impl TimesVerdict {
    /// A stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Slower => "slower",
            Self::Faster => "faster",
            Self::Same => "same",
            Self::TooFew => "too-few",
            Self::OtherProcessor => "other-processor",
        }
    }

    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            Self::Slower => "slower",
            Self::Faster => "faster",
            Self::Same => "no change",
            Self::TooFew => "too few to tell",
            Self::OtherProcessor => "not judged: the processors differ",
        }
    }
}

impl Conditions {
    /// Whether a side was measured while processes waited for cores.
    pub fn is_under_load(&self) -> bool {
        let (before, after) = (self.stretch_before, self.stretch_after);
        let is_stretched = |side: Option<f64>| side.is_some_and(|stretch| stretch > LOADED);
        // Of a solver with several threads, wall times are shorter than CPU times.
        let differs = match (before, after) {
            (Some(before), Some(after)) => before.max(after) > before.min(after) * LOADED,
            _ => false,
        };
        is_stretched(before) || is_stretched(after) || differs
    }

    fn of(results: &Results, before: Side, after: Side, list: &[Change<'_>]) -> Self {
        let runs_before = || list.iter().filter_map(|change| change.before);
        let runs_after = || list.iter().filter_map(|change| change.after);
        let processors = |runs: &mut dyn Iterator<Item = &RunInfo>| -> BTreeSet<String> {
            let campaigns: BTreeSet<usize> = runs.map(|run| run.campaign).collect();
            let names = campaigns
                .into_iter()
                .map(|campaign| results.campaigns[campaign].campaign.machine.processor.clone());
            names.filter(|name| !name.is_empty()).collect()
        };
        let [first, second] = [processors(&mut runs_before()), processors(&mut runs_after())];
        let limits = [before, after].map(|side| results.solvers[side.solver].configuration.limits);
        Self {
            stretch_before: stretch(runs_before()),
            stretch_after: stretch(runs_after()),
            other_processor: !first.is_empty() && !second.is_empty() && first != second,
            limits: (limits[0] != limits[1]).then_some((limits[0], limits[1])),
            edited: edited(results, list),
        }
    }
}

impl Times {
    fn of(list: &[Change<'_>], conditions: &Conditions, threshold: f64) -> Self {
        let ratios = |at_least: Duration| -> Vec<f64> {
            let solved = list.iter().filter_map(|change| {
                let (before, after) = (change.before?.scored, change.after?.scored);
                (before.is_solved() && after.is_solved()).then_some((before.cpu.0, after.cpu.0))
            });
            let counted = solved.filter(|(before, after)| *before.max(after) >= at_least);
            let seconds = |time: Duration| time.max(Duration::from_millis(1)).as_secs_f64();
            counted.map(|(before, after)| seconds(after) / seconds(before)).collect()
        };
        let (all, long) = (Shift::of(ratios(MIN_ALL)), Shift::of(ratios(MIN_LONG)));
        let shifts = || [all, long].into_iter().flatten();
        let verdict = if conditions.other_processor {
            TimesVerdict::OtherProcessor
        } else if shifts().any(|shift| shift.is_above(threshold)) {
            TimesVerdict::Slower
        } else if shifts().any(|shift| shift.is_below(threshold)) {
            TimesVerdict::Faster
        } else if shifts().next().is_none() {
            TimesVerdict::TooFew
        } else {
            TimesVerdict::Same
        };
        Self { all, long, verdict }
    }

    /// The shift that decides: if times are slower, the one of the two that says so most clearly; if
    /// they are faster likewise; otherwise that of all entries.
    pub fn decisive(&self) -> Option<Shift> {
        let shifts = [self.all, self.long].into_iter().flatten();
        match self.verdict {
            TimesVerdict::Slower => shifts.max_by(|one, two| one.low.total_cmp(&two.low)),
            TimesVerdict::Faster => shifts.min_by(|one, two| one.high.total_cmp(&two.high)),
            _ => self.all,
        }
    }
}

impl Part {
    fn of(list: &[Change<'_>], conditions: &Conditions, thresholds: &Thresholds) -> Self {
        let count = |is_counted: &dyn Fn(&Change<'_>) -> bool| {
            list.iter().filter(|change| is_counted(change)).count() as u64
        };
        let near = |kind: ChangeKind| {
            count(&|change| change.kind == kind && change.is_near_limit(thresholds.near_limit))
        };
        let mut part = Self {
            tally: Tally::of(list),
            lost_near_limit: near(ChangeKind::Lost),
            new_near_limit: near(ChangeKind::New),
            much_slower: count(&|change| is_much_slower(change, thresholds.single)),
            times: Times::of(list, conditions, thresholds.factor(conditions)),
            outcome: Outcome::Same,
        };
        let reasons = part.reasons(conditions, thresholds);
        let is_better = part.tally.count(ChangeKind::NoLongerWrong) > 0
            || part.tally.count(ChangeKind::New) > part.new_near_limit
            || part.times.verdict == TimesVerdict::Faster;
        part.outcome = match reasons.first() {
            Some(Reason::BecameWrong(_)) => Outcome::BecameWrong,
            Some(_) => Outcome::Worse,
            None if is_better => Outcome::Better,
            None => Outcome::Same,
        };
        part
    }

    /// What makes it worse, the worst first.
    pub fn reasons(&self, conditions: &Conditions, thresholds: &Thresholds) -> Vec<Reason> {
        let near = if thresholds.strict { 0 } else { self.lost_near_limit };
        let lost = self.tally.count(ChangeKind::Lost) - near;
        let slower = match thresholds.strict {
            true => self.tally.count(ChangeKind::Slower),
            false => self.much_slower,
        };
        let all = [
            Reason::BecameWrong(self.tally.count(ChangeKind::BecameWrong)),
            Reason::VerdictChanged(self.tally.count(ChangeKind::VerdictChanged)),
            Reason::Lost(if lost > thresholds.lost { lost } else { 0 }),
            Reason::Slower(if conditions.other_processor { 0 } else { slower }),
        ];
        let is_there = |reason: &Reason| match reason {
            Reason::BecameWrong(count)
            | Reason::VerdictChanged(count)
            | Reason::Lost(count)
            | Reason::Slower(count) => *count > 0,
            Reason::Times(_) => true,
        };
        let is_slower = self.times.verdict == TimesVerdict::Slower;
        let times = self.times.decisive().filter(|_| is_slower).map(Reason::Times);
        all.into_iter().filter(is_there).chain(times).collect()
    }
}

impl Thresholds {
    /// The factor by which times must shift under these conditions.
    pub fn factor(&self, conditions: &Conditions) -> f64 {
        match conditions.is_under_load() {
            true => self.shift_under_load.max(self.shift),
            false => self.shift,
        }
    }
}

impl Comparison<'_> {
    /// How it came out: as everything, and worse if the times of a single set are slower.
    pub fn outcome(&self) -> Outcome {
        let has_slower_set =
            self.sets.iter().any(|(_, part)| part.times.verdict == TimesVerdict::Slower);
        match has_slower_set {
            true => self.all.outcome.max(Outcome::Worse),
            false => self.all.outcome,
        }
    }

    /// Whether a lost or slower entry counts by itself.
    pub fn counts(&self, change: &Change<'_>) -> bool {
        let thresholds = &self.thresholds;
        match change.kind {
            ChangeKind::Lost => thresholds.strict || !change.is_near_limit(thresholds.near_limit),
            ChangeKind::Slower => {
                let is_enough = thresholds.strict || is_much_slower(change, thresholds.single);
                is_enough && !self.conditions.other_processor
            }
            _ => false,
        }
    }

    /// The factor by which times had to shift.
    pub fn factor(&self) -> f64 {
        self.thresholds.factor(&self.conditions)
    }
}

/// Compares two sides on the entries of the view.
pub fn compare<'a>(
    view: &View<'a>,
    before: Side,
    after: Side,
    thresholds: &Thresholds,
) -> Comparison<'a> {
    let band = thresholds.band.unwrap_or_else(|| NoiseBand::of(view));
    let changes = changes(view, before, after, band);
    let results = view.results;
    let conditions = Conditions::of(results, before, after, &changes.list);
    let part = |list: &[Change<'_>]| Part::of(list, &conditions, thresholds);
    let set_of = |change: &Change<'_>| results.set_of(&results.entries[change.entry]);
    // Entries of a set stand together.
    let sets = changes.list.chunk_by(|one, next| set_of(one) == set_of(next));
    let sets = sets.filter_map(|list| Some((set_of(list.first()?), part(list)))).collect();
    let all = part(&changes.list);
    Comparison { changes, all, sets, conditions, thresholds: *thresholds }
}

fn is_much_slower(change: &Change<'_>, factor: f64) -> bool {
    let (Some(before), Some(after)) = (change.before, change.after) else { return false };
    let (before, after) = (before.scored.cpu.0, after.scored.cpu.0);
    change.kind == ChangeKind::Slower
        && after >= before.saturating_add(SINGLE_FLOOR)
        && after.as_secs_f64() >= before.as_secs_f64() * factor
}

/// The median of wall time divided by CPU time; of an even number the lower of the two in the middle.
fn stretch<'a>(runs: impl Iterator<Item = &'a RunInfo>) -> Option<f64> {
    let long = runs.filter(|run| run.scored.cpu.0 >= MIN_ALL);
    let mut ratios: Vec<f64> =
        long.map(|run| run.scored.wall.0.as_secs_f64() / run.scored.cpu.as_secs_f64()).collect();
    ratios.sort_unstable_by(f64::total_cmp);
    ratios.get(ratios.len().checked_sub(1)? / 2).copied()
}

/// Places that only one side has with this content, and the other with another one.
fn edited(results: &Results, list: &[Change<'_>]) -> u64 {
    // Entries of one place stand together.
    let is_same_place = |one: &Change<'_>, next: &Change<'_>| {
        let (one, next) = (&results.entries[one.entry], &results.entries[next.entry]);
        one.track == next.track && one.name == next.name
    };
    let places = list.chunk_by(is_same_place);
    let has = |place: &[Change<'_>], kind| place.iter().any(|change| change.kind == kind);
    let edited = places
        .filter(|place| has(place, ChangeKind::OnlyBefore) && has(place, ChangeKind::OnlyAfter));
    edited.count() as u64
}
