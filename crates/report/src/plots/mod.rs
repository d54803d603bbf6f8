//! The charts of a [`View`]. `luthier-charts` draws them; [`Chart::series`] gives their data as rows.
//!
//! Where a solver has several runs on an entry, the [`representative`](crate::representative) one
//! counts, as everywhere; framework errors are left out. *Solved* never includes a refuted answer.

mod cactus;
mod distribution;
mod features;
mod histogram;
mod releases;
mod scatter;
mod timeline;
mod version;

pub use cactus::{VirtualBest, cactus};
pub use distribution::distribution;
pub use features::{feature_uses, features, features_of};
pub use histogram::histogram;
pub use luthier_charts::{
    Chart, ChartError, Row, Series, Size, Value, Variant, tikz_document, to_png, to_svg, to_tikz,
};
pub use releases::{ReleaseOutcome, release_outcomes};
pub use scatter::{Link, scatter, scatter_of_sides};
pub use timeline::{TimelineMeasure, families, timeline, timelines};
pub use version::compare_versions;

use luthier_charts::{Axis, Kind, Look, Marker, colours};

use crate::{Entry, RunInfo, View};

/// What is faster is drawn as if it took a millisecond: below that, starting a process is all that
/// is measured.
const FLOOR: f64 = 0.001;

/// A chart whose values are counts and times.
fn chart(title: String, description: String, x: Axis, y: Axis, kind: Kind) -> Chart {
    let chart = Chart::new(title, description, x, y, kind);
    chart.expect("counts and times are finite, and there is one per name")
}

/// The run that counts for a solver on an entry; `None` if there is none or it is a framework error.
fn scored<'a>(view: &View<'a>, entry: &'a Entry, solver: usize) -> Option<&'a RunInfo> {
    run(view, entry, solver).filter(|run| run.scored.is_scored())
}

/// The run that counts for a solver on an entry. Most have one run, about which there is nothing to
/// choose.
fn run<'a>(view: &View<'a>, entry: &'a Entry, solver: usize) -> Option<&'a RunInfo> {
    match entry.judged.runs_of(solver) {
        [] => None,
        [only] => view.campaign.is_none_or(|one| only.campaign == one).then_some(only),
        _ => view.run(entry, solver),
    }
}

fn label<'a>(view: &View<'a>, solver: usize) -> &'a str {
    &view.results.solvers[solver].label
}

/// The appearance of refuted answers in every chart.
fn refuted_look() -> Look {
    Look::nth(0).in_colour(colours::RED).with_marker(Marker::Cross)
}

/// `1 instance`, `2 instances`.
fn instances(count: usize) -> String {
    format!("{count} instance{}", if count == 1 { "" } else { "s" })
}
