//! The JSON of `luthier compare`. Figures have the names that they have in `/api/v1/changes`.

use std::collections::BTreeMap;

use luthier_report::documents::{ComparedSides, comparison_notes, comparison_reasons};
use luthier_report::figures::exact_seconds;
use luthier_report::measures::{
    Change, ChangeKind, Comparison, NoiseSource, Part, Shift, Side, SideTotals,
};
use luthier_report::{Results, RunInfo};
use serde::Serialize;

use super::sides::Pairs;
use crate::json::VERSION;

/// All comparisons.
#[derive(Serialize)]
pub struct Record<'a> {
    version: u32,
    outcome: &'static str,
    comparisons: Vec<ComparisonRecord<'a>>,
    not_compared: &'a [String],
}

#[derive(Serialize)]
struct ComparisonRecord<'a> {
    sides: [SideRecord<'a>; 2],
    outcome: &'static str,
    reasons: Vec<String>,
    notes: Vec<String>,
    #[serde(flatten)]
    all: PartRecord,
    neither: u64,
    noise: NoiseRecord,
    conditions: ConditionsRecord,
    sets: Vec<SetRecord<'a>>,
    changes: Vec<ChangeRecord<'a>>,
}

#[derive(Serialize)]
struct SideRecord<'a> {
    name: &'a str,
    configuration: &'a str,
    campaign: Option<i64>,
    cpu_limit: f64,
}

#[derive(Serialize)]
struct PartRecord {
    counts: BTreeMap<&'static str, u64>,
    compared: u64,
    lost_near_limit: u64,
    new_near_limit: u64,
    much_slower: u64,
    before: TotalsRecord,
    after: TotalsRecord,
    times: TimesRecord,
}

#[derive(Serialize)]
struct TotalsRecord {
    solved: u64,
    refuted: u64,
    par2: f64,
    cpu: f64,
}

#[derive(Serialize)]
struct TimesRecord {
    verdict: &'static str,
    all: Option<ShiftRecord>,
    long: Option<ShiftRecord>,
}

#[derive(Serialize)]
struct ShiftRecord {
    instances: usize,
    median: f64,
    low: f64,
    high: f64,
}

#[derive(Serialize)]
struct NoiseRecord {
    ratio: f64,
    floor: f64,
    pairs: Option<usize>,
}

#[derive(Serialize)]
struct ConditionsRecord {
    stretch_before: Option<f64>,
    stretch_after: Option<f64>,
    other_processor: bool,
    other_limits: bool,
    factor: f64,
}

#[derive(Serialize)]
struct SetRecord<'a> {
    set: &'a str,
    outcome: &'static str,
    #[serde(flatten)]
    part: PartRecord,
}

#[derive(Serialize)]
struct ChangeRecord<'a> {
    kind: &'static str,
    set: &'a str,
    instance: String,
    sha256: String,
    expected: Option<&'static str>,
    near_limit: bool,
    ratio: Option<f64>,
    before: Option<RunRecord>,
    after: Option<RunRecord>,
}

#[derive(Serialize)]
struct RunRecord {
    run: i64,
    class: &'static str,
    judgement: &'static str,
    model: Option<&'static str>,
    cpu: f64,
}

impl<'a> Record<'a> {
    /// The record of these comparisons, whose sides are given in the same order.
    pub fn new(comparisons: &'a [ComparedSides<'a>], pairs: &'a Pairs) -> Self {
        let worst = comparisons.iter().map(|one| one.comparison.outcome()).max();
        let records = comparisons.iter().zip(&pairs.sides);
        Self {
            version: VERSION,
            outcome: worst.map_or("same", |outcome| outcome.name()),
            comparisons: records.map(|(one, sides)| comparison(one, *sides)).collect(),
            not_compared: &pairs.alone,
        }
    }
}

fn comparison<'a>(
    compared: &'a ComparedSides<'a>,
    (before, after): (Side, Side),
) -> ComparisonRecord<'a> {
    let ComparedSides { before: name_before, after: name_after, results, comparison } = compared;
    let Comparison { changes, all, sets, conditions, .. } = comparison;
    let side = |name: &'a str, side: Side| SideRecord {
        name,
        configuration: &results.solvers[side.solver].label,
        campaign: side.campaign.map(|index| results.campaigns[index].number.abs()),
        cpu_limit: exact_seconds(results.solvers[side.solver].configuration.limits.cpu.0),
    };
    let listed = changes.list.iter().filter(|change| change.kind != ChangeKind::Same);
    ComparisonRecord {
        sides: [side(name_before, before), side(name_after, after)],
        outcome: comparison.outcome().name(),
        reasons: comparison_reasons(results, comparison),
        notes: comparison_notes(comparison),
        all: part(all),
        neither: changes.neither,
        noise: NoiseRecord {
            ratio: changes.band.ratio,
            floor: exact_seconds(changes.band.floor),
            pairs: match changes.band.source {
                NoiseSource::Default | NoiseSource::Given => None,
                NoiseSource::Repetitions { pairs } => Some(pairs),
            },
        },
        conditions: ConditionsRecord {
            stretch_before: conditions.stretch_before,
            stretch_after: conditions.stretch_after,
            other_processor: conditions.other_processor,
            other_limits: conditions.limits.is_some(),
            factor: comparison.factor(),
        },
        sets: sets
            .iter()
            .map(|(index, figures)| SetRecord {
                set: &results.sets[*index].name,
                outcome: figures.outcome.name(),
                part: part(figures),
            })
            .collect(),
        changes: listed.map(|one| change(results, comparison, one)).collect(),
    }
}

fn part(part: &Part) -> PartRecord {
    let tally = &part.tally;
    let totals = |totals: &SideTotals| TotalsRecord {
        solved: totals.solved,
        refuted: totals.refuted,
        par2: exact_seconds(totals.par2.0),
        cpu: exact_seconds(totals.cpu.0),
    };
    let shift = |shift: Shift| ShiftRecord {
        instances: shift.entries,
        median: shift.median,
        low: shift.low,
        high: shift.high,
    };
    PartRecord {
        counts: ChangeKind::ALL.into_iter().map(|kind| (kind.name(), tally.count(kind))).collect(),
        compared: tally.compared,
        lost_near_limit: part.lost_near_limit,
        new_near_limit: part.new_near_limit,
        much_slower: part.much_slower,
        before: totals(&tally.before),
        after: totals(&tally.after),
        times: TimesRecord {
            verdict: part.times.verdict.name(),
            all: part.times.all.map(shift),
            long: part.times.long.map(shift),
        },
    }
}

fn change<'a>(
    results: &'a Results,
    comparison: &Comparison<'_>,
    change: &Change<'_>,
) -> ChangeRecord<'a> {
    let entry = &results.entries[change.entry];
    let run = |run: &RunInfo| RunRecord {
        // Of the second of two databases they are negative.
        run: run.number.abs(),
        class: run.scored.class.name(),
        judgement: run.scored.judgement.name(),
        model: run.scored.model.map(|model| model.name()),
        cpu: exact_seconds(run.scored.cpu.0),
    };
    ChangeRecord {
        kind: change.kind.name(),
        set: &results.sets[results.set_of(entry)].name,
        instance: results.place_of(entry),
        sha256: entry.judged.content.digest.to_string(),
        expected: entry.judged.expected().map(|(verdict, _)| verdict.name()),
        near_limit: change.is_near_limit(comparison.thresholds.near_limit),
        ratio: change.ratio(),
        before: change.before.map(run),
        after: change.after.map(run),
    }
}
