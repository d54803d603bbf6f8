//! Shapes and texts as pixels, drawn by `tiny-skia`.

use tiny_skia::{
    Color, FillRule, FilterQuality, LineJoin, Paint as Shading, Path, PathBuilder, Pattern, Pixmap,
    Rect, Shader, SpreadMode, Stroke as Pen, StrokeDash, Transform,
};

use super::font;
use crate::hatch;
use crate::palette::{Colour, Look};
use crate::surface::{
    Anchor, Fill, Group, Outline, Paint, Segment, Shape, Stroke, Surface, Text, Tint,
};

/// The colour of text and axes.
const INK: Colour = Colour { red: 0x22, green: 0x22, blue: 0x22 };

/// How far the control points of a cubic curve are from its ends, by the radius, so that the curve
/// is a quarter of a circle.
const QUARTER: f64 = 0.552_284_749_8;

/// A picture of pixels.
pub(super) struct PixelSurface {
    pixmap: Pixmap,
    /// From coordinates of the drawing to pixels.
    transform: Transform,
}

impl PixelSurface {
    /// Draws on this picture, in coordinates of which so many pixels make one.
    pub fn new(pixmap: Pixmap, (across, down): (f64, f64)) -> Self {
        Self { pixmap, transform: Transform::from_scale(across as f32, down as f32) }
    }

    /// The picture.
    pub fn finish(self) -> Pixmap {
        self.pixmap
    }

    fn draw(&mut self, path: &Path, paint: Paint) {
        match paint.fill {
            Fill::None => {}
            Fill::Flat(tint, opacity) => self.fill(path, &flat(tint, opacity)),
            Fill::Hatched(look) => self.fill_hatched(path, look),
        }
        if let Some(stroke) = paint.stroke {
            let shading = flat(stroke.tint, stroke.opacity);
            self.pixmap.stroke_path(path, &shading, &pen(stroke), self.transform, None);
        }
    }

    fn fill(&mut self, path: &Path, shading: &Shading<'_>) {
        self.pixmap.fill_path(path, shading, FillRule::Winding, self.transform, None);
    }

    fn fill_hatched(&mut self, path: &Path, look: Look) {
        let Some(tile) = self.tile(look) else {
            // Without memory for a few pixels, what is not hatched is better than nothing.
            return self.fill(path, &flat(Tint::Of(look.colour), 1.0));
        };
        let across = hatch::SIDE as f32 / tile.width() as f32;
        let down = hatch::SIDE as f32 / tile.height() as f32;
        let shader = Pattern::new(
            tile.as_ref(),
            SpreadMode::Repeat,
            FilterQuality::Bicubic,
            1.0,
            Transform::from_scale(across, down),
        );
        self.fill(path, &Shading { shader, ..Shading::default() });
    }

    /// A tile of a hatching, in whole pixels of about the right size.
    fn tile(&self, look: Look) -> Option<Pixmap> {
        let pixels = |scale: f32| ((hatch::SIDE as f32 * scale).round() as u32).max(1);
        let (width, height) = (pixels(self.transform.sx), pixels(self.transform.sy));
        let mut tile = Pixmap::new(width, height)?;
        tile.fill(colour(Tint::Of(look.colour), 1.0));
        let scales = (f64::from(width) / hatch::SIDE, f64::from(height) / hatch::SIDE);
        let mut surface = PixelSurface::new(tile, scales);
        if let Some(lines) = path_of(&hatch::lines(look.hatch)) {
            surface.draw(&lines, hatch::paint(look.hatch));
        }
        Some(surface.finish())
    }
}

impl Surface for PixelSurface {
    fn open_group(&mut self, _: &Group<'_>) {}

    fn close_group(&mut self) {}

    fn shape(&mut self, shape: &Shape<'_>) {
        let path = match shape.outline {
            Outline::Path(segments) => path_of(segments),
            Outline::Rectangle { left, top, width, height, rounding: 0.0 } => {
                let [left, top, width, height] = [*left, *top, *width, *height].map(|v| v as f32);
                Rect::from_xywh(left, top, width, height).map(PathBuilder::from_rect)
            }
            Outline::Rectangle { left, top, width, height, rounding } => {
                rounded(*left, *top, *width, *height, *rounding)
            }
        };
        // A path without length or area shows nothing.
        if let Some(path) = path {
            self.draw(&path, shape.paint);
        }
    }

    fn text(&mut self, text: &Text<'_>) {
        let font = font::get(text.is_bold);
        let width = font.width(text.shown, text.size);
        let start = match text.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -width / 2.0,
            Anchor::End => -width,
        };
        let Some(path) = font.path(text.shown, text.size) else { return };
        let (x, y) = (text.at.0 as f32, text.at.1 as f32);
        let turned = Transform::from_rotate_at(text.turn as f32, x, y);
        let placed = turned.pre_translate(x + start as f32, y);
        if let Some(path) = path.transform(placed) {
            self.fill(&path, &flat(text.tint, 1.0));
        }
    }
}

fn colour(tint: Tint, opacity: f64) -> Color {
    let Colour { red, green, blue } = match tint {
        Tint::Ink => INK,
        Tint::Of(colour) => colour,
    };
    Color::from_rgba8(red, green, blue, (opacity * 255.0).round() as u8)
}

fn flat(tint: Tint, opacity: f64) -> Shading<'static> {
    let shader = Shader::SolidColor(colour(tint, opacity));
    Shading { shader, anti_alias: true, ..Shading::default() }
}

fn pen(stroke: Stroke) -> Pen {
    let dashes = stroke.dashes.iter().map(|&dash| dash as f32).collect();
    Pen {
        width: stroke.width as f32,
        line_join: if stroke.has_round_joins { LineJoin::Round } else { LineJoin::Miter },
        dash: StrokeDash::new(dashes, 0.0),
        ..Pen::default()
    }
}

/// The path of these segments; none if it has neither length nor area.
fn path_of(segments: &[Segment]) -> Option<Path> {
    let mut builder = PathBuilder::new();
    let (mut x, mut y) = (0.0, 0.0);
    for segment in segments {
        match *segment {
            Segment::Move(to_x, to_y) => {
                (x, y) = (to_x, to_y);
                builder.move_to(x as f32, y as f32);
                continue;
            }
            Segment::Circle(radius) => {
                circle(&mut builder, (x + radius, y), radius);
                continue;
            }
            Segment::Close => {
                builder.close();
                continue;
            }
            Segment::Line(to_x, to_y) => (x, y) = (to_x, to_y),
            Segment::Across(to_x) => x = to_x,
            Segment::Up(to_y) => y = to_y,
            Segment::By(dx, dy) => (x, y) = (x + dx, y + dy),
            Segment::AcrossBy(dx) => x += dx,
            Segment::UpBy(dy) => y += dy,
        }
        builder.line_to(x as f32, y as f32);
    }
    builder.finish()
}

/// A circle whose leftmost point was reached already, in four curves.
fn circle(builder: &mut PathBuilder, (x, y): (f64, f64), radius: f64) {
    let (r, c) = (radius, radius * QUARTER);
    let curves = [
        [(-r, -c), (-c, -r), (0.0, -r)],
        [(c, -r), (r, -c), (r, 0.0)],
        [(r, c), (c, r), (0.0, r)],
        [(-c, r), (-r, c), (-r, 0.0)],
    ];
    for curve in curves {
        let [first, second, end] = curve.map(|(dx, dy)| ((x + dx) as f32, (y + dy) as f32));
        builder.cubic_to(first.0, first.1, second.0, second.1, end.0, end.1);
    }
    builder.close();
}

/// A rectangle whose corners are quarters of a circle.
fn rounded(left: f64, top: f64, width: f64, height: f64, radius: f64) -> Option<Path> {
    let radius = radius.min(width / 2.0).min(height / 2.0);
    let (right, bottom) = (left + width, top + height);
    let mut builder = PathBuilder::new();
    let place = |(x, y): (f64, f64)| (x as f32, y as f32);
    // Each corner with the directions from which its curve comes and in which it leaves.
    let corners = [
        ((right, top), (-1.0, 0.0), (0.0, 1.0)),
        ((right, bottom), (0.0, -1.0), (-1.0, 0.0)),
        ((left, bottom), (1.0, 0.0), (0.0, -1.0)),
        ((left, top), (0.0, 1.0), (1.0, 0.0)),
    ];
    let (x, y) = place((left + radius, top));
    builder.move_to(x, y);
    for ((x, y), before, after) in corners {
        let by = |(dx, dy): (f64, f64), length: f64| place((x + dx * length, y + dy * length));
        let control = radius * (1.0 - QUARTER);
        let (start, end) = (by(before, radius), by(after, radius));
        let (first, second) = (by(before, control), by(after, control));
        builder.line_to(start.0, start.1);
        builder.cubic_to(first.0, first.1, second.0, second.1, end.0, end.1);
    }
    builder.close();
    builder.finish()
}
