//! Histogram of the CPU times of each solver.

use luthier_charts::{Axis, Bars, Chart, Histogram, Kind};

use super::{FLOOR, chart, instances, label, scored};
use crate::View;

/// No run takes longer; it keeps the number of bins finite whatever a database says.
const MAX_SECONDS: f64 = 1e7;

/// How many instances each solver solved within ranges of CPU time. A time on an edge is in the
/// bin below it. What is not solved and what is refuted stands beside the bins.
pub fn histogram(view: &View<'_>) -> Chart {
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); view.solvers.len()];
    let mut others = vec![[0.0; 2]; view.solvers.len()];
    for entry in view.iter() {
        for (position, &solver) in view.solvers.iter().enumerate() {
            let Some(run) = scored(view, entry, solver) else { continue };
            if run.scored.is_solved() {
                times[position].push(run.scored.cpu.as_secs_f64());
            } else {
                others[position][usize::from(run.scored.is_refuted())] += 1.0;
            }
        }
    }
    let longest = times.iter().flatten().copied().fold(FLOOR * 10.0, f64::max);
    let edges = edges(longest);
    let bins = edges.len() - 1;
    let series = view.solvers.iter().zip(times).zip(&others).map(|((&solver, times), others)| {
        let mut counts = vec![0.0; bins];
        for time in times {
            let bin = edges[1..].partition_point(|edge| *edge < time);
            counts[bin.min(bins - 1)] += 1.0;
        }
        counts.extend(others);
        Bars::of(label(view, solver), counts)
    });
    let series: Vec<Bars> = series.collect();
    let description = format!(
        "How many of {} each solver solved within ranges of CPU time; at the right what it did \
         not solve, and answers that are refuted.",
        instances(view.entries.len())
    );
    let extras = vec!["not solved".to_owned(), "refuted".to_owned()];
    chart(
        "CPU times of runs".to_owned(),
        description,
        Axis::linear("CPU time (s)"),
        Axis::linear("instances"),
        Kind::Histogram(Histogram { edges, first_is_open: true, extras, series }),
    )
}

/// 0, then 1, 2 and 5 times powers of ten from a millisecond until no time is longer.
fn edges(longest: f64) -> Vec<f64> {
    let mut edges = vec![0.0];
    'powers: for exponent in -3..8 {
        for factor in [1.0, 2.0, 5.0] {
            // Division by a power of ten gives the number nearest to the decimal one.
            let edge = if exponent < 0 {
                factor / 10f64.powi(-exponent)
            } else {
                factor * 10f64.powi(exponent)
            };
            edges.push(edge);
            if edge >= longest.min(MAX_SECONDS) {
                break 'powers;
            }
        }
    }
    edges
}
