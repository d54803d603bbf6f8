//! The chart model: axes, series and values. Plain data that is checked once, in [`Chart::new`].

use crate::notes::Notes;
use crate::palette::Look;
use crate::{ChartError, Marker};

/// A chart whose data can be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) kind: Kind,
}

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What is on it, with the unit, `CPU time (s)`.
    pub title: String,
    /// How values become places.
    pub scale: Scale,
    /// From where to where it goes at least; otherwise the values decide.
    pub range: Option<(f64, f64)>,
}

/// How values become places.
#[derive(Clone, Debug, PartialEq)]
pub enum Scale {
    /// Equal steps. Zero is always on the axis.
    Linear,
    /// Equal factors. What is not above the floor, zero included, is drawn at the floor, whose
    /// label then says so: `≤ 0.001`.
    Log {
        /// The smallest value that is distinguished.
        floor: f64,
    },
    /// One place per name.
    Categories(Vec<String>),
}

/// What is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Lines through points, as in a cactus plot.
    Lines {
        /// The lines.
        series: Vec<Line>,
        /// How points are joined.
        shape: Shape,
    },
    /// Points by themselves.
    Points {
        /// The points by what they have in common.
        groups: Vec<PointGroup>,
        /// Lines to compare them with.
        guides: Vec<Guide>,
    },
    /// A horizontal bar per category of the y-axis, made of one piece per series.
    Stacked {
        /// The pieces, from left to right.
        series: Vec<Bars>,
        /// What the length of a bar is.
        stacking: Stacking,
    },
    /// A horizontal bar per category of the y-axis and series, side by side.
    Grouped {
        /// The series.
        series: Vec<Bars>,
    },
    /// How often values fall between edges.
    Histogram(Histogram),
    /// Values over the ordered categories of the x-axis; a missing value is a gap.
    Timeline {
        /// The series.
        series: Vec<Bars>,
    },
}

/// How the points of a line are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// By straight lines.
    Straight,
    /// By steps: first to the side, then up or down.
    Steps,
}

/// What the length of a stacked bar is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stacking {
    /// The sum of its values.
    Counts,
    /// Always 100 %.
    Shares,
}

/// A line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// Its name in the legend.
    pub name: String,
    /// Its points, in the order in which they are joined.
    pub points: Vec<(f64, f64)>,
    /// What it looks like, if its number shall not decide.
    pub look: Option<Look>,
}

/// Points that look the same.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointGroup {
    /// Its name in the legend.
    pub name: String,
    /// The points.
    pub points: Vec<Point>,
    /// Their tooltips and links.
    pub notes: Notes,
    /// What they look like, if the number of the group shall not decide.
    pub look: Option<Look>,
}

/// A point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Its place on the x-axis.
    pub x: f64,
    /// Its place on the y-axis.
    pub y: f64,
    /// Its own marker, if it is another than that of its group.
    pub marker: Option<Marker>,
}

/// A line to compare points with.
#[derive(Clone, Debug, PartialEq)]
pub enum Guide {
    /// Where x has this value.
    Vertical(f64, String),
    /// Where y has this value.
    Horizontal(f64, String),
    /// Where y is x times this.
    Factor(f64, String),
}

/// The values of one series, one per category or bin.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bars {
    /// Its name in the legend.
    pub name: String,
    /// Its values.
    pub cells: Vec<Cell>,
    /// What it looks like, if its number shall not decide.
    pub look: Option<Look>,
}

/// A value of a series.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// The value; `None` if there is none, which is not the same as 0.
    pub value: Option<f64>,
    /// A note for its tooltip, `12 of 14 instances`.
    pub note: Option<String>,
}

/// How often values fall between edges, and how often they are something else.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram {
    /// The edges of the bins, ascending: one more than there are bins.
    pub edges: Vec<f64>,
    /// Whether the first bin has everything below its upper edge.
    pub first_is_open: bool,
    /// Names of bars after the bins, for what has no value.
    pub extras: Vec<String>,
    /// For each series a count per bin, then per extra bar.
    pub series: Vec<Bars>,
}

/// The size of a picture, in pixels of CSS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// From left to right.
    pub width: u32,
    /// From top to bottom.
    pub height: u32,
}

impl Default for Size {
    fn default() -> Self {
        Size { width: 720, height: 460 }
    }
}

/// Beyond this, differences of values are no longer numbers that can be drawn.
const MAX_VALUE: f64 = 1e100;

impl Axis {
    /// An axis with equal steps.
    pub fn linear(title: impl Into<String>) -> Self {
        Axis { title: title.into(), scale: Scale::Linear, range: None }
    }

    /// A logarithmic axis with this floor.
    pub fn log(title: impl Into<String>, floor: f64) -> Self {
        Axis { title: title.into(), scale: Scale::Log { floor }, range: None }
    }

    /// An axis of names.
    pub fn categories(title: impl Into<String>, names: Vec<String>) -> Self {
        Axis { title: title.into(), scale: Scale::Categories(names), range: None }
    }

    /// The same, at least from `low` to `high`.
    pub fn reaching(self, low: f64, high: f64) -> Self {
        Axis { range: Some((low, high)), ..self }
    }

    /// The names on it; none unless it is an axis of names.
    pub fn names(&self) -> &[String] {
        match &self.scale {
            Scale::Categories(names) => names,
            _ => &[],
        }
    }

    fn check(&self) -> Result<(), ChartError> {
        if let Scale::Log { floor } = self.scale {
            let is_usable = (1.0 / MAX_VALUE..=MAX_VALUE).contains(&floor);
            is_usable.then_some(()).ok_or(ChartError::Floor(floor))?;
        }
        match self.range {
            Some((low, high)) if !(low < high && low.abs() <= MAX_VALUE && high <= MAX_VALUE) => {
                Err(ChartError::Range(low, high))
            }
            _ => Ok(()),
        }
    }

    fn need_categories(&self) -> Result<usize, ChartError> {
        match &self.scale {
            Scale::Categories(names) => Ok(names.len()),
            _ => Err(self.wrong_scale("names")),
        }
    }

    fn need_numbers(&self) -> Result<(), ChartError> {
        match &self.scale {
            Scale::Categories(_) => Err(self.wrong_scale("numbers")),
            _ => Ok(()),
        }
    }

    /// A bar on a logarithmic axis would begin nowhere.
    fn need_linear(&self) -> Result<(), ChartError> {
        match &self.scale {
            Scale::Linear => Ok(()),
            _ => Err(self.wrong_scale("a linear axis")),
        }
    }

    fn wrong_scale(&self, expected: &'static str) -> ChartError {
        ChartError::Scale { axis: self.title.clone(), expected }
    }
}

impl Cell {
    /// A value without a note.
    pub fn of(value: f64) -> Self {
        Cell { value: Some(value), note: None }
    }
}

impl Bars {
    /// A series without notes, every value present.
    pub fn of(name: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        let cells = values.into_iter().map(Cell::of).collect();
        Bars { name: name.into(), cells, look: None }
    }
}

impl Chart {
    /// A chart of these parts. The description is for readers who do not see the picture.
    ///
    /// # Errors
    ///
    /// If a value is not finite, lengths do not fit or an axis does not suit the kind.
    pub fn new(
        title: impl Into<String>,
        description: impl Into<String>,
        x: Axis,
        y: Axis,
        kind: Kind,
    ) -> Result<Self, ChartError> {
        x.check()?;
        y.check()?;
        match &kind {
            Kind::Lines { series, .. } => {
                x.need_numbers()?;
                y.need_numbers()?;
                for line in series {
                    let values = line.points.iter().flat_map(|&(x, y)| [x, y]);
                    check_values(&line.name, values)?;
                }
            }
            Kind::Points { groups, guides } => {
                x.need_numbers()?;
                y.need_numbers()?;
                for group in groups {
                    let values = group.points.iter().flat_map(|point| [point.x, point.y]);
                    check_values(&group.name, values)?;
                }
                for guide in guides {
                    let (Guide::Vertical(value, name)
                    | Guide::Horizontal(value, name)
                    | Guide::Factor(value, name)) = guide;
                    check_values(name, [*value])?;
                }
            }
            Kind::Stacked { series, .. } | Kind::Grouped { series } => {
                x.need_linear()?;
                let is_stacked = matches!(kind, Kind::Stacked { .. });
                check_bars(series, y.need_categories()?)?;
                for bars in series.iter().filter(|_| is_stacked) {
                    let below = bars.cells.iter().filter_map(|cell| cell.value).find(|v| *v < 0.0);
                    if let Some(value) = below {
                        return Err(ChartError::Value { series: bars.name.clone(), value });
                    }
                }
            }
            Kind::Histogram(histogram) => {
                y.need_linear()?;
                let Histogram { edges, extras, series, .. } = histogram;
                check_values("edges", edges.iter().copied())?;
                if edges.len() < 2 || !edges.is_sorted_by(|left, right| left < right) {
                    return Err(ChartError::Edges);
                }
                check_bars(series, edges.len() - 1 + extras.len())?;
            }
            Kind::Timeline { series } => {
                y.need_numbers()?;
                check_bars(series, x.need_categories()?)?;
            }
        }
        Ok(Chart { title: title.into(), description: description.into(), x, y, kind })
    }

    /// What it is called.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// What it shows, in words.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The axis from left to right.
    pub fn x(&self) -> &Axis {
        &self.x
    }

    /// The axis from bottom to top.
    pub fn y(&self) -> &Axis {
        &self.y
    }

    /// What is drawn.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }
}

fn check_bars(series: &[Bars], expected: usize) -> Result<(), ChartError> {
    for bars in series {
        if bars.cells.len() != expected {
            let (series, found) = (bars.name.clone(), bars.cells.len());
            return Err(ChartError::Length { series, expected, found });
        }
        check_values(&bars.name, bars.cells.iter().filter_map(|cell| cell.value))?;
    }
    Ok(())
}

fn check_values(series: &str, values: impl IntoIterator<Item = f64>) -> Result<(), ChartError> {
    // A value that is not a number is never within bounds.
    match values.into_iter().find(|value| !(-MAX_VALUE..=MAX_VALUE).contains(value)) {
        Some(value) => Err(ChartError::Value { series: series.to_owned(), value }),
        None => Ok(()),
    }
}
