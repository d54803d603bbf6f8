//! Confidence intervals of figures, where runs were repeated.

use luthier_report::measures::{Bootstrap, Interval, Intervals, Resampling};
use luthier_report::{View, figures};
use maud::{Markup, html};

use super::csv;
use super::query::Query;
use super::tables::{SOLVER, solver_link};
use crate::headings::{self, Heading, room};

/// The columns of the table after the solver.
const HEADINGS: [Heading; 6] = [
    Heading::number("solved, mean", "Solved instances, the mean over the repetitions."),
    Heading::number("solved, from", "The lower end of its 95 % confidence interval."),
    Heading::number("solved, to", "The upper end of its 95 % confidence interval."),
    Heading::number("PAR2 mean, s", "The mean of PAR2 in seconds, over the repetitions."),
    Heading::number("PAR2, from", "The lower end of its 95 % confidence interval."),
    Heading::number("PAR2, to", "The upper end of its 95 % confidence interval."),
];

/// The table; nothing if nothing was run more than once. `scope` names the instances in addresses.
pub(super) fn intervals(view: &View<'_>, scope: Query) -> Markup {
    let rows: Vec<(usize, Intervals)> = of_solvers(view);
    html! {
        @if !rows.is_empty() {
            details.intervals {
                summary { "Confidence intervals over repetitions" }
                div.scroll.{ (room(40)) } tabindex="0" role="region" aria-label="Confidence intervals" {
                    table {
                        caption { "95 % confidence intervals over repetitions" }
                        thead { tr { (headings::head(&[SOLVER])) (headings::head(&HEADINGS)) } }
                        tbody {
                            @for (solver, row) in &rows {
                                tr {
                                    th scope="row" { (solver_link(view.results, *solver)) }
                                    (cells(&row.solved, figures::mean_count))
                                    (cells(&row.par2_mean, figures::seconds))
                                }
                            }
                        }
                    }
                }
                (csv::link(&scope.address("/intervals.csv"), "these intervals"))
                (headings::help(&HEADINGS))
                p.note.why {
                    "Each instance is drawn with one of its repetitions, a thousand times; 95 % of the \
                     sums lie between these ends. Other instances could give other figures."
                }
            }
        }
    }
}

/// The intervals of the solvers that were run more than once.
pub(super) fn of_solvers(view: &View<'_>) -> Vec<(usize, Intervals)> {
    if !view.results.has_repetitions() {
        return Vec::new();
    }
    let bootstrap = Bootstrap::default();
    let of = |&solver: &usize| {
        bootstrap.of_solver(view, solver, Resampling::Repetitions).map(|found| (solver, found))
    };
    view.solvers.iter().filter_map(of).collect()
}

fn cells(interval: &Interval, write: fn(f64) -> String) -> Markup {
    html! {
        td.n { (write(interval.estimate)) }
        td.n { (write(interval.low)) }
        td.n { (write(interval.high)) }
    }
}
