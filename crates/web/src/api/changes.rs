//! Endpoint of changes between two releases or two campaigns, instance by instance.

use std::collections::BTreeMap;

use luthier_report::Results;
use luthier_report::measures::{
    self, Change, ChangeKind, Conditions, NoiseSource, Part, Shift, Side, SideTotals, Thresholds,
    Times,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::endpoint::{ApiRequest, Content, Endpoint, Family, Source, schema};
use super::error::ApiError;
use super::parameters::{Kind, Parameter};
use super::reply::{LIMIT, OFFSET, Page, Reply, offset};
use super::scope::{self, SET, TRACK};
use super::types::{Named, PlaceOf, RunRow, seconds, set};

/// What happened between two sides.
#[derive(Debug, Serialize, JsonSchema)]
struct ChangesDetails {
    /// How it came out: `same`, `better`, `worse` or `became-wrong`. That of everything, and worse if
    /// the times of a single set are slower.
    outcome: &'static str,
    /// The figures over everything.
    #[serde(flatten)]
    all: PartRow,
    /// How many files have none on either side.
    neither: u64,
    /// What counts as noise.
    noise: NoiseRow,
    /// Under which conditions both sides were measured.
    conditions: ConditionsRow,
    /// The same figures for each set.
    sets: Vec<SetRow>,
    /// The files of the kinds that are asked for.
    changes: Page<ChangeRow>,
}

/// Figures over files.
#[derive(Debug, Serialize, JsonSchema)]
struct PartRow {
    /// How many files there are of each kind.
    counts: BTreeMap<&'static str, u64>,
    /// How many files have scored runs on both sides.
    compared: u64,
    /// How many of the lost files are lost near the time limit only.
    lost_near_limit: u64,
    /// How many of the new files are new near the time limit only.
    new_near_limit: u64,
    /// How many of the slower files are so much slower that each counts by itself.
    much_slower: u64,
    /// The sums before, over files that are compared.
    before: TotalsRow,
    /// The sums after.
    after: TotalsRow,
    /// What the CPU times say.
    times: TimesRow,
}

/// Figures over the files of a set.
#[derive(Debug, Serialize, JsonSchema)]
struct SetRow {
    /// The set.
    set: Named,
    /// How it came out: `same`, `better`, `worse` or `became-wrong`.
    outcome: &'static str,
    /// The figures.
    #[serde(flatten)]
    part: PartRow,
}

/// What the CPU times of files that both sides solved say.
#[derive(Debug, Serialize, JsonSchema)]
struct TimesRow {
    /// `slower`, `faster`, `same`, `too-few` or `other-processor`.
    verdict: &'static str,
    /// Over files that took at least 10 ms; null if they are too few.
    all: Option<ShiftRow>,
    /// Over files that took at least a second; null if they are too few.
    long: Option<ShiftRow>,
}

/// By which factor times shifted: the median of the time after divided by that before.
#[derive(Debug, Serialize, JsonSchema)]
struct ShiftRow {
    /// Over how many files.
    instances: usize,
    /// The median.
    median: f64,
    /// The lower end of its 99 % confidence interval.
    low: f64,
    /// The upper end.
    high: f64,
}

/// Under which conditions both sides were measured.
#[derive(Debug, Serialize, JsonSchema)]
struct ConditionsRow {
    /// The median of wall time divided by CPU time before; null if all runs were too short.
    stretch_before: Option<f64>,
    /// The same after.
    stretch_after: Option<f64>,
    /// Whether the processors differ, so that times are not judged.
    other_processor: bool,
    /// Whether the limits differ.
    other_limits: bool,
    /// The factor by which times must shift to count.
    factor: f64,
}

/// Sums over files.
#[derive(Debug, Serialize, JsonSchema)]
struct TotalsRow {
    /// Solved files.
    solved: u64,
    /// Files with a wrong answer or an invalid model.
    refuted: u64,
    /// The sum of penalised CPU times, in seconds.
    par2: f64,
    /// CPU time, in seconds.
    cpu: f64,
}

/// The noise band: by how much times may differ without significance.
#[derive(Debug, Serialize, JsonSchema)]
struct NoiseRow {
    /// How many times as long.
    ratio: f64,
    /// How much longer, in seconds.
    floor: f64,
    /// From how many pairs of repetitions this is; null if it is the default.
    pairs: Option<usize>,
}

/// What happened to a file.
#[derive(Debug, Serialize, JsonSchema)]
struct ChangeRow {
    /// The kind of change.
    kind: &'static str,
    /// The number of the instance.
    instance: i64,
    /// Where it stands.
    place: PlaceOf,
    /// The run before.
    before: Option<RunRow>,
    /// The run after.
    after: Option<RunRow>,
}

const BEFORE: Parameter =
    Parameter::needed("before", Kind::Text, "The solver before, by its number or label.");
const AFTER: Parameter =
    Parameter::needed("after", Kind::Text, "The solver after, by its number or label.");
const BEFORE_CAMPAIGN: Parameter = Parameter::query(
    "before_campaign",
    Kind::Text,
    "Only runs of this campaign count before, by its number or name.",
);
const AFTER_CAMPAIGN: Parameter = Parameter::query(
    "after_campaign",
    Kind::Text,
    "Only runs of this campaign count after, by its number or name.",
);
const KIND: Parameter = Parameter::query(
    "kind",
    Kind::Choice(|| ChangeKind::ALL.map(ChangeKind::name).to_vec()),
    "Only changes of this kind; all but `same` if not given.",
);

pub(crate) fn endpoints() -> Vec<Endpoint> {
    let changes = Endpoint::new(
        Family::Version1,
        "/api/v1/changes",
        "changes",
        "What happened between two solvers or two campaigns: new, lost, faster, slower, changed",
        Content::Json(schema::<ChangesDetails>),
        changes,
    );
    vec![
        changes
            .with(&[BEFORE, AFTER, BEFORE_CAMPAIGN, AFTER_CAMPAIGN, KIND])
            .with(&[SET, TRACK, LIMIT, OFFSET])
            .paged()
            .from(Source::Costly),
    ]
}

fn changes(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let (results, values) = (request.results(), request.values);
    let side = |solver: &str, campaign: &str| -> Result<Side, ApiError> {
        let name = values.text(solver).unwrap_or_default();
        let campaign = values.text(campaign).map(|name| scope::find_campaign(results, name));
        let solver = scope::find_solver(results, name)?;
        Ok(Side { solver, campaign: campaign.transpose()? })
    };
    let (before, after) = (side("before", "before_campaign")?, side("after", "after_campaign")?);
    let view = scope::places(request)?.with_solvers(vec![before.solver, after.solver]);
    let compared = measures::compare(&view, before, after, &Thresholds::default());
    let found = &compared.changes;
    let kind = values.text("kind").and_then(ChangeKind::from_name);
    let is_wanted = |change: &&Change<'_>| match kind {
        Some(kind) => change.kind == kind,
        None => change.kind != ChangeKind::Same,
    };
    let total = found.list.iter().filter(is_wanted).count();
    let rows = found.list.iter().filter(is_wanted).skip(offset(request));
    let page = Page::of(request, total, rows.map(|change| row(results, change)));
    let next = page.next.clone();
    let details = ChangesDetails {
        outcome: compared.outcome().name(),
        all: part(&compared.all),
        neither: found.neither,
        conditions: conditions(&compared.conditions, compared.factor()),
        sets: compared
            .sets
            .iter()
            .map(|(index, figures)| SetRow {
                set: set(results, *index),
                outcome: figures.outcome.name(),
                part: part(figures),
            })
            .collect(),
        noise: NoiseRow {
            ratio: found.band.ratio,
            floor: seconds(found.band.floor),
            pairs: match found.band.source {
                NoiseSource::Default | NoiseSource::Given => None,
                NoiseSource::Repetitions { pairs } => Some(pairs),
            },
        },
        changes: page,
    };
    Ok(Reply::json(&details)?.with_part(total, next.as_deref()))
}

fn row(results: &Results, change: &Change<'_>) -> ChangeRow {
    let entry = &results.entries[change.entry];
    ChangeRow {
        kind: change.kind.name(),
        instance: entry.judged.content.number,
        place: PlaceOf::of(results, entry),
        before: change.before.map(|run| RunRow::of(results, run)),
        after: change.after.map(|run| RunRow::of(results, run)),
    }
}

fn totals(totals: &SideTotals) -> TotalsRow {
    TotalsRow {
        solved: totals.solved,
        refuted: totals.refuted,
        par2: seconds(totals.par2.0),
        cpu: seconds(totals.cpu.0),
    }
}

fn part(part: &Part) -> PartRow {
    let tally = &part.tally;
    PartRow {
        counts: ChangeKind::ALL.into_iter().map(|kind| (kind.name(), tally.count(kind))).collect(),
        compared: tally.compared,
        lost_near_limit: part.lost_near_limit,
        new_near_limit: part.new_near_limit,
        much_slower: part.much_slower,
        before: totals(&tally.before),
        after: totals(&tally.after),
        times: times(&part.times),
    }
}

fn times(times: &Times) -> TimesRow {
    let row = |shift: Shift| ShiftRow {
        instances: shift.entries,
        median: shift.median,
        low: shift.low,
        high: shift.high,
    };
    TimesRow { verdict: times.verdict.name(), all: times.all.map(row), long: times.long.map(row) }
}

fn conditions(conditions: &Conditions, factor: f64) -> ConditionsRow {
    ConditionsRow {
        stretch_before: conditions.stretch_before,
        stretch_after: conditions.stretch_after,
        other_processor: conditions.other_processor,
        other_limits: conditions.limits.is_some(),
        factor,
    }
}
