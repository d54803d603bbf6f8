//! Columns of the tables of standings: names, titles, visibility and values.
//!
//! Counts of classes, models and cores are over all runs, as in `luthier summary`; solved, unique and
//! rank are over entries, see [`crate::measures`]. Times are CPU seconds unless the name says
//! otherwise.

use luthier_records::{Class, CpuTime};

use super::model::{Column, Value, Visibility};
use crate::figures::exact_seconds;
use crate::measures::{Competitor, Contribution, Standing};
use crate::{Score, ScoreField, ScoreValue, View};

/// Everything that a row is made of.
pub(super) struct RowSource<'a> {
    /// The set; `None` over everything.
    pub set: Option<&'a str>,
    /// What the solver is called.
    pub label: &'a str,
    /// Its standing.
    pub standing: &'a Standing,
    /// What it contributes; `None` for the virtual best.
    pub contribution: Option<&'a Contribution>,
    /// The CPU time of all runs that did not reach a time limit.
    pub without_timeouts: CpuTime,
}

/// A column: its name, its title, when it is seen, and what stands in it.
struct Definition {
    name: &'static str,
    title: &'static str,
    shown: Visibility,
    source: Source,
}

/// Where the value of a column comes from.
enum Source {
    /// The standing of the solver.
    Standing(fn(&RowSource<'_>) -> Value),
    /// A score over all runs.
    Score(&'static ScoreField),
}

/// All columns: the scores, and between them those of standings.
fn definitions() -> Vec<Definition> {
    let of_score = |field: &'static ScoreField| {
        // Columns about entries have the plain names.
        let (name, title) = match field.name {
            "total" => ("runs", "runs"),
            "par2" => ("par2_runs", "PAR2 of all runs"),
            _ => (field.column, field.heading),
        };
        Definition { name, title, shown: field.in_documents, source: Source::Score(field) }
    };
    let fields = Score::FIELDS.iter();
    fields.flat_map(|field| before(field.name).into_iter().chain([of_score(field)])).collect()
}

/// The columns of standings that come before this score.
fn before(score: &str) -> Vec<Definition> {
    let column = |name, title, shown, value| Definition {
        name,
        title,
        shown,
        source: Source::Standing(value),
    };
    let always = |name, title, value| column(name, title, Visibility::Always, value);
    let asked = |name, title, value| column(name, title, Visibility::OnRequest, value);
    match score {
        "total" => vec![
            asked("set", "set", |row| Value::text(row.set)),
            always("solver", "solver", |row| Value::Text(row.label.to_owned())),
            always("rank", "rank", |row| match row.standing.rank {
                Some(rank) => {
                    Value::Rank { rank: rank as u64, is_comparable: row.standing.comparable }
                }
                None => Value::Missing,
            }),
            always("instances", "inst.", |row| Value::Count(row.standing.instances)),
            column("missing", "missing", Visibility::IfNotEmpty, |row| {
                Value::Count(row.standing.missing)
            }),
        ],
        "sat" => vec![
            always("solved", "solved", |row| Value::Count(row.standing.solved)),
            asked("solved_share", "share", |row| Value::Share {
                part: row.standing.solved,
                whole: row.standing.instances,
            }),
            asked("solved_sat", "solved sat", |row| Value::Count(row.standing.solved_sat)),
            asked("solved_unsat", "solved unsat", |row| Value::Count(row.standing.solved_unsat)),
            always("unique", "unique", |row| Value::Count(row.standing.unique)),
            asked("contribution", "contrib.", |row| {
                row.contribution.map_or(Value::Missing, |one| Value::Count(one.solved))
            }),
            asked("contribution_par2", "contrib. PAR2", |row| {
                row.contribution.map_or(Value::Missing, |one| Value::SumOfSeconds(one.par2))
            }),
            asked("best_on", "best on", |row| {
                row.contribution.map_or(Value::Missing, |one| Value::Count(one.best_on))
            }),
        ],
        "disputed" => {
            vec![asked("refuted", "refuted", |row| Value::Count(row.standing.refuted))]
        }
        "par2" => vec![
            asked("par2", "PAR2", |row| sum(row.standing.par2)),
            always("par2_mean", "PAR2 mean", |row| {
                row.standing.par2_mean().map_or(Value::Missing, Value::Seconds)
            }),
        ],
        "cpu" => vec![asked("median_seconds", "median", |row| {
            let median = row.standing.median;
            median.map_or(Value::Missing, |time| Value::Seconds(exact_seconds(time.0)))
        })],
        "cpu_decided" => {
            vec![asked("cpu_seconds_without_timeouts", "CPU, no timeouts", |row| {
                sum(row.without_timeouts)
            })]
        }
        _ => Vec::new(),
    }
}

/// What people see in the table of times over everything.
pub(super) const TIMES: [&str; 9] = [
    "solver",
    "par2",
    "par2_mean",
    "median_seconds",
    "cpu_seconds",
    "cpu_seconds_without_timeouts",
    "cpu_seconds_decided",
    "wall_seconds",
    "contribution_par2",
];

/// All columns.
pub(super) fn columns() -> Vec<Column> {
    let columns = definitions().into_iter();
    columns.map(|one| Column::new(one.name, one.title).shown(one.shown)).collect()
}

/// All cells of a row.
pub(super) fn cells(row: &RowSource<'_>) -> Vec<Value> {
    let value = |one: Definition| match one.source {
        Source::Standing(value) => value(row),
        Source::Score(field) => match (field.value)(&row.standing.score) {
            ScoreValue::Count(count) => Value::Count(count),
            ScoreValue::Time(time) => Value::SumOfSeconds(exact_seconds(time)),
        },
    };
    definitions().into_iter().map(value).collect()
}

/// The CPU time of all runs of each solver of the view that did not reach a time limit, then that
/// of the runs of the virtual best.
pub(super) fn without_timeouts(view: &View<'_>) -> Vec<CpuTime> {
    let mut sums = vec![CpuTime::default(); view.solvers.len() + 1];
    let mut best = Vec::with_capacity(view.solvers.len());
    for entry in view.iter() {
        best.clear();
        for (&solver, sum) in view.solvers.iter().zip(&mut sums) {
            for run in view.runs(entry, solver).filter(|run| run.scored.class != Class::Timeout) {
                sum.0 = sum.0.saturating_add(run.scored.cpu.0);
            }
            best.extend(view.run(entry, solver).map(|run| &run.scored));
        }
        let run = crate::best_of(best.iter().copied()).filter(|run| run.class != Class::Timeout);
        if let (Some(run), Some(sum)) = (run, sums.last_mut()) {
            sum.0 = sum.0.saturating_add(run.cpu.0);
        }
    }
    sums
}

/// The group of a row: the virtual best stands apart.
pub(super) fn group(standing: &Standing) -> usize {
    usize::from(standing.competitor == Competitor::VirtualBest)
}

fn sum(time: CpuTime) -> Value {
    Value::SumOfSeconds(exact_seconds(time.0))
}
