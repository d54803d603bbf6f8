//! Errors of building or drawing a chart.

use std::fmt;

/// What is wrong with the data of a chart.
#[derive(Clone, Debug, PartialEq)]
pub enum ChartError {
    /// A value is not a number, infinite, or too large to be drawn.
    Value {
        /// The series that has it.
        series: String,
        /// The value.
        value: f64,
    },
    /// A series does not have one value per category or bin.
    Length {
        /// The series.
        series: String,
        /// How many values are needed.
        expected: usize,
        /// How many it has.
        found: usize,
    },
    /// The scale of an axis does not suit the kind of chart.
    Scale {
        /// The title of the axis.
        axis: String,
        /// What is needed.
        expected: &'static str,
    },
    /// The floor of a logarithmic axis is not positive.
    Floor(f64),
    /// A fixed range of an axis is empty or not finite.
    Range(f64, f64),
    /// Edges of bins are not ascending, or there are fewer than two.
    Edges,
    /// The picture could not be turned into pixels; a bug of this crate.
    Drawing(String),
    /// A picture would have no pixels, or more than can be held.
    Pixels,
}

impl fmt::Display for ChartError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChartError::Value { series, value } => write!(
                formatter,
                "series {series:?} has the value {value}, which cannot be drawn: give finite values up to 1e100"
            ),
            ChartError::Length { series, expected, found } => write!(
                formatter,
                "series {series:?} has {found} values and needs {expected}: give one per category or bin, empty ones included"
            ),
            ChartError::Scale { axis, expected } => {
                write!(
                    formatter,
                    "axis {axis:?} has the wrong scale: this kind of chart needs {expected}"
                )
            }
            ChartError::Floor(floor) => write!(
                formatter,
                "the floor of a logarithmic axis is {floor}: give a positive number"
            ),
            ChartError::Range(low, high) => {
                write!(
                    formatter,
                    "the range from {low} to {high} is empty: give the smaller end first"
                )
            }
            ChartError::Edges => {
                formatter.write_str("edges of bins are not ascending: give at least two, sorted")
            }
            ChartError::Drawing(reason) => {
                write!(formatter, "the picture could not be drawn: {reason}: please report it")
            }
            ChartError::Pixels => formatter.write_str(
                "the picture has no pixels or more than 100 million: choose another size",
            ),
        }
    }
}

impl std::error::Error for ChartError {}
