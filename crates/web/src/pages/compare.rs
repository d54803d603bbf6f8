//! Solvers side by side, instance by instance: filtered, sorted, a page at a time.

mod export;
mod form;
mod request;
mod table;

use std::sync::Arc;

use axum::response::Response;
use luthier_report::{Results, View, figures, plots};
use maud::{Markup, PreEscaped, html};

use self::request::{PATH, Request};
use super::answer;
use crate::address::{Parameters, instance_address};
use crate::layout::{self, Page, Place};
use crate::parts::{Picture, Slice, chart_of_points};
use crate::snapshot::Snapshot;
use crate::state::App;

pub(crate) use self::export::{compare_csv, compare_picture};
pub(crate) use self::table::cell as run_cell;

/// How many instances one page lists.
pub(super) const PER_PAGE: usize = 100;
/// A chart of more instances than these is kept, because it takes time to draw.
const KEPT_FROM: usize = 5_000;

/// The comparison.
pub(crate) async fn compare(app: App, query: String) -> Response {
    answer(app, move |context| {
        let results = &context.snapshot.results;
        let asked = Parameters::parse(&query);
        let request = Request::read(results, &asked)?;
        let query = request.query(results);
        if let Some(redirect) = query.redirect(PATH, &asked) {
            return Ok(redirect);
        }
        let page = Page {
            title: "Compare".to_owned(),
            place: Place::Compare,
            path: request.scope.path(results),
            body: html! {},
        };
        let snapshot = Arc::clone(&context.snapshot);
        Ok(layout::respond_in_parts(context, page, move || body(&snapshot, &request, &asked)))
    })
    .await
}

/// Makes what takes time on the page without parameters.
pub(super) fn prepare(snapshot: &Snapshot) {
    let results = &*snapshot.results;
    let asked = Parameters::default();
    if let Ok(request) = Request::read(results, &asked) {
        scatter(snapshot, &request, &request.view(results));
    }
}

fn body(snapshot: &Snapshot, request: &Request, asked: &Parameters) -> Markup {
    let results = &*snapshot.results;
    if results.entries.is_empty() || request.solvers.chosen.is_empty() {
        return html! { p { "There are no runs in this database yet." } };
    }
    let view = request.view(results);
    let sorted = request.sorting.sort(&view);
    let slice = Slice::of(sorted.len(), request.page, PER_PAGE);
    let is_site = snapshot.medium.is_site();
    let slice = if is_site { slice.up_to(1) } else { slice };
    html! {
        @if is_site { (without_script()) }
        div.beside {
            @if is_site { div #choose hidden { (form::form(results, request)) } }
            @else { (form::form(results, request)) }
            (scatter(snapshot, request, &view))
        }
        @if is_site { p #scatter-note.note.why {} }
        section aria-labelledby="matching" {
            h2 #matching { (matching(results, request, &view)) }
            @if view.entries.is_empty() {
                p { "Nothing matches. " a href=(PATH) { "Start again" } " with everything." }
            } @else {
                div id=[is_site.then_some("list")] {
                    (table::orders(results, request))
                    (slice.pager(asked, "page"))
                    (table::table(&view, request, &sorted[slice.first..slice.end]))
                    (slice.pager(asked, "page"))
                }
                (for_programs(results, request, &slice, is_site))
            }
        }
    }
}

/// On a site a script filters and sorts; what it does is told to those who have none.
fn without_script() -> Markup {
    html! {
        noscript { p.note.why { "Filters and orders need JavaScript here." } }
        p #list-state.note.why role="status" {}
    }
}

/// How many there are, in words.
fn matching(results: &Results, request: &Request, view: &View<'_>) -> String {
    let all = request.all(results).entries.len() as u64;
    let found = view.entries.len() as u64;
    match found == all {
        true => format!("All {} instances", figures::count(all)),
        false => format!("{} of {} instances", figures::count(found), figures::count(all)),
    }
}

fn for_programs(results: &Results, request: &Request, slice: &Slice, is_site: bool) -> Markup {
    let query = request.programs_query(results, slice.first, PER_PAGE);
    let all = Request { page: 1, ..request.clone() };
    html! {
        p.download {
            "Download: "
            a href=(all.query(results).address("/compare.csv")) download { "CSV" }
            " of all that match, with a line for each run"
        }
        (table::help())
        @if !is_site { p.links {
            "For programs: this page of the list as "
            a href=(query.address("/api/v1/instances")) { "JSON" } " or "
            a href=(query.address("/api/v1/instances.csv")) { "CSV" }
        } }
    }
}

fn scatter(snapshot: &Snapshot, request: &Request, view: &View<'_>) -> Markup {
    let Some((x, y)) = request.axes else {
        return html! { p.why.note { "Choose two solvers to see them against each other." } };
    };
    if view.entries.is_empty() {
        return html! {};
    }
    let picture =
        Picture::of_page(PATH, Request { page: 1, ..request.clone() }.query(view.results));
    let draw = |_: &Results| {
        chart_of_points(&plots::scatter(view, x, y, Some(instance_address)), &picture).into_string()
    };
    let drawn = if view.entries.len() >= KEPT_FROM {
        let results = view.results;
        let name = format!("scatter {x} {y} {}", request.selection(results).address(PATH));
        snapshot.part(&name, draw)
    } else {
        draw(view.results).into()
    };
    html! {
        section.scatter aria-label="Scatter plot" {
            a.skip href="#matching" { "Skip the points" }
            (PreEscaped(&*drawn))
            p.why.note { "Every point leads to its instance; one may stand for several that are close together." }
        }
    }
}
