//! A set or one of its tracks: scores, charts, tracks, instances.

use std::ops::Range;
use std::sync::Arc;

use axum::response::Response;
use luthier_charts::Stacking;
use luthier_report::measures::{FilterKind, by_rank, standings};
use luthier_report::plots::VirtualBest;
use luthier_report::{Entry, Results, View, figures, plots};
use maud::{Markup, PreEscaped, html};

use super::answer;
use super::behind::Behind;
use super::choice::Scope;
use super::csv;
use super::findings::counts;
use super::intervals::intervals;
use super::matrix::ANY_WRONG;
use super::query::Query;
use super::tables::{solver_link, standings as standings_table};
use crate::address::{Parameters, number};
use crate::error::PageError;
use crate::headings::{self, Heading, room};
use crate::layout::{Page, Place, Step, respond_in_parts};
use crate::parts::{
    EACH_SOLVER, EXPECTED, INSTANCE, Picture, SIZE, Slice, bad_count, chart, expected, is_bad,
    linked_count, run_cell, wrong_mark,
};
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
            ". The " code { ":status" } " of its files "
            @if info.trust_status { "counts as ground truth." }
            @else { "does not count as ground truth by itself." }
        }
        (elsewhere("set", info.number))
        (pictures(snapshot, Scope { set: Some(set), track: None }, &info.entries))
        @if has_tracks { (tracks(results, set, parts)) }
        (instances(snapshot, Scope { set: Some(set), track: None }, &info.entries, parts))
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
        (pictures(snapshot, Scope { set: Some(info.set), track: Some(track) }, &info.entries))
        (instances(snapshot, Scope { set: Some(info.set), track: Some(track) }, &info.entries, parts))
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
fn pictures(snapshot: &Snapshot, scope: Scope, entries: &Range<usize>) -> Markup {
    let part = snapshot.part(&format!("pictures {scope:?}"), |results| {
        let behind = Behind::of(results, scope);
        let picture = |name: &str| Picture::of_chart(name, behind.query());
        let shares = Picture::of_chart("distribution", behind.query().with("stacking", "shares"));
        let set = scope.set.filter(|_| scope.track.is_none());
        let view = View { entries: entries.clone().collect(), ..View::all(results) };
        html! {
            section aria-labelledby="findings" {
                h2 #findings { "Findings" }
                (counts(&view, set.map(|set| results.sets[set].number), None))
            }
            section aria-labelledby="scores" {
                h2 #scores { "Scores" }
                (standings_table(results, &by_rank(standings(&view)), &behind))
                (intervals(&view, behind.query()))
            }
            section.charts aria-label="Charts" {
                (chart(&plots::distribution(&view, Stacking::Counts), &picture("distribution")))
                (chart(&plots::distribution(&view, Stacking::Shares), &shares))
                (chart(&plots::cactus(&view, VirtualBest::Shown), &picture("cactus")))
                (chart(&plots::histogram(&view), &picture("histogram")))
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
            div.scroll.{ (room(20 + 7 * view.solvers.len())) } tabindex="0" role="region" aria-label="Tracks" {
                table.sortable {
                    thead {
                        tr {
                            (headings::head(&TRACK))
                            @for &solver in &view.solvers {
                                th.n scope="col" title=(SOLVED.meaning) { (solver_link(results, solver)) }
                            }
                        }
                    }
                    tbody {
                        @for (index, track) in shown.iter().enumerate() {
                            @let behind = Behind::of(results, Scope {
                                set: Some(set),
                                track: Some(all.start + slice.first + index),
                            });
                            @let entries = track.entries.clone().collect();
                            @let of_track = View { entries, ..view.clone() };
                            @let rows = standings(&of_track);
                            tr {
                                th scope="row" {
                                    a href={ "/track/" (track.number) } {
                                        @if track.name.is_empty() { "(no track)" }
                                        @else { (visible(&track.name)) }
                                    }
                                }
                                (linked_count(
                                    track.entries.len() as u64,
                                    Some(behind.address(None, FilterKind::All))
                                ))
                                (bad_count(
                                    FilterKind::Refuted.count(&of_track, None),
                                    Some(behind.address(None, FilterKind::Refuted))
                                ))
                                @for (row, &solver) in rows.iter().zip(&view.solvers) {
                                    (linked_count(row.solved, Some(behind.address(Some(solver), FilterKind::Solved))))
                                }
                            }
                        }
                    }
                }
            }
            @let scope = Scope { set: Some(set), track: None };
            (csv::link(&Behind::of(results, scope).query().address("/scores.csv"), "all scores of all tracks"))
            (headings::help(&[&TRACK[..], &[SOLVED]].concat()))
        }
    }
}

/// The columns of the table of tracks before those of the solvers, and these.
const TRACK: [Heading; 3] = [
    Heading::text("track", "A part of the set, a folder of its files; it leads to its page."),
    Heading::number("instances", "How many instances the track has."),
    ANY_WRONG,
];
const SOLVED: Heading =
    Heading::number("each solver", "Instances of the track that this solver solved.");

fn instances(snapshot: &Snapshot, scope: Scope, entries: &Range<usize>, parts: &Parts) -> Markup {
    let results = &*snapshot.results;
    let is_site = snapshot.medium.is_site();
    let slice = Slice::of(entries.len(), parts.page, PER_PAGE);
    let slice = if is_site { slice.up_to(1) } else { slice };
    let shown = entries.start + slice.first..entries.start + slice.end;
    let view = View::all(results);
    html! {
        section aria-labelledby="instances" {
            h2 #instances { "Instances" }
            (slice.pager(&parts.parameters, "page"))
            @if is_site && slice.end < slice.total {
                p.links {
                    a href=(Behind::of(results, scope).address(None, FilterKind::All)) {
                        "All " (figures::count(slice.total as u64)) " instances, to filter and sort"
                    }
                }
            }
            div.scroll.{ (room(25 + 10 * view.solvers.len())) } tabindex="0" role="region" aria-label="Instances" {
                table.instances.sortable {
                    thead {
                        tr {
                            (headings::head(&[INSTANCE, SIZE, EXPECTED]))
                            @for &solver in &view.solvers {
                                th scope="col" title=(EACH_SOLVER.meaning) { (solver_link(results, solver)) }
                            }
                        }
                    }
                    tbody {
                        @for entry in &results.entries[shown] {
                            @let content = &entry.judged.content;
                            tr {
                                th scope="row" data-sort=(visible(&entry.name)) {
                                    (wrong_mark(has_bad_run(&view, entry)))
                                    a href={ "/instance/" (content.number) } title=(visible(&entry.name)) {
                                        (visible(&shorten(&entry.name, 80)))
                                    }
                                }
                                td.n data-sort=(content.size.0) { (content.size) }
                                td { (expected(entry)) }
                                @for &solver in &view.solvers { (run_cell(view.run(entry, solver))) }
                            }
                        }
                    }
                }
            }
            (slice.pager(&parts.parameters, "page"))
            p.download {
                "Download: "
                a href=(scope.add_to(results, Query::default()).address("/compare.csv")) download { "CSV" }
                " of all instances, with every run that stands for a solver"
            }
            (headings::help(&[INSTANCE, SIZE, EXPECTED, EACH_SOLVER]))
        }
    }
}

/// Whether some run on an entry that the view shows is wrong.
pub(super) fn has_bad_run<'a>(view: &View<'a>, entry: &'a Entry) -> bool {
    let mut runs = view.solvers.iter().filter_map(|&solver| view.run(entry, solver));
    runs.any(is_bad)
}
