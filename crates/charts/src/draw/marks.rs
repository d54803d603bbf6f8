//! Lines, points, bars, and their symbols in the legend.

use super::frame::Frame;
use crate::palette::{Colour, Dash, Hatch, Look, Marker};
use crate::plan::{Dot, LegendEntry, Swatch};
use crate::surface::{
    Anchor, Fill, Group, Outline, Paint, Segment, Shape, Stroke, Surface, Text, Tint,
};
use crate::text::{cut_to_length, width};

/// The size of letters on bars and beside guides.
const SMALL: f64 = 10.0;
const WHITE: Colour = Colour { red: 0xff, green: 0xff, blue: 0xff };
/// Letters on a white plate, whatever the colours of the page are.
const BLACK: Colour = Colour { red: 0x1a, green: 0x1a, blue: 0x1a };

/// A piece of a bar between two corners.
pub(super) fn bar(
    surface: &mut dyn Surface,
    (from, to): ((f64, f64), (f64, f64)),
    look: Look,
    tip: &str,
    label: &str,
) {
    let (left, right) = (from.0.min(to.0), from.0.max(to.0));
    let (top, bottom) = (from.1.min(to.1), from.1.max(to.1));
    // The gap between pieces is cut from the right, so that a bar never ends beyond its value.
    let gap = if right - left > 3.0 && !label.is_empty() { 1.0 } else { 0.0 };
    let outline = Outline::rectangle(left, top, right - left - gap, bottom - top);
    let (class, tip) = (Some("chart-bar"), Some(tip));
    surface.shape(&Shape { class, tip, ..Shape::new(&outline, area(look)) });
    let label_width = width(label, SMALL) + 4.0;
    if !label.is_empty() && label_width + 4.0 <= right - left && bottom - top >= 14.0 {
        let (x, y) = ((left + right) / 2.0, (top + bottom) / 2.0);
        let plate = Outline::Rectangle {
            left: x - label_width / 2.0,
            top: y - 6.5,
            width: label_width,
            height: 13.0,
            rounding: 2.0,
        };
        let paint = Paint { fill: Fill::Flat(Tint::Of(WHITE), 0.9), stroke: None };
        surface.shape(&Shape { class: Some("chart-plate"), ..Shape::new(&plate, paint) });
        let text = Text::new((x, y + 3.6), Anchor::Middle, SMALL, label);
        surface.text(&Text { class: Some("chart-plate-text"), tint: Tint::Of(BLACK), ..text });
    }
}

/// A line through places.
pub(super) fn line(
    surface: &mut dyn Surface,
    places: &[(f64, f64)],
    is_step: bool,
    look: Look,
    name: &str,
) {
    let mut path = Vec::new();
    for (index, &(x, y)) in places.iter().enumerate() {
        match (index, is_step) {
            (0, _) => path.push(Segment::Move(x, y)),
            (_, true) => path.extend([Segment::Across(x), Segment::Up(y)]),
            (_, false) => path.push(Segment::Line(x, y)),
        }
    }
    if path.is_empty() {
        return;
    }
    let stroke = Stroke { has_round_joins: true, ..line_stroke(look) };
    let (outline, tip) = (Outline::Path(path), cut_to_length(name, 300));
    let (class, tip) = (Some("chart-line"), Some(&*tip));
    surface.shape(&Shape { class, tip, ..Shape::new(&outline, Paint::line(stroke)) });
}

/// Markers at places.
pub(super) fn dots(
    surface: &mut dyn Surface,
    places: &[((f64, f64), &Dot)],
    look: Look,
    name: &str,
    radius: f64,
    index: usize,
) {
    if places.is_empty() {
        return;
    }
    let class = format!("chart-points chart-series-{index}");
    let paint = Some(marker_paint(look.marker, look.colour));
    surface.open_group(&Group { class: Some(&class), paint, number: None });
    for &(place, dot) in places {
        let size = radius * (1.0 + 0.22 * (dot.count as f64).log10()).min(2.0);
        let tip = match (&dot.tip, dot.count) {
            (Some(tip), 1) => Some(tip.clone()),
            (None, 1) => None,
            (Some(tip), count) => Some(format!("{count} instances, one is {tip}")),
            (None, count) => Some(format!("{count} instances, {name}")),
        };
        let outline = Outline::Path(marker_path(dot.marker, place, size));
        surface.shape(&Shape {
            tip: tip.as_deref(),
            link: dot.link.as_deref(),
            ..Shape::new(&outline, marker_paint(dot.marker, look.colour))
        });
    }
    surface.close_group();
}

/// A line to compare points with, and its label at its upper end.
pub(super) fn guide(
    surface: &mut dyn Surface,
    frame: &Frame,
    (start, end): ((f64, f64), (f64, f64)),
    label: &str,
) {
    let path = vec![Segment::Move(start.0, start.1), Segment::Line(end.0, end.1)];
    let stroke = Stroke { opacity: 0.6, dashes: &[5.0, 3.0], ..Stroke::new(Tint::Ink, 1.0) };
    let outline = Outline::Path(path);
    let class = Some("chart-guide");
    surface.shape(&Shape { class, ..Shape::new(&outline, Paint::line(stroke)) });
    let (place, anchor) = if start.0 == end.0 {
        ((start.0 - 8.0, frame.bottom - 8.0), Anchor::End)
    } else if start.1 == end.1 {
        ((start.0 + 8.0, start.1 - 8.0), Anchor::Start)
    } else if end.1 <= frame.top + 1.0 {
        ((end.0 - 18.0, end.1 + 11.0), Anchor::End)
    } else {
        ((end.0 - 4.0, end.1 - 4.0), Anchor::End)
    };
    let short = cut_to_length(label, 40);
    let text = Text::new(place, anchor, SMALL, &short);
    surface.text(&Text { class: Some("chart-guide-label"), full: Some(label), ..text });
}

/// What is before a name in the legend: 24 pixels wide, centred at the height of `y`.
pub(super) fn swatch(surface: &mut dyn Surface, (x, y): (f64, f64), entry: &LegendEntry) {
    let look = entry.look;
    if entry.swatch == Swatch::Area {
        let outline = Outline::rectangle(x, y - 6.0, 24.0, 12.0);
        surface.shape(&Shape::new(&outline, area(look)));
        return;
    }
    if entry.swatch == Swatch::Line {
        let outline = Outline::Path(vec![Segment::Move(x, y), Segment::AcrossBy(24.0)]);
        surface.shape(&Shape::new(&outline, Paint::line(line_stroke(look))));
    }
    let outline = Outline::Path(marker_path(look.marker, (x + 12.0, y), 3.8));
    surface.shape(&Shape::new(&outline, marker_paint(look.marker, look.colour)));
}

fn area(look: Look) -> Paint {
    let tint = Tint::Of(look.colour);
    let fill = match look.hatch {
        Hatch::Plain => Fill::Flat(tint, 1.0),
        _ => Fill::Hatched(look),
    };
    Paint { fill, stroke: Some(Stroke::new(tint, 0.5)) }
}

fn line_stroke(look: Look) -> Stroke {
    let dashes: &'static [f64] = match look.dash {
        Dash::Solid => &[],
        Dash::Dashed => &[8.0, 4.0],
        Dash::Dotted => &[1.5, 3.0],
        Dash::DashDotted => &[8.0, 3.0, 1.5, 3.0],
        Dash::Short => &[4.0, 3.0],
    };
    Stroke { dashes, ..Stroke::new(Tint::Of(look.colour), 1.6) }
}

fn marker_paint(marker: Marker, colour: Colour) -> Paint {
    let tint = Tint::Of(colour);
    if marker.is_outline() { Paint::line(Stroke::new(tint, 1.5)) } else { Paint::filled(tint) }
}

/// The outline of a marker; all have about the same area.
fn marker_path(marker: Marker, (x, y): (f64, f64), size: f64) -> Vec<Segment> {
    use Segment::{AcrossBy, By, Circle, Close, Move, UpBy};
    match marker {
        Marker::Circle | Marker::Ring => vec![Move(x - size, y), Circle(size)],
        Marker::Square | Marker::Frame => {
            let (half, side) = (size * 0.9, size * 1.8);
            vec![Move(x - half, y - half), AcrossBy(side), UpBy(side), AcrossBy(-side), Close]
        }
        Marker::Triangle | Marker::TriangleDown => {
            let down = if marker == Marker::TriangleDown { -1.0 } else { 1.0 };
            let side = By(size * 1.15, size * 2.0 * down);
            vec![Move(x, y - size * 1.2 * down), side, AcrossBy(-size * 2.3), Close]
        }
        Marker::Diamond => {
            let side = size * 1.25;
            vec![Move(x, y - side), By(side, side), By(-side, side), By(-side, -side), Close]
        }
        Marker::Cross => {
            let (half, side) = (size * 0.9, size * 1.8);
            let (rising, falling) = (By(-side, side), By(side, side));
            vec![Move(x - half, y - half), falling, Move(x + half, y - half), rising]
        }
        Marker::Plus => {
            let (half, side) = (size * 1.1, size * 2.2);
            vec![Move(x - half, y), AcrossBy(side), Move(x, y - half), UpBy(side)]
        }
    }
}
