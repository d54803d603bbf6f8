//! Layout of lines, points, bars and guides, in coordinates of the axes, thinned to a budget of bytes.

use super::{AxisPlan, Dot, Item, MAX_TIP_LENGTH, PointNotes};
use crate::link;
use crate::model::{Bars, Chart, Guide, Histogram, Kind, Line, PointGroup, Shape, Stacking};
use crate::notes::Note;
use crate::palette::Look;
use crate::text::{cut_to_length, escaped_length};
use crate::thin;
use crate::ticks::number_label;

/// What all points of a chart may cost, in bytes of SVG.
const BUDGET_FOR_POINTS: usize = 600_000;
/// The cost of a point without a note: it bounds the number of points, because drawing more takes
/// long and shows nothing new.
const COST_WITHOUT_NOTE: usize = 200;
/// How many vertices all lines of a chart may have.
const VERTICES: usize = 24_000;
/// How many vertices a line may have before it is thinned.
const VERTICES_OF_LINE: usize = 2_000;
/// How much of its slot a group of bars fills.
const FILLED: f64 = 0.76;

/// Everything that is drawn on a plot of this many pixels, in the order in which it is drawn.
pub(super) fn plan(
    chart: &Chart,
    x: &AxisPlan,
    y: &AxisPlan,
    pixels: (f64, f64),
    notes: PointNotes,
) -> Vec<Item> {
    let plot = Plot { x, y, pixels };
    match &chart.kind {
        Kind::Lines { series, shape } => lines(series, *shape, &plot),
        Kind::Points { groups, guides } => {
            let mut items: Vec<Item> =
                guides.iter().filter_map(|guide| guide_line(guide, &plot)).collect();
            items.extend(points(groups, &plot, notes));
            items
        }
        Kind::Stacked { series, stacking } => stacked(series, *stacking, chart.y.names(), &plot),
        Kind::Grouped { series } => {
            let rows = chart.y.names().len() as f64;
            side_by_side(series, chart.y.names(), |column, low, high, value| {
                let top = rows - column as f64;
                ((0.0, top - high), (value, top - low))
            })
        }
        Kind::Histogram(histogram) => bins(histogram),
        Kind::Timeline { series } => timeline(series, chart.x.names(), &plot),
    }
}

struct Plot<'a> {
    x: &'a AxisPlan,
    y: &'a AxisPlan,
    pixels: (f64, f64),
}

impl Plot<'_> {
    fn pixel(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let (width, height) = self.pixels;
        (self.x.range.place(x) * width, self.y.range.place(y) * height)
    }

    fn clamp(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.x.range.clamp(x), self.y.range.clamp(y))
    }
}

fn look(number: usize, chosen: Option<Look>) -> Look {
    chosen.unwrap_or_else(|| Look::nth(number))
}

fn lines(series: &[Line], shape: Shape, plot: &Plot) -> Vec<Item> {
    let most = (VERTICES / series.len().max(1)).clamp(50, VERTICES_OF_LINE);
    let mut items = Vec::new();
    for (number, line) in series.iter().enumerate() {
        let look = look(number, line.look);
        let places: Vec<(f64, f64)> = line.points.iter().map(|&p| plot.pixel(p)).collect();
        let kept = thin::line(&places, most);
        let dots = marked(&places, &kept, number).into_iter().map(|index| Dot {
            at: plot.clamp(line.points[index]),
            marker: look.marker,
            count: 1,
            tip: None,
            link: None,
        });
        let dots = dots.collect();
        let points = kept.iter().map(|&index| plot.clamp(line.points[index])).collect();
        let (is_step, name) = (shape == Shape::Steps, line.name.clone());
        items.push(Item::Line { points, is_step, look, name: name.clone(), series: number });
        items.push(Item::Dots { dots, look, name, series: number });
    }
    items
}

/// Which vertices of a line have a marker: one every 90 pixels or so, not more than about sixteen,
/// at other places for each line, so that markers of lines that run together can be seen side by side.
fn marked(places: &[(f64, f64)], kept: &[usize], number: usize) -> Vec<usize> {
    let distance = |from: usize, to: usize| {
        let ((x, y), (other_x, other_y)) = (places[from], places[to]);
        (x - other_x).abs() + (y - other_y).abs()
    };
    let whole: f64 = kept.windows(2).map(|pair| distance(pair[0], pair[1])).sum();
    let apart = (whole / 16.0).max(90.0);
    let mut due = apart * (0.2 + 0.6 * ((number as f64 * 0.381_966) % 1.0));
    let mut length = 0.0;
    let mut marked = Vec::new();
    for pair in kept.windows(2) {
        length += distance(pair[0], pair[1]);
        if length >= due {
            marked.push(pair[1]);
            due = length + apart;
        }
    }
    if marked.is_empty() {
        marked.extend(kept.last());
    }
    marked
}

fn guide_line(guide: &Guide, plot: &Plot) -> Option<Item> {
    let (x, y) = (plot.x.range, plot.y.range);
    let (from, to, label) = match guide {
        Guide::Vertical(at, label) => ((x.clamp(*at), y.low), (x.clamp(*at), y.high), label),
        Guide::Horizontal(at, label) => ((x.low, y.clamp(*at)), (x.high, y.clamp(*at)), label),
        Guide::Factor(factor, label) => {
            if *factor <= 0.0 {
                return None;
            }
            let (start, end) = (x.low.max(y.low / factor), x.high.min(y.high / factor));
            if start >= end {
                return None;
            }
            ((start, y.clamp(start * factor)), (end, y.clamp(end * factor)), label)
        }
    };
    Some(Item::Guide { from, to, label: label.clone() })
}

fn points(groups: &[PointGroup], plot: &Plot, notes: PointNotes) -> Vec<Item> {
    // The number of the group and the index in it.
    let all: Vec<(usize, usize)> = groups
        .iter()
        .enumerate()
        .flat_map(|(group, of)| (0..of.points.len()).map(move |index| (group, index)))
        .collect();
    let places: Vec<(usize, (f64, f64))> = all
        .iter()
        .map(|&(group, index)| {
            let point = groups[group].points[index];
            // Points with another marker are another group to the eye.
            let marker = point.marker.map_or(0, |marker| marker as usize + 1);
            (group * 16 + marker, plot.pixel((point.x, point.y)))
        })
        .collect();
    let note = |index: usize| match notes {
        PointNotes::Included => {
            let (group, index) = all[index];
            usable(groups[group].notes.about(index))
        }
        PointNotes::Omitted => Note::default(),
    };
    let cost = |note: &Note| {
        let length =
            |text: &Option<String>| text.as_deref().map_or(0, |text| escaped_length(text) + 20);
        let own = if notes == PointNotes::Included { 100 } else { COST_WITHOUT_NOTE };
        own + length(&note.tooltip) + length(&note.link)
    };
    let kept = thin::to_budget(&places, note, cost, BUDGET_FOR_POINTS);
    let mut items: Vec<Item> = groups
        .iter()
        .enumerate()
        .map(|(number, group)| {
            let look = look(number, group.look);
            Item::Dots { dots: Vec::new(), look, name: group.name.clone(), series: number }
        })
        .collect();
    for (thin::Representative { index, count }, note) in kept {
        let (group, index) = all[index];
        let point = groups[group].points[index];
        let Item::Dots { dots, look, .. } = &mut items[group] else { continue };
        dots.push(Dot {
            at: plot.clamp((point.x, point.y)),
            marker: point.marker.unwrap_or(look.marker),
            count,
            tip: note.tooltip,
            link: note.link,
        });
    }
    items
}

/// What of a note is written. A link that is longer than any address of ours is not worth the bytes.
fn usable(note: Note) -> Note {
    let is_usable = |link: &String| link.len() <= 2_000 && link::safe(link).is_some();
    Note {
        link: note.link.filter(is_usable),
        tooltip: note.tooltip.map(|tip| cut_to_length(&tip, MAX_TIP_LENGTH).into_owned()),
    }
}

/// A piece that is too thin to be seen is drawn with three pixels, over its neighbours: one wrong
/// answer among thousands must not vanish.
fn stacked(series: &[Bars], stacking: Stacking, names: &[String], plot: &Plot) -> Vec<Item> {
    let (mut items, mut thin_items) = (Vec::new(), Vec::new());
    let high = plot.x.range.high;
    let visible = high * 3.0 / plot.pixels.0;
    for (row, category) in names.iter().enumerate() {
        let total: f64 = series.iter().filter_map(|bars| bars.cells[row].value).sum();
        let middle = names.len() as f64 - 0.5 - row as f64;
        let mut begin: f64 = 0.0;
        for (number, bars) in series.iter().enumerate() {
            let cell = &bars.cells[row];
            let Some(value) = cell.value.filter(|value| *value > 0.0) else { continue };
            let share = 100.0 * value / total;
            let length = if stacking == Stacking::Shares { share } else { value };
            let note = cell.note.as_ref().map(|note| format!(", {note}")).unwrap_or_default();
            let note = format!("{share:.1} %{note}");
            let drawn_begin = if length < visible { begin.min(high - visible) } else { begin };
            let list = if length < visible { &mut thin_items } else { &mut items };
            list.push(Item::Bar {
                from: (drawn_begin, middle - FILLED / 2.0),
                to: (drawn_begin + length.max(visible), middle + FILLED / 2.0),
                look: look(number, bars.look),
                tip: tip_of(category, &bars.name, value, Some(&note)),
                label: number_label(value),
                series: number,
            });
            begin += length;
        }
    }
    items.extend(thin_items);
    items
}

/// Bars side by side within the slot of their category: `place` gives both corners, from the
/// number of the category, the beginning and end within it, and the value.
fn side_by_side(
    series: &[Bars],
    names: &[String],
    place: impl Fn(usize, f64, f64, f64) -> ((f64, f64), (f64, f64)),
) -> Vec<Item> {
    let mut items = Vec::new();
    let thickness = FILLED / series.len().max(1) as f64;
    for (column, category) in names.iter().enumerate() {
        for (number, bars) in series.iter().enumerate() {
            let cell = &bars.cells[column];
            let Some(value) = cell.value else { continue };
            let low = (1.0 - FILLED) / 2.0 + thickness * number as f64;
            let (from, to) = place(column, low, low + thickness, value);
            items.push(Item::Bar {
                from,
                to,
                look: look(number, bars.look),
                tip: tip_of(category, &bars.name, value, cell.note.as_deref()),
                label: String::new(),
                series: number,
            });
        }
    }
    items
}

fn bins(histogram: &Histogram) -> Vec<Item> {
    let Histogram { edges, extras, first_is_open, series } = histogram;
    let bins = edges.len() - 1;
    let mut names: Vec<String> = edges
        .windows(2)
        .map(|e| format!("{} – {}", number_label(e[0]), number_label(e[1])))
        .collect();
    if *first_is_open && let Some(first) = names.first_mut() {
        *first = format!("≤ {}", number_label(edges[1]));
    }
    names.extend(extras.iter().cloned());
    side_by_side(series, &names, |column, low, high, value| {
        let left = column as f64 + if column < bins { 0.0 } else { 0.5 };
        ((left + low, 0.0), (left + high, value))
    })
}

fn timeline(series: &[Bars], names: &[String], plot: &Plot) -> Vec<Item> {
    let mut items = Vec::new();
    for (number, bars) in series.iter().enumerate() {
        let look = look(number, bars.look);
        let mut dots = Vec::new();
        let mut piece: Vec<(f64, f64)> = Vec::new();
        for (column, (cell, category)) in bars.cells.iter().zip(names).enumerate() {
            let Some(value) = cell.value else {
                finish_piece(&mut items, &mut piece, (number, look), &bars.name);
                continue;
            };
            let at = plot.clamp((column as f64 + 0.5, value));
            piece.push(at);
            let tip = tip_of(category, &bars.name, value, cell.note.as_deref());
            dots.push(Dot { at, marker: look.marker, count: 1, tip: Some(tip), link: None });
        }
        finish_piece(&mut items, &mut piece, (number, look), &bars.name);
        items.push(Item::Dots { dots, look, name: bars.name.clone(), series: number });
    }
    items
}

fn finish_piece(
    items: &mut Vec<Item>,
    piece: &mut Vec<(f64, f64)>,
    (series, look): (usize, Look),
    name: &str,
) {
    let points = std::mem::take(piece);
    if points.len() > 1 {
        items.push(Item::Line { points, is_step: false, look, name: name.to_owned(), series });
    }
}

fn tip_of(category: &str, series: &str, value: f64, note: Option<&str>) -> String {
    let note = note.map(|note| format!(" ({note})")).unwrap_or_default();
    // Names may be long; the number is what the reader wants.
    let (category, series) = (cut_to_length(category, 60), cut_to_length(series, 60));
    let tip = format!("{category}: {series} {}{note}", number_label(value));
    cut_to_length(&tip, MAX_TIP_LENGTH).into_owned()
}
