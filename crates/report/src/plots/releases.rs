//! The releases of a solver on one formula, oldest first: which of them fail.

use luthier_charts::{Axis, Bars, Cell, Hatch, Kind, Look, Stacking, colours};

use super::{Chart, chart};

/// What one release does with the formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleaseOutcome {
    /// The version.
    pub version: String,
    /// The outcome in a word.
    pub outcome: String,
    /// Whether it shows the failure; `None` if it cannot tell.
    pub fails: Option<bool>,
}

/// A bar for each release: it fails, it is right, or it cannot tell.
pub fn release_outcomes(title: String, class: &str, releases: &[ReleaseOutcome]) -> Chart {
    let kinds = [
        (Some(true), "fails", colours::RED, Hatch::Rising),
        (Some(false), "right", colours::GREEN, Hatch::Plain),
        (None, "cannot tell", colours::GREY, Hatch::Dotted),
    ];
    let series = kinds.map(|(fails, name, colour, hatch)| Bars {
        name: name.to_owned(),
        cells: releases
            .iter()
            .map(|one| Cell {
                value: Some(if one.fails == fails { 1.0 } else { 0.0 }),
                note: Some(format!("{}: {}", one.version, one.outcome)),
            })
            .collect(),
        look: Some(Look::nth(0).in_colour(colour).with_hatch(hatch)),
    });
    let names = releases.iter().map(|one| one.version.clone()).collect();
    let description = format!("One bar per release, oldest first: whether it shows {class}.");
    let kind = Kind::Stacked { series: series.into(), stacking: Stacking::Counts };
    chart(title, description, Axis::linear("outcome"), Axis::categories("", names), kind)
}
