//! Appearance of series: colour, marker, dash and hatching together.
//!
//! The colours are our own values, after the palette that Okabe and Ito proposed for readers
//! with colour vision deficiency. They differ in one thing: their lightness has a contrast of at least
//! 3:1 both on white and on a dark page, so that one picture serves for both. This leaves less distance
//! between colours, hence the markers, dashes and hatchings.

/// A colour of the sRGB space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    /// Red.
    pub red: u8,
    /// Green.
    pub green: u8,
    /// Blue.
    pub blue: u8,
}

/// The shape that stands for a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// A filled circle.
    Circle,
    /// A filled square.
    Square,
    /// A filled triangle, point up.
    Triangle,
    /// A filled diamond.
    Diamond,
    /// Two crossing lines, upright.
    Plus,
    /// Two crossing lines, diagonal.
    Cross,
    /// A filled triangle, point down.
    TriangleDown,
    /// A circle, not filled.
    Ring,
    /// A square, not filled.
    Frame,
}

/// How a line is interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dash {
    /// Not at all.
    Solid,
    /// Long dashes.
    Dashed,
    /// Dots.
    Dotted,
    /// Dashes and dots.
    DashDotted,
    /// Short dashes.
    Short,
}

/// How an area is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hatch {
    /// Evenly.
    Plain,
    /// Lines that rise to the right.
    Rising,
    /// Lines that fall to the right.
    Falling,
    /// Lines across.
    Horizontal,
    /// Upright lines.
    Vertical,
    /// Lines that rise and lines that fall.
    Crossed,
    /// Dots.
    Dotted,
    /// Lines across and upright ones.
    Grid,
}

/// What a series looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Its colour.
    pub colour: Colour,
    /// Its marker, for points.
    pub marker: Marker,
    /// Its dashes, for lines.
    pub dash: Dash,
    /// Its hatching, for areas.
    pub hatch: Hatch,
}

/// The colours by name, for series with a meaning of their own.
pub mod colours {
    use super::Colour;

    const fn rgb(red: u8, green: u8, blue: u8) -> Colour {
        Colour { red, green, blue }
    }

    /// Blue.
    pub const BLUE: Colour = rgb(0x2b, 0x79, 0xc8);
    /// Vermilion.
    pub const VERMILION: Colour = rgb(0xd4, 0x5b, 0x0c);
    /// Bluish green.
    pub const GREEN: Colour = rgb(0x10, 0x92, 0x70);
    /// Reddish purple.
    pub const PURPLE: Colour = rgb(0xbd, 0x5e, 0x9b);
    /// Ochre.
    pub const OCHRE: Colour = rgb(0xa8, 0x83, 0x0a);
    /// Sky blue.
    pub const SKY: Colour = rgb(0x25, 0x95, 0xbd);
    /// Grey.
    pub const GREY: Colour = rgb(0x82, 0x82, 0x82);
    /// Red, for what is wrong. Series by number never have it.
    pub const RED: Colour = rgb(0xdb, 0x22, 0x3a);
}

const COLOURS: [Colour; 7] = [
    colours::BLUE,
    colours::VERMILION,
    colours::GREEN,
    colours::PURPLE,
    colours::OCHRE,
    colours::SKY,
    colours::GREY,
];

impl Marker {
    /// All markers.
    pub const ALL: [Marker; 9] = [
        Marker::Circle,
        Marker::Square,
        Marker::Triangle,
        Marker::Diamond,
        Marker::Cross,
        Marker::TriangleDown,
        Marker::Ring,
        Marker::Plus,
        Marker::Frame,
    ];

    /// Whether it is drawn by its outline.
    pub(crate) fn is_outline(self) -> bool {
        matches!(self, Marker::Plus | Marker::Cross | Marker::Ring | Marker::Frame)
    }
}

impl Dash {
    /// All dashes.
    pub const ALL: [Dash; 5] =
        [Dash::Solid, Dash::Dashed, Dash::Dotted, Dash::DashDotted, Dash::Short];
}

impl Hatch {
    /// All hatchings.
    pub const ALL: [Hatch; 8] = [
        Hatch::Plain,
        Hatch::Rising,
        Hatch::Dotted,
        Hatch::Falling,
        Hatch::Horizontal,
        Hatch::Crossed,
        Hatch::Vertical,
        Hatch::Grid,
    ];
}

impl Look {
    /// What the series with this number looks like. Of the first 63 no two have the same colour
    /// and marker, of the first 56 no two the same colour and hatching, of the first 35 no two the
    /// same colour and dash: after each round of colours the others move on by one.
    pub fn nth(number: usize) -> Self {
        let (place, round) = (number % COLOURS.len(), number / COLOURS.len());
        Look {
            colour: COLOURS[place],
            marker: Marker::ALL[(place + round) % Marker::ALL.len()],
            dash: Dash::ALL[(place + round) % Dash::ALL.len()],
            hatch: Hatch::ALL[(place + round) % Hatch::ALL.len()],
        }
    }

    /// The same in another colour.
    pub fn in_colour(self, colour: Colour) -> Self {
        Look { colour, ..self }
    }

    /// The same with another marker.
    pub fn with_marker(self, marker: Marker) -> Self {
        Look { marker, ..self }
    }

    /// The same with another hatching.
    pub fn with_hatch(self, hatch: Hatch) -> Self {
        Look { hatch, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::{COLOURS, Colour, Look, colours};
    use std::collections::HashSet;

    fn linear(colour: Colour) -> [f64; 3] {
        [colour.red, colour.green, colour.blue].map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        })
    }

    /// The contrast of WCAG 2.
    fn contrast(left: Colour, right: Colour) -> f64 {
        let luminance = |colour| {
            let [red, green, blue] = linear(colour);
            0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
        };
        let (left, right) = (luminance(left), luminance(right));
        left.max(right) / left.min(right)
    }

    #[test]
    fn every_colour_stands_out_on_white_and_on_dark() {
        let white = Colour { red: 255, green: 255, blue: 255 };
        let dark = Colour { red: 0x16, green: 0x18, blue: 0x1c };
        for colour in COLOURS.into_iter().chain([colours::RED]) {
            assert!(contrast(colour, white) >= 3.0, "{colour:?} {}", contrast(colour, white));
            assert!(contrast(colour, dark) >= 3.0, "{colour:?} {}", contrast(colour, dark));
        }
    }

    #[test]
    fn no_two_of_many_series_look_the_same() {
        let pairs = |count: usize, pair: fn(Look) -> String| {
            (0..count).map(|number| pair(Look::nth(number))).collect::<HashSet<_>>().len()
        };
        assert_eq!(pairs(63, |look| format!("{:?}{:?}", look.colour, look.marker)), 63);
        assert_eq!(pairs(56, |look| format!("{:?}{:?}", look.colour, look.hatch)), 56);
        assert_eq!(pairs(35, |look| format!("{:?}{:?}", look.colour, look.dash)), 35);
        let whole = |look: Look| format!("{:?}{:?}{:?}", look.colour, look.marker, look.dash);
        assert_eq!(pairs(300, whole), 300);
    }
}
