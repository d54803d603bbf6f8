//! The columns of tables about how solvers stand: what they are called and what they have.
//!
//! Counts of classes, models and cores are over all runs, as in `luthier summary`; what is solved,
//! unique and ranked is over entries, see [`crate::measures`]. Times are CPU seconds unless the
//! name says otherwise.

use luthier_records::{Class, CpuTime};

use super::model::{Column, Shown, Value};
use crate::figures::exact_seconds;
use crate::measures::{Contestant, Contribution, Standing};
use crate::{Score, View};

/// Everything that a row is made of.
pub(super) struct Stand<'a> {
    /// The set; `None` over everything.
    pub set: Option<&'a str>,
    /// What the solver is called.
    pub label: &'a str,
    /// How it stands.
    pub standing: &'a Standing,
    /// What it contributes; `None` for the virtual best.
    pub contribution: Option<&'a Contribution>,
    /// The CPU time of all runs that did not reach a time limit.
    pub without_timeouts: CpuTime,
}

/// A column: its name, its title, when it is seen, and what stands in it.
type Definition = (&'static str, &'static str, Shown, fn(&Stand<'_>) -> Value);

const ALWAYS: Shown = Shown::Always;
const SOMETIMES: Shown = Shown::IfNotEmpty;
const ASKED: Shown = Shown::OnRequest;

const DEFINITIONS: [Definition; 45] = [
    ("set", "set", ASKED, |row| Value::text(row.set)),
    ("solver", "solver", ALWAYS, |row| Value::Text(row.label.to_owned())),
    ("rank", "rank", ALWAYS, |row| match row.standing.rank {
        Some(rank) => Value::Rank { rank: rank as u64, is_comparable: row.standing.comparable },
        None => Value::Missing,
    }),
    ("instances", "inst.", ALWAYS, |row| Value::Count(row.standing.instances)),
    ("missing", "missing", SOMETIMES, |row| Value::Count(row.standing.missing)),
    ("runs", "runs", ASKED, |row| Value::Count(row.standing.score.total)),
    ("solved", "solved", ALWAYS, |row| Value::Count(row.standing.solved)),
    ("solved_share", "share", ASKED, |row| Value::Share {
        part: row.standing.solved,
        whole: row.standing.instances,
    }),
    ("solved_sat", "solved sat", ASKED, |row| Value::Count(row.standing.solved_sat)),
    ("solved_unsat", "solved unsat", ASKED, |row| Value::Count(row.standing.solved_unsat)),
    ("unique", "unique", ALWAYS, |row| Value::Count(row.standing.unique)),
    ("contribution", "contrib.", ASKED, |row| {
        row.contribution.map_or(Value::Missing, |one| Value::Count(one.solved))
    }),
    ("contribution_par2", "contrib. PAR2", ASKED, |row| {
        row.contribution.map_or(Value::Missing, |one| Value::SumOfSeconds(one.par2))
    }),
    ("best_on", "best on", ASKED, |row| {
        row.contribution.map_or(Value::Missing, |one| Value::Count(one.best_on))
    }),
    ("sat", "sat", ALWAYS, |row| count(row, |score| score.sat)),
    ("unsat", "unsat", ALWAYS, |row| count(row, |score| score.unsat)),
    ("unknown", "unkn.", ALWAYS, |row| count(row, |score| score.unknown)),
    ("timeout", "timeout", ALWAYS, |row| count(row, |score| score.timeout)),
    ("memout", "memout", SOMETIMES, |row| count(row, |score| score.memout)),
    ("crash", "crash", SOMETIMES, |row| count(row, |score| score.crash)),
    ("unsupported", "unsupp.", SOMETIMES, |row| count(row, |score| score.unsupported)),
    ("malformed", "malf.", SOMETIMES, |row| count(row, |score| score.malformed)),
    ("framework_error", "our fault", SOMETIMES, |row| count(row, |score| score.framework_error)),
    ("wrong", "wrong", ALWAYS, |row| count(row, |score| score.wrong)),
    ("invalid_model", "inv. model", SOMETIMES, |row| count(row, |score| score.invalid_model)),
    ("invalid_core", "inv. core", SOMETIMES, |row| count(row, |score| score.invalid_core)),
    ("refuted", "refuted", ASKED, |row| Value::Count(row.standing.refuted)),
    ("disputed", "disp.", SOMETIMES, |row| count(row, |score| score.disputed)),
    ("right", "right", ASKED, |row| count(row, |score| score.right)),
    ("valid_model", "valid model", ASKED, |row| count(row, |score| score.valid_model)),
    ("completed_model", "compl. model", ASKED, |row| count(row, |score| score.completed_model)),
    ("incomplete_model", "incompl. model", ASKED, |row| count(row, |score| score.incomplete_model)),
    ("unchecked_model", "unch. model", ASKED, |row| count(row, |score| score.unchecked_model)),
    ("confirmed_core", "conf. core", ASKED, |row| count(row, |score| score.confirmed_core)),
    ("larger_core", "larger core", ASKED, |row| count(row, |score| score.larger_core)),
    ("unconfirmed_core", "unconf. core", ASKED, |row| count(row, |score| score.unconfirmed_core)),
    ("disputed_core", "disp. core", ASKED, |row| count(row, |score| score.disputed_core)),
    ("par2", "PAR2", ASKED, |row| sum(row.standing.par2)),
    ("par2_mean", "PAR2 mean", ALWAYS, |row| {
        row.standing.par2_mean().map_or(Value::Missing, Value::Seconds)
    }),
    ("par2_runs", "PAR2 of all runs", ASKED, |row| sum(row.standing.score.par2)),
    ("median_seconds", "median", ASKED, |row| {
        let median = row.standing.median;
        median.map_or(Value::Missing, |time| Value::Seconds(exact_seconds(time.0)))
    }),
    ("cpu_seconds", "CPU, all", ASKED, |row| sum(row.standing.score.cpu)),
    ("cpu_seconds_without_timeouts", "CPU, no timeouts", ASKED, |row| sum(row.without_timeouts)),
    ("cpu_seconds_decided", "CPU, answered", ASKED, |row| sum(row.standing.score.cpu_decided)),
    ("wall_seconds", "wall, all", ASKED, |row| {
        Value::SumOfSeconds(exact_seconds(row.standing.score.wall.0))
    }),
];

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
    let columns = DEFINITIONS.iter();
    columns.map(|(name, title, shown, _)| Column::new(*name, *title).shown(*shown)).collect()
}

/// All cells of a row.
pub(super) fn cells(row: &Stand<'_>) -> Vec<Value> {
    DEFINITIONS.iter().map(|(.., value)| value(row)).collect()
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
    usize::from(standing.who == Contestant::VirtualBest)
}

fn count(row: &Stand<'_>, of: fn(&Score) -> u64) -> Value {
    Value::Count(of(&row.standing.score))
}

fn sum(time: CpuTime) -> Value {
    Value::SumOfSeconds(exact_seconds(time.0))
}
