//! A set or one of its tracks: scores, charts, tracks, instances.

use std::ops::Range;
use std::sync::Arc;

use axum::response::Response;
use luthier_charts::Stacking;
use luthier_report::measures::{by_rank, standings};
use luthier_report::plots::VirtualBest;
use luthier_report::{Results, View, figures, plots};
use maud::{Markup, PreEscaped, html};

use super::answer;
use super::findings::counts;
use super::intervals::intervals;
use super::tables::standings as standings_table;
use crate::address::{Parameters, number};
use crate::error::PageError;
use crate::layout::{Page, Place, Step, respond_in_parts};
use crate::parts::{Slice, chart, run_cell, verdict};
use crate::snapshot::Snapshot;
use crate::state::App;
use crate::text::{shorten, visible};

/// How many instances one page lists.
const PER_PAGE: usize = 100;
/// How many tracks one page lists.
const TRACKS_PER_PAGE: usize = 100;

/// Which parts of the lists are shown. What is wrong with an address must be known before the
/// answer begins.
struct Parts {
    parameters: Parameters,
    page: usize,
    tracks: usize,
}

impl Parts {
    fn read(query: &str) -> Result<Self, PageError> {
        let parameters = Parameters::parse(query);
        let (page, tracks) = (parameters.page("page")?, parameters.page("tracks")?);
        Ok(Self { parameters, page, tracks })
    }
}

/// A set.
pub(crate) async fn set(app: App, text: String, query: String) -> Response {
    answer(app, move |context| {
        let results = &context.snapshot.results;
        let wanted = number(&text, "a set")?;
        let set = results.sets.iter().position(|set| set.number == wanted);
        let set =
            set.ok_or_else(|| PageError::not_found(format!("There is no set {wanted} here.")))?;
        let parts = Parts::read(&query)?;
        let page = Page {
            title: results.sets[set].name.clone(),
            place: Place::Sets,
            path: Vec::new(),
            body: html! {},
        };
        let snapshot = Arc::clone(&context.snapshot);
        Ok(respond_in_parts(context, page, move || set_body(&snapshot, set, &parts)))
    })
    .await
}

fn set_body(snapshot: &Snapshot, set: usize, parts: &Parts) -> Markup {
    let results = &*snapshot.results;
    let info = &results.sets[set];
    // A set without tracks has one without a name, which says nothing.
    let has_tracks = info.tracks.len() > 1
        || info.tracks.clone().any(|track| !results.tracks[track].name.is_empty());
    html! {
        p.lead {
            (figures::count(info.entries.len() as u64)) " instances"
            @if has_tracks { " in " (figures::count(info.tracks.len() as u64)) " tracks" }
            ". The answers that its files claim are "
            @if info.trust_status { "trusted." } @else { "not trusted by themselves." }
        }
        (elsewhere("set", info.number))
        (pictures(snapshot, &format!("set {}", info.number), Some(info.number), &info.entries))
        @if has_tracks { (tracks(results, set, parts)) }
        (instances(results, &info.entries, parts))
    }
}

/// A track.
pub(crate) async fn track(app: App, text: String, query: String) -> Response {
    answer(app, move |context| {
        let results = &context.snapshot.results;
        let wanted = number(&text, "a track")?;
        let track = results.tracks.iter().position(|track| track.number == wanted);
        let track = track
            .ok_or_else(|| PageError::not_found(format!("There is no track {wanted} here.")))?;
        let info = &results.tracks[track];
        let set = &results.sets[info.set];
        let parts = Parts::read(&query)?;
        let title = if info.name.is_empty() { "(no track)" } else { &info.name };
        let page = Page {
            title: title.to_owned(),
            place: Place::Sets,
            path: vec![Step { name: set.name.clone(), address: format!("/set/{}", set.number) }],
            body: html! {},
        };
        let snapshot = Arc::clone(&context.snapshot);
        Ok(respond_in_parts(context, page, move || track_body(&snapshot, track, &parts)))
    })
    .await
}

fn track_body(snapshot: &Snapshot, track: usize, parts: &Parts) -> Markup {
    let info = &snapshot.results.tracks[track];
    html! {
        p.lead { (figures::count(info.entries.len() as u64)) " instances." }
        (elsewhere("track", info.number))
        (pictures(snapshot, &format!("track {}", info.number), None, &info.entries))
        (instances(&snapshot.results, &info.entries, parts))
    }
}

/// Where else these instances are shown.
fn elsewhere(name: &str, number: i64) -> Markup {
    html! {
        p.links {
            a href={ "/compare?" (name) "=" (number) } { "Compare solvers" } " · "
            a href={ "/changes?" (name) "=" (number) } { "Run against run" } " · "
            a href={ "/operators?" (name) "=" (number) } { "Operators" }
        }
    }
}

/// Findings, scores and charts: what does not depend on which part of the list is shown.
fn pictures(snapshot: &Snapshot, name: &str, set: Option<i64>, entries: &Range<usize>) -> Markup {
    let part = snapshot.part(name, |results| {
        let view = View { entries: entries.clone().collect(), ..View::all(results) };
        html! {
            section aria-labelledby="findings" {
                h2 #findings { "Findings" }
                (counts(&view, set))
            }
            section aria-labelledby="scores" {
                h2 #scores { "Scores" }
                (standings_table(results, &by_rank(standings(&view))))
                (intervals(&view))
            }
            section.charts aria-label="Charts" {
                (chart(&plots::distribution(&view, Stacking::Counts)))
                (chart(&plots::distribution(&view, Stacking::Shares)))
                (chart(&plots::cactus(&view, VirtualBest::Shown)))
                (chart(&plots::histogram(&view)))
            }
        }
        .into_string()
    });
    html! { (PreEscaped(&*part)) }
}

fn tracks(results: &Results, set: usize, parts: &Parts) -> Markup {
    let all = results.sets[set].tracks.clone();
    let slice = Slice::of(all.len(), parts.tracks, TRACKS_PER_PAGE);
    let view = View::all(results);
    let shown = &results.tracks[all.start + slice.first..all.start + slice.end];
    html! {
        section aria-labelledby="tracks" {
            h2 #tracks { "Tracks" }
            (slice.pager(&parts.parameters, "tracks"))
            div.scroll tabindex="0" role="region" aria-label="Tracks" {
                table.sortable {
                    thead {
                        tr {
                            th scope="col" { "track" }
                            th.n scope="col" { "instances" }
                            @for &solver in &view.solvers {
                                th.n scope="col" { (visible(&results.solvers[solver].label)) ", solved" }
                            }
                            th.n scope="col" { "wrong" }
                        }
                    }
                    tbody {
                        @for track in shown {
                            @let rows = standings(&View {
                                entries: track.entries.clone().collect(),
                                ..view.clone()
                            });
                            tr {
                                th scope="row" {
                                    a href={ "/track/" (track.number) } {
                                        @if track.name.is_empty() { "(no track)" }
                                        @else { (visible(&track.name)) }
                                    }
                                }
                                (crate::parts::count(track.entries.len() as u64))
                                @for row in rows.iter().take(view.solvers.len()) {
                                    (crate::parts::count(row.solved))
                                }
                                (crate::parts::bad_count(
                                    rows.iter().take(view.solvers.len()).map(|row| row.refuted).sum()
                                ))
                            }
                        }
                    }
                }
            }
        }
    }
}

fn instances(results: &Results, entries: &Range<usize>, parts: &Parts) -> Markup {
    let slice = Slice::of(entries.len(), parts.page, PER_PAGE);
    let shown = entries.start + slice.first..entries.start + slice.end;
    let view = View::all(results);
    html! {
        section aria-labelledby="instances" {
            h2 #instances { "Instances" }
            (slice.pager(&parts.parameters, "page"))
            div.scroll tabindex="0" role="region" aria-label="Instances" {
                table.instances.sortable {
                    thead {
                        tr {
                            th scope="col" { "instance" }
                            th.n scope="col" { "size" }
                            th scope="col" { "expected" }
                            @for &solver in &view.solvers {
                                th scope="col" { (visible(&results.solvers[solver].label)) }
                            }
                        }
                    }
                    tbody {
                        @for entry in &results.entries[shown] {
                            @let content = &entry.judged.content;
                            tr {
                                th scope="row" {
                                    a href={ "/instance/" (content.number) } title=(visible(&entry.name)) {
                                        (visible(&shorten(&entry.name, 80)))
                                    }
                                }
                                td.n data-sort=(content.size.0) { (content.size) }
                                td {
                                    @match entry.judged.expected() {
                                        Some((expected, _)) => (verdict(expected)),
                                        None if content.is_unreadable => span.doubt { "unreadable" },
                                        None => span.why { "open" },
                                    }
                                }
                                @for &solver in &view.solvers { (run_cell(view.run(entry, solver))) }
                            }
                        }
                    }
                }
            }
            (slice.pager(&parts.parameters, "page"))
        }
    }
}
