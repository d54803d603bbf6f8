//! The section of results by operator and other features of the instances.

use super::super::charts::ChartName;
use super::super::model::{Audience, Block, Column, Table, Value};
use super::super::text::counted;
use super::{paragraph, picture};
use crate::View;
use crate::measures::{FeatureCell, FeatureTable, features};

pub(super) fn blocks(view: &View<'_>, charts: bool) -> Vec<Block> {
    let table = features(view);
    let mut text = format!(
        "Of the instances that use an operator, how many each solver solved; {} of known \
         operators.",
        counted(table.known, "instance")
    );
    if table.unknown > 0 {
        let unknown = counted(table.unknown, "instance");
        text.push_str(&format!(" Not known, since unread: {unknown}."));
    }
    let mut blocks = vec![paragraph(text)];
    if charts && !table.rows.is_empty() {
        let name = ChartName::Operators;
        blocks.extend(name.of(view).ok().map(|chart| picture(name.name(), chart)));
    }
    blocks.push(Block::Table(for_people(view, &table)));
    blocks.push(Block::Table(for_programs(view, &table)));
    blocks
}

/// A row per operator, a column per solver.
fn for_people(view: &View<'_>, features: &FeatureTable) -> Table {
    let mut columns = vec![Column::new("feature", "operator"), Column::new("entries", "instances")];
    for &solver in &view.solvers {
        let solver = &view.results.solvers[solver];
        columns.push(Column::new(format!("solver_{}", solver.number), solver.label.clone()));
    }
    let mut table = Table::new("operators_by_solver", "Solved by operator", columns)
        .for_audience(Audience::People);
    let share = |cell: &FeatureCell| Value::Share { part: cell.solved, whole: cell.instances };
    let mut all = vec![Value::Text("(all)".to_owned()), Value::Count(features.known)];
    all.extend(features.overall.iter().map(share));
    table.push(0, all);
    for row in features.by_use() {
        let name = view.results.features[row.feature].clone();
        let mut cells = vec![Value::Text(name), Value::Count(row.entries)];
        cells.extend(row.cells.iter().map(share));
        table.push(1, cells);
    }
    table
}

/// A row per operator and solver.
fn for_programs(view: &View<'_>, features: &FeatureTable) -> Table {
    let names = [
        "feature",
        "entries",
        "solver",
        "instances",
        "solved",
        "solved_share",
        "lift",
        "wrong",
        "timeout",
        "unknown",
        "par2_mean",
    ];
    let columns = names.map(|name| Column::new(name, name)).to_vec();
    let mut table =
        Table::new("operators", "Solvers by operator", columns).for_audience(Audience::Programs);
    for (number, row) in features.by_use().into_iter().enumerate() {
        for ((&solver, cell), overall) in view.solvers.iter().zip(&row.cells).zip(&features.overall)
        {
            let cells = vec![
                Value::Text(view.results.features[row.feature].clone()),
                Value::Count(row.entries),
                Value::Text(view.results.solvers[solver].label.clone()),
                Value::Count(cell.instances),
                Value::Count(cell.solved),
                Value::Share { part: cell.solved, whole: cell.instances },
                cell.lift(overall).map_or(Value::Missing, Value::Ratio),
                Value::Count(cell.wrong),
                Value::Count(cell.timeout),
                Value::Count(cell.unknown),
                cell.par2_mean().map_or(Value::Missing, Value::Seconds),
            ];
            table.push(number, cells);
        }
    }
    table
}
