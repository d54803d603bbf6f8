//! SVG writer.
//!
//! No script, no style sheet, no `style` attribute and no external resource, because the content
//! security policy of a page may forbid all of these. Text and axes use `currentColor` on pages, so
//! that they follow its light or dark theme; every part has a class that a style sheet may address. On
//! pages every series and its entry in the legend have the same number (`data-series`), so that a
//! script can hide it.

mod frame;
mod marks;
mod writer;

use crate::model::{Chart, Kind, Size};
use crate::palette::Hatch;
use crate::plan::{FONT_SIZE, Item, LegendEntry, Plan, PointNotes, ROOM_FOR_SLANTED, Swatch};
use crate::text::{cut_to_length, cut_to_width};
use frame::Frame;
use writer::{Anchor, Writer, number};

/// What the picture is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Part of a page, whose colours it takes for text and axes. No background.
    Page,
    /// A file of its own, on white.
    Standalone,
}

impl Variant {
    fn ink(self) -> &'static str {
        match self {
            Variant::Page => "currentColor",
            Variant::Standalone => "#222222",
        }
    }
}

/// The chart as an SVG element, with an XML declaration if it stands alone.
pub fn to_svg(chart: &Chart, size: Size, variant: Variant) -> String {
    draw(chart, size, variant, PointNotes::Included)
}

/// The same, with or without notes of points.
pub(crate) fn draw(chart: &Chart, size: Size, variant: Variant, notes: PointNotes) -> String {
    let frame = Frame::new(chart, size);
    let plan = Plan::new(chart, frame.width(), frame.height(), notes);
    let writer = Writer::of_width(size.width);
    let mut drawing = Drawing { writer, frame, plan, ink: variant.ink(), variant };
    if variant == Variant::Standalone {
        drawing.writer.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    }
    drawing.open(chart, size, variant);
    drawing.grid();
    drawing.items(chart);
    drawing.axes();
    drawing.legend();
    drawing.writer.raw("</svg>\n");
    drawing.writer.finish()
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

struct Drawing {
    writer: Writer,
    frame: Frame,
    plan: Plan,
    ink: &'static str,
    variant: Variant,
}

impl Drawing {
    fn open(&mut self, chart: &Chart, size: Size, variant: Variant) {
        let Size { width, height } = size;
        // What is inside an image is not read out, and links must be.
        let has_links = self.plan.items.iter().any(|item| match item {
            Item::Dots { dots, .. } => dots.iter().any(|dot| dot.link.is_some()),
            _ => false,
        });
        let role = if has_links { "group" } else { "img" };
        let writer = &mut self.writer;
        writer.raw(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"{role}\" \
             width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"{}\">\n",
            number(FONT_SIZE)
        ));
        writer.element("title", &cut_to_length(&chart.title, 500));
        writer.element("desc", &cut_to_length(&chart.description, 4_000));
        let hatches = self.hatches();
        if !hatches.is_empty() {
            self.writer.raw("<defs>\n");
            for look in hatches {
                marks::hatch(&mut self.writer, look);
            }
            self.writer.raw("</defs>\n");
        }
        if variant == Variant::Standalone {
            self.writer.raw(&format!(
                "<rect class=\"chart-background\" width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
            ));
        }
        if !chart.title.is_empty() {
            let room = f64::from(width) - 16.0;
            let title = cut_to_width(&chart.title, 15.5, room).into_owned();
            let attributes = format!(
                "class=\"chart-title\" font-size=\"14\" font-weight=\"bold\" fill=\"{}\"",
                self.ink
            );
            let middle = f64::from(width) / 2.0;
            self.writer.text((middle, 20.0), Anchor::Middle, &attributes, &title, None);
        }
    }

    /// The hatchings in use, each once, in the order of their use.
    fn hatches(&self) -> Vec<crate::Look> {
        let mut found: Vec<crate::Look> = Vec::new();
        let entries = self.plan.legend.iter().filter(|entry| entry.swatch == Swatch::Area);
        let bars = self.plan.items.iter().filter_map(|item| match item {
            Item::Bar { look, .. } => Some(*look),
            _ => None,
        });
        for look in entries.map(|entry| entry.look).chain(bars) {
            let is_known =
                found.iter().any(|old| (old.colour, old.hatch) == (look.colour, look.hatch));
            if look.hatch != Hatch::Plain && !is_known {
                found.push(look);
            }
        }
        found
    }

    fn grid(&mut self) {
        let Frame { left, top, right, bottom, .. } = self.frame;
        let mut paths = [String::new(), String::new()];
        let (x, y) = (&self.plan.x, &self.plan.y);
        for (values, path) in [(&x.minor, 0), (&y.minor, 0)] {
            let is_x = std::ptr::eq(values, &x.minor);
            for &value in values {
                paths[path].push_str(&self.frame.rule(x, y, is_x, value));
            }
        }
        for tick in x.ticks.iter().filter(|_| !x.has_names) {
            paths[1].push_str(&self.frame.rule(x, y, true, tick.value));
        }
        for tick in y.ticks.iter().filter(|_| !y.has_names) {
            paths[1].push_str(&self.frame.rule(x, y, false, tick.value));
        }
        for (path, opacity) in paths.iter().zip(["0.07", "0.18"]) {
            if !path.is_empty() {
                self.writer.raw(&format!(
                    "<path class=\"chart-grid\" d=\"{path}\" stroke=\"{}\" stroke-opacity=\"{opacity}\" fill=\"none\"/>\n",
                    self.ink
                ));
            }
        }
        if self.plan.is_empty() {
            let middle = ((left + right) / 2.0, (top + bottom) / 2.0);
            let attributes =
                format!("class=\"chart-empty\" font-size=\"14\" fill=\"{}\"", self.ink);
            self.writer.text(middle, Anchor::Middle, &attributes, "no data", None);
        }
    }

    fn items(&mut self, chart: &Chart) {
        let is_scatter = matches!(chart.kind, Kind::Points { .. });
        for (index, item) in self.plan.items.iter().enumerate() {
            let series = item.series().filter(|_| self.variant == Variant::Page);
            if let Some(series) = series {
                self.writer.raw(&format!("<g data-series=\"{series}\">"));
            }
            match item {
                Item::Guide { from, to, label } => {
                    marks::guide(
                        &mut self.writer,
                        &self.frame,
                        &self.plan,
                        (*from, *to),
                        label,
                        self.ink,
                    );
                }
                Item::Bar { from, to, look, tip, label, .. } => {
                    let corners =
                        (self.frame.at(&self.plan, *from), self.frame.at(&self.plan, *to));
                    marks::bar(&mut self.writer, corners, *look, tip, label);
                }
                Item::Line { points, is_step, look, name, .. } => {
                    let places: Vec<(f64, f64)> =
                        points.iter().map(|&point| self.frame.at(&self.plan, point)).collect();
                    marks::line(&mut self.writer, &places, *is_step, *look, name);
                }
                Item::Dots { dots, look, name, .. } => {
                    let places = dots.iter().map(|dot| (self.frame.at(&self.plan, dot.at), dot));
                    let radius = if is_scatter { 3.0 } else { 3.8 };
                    marks::dots(&mut self.writer, places, *look, name, radius, index);
                }
            }
            if series.is_some() {
                self.writer.raw("</g>");
            }
        }
    }

    fn axes(&mut self) {
        let Frame { left, top, right, bottom, .. } = self.frame;
        let ink = self.ink;
        let mut path =
            format!("M{} {}V{}H{}", number(left), number(top), number(bottom), number(right));
        let (x, y) = (&self.plan.x, &self.plan.y);
        for tick in &x.ticks {
            let at = self.frame.across(x, tick.value);
            path.push_str(&format!("M{} {}v4", number(at), number(bottom)));
        }
        for tick in &y.ticks {
            let at = self.frame.up(y, tick.value);
            path.push_str(&format!("M{} {}h-4", number(left), number(at)));
        }
        self.writer.raw(&format!(
            "<path class=\"chart-axis\" d=\"{path}\" stroke=\"{ink}\" fill=\"none\"/>\n"
        ));
        self.writer.raw(&format!("<g class=\"chart-labels\" fill=\"{ink}\">\n"));
        for tick in x.ticks.iter().filter(|tick| !tick.label.is_empty()) {
            let at = self.frame.across(x, tick.value);
            if x.is_slanted {
                let place = (at + 3.0, bottom + 14.0);
                let label = cut_to_width(&tick.label, FONT_SIZE, ROOM_FOR_SLANTED);
                let turn =
                    format!("transform=\"rotate(-40 {} {})\"", number(place.0), number(place.1));
                self.writer.text(place, Anchor::End, &turn, &label, Some(&tick.label));
            } else {
                let place = (at, bottom + 16.0);
                self.writer.text(place, Anchor::Middle, "", &tick.label, None);
            }
        }
        for tick in y.ticks.iter().filter(|tick| !tick.label.is_empty()) {
            let place = (left - 7.0, self.frame.up(y, tick.value) + 4.0);
            let label = cut_to_width(&tick.label, FONT_SIZE, self.frame.room_beside);
            self.writer.text(place, Anchor::End, "", &label, Some(&tick.label));
        }
        let middle = ((left + right) / 2.0, self.frame.x_title);
        let title = cut_to_width(&x.title, 12.0, self.frame.full_width - 16.0);
        self.writer.text(middle, Anchor::Middle, "font-size=\"12\"", &title, Some(&x.title));
        let place = (14.0, (top + bottom) / 2.0);
        let turn = format!(
            "font-size=\"12\" transform=\"rotate(-90 {} {})\"",
            number(place.0),
            number(place.1)
        );
        let title = cut_to_width(&y.title, 12.0, self.frame.height().max(60.0));
        self.writer.text(place, Anchor::Middle, &turn, &title, Some(&y.title));
        self.writer.raw("</g>\n");
    }

    fn legend(&mut self) {
        if self.frame.legend.is_empty() {
            return;
        }
        self.writer.raw(&format!("<g class=\"chart-legend\" fill=\"{}\">\n", self.ink));
        for place in &self.frame.legend {
            let (x, y) = place.at;
            let entry = place.entry.map(|index| &self.plan.legend[index]);
            let switched = entry.filter(|_| self.variant == Variant::Page);
            if let Some(LegendEntry { series, .. }) = switched {
                self.writer.raw(&format!("<g class=\"chart-entry\" data-entry=\"{series}\">"));
            }
            if let Some(entry) = entry {
                marks::swatch(&mut self.writer, (x, y), entry);
            }
            let full = entry.map(|entry| entry.name.as_str());
            self.writer.text((x + 30.0, y + 4.0), Anchor::Start, "", &place.text, full);
            if switched.is_some() {
                self.writer.raw("</g>");
            }
        }
        self.writer.raw("</g>\n");
    }
}
