//! The data of a chart as rows, for other drawing programs. Nothing is thinned.

use crate::model::{Bars, Chart, Kind};
use crate::ticks::number_label;

/// The data of one series.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Its values, in order.
    pub rows: Vec<Row>,
}

/// One value of a series.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Where it is from left to right.
    pub x: Value,
    /// Where it is from bottom to top.
    pub y: Value,
    /// Its note.
    pub note: Option<String>,
    /// Where it leads, as it was given.
    pub link: Option<String>,
}

/// A place on an axis.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A category.
    Name(String),
    /// There is no value.
    Missing,
}

impl Chart {
    /// All data that the chart is made of: nothing is thinned, nothing clamped to an axis.
    pub fn series(&self) -> Vec<Series> {
        match &self.kind {
            Kind::Lines { series, .. } => series
                .iter()
                .map(|line| {
                    let row = |&(x, y): &(f64, f64)| Row {
                        x: Value::Number(x),
                        y: Value::Number(y),
                        note: None,
                        link: None,
                    };
                    Series { name: line.name.clone(), rows: line.points.iter().map(row).collect() }
                })
                .collect(),
            Kind::Points { groups, .. } => groups
                .iter()
                .map(|group| {
                    let rows = group.points.iter().enumerate().map(|(index, point)| {
                        let note = group.notes.about(index);
                        Row {
                            x: Value::Number(point.x),
                            y: Value::Number(point.y),
                            note: note.tooltip,
                            link: note.link,
                        }
                    });
                    Series { name: group.name.clone(), rows: rows.collect() }
                })
                .collect(),
            Kind::Stacked { series, .. } | Kind::Grouped { series } => {
                let flip = |row: Row| Row { x: row.y, y: row.x, ..row };
                let mut all = of_bars(series, self.y.names());
                for row in all.iter_mut().flat_map(|series| &mut series.rows) {
                    let moved =
                        Row { x: Value::Missing, y: Value::Missing, note: None, link: None };
                    *row = flip(std::mem::replace(row, moved));
                }
                all
            }
            Kind::Histogram(histogram) => {
                let bins = histogram.edges.windows(2).enumerate().map(|(index, edges)| {
                    let upper = number_label(edges[1]);
                    if index == 0 && histogram.first_is_open {
                        format!("≤ {upper}")
                    } else {
                        format!("{} – {upper}", number_label(edges[0]))
                    }
                });
                let names: Vec<String> = bins.chain(histogram.extras.iter().cloned()).collect();
                of_bars(&histogram.series, &names)
            }
            Kind::Timeline { series } => of_bars(series, self.x.names()),
        }
    }
}

/// Names on the x-axis, values on the y-axis.
fn of_bars(series: &[Bars], names: &[String]) -> Vec<Series> {
    let rows = |bars: &Bars| {
        let cells = names.iter().zip(&bars.cells);
        cells
            .map(|(name, cell)| Row {
                x: Value::Name(name.clone()),
                y: cell.value.map_or(Value::Missing, Value::Number),
                note: cell.note.clone(),
                link: None,
            })
            .collect()
    };
    series.iter().map(|bars| Series { name: bars.name.clone(), rows: rows(bars) }).collect()
}
