//! Hatchings: tiles of light lines on the colour of a series.

use crate::palette::{Colour, Hatch};
use crate::surface::{Paint, Segment, Stroke, Tint};

/// The side of a tile, in pixels.
pub(crate) const SIDE: f64 = 8.0;

const WHITE: Colour = Colour { red: 0xff, green: 0xff, blue: 0xff };

/// The lines of a tile. They reach beyond it where they go on in the next.
pub(crate) fn lines(hatch: Hatch) -> Vec<Segment> {
    use Segment::{Across, AcrossBy, Line, Move, Up};
    match hatch {
        Hatch::Plain => Vec::new(),
        Hatch::Rising => vec![
            Move(-2.0, 2.0),
            Line(2.0, -2.0),
            Move(0.0, 8.0),
            Line(8.0, 0.0),
            Move(6.0, 10.0),
            Line(10.0, 6.0),
        ],
        Hatch::Falling => vec![
            Move(-2.0, 6.0),
            Line(2.0, 10.0),
            Move(0.0, 0.0),
            Line(8.0, 8.0),
            Move(6.0, -2.0),
            Line(10.0, 2.0),
        ],
        Hatch::Horizontal => vec![Move(0.0, 2.0), Across(8.0), Move(0.0, 6.0), Across(8.0)],
        Hatch::Vertical => vec![Move(2.0, 0.0), Up(8.0), Move(6.0, 0.0), Up(8.0)],
        Hatch::Crossed => vec![Move(0.0, 0.0), Line(8.0, 8.0), Move(0.0, 8.0), Line(8.0, 0.0)],
        Hatch::Dotted => vec![Move(1.0, 2.0), AcrossBy(2.0), Move(5.0, 6.0), AcrossBy(2.0)],
        Hatch::Grid => vec![Move(0.0, 4.0), Across(8.0), Move(4.0, 0.0), Up(8.0)],
    }
}

/// How these lines are drawn.
pub(crate) fn paint(hatch: Hatch) -> Paint {
    let width = if hatch == Hatch::Dotted { 2.0 } else { 1.2 };
    Paint::line(Stroke { opacity: 0.75, ..Stroke::new(Tint::Of(WHITE), width) })
}
