//! The releases that fail on the smallest formula of a cluster: a chart, its picture and its CSV.
//!
//! They come from the bisection beside the formula, or from what `luthier cluster --releases` observed.

use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use luthier_charts::Chart;
use luthier_report::documents::csv_record;
use luthier_report::plots::{ReleaseOutcome, release_outcomes};
use maud::{Markup, html};

use super::super::{Query, answer, csv};
use super::{MOST_CELL, find, folder};
use crate::api;
use crate::clusters::{Cluster, ClusterError, ClusterFolder, Release, Timeline};
use crate::error::PageError;
use crate::parts::{self, Picture};
use crate::state::App;
use crate::text::{shorten, visible};

/// Older releases are left out of the chart.
const MOST_RELEASES: usize = 200;

/// What is known about releases: the bisection if there is one.
struct Observed {
    /// Who was asked.
    solver: String,
    class: String,
    releases: Vec<Release>,
    bisection: Option<Timeline>,
}

/// The section; nothing if no release was observed.
pub(super) fn section(folder: &ClusterFolder, position: usize, one: &Cluster) -> Markup {
    let observed = match observe(folder, one) {
        Ok(None) => return html! {},
        Ok(Some(observed)) => Ok(observed),
        Err(error) => Err(error.to_string()),
    };
    html! {
        section aria-labelledby="releases" {
            h2 #releases { "Releases" }
            @match &observed {
                Err(error) => p.doubt { (visible(error)) },
                Ok(observed) => {
                    p { (words(observed)) }
                    @let path = format!("/cluster/{}/timeline", position + 1);
                    (parts::chart(&chart(observed), &Picture::of_page(&path, Query::default())))
                }
            }
        }
    }
}

/// The chart as a picture: `svg` or `png`.
pub(crate) async fn cluster_timeline_picture(
    app: App,
    text: String,
    format: &'static str,
) -> Response {
    answer(app, move |context| {
        let (report, position) = find(context, &text)?;
        let observed = required(folder(context)?, &report.clusters[position])?;
        let reply = api::picture(&chart(&observed), format);
        let reply = reply.map_err(|_| PageError::failed("The chart could not be drawn."))?;
        Ok(([(header::CONTENT_TYPE, reply.kind)], reply.body).into_response())
    })
    .await
}

/// All releases as CSV.
pub(crate) async fn cluster_timeline_csv(app: App, text: String) -> Response {
    answer(app, move |context| {
        let (report, position) = find(context, &text)?;
        let observed = required(folder(context)?, &report.clusters[position])?;
        let mut lines = csv_record(["solver", "release", "outcome", "fails"]);
        for one in &observed.releases {
            lines.push_str(&csv::line(&[
                observed.solver.clone(),
                one.version.clone(),
                outcome(one),
                one.fails.map(|fails| fails.to_string()).unwrap_or_default(),
            ]));
        }
        Ok(csv::file("timeline", lines))
    })
    .await
}

fn required(folder: &ClusterFolder, one: &Cluster) -> Result<Observed, PageError> {
    let missing = || PageError::not_found("No releases were observed on this cluster.");
    observe(folder, one)?.ok_or_else(missing)
}

fn observe(folder: &ClusterFolder, one: &Cluster) -> Result<Option<Observed>, ClusterError> {
    let bisection = match &one.smallest {
        Some(smallest) => folder.timeline(smallest)?,
        None => None,
    };
    let (solver, class, releases) = match &bisection {
        Some(found) => {
            let class = found.class.clone().unwrap_or_else(|| one.class.clone());
            (found.solver.clone(), class, found.releases.clone())
        }
        None => (one.solvers.join(", "), one.class.clone(), one.releases.clone()),
    };
    let observed = Observed { solver, class, releases, bisection };
    Ok((!observed.releases.is_empty()).then_some(observed))
}

/// The outcome of a release in a word.
fn outcome(release: &Release) -> String {
    match (&release.outcome, release.fails) {
        (Some(outcome), _) => outcome.clone(),
        (None, Some(true)) => "fails".to_owned(),
        (None, Some(false)) => "right".to_owned(),
        (None, None) => "cannot tell".to_owned(),
    }
}

fn chart(observed: &Observed) -> Chart {
    let cell = |text: &str| visible(&shorten(text, MOST_CELL)).into_owned();
    let left_out = observed.releases.len().saturating_sub(MOST_RELEASES);
    let shown: Vec<ReleaseOutcome> = observed.releases[left_out..]
        .iter()
        .map(|one| ReleaseOutcome {
            version: cell(&one.version),
            outcome: cell(&outcome(one)),
            fails: one.fails,
        })
        .collect();
    release_outcomes(cell(&observed.solver), &cell(&observed.class), &shown)
}

/// What the chart shows, in words.
fn words(observed: &Observed) -> Markup {
    let cell = |text: &str| visible(&shorten(text, MOST_CELL)).into_owned();
    let release = |one: &Option<String>| one.as_deref().map_or_else(|| "none".to_owned(), cell);
    let failing = observed.releases.iter().filter(|one| one.fails == Some(true)).count();
    html! {
        (failing) " of " (observed.releases.len()) " observed releases fail."
        @if let Some(found) = &observed.bisection {
            " Last right release: " (release(&found.last_good))
            "; first failing one: " (release(&found.first_bad))
            "; first right one after it: " (release(&found.first_good_again)) "."
            @if !found.complete { " Not every release was observed." }
        }
        @if observed.releases.len() > MOST_RELEASES {
            " The chart shows the last " (MOST_RELEASES) " of them."
        }
    }
}
