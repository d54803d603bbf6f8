//! The section of findings: counts by kind and solver, then a list.

use luthier_records::Verdict;

use super::super::model::{Audience, Block, Column, Table, Value, Visibility};
use super::super::text::counted;
use super::{PaperOptions, paragraph};
use crate::measures::{Finding, FindingKind, Findings, findings};
use crate::{RunInfo, View};

pub(super) fn blocks(view: &View<'_>, options: &PaperOptions<'_>) -> Vec<Block> {
    let found = findings(view, options.most_findings);
    let kinds = || found.kinds();
    let programs = |kind| listed(view, &found, kind, options).for_audience(Audience::Programs);
    if kinds().next().is_none() {
        let nothing = "No wrong answers and no abnormal exits.";
        return vec![paragraph(nothing), Block::Table(programs(None))];
    }
    let wrong: u64 = kinds().filter(|kind| kind.is_wrong()).map(|kind| found.count(kind)).sum();
    let text = match wrong {
        0 => "No answer is known to be wrong. To be looked at:".to_owned(),
        _ => format!("Certainly wrong: {}.", counted(wrong, "case")),
    };
    let mut blocks = vec![paragraph(text), Block::Table(counts(view, &found))];
    for kind in kinds() {
        let mut table = listed(view, &found, Some(kind), options).for_audience(Audience::People);
        let count = found.count(kind);
        table.caption = format!("{} ({})", kind.title(), crate::figures::count(count));
        table.notes.push(kind.meaning().to_owned());
        if let more @ 1.. = count - table.rows.len() as u64 {
            table.notes.push(format!("{} more not listed.", counted(more, "finding")));
        }
        blocks.push(Block::Table(table));
    }
    blocks.push(Block::Table(programs(None)));
    blocks
}

/// A row per kind, a column per solver. Findings without a solver are only in the sum.
fn counts(view: &View<'_>, found: &Findings) -> Table {
    let mut columns = vec![Column::new("kind", "finding"), Column::new("total", "all")];
    for &solver in &view.solvers {
        let solver = &view.results.solvers[solver];
        columns.push(Column::new(format!("solver_{}", solver.number), solver.label.clone()));
    }
    let mut table = Table::new("finding_counts", "Findings by kind and solver", columns)
        .for_audience(Audience::People);
    for kind in found.kinds() {
        let mut cells = vec![Value::Text(kind.name().to_owned()), Value::Count(found.count(kind))];
        let positions = 0..view.solvers.len();
        cells.extend(positions.map(|position| Value::Count(found.count_of(kind, position))));
        table.push(usize::from(!kind.is_wrong()), cells);
    }
    table
}

/// The findings of a kind, or of all.
fn listed(
    view: &View<'_>,
    found: &Findings,
    kind: Option<FindingKind>,
    options: &PaperOptions<'_>,
) -> Table {
    let of_all = if kind.is_some() { Visibility::OnRequest } else { Visibility::Always };
    let columns = vec![
        Column::new("kind", "finding").shown(of_all),
        Column::new("place", "instance").wrapping(),
        Column::new("query", "query").shown(Visibility::OnRequest),
        Column::new("solver", "solver").shown(Visibility::IfNotEmpty),
        Column::new("run", "run").shown(Visibility::IfNotEmpty),
        Column::new("class", "ended").shown(Visibility::IfNotEmpty),
        Column::new("expected", "it is").shown(Visibility::IfNotEmpty),
        Column::new("evidence", "by").shown(Visibility::IfNotEmpty),
        Column::new("cpu_seconds", "CPU").shown(Visibility::IfNotEmpty),
        Column::new("detail", "detail").shown(Visibility::IfNotEmpty).wrapping(),
    ];
    let mut table = Table::new("findings", "Findings", columns);
    if let Some(kind) = kind {
        table.name = format!("findings_{}", kind.name().replace('-', "_"));
    }
    let chosen = |finding: &&Finding| kind.is_none_or(|kind| finding.kind == kind);
    for finding in found.list.iter().filter(chosen) {
        table.push(finding.kind as usize, cells(view, finding, options));
    }
    table
}

fn cells(view: &View<'_>, finding: &Finding, options: &PaperOptions<'_>) -> Vec<Value> {
    let entry = &view.results.entries[finding.entry];
    let run: Option<&RunInfo> = finding
        .solver
        .and_then(|solver| view.runs(entry, solver).find(|run| Some(run.number) == finding.run));
    let expected = entry.judged.truths.get(finding.query).and_then(|truth| truth.verdict);
    let solver = finding.solver.map(|solver| view.results.solvers[solver].label.clone());
    vec![
        Value::Text(finding.kind.name().to_owned()),
        Value::Text(view.results.place_of(entry)),
        Value::Count(finding.query as u64 + 1),
        Value::text(solver),
        finding.run.map_or(Value::Missing, Value::Number),
        Value::text(run.map(|run| run.scored.class.name())),
        Value::text(expected.map(|(verdict, _): (Verdict, _)| verdict.name())),
        Value::text(expected.map(|(_, evidence)| evidence.name())),
        run.map_or(Value::Missing, |run| Value::Seconds(run.scored.cpu.as_secs_f64())),
        Value::text((options.detail)(finding)),
    ]
}
