//! Shapes and texts as SVG elements. All text from outside is escaped here by [`escape_xml`].

use crate::hatch;
use crate::palette::{Colour, Look};
use crate::plan::FONT_SIZE;
use crate::surface::{
    Anchor, Fill, Group, Outline, Paint, Segment, Shape, Stroke, Surface, Text, Tint,
};
use crate::text::{cut_to_length, escape_xml};

/// The text of an SVG, growing.
#[derive(Clone, Debug, Default)]
pub(super) struct SvgSurface {
    text: String,
    /// The width of the picture.
    width: u32,
    /// The colour of text and axes.
    ink: &'static str,
    /// What the open groups, the outermost first, say about their elements.
    groups: Vec<Option<Paint>>,
}

impl SvgSurface {
    /// Nothing yet, of a picture of this many pixels.
    pub fn new(width: u32, ink: &'static str) -> Self {
        Self { text: String::new(), width, ink, groups: Vec::new() }
    }

    /// Trusted markup.
    pub fn raw(&mut self, markup: &str) {
        self.text.push_str(markup);
    }

    /// An element with untrusted text.
    pub fn element(&mut self, name: &'static str, content: &str) {
        self.raw(&format!("<{name}>{}</{name}>\n", escape_xml(content)));
    }

    /// A hatching as a pattern. Its name says all about it and how wide the picture is, so that
    /// pictures on one page may define it twice, and one that is drawn for another width and not
    /// shown does not hide it.
    pub fn define_hatch(&mut self, look: Look) {
        let side = number(hatch::SIDE);
        let pattern = format!(
            "<pattern id=\"{}\" width=\"{side}\" height=\"{side}\" patternUnits=\"userSpaceOnUse\">\
             <rect width=\"{side}\" height=\"{side}\" fill=\"{}\"/>\
             <path d=\"{}\"{}/></pattern>\n",
            self.hatch_name(look),
            hex(look.colour),
            path_data(&hatch::lines(look.hatch)),
            self.paint(hatch::paint(look.hatch)),
        );
        self.raw(&pattern);
    }

    /// Everything that was written.
    pub fn finish(self) -> String {
        self.text
    }

    fn inherited(&self) -> Option<Paint> {
        self.groups.last().copied().flatten()
    }

    fn colour(&self, tint: Tint) -> String {
        match tint {
            Tint::Ink => self.ink.to_owned(),
            Tint::Of(colour) => hex(colour),
        }
    }

    fn hatch_name(&self, look: Look) -> String {
        let colour = hex(look.colour);
        format!("hatch-{}-{}-{:?}", self.width, &colour[1..], look.hatch).to_lowercase()
    }

    /// The attributes of a paint, each with a space before it.
    fn paint(&self, paint: Paint) -> String {
        let mut attributes = match paint.fill {
            Fill::None => " fill=\"none\"".to_owned(),
            Fill::Flat(tint, opacity) => {
                format!(" fill=\"{}\"{}", self.colour(tint), share("fill-opacity", opacity))
            }
            Fill::Hatched(look) => format!(" fill=\"url(#{})\"", self.hatch_name(look)),
        };
        match paint.stroke {
            Some(stroke) => attributes.push_str(&self.stroke(stroke)),
            None if self.inherited().is_some_and(|group| group.stroke.is_some()) => {
                attributes.push_str(" stroke=\"none\"");
            }
            None => {}
        }
        attributes
    }

    fn stroke(&self, stroke: Stroke) -> String {
        let mut attributes = format!(
            " stroke=\"{}\"{}",
            self.colour(stroke.tint),
            share("stroke-opacity", stroke.opacity)
        );
        if stroke.width != 1.0 {
            attributes.push_str(&format!(" stroke-width=\"{}\"", number(stroke.width)));
        }
        if stroke.has_round_joins {
            attributes.push_str(" stroke-linejoin=\"round\"");
        }
        if !stroke.dashes.is_empty() {
            let dashes: Vec<String> = stroke.dashes.iter().map(|&dash| number(dash)).collect();
            attributes.push_str(&format!(" stroke-dasharray=\"{}\"", dashes.join(" ")));
        }
        attributes
    }
}

impl Surface for SvgSurface {
    fn open_group(&mut self, group: &Group<'_>) {
        let class = class(group.class);
        let number = group.number.map(|(name, number)| format!(" {name}=\"{number}\""));
        let is_new = group.paint.is_some() && group.paint != self.inherited();
        let paint = group.paint.filter(|_| is_new).map(|paint| self.paint(paint));
        let (number, paint) = (number.unwrap_or_default(), paint.unwrap_or_default());
        self.raw(&format!("<g{class}{number}{paint}>\n"));
        self.groups.push(group.paint.or(self.inherited()));
    }

    fn close_group(&mut self) {
        self.groups.pop();
        self.raw("</g>\n");
    }

    fn shape(&mut self, shape: &Shape<'_>) {
        let (name, outline) = match shape.outline {
            Outline::Path(segments) => ("path", format!(" d=\"{}\"", path_data(segments))),
            Outline::Rectangle { left, top, width, height, rounding } => {
                let [x, y, width, height] = [*left, *top, *width, *height].map(number);
                let rounding = match *rounding {
                    0.0 => String::new(),
                    radius => format!(" rx=\"{}\"", number(radius)),
                };
                let place = format!(" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"");
                ("rect", place + &rounding)
            }
        };
        let is_inherited = self.inherited() == Some(shape.paint);
        let paint = if is_inherited { String::new() } else { self.paint(shape.paint) };
        let opening = format!("<{name}{}{outline}{paint}", class(shape.class));
        if let Some(link) = shape.link {
            self.raw(&format!("<a href=\"{}\">", escape_xml(link)));
        }
        match shape.tip {
            Some(tip) => {
                self.raw(&format!("{opening}><title>{}</title></{name}>", escape_xml(tip)));
            }
            None => self.raw(&format!("{opening}/>")),
        }
        self.raw(if shape.link.is_some() { "</a>\n" } else { "\n" });
    }

    fn text(&mut self, text: &Text<'_>) {
        let Text { shown, full, turn, .. } = *text;
        if shown.is_empty() {
            return;
        }
        let (x, y) = (number(text.at.0), number(text.at.1));
        let mut attributes = match text.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        }
        .to_owned();
        attributes.push_str(&class(text.class));
        if text.size != FONT_SIZE {
            attributes.push_str(&format!(" font-size=\"{}\"", number(text.size)));
        }
        if text.is_bold {
            attributes.push_str(" font-weight=\"bold\"");
        }
        let paint = Paint::filled(text.tint);
        if self.inherited() != Some(paint) {
            attributes.push_str(&self.paint(paint));
        }
        if turn != 0.0 {
            attributes.push_str(&format!(" transform=\"rotate({} {x} {y})\"", number(turn)));
        }
        let shown_is_cut = full.is_some_and(|full| shown.ends_with('…') && full != shown);
        let title = full
            .filter(|_| shown_is_cut)
            .map(|full| format!("<title>{}</title>", escape_xml(&cut_to_length(full, 300))));
        self.raw(&format!(
            "<text x=\"{x}\" y=\"{y}\"{attributes}>{}{}</text>\n",
            title.unwrap_or_default(),
            escape_xml(shown)
        ));
    }
}

fn class(class: Option<&str>) -> String {
    class.map(|class| format!(" class=\"{class}\"")).unwrap_or_default()
}

/// An attribute of something between 0 and 1; what is 1 need not be said.
fn share(name: &str, value: f64) -> String {
    if value == 1.0 { String::new() } else { format!(" {name}=\"{value}\"") }
}

fn path_data(segments: &[Segment]) -> String {
    let mut data = String::new();
    for segment in segments {
        data.push_str(&match *segment {
            Segment::Move(x, y) => format!("M{} {}", number(x), number(y)),
            Segment::Line(x, y) => format!("L{} {}", number(x), number(y)),
            Segment::Across(x) => format!("H{}", number(x)),
            Segment::Up(y) => format!("V{}", number(y)),
            Segment::By(dx, dy) => format!("l{} {}", number(dx), number(dy)),
            Segment::AcrossBy(dx) => format!("h{}", number(dx)),
            Segment::UpBy(dy) => format!("v{}", number(dy)),
            Segment::Circle(radius) => {
                let (radius, across) = (number(radius), number(2.0 * radius));
                format!("a{radius} {radius} 0 1 0 {across} 0a{radius} {radius} 0 1 0 -{across} 0z")
            }
            Segment::Close => "z".to_owned(),
        });
    }
    data
}

fn hex(colour: Colour) -> String {
    let Colour { red, green, blue } = colour;
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// A coordinate with one decimal at most; finer than a tenth of a pixel is not visible.
pub(super) fn number(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    let (sign, tenths) = (if tenths < 0 { "-" } else { "" }, tenths.unsigned_abs());
    match tenths % 10 {
        0 => format!("{sign}{}", tenths / 10),
        rest => format!("{sign}{}.{rest}", tenths / 10),
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn coordinates_are_short() {
        for (value, text) in [(12.0, "12"), (0.04, "0"), (-0.26, "-0.3"), (7.96, "8"), (-0.01, "0")]
        {
            assert_eq!(number(value), text);
        }
    }
}
