//! Layout of axes: ranges, ticks and labels.

use super::FONT_SIZE;
use crate::model::{Axis, Chart, Guide, Histogram, Kind, Scale, Stacking};
use crate::text;
use crate::ticks::{self, Tick, number_label};

/// An axis with everything decided.
#[derive(Clone, Debug)]
pub(crate) struct AxisPlan {
    pub title: String,
    pub range: Range,
    pub ticks: Vec<Tick>,
    /// Places of finer lines, without labels.
    pub minor: Vec<f64>,
    /// Whether the ticks are names, which have no line through the plot.
    pub has_names: bool,
    /// Whether labels below the plot are too long to stand side by side.
    pub is_slanted: bool,
}

/// From where to where an axis goes, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub low: f64,
    pub high: f64,
    pub is_log: bool,
}

/// The room that a name has below and beside the plot, in pixels.
pub(crate) const ROOM_FOR_NAMES: f64 = 190.0;
pub(crate) const ROOM_FOR_SLANTED: f64 = 130.0;
/// Between two labels side by side.
const GAP: f64 = 8.0;

impl Range {
    /// The value within the range: what is below is at its lower end.
    pub fn clamp(&self, value: f64) -> f64 {
        value.max(self.low).min(self.high)
    }

    /// The place of a value, from 0 to 1.
    pub fn place(&self, value: f64) -> f64 {
        let value = self.clamp(value);
        let Range { low, high, is_log } = *self;
        if is_log {
            (value.log10() - low.log10()) / (high.log10() - low.log10())
        } else {
            (value - low) / (high - low)
        }
    }
}

/// Both axes of a chart whose plot has this many pixels.
pub(super) fn plan(chart: &Chart, width: f64, height: f64) -> (AxisPlan, AxisPlan) {
    let (across, up) = ((width / 75.0) as usize, (height / 42.0) as usize);
    match &chart.kind {
        Kind::Lines { series, .. } => {
            let points = || series.iter().flat_map(|line| line.points.iter());
            let x: Vec<f64> = points().map(|point| point.0).collect();
            let y: Vec<f64> = points().map(|point| point.1).collect();
            (below(&chart.x, &x, across, width), numbers(&chart.y, &y, up))
        }
        Kind::Points { groups, guides } => {
            let points = || groups.iter().flat_map(|group| group.points.iter());
            let mut x: Vec<f64> = points().map(|point| point.x).collect();
            let mut y: Vec<f64> = points().map(|point| point.y).collect();
            for guide in guides {
                match guide {
                    Guide::Vertical(value, _) => x.push(*value),
                    Guide::Horizontal(value, _) => y.push(*value),
                    Guide::Factor(..) => {}
                }
            }
            (below(&chart.x, &x, across, width), numbers(&chart.y, &y, up))
        }
        Kind::Stacked { series, stacking } => {
            let longest = match stacking {
                Stacking::Shares => 100.0,
                Stacking::Counts => (0..chart.y.names().len())
                    .map(|row| series.iter().filter_map(|bars| bars.cells[row].value).sum())
                    .fold(0.0, f64::max),
            };
            (below(&chart.x, &[longest], across, width), names_beside(&chart.y, height))
        }
        Kind::Grouped { series } => {
            let cells = series.iter().flat_map(|bars| &bars.cells);
            let values: Vec<f64> = cells.filter_map(|cell| cell.value).collect();
            (below(&chart.x, &values, across, width), names_beside(&chart.y, height))
        }
        Kind::Histogram(histogram) => {
            let cells = histogram.series.iter().flat_map(|bars| &bars.cells);
            let values: Vec<f64> = cells.filter_map(|cell| cell.value).collect();
            (bins(&chart.x, histogram, width), numbers(&chart.y, &values, up))
        }
        Kind::Timeline { series } => {
            let cells = series.iter().flat_map(|bars| &bars.cells);
            let values: Vec<f64> = cells.filter_map(|cell| cell.value).collect();
            (names_below(&chart.x, width), numbers(&chart.y, &values, up))
        }
    }
}

fn numbers(axis: &Axis, values: &[f64], most: usize) -> AxisPlan {
    let wanted = axis.range.into_iter().flat_map(|(low, high)| [low, high]);
    let all = || values.iter().copied().chain(wanted.clone());
    let title = axis.title.clone();
    let most = most.clamp(1, 20);
    if let Scale::Log { floor } = axis.scale {
        let floor = 10f64.powi((floor.log10() + 1e-9).floor() as i32);
        let high = all().fold(floor, f64::max);
        let has_low = values.iter().any(|value| *value <= floor);
        let low = if has_low { floor } else { all().fold(high, f64::min).max(floor) };
        let (low, high, mut ticks, minor) = ticks::log(low, high, most);
        if has_low && let Some(first) = ticks.first_mut() {
            first.label = format!("≤ {}", first.label);
        }
        let range = Range { low, high, is_log: true };
        return AxisPlan { title, range, ticks, minor, has_names: false, is_slanted: false };
    }
    let (low, high) = (all().fold(0.0, f64::min), all().fold(0.0, f64::max));
    // Between counts there is nothing.
    let are_counts = all().all(|value| value.fract() == 0.0) && high - low >= 1.0;
    let most = if are_counts { most.min((high - low).min(1e6) as usize) } else { most };
    let high = if low < high { high } else { low + 1.0 };
    let (low, high, ticks) = ticks::linear(low, high, most);
    let range = Range { low, high, is_log: false };
    AxisPlan { title, range, ticks, minor: Vec::new(), has_names: false, is_slanted: false }
}

/// Numbers below the plot, where labels could run into each other.
fn below(axis: &Axis, values: &[f64], most: usize, width: f64) -> AxisPlan {
    let mut plan = numbers(axis, values, most);
    let count = plan.ticks.len();
    let stride =
        (1..count.max(2)).find(|&stride| fit(&plan, stride, width)).unwrap_or(count.max(1));
    for (index, tick) in plan.ticks.iter_mut().enumerate() {
        if index % stride != 0 {
            tick.label.clear();
        }
    }
    plan
}

fn fit(plan: &AxisPlan, stride: usize, width: f64) -> bool {
    let kept: Vec<&Tick> = plan.ticks.iter().step_by(stride).collect();
    kept.windows(2).all(|pair| {
        let between = (plan.range.place(pair[1].value) - plan.range.place(pair[0].value)) * width;
        let half = |tick: &Tick| text::width(&tick.label, FONT_SIZE) / 2.0;
        half(pair[0]) + half(pair[1]) + GAP <= between
    })
}

/// Names beside the plot, the first on top.
fn names_beside(axis: &Axis, height: f64) -> AxisPlan {
    let names = axis.names();
    let rows = names.len().max(1) as f64;
    let stride = ((FONT_SIZE + 2.0) * rows / height.max(1.0)).ceil().max(1.0) as usize;
    let ticks = names.iter().enumerate().map(|(index, name)| Tick {
        value: rows - 0.5 - index as f64,
        label: if index % stride == 0 { name.clone() } else { String::new() },
    });
    of_names(axis, rows, ticks.collect(), false)
}

/// Names below the plot, the first on the left.
fn names_below(axis: &Axis, width: f64) -> AxisPlan {
    let names = axis.names();
    let columns = names.len().max(1) as f64;
    let slot = width / columns;
    let widest = names.iter().map(|name| text::width(name, FONT_SIZE)).fold(0.0, f64::max);
    let is_slanted = widest + GAP > slot;
    let stride = if is_slanted { ((FONT_SIZE + 6.0) / slot).ceil().max(1.0) as usize } else { 1 };
    let ticks = names.iter().enumerate().map(|(index, name)| Tick {
        value: index as f64 + 0.5,
        label: if index % stride == 0 { name.clone() } else { String::new() },
    });
    of_names(axis, columns, ticks.collect(), is_slanted)
}

fn of_names(axis: &Axis, high: f64, ticks: Vec<Tick>, is_slanted: bool) -> AxisPlan {
    let range = Range { low: 0.0, high, is_log: false };
    let title = axis.title.clone();
    AxisPlan { title, range, ticks, minor: Vec::new(), has_names: true, is_slanted }
}

/// Edges between bins, then, after a gap of half a bin, the names of what has no value. Slanted,
/// because between them there is rarely room enough.
fn bins(axis: &Axis, histogram: &Histogram, width: f64) -> AxisPlan {
    let Histogram { edges, extras, first_is_open, .. } = histogram;
    let bins = edges.len() - 1;
    let high = bins as f64 + if extras.is_empty() { 0.0 } else { 0.5 + extras.len() as f64 };
    let first = usize::from(*first_is_open);
    let edge = |index: usize| Tick {
        value: index as f64,
        label: match (index == first, first_is_open) {
            (true, true) => format!("≤ {}", number_label(edges[index])),
            _ => number_label(edges[index]),
        },
    };
    let slot = width / high;
    let extra = |(index, name): (usize, &String)| Tick {
        value: bins as f64 + 1.0 + index as f64,
        label: name.clone(),
    };
    let extra: Vec<Tick> = extras.iter().enumerate().map(extra).collect();
    let wide = |tick: &Tick| text::width(&tick.label, FONT_SIZE) + GAP;
    let all: Vec<Tick> = (first..=bins).map(edge).collect();
    let widest = all.iter().map(wide).fold(0.0, f64::max);
    let widest_extra = extra.iter().map(wide).fold(0.0, f64::max);
    let is_slanted = widest_extra > slot.max(1.5 * slot - widest / 2.0) || widest > 3.0 * slot;
    let room = if is_slanted { FONT_SIZE + 6.0 } else { widest };
    let stride = (room / slot).ceil().max(1.0) as usize;
    let mut ticks: Vec<Tick> = all.into_iter().step_by(stride).collect();
    ticks.extend(extra);
    of_names(axis, high, ticks, is_slanted)
}
