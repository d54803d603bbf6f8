//! The letters of pictures: outlines of DejaVu Sans, which is part of the program.
//!
//! A text is a row of glyphs, one for each character, in the order in which it is written, with the
//! kerning of the font. There is no shaping: right-to-left scripts are not reordered, letters are
//! not joined, and marks have the place that the font gives them. What the font lacks is a box.

use std::sync::OnceLock;

use tiny_skia::{Path, PathBuilder};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// A face of the font.
pub(super) struct Font {
    /// None only if the embedded font were damaged, which a test rules out.
    face: Option<Face<'static>>,
}

/// The font, bold or not.
pub(super) fn get(is_bold: bool) -> &'static Font {
    static REGULAR: OnceLock<Font> = OnceLock::new();
    static BOLD: OnceLock<Font> = OnceLock::new();
    let read = |data: &'static [u8]| Font { face: Face::parse(data, 0).ok() };
    if is_bold {
        BOLD.get_or_init(|| read(dejavu::sans::bold()))
    } else {
        REGULAR.get_or_init(|| read(dejavu::sans::regular()))
    }
}

impl Font {
    /// How wide a text is with letters of this size.
    pub fn width(&self, text: &str, size: f64) -> f64 {
        let Some(face) = &self.face else { return 0.0 };
        let mut width = 0.0;
        lay_out(face, text, |_, _, end| width = end);
        width * size / f64::from(face.units_per_em())
    }

    /// The outlines of a text whose base line begins at the origin; none if it shows nothing.
    pub fn path(&self, text: &str, size: f64) -> Option<Path> {
        let face = self.face.as_ref()?;
        let scale = (size / f64::from(face.units_per_em())) as f32;
        let mut outlines = Outlines { builder: PathBuilder::new(), scale, left: 0.0 };
        lay_out(face, text, |glyph, start, _| {
            outlines.left = start as f32 * scale;
            // A space has no outline.
            face.outline_glyph(glyph, &mut outlines);
        });
        outlines.builder.finish()
    }
}

/// Calls `place` for each glyph with its start and its end, in units of the font.
fn lay_out(face: &Face<'_>, text: &str, mut place: impl FnMut(GlyphId, f64, f64)) {
    let mut at = 0.0;
    let mut last = None;
    for c in text.chars() {
        // Glyph 0 is the box for what a font lacks.
        let glyph = face.glyph_index(c).unwrap_or(GlyphId(0));
        if let Some(last) = last {
            at += kerning(face, last, glyph);
        }
        let end = at + f64::from(face.glyph_hor_advance(glyph).unwrap_or(0));
        place(glyph, at, end);
        (at, last) = (end, Some(glyph));
    }
}

/// By how much two letters are moved towards each other or apart.
fn kerning(face: &Face<'_>, left: GlyphId, right: GlyphId) -> f64 {
    let Some(kern) = face.tables().kern else { return 0.0 };
    let tables = kern.subtables.into_iter();
    let mut pairs = tables.filter(|table| table.horizontal && !table.has_cross_stream);
    f64::from(pairs.find_map(|table| table.glyphs_kerning(left, right)).unwrap_or(0))
}

/// Outlines of glyphs, moved to their place and turned over: in fonts y points up.
struct Outlines {
    builder: PathBuilder,
    scale: f32,
    left: f32,
}

impl Outlines {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.left + x * self.scale, -y * self.scale)
    }
}

impl OutlineBuilder for Outlines {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.builder.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.builder.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.builder.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.builder.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.builder.close();
    }
}

#[cfg(test)]
mod tests {
    use super::get;

    #[test]
    fn both_faces_have_the_letters_of_names() {
        for font in [get(false), get(true)] {
            let face = font.face.as_ref().unwrap();
            for c in (' '..='~').chain("äöüßéñŁœ…×≤≥−→∞∀∈µλΣЖя".chars())
            {
                let glyph = face.glyph_index(c).filter(|glyph| glyph.0 != 0);
                assert!(glyph.is_some(), "{c}");
            }
        }
    }

    #[test]
    fn every_character_has_a_shape_and_a_space_has_none() {
        let font = get(false);
        for text in ["a", "ä", "漢", "\u{FFFD}", "\u{10FFFF}"] {
            let bounds = font.path(text, 10.0).unwrap().bounds();
            assert!(bounds.width() > 0.0 && bounds.height() > 0.0, "{text}");
            assert!(f64::from(bounds.right()) <= font.width(text, 10.0) + 1.0, "{text}");
        }
        assert!(font.path(" ", 10.0).is_none());
        assert!(font.path("", 10.0).is_none());
    }

    #[test]
    fn widths_grow_with_letters_and_kerning_brings_some_together() {
        let font = get(false);
        let width = |text: &str| font.width(text, 100.0);
        assert!((width("0") - 63.6).abs() < 0.1, "{}", width("0"));
        assert!(width("iii") < width("mmm") && width("m") < get(true).width("m", 100.0));
        assert!(width("AV") < width("A") + width("V"));
    }
}
