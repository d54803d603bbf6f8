//! The plan: everything that is drawn, in coordinates of the axes. All writers render it.

mod axes;
mod items;

pub(crate) use axes::{AxisPlan, ROOM_FOR_NAMES, ROOM_FOR_SLANTED};

use crate::model::{Chart, Kind};
use crate::palette::{Look, Marker};

/// The size of letters on axes and in legends, in pixels.
pub(crate) const FONT_SIZE: f64 = 11.0;

/// The maximal length of the tooltip of a point, in characters.
pub(crate) const MAX_TIP_LENGTH: usize = 160;

/// Whether the notes of points (tooltips and links) are included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PointNotes {
    /// On pages, and in files that programs show.
    Included,
    /// Pixels and paper have neither texts nor links behind points.
    Omitted,
}

/// A chart, ready to be spelled out.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub x: AxisPlan,
    pub y: AxisPlan,
    pub items: Vec<Item>,
    pub legend: Vec<LegendEntry>,
}

/// Something that is drawn. Coordinates are values on the axes, within their ranges; `series` is
/// the index of the series in the chart.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    Guide { from: (f64, f64), to: (f64, f64), label: String },
    Bar { from: (f64, f64), to: (f64, f64), look: Look, tip: String, label: String, series: usize },
    Line { points: Vec<(f64, f64)>, is_step: bool, look: Look, name: String, series: usize },
    Dots { dots: Vec<Dot>, look: Look, name: String, series: usize },
}

impl Item {
    /// The series that it belongs to; a guide belongs to none.
    pub fn series(&self) -> Option<usize> {
        match self {
            Item::Guide { .. } => None,
            Item::Bar { series, .. } | Item::Line { series, .. } | Item::Dots { series, .. } => {
                Some(*series)
            }
        }
    }
}

/// A marker, for one or more points.
#[derive(Clone, Debug)]
pub(crate) struct Dot {
    pub at: (f64, f64),
    pub marker: Marker,
    /// For how many points it stands.
    pub count: usize,
    pub tip: Option<String>,
    pub link: Option<String>,
}

/// A line of the legend.
#[derive(Clone, Debug)]
pub(crate) struct LegendEntry {
    pub name: String,
    pub look: Look,
    pub swatch: Swatch,
    /// The index of the series in the chart.
    pub series: usize,
}

/// What stands before a name in the legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Swatch {
    Line,
    Marker,
    Area,
}

impl Plan {
    /// The plan of a chart whose plot has this many pixels.
    pub fn new(chart: &Chart, width: f64, height: f64, notes: PointNotes) -> Self {
        let (x, y) = axes::plan(chart, width, height);
        let items = items::plan(chart, &x, &y, (width, height), notes);
        Plan { legend: legend(chart), x, y, items }
    }

    /// Only the axes, to compute the room that their labels need.
    pub fn axes(chart: &Chart, width: f64, height: f64) -> (AxisPlan, AxisPlan) {
        axes::plan(chart, width, height)
    }

    /// Whether there is nothing to be seen.
    pub fn is_empty(&self) -> bool {
        !self.items.iter().any(|item| match item {
            Item::Guide { .. } => false,
            Item::Bar { .. } => true,
            Item::Line { points, .. } => !points.is_empty(),
            Item::Dots { dots, .. } => !dots.is_empty(),
        })
    }
}

/// The entries of the legend. Series of which nothing is drawn have none.
pub(crate) fn legend(chart: &Chart) -> Vec<LegendEntry> {
    let entry = |number: usize, name: &str, look: Option<Look>, swatch| LegendEntry {
        name: name.to_owned(),
        look: look.unwrap_or_else(|| Look::nth(number)),
        swatch,
        series: number,
    };
    let bars = |series: &[crate::Bars], swatch, zero_shows: bool| -> Vec<LegendEntry> {
        let is_drawn = |bars: &crate::Bars| {
            let mut values = bars.cells.iter().filter_map(|cell| cell.value);
            values.any(|value| zero_shows || value != 0.0)
        };
        let drawn = series.iter().enumerate().filter(|(_, bars)| is_drawn(bars));
        drawn.map(|(number, bars)| entry(number, &bars.name, bars.look, swatch)).collect()
    };
    match &chart.kind {
        Kind::Lines { series, .. } => {
            let drawn = series.iter().enumerate().filter(|(_, line)| !line.points.is_empty());
            drawn.map(|(n, line)| entry(n, &line.name, line.look, Swatch::Line)).collect()
        }
        Kind::Points { groups, .. } => {
            let drawn = groups.iter().enumerate().filter(|(_, group)| !group.points.is_empty());
            drawn.map(|(n, group)| entry(n, &group.name, group.look, Swatch::Marker)).collect()
        }
        Kind::Stacked { series, .. } => bars(series, Swatch::Area, false),
        Kind::Grouped { series } => bars(series, Swatch::Area, true),
        Kind::Histogram(histogram) => bars(&histogram.series, Swatch::Area, true),
        Kind::Timeline { series } => bars(series, Swatch::Line, true),
    }
}
