//! Charts by stable name, for documents and files.

use std::fmt;

use luthier_charts::{Chart, Stacking};

use crate::View;
use crate::measures::{Competitor, by_rank, standings};
use crate::plots::{self, TimelineMeasure, VirtualBest};

/// A chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartName {
    /// How many instances are solved within a time.
    Cactus,
    /// Two solvers, instance by instance.
    Scatter,
    /// Outcomes of runs.
    Distribution,
    /// Solved instances by operator.
    Operators,
    /// CPU times of runs.
    Histogram,
    /// Solved instances by release of a solver.
    Timeline,
}

/// Why a chart cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChartUnavailable {
    /// A scatter plot needs two solvers.
    TwoSolversNeeded,
    /// A timeline needs several versions of a solver.
    NoVersions,
    /// Several families have versions, and a timeline is about one.
    SeveralFamilies(Vec<String>),
}

/// How many operators a chart has.
const MOST_OPERATORS: usize = 25;

impl ChartName {
    /// All charts.
    pub const ALL: [Self; 6] = [
        Self::Cactus,
        Self::Scatter,
        Self::Distribution,
        Self::Operators,
        Self::Histogram,
        Self::Timeline,
    ];

    /// A stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cactus => "cactus",
            Self::Scatter => "scatter",
            Self::Distribution => "distribution",
            Self::Operators => "operators",
            Self::Histogram => "histogram",
            Self::Timeline => "timeline",
        }
    }

    /// The chart of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|chart| chart.name() == name)
    }

    /// The chart of a view. A scatter plot is about its two solvers, or about the best two of
    /// more; a timeline about the one family that has several versions.
    pub fn of(self, view: &View<'_>) -> Result<Chart, ChartUnavailable> {
        Ok(match self {
            Self::Cactus => plots::cactus(view, VirtualBest::Shown),
            Self::Distribution => plots::distribution(view, Stacking::Shares),
            Self::Histogram => plots::histogram(view),
            Self::Operators => plots::features(view, MOST_OPERATORS),
            Self::Scatter => {
                let (left, right) = pair(view).ok_or(ChartUnavailable::TwoSolversNeeded)?;
                plots::scatter(view, left, right, None)
            }
            Self::Timeline => match plots::families(view).as_slice() {
                [] => return Err(ChartUnavailable::NoVersions),
                [family] => plots::timeline(view, family, TimelineMeasure::Solved),
                several => {
                    let names = several.iter().map(|name| (*name).to_owned()).collect();
                    return Err(ChartUnavailable::SeveralFamilies(names));
                }
            },
        })
    }
}

impl fmt::Display for ChartUnavailable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TwoSolversNeeded => formatter.write_str("a scatter plot needs two solvers"),
            Self::NoVersions => formatter.write_str("no solver has several versions here"),
            Self::SeveralFamilies(names) => {
                write!(formatter, "several solvers have versions: {}", names.join(", "))
            }
        }
    }
}

impl std::error::Error for ChartUnavailable {}

fn pair(view: &View<'_>) -> Option<(usize, usize)> {
    if let [left, right] = view.solvers[..] {
        return Some((left, right));
    }
    let mut order = by_rank(standings(view));
    order.retain(|standing| standing.competitor != Competitor::VirtualBest);
    // Those that were run on everything first: the rank of others is about something else.
    order.sort_by_key(|standing| !standing.comparable);
    match (order.first()?.competitor, order.get(1)?.competitor) {
        (Competitor::Solver(left), Competitor::Solver(right)) => Some((left, right)),
        _ => None,
    }
}
