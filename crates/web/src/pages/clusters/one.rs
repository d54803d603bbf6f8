//! One cluster: why its members are thought the same, the smallest formula, releases, members.

use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use luthier_records::FindingKind;
use luthier_report::documents::csv_record;
use luthier_report::figures;
use maud::{Markup, PreEscaped, html};

use super::super::{Context, answer, answer_with_page, csv};
use super::{MOST_CELL, find, folder, releases, state};
use crate::address::Parameters;
use crate::clusters::{Cluster, Smallest};
use crate::error::PageError;
use crate::headings::{self, Heading, room};
use crate::highlight::highlight;
use crate::layout::{Page, Place, Step};
use crate::parts::{self, Slice};
use crate::state::App;
use crate::text::{cut, shorten, visible, visible_text};

/// How many members are on one page.
const PER_PAGE: usize = 100;
/// How many reasons, solvers and operators are shown.
const MOST_ITEMS: usize = 50;
/// How much of the smallest formula is shown; the download has all of it.
const MOST_FORMULA: usize = 100_000;

const HEADINGS: [Heading; 6] = [
    Heading::text("failure", "The formula of a hunt, or the instance and run of a campaign."),
    Heading::text("solver", "The configuration that fails."),
    Heading::text("class", "How it fails."),
    Heading::number("runs", "How many runs fail in this way."),
    Heading::text("minimal formula", "The assertions of its own minimal formula."),
    Heading::text("also", "Further operators that the solver evaluates wrongly in the formula."),
];

/// A cluster as a page.
pub(crate) async fn cluster(app: App, text: String, query: String) -> Response {
    answer_with_page(app, move |context| {
        let parameters = Parameters::parse(&query);
        parameters.only(&["page"])?;
        let (report, position) = find(context, &text)?;
        let one = &report.clusters[position];
        let slice = Slice::of(one.files.len(), parameters.page("page")?, PER_PAGE);
        let body = html! {
            (facts(one))
            @if !one.why.is_empty() {
                section aria-labelledby="why" {
                    h2 #why { "Why they are thought the same" }
                    ul.notes {
                        @for reason in one.why.iter().take(MOST_ITEMS) {
                            li { (visible_text(&shorten(reason, 1_000))) }
                        }
                    }
                }
            }
            @if let Some(smallest) = &one.smallest { (formula(context, position, smallest)?) }
            (releases::section(folder(context)?, position, one))
            (members(position, one, slice, &parameters))
        };
        let path = vec![Step { name: "Clusters".to_owned(), address: "/clusters".to_owned() }];
        let title = format!("Cluster {}", position + 1);
        Ok(Page { title, place: Place::Clusters, path, body })
    })
    .await
}

/// The smallest formula as a file.
pub(crate) async fn cluster_formula(app: App, text: String) -> Response {
    answer(app, move |context| {
        let (report, position) = find(context, &text)?;
        let missing = || PageError::not_found("This cluster has no smallest formula.");
        let smallest = report.clusters[position].smallest.as_ref().ok_or_else(missing)?;
        let (name, bytes) = folder(context)?.formula(smallest)?;
        let name = name.unwrap_or_else(|| format!("cluster-{}.smt2", position + 1));
        let headers = [
            (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
            (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
        ];
        Ok((headers, bytes).into_response())
    })
    .await
}

/// All members as CSV.
pub(crate) async fn cluster_members_csv(app: App, text: String) -> Response {
    answer(app, move |context| {
        let (report, position) = find(context, &text)?;
        let names = ["failure", "solver", "class", "runs", "minimal", "also"];
        let mut lines = csv_record(names);
        for member in &report.clusters[position].files {
            lines.push_str(&csv::line(&[
                member.file.clone(),
                member.solver.clone(),
                member.class.clone(),
                member.runs.to_string(),
                member.minimal.clone(),
                member.also.join(" "),
            ]));
        }
        Ok(csv::file("members", lines))
    })
    .await
}

fn facts(one: &Cluster) -> Markup {
    let meaning = FindingKind::from_name(&one.class).map(FindingKind::meaning);
    let names = |all: &[String]| {
        html! {
            ul.names {
                @for name in all.iter().take(MOST_ITEMS) {
                    li { code { (visible(&shorten(name, MOST_CELL))) } }
                }
                @if all.len() > MOST_ITEMS { li { "and " (all.len() - MOST_ITEMS) " more" } }
            }
        }
    };
    html! {
        dl.facts {
            dt { "Class" }
            dd {
                (visible(&shorten(&one.class, MOST_CELL)))
                @if let Some(meaning) = meaning { ": " span.why { (meaning) } }
            }
            @if !one.operators.is_empty() { dt { "Operators" } dd { (names(&one.operators)) } }
            @if !one.corner.is_empty() {
                dt { "Corner case" } dd { (visible(&shorten(&one.corner, 1_000))) }
            }
            dt { "Solvers" } dd { (names(&one.solvers)) }
            dt { "Members" } dd { (figures::count(one.members)) }
            dt { "State" } dd { (state(one)) }
            @if let Some(seen) = &one.first_seen {
                dt { "First seen" } dd { (visible(&shorten(seen, MOST_CELL))) }
            }
            @if let Some(note) = one.note.as_deref().filter(|note| !note.is_empty()) {
                dt { "Note" } dd { (visible_text(&shorten(note, 4_000))) }
            }
            dt { "Signature" } dd { code { (visible(&shorten(&one.signature, 1_000))) } }
        }
    }
}

fn formula(context: &Context, position: usize, smallest: &Smallest) -> Result<Markup, PageError> {
    let text = folder(context)?.formula(smallest);
    let address = format!("/cluster/{}/smallest.smt2", position + 1);
    Ok(html! {
        section aria-labelledby="formula" {
            h2 #formula { "Smallest formula" }
            p {
                (figures::count(smallest.nodes)) " nodes."
                @if !smallest.says.is_empty() {
                    " The solver says " q { (visible(&shorten(&smallest.says, MOST_CELL))) } "."
                }
                @if !smallest.truth.is_empty() {
                    " The ground truth is " q { (visible(&shorten(&smallest.truth, MOST_CELL))) } "."
                }
            }
            @match &text {
                Err(error) => p.doubt { (visible(&error.to_string())) },
                Ok((_, text)) => {
                    @let (shown, is_cut) = cut(text, MOST_FORMULA);
                    @let coloured = highlight(shown, "2.7");
                    div.code.scroll tabindex="0" role="region" aria-label="Smallest formula" {
                        pre.lines { code { (PreEscaped(coloured.html)) } }
                    }
                    @if is_cut || coloured.cut {
                        p.note { "This is only the beginning; the download has all of it." }
                    }
                    p.download { "Download: " a href=(address) download { "SMT-LIB" } " of this formula" }
                }
            }
        }
    })
}

fn members(position: usize, one: &Cluster, slice: Slice, parameters: &Parameters) -> Markup {
    let cell = |text: &str| visible(&shorten(text, MOST_CELL)).into_owned();
    html! {
        section aria-labelledby="members" {
            h2 #members { "Members (" (figures::count(one.members)) ")" }
            @if one.files.is_empty() { p { "The document does not list them." } }
            @else {
                (slice.pager(parameters, "page"))
                div.scroll.{ (room(80)) } tabindex="0" role="region" aria-label="Members" {
                    table.sortable.values {
                        thead { tr { (headings::head(&HEADINGS)) } }
                        tbody {
                            @for member in &one.files[slice.first..slice.end] {
                                tr {
                                    th scope="row" { (cell(&member.file)) }
                                    td { (cell(&member.solver)) }
                                    td { (cell(&member.class)) }
                                    (parts::count(member.runs))
                                    td { code { (cell(&member.minimal)) } }
                                    td { code { (cell(&member.also.join(", "))) } }
                                }
                            }
                        }
                    }
                }
                (csv::link(&format!("/cluster/{}/members.csv", position + 1), "all members"))
                (headings::help(&HEADINGS))
            }
        }
    }
}
