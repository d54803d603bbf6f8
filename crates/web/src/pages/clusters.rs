//! The clusters of a folder, each with its smallest formula: failures by likely root cause.

mod one;
mod releases;

use axum::response::Response;
use luthier_report::documents::csv_record;
use luthier_report::figures;
use maud::{Markup, html};

use super::{Context, answer, answer_with_page, csv};
use crate::address::{Parameters, number};
use crate::clusters::{Cluster, ClusterError, ClusterFolder, ClusterReport};
use crate::error::PageError;
use crate::headings::{self, Heading, room};
use crate::layout::{Page, Place};
use crate::parts::{self, Slice};
use crate::state::App;
use crate::text::{shorten, visible};

pub(crate) use self::one::{cluster, cluster_formula, cluster_members_csv};
pub(crate) use self::releases::{cluster_timeline_csv, cluster_timeline_picture};

/// How many clusters are on one page.
const PER_PAGE: usize = 100;
/// How much of a text a cell has.
const MOST_CELL: usize = 160;
/// How many failures without a cluster are listed.
const MOST_UNEXAMINED: usize = 100;

const HEADINGS: [Heading; 8] = [
    Heading::text("cluster", "Its number, which leads to its members and its smallest formula."),
    Heading::text("class", "The worst kind of finding of its members."),
    Heading::text("operators", "The operators at fault, as far as the cause could be located."),
    Heading::text("corner case", "The arguments for which the operator is evaluated wrongly."),
    Heading::number("members", "How many failures have this likely cause."),
    Heading::number("nodes", "The size of the smallest formula, in nodes of terms."),
    Heading::text("smallest formula", "The assertions of the smallest formula that shows it."),
    Heading::text("state", "Whether the cluster is in the file of known clusters."),
];

/// The clusters as a page.
pub(crate) async fn clusters(app: App, query: String) -> Response {
    answer_with_page(app, move |context| {
        let parameters = Parameters::parse(&query);
        parameters.only(&["page"])?;
        let report = report(context)?;
        let slice = Slice::of(report.clusters.len(), parameters.page("page")?, PER_PAGE);
        let body = body(&report, slice, &parameters);
        let title = "Clusters".to_owned();
        Ok(Page { title, place: Place::Clusters, path: Vec::new(), body })
    })
    .await
}

/// All clusters as CSV.
pub(crate) async fn clusters_csv(app: App) -> Response {
    answer(app, move |context| {
        let report = report(context)?;
        let names = ["cluster", "class", "operators", "corner", "members", "nodes", "state"];
        let more = ["name", "solvers", "signature", "formula"];
        let mut lines = csv_record(names.into_iter().chain(more));
        for (position, one) in report.clusters.iter().enumerate() {
            let smallest = one.smallest.as_ref();
            lines.push_str(&csv::line(&[
                (position + 1).to_string(),
                one.class.clone(),
                one.operators.join(" "),
                one.corner.clone(),
                one.members.to_string(),
                smallest.map(|smallest| smallest.nodes.to_string()).unwrap_or_default(),
                state_word(one).to_owned(),
                one.name.clone().unwrap_or_default(),
                one.solvers.join(" "),
                one.signature.clone(),
                smallest.map(|smallest| smallest.formula.clone()).unwrap_or_default(),
            ]));
        }
        Ok(csv::file("clusters", lines))
    })
    .await
}

impl From<ClusterError> for PageError {
    fn from(error: ClusterError) -> Self {
        match error {
            ClusterError::Missing { .. } => Self::not_found(error.to_string()),
            _ => Self::failed(error.to_string()),
        }
    }
}

/// The folder that is served.
fn folder(context: &Context) -> Result<&ClusterFolder, PageError> {
    context.app.shared.clusters.as_ref().ok_or_else(|| {
        PageError::not_found(
            "No clusters are served. luthier cluster --out FOLDER makes them, and luthier serve DB \
             --clusters FOLDER shows them.",
        )
    })
}

/// What the folder says.
fn report(context: &Context) -> Result<ClusterReport, PageError> {
    let report = folder(context)?.report()?;
    Ok(if context.snapshot.medium.is_site() { report.without_folders() } else { report })
}

/// The report and the position of the cluster with this number.
fn find(context: &Context, text: &str) -> Result<(ClusterReport, usize), PageError> {
    let wanted = number(text, "a cluster")?;
    let report = report(context)?;
    let position = usize::try_from(wanted).ok().and_then(|number| number.checked_sub(1));
    match position.filter(|&position| position < report.clusters.len()) {
        Some(position) => Ok((report, position)),
        None => Err(PageError::not_found(format!("There is no cluster {wanted} here."))),
    }
}

fn body(report: &ClusterReport, slice: Slice, parameters: &Parameters) -> Markup {
    let known = report.clusters.iter().filter(|one| one.known).count();
    let total = report.clusters.len();
    html! {
        p.lead {
            (figures::count(report.failures)) " failures, " (figures::count(total as u64))
            @if total == 1 { " likely bug" } @else { " likely bugs" }
            ": " (total - known) " new, " (known) " known."
            @if !report.input.is_empty() { " From " code { (visible(&shorten(&report.input, MOST_CELL))) } "." }
        }
        @if total > 0 {
            section aria-label="Clusters" {
                (slice.pager(parameters, "page"))
                (table(&report.clusters, slice))
                (csv::link("/clusters.csv", "all clusters"))
                (headings::help(&HEADINGS))
            }
        }
        @if !report.unexamined.is_empty() {
            section aria-labelledby="unexamined" {
                h2 #unexamined { "In no cluster (" (figures::count(report.unexamined.len() as u64)) ")" }
                ul.notes {
                    @for one in report.unexamined.iter().take(MOST_UNEXAMINED) {
                        li {
                            (visible(&shorten(&one.file, MOST_CELL))) ": "
                            (visible(&shorten(&one.reason, MOST_CELL)))
                        }
                    }
                    @if report.unexamined.len() > MOST_UNEXAMINED {
                        li { "and " (report.unexamined.len() - MOST_UNEXAMINED) " more" }
                    }
                }
            }
        }
        @if !report.left_out.is_empty() {
            p.note {
                "Findings of other kinds, which are not clustered: "
                @for (place, (kind, count)) in report.left_out.iter().take(30).enumerate() {
                    @if place > 0 { ", " }
                    (figures::count(*count)) " " (visible(&shorten(kind, 40)))
                }
                "."
            }
        }
    }
}

fn table(clusters: &[Cluster], slice: Slice) -> Markup {
    let cell = |text: &str| visible(&shorten(text, MOST_CELL)).into_owned();
    html! {
        div.scroll.{ (room(80)) } tabindex="0" role="region" aria-label="Table of clusters" {
            table.sortable.values {
                thead { tr { (headings::head(&HEADINGS)) } }
                tbody {
                    @for (position, one) in clusters.iter().enumerate().take(slice.end).skip(slice.first) {
                        tr {
                            th scope="row" data-sort=(position + 1) {
                                a href={ "/cluster/" (position + 1) } { "Cluster " (position + 1) }
                            }
                            td { (cell(&one.class)) }
                            td { code { (cell(&one.operators.join(", "))) } }
                            td { (cell(&one.corner)) }
                            (parts::count(one.members))
                            @match &one.smallest {
                                Some(smallest) => {
                                    (parts::count(smallest.nodes))
                                    td { code { (cell(&smallest.formula)) } }
                                }
                                None => { td {} td {} }
                            }
                            td { (state(one)) }
                        }
                    }
                }
            }
        }
    }
}

fn state_word(cluster: &Cluster) -> &'static str {
    if cluster.known { "known" } else { "new" }
}

/// New or known, with its name in the file of known clusters.
fn state(cluster: &Cluster) -> Markup {
    html! {
        @if cluster.known {
            "known"
            @if let Some(name) = cluster.name.as_deref().filter(|name| !name.is_empty()) {
                ": " (visible(&shorten(name, MOST_CELL)))
            }
        } @else { strong { "new" } }
    }
}
