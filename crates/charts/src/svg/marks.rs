//! SVG of lines, points, bars, and their symbols in the legend.

use super::frame::Frame;
use super::writer::{Anchor, Writer, number};
use crate::palette::{Colour, Dash, Hatch, Look, Marker};
use crate::plan::{Dot, LegendEntry, Plan, Swatch};
use crate::text::{cut_to_length, escape_xml, width};

/// The size of letters on bars.
const SMALL: f64 = 10.0;

/// A hatching as a pattern. Its name says all about it and how wide the picture is, so that
/// pictures on one page may define it twice, and one that is drawn for another width and not shown
/// does not hide it.
pub(super) fn hatch(writer: &mut Writer, look: Look) {
    let lines = match look.hatch {
        Hatch::Plain => "",
        Hatch::Rising => "M-2 2L2 -2M0 8L8 0M6 10L10 6",
        Hatch::Falling => "M-2 6L2 10M0 0L8 8M6 -2L10 2",
        Hatch::Horizontal => "M0 2H8M0 6H8",
        Hatch::Vertical => "M2 0V8M6 0V8",
        Hatch::Crossed => "M0 0L8 8M0 8L8 0",
        Hatch::Dotted => "M1 2h2M5 6h2",
        Hatch::Grid => "M0 4H8M4 0V8",
    };
    let stroke_width = if look.hatch == Hatch::Dotted { "2" } else { "1.2" };
    let pattern = format!(
        "<pattern id=\"{}\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">\
         <rect width=\"8\" height=\"8\" fill=\"{}\"/>\
         <path d=\"{lines}\" stroke=\"#ffffff\" stroke-opacity=\"0.75\" stroke-width=\"{stroke_width}\" fill=\"none\"/>\
         </pattern>\n",
        hatch_name(writer, look),
        hex(look.colour),
    );
    writer.raw(&pattern);
}

/// A piece of a bar between two corners.
pub(super) fn bar(
    writer: &mut Writer,
    (from, to): ((f64, f64), (f64, f64)),
    look: Look,
    tip: &str,
    label: &str,
) {
    let (left, right) = (from.0.min(to.0), from.0.max(to.0));
    let (top, bottom) = (from.1.min(to.1), from.1.max(to.1));
    // The gap between pieces is cut from the right, so that a bar never ends beyond its value.
    let gap = if right - left > 3.0 && !label.is_empty() { 1.0 } else { 0.0 };
    let fill = fill(writer, look);
    writer.raw(&format!(
        "<rect class=\"chart-bar\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"0.5\"><title>{}</title></rect>\n",
        number(left),
        number(top),
        number(right - left - gap),
        number(bottom - top),
        fill,
        hex(look.colour),
        escape_xml(tip)
    ));
    let label_width = width(label, SMALL) + 4.0;
    if !label.is_empty() && label_width + 4.0 <= right - left && bottom - top >= 14.0 {
        let (x, y) = ((left + right) / 2.0, (top + bottom) / 2.0);
        writer.raw(&format!(
            "<rect class=\"chart-plate\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"13\" rx=\"2\" fill=\"#ffffff\" fill-opacity=\"0.9\"/>\n",
            number(x - label_width / 2.0),
            number(y - 6.5),
            number(label_width)
        ));
        let attributes = "class=\"chart-plate-text\" font-size=\"10\" fill=\"#1a1a1a\"";
        writer.text((x, y + 3.6), Anchor::Middle, attributes, label, None);
    }
}

/// A line through places.
pub(super) fn line(
    writer: &mut Writer,
    places: &[(f64, f64)],
    is_step: bool,
    look: Look,
    name: &str,
) {
    let mut path = String::new();
    for (index, &(x, y)) in places.iter().enumerate() {
        let (x, y) = (number(x), number(y));
        path.push_str(&match (index, is_step) {
            (0, _) => format!("M{x} {y}"),
            (_, true) => format!("H{x}V{y}"),
            (_, false) => format!("L{x} {y}"),
        });
    }
    if path.is_empty() {
        return;
    }
    writer.raw(&format!(
        "<path class=\"chart-line\" d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" stroke-linejoin=\"round\"{}><title>{}</title></path>\n",
        hex(look.colour),
        dashes(look.dash),
        escape_xml(&cut_to_length(name, 300))
    ));
}

/// Markers at places.
pub(super) fn dots<'a>(
    writer: &mut Writer,
    places: impl Iterator<Item = ((f64, f64), &'a Dot)>,
    look: Look,
    name: &str,
    radius: f64,
    index: usize,
) {
    let mut is_open = false;
    for (place, dot) in places {
        if !is_open {
            writer.raw(&format!(
                "<g class=\"chart-points chart-series-{index}\" {}>\n",
                paint(look.marker, look.colour)
            ));
            is_open = true;
        }
        let size = radius * (1.0 + 0.22 * (dot.count as f64).log10()).min(2.0);
        let own = if dot.marker == look.marker {
            String::new()
        } else {
            format!(" {}", paint(dot.marker, look.colour))
        };
        let shape = format!("<path d=\"{}\"{own}", outline(dot.marker, place, size));
        let tip = match (&dot.tip, dot.count) {
            (Some(tip), 1) => Some(tip.clone()),
            (None, 1) => None,
            (Some(tip), count) => Some(format!("{count} instances, one is {tip}")),
            (None, count) => Some(format!("{count} instances, {name}")),
        };
        if let Some(link) = &dot.link {
            writer.raw(&format!("<a href=\"{}\">", escape_xml(link)));
        }
        match tip {
            Some(tip) => writer.raw(&format!("{shape}><title>{}</title></path>", escape_xml(&tip))),
            None => writer.raw(&format!("{shape}/>")),
        }
        writer.raw(if dot.link.is_some() { "</a>\n" } else { "\n" });
    }
    if is_open {
        writer.raw("</g>\n");
    }
}

/// A line to compare points with, and its label at its upper end.
pub(super) fn guide(
    writer: &mut Writer,
    frame: &Frame,
    plan: &Plan,
    (from, to): ((f64, f64), (f64, f64)),
    label: &str,
    ink: &str,
) {
    let (start, end) = (frame.at(plan, from), frame.at(plan, to));
    writer.raw(&format!(
        "<path class=\"chart-guide\" d=\"M{} {}L{} {}\" stroke=\"{ink}\" stroke-opacity=\"0.6\" stroke-dasharray=\"5 3\" fill=\"none\"/>\n",
        number(start.0),
        number(start.1),
        number(end.0),
        number(end.1)
    ));
    let (place, anchor) = if start.0 == end.0 {
        ((start.0 - 8.0, frame.bottom - 8.0), Anchor::End)
    } else if start.1 == end.1 {
        ((start.0 + 8.0, start.1 - 8.0), Anchor::Start)
    } else if end.1 <= frame.top + 1.0 {
        ((end.0 - 18.0, end.1 + 11.0), Anchor::End)
    } else {
        ((end.0 - 4.0, end.1 - 4.0), Anchor::End)
    };
    let attributes = format!("class=\"chart-guide-label\" font-size=\"10\" fill=\"{ink}\"");
    writer.text(place, anchor, &attributes, &cut_to_length(label, 40), Some(label));
}

/// What stands before a name in the legend: 24 pixels wide, centred at the height of `y`.
pub(super) fn swatch(writer: &mut Writer, (x, y): (f64, f64), entry: &LegendEntry) {
    let look = entry.look;
    let marker = |writer: &mut Writer| {
        writer.raw(&format!(
            "<path d=\"{}\" {}/>\n",
            outline(look.marker, (x + 12.0, y), 3.8),
            paint(look.marker, look.colour)
        ));
    };
    let area = fill(writer, look);
    match entry.swatch {
        Swatch::Area => writer.raw(&format!(
            "<rect x=\"{}\" y=\"{}\" width=\"24\" height=\"12\" fill=\"{}\" stroke=\"{}\" stroke-width=\"0.5\"/>\n",
            number(x),
            number(y - 6.0),
            area,
            hex(look.colour)
        )),
        Swatch::Marker => marker(writer),
        Swatch::Line => {
            writer.raw(&format!(
                "<path d=\"M{} {}h24\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"{}/>\n",
                number(x),
                number(y),
                hex(look.colour),
                dashes(look.dash)
            ));
            marker(writer);
        }
    }
}

fn hex(colour: Colour) -> String {
    let Colour { red, green, blue } = colour;
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn hatch_name(writer: &Writer, look: Look) -> String {
    format!("hatch-{}-{}-{:?}", writer.width(), &hex(look.colour)[1..], look.hatch).to_lowercase()
}

fn fill(writer: &Writer, look: Look) -> String {
    match look.hatch {
        Hatch::Plain => hex(look.colour),
        _ => format!("url(#{})", hatch_name(writer, look)),
    }
}

fn paint(marker: Marker, colour: Colour) -> String {
    let colour = hex(colour);
    if marker.is_outline() {
        format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"")
    } else {
        format!("fill=\"{colour}\" stroke=\"none\"")
    }
}

fn dashes(dash: Dash) -> &'static str {
    match dash {
        Dash::Solid => "",
        Dash::Dashed => " stroke-dasharray=\"8 4\"",
        Dash::Dotted => " stroke-dasharray=\"1.5 3\"",
        Dash::DashDotted => " stroke-dasharray=\"8 3 1.5 3\"",
        Dash::Short => " stroke-dasharray=\"4 3\"",
    }
}

/// The outline of a marker; all have about the same area.
fn outline(marker: Marker, (x, y): (f64, f64), size: f64) -> String {
    let at = |dx: f64, dy: f64| format!("{} {}", number(x + dx), number(y + dy));
    let by = number;
    match marker {
        Marker::Circle | Marker::Ring => {
            let (radius, across) = (by(size), by(2.0 * size));
            format!(
                "M{}a{radius} {radius} 0 1 0 {across} 0a{radius} {radius} 0 1 0 -{across} 0z",
                at(-size, 0.0)
            )
        }
        Marker::Square | Marker::Frame => {
            let (half, side) = (size * 0.9, by(size * 1.8));
            format!("M{}h{side}v{side}h-{side}z", at(-half, -half))
        }
        Marker::Triangle => {
            format!(
                "M{}l{} {}h-{}z",
                at(0.0, -size * 1.2),
                by(size * 1.15),
                by(size * 2.0),
                by(size * 2.3)
            )
        }
        Marker::TriangleDown => {
            format!(
                "M{}l{} -{}h-{}z",
                at(0.0, size * 1.2),
                by(size * 1.15),
                by(size * 2.0),
                by(size * 2.3)
            )
        }
        Marker::Diamond => {
            let side = by(size * 1.25);
            format!("M{}l{side} {side}l-{side} {side}l-{side} -{side}z", at(0.0, -size * 1.25))
        }
        Marker::Cross => {
            let side = by(size * 1.8);
            let half = size * 0.9;
            format!("M{}l{side} {side}M{}l-{side} {side}", at(-half, -half), at(half, -half))
        }
        Marker::Plus => {
            let side = by(size * 2.2);
            format!("M{}h{side}M{}v{side}", at(-size * 1.1, 0.0), at(0.0, -size * 1.1))
        }
    }
}
