//! Timeline of the releases of a solver family: solved, wrong or PAR2 by version.

use luthier_charts::{Axis, Bars, Cell, Chart, Kind};

use super::version::compare_versions;
use super::{chart, label};
use crate::measures::{Standing, standings};
use crate::{View, figures};

/// What is shown of each release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimelineMeasure {
    /// Instances solved.
    Solved,
    /// Instances with a wrong answer or an invalid model.
    Wrong,
    /// PAR2 per instance.
    Par2,
}

/// What releases without a known version are called.
const UNKNOWN: &str = "unknown";

impl TimelineMeasure {
    /// All measures.
    pub const ALL: [Self; 3] = [Self::Solved, Self::Wrong, Self::Par2];

    /// A stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Wrong => "wrong",
            Self::Par2 => "par2",
        }
    }

    /// The measure of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|measure| measure.name() == name)
    }

    fn of(self, standing: &Standing) -> Option<f64> {
        match self {
            _ if standing.instances == 0 => None,
            Self::Solved => Some(standing.solved as f64),
            Self::Wrong => Some(standing.refuted as f64),
            Self::Par2 => standing.par2_mean(),
        }
    }

    fn axis(self) -> &'static str {
        match self {
            Self::Solved => "instances solved",
            Self::Wrong => "instances answered wrongly",
            Self::Par2 => "PAR2 per instance (s)",
        }
    }
}

/// The families of the view that have several versions, by name: those for which a timeline says
/// something.
pub fn families<'a>(view: &View<'a>) -> Vec<&'a str> {
    let mut all: Vec<(&str, &str)> = view
        .solvers
        .iter()
        .map(|&solver| {
            let configuration = &view.results.solvers[solver].configuration;
            (configuration.family.as_str(), configuration.version.as_deref().unwrap_or(UNKNOWN))
        })
        .collect();
    all.sort_unstable();
    all.dedup();
    let mut families: Vec<&str> =
        all.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[0].0).collect();
    families.dedup();
    families
}

/// A measure over the versions of a family, oldest first. Releases with other options or another
/// limit have a line of their own; where one was not run there is a gap.
pub fn timeline(view: &View<'_>, family: &str, measure: TimelineMeasure) -> Chart {
    timeline_of(view, &standings(&members(view, family)), family, measure)
}

/// The timelines of all measures, in the order of [`TimelineMeasure::ALL`].
pub fn timelines(view: &View<'_>, family: &str) -> [Chart; 3] {
    let standings = standings(&members(view, family));
    TimelineMeasure::ALL.map(|measure| timeline_of(view, &standings, family, measure))
}

/// The view with the solvers of a family only.
fn members<'a>(view: &View<'a>, family: &str) -> View<'a> {
    let is_of_family =
        |solver: &usize| view.results.solvers[*solver].configuration.family == family;
    let solvers = view.solvers.iter().copied().filter(is_of_family).collect();
    view.clone().with_solvers(solvers)
}

fn timeline_of(
    view: &View<'_>,
    standings: &[Standing],
    family: &str,
    measure: TimelineMeasure,
) -> Chart {
    let solvers = &view.results.solvers;
    let members = members(view, family).solvers;
    let version =
        |solver: usize| solvers[solver].configuration.version.as_deref().unwrap_or(UNKNOWN);
    let mut versions: Vec<&str> = members.iter().map(|&solver| version(solver)).collect();
    versions.sort_by(|left, right| compare_versions(left, right).then_with(|| left.cmp(right)));
    versions.dedup();

    let limit = |solver: usize| solvers[solver].configuration.limits.cpu;
    let has_one_limit = members.windows(2).all(|pair| limit(pair[0]) == limit(pair[1]));
    let mut series: Vec<Bars> = Vec::new();
    let mut differ = false;
    for (&solver, standing) in members.iter().zip(standings) {
        let (column, cell) = (
            versions.iter().position(|other| *other == version(solver)).unwrap_or_default(),
            cell(view, standing, measure),
        );
        differ |= !standing.comparable && standing.instances > 0;
        let mut name = variant(label(view, solver), version(solver));
        if !has_one_limit && !name.ends_with(" s)") {
            name = format!("{name} ({} s)", limit(solver).as_secs_f64());
        }
        let mut line = series.iter().position(|bars| bars.name == name);
        if line.is_some_and(|line| series[line].cells[column] != Cell::default()) {
            // Two of the same version that only their labels tell apart.
            name = label(view, solver).to_owned();
            line = None;
        }
        let line = line.unwrap_or_else(|| {
            let cells = vec![Cell::default(); versions.len()];
            series.push(Bars { name, cells, look: None });
            series.len() - 1
        });
        series[line].cells[column] = cell;
    }
    let mut description = format!("One place per version of {family}, oldest first.");
    if differ {
        description.push_str(" Not every release was run on every instance.");
    }
    chart(
        format!("Releases of {family}: {}", measure.axis()),
        description,
        Axis::categories("version", versions.into_iter().map(str::to_owned).collect()),
        Axis::linear(measure.axis()),
        Kind::Timeline { series },
    )
}

fn cell(view: &View<'_>, standing: &Standing, measure: TimelineMeasure) -> Cell {
    let (done, all) = (standing.instances, view.entries.len() as u64);
    let note = match done == all {
        true => format!("{} instances", figures::count(done)),
        false => format!("run on {} of {} instances", figures::count(done), figures::count(all)),
    };
    Cell { value: measure.of(standing), note: Some(note) }
}

/// The label without the version: what releases that were run in the same way have in common.
fn variant(label: &str, version: &str) -> String {
    label.replacen(&format!("@{version}"), "", 1)
}
