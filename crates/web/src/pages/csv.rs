//! Tables of pages as files: CSV by RFC 4180, with all rows whatever part of them a page shows.

use std::time::Duration;

use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use luthier_records::Configuration;
use luthier_report::documents::csv_record;
use luthier_report::measures::{Standing, by_rank, standings};
use luthier_report::{Entry, Results, Score, View, documents, figures};
use maud::{Markup, html};

use super::answer;
use super::choice::{Scope, track_name};
use super::intervals::of_solvers;
use crate::address::Parameters;
use crate::state::App;

/// A file of this name, without its ending.
pub(super) fn file(name: &str, text: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.csv\"")),
    ];
    (headers, text).into_response()
}

/// The link to a file below a table.
pub(super) fn link(address: &str, words: &str) -> Markup {
    html! { p.download { "Download: " a href=(address) download { "CSV" } " of " (words) } }
}

/// A line of anything that can be written.
pub(super) fn line(cells: &[String]) -> String {
    csv_record(cells.iter().map(String::as_str))
}

/// A figure with all its digits; nothing where there is none.
pub(super) fn figure(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// Where an entry stands: set, track, name and the number of the instance.
pub(super) fn place(results: &Results, entry: &Entry) -> [String; 4] {
    let track = &results.tracks[entry.track];
    let set = results.sets[track.set].name.clone();
    [set, track.name.clone(), entry.name.to_string(), entry.judged.content.number.to_string()]
}

/// All scores: of everything and each set, of a set and each of its tracks, or of a track.
pub(crate) async fn standings_csv(app: App, query: String) -> Response {
    answer(app, move |context| {
        let results = &context.snapshot.results;
        let parameters = Parameters::parse(&query);
        parameters.only(&["set", "track"])?;
        let scope = Scope::read(results, &parameters)?;
        let own = ["rank", "instances", "missing", "solved", "unique", "refuted", "par2_mean"];
        let fields = Score::FIELDS.iter().map(|field| field.column);
        let names = ["set", "track", "solver"].into_iter().chain(own);
        let mut text = csv_record(names.chain(fields));
        text.push_str(&lines(results, scope));
        match (scope.set, scope.track) {
            (None, _) => {
                for set in 0..results.sets.len() {
                    text.push_str(&lines(results, Scope { set: Some(set), track: None }));
                }
            }
            (Some(set), None) if scope.has_tracks(results) => {
                for track in results.sets[set].tracks.clone() {
                    text.push_str(&lines(results, Scope { set: Some(set), track: Some(track) }));
                }
            }
            _ => {}
        }
        Ok(file("scores", text))
    })
    .await
}

/// All configurations of solvers.
pub(crate) async fn solvers_csv(app: App, query: String) -> Response {
    answer(app, move |context| {
        Parameters::parse(&query).only(&[])?;
        let names =
            ["name", "number", "solver", "version", "family", "dialect", "cpu_limit_seconds"];
        let more = ["wall_limit_seconds", "memory_limit_bytes", "command_line", "program_sha256"];
        let mut text = csv_record(names.into_iter().chain(more));
        for info in &context.snapshot.results.solvers {
            let Configuration { solver, version, family, dialect, limits, .. } =
                &info.configuration;
            // What is not limited is empty.
            let seconds = |time: Duration| match time {
                Duration::MAX => String::new(),
                time => figures::exact_seconds(time).to_string(),
            };
            text.push_str(&line(&[
                info.label.clone(),
                info.number.to_string(),
                solver.clone(),
                version.clone().unwrap_or_default(),
                family.clone(),
                dialect.clone(),
                seconds(limits.cpu.0),
                seconds(limits.wall.0),
                Some(limits.memory.0)
                    .filter(|&bytes| bytes < u64::MAX)
                    .map(|bytes| bytes.to_string())
                    .unwrap_or_default(),
                info.configuration.arguments.join(" "),
                info.configuration.program_digest.to_string(),
            ]));
        }
        Ok(file("solvers", text))
    })
    .await
}

/// All campaigns, the newest first.
pub(crate) async fn campaigns_csv(app: App, query: String) -> Response {
    answer(app, move |context| {
        Parameters::parse(&query).only(&[])?;
        let names = ["began", "number", "machine", "system", "processor", "cores", "memory_bytes"];
        let mut text = csv_record(names.into_iter().chain(["jobs", "luthier", "command"]));
        for info in context.snapshot.results.campaigns.iter().rev() {
            let campaign = &info.campaign;
            let machine = &campaign.machine;
            text.push_str(&line(&[
                documents::moment(campaign.started).unwrap_or_default(),
                info.number.to_string(),
                machine.host.clone(),
                machine.system.clone(),
                machine.processor.clone(),
                machine.cores.to_string(),
                machine.memory.0.to_string(),
                campaign.jobs.to_string(),
                campaign.luthier_version.clone(),
                campaign.command_line.join(" "),
            ]));
        }
        Ok(file("campaigns", text))
    })
    .await
}

/// The confidence intervals of solvers that were run more than once, over everything, a set or a track.
pub(crate) async fn intervals_csv(app: App, query: String) -> Response {
    answer(app, move |context| {
        let results = &context.snapshot.results;
        let parameters = Parameters::parse(&query);
        parameters.only(&["set", "track"])?;
        let view = Scope::read(results, &parameters)?.of(View::all(results));
        let names = ["solver", "instances", "solved_mean", "solved_low", "solved_high"];
        let mut text = csv_record(names.into_iter().chain(["par2_mean", "par2_low", "par2_high"]));
        for (solver, found) in of_solvers(&view) {
            let mut cells =
                vec![results.solvers[solver].label.clone(), found.instances.to_string()];
            for interval in [&found.solved, &found.par2_mean] {
                let ends = [interval.estimate, interval.low, interval.high];
                cells.extend(ends.map(|value| value.to_string()));
            }
            text.push_str(&line(&cells));
        }
        Ok(file("intervals", text))
    })
    .await
}

/// The lines of all solvers, by rank, and of the virtual best.
fn lines(results: &Results, scope: Scope) -> String {
    let set = scope.set.map_or("(all)", |set| &results.sets[set].name);
    let track = scope.track.map_or("(all)", |track| track_name(&results.tracks[track].name));
    let view = scope.of(View::all(results));
    let of = |standing: Standing| {
        let mut cells = vec![
            set.to_owned(),
            track.to_owned(),
            standing.competitor.label(results).to_owned(),
            standing.rank.map(|rank| rank.to_string()).unwrap_or_default(),
        ];
        let Standing { instances, missing, solved, unique, refuted, .. } = standing;
        cells.extend([instances, missing, solved, unique, refuted].map(|count| count.to_string()));
        cells.push(figure(standing.par2_mean()));
        let fields = Score::FIELDS.iter().map(|field| field.json(&standing.score).to_string());
        cells.extend(fields);
        line(&cells)
    };
    by_rank(standings(&view)).into_iter().map(of).collect()
}
