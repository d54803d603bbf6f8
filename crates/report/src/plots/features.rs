//! Bars by operator: how many instances use it, and how many of them each solver solved.

use luthier_charts::{Axis, Bars, Cell, Chart, Kind};

use super::{chart, label};
use crate::measures::{self, FeatureTable};
use crate::{View, figures};

/// The share of instances with an operator or other feature that each solver solved, for `most`
/// features: string operators before others, each by how many instances use them.
pub fn features(view: &View<'_>, most: usize) -> Chart {
    features_of(view, &measures::features(view), most)
}

/// The same, of a table that was made of the view.
pub fn features_of(view: &View<'_>, table: &FeatureTable, most: usize) -> Chart {
    let rows = table.strings_first(view.results);
    let shown = &rows[..most.min(rows.len())];
    let names = shown.iter().map(|row| view.results.features[row.feature].clone()).collect();
    let series = view.solvers.iter().enumerate().map(|(position, &solver)| {
        let cells = shown.iter().map(|row| {
            let cell = &row.cells[position];
            let note =
                format!("{} of {}", figures::count(cell.solved), figures::count(cell.instances));
            Cell { value: cell.share().map(|share| share * 100.0), note: Some(note) }
        });
        Bars { name: label(view, solver).to_owned(), cells: cells.collect(), look: None }
    });
    let mut description =
        "Of the instances that use an operator, how many each solver solved.".to_owned();
    if shown.len() < rows.len() {
        let text = format!(
            " The first {} of {}, string operators before others, each by use.",
            shown.len(),
            rows.len()
        );
        description.push_str(&text);
    }
    if table.unknown > 0 {
        let unknown = figures::count(table.unknown);
        description.push_str(&format!(" Instances whose operators are not known: {unknown}."));
    }
    chart(
        "Instances solved by operator".to_owned(),
        description,
        Axis::linear("instances solved (%)").reaching(0.0, 100.0),
        Axis::categories("", names),
        Kind::Grouped { series: series.collect() },
    )
}

/// How many instances use an operator or other feature, for `most` of them in the same order. The
/// table was made of the view.
pub fn feature_uses(view: &View<'_>, table: &FeatureTable, most: usize) -> Chart {
    let rows = table.strings_first(view.results);
    let shown = &rows[..most.min(rows.len())];
    let names = shown.iter().map(|row| view.results.features[row.feature].clone()).collect();
    let cells = shown.iter().map(|row| Cell {
        value: Some(row.entries as f64),
        note: Some(figures::share(row.entries, table.known)),
    });
    let bars = Bars { name: "instances".to_owned(), cells: cells.collect(), look: None };
    let mut description = "How many instances use an operator or another feature.".to_owned();
    if shown.len() < rows.len() {
        let text = format!(
            " The first {} of {}, string operators before others, each by use.",
            shown.len(),
            rows.len()
        );
        description.push_str(&text);
    }
    if table.unknown > 0 {
        let unknown = figures::count(table.unknown);
        description.push_str(&format!(" Instances whose operators are not known: {unknown}."));
    }
    chart(
        "Instances by operator".to_owned(),
        description,
        Axis::linear("instances"),
        Axis::categories("", names),
        Kind::Grouped { series: vec![bars] },
    )
}
