//! Drawing: the plan of a chart, placed in a picture and given to a [`Surface`].

mod frame;
mod marks;

use crate::model::{Chart, Kind, Size};
use crate::plan::{FONT_SIZE, Item, Plan, PointNotes, ROOM_FOR_SLANTED};
use crate::surface::{Anchor, Group, Outline, Paint, Segment, Shape, Stroke, Surface, Text, Tint};
use crate::text::cut_to_width;
use frame::Frame;

/// Whether series and entries of the legend are numbered, so that a script can switch them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SeriesNumbers {
    Included,
    Omitted,
}

/// A chart with everything at its place.
pub(crate) struct Drawing<'a> {
    chart: &'a Chart,
    size: Size,
    frame: Frame,
    pub plan: Plan,
}

impl Chart {
    /// A size of this width that has room for every category and the whole legend.
    pub fn natural_size(&self, width: u32) -> Size {
        let height = self.natural_plot_height(width) + frame::outside(self, width);
        Size { width, height: height.ceil() as u32 }
    }

    /// How high the plot should be, without labels and legend.
    pub(crate) fn natural_plot_height(&self, width: u32) -> f64 {
        let row = match &self.kind {
            Kind::Stacked { .. } => 26.0,
            Kind::Grouped { series } => (series.len() as f64 * 7.0 + 8.0).max(18.0),
            _ => return (f64::from(width) * 0.5).clamp(260.0, 420.0),
        };
        (row * self.y.names().len() as f64).clamp(60.0, 8_000.0)
    }
}

impl<'a> Drawing<'a> {
    /// The chart in a picture of this size.
    pub fn new(chart: &'a Chart, size: Size, notes: PointNotes) -> Self {
        let frame = Frame::new(chart, size);
        let plan = Plan::new(chart, frame.width(), frame.height(), notes);
        Drawing { chart, size, frame, plan }
    }

    /// Draws everything but the background.
    pub fn draw_on(&self, surface: &mut dyn Surface, numbers: SeriesNumbers) {
        self.title(surface);
        self.grid(surface);
        self.items(surface, numbers);
        self.axes(surface);
        self.legend(surface, numbers);
    }

    fn title(&self, surface: &mut dyn Surface) {
        if self.chart.title.is_empty() {
            return;
        }
        let width = f64::from(self.size.width);
        // Bold letters are wider.
        let title = cut_to_width(&self.chart.title, 15.5, width - 16.0);
        let text = Text::new((width / 2.0, 20.0), Anchor::Middle, 14.0, &title);
        surface.text(&Text { class: Some("chart-title"), is_bold: true, ..text });
    }

    fn grid(&self, surface: &mut dyn Surface) {
        let (x, y) = (&self.plan.x, &self.plan.y);
        let rules = |across: &[f64], up: &[f64]| -> Vec<Segment> {
            let across = across.iter().flat_map(|&value| self.frame.upright_rule(x, value));
            across.chain(up.iter().flat_map(|&value| self.frame.level_rule(y, value))).collect()
        };
        // Names have no line through the plot.
        let values = |axis: &crate::plan::AxisPlan| -> Vec<f64> {
            let ticks = axis.ticks.iter().filter(|_| !axis.has_names);
            ticks.map(|tick| tick.value).collect()
        };
        let fine = rules(&x.minor, &y.minor);
        let coarse = rules(&values(x), &values(y));
        for (path, opacity) in [(fine, 0.07), (coarse, 0.18)] {
            if !path.is_empty() {
                let paint = Paint::line(Stroke { opacity, ..Stroke::new(Tint::Ink, 1.0) });
                let outline = Outline::Path(path);
                let class = Some("chart-grid");
                surface.shape(&Shape { class, ..Shape::new(&outline, paint) });
            }
        }
        if self.plan.is_empty() {
            let Frame { left, top, right, bottom, .. } = self.frame;
            let middle = ((left + right) / 2.0, (top + bottom) / 2.0);
            let text = Text::new(middle, Anchor::Middle, 14.0, "no data");
            surface.text(&Text { class: Some("chart-empty"), ..text });
        }
    }

    fn items(&self, surface: &mut dyn Surface, numbers: SeriesNumbers) {
        let is_scatter = matches!(self.chart.kind, Kind::Points { .. });
        let at = |point: (f64, f64)| self.frame.at(&self.plan, point);
        for (index, item) in self.plan.items.iter().enumerate() {
            let series = item.series().filter(|_| numbers == SeriesNumbers::Included);
            if let Some(series) = series {
                let number = Some(("data-series", series));
                surface.open_group(&Group { number, ..Group::default() });
            }
            match item {
                Item::Guide { from, to, label } => {
                    marks::guide(surface, &self.frame, (at(*from), at(*to)), label);
                }
                Item::Bar { from, to, look, tip, label, .. } => {
                    marks::bar(surface, (at(*from), at(*to)), *look, tip, label);
                }
                Item::Line { points, is_step, look, name, .. } => {
                    let places: Vec<(f64, f64)> = points.iter().map(|&point| at(point)).collect();
                    marks::line(surface, &places, *is_step, *look, name);
                }
                Item::Dots { dots, look, name, .. } => {
                    let places: Vec<_> = dots.iter().map(|dot| (at(dot.at), dot)).collect();
                    let radius = if is_scatter { 3.0 } else { 3.8 };
                    marks::dots(surface, &places, *look, name, radius, index);
                }
            }
            if series.is_some() {
                surface.close_group();
            }
        }
    }

    fn axes(&self, surface: &mut dyn Surface) {
        let Frame { left, top, right, bottom, .. } = self.frame;
        let (x, y) = (&self.plan.x, &self.plan.y);
        let mut path = vec![Segment::Move(left, top), Segment::Up(bottom), Segment::Across(right)];
        for tick in &x.ticks {
            let at = self.frame.across(x, tick.value);
            path.extend([Segment::Move(at, bottom), Segment::UpBy(4.0)]);
        }
        for tick in &y.ticks {
            let at = self.frame.up(y, tick.value);
            path.extend([Segment::Move(left, at), Segment::AcrossBy(-4.0)]);
        }
        let (outline, paint) = (Outline::Path(path), Paint::line(Stroke::new(Tint::Ink, 1.0)));
        surface.shape(&Shape { class: Some("chart-axis"), ..Shape::new(&outline, paint) });
        let (class, paint) = (Some("chart-labels"), Some(Paint::filled(Tint::Ink)));
        surface.open_group(&Group { class, paint, number: None });
        for tick in x.ticks.iter().filter(|tick| !tick.label.is_empty()) {
            let at = self.frame.across(x, tick.value);
            if x.is_slanted {
                let place = (at + 3.0, bottom + 14.0);
                let label = cut_to_width(&tick.label, FONT_SIZE, ROOM_FOR_SLANTED);
                let text = Text::new(place, Anchor::End, FONT_SIZE, &label);
                surface.text(&Text { turn: -40.0, full: Some(&tick.label), ..text });
            } else {
                let place = (at, bottom + 16.0);
                surface.text(&Text::new(place, Anchor::Middle, FONT_SIZE, &tick.label));
            }
        }
        for tick in y.ticks.iter().filter(|tick| !tick.label.is_empty()) {
            let place = (left - 7.0, self.frame.up(y, tick.value) + 4.0);
            let label = cut_to_width(&tick.label, FONT_SIZE, self.frame.room_beside);
            let text = Text::new(place, Anchor::End, FONT_SIZE, &label);
            surface.text(&Text { full: Some(&tick.label), ..text });
        }
        let middle = ((left + right) / 2.0, self.frame.x_title);
        let title = cut_to_width(&x.title, 12.0, self.frame.full_width - 16.0);
        let text = Text::new(middle, Anchor::Middle, 12.0, &title);
        surface.text(&Text { full: Some(&x.title), ..text });
        let place = (14.0, (top + bottom) / 2.0);
        let title = cut_to_width(&y.title, 12.0, self.frame.height().max(60.0));
        let text = Text::new(place, Anchor::Middle, 12.0, &title);
        surface.text(&Text { turn: -90.0, full: Some(&y.title), ..text });
        surface.close_group();
    }

    fn legend(&self, surface: &mut dyn Surface, numbers: SeriesNumbers) {
        if self.frame.legend.is_empty() {
            return;
        }
        let (class, paint) = (Some("chart-legend"), Some(Paint::filled(Tint::Ink)));
        surface.open_group(&Group { class, paint, number: None });
        for place in &self.frame.legend {
            let (x, y) = place.at;
            let entry = place.entry.map(|index| &self.plan.legend[index]);
            let switched = entry.filter(|_| numbers == SeriesNumbers::Included);
            if let Some(entry) = switched {
                let (class, number) = (Some("chart-entry"), Some(("data-entry", entry.series)));
                surface.open_group(&Group { class, number, paint });
            }
            if let Some(entry) = entry {
                marks::swatch(surface, (x, y), entry);
            }
            let full = entry.map(|entry| entry.name.as_str());
            let text = Text::new((x + 30.0, y + 4.0), Anchor::Start, FONT_SIZE, &place.text);
            surface.text(&Text { full, ..text });
            if switched.is_some() {
                surface.close_group();
            }
        }
        surface.close_group();
    }
}
