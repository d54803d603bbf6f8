//! Charts as SVG, PNG and TikZ, drawn from one model.
//!
//! A [`Chart`] describes what is shown: axes, series, names. It is checked when it is built, so that
//! drawing cannot fail. `plan` computes the layout once: ranges, ticks, and which points are too close
//! together to be distinguished. `draw` places the plan in a picture, as calls of one trait that SVG and
//! PNG implement; TikZ leaves places to TeX. So a page, a file and a paper show the same picture.
//! [`Chart::series`] gives the same data as rows.
//!
//! The crate reads no files and no clock, and knows nothing about solvers. The same chart gives
//! the same bytes. Names are untrusted: every text is escaped for its format, and unprintable
//! characters are replaced by visible ones.
//!
//! Nothing is encoded by colour alone: lines differ in marker and dash, bars in hatching.

mod draw;
mod error;
mod hatch;
mod link;
mod model;
mod notes;
mod palette;
mod plan;
mod png;
mod rows;
mod surface;
mod svg;
mod text;
mod thin;
mod ticks;
mod tikz;

pub use error::ChartError;
pub use model::{
    Axis, Bars, Cell, Chart, Guide, Histogram, Kind, Line, Point, PointGroup, Scale, Shape, Size,
    Stacking,
};
pub use notes::{Note, Notes};
pub use palette::{Colour, Dash, Hatch, Look, Marker, colours};
pub use png::to_png;
pub use rows::{Row, Series, Value};
pub use svg::{Variant, to_svg};
pub use tikz::{PREAMBLE, tikz_document, to_tikz};
