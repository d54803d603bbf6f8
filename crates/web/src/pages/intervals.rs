//! How sure figures are, where runs were repeated.

use luthier_report::measures::{Bootstrap, Interval, Intervals, Resampling};
use luthier_report::{View, figures};
use maud::{Markup, html};

use crate::text::visible;

/// The table; nothing if nothing was run more than once.
pub(super) fn intervals(view: &View<'_>) -> Markup {
    let rows: Vec<(usize, Intervals)> = of_solvers(view);
    html! {
        @if !rows.is_empty() {
            details.intervals {
                summary { "How sure these figures are" }
                div.scroll tabindex="0" role="region" aria-label="Confidence intervals" {
                    table {
                        caption { "95 % confidence intervals over repetitions" }
                        thead {
                            tr {
                                th scope="col" { "solver" }
                                th.n scope="col" { "solved, mean" }
                                th.n scope="col" { "from" }
                                th.n scope="col" { "to" }
                                th.n scope="col" { "PAR2 mean, s" }
                                th.n scope="col" { "from" }
                                th.n scope="col" { "to" }
                            }
                        }
                        tbody {
                            @for (solver, row) in &rows {
                                tr {
                                    th scope="row" { (visible(&view.results.solvers[*solver].label)) }
                                    (cells(&row.solved, figures::mean_count))
                                    (cells(&row.par2_mean, figures::seconds))
                                }
                            }
                        }
                    }
                }
                p.note.why {
                    "Each instance is drawn with one of its repetitions, a thousand times; 95 % of the \
                     sums lie between these ends. Other instances could give other figures."
                }
            }
        }
    }
}

/// The intervals of the solvers that were run more than once.
fn of_solvers(view: &View<'_>) -> Vec<(usize, Intervals)> {
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
