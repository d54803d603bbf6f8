//! Run against run: what changed between two releases or two campaigns.

mod list;
mod request;
mod sets;

use std::sync::Arc;

use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use luthier_report::documents::csv_record;
use luthier_report::measures::{
    Change, Comparison, NoiseBand, NoiseSource, Side, Tally, Thresholds, compare,
};
use luthier_report::plots::TimelineMeasure;
use luthier_report::{Results, View, documents, figures, plots};
use maud::{Markup, PreEscaped, html};

use self::request::{PATH, Request};
use super::choice::choice_link;
use super::compare::PER_PAGE;
use super::query::Query;
use super::{answer, csv};
use crate::address::{Parameters, instance_address};
use crate::api;
use crate::error::PageError;
use crate::headings::{self, Heading, room};
use crate::layout::{self, Page, Place};
use crate::parts::{Picture, Slice, chart, chart_of_points};
use crate::site::change_pairs;
use crate::snapshot::Snapshot;
use crate::state::App;
use crate::text::visible;

/// A chart of more instances than these is kept, because it takes time to draw.
const KEPT_FROM: usize = 5_000;
/// More campaigns than these are of no use in a form; the newest are there.
const MOST_CAMPAIGNS: usize = 200;

/// All changes of the list as CSV.
pub(crate) async fn changes_csv(app: App, query: String) -> Response {
    answer(app, move |context| {
        let results = &context.snapshot.results;
        let request = Request::read(results, &Parameters::parse(&query))?;
        let request = request.ok_or_else(|| PageError::not_found("There are no runs here yet."))?;
        let view = request.view(results);
        let found = compared(&request, &view).changes;
        Ok(csv::file("changes", list::csv(results, &list::chosen(&request, &found))))
    })
    .await
}

/// The totals of both sides as CSV.
pub(crate) async fn changes_totals_csv(app: App, query: String) -> Response {
    answer(app, move |context| {
        let results = &context.snapshot.results;
        let request = Request::read(results, &Parameters::parse(&query))?;
        let request = request.ok_or_else(|| PageError::not_found("There are no runs here yet."))?;
        let view = request.view(results);
        let found = compared(&request, &view).all.tally;
        let names = ["side", "solver", "instances", "solved", "wrong", "par2_seconds"];
        let mut text = csv_record(names.into_iter().chain(["cpu_seconds"]));
        let sides =
            [("before", request.before, found.before), ("after", request.after, found.after)];
        for (name, side, sums) in sides {
            text.push_str(&csv::line(&[
                name.to_owned(),
                results.solvers[side.solver].label.clone(),
                found.compared.to_string(),
                sums.solved.to_string(),
                sums.refuted.to_string(),
                figures::exact_seconds(sums.par2.0).to_string(),
                figures::exact_seconds(sums.cpu.0).to_string(),
            ]));
        }
        Ok(csv::file("totals", text))
    })
    .await
}

/// The table of sets as CSV.
pub(crate) async fn changes_sets_csv(app: App, query: String) -> Response {
    answer(app, move |context| {
        let results = &context.snapshot.results;
        let request = Request::read(results, &Parameters::parse(&query))?;
        let request = request.ok_or_else(|| PageError::not_found("There are no runs here yet."))?;
        let view = request.view(results);
        Ok(csv::file("sets", sets::csv(results, &compared(&request, &view))))
    })
    .await
}

/// The scatter plot of what changed as a picture in a format: `svg`, otherwise `png`.
pub(crate) async fn changes_picture(app: App, query: String, format: &'static str) -> Response {
    answer(app, move |context| {
        let results = &context.snapshot.results;
        let request = Request::read(results, &Parameters::parse(&query))?;
        let request = request.ok_or_else(|| PageError::not_found("There are no runs here yet."))?;
        let view = request.view(results);
        let found = compared(&request, &view).changes;
        let mut entries: Vec<usize> =
            list::chosen(&request, &found).iter().map(|change| change.entry).collect();
        entries.sort_unstable();
        let chart = plots::scatter_of_sides(
            &View { entries, ..view.clone() },
            request.before,
            request.after,
            Some(instance_address),
        );
        let reply = api::picture(&chart, format);
        let reply = reply.map_err(|_| PageError::failed("The chart could not be drawn."))?;
        Ok(([(header::CONTENT_TYPE, reply.kind)], reply.body).into_response())
    })
    .await
}

/// What changed, as a page.
pub(crate) async fn changes(app: App, query: String) -> Response {
    answer(app, move |context| {
        let results = &context.snapshot.results;
        let asked = Parameters::parse(&query);
        let request = Request::read(results, &asked)?;
        let redirect = request.and_then(|request| request.query(results).redirect(PATH, &asked));
        if let Some(redirect) = redirect {
            return Ok(redirect);
        }
        let page = Page {
            title: "Run against run".to_owned(),
            place: Place::Changes,
            path: request.map(|request| request.scope.path(results)).unwrap_or_default(),
            body: html! {},
        };
        let snapshot = Arc::clone(&context.snapshot);
        Ok(layout::respond_in_parts(context, page, move || match request {
            Some(request) => body(&snapshot, &request, &asked),
            None => html! { p { "There are no runs in this database yet." } },
        }))
    })
    .await
}

/// Makes what takes time on the page without parameters.
pub(super) fn prepare(snapshot: &Snapshot) {
    let results = &*snapshot.results;
    let asked = Parameters::default();
    if let Ok(Some(request)) = Request::read(results, &asked) {
        body(snapshot, &request, &asked);
    }
}

fn body(snapshot: &Snapshot, request: &Request, asked: &Parameters) -> Markup {
    let results = &*snapshot.results;
    let view = request.view(results);
    let comparison = compared(request, &view);
    let found = &comparison.changes;
    let listed = list::chosen(request, found);
    let slice = Slice::of(listed.len(), request.page, PER_PAGE);
    let is_site = snapshot.medium.is_site();
    let slice = if is_site { slice.up_to(1) } else { slice };
    html! {
        div.beside {
            div {
                @if is_site { (choices(results, request)) } @else { (form(results, request)) }
                (totals(&found.tally))
                @let sides = Request { is_default: false, kind: None, page: 1, ..*request };
                (csv::link(&sides.query(results).address("/changes/totals.csv"), "these totals"))
                (headings::help(&TOTALS))
                (noise(&found.band))
            }
            (scatter(snapshot, request, &view, &listed))
        }
        (sets::section(results, request, &comparison))
        section aria-labelledby="changes" {
            h2 #changes { "Changes" }
            (list::tabs(results, request, found))
            @if listed.is_empty() {
                p { "There are none of this kind." }
            } @else {
                (slice.pager(asked, "page"))
                (list::table(results, request, &listed[slice.first..slice.end]))
                (slice.pager(asked, "page"))
                @let all = Request { is_default: false, page: 1, ..*request };
                (csv::link(&all.query(results).address("/changes.csv"), "all of these changes"))
                (headings::help(&list::HEADINGS))
            }
        }
        (timelines(snapshot, request))
    }
}

/// What is asked for, compared with the thresholds that `luthier compare` has by default.
fn compared<'a>(request: &Request, view: &View<'a>) -> Comparison<'a> {
    compare(view, request.before, request.after, &Thresholds::default())
}

/// What the form chooses, as links: pairs of solvers, the one before in front.
fn choices(results: &Results, request: &Request) -> Markup {
    let pairs = change_pairs(results);
    let label = |solver: usize| &results.solvers[solver].label;
    let number = |solver: usize| results.solvers[solver].number;
    let mut sides: Vec<usize> = pairs.iter().map(|(before, _)| *before).collect();
    sides.dedup();
    html! {
        p { (visible(label(request.before.solver))) " → " (visible(label(request.after.solver))) }
        @if pairs.len() > 1 {
            nav.choices aria-label="What is compared" {
                @for before in sides {
                    ul {
                        li.why { (visible(label(before))) " →" }
                        @for &(_, after) in pairs.iter().filter(|(one, _)| *one == before) {
                            @let address = Query::default().with("before", number(before)).with("after", number(after));
                            @let is_chosen = (request.before.solver, request.after.solver) == (before, after);
                            (choice_link(&address.address(PATH), label(after), is_chosen))
                        }
                    }
                }
            }
        }
    }
}

fn form(results: &Results, request: &Request) -> Markup {
    let swapped = Request { before: request.after, after: request.before, page: 1, ..*request };
    html! {
        form.choose method="get" action=(PATH) aria-label="What is compared" {
            div.fields {
                (side(results, "Before", "before", "before_campaign", request.before))
                (side(results, "After", "after", "after_campaign", request.after))
                (request.scope.fields(results))
            }
            @if let Some(kind) = request.kind {
                input type="hidden" name="kind" value=(kind.name());
            }
            p.buttons {
                button.main type="submit" { "Show" }
                a href=(swapped.address(results)) { "Swap before and after" }
            }
        }
    }
}

fn side(results: &Results, words: &str, name: &str, campaign_name: &str, side: Side) -> Markup {
    html! {
        label { (words)
            select name=(name) {
                @for (index, solver) in results.solvers.iter().enumerate() {
                    option value=(solver.number) selected[side.solver == index] {
                        (visible(&solver.label))
                    }
                }
            }
        }
        label { (words) ", runs of"
            select name=(campaign_name) {
                option value="" { "all campaigns" }
                @for (index, info) in results.campaigns.iter().enumerate().rev().take(MOST_CAMPAIGNS) {
                    option value=(info.number) selected[side.campaign == Some(index)] {
                        "campaign " (info.number)
                        @if let Some(moment) = documents::moment(info.campaign.started) { ", " (moment) }
                    }
                }
            }
        }
    }
}

/// The columns of the totals.
const TOTALS: [Heading; 4] = [
    Heading::text(
        "figure",
        "Solved and wrong count instances; PAR2 sums CPU times, where what is not solved counts twice \
         its limit; CPU sums the CPU times.",
    ),
    Heading::number("before", "Of the solver and campaign chosen as before."),
    Heading::number("after", "Of the solver and campaign chosen as after."),
    Heading::number("difference", "After minus before."),
];

/// The sums of both sides, over what both have.
fn totals(found: &Tally) -> Markup {
    let (before, after) = (found.before, found.after);
    let count = |words: &str, before: u64, after: u64| {
        let difference = after.cast_signed().saturating_sub(before.cast_signed());
        html! {
            tr {
                th scope="row" { (words) }
                td.n { (figures::count(before)) }
                td.n { (figures::count(after)) }
                td.n { (figures::difference(difference)) }
            }
        }
    };
    let time = |words: &str, before: f64, after: f64| {
        html! {
            tr {
                th scope="row" { (words) }
                td.n { (figures::sum_seconds(before)) }
                td.n { (figures::sum_seconds(after)) }
                td.n { (figures::seconds_difference(after - before)) }
            }
        }
    };
    html! {
        div.scroll.{ (room(30)) } tabindex="0" role="region" aria-label="Totals" {
            table.totals {
                caption {
                    "On the " (figures::count(found.compared)) " instances with results on both sides"
                }
                thead { tr { (headings::head(&TOTALS)) } }
                tbody {
                    (count("solved", before.solved, after.solved))
                    (count("wrong", before.refuted, after.refuted))
                    (time("PAR2, s", before.par2.as_secs_f64(), after.par2.as_secs_f64()))
                    (time("CPU, s", before.cpu.as_secs_f64(), after.cpu.as_secs_f64()))
                }
            }
        }
    }
}

/// What is taken for noise, and why.
fn noise(band: &NoiseBand) -> Markup {
    html! {
        p.why.note {
            "Slower and faster are beyond noise: more than " (figures::ratio(band.ratio))
            " times as long, and more than " (band.floor.as_millis()) " ms longer. "
            @match band.source {
                NoiseSource::Default | NoiseSource::Given => {
                    "These are defaults: there are too few repetitions to measure noise."
                }
                NoiseSource::Repetitions { pairs } => {
                    "The ratio is measured on " (figures::count(pairs as u64))
                    " pairs of repetitions: 95 % of them differ less."
                }
            }
        }
    }
}

fn scatter(
    snapshot: &Snapshot,
    request: &Request,
    view: &View<'_>,
    listed: &[&Change<'_>],
) -> Markup {
    let mut entries: Vec<usize> = listed.iter().map(|change| change.entry).collect();
    if entries.is_empty() {
        return html! {};
    }
    entries.sort_unstable();
    let many = entries.len() >= KEPT_FROM;
    let view = View { entries, ..view.clone() };
    let draw = |_: &Results| {
        let chart =
            plots::scatter_of_sides(&view, request.before, request.after, Some(instance_address));
        let shown = Request { is_default: false, page: 1, ..*request };
        chart_of_points(&chart, &Picture::of_page(PATH, shown.query(view.results))).into_string()
    };
    let drawn = if many {
        let kind = request.kind.map_or("changed", |kind| kind.name());
        let sides = Request { is_default: false, ..*request }.sides(view.results);
        snapshot.part(&format!("{kind} {}", sides.address(PATH)), draw)
    } else {
        draw(view.results).into()
    };
    html! {
        section.scatter aria-label="Scatter plot" {
            a.skip href="#changes" { "Skip the points" }
            (PreEscaped(&*drawn))
            p.why.note { "The instances of the list below. Every point leads to its instance." }
        }
    }
}

/// How the families of both sides went from release to release.
fn timelines(snapshot: &Snapshot, request: &Request) -> Markup {
    let results = &*snapshot.results;
    let family = |side: Side| results.solvers[side.solver].configuration.family.as_str();
    let mut wanted = vec![family(request.after), family(request.before)];
    wanted.dedup();
    let name = format!("timelines {wanted:?} {:?}", request.scope);
    let part = snapshot.part(&name, |results| {
        let view = request.scope.of(View::all(results));
        let several = plots::families(&view);
        wanted.retain(|family| several.contains(family));
        html! {
            @if !wanted.is_empty() {
                section aria-labelledby="releases" {
                    h2 #releases { "Releases" }
                    div.charts {
                        @for family in &wanted {
                            @for (timeline, measure) in plots::timelines(&view, family).iter().zip(TimelineMeasure::ALL) {
                                (chart(timeline, &Picture::of_chart(
                                    "timeline",
                                    request.scope.add_to(results, Query::default()).with("family", family).with("measure", measure.name()),
                                )))
                            }
                        }
                    }
                }
            }
        }
        .into_string()
    });
    html! { (PreEscaped(&*part)) }
}
