//! What a chart is drawn on: shapes and texts at places, in pixels from the upper left corner.
//!
//! `draw` lays a chart out once as calls of [`Surface`]; SVG writes each call as an element, PNG
//! fills pixels. So both show the same picture. Classes, tooltips and links are for SVG alone.

use crate::palette::{Colour, Look};

/// Takes what is drawn, in the order in which it covers what came before.
pub(crate) trait Surface {
    /// What follows belongs together, up to [`Surface::close_group`].
    fn open_group(&mut self, group: &Group<'_>);

    /// Ends the group that was opened last.
    fn close_group(&mut self);

    /// An area, a line, or both.
    fn shape(&mut self, shape: &Shape<'_>);

    /// A line of text.
    fn text(&mut self, text: &Text<'_>);
}

/// Elements that belong together.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Group<'a> {
    pub class: Option<&'a str>,
    /// A number for scripts of a page: the name of its attribute, and itself.
    pub number: Option<(&'static str, usize)>,
    /// What its elements look like; an element that says the same need not say it.
    pub paint: Option<Paint>,
}

/// Something with an outline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape<'a> {
    pub class: Option<&'static str>,
    pub outline: &'a Outline,
    pub paint: Paint,
    pub tip: Option<&'a str>,
    pub link: Option<&'a str>,
}

/// The outline of a shape.
#[derive(Clone, Debug)]
pub(crate) enum Outline {
    Path(Vec<Segment>),
    Rectangle {
        left: f64,
        top: f64,
        width: f64,
        height: f64,
        /// The radius of its corners.
        rounding: f64,
    },
}

/// A step of a path, as SVG has them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Segment {
    /// The place where the path begins, or begins anew.
    Move(f64, f64),
    /// A line to a place.
    Line(f64, f64),
    /// A line to an x-coordinate.
    Across(f64),
    /// A line to a y-coordinate.
    Up(f64),
    /// A line by so much.
    By(f64, f64),
    /// A line by so much in x.
    AcrossBy(f64),
    /// A line by so much in y.
    UpBy(f64),
    /// A circle of this radius whose leftmost point is the place that was reached.
    Circle(f64),
    /// Back to where the path began.
    Close,
}

/// How a shape is filled and how its outline is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Paint {
    pub fill: Fill,
    pub stroke: Option<Stroke>,
}

/// How an area is filled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fill {
    None,
    /// One colour with an opacity.
    Flat(Tint, f64),
    /// The colour and the hatching of a series.
    Hatched(Look),
}

/// How an outline is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stroke {
    pub tint: Tint,
    pub opacity: f64,
    pub width: f64,
    /// Lengths of dashes and gaps in turn; none for a line without gaps.
    pub dashes: &'static [f64],
    pub has_round_joins: bool,
}

/// A colour, or the one of text and axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tint {
    Ink,
    Of(Colour),
}

/// A line of text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    pub class: Option<&'static str>,
    /// Where the base line has its anchor.
    pub at: (f64, f64),
    pub anchor: Anchor,
    pub size: f64,
    pub is_bold: bool,
    pub tint: Tint,
    /// By how many degrees it is turned clockwise around its place.
    pub turn: f64,
    pub shown: &'a str,
    /// What was cut; SVG shows it as a tooltip.
    pub full: Option<&'a str>,
}

/// Where a text is relative to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Outline {
    /// A rectangle with sharp corners.
    pub fn rectangle(left: f64, top: f64, width: f64, height: f64) -> Self {
        Outline::Rectangle { left, top, width, height, rounding: 0.0 }
    }
}

impl Paint {
    /// An area in a colour.
    pub fn filled(tint: Tint) -> Self {
        Paint { fill: Fill::Flat(tint, 1.0), stroke: None }
    }

    /// A line.
    pub fn line(stroke: Stroke) -> Self {
        Paint { fill: Fill::None, stroke: Some(stroke) }
    }
}

impl Stroke {
    /// A line without gaps.
    pub fn new(tint: Tint, width: f64) -> Self {
        Stroke { tint, opacity: 1.0, width, dashes: &[], has_round_joins: false }
    }
}

impl<'a> Text<'a> {
    /// A text in the colour of text and axes.
    pub fn new(at: (f64, f64), anchor: Anchor, size: f64, shown: &'a str) -> Self {
        let (class, full) = (None, None);
        Text { class, at, anchor, size, is_bold: false, tint: Tint::Ink, turn: 0.0, shown, full }
    }
}

impl<'a> Shape<'a> {
    /// A shape without class, tooltip and link.
    pub fn new(outline: &'a Outline, paint: Paint) -> Self {
        Shape { class: None, outline, paint, tip: None, link: None }
    }
}
