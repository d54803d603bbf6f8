//! Divides a picture into plot, labels, titles and legend.

use crate::model::{Chart, Size};
use crate::plan::{self, AxisPlan, FONT_SIZE, Plan, ROOM_FOR_NAMES, ROOM_FOR_SLANTED};
use crate::surface::Segment;
use crate::text::{cut_to_width, width};

/// The parts of a picture, in pixels from its upper left corner.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
    /// The base line of the title of the x-axis.
    pub x_title: f64,
    /// The room that labels of the y-axis have.
    pub room_beside: f64,
    pub full_width: f64,
    pub legend: Vec<LegendPlace>,
}

/// An entry of the legend at its place.
#[derive(Clone, Debug)]
pub(super) struct LegendPlace {
    pub at: (f64, f64),
    /// Which entry it is; none for the remark that there are more.
    pub entry: Option<usize>,
    pub text: String,
}

const LEGEND_ROW: f64 = 18.0;
const LEGEND_LEFT: f64 = 12.0;
const SWATCH: f64 = 30.0;
const MAX_ENTRY_WIDTH: f64 = 210.0;
/// How much of a picture the legend may fill.
const SHARE_OF_LEGEND: f64 = 0.6;
/// A plot that is lower shows nothing.
const MIN_PLOT_HEIGHT: f64 = 40.0;

impl Frame {
    pub fn new(chart: &Chart, size: Size) -> Self {
        let (full_width, full_height) = (f64::from(size.width), f64::from(size.height));
        let top = if chart.title.is_empty() { 14.0 } else { 34.0 };
        let mut legend = legend_places(chart, full_width);
        let rows_wanted = legend_rows(&legend);
        let rows_possible = ((full_height * SHARE_OF_LEGEND) / LEGEND_ROW).floor().max(1.0);
        if rows_wanted > rows_possible {
            shorten(&mut legend, rows_possible);
        }
        let legend_height = legend_rows(&legend) * LEGEND_ROW;
        // The widths of labels depend on the plan, which depends on the size of the plot: a guess
        // is near enough, since only the number of ticks depends on it.
        let (guess_x, guess_y) =
            Plan::axes(chart, (full_width * 0.8).max(1.0), (full_height * 0.7).max(1.0));
        let room_beside = ROOM_FOR_NAMES.min(full_width * 0.35);
        let label_width = |text: &str| width(text, FONT_SIZE);
        let beside = guess_y.ticks.iter().map(|tick| label_width(&tick.label)).fold(0.0, f64::max);
        let mut left = beside.min(room_beside) + if chart.y.title.is_empty() { 14.0 } else { 32.0 };
        let last = guess_x.ticks.last().map_or(0.0, |tick| label_width(&tick.label) / 2.0);
        let right_margin = if guess_x.is_slanted { 16.0 } else { last.clamp(16.0, 60.0) + 2.0 };
        let mut labels = 20.0;
        if guess_x.is_slanted {
            let widths = guess_x.ticks.iter().map(|tick| label_width(&tick.label));
            let longest = widths.fold(0.0, f64::max).min(ROOM_FOR_SLANTED);
            labels = 16.0 + longest * 0.66;
            let first = guess_x.ticks.first().map_or(0.0, |tick| label_width(&tick.label));
            left = left.max(first.min(ROOM_FOR_SLANTED) * 0.78 + 6.0);
        }
        let title = if chart.x.title.is_empty() { 0.0 } else { 18.0 };
        let bottom = full_height - labels - title - legend_height - 10.0;
        let bottom = bottom.max(top + MIN_PLOT_HEIGHT);
        let right = (full_width - right_margin).max(left + MIN_PLOT_HEIGHT);
        let x_title = bottom + labels + title - 4.0;
        let first_row = bottom + labels + title + 12.0;
        for place in &mut legend {
            place.at.1 += first_row;
        }
        Frame { left, top, right, bottom, x_title, room_beside, full_width, legend }
    }

    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }

    /// The place of a value on the x-axis.
    pub fn across(&self, x: &AxisPlan, value: f64) -> f64 {
        self.left + x.range.place(value) * self.width()
    }

    /// The place of a value on the y-axis.
    pub fn up(&self, y: &AxisPlan, value: f64) -> f64 {
        self.bottom - y.range.place(value) * self.height()
    }

    pub fn at(&self, plan: &Plan, (x, y): (f64, f64)) -> (f64, f64) {
        (self.across(&plan.x, x), self.up(&plan.y, y))
    }

    /// A line through the plot at a value of the x-axis.
    pub fn upright_rule(&self, x: &AxisPlan, value: f64) -> [Segment; 2] {
        [Segment::Move(self.across(x, value), self.top), Segment::Up(self.bottom)]
    }

    /// A line through the plot at a value of the y-axis.
    pub fn level_rule(&self, y: &AxisPlan, value: f64) -> [Segment; 2] {
        [Segment::Move(self.left, self.up(y, value)), Segment::Across(self.right)]
    }
}

/// How much height everything but the plot takes, with the whole legend.
pub(super) fn outside(chart: &Chart, full_width: u32) -> f64 {
    const TALL: u32 = 4_000;
    let legend = legend_rows(&legend_places(chart, f64::from(full_width))) * LEGEND_ROW;
    let frame = Frame::new(chart, Size { width: full_width, height: TALL });
    let shown = legend.min(f64::from(TALL) * SHARE_OF_LEGEND);
    let others = f64::from(TALL) - frame.height() - shown;
    others + legend
}

/// The entries in rows, from the upper left corner of the legend.
fn legend_places(chart: &Chart, full_width: f64) -> Vec<LegendPlace> {
    let entries = plan::legend(chart);
    let room = MAX_ENTRY_WIDTH.min(full_width - SWATCH - 20.0);
    let texts = entries.iter().map(|entry| cut_to_width(&entry.name, FONT_SIZE, room).into_owned());
    let texts: Vec<String> = texts.collect();
    let needed = |text: &String| SWATCH + width(text, FONT_SIZE) + 16.0;
    // In one row each entry has the room it needs; in several they stand in columns.
    let all: f64 = texts.iter().map(needed).sum();
    let widest = texts.iter().map(needed).fold(0.0, f64::max);
    let is_one_row = all + LEGEND_LEFT <= full_width;
    let (mut x, mut y) = (LEGEND_LEFT, 0.0);
    let mut places = Vec::new();
    for (index, text) in texts.into_iter().enumerate() {
        let needed = if is_one_row { needed(&text) } else { widest };
        if x > LEGEND_LEFT && x + needed > full_width {
            (x, y) = (LEGEND_LEFT, y + LEGEND_ROW);
        }
        places.push(LegendPlace { at: (x, y), entry: Some(index), text });
        x += needed;
    }
    places
}

fn legend_rows(places: &[LegendPlace]) -> f64 {
    places.last().map_or(0.0, |place| place.at.1 / LEGEND_ROW + 1.0)
}

/// Leaves only this many rows; the last entry says how many are missing.
fn shorten(places: &mut Vec<LegendPlace>, rows: f64) {
    let all = places.len();
    places.retain(|place| place.at.1 / LEGEND_ROW < rows - 0.5);
    let missing = all - places.len() + 1;
    if let Some(last) = places.last_mut() {
        last.entry = None;
        last.text = format!("and {missing} more");
    }
}
