//! The first page: what was run, what is wrong, and who is how good.

use std::sync::Arc;

use axum::response::Response;
use luthier_charts::Stacking;
use luthier_report::measures::{Competitor, Standing, by_rank, standings};
use luthier_report::plots::VirtualBest;
use luthier_report::{Results, View, documents, figures, plots};
use maud::{Markup, PreEscaped, html};

use super::answer_with_page;
use super::behind::Behind;
use super::choice::Scope;
use super::configuration::configurations;
use super::csv;
use super::findings::counts;
use super::matrix::{matrix, standings_by_set};
use super::query::Query;
use super::tables::{Columns, SET, SOLVER, contestant, legend, standings as standings_table};
use crate::headings::{self, Heading, room};
use crate::layout::{Page, Place};
use crate::parts::{Picture, chart};
use crate::snapshot::Snapshot;
use crate::state::App;
use crate::text::{shorten, visible};

/// The folded list of scores by set has at most so many rows, and so has that of campaigns.
const MOST_ROWS: usize = 200;
/// A campaign that added nothing for so long is not running, as far as can be seen.
const STILL_RUNNING_MS: i64 = 60_000;

/// The overview.
pub(crate) async fn overview(app: App) -> Response {
    answer_with_page(app, |context| {
        let snapshot = &context.snapshot;
        let fixed = prepare(snapshot);
        Ok(Page {
            title: context.database_name(),
            place: Place::Overview,
            path: Vec::new(),
            body: html! { (progress(snapshot)) (PreEscaped(&*fixed)) },
        })
    })
    .await
}

/// Makes the part of the overview that takes time, before somebody waits for it.
pub(crate) fn prepare(snapshot: &Snapshot) -> Arc<str> {
    snapshot.part("overview", |results| body(results).into_string())
}

fn body(results: &Results) -> Markup {
    if results.entries.is_empty() {
        return html! { p { "There are no instances in this database yet." } };
    }
    let view = View::all(results);
    let behind = Behind::of(results, Scope::default());
    let picture = |name: &str| Picture::of_chart(name, Query::default());
    let all = standings(&view);
    let by_set = standings_by_set(results, &view);
    html! {
        section aria-labelledby="findings" {
            h2 #findings { "Findings" }
            (counts(&view, None, None))
        }
        section aria-labelledby="scores" {
            h2 #scores { "All sets together" }
            (standings_table(results, &by_rank(all.clone()), &behind))
        }
        (matrix(&view, &all, &by_set))
        section.charts aria-label="Charts" {
            (chart(&plots::cactus(&view, VirtualBest::Shown), &picture("cactus")))
            (chart(&plots::distribution(&view, Stacking::Counts), &picture("distribution")))
        }
        (details_by_set(results, &by_set))
        (configurations(results))
        (campaigns(results))
    }
}

/// While a campaign adds runs: how far each solver is.
fn progress(snapshot: &Snapshot) -> Markup {
    let results = &snapshot.results;
    let now = luthier_records::Timestamp::of(std::time::SystemTime::now());
    let is_running = snapshot.added.is_some() && now.0 - snapshot.seen.0 < STILL_RUNNING_MS;
    if !is_running {
        return html! {};
    }
    let mut tried = vec![0_u64; results.solvers.len()];
    for entry in &results.entries {
        for (solver, tried) in tried.iter_mut().enumerate() {
            *tried += u64::from(!entry.judged.runs_of(solver).is_empty());
        }
    }
    let all = results.entries.len() as u64;
    html! {
        section.progress aria-labelledby="progress" {
            h2 #progress { "A campaign is running" }
            ul {
                @for (solver, &tried) in results.solvers.iter().zip(&tried) {
                    @if tried < all {
                        li {
                            span.name { (visible(&solver.label)) }
                            progress max=(all) value=(tried) {}
                            span.time {
                                (figures::count(tried)) " of " (figures::count(all)) " instances"
                            }
                        }
                    }
                }
            }
        }
    }
}

/// All scores of every set, folded: the matrix has what is read first.
fn details_by_set(results: &Results, by_set: &[Vec<Standing>]) -> Markup {
    let per_set = by_set.first().map_or(1, Vec::len);
    let rows =
        &by_set[..(MOST_ROWS / per_set.max(1)).clamp(1, by_set.len().max(1)).min(by_set.len())];
    let columns = Columns::of(rows.iter().flatten());
    html! {
        details.more {
            summary { "All scores by set" }
            div.scroll.{ (columns.room(20)) } tabindex="0" role="region" aria-label="Scores by set" {
                table.grouped {
                    thead { tr { (headings::head(&[SET, SOLVER])) (columns.head()) } }
                    @for (index, standings) in rows.iter().enumerate() {
                        @let set = &results.sets[index];
                        @let behind = Behind::of_set(results, index);
                        tbody {
                            @for (place, row) in by_rank(standings.clone()).iter().enumerate() {
                                tr.best[row.competitor == Competitor::VirtualBest] {
                                    @if place == 0 {
                                        th.set scope="rowgroup" rowspan=(standings.len()) {
                                            a href={ "/set/" (set.number) } { (visible(&set.name)) }
                                        }
                                    }
                                    th scope="row" { (columns.mark(row)) (contestant(results, row.competitor)) }
                                    (columns.row(row, &behind))
                                }
                            }
                        }
                    }
                }
            }
            (csv::link("/scores.csv", "all scores, over everything and by set"))
            (columns.help(&[SET, SOLVER]))
            (legend(rows.iter().flatten()))
            @if rows.len() < results.sets.len() {
                p.note.why { "The first " (rows.len()) " sets; the pages of the others have theirs." }
            }
        }
    }
}

/// The columns of the table of campaigns.
const CAMPAIGN: [Heading; 9] = [
    Heading::text("began", "When the campaign was started."),
    Heading::text("machine", "The name of the machine."),
    Heading::text("system", "Its operating system."),
    Heading::text("processor", "The model of its processor."),
    Heading::number("cores", "How many cores it has."),
    Heading::number("memory", "How much memory it has."),
    Heading::number("jobs", "How many runs were made at the same time."),
    Heading::text("Luthier", "The version of Luthier that made the runs."),
    Heading::text("command", "The command line of the campaign."),
];

fn campaigns(results: &Results) -> Markup {
    html! {
        details.more #campaigns {
            summary { "Campaigns" }
            div.scroll.{ (room(80)) } tabindex="0" role="region" aria-label="Campaigns" {
                table {
                    thead { tr { (headings::head(&CAMPAIGN)) } }
                    tbody {
                        // The newest first; of very many only the newest.
                        @for info in results.campaigns.iter().rev().take(MOST_ROWS) {
                            @let campaign = &info.campaign;
                            @let machine = &campaign.machine;
                            tr {
                                th scope="row" {
                                    (documents::moment(campaign.started).unwrap_or_else(|| "unknown".to_owned()))
                                }
                                td { (visible(&machine.host)) }
                                td { (visible(&machine.system)) }
                                td { (visible(&machine.processor)) }
                                td.n { (machine.cores) }
                                td.n { (machine.memory) }
                                td.n { (campaign.jobs) }
                                td { (visible(&campaign.luthier_version)) }
                                td.code { code { (visible(&shorten(&campaign.command_line.join(" "), 300))) } }
                            }
                        }
                    }
                }
            }
            (csv::link("/campaigns.csv", "all campaigns"))
            (headings::help(&CAMPAIGN))
        }
    }
}
