//! SVG writer.
//!
//! No script, no style sheet, no `style` attribute and no external resource, because the content
//! security policy of a page may forbid all of these. Text and axes use `currentColor` on pages, so
//! that they follow its light or dark theme; every part has a class that a style sheet may address. On
//! pages every series and its entry in the legend have the same number (`data-series`), so that a
//! script can hide it.

mod surface;

use crate::draw::{Drawing, SeriesNumbers};
use crate::model::{Chart, Size};
use crate::palette::{Hatch, Look};
use crate::plan::{FONT_SIZE, Item, Plan, PointNotes, Swatch};
use crate::text::cut_to_length;
use surface::{SvgSurface, number};

/// What the picture is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Part of a page, whose colours it takes for text and axes. No background.
    Page,
    /// A file of its own, on white.
    Standalone,
}

/// The chart as an SVG element, with an XML declaration if it stands alone.
pub fn to_svg(chart: &Chart, size: Size, variant: Variant) -> String {
    let drawing = Drawing::new(chart, size, PointNotes::Included);
    let (ink, numbers) = match variant {
        Variant::Page => ("currentColor", SeriesNumbers::Included),
        Variant::Standalone => ("#222222", SeriesNumbers::Omitted),
    };
    let mut surface = SvgSurface::new(size.width, ink);
    open(&mut surface, chart, size, &drawing.plan, variant);
    drawing.draw_on(&mut surface, numbers);
    surface.raw("</svg>\n");
    surface.finish()
}

/// What comes before everything that is drawn.
fn open(surface: &mut SvgSurface, chart: &Chart, size: Size, plan: &Plan, variant: Variant) {
    let Size { width, height } = size;
    // What is inside an image is not read out, and links must be.
    let has_links = plan.items.iter().any(|item| match item {
        Item::Dots { dots, .. } => dots.iter().any(|dot| dot.link.is_some()),
        _ => false,
    });
    let role = if has_links { "group" } else { "img" };
    if variant == Variant::Standalone {
        surface.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    }
    surface.raw(&format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"{role}\" \
         width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"{}\">\n",
        number(FONT_SIZE)
    ));
    surface.element("title", &cut_to_length(&chart.title, 500));
    surface.element("desc", &cut_to_length(&chart.description, 4_000));
    let hatched = hatched_looks(plan);
    if !hatched.is_empty() {
        surface.raw("<defs>\n");
        for look in hatched {
            surface.define_hatch(look);
        }
        surface.raw("</defs>\n");
    }
    if variant == Variant::Standalone {
        surface.raw(&format!(
            "<rect class=\"chart-background\" width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
        ));
    }
}

/// The hatchings in use, each once, in the order of their use.
fn hatched_looks(plan: &Plan) -> Vec<Look> {
    let mut found: Vec<Look> = Vec::new();
    let entries = plan.legend.iter().filter(|entry| entry.swatch == Swatch::Area);
    let bars = plan.items.iter().filter_map(|item| match item {
        Item::Bar { look, .. } => Some(*look),
        _ => None,
    });
    for look in entries.map(|entry| entry.look).chain(bars) {
        let is_known = found.iter().any(|old| (old.colour, old.hatch) == (look.colour, look.hatch));
        if look.hatch != Hatch::Plain && !is_known {
            found.push(look);
        }
    }
    found
}
