//! A set or one of its tracks: scores, charts, tracks, instances.

use std::ops::Range;

use axum::response::Response;
use luthier_charts::Stacking;
use luthier_report::measures::{by_rank, standings};
use luthier_report::plots::VirtualBest;
use luthier_report::{Results, View, figures, plots};
use maud::{Markup, PreEscaped, html};

use super::findings::counts;
use super::intervals::intervals;
use super::tables::standings as standings_table;
use super::{Context, answer_with_page};
use crate::address::{Parameters, number};
use crate::error::PageError;
use crate::layout::{Page, Place, Step};
use crate::parts::{Slice, chart, run_cell, verdict};
use crate::state::App;
use crate::text::{shorten, visible};

/// How many instances one page lists.
const PER_PAGE: usize = 100;
/// How many tracks one page lists.
const TRACKS_PER_PAGE: usize = 100;

/// A set.
pub(crate) async fn set(app: App, text: String, query: String) -> Response {
    answer_with_page(app, move |context| {
        let results = &context.snapshot.results;
        let wanted = number(&text, "a set")?;
        let set = results.sets.iter().position(|set| set.number == wanted);
        let set =
            set.ok_or_else(|| PageError::not_found(format!("There is no set {wanted} here.")))?;
        let parameters = Parameters::parse(&query);
        let info = &results.sets[set];
        // A set without tracks has one without a name, which says nothing.
        let has_tracks = info.tracks.len() > 1
            || info.tracks.clone().any(|track| !results.tracks[track].name.is_empty());
        let tracks = if has_tracks {
            tracks(results, set, &parameters)?
        } else {
            html! {}
        };
        Ok(Page {
            title: info.name.clone(),
            place: Place::Sets,
            path: Vec::new(),
            body: html! {
                p.lead {
                    (figures::count(info.entries.len() as u64)) " instances"
                    @if has_tracks { " in " (figures::count(info.tracks.len() as u64)) " tracks" }
                    ". The answers that its files claim are "
                    @if info.trust_status { "believed." } @else { "not believed by themselves." }
                }
                (elsewhere("set", wanted))
                (pictures(context, &format!("set {wanted}"), Some(wanted), &info.entries))
                (tracks)
                (instances(results, &info.entries, &parameters)?)
            },
        })
    })
    .await
}

/// A track.
pub(crate) async fn track(app: App, text: String, query: String) -> Response {
    answer_with_page(app, move |context| {
        let results = &context.snapshot.results;
        let wanted = number(&text, "a track")?;
        let track = results.tracks.iter().find(|track| track.number == wanted);
        let track = track
            .ok_or_else(|| PageError::not_found(format!("There is no track {wanted} here.")))?;
        let set = &results.sets[track.set];
        let title = if track.name.is_empty() { "(no track)" } else { &track.name };
        Ok(Page {
            title: title.to_owned(),
            place: Place::Sets,
            path: vec![Step { name: set.name.clone(), address: format!("/set/{}", set.number) }],
            body: html! {
                p.lead { (figures::count(track.entries.len() as u64)) " instances." }
                (elsewhere("track", wanted))
                (pictures(context, &format!("track {wanted}"), None, &track.entries))
                (instances(results, &track.entries, &Parameters::parse(&query))?)
            },
        })
    })
    .await
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
fn pictures(context: &Context, name: &str, set: Option<i64>, entries: &Range<usize>) -> Markup {
    let part = context.snapshot.part(name, |results| {
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

fn tracks(results: &Results, set: usize, parameters: &Parameters) -> Result<Markup, PageError> {
    let all = results.sets[set].tracks.clone();
    let slice = Slice::of(all.len(), parameters.page("tracks")?, TRACKS_PER_PAGE);
    let view = View::all(results);
    let shown = &results.tracks[all.start + slice.first..all.start + slice.end];
    Ok(html! {
        section aria-labelledby="tracks" {
            h2 #tracks { "Tracks" }
            (slice.pager(parameters, "tracks"))
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
    })
}

fn instances(
    results: &Results,
    entries: &Range<usize>,
    parameters: &Parameters,
) -> Result<Markup, PageError> {
    let slice = Slice::of(entries.len(), parameters.page("page")?, PER_PAGE);
    let shown = entries.start + slice.first..entries.start + slice.end;
    let view = View::all(results);
    Ok(html! {
        section aria-labelledby="instances" {
            h2 #instances { "Instances" }
            (slice.pager(parameters, "page"))
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
            (slice.pager(parameters, "page"))
        }
    })
}
