//! Endpoints of scores: standings, SMT-COMP scores with leads, contributions to the virtual best.

use std::borrow::Cow;

use luthier_report::measures::{
    self, Bootstrap, Competition, CompetitionKind, CompetitionTable, Competitor, Interval, Lead,
    Resampling, SetContribution, Standing,
};
use luthier_report::{Results, Score, ScoreField, ScoreUnit, View};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::endpoint::{ApiRequest, Content, Endpoint, Family, Source, schema};
use super::error::ApiError;
use super::parameters::{Kind, Parameter};
use super::reply::Reply;
use super::scope::{self, CAMPAIGN, SET, SOLVERS, TRACK};
use super::types::{Named, competitor, seconds, set, solver};

/// The standings of all solvers.
#[derive(Debug, Serialize, JsonSchema)]
struct Standings {
    /// How many files are looked at.
    instances: usize,
    /// One for each solver, then the virtual best.
    standings: Vec<StandingRow>,
}

/// The standing of a solver.
#[derive(Debug, Serialize, JsonSchema)]
struct StandingRow {
    /// The solver; null for the virtual best.
    solver: Option<Named>,
    /// What it is called.
    label: String,
    /// The place by the mean of PAR2, from 1; equal means share it.
    rank: Option<usize>,
    /// Whether there is a scored run on every file.
    comparable: bool,
    /// Files with a scored run.
    instances: u64,
    /// Files without any run.
    missing: u64,
    /// Files whose only runs are framework errors.
    failed: u64,
    /// Solved files.
    solved: u64,
    /// Those answered `sat`.
    solved_sat: u64,
    /// Those answered `unsat`.
    solved_unsat: u64,
    /// Files that no other solver solved.
    unique: u64,
    /// Files with a wrong answer or an invalid model.
    refuted: u64,
    /// The sum of penalised CPU times, in seconds.
    par2: f64,
    /// The same per file.
    par2_mean: Option<f64>,
    /// The median CPU time of solved files, in seconds.
    median: Option<f64>,
    /// How sure these figures are; null if nothing was run more than once.
    intervals: Option<IntervalRows>,
    /// Sums over all runs, every repetition.
    runs: ScoreRow,
}

/// 95 % confidence intervals by bootstrap over repetitions.
#[derive(Debug, Serialize, JsonSchema)]
struct IntervalRows {
    /// How many files count.
    instances: usize,
    /// Solved files.
    solved: IntervalRow,
    /// PAR2 per file, in seconds.
    par2_mean: IntervalRow,
}

/// A figure with the ends of its interval.
#[derive(Debug, Serialize, JsonSchema)]
struct IntervalRow {
    /// The mean over repetitions.
    estimate: f64,
    /// The lower end.
    low: f64,
    /// The upper end.
    high: f64,
}

/// Sums over runs: a field for each of [`Score::FIELDS`].
#[derive(Debug, Serialize)]
struct ScoreRow(Map<String, Value>);

impl JsonSchema for ScoreRow {
    fn schema_name() -> Cow<'static, str> {
        "ScoreRow".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let property = |field: &ScoreField| {
            let schema = match field.unit {
                ScoreUnit::Runs => json!({
                    "description": field.meaning,
                    "type": "integer",
                    "format": "uint64",
                    "minimum": 0,
                }),
                ScoreUnit::Time => json!({
                    "description": format!("{} In seconds.", field.meaning),
                    "type": "number",
                    "format": "double",
                }),
            };
            (field.name.to_owned(), schema)
        };
        let properties: Map<String, Value> = Score::FIELDS.iter().map(property).collect();
        let names: Vec<&str> = Score::FIELDS.iter().map(|field| field.name).collect();
        json_schema!({
            "description": "Sums over runs.",
            "type": "object",
            "properties": properties,
            "required": names,
        })
    }
}

/// Scores in the style of SMT-COMP.
#[derive(Debug, Serialize, JsonSchema)]
struct CompetitionScores {
    /// How many files are considered.
    instances: u64,
    /// How many were removed, since solvers disagree and nothing decides.
    removed: u64,
    /// The scores, one table for each kind.
    tables: Vec<CompetitionRows>,
    /// By which score the following are.
    leads_by: &'static str,
    /// By how much winners lead in each set, the biggest lead first.
    leads: Vec<LeadRow>,
    /// By how much the winner leads over all files.
    overall: Option<LeadRow>,
}

/// The scores of one kind.
#[derive(Debug, Serialize, JsonSchema)]
struct CompetitionRows {
    /// `parallel`, `sequential`, `sat`, `unsat` or `24s`.
    kind: &'static str,
    /// The scores, the best first.
    scores: Vec<CompetitionRow>,
}

/// The score of a solver.
#[derive(Debug, Serialize, JsonSchema)]
struct CompetitionRow {
    /// The solver.
    solver: Named,
    /// The place, from 1; equal scores share it.
    rank: usize,
    /// Files with a wrong answer or an invalid model.
    errors: u64,
    /// Solved files.
    solved: u64,
    /// The wall time of solved files, in seconds.
    wall: f64,
    /// The CPU time of solved files, in seconds.
    cpu: f64,
}

/// By how much a winner leads.
#[derive(Debug, Serialize, JsonSchema)]
struct LeadRow {
    /// The set; null for all files.
    set: Option<Named>,
    /// Who is first.
    winner: Named,
    /// Who is second.
    second: Named,
    /// Whether both have the same score.
    tie: bool,
    /// (n1 + 1) / (n2 + 1).
    correctness: f64,
    /// (t2 + 1) / (t1 + 1).
    time: f64,
}

/// What the virtual best would lose without each solver.
#[derive(Debug, Serialize, JsonSchema)]
struct Contributions {
    /// Files with a scored run.
    instances: u64,
    /// Files that the virtual best solves.
    solved: u64,
    /// The PAR2 of the virtual best, in seconds.
    par2: f64,
    /// One for each solver.
    solvers: Vec<ContributionRow>,
    /// Normalised contributions by set, the largest first, as SMT-COMP ranks them.
    by_set: Vec<SetContributionRow>,
}

/// What the virtual best would lose without a solver.
#[derive(Debug, Serialize, JsonSchema)]
struct ContributionRow {
    /// The solver.
    solver: Named,
    /// On how many files it is the virtual best.
    best_on: u64,
    /// How many solved files would be lost.
    solved: u64,
    /// By how many seconds PAR2 would be higher.
    par2: f64,
}

/// What a solver contributes in a set.
#[derive(Debug, Serialize, JsonSchema)]
struct SetContributionRow {
    /// The set.
    set: Named,
    /// The solver.
    solver: Named,
    /// The rank by solved files.
    correctness: f64,
    /// The rank by CPU time.
    cpu: f64,
    /// The rank by wall time.
    wall: f64,
}

const BY: Parameter = Parameter::query(
    "by",
    Kind::Choice(|| CompetitionKind::ALL.map(CompetitionKind::name).to_vec()),
    "By which score leads and contributions are; parallel if not given.",
);

pub(crate) fn endpoints() -> Vec<Endpoint> {
    let scores = |path, id, summary, content, make| {
        Endpoint::new(Family::Version1, path, id, summary, content, make)
            .with(&[SET, TRACK, SOLVERS, CAMPAIGN])
            .from(Source::Costly)
    };
    vec![
        scores(
            "/api/v1/standings",
            "standings",
            "Standings: solved, unique, refuted, PAR2, and the virtual best",
            Content::Json(schema::<Standings>),
            standings,
        ),
        scores(
            "/api/v1/competition",
            "competition",
            "Scores in the style of SMT-COMP, and the biggest leads",
            Content::Json(schema::<CompetitionScores>),
            competition,
        )
        .with(&[BY]),
        scores(
            "/api/v1/contribution",
            "contribution",
            "What the virtual best would lose without each solver",
            Content::Json(schema::<Contributions>),
            contribution,
        )
        .with(&[BY]),
    ]
}

fn standings(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let view = scope::view(request)?;
    let rows = measures::standings(&view);
    Reply::json(&Standings {
        instances: view.entries.len(),
        standings: rows.iter().map(|row| standing(&view, row)).collect(),
    })
}

/// The intervals of a solver; none for the virtual best, which has no runs of its own to repeat.
fn intervals(view: &View<'_>, who: Competitor) -> Option<IntervalRows> {
    let Competitor::Solver(solver) = who else { return None };
    let is_repeated = view.results.has_repetitions();
    let bootstrap = is_repeated.then(Bootstrap::default)?;
    let found = bootstrap.of_solver(view, solver, Resampling::Repetitions)?;
    let row = |interval: Interval| IntervalRow {
        estimate: interval.estimate,
        low: interval.low,
        high: interval.high,
    };
    Some(IntervalRows {
        instances: found.instances,
        solved: row(found.solved),
        par2_mean: row(found.par2_mean),
    })
}

fn standing(view: &View<'_>, standing: &Standing) -> StandingRow {
    let results = view.results;
    StandingRow {
        intervals: intervals(view, standing.competitor),
        solver: competitor(results, standing.competitor),
        label: Competitor::label(standing.competitor, results).to_owned(),
        rank: standing.rank,
        comparable: standing.comparable,
        instances: standing.instances,
        missing: standing.missing,
        failed: standing.failed,
        solved: standing.solved,
        solved_sat: standing.solved_sat,
        solved_unsat: standing.solved_unsat,
        unique: standing.unique,
        refuted: standing.refuted,
        par2: seconds(standing.par2.0),
        par2_mean: standing.par2_mean(),
        median: standing.median.map(|time| seconds(time.0)),
        runs: score(&standing.score),
    }
}

fn score(score: &Score) -> ScoreRow {
    let fields = Score::FIELDS.iter();
    ScoreRow(fields.map(|field| (field.name.to_owned(), field.json(score))).collect())
}

/// The kind of score that is asked for.
fn by(request: &ApiRequest<'_>) -> CompetitionKind {
    let name = request.values.text("by").unwrap_or_default();
    let kind = CompetitionKind::ALL.into_iter().find(|kind| kind.name() == name);
    kind.unwrap_or(CompetitionKind::Parallel)
}

fn competition(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let view = scope::view(request)?;
    let results = view.results;
    let kind = by(request);
    let Competition { entries, removed, tables } = measures::competition(&view);
    let (leads, overall) = measures::leads(&view, kind);
    Reply::json(&CompetitionScores {
        instances: entries,
        removed,
        tables: tables.iter().map(|table| competition_rows(results, table)).collect(),
        leads_by: kind.name(),
        leads: leads.iter().map(|lead| lead_row(results, lead)).collect(),
        overall: overall.map(|lead| lead_row(results, &lead)),
    })
}

fn competition_rows(results: &Results, table: &CompetitionTable) -> CompetitionRows {
    let scores = table.by_rank().into_iter().map(|score| CompetitionRow {
        solver: solver(results, score.solver),
        rank: score.rank,
        errors: score.errors,
        solved: score.solved,
        wall: seconds(score.wall.0),
        cpu: seconds(score.cpu.0),
    });
    CompetitionRows { kind: table.kind.name(), scores: scores.collect() }
}

fn lead_row(results: &Results, lead: &Lead) -> LeadRow {
    LeadRow {
        set: lead.set.map(|one| set(results, one)),
        winner: solver(results, lead.winner),
        second: solver(results, lead.second),
        tie: lead.is_tie,
        correctness: lead.correctness,
        time: lead.time,
    }
}

fn contribution(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let view = scope::view(request)?;
    let results = view.results;
    let found = measures::contributions(&view);
    let solvers = found.solvers.iter().map(|one| ContributionRow {
        solver: solver(results, one.solver),
        best_on: one.best_on,
        solved: one.solved,
        par2: one.par2,
    });
    let by_set = measures::largest_contributions(&view, by(request));
    let by_set = by_set.iter().map(|one: &SetContribution| SetContributionRow {
        set: set(results, one.set),
        solver: solver(results, one.solver),
        correctness: one.correctness,
        cpu: one.cpu,
        wall: one.wall,
    });
    Reply::json(&Contributions {
        instances: found.instances,
        solved: found.solved,
        par2: seconds(found.par2.0),
        solvers: solvers.collect(),
        by_set: by_set.collect(),
    })
}
