//! The cactus plot: how many instances each solver solves within a given CPU time per instance.

use luthier_charts::{Axis, Chart, Dash, Kind, Line, Look, Marker, Shape, colours};

use super::{FLOOR, chart, instances, label, scored};
use crate::measures::Competitor;
use crate::{View, best_of};

/// Whether the virtual best solver is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VirtualBest {
    /// With a line of its own.
    Shown,
    /// Not at all.
    Hidden,
}

/// The cactus plot: the CPU times of solved entries of each solver, sorted. The n-th point is at
/// the n-th smallest time; refuted answers are not among them.
pub fn cactus(view: &View<'_>, virtual_best: VirtualBest) -> Chart {
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); view.solvers.len()];
    let mut best_times = Vec::new();
    for entry in view.iter() {
        let mut runs = Vec::with_capacity(view.solvers.len());
        for (&solver, times) in view.solvers.iter().zip(&mut times) {
            let Some(run) = scored(view, entry, solver) else { continue };
            if run.scored.is_solved() {
                times.push(run.scored.cpu.as_secs_f64());
            }
            runs.push(&run.scored);
        }
        let best = best_of(runs).filter(|best| best.is_solved());
        best_times.extend(best.map(|best| best.cpu.as_secs_f64()));
    }
    let mut series: Vec<Line> = view
        .solvers
        .iter()
        .zip(times)
        .map(|(&solver, times)| line(label(view, solver), times, None))
        .collect();
    if virtual_best == VirtualBest::Shown {
        let look = Look { dash: Dash::DashDotted, ..Look::nth(0) };
        let look = look.in_colour(colours::GREY).with_marker(Marker::Plus);
        let name = Competitor::VirtualBest.label(view.results);
        series.push(line(name, best_times, Some(look)));
    }
    let solved = series.iter().map(|line| format!("{} {}", line.name, line.points.len()));
    let description = format!(
        "Sorted CPU times of solved instances, one line per solver; further right is better. Of {}, \
         solved: {}.",
        instances(view.entries.len()),
        solved.collect::<Vec<_>>().join(", ")
    );
    chart(
        "Instances solved within a CPU time".to_owned(),
        description,
        Axis::linear("instances solved"),
        Axis::log("CPU time (s)", FLOOR),
        Kind::Lines { series, shape: Shape::Steps },
    )
}

fn line(name: &str, mut times: Vec<f64>, look: Option<Look>) -> Line {
    times.sort_by(f64::total_cmp);
    let points = times.iter().enumerate().map(|(index, time)| (index as f64 + 1.0, *time));
    Line { name: name.to_owned(), points: points.collect(), look }
}
