//! A solver: how it was run, what it did on each set, and what was found about it.

use axum::response::Response;
use luthier_report::measures::{Competitor, FilterKind, Standing, standings};
use luthier_report::{Results, View};
use maud::{Markup, PreEscaped, html};

use super::answer_with_page;
use super::behind::Behind;
use super::choice::Scope;
use super::configuration::facts;
use super::csv;
use super::findings::counts;
use super::matrix::standings_by_set;
use super::query::Query;
use super::tables::{Columns, SET, legend};
use crate::address::number;
use crate::error::PageError;
use crate::headings;
use crate::layout::{Page, Place};
use crate::state::App;
use crate::text::visible;

/// The page of a solver.
pub(crate) async fn solver(app: App, text: String) -> Response {
    answer_with_page(app, move |context| {
        let snapshot = &context.snapshot;
        let wanted = number(&text, "a solver")?;
        let found = snapshot.results.solvers.iter().position(|solver| solver.number == wanted);
        let solver = found
            .ok_or_else(|| PageError::not_found(format!("There is no solver {wanted} here.")))?;
        let part = snapshot
            .part(&format!("solver {wanted}"), |results| body(results, solver).into_string());
        Ok(Page {
            title: snapshot.results.solvers[solver].label.clone(),
            place: Place::Elsewhere,
            path: Vec::new(),
            body: html! { (PreEscaped(&*part)) },
        })
    })
    .await
}

fn body(results: &Results, solver: usize) -> Markup {
    let info = &results.solvers[solver];
    let view = View::all(results);
    let own = View::all(results).with_solvers(vec![solver]);
    html! {
        @if view.solvers.contains(&solver) {
            section aria-labelledby="findings" {
                h2 #findings { "Findings" }
                (counts(&own, None, Some(&info.label)))
            }
            (totals(results, &view, solver))
            (elsewhere(results, solver))
        } @else {
            p { "It has no runs yet." }
        }
        section aria-labelledby="configuration" {
            h2 #configuration { "Configuration" }
            (facts(&info.configuration))
        }
    }
}

/// Its scores over everything and on each set; ranks are among all solvers.
fn totals(results: &Results, view: &View<'_>, solver: usize) -> Markup {
    let is_its = |standing: &Standing| standing.competitor == Competitor::Solver(solver);
    let its = |all: Vec<Standing>| all.into_iter().find(is_its);
    let all = its(standings(view));
    let by_set: Vec<Option<Standing>> =
        standings_by_set(results, view).into_iter().map(its).collect();
    let columns = Columns::of(all.iter().chain(by_set.iter().flatten()));
    html! {
        section aria-labelledby="scores" {
            h2 #scores { "By set" }
            div.scroll.{ (columns.room(11)) } tabindex="0" role="region" aria-label="Scores by set" {
                table.sortable {
                    thead { tr { (headings::head(&[SET])) (columns.head()) } }
                    tbody {
                        @if let Some(standing) = &all {
                            tr.all {
                                th scope="row" data-sort="" { (columns.mark(standing)) "all sets" }
                                (columns.row(standing, &Behind::of(results, Scope::default())))
                            }
                        }
                        @for (index, standing) in by_set.iter().enumerate() {
                            @if let Some(standing) = standing {
                                @let set = &results.sets[index];
                                tr {
                                    th.set scope="row" data-sort=(visible(&set.name)) {
                                        (columns.mark(standing))
                                        a href={ "/set/" (set.number) } { (visible(&set.name)) }
                                    }
                                    (columns.row(standing, &Behind::of_set(results, index)))
                                }
                            }
                        }
                    }
                }
            }
            (csv::link("/scores.csv", "all scores of all solvers"))
            (columns.help(&[SET]))
            (legend(all.iter().chain(by_set.iter().flatten())))
            @if by_set.len() < results.sets.len() {
                p.note.why { "The first " (by_set.len()) " sets; the pages of the others have theirs." }
            }
        }
    }
}

/// Where its runs are listed.
fn elsewhere(results: &Results, solver: usize) -> Markup {
    let info = &results.solvers[solver];
    let behind = Behind::of(results, Scope::default());
    let link = |kind: FilterKind, words: &str| {
        html! { a href=(behind.address(Some(solver), kind)) { (words) } }
    };
    html! {
        p.links {
            (link(FilterKind::Unsolved, "What it did not solve")) " · "
            (link(FilterKind::Unique, "What only it solved")) " · "
            a href=(Query::default().with("after", info.number).address("/changes")) {
                "Run against run"
            }
            " · "
            a href=(Query::default().with("solver", info.number).address("/operators")) {
                "Operators"
            }
            " · "
            a href=(Query::default().with("solver", info.number).address("/compare.csv")) download {
                "Its runs as CSV"
            }
        }
    }
}
