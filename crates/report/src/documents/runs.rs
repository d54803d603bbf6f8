//! A table with one row per run, for programs; a document would be too long.

use luthier_records::Judgement;

use super::model::{Audience, Column, Table, Value};
use crate::figures::exact_seconds;
use crate::measures::Sorting;
use crate::{RunInfo, View};

const NAMES: [&str; 20] = [
    "set",
    "track",
    "name",
    "instance",
    "sha256",
    "solver",
    "version",
    "repetition",
    "class",
    "solved",
    "judgement",
    "evidence",
    "expected",
    "model",
    "core",
    "cpu_seconds",
    "wall_seconds",
    "peak_memory_bytes",
    "campaign",
    "run",
];

/// All runs, by entry in this order, then solver, then repetition.
pub fn runs_table(view: &View<'_>, sorting: Sorting) -> Table {
    let columns = NAMES.map(|name| Column::new(name, name)).to_vec();
    let mut table = Table::new("runs", "All runs", columns).for_audience(Audience::Programs);
    for index in sorting.sort(view) {
        let entry = &view.results.entries[index];
        for &solver in &view.solvers {
            for run in view.runs(entry, solver) {
                table.push(0, cells(view, index, run));
            }
        }
    }
    table
}

fn cells(view: &View<'_>, index: usize, run: &RunInfo) -> Vec<Value> {
    let entry = &view.results.entries[index];
    let track = &view.results.tracks[entry.track];
    let solver = &view.results.solvers[run.solver];
    let evidence = match run.scored.judgement {
        Judgement::Right(evidence) | Judgement::Wrong(evidence) => Some(evidence.name()),
        Judgement::Disputed | Judgement::Unjudged | Judgement::NoClaim => None,
    };
    let expected = entry.judged.expected();
    let solved = if run.scored.is_solved() { "yes" } else { "no" };
    vec![
        Value::Text(view.results.sets[track.set].name.clone()),
        Value::Text(track.name.clone()),
        Value::Text(entry.name.to_string()),
        Value::Number(entry.judged.content.number),
        Value::Text(entry.judged.content.digest.to_string()),
        Value::Text(solver.label.clone()),
        Value::text(solver.configuration.version.clone()),
        Value::Count(run.repetition.into()),
        Value::Text(run.scored.class.name().to_owned()),
        Value::Text(solved.to_owned()),
        Value::Text(run.scored.judgement.name().to_owned()),
        Value::text(evidence),
        Value::text(expected.map(|(verdict, _)| verdict.name())),
        Value::text(run.scored.model.map(|model| model.name())),
        Value::text(run.scored.core.map(|core| core.name())),
        Value::Seconds(exact_seconds(run.scored.cpu.0)),
        Value::Seconds(exact_seconds(run.scored.wall.0)),
        Value::Count(run.peak_memory.0),
        Value::Number(view.results.campaigns[run.campaign].number),
        Value::Number(run.number),
    ]
}
