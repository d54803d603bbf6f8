//! Which operators and features instances use, and how each solver fares by them.

mod request;

use std::sync::Arc;

use axum::response::Response;
use luthier_report::documents::csv_record;
use luthier_report::measures::{FeatureCell, FeatureRow, FeatureTable, FilterKind, features};
use luthier_report::{Results, figures, plots};
use maud::{Markup, PreEscaped, html};

use self::request::{Figure, Key, PATH, Request};
use super::choice::{Scope, choice_link, sorted_heading};
use super::query::Query;
use super::tables::solver_link;
use super::{answer, csv};
use crate::address::Parameters;
use crate::headings::{self, Heading, room};
use crate::layout::{self, Page, Place};
use crate::medium::Medium;
use crate::parts::{Picture, Slice, bad_count, chart, linked_count, wrong_mark};
use crate::snapshot::Snapshot;
use crate::state::App;
use crate::text::{shorten, visible};

/// How many operators one page lists; there are fewer, unless somebody makes names up.
const PER_PAGE: usize = 200;
/// How many operators the charts show.
const IN_CHARTS: usize = 24;

/// The operators.
pub(crate) async fn operators(app: App, query: String) -> Response {
    answer(app, move |context| {
        let results = &context.snapshot.results;
        let asked = Parameters::parse(&query);
        let request = Request::read(results, &asked)?;
        if let Some(redirect) = request.query(results).redirect(PATH, &asked) {
            return Ok(redirect);
        }
        let page = Page {
            title: "Operators".to_owned(),
            place: Place::Operators,
            path: request.scope.path(results),
            body: html! {},
        };
        let snapshot = Arc::clone(&context.snapshot);
        Ok(layout::respond_in_parts(context, page, move || kept(&snapshot, &request, &asked)))
    })
    .await
}

/// All operators as CSV, with a line for each solver.
pub(crate) async fn operators_csv(app: App, query: String) -> Response {
    answer(app, move |context| {
        let results = &context.snapshot.results;
        let request = Request::read(results, &Parameters::parse(&query))?;
        let table = features(&request.view(results));
        let names = ["operator", "instances", "solver", "scored", "solved", "wrong", "lift"];
        let mut text = csv_record(names.into_iter().chain(["par2_mean"]));
        for row in request.sort(results, &table) {
            for (place, (cell, &solver)) in
                row.cells.iter().zip(&request.solvers.chosen).enumerate()
            {
                let lift = table.overall.get(place).and_then(|overall| cell.lift(overall));
                text.push_str(&csv::line(&[
                    results.features[row.feature].clone(),
                    row.entries.to_string(),
                    results.solvers[solver].label.clone(),
                    cell.instances.to_string(),
                    cell.solved.to_string(),
                    cell.wrong.to_string(),
                    csv::figure(lift),
                    csv::figure(cell.par2_mean()),
                ]));
            }
        }
        Ok(csv::file("operators", text))
    })
    .await
}

/// Makes what takes time on the page without parameters.
pub(super) fn prepare(snapshot: &Snapshot) {
    let results = &*snapshot.results;
    let asked = Parameters::default();
    if let Ok(request) = Request::read(results, &asked) {
        kept(snapshot, &request, &asked);
    }
}

/// Every instance counts, so this takes time; but there are few views.
fn kept(snapshot: &Snapshot, request: &Request, asked: &Parameters) -> Markup {
    let name = request.address(&snapshot.results);
    let medium = snapshot.medium;
    let body = snapshot.part(&name, |results| body(results, medium, request, asked).into_string());
    html! { (PreEscaped(&*body)) }
}

fn body(results: &Results, medium: Medium, request: &Request, asked: &Parameters) -> Markup {
    let view = request.view(results);
    let table = features(&view);
    let rows = request.sort(results, &table);
    let slice = Slice::of(rows.len(), request.page, PER_PAGE);
    let slice = if medium.is_site() { slice.up_to(1) } else { slice };
    let picture = |name: &str| {
        let query = request.scope.add_to(results, Query::default());
        let query = request.solvers.add_for_programs(results, query);
        Picture::of_chart(name, query.with("most", IN_CHARTS))
    };
    html! {
        @if medium.is_site() { (choices(results, request)) } @else { (form(results, request)) }
        (known(&table))
        @if !rows.is_empty() {
            section.charts aria-label="Charts" {
                (chart(&plots::feature_uses(&view, &table, IN_CHARTS), &picture("uses")))
                (chart(&plots::features_of(&view, &table, IN_CHARTS), &picture("operators")))
            }
            section aria-labelledby="by-operator" {
                h2 #by-operator { "By operator" }
                p.why.note {
                    "String operators come first, then everything else, each by use. \
                     Solved and PAR2 are over the instances that use the operator. Lift is the share \
                     solved of these, divided by the share solved of all: below 1 the operator goes \
                     with failure. That is no proof of a cause, since operators come together."
                }
                (slice.pager(asked, "page"))
                (rows_table(results, request, &table, &rows[slice.first..slice.end]))
                (slice.pager(asked, "page"))
                (csv::link(&request.query(results).address("/operators.csv"), "all operators"))
                (headings::help(&HEADINGS))
            }
        }
    }
}

fn form(results: &Results, request: &Request) -> Markup {
    html! {
        form.choose method="get" action=(PATH) aria-label="What is looked at" {
            (request.solvers.field(results))
            div.fields { (request.scope.fields(results)) }
            p.buttons { button.main type="submit" { "Show" } }
        }
    }
}

/// What the form chooses, as links.
fn choices(results: &Results, request: &Request) -> Markup {
    let solvers = results.solvers_with_runs();
    let is_of = |solver: usize| request.solvers.chosen == [solver];
    let is_everything = request.scope == Scope::default() && !solvers.iter().any(|&one| is_of(one));
    html! {
        nav.choices aria-label="What is looked at" {
            ul {
                (choice_link(PATH, "everything", is_everything))
                @for &solver in solvers {
                    @let info = &results.solvers[solver];
                    @let address = Query::default().with("solver", info.number).address(PATH);
                    @if solvers.len() > 1 { (choice_link(&address, &info.label, is_of(solver))) }
                }
            }
            ul {
                @for (index, set) in results.sets.iter().enumerate() {
                    @let scope = Scope { set: Some(index), track: None };
                    @let address = scope.add_to(results, Query::default()).address(PATH);
                    (choice_link(&address, &set.name, request.scope.set == Some(index)))
                }
            }
        }
    }
}

fn known(table: &FeatureTable) -> Markup {
    html! {
        p.lead {
            (figures::count(table.known)) " instances use "
            (figures::count(table.rows.len() as u64)) " operators and other features."
            @if table.unknown > 0 {
                " Of " (figures::count(table.unknown)) " further instances it is not known what they \
                 use: they could not be read, or not yet. They are in no figure here."
            }
        }
    }
}

fn rows_table(
    results: &Results,
    request: &Request,
    table: &FeatureTable,
    rows: &[&FeatureRow],
) -> Markup {
    let solvers = &request.solvers.chosen;
    html! {
        div.scroll.{ (room(22 + 17 * solvers.len())) } tabindex="0" role="region" aria-label="Operators" {
            table.operators {
                caption { "Operators and features, and how each solver fares by them" }
                thead {
                    tr {
                        td colspan="3" {}
                        @for &solver in solvers {
                            th.group scope="colgroup" colspan="4" {
                                (solver_link(results, solver))
                            }
                        }
                    }
                    tr {
                        (heading(results, request, &HEADINGS[0], Key::Name))
                        (heading(results, request, &HEADINGS[1], Key::Uses))
                        (headings::head(&HEADINGS[2..3]))
                        @for &solver in solvers {
                            @for (figure, words) in Figure::ALL.into_iter().zip(&HEADINGS[3..]) {
                                (heading(results, request, words, Key::Of(figure, solver)))
                            }
                        }
                    }
                    tr.totals {
                        th scope="row" {
                            (wrong_mark(table.overall.iter().any(|cell| cell.wrong > 0)))
                            "all that are known"
                        }
                        td.n { (figures::count(table.known)) }
                        td.n {}
                        @for cell in &table.overall { (cells(cell, None, None)) }
                    }
                }
                tbody {
                    @for row in rows {
                        @let feature = &results.features[row.feature];
                        @let address = request.selection(results).with("feature", feature).address("/compare");
                        tr {
                            th scope="row" {
                                (wrong_mark(row.cells.iter().any(|cell| cell.wrong > 0)))
                                a href=(&address) { code { (visible(&shorten(feature, 60))) } }
                            }
                            (linked_count(row.entries, Some(address)))
                            td.n { (figures::share(row.entries, table.known)) }
                            @for (place, cell) in row.cells.iter().enumerate() {
                                @let wrong = request.instances_of(results, feature, FilterKind::Refuted, solvers[place]);
                                (cells(cell, table.overall.get(place), Some(wrong)))
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The four figures of a solver; the lift only where there is something to compare with, since that
/// of everything is 1. `wrong` is where its wrong answers are listed.
fn cells(cell: &FeatureCell, overall: Option<&FeatureCell>, wrong: Option<String>) -> Markup {
    let lift = overall.and_then(|overall| cell.lift(overall));
    let is_low = lift.is_some_and(|lift| lift < LOW_LIFT);
    html! {
        td.n.first { (figures::share(cell.solved, cell.instances)) }
        td.n {
            @if is_low { span.doubt { "▼ " (figures::optional(lift, figures::ratio)) } }
            @else { (figures::optional(lift, figures::ratio)) }
        }
        (bad_count(cell.wrong, wrong))
        td.n { (figures::optional(cell.par2_mean(), figures::seconds)) }
    }
}

/// What is this much below its usual share is marked.
const LOW_LIFT: f64 = 0.9;

fn heading(results: &Results, request: &Request, heading: &Heading, key: Key) -> Markup {
    let direction = (request.key == key).then_some(request.descending);
    sorted_heading(heading, html! { (heading.name) }, direction, |descending| {
        request.sorted(key, descending).address(results)
    })
}

/// The columns: of the operator, then of each solver in the order of `Figure::ALL`.
const HEADINGS: [Heading; 7] = [
    Heading::text(
        "operator",
        "An operator, or another feature of a script. It leads to its instances.",
    ),
    Heading::number("instances", "Instances that use it."),
    Heading::number("share", "Their share of the instances whose operators are known."),
    Heading::number("solved", "The share that the solver solved of the instances that use it."),
    Heading::number(
        "lift",
        "That share divided by the share solved of all instances; ▼ is below 0.9.",
    ),
    Heading::number("wrong", "Instances with a wrong answer or an invalid model."),
    Heading::number(
        "PAR2, s",
        "The mean CPU time in seconds; what is not solved counts twice its limit.",
    ),
];
