//! The first page: what was run, what is wrong, and who is how good.

use std::sync::Arc;

use axum::response::Response;
use luthier_records::{Configuration, CpuTime};
use luthier_report::measures::{Competitor, Standing, standings};
use luthier_report::{Results, View, documents, figures};
use maud::{Markup, PreEscaped, html};

use super::answer_with_page;
use super::findings::counts;
use super::tables::{Columns, contestant, legend, standings as standings_table};
use crate::layout::{Page, Place};
use crate::snapshot::Snapshot;
use crate::state::App;
use crate::text::{shorten, visible};

/// A database with more rows than this shows only the names of its further sets.
const MOST_ROWS: usize = 400;
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
    html! {
        section aria-labelledby="findings" {
            h2 #findings { "Findings" }
            (counts(&view, None))
        }
        section aria-labelledby="scores" {
            h2 #scores { "All sets together" }
            (standings_table(results, &standings(&view)))
        }
        (by_set(results, &view))
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

fn by_set(results: &Results, all: &View<'_>) -> Markup {
    let per_set = all.solvers.len() + 1;
    let in_full = (MOST_ROWS / per_set).max(1);
    let rows: Vec<(usize, Vec<Standing>)> = (0..results.sets.len().min(in_full))
        .map(|set| {
            let entries = results.sets[set].entries.clone().collect();
            (set, standings(&View { entries, ..all.clone() }))
        })
        .collect();
    let columns = Columns::of(rows.iter().flat_map(|(_, standings)| standings));
    html! {
        section aria-labelledby="sets" {
            h2 #sets { "By set" }
            div.scroll tabindex="0" role="region" aria-label="Scores by set" {
                table.grouped {
                    thead {
                        tr {
                            th scope="col" { "set" }
                            th scope="col" { "solver" }
                            (columns.head())
                        }
                    }
                    @for (set, standings) in &rows {
                        @let set = &results.sets[*set];
                        tbody {
                            @for (index, row) in standings.iter().enumerate() {
                                tr.best[row.competitor == Competitor::VirtualBest] {
                                    @if index == 0 {
                                        th.set scope="rowgroup" rowspan=(standings.len()) {
                                            a href={ "/set/" (set.number) } {
                                                (visible(&set.name))
                                            }
                                            span.why {
                                                (figures::count(set.entries.len() as u64))
                                                " instances"
                                            }
                                        }
                                    }
                                    th scope="row" { (contestant(results, row.competitor)) }
                                    (columns.row(row))
                                }
                            }
                        }
                    }
                }
            }
            (legend(rows.iter().flat_map(|(_, standings)| standings)))
            @if results.sets.len() > in_full {
                h3 { "Further sets" }
                ul.names {
                    @for set in &results.sets[in_full..] {
                        li { a href={ "/set/" (set.number) } { (visible(&set.name)) } }
                    }
                }
            }
        }
    }
}

fn configurations(results: &Results) -> Markup {
    html! {
        section aria-labelledby="solvers" {
            h2 #solvers { "Solvers and limits" }
            div.scroll tabindex="0" role="region" aria-label="Solvers and limits" {
                table {
                    thead {
                        tr {
                            th scope="col" { "name" }
                            th scope="col" { "solver" }
                            th scope="col" { "version" }
                            th scope="col" { "reads" }
                            th.n scope="col" { "CPU limit" }
                            th.n scope="col" { "wall limit" }
                            th.n scope="col" { "memory" }
                            th scope="col" { "command line" }
                            th scope="col" { "asked for" }
                            th scope="col" { "program" }
                        }
                    }
                    tbody {
                        @for solver in &results.solvers {
                            @let configuration = &solver.configuration;
                            tr {
                                th scope="row" { (visible(&solver.label)) }
                                td { (visible(&configuration.solver)) }
                                td {
                                    (configuration.version.as_deref().map_or("unknown".into(), visible))
                                }
                                td { (visible(&configuration.dialect)) }
                                td.n { (limit(configuration.limits.cpu)) }
                                td.n { (limit(CpuTime(configuration.limits.wall.0))) }
                                td.n { (memory(configuration)) }
                                td.code { code { (visible(&shorten(&configuration.arguments.join(" "), 200))) } }
                                td { (asked_for(configuration)) }
                                td.code {
                                    code title=(configuration.program_digest) {
                                        (&configuration.program_digest.to_string()[..12])
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn campaigns(results: &Results) -> Markup {
    html! {
        section aria-labelledby="campaigns" {
            h2 #campaigns { "Campaigns" }
            div.scroll tabindex="0" role="region" aria-label="Campaigns" {
                table {
                    thead {
                        tr {
                            th scope="col" { "began" }
                            th scope="col" { "machine" }
                            th scope="col" { "system" }
                            th scope="col" { "processor" }
                            th.n scope="col" { "cores" }
                            th.n scope="col" { "memory" }
                            th.n scope="col" { "jobs" }
                            th scope="col" { "Luthier" }
                            th scope="col" { "command" }
                        }
                    }
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
        }
    }
}

fn limit(time: CpuTime) -> String {
    if time.0 == std::time::Duration::MAX {
        "none".to_owned()
    } else {
        format!("{} s", time.0.as_secs_f64())
    }
}

fn memory(configuration: &Configuration) -> String {
    match configuration.limits.memory {
        luthier_records::Bytes(u64::MAX) => "none".to_owned(),
        bytes => bytes.to_string(),
    }
}

fn asked_for(configuration: &Configuration) -> String {
    let mut wishes = Vec::new();
    if configuration.models {
        wishes.push("models".to_owned());
    }
    match configuration.cores {
        luthier_records::Cores::Never => {}
        luthier_records::Cores::WherePlanted => wishes.push("cores where planted".to_owned()),
        luthier_records::Cores::Always => wishes.push("cores".to_owned()),
    }
    if let Some(seed) = configuration.seed {
        wishes.push(format!("seed {seed}"));
    }
    for missing in &configuration.not_asked {
        wishes.push(format!("not {}", visible(missing)));
    }
    wishes.join(", ")
}
