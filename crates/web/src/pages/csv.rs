//! Tables of pages as files: CSV by RFC 4180, with all rows whatever part of them a page shows.

use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use luthier_report::documents::csv_record;
use luthier_report::measures::{Standing, by_rank, standings};
use luthier_report::{Entry, Results, Score, View};
use maud::{Markup, html};

use super::answer;
use super::choice::{Scope, track_name};
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

/// The lines of all solvers, by rank, and of the virtual best.
fn lines(results: &Results, scope: Scope) -> String {
    let set = scope.set.map_or("(all)", |set| &results.sets[set].name);
    let track = scope.track.map_or("(all)", |track| track_name(&results.tracks[track].name));
    let view = scope.of(View::all(results));
    let of = |standing: Standing| {
        let mut cells = vec![
            set.to_owned(),
            track.to_owned(),
            standing.who.label(results).to_owned(),
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
