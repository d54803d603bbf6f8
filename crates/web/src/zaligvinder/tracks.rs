//! Solvers, sets and tracks.

use std::collections::BTreeMap;

use luthier_report::{Entry, View};
use schemars::JsonSchema;
use serde::Serialize;

use super::{LIMIT, OFFSET, endpoint, fill};
use crate::api::{ApiError, ApiRequest, Content, Endpoint, Reply, offset, schema};

/// A track with its instances.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ZaligvinderTrack")]
struct TrackRow {
    name: String,
    id: i64,
    /// The name of its set.
    benchmark: String,
    instances: Vec<InstanceName>,
}

/// An instance by name.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ZaligvinderInstanceName")]
struct InstanceName {
    name: String,
    id: i64,
}

/// The number of a track.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ZaligvinderTrackId")]
struct TrackId {
    id: i64,
}

/// The name of a set.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ZaligvinderGroup")]
struct Group {
    id: String,
}

/// A part of a pair of number and name.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ZaligvinderIdOrName")]
#[serde(untagged)]
enum IdOrName {
    Id(i64),
    Name(String),
}

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        endpoint(
            "/solvers",
            "zaligvinder_solvers",
            "The names of solvers that have runs",
            Content::Json(schema::<Vec<String>>),
            solvers,
        ),
        endpoint(
            "/tracks",
            "zaligvinder_tracks",
            "The tracks with their instances",
            Content::Json(schema::<Vec<TrackRow>>),
            tracks,
        )
        .with(&[LIMIT, OFFSET])
        .paged()
        .with_description(
            "Rows are instances: a track that does not fit goes on in the next part.",
        ),
        endpoint(
            "/tracks/ids",
            "zaligvinder_track_ids",
            "The numbers of all tracks",
            Content::Json(schema::<Vec<TrackId>>),
            |request| {
                let tracks = request.results().tracks.iter();
                Reply::json(&tracks.map(|track| TrackId { id: track.number }).collect::<Vec<_>>())
            },
        ),
        endpoint(
            "/tracks/groups",
            "zaligvinder_groups",
            "The names of all sets",
            Content::Json(schema::<Vec<Group>>),
            |request| {
                let sets = request.results().sets.iter();
                Reply::json(&sets.map(|set| Group { id: set.name.clone() }).collect::<Vec<_>>())
            },
        ),
        endpoint(
            "/tracks/info",
            "zaligvinder_track_info",
            "For each set the numbers and names of its tracks",
            Content::Json(schema::<BTreeMap<String, Vec<[IdOrName; 2]>>>),
            info,
        ),
    ]
}

fn solvers(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let view = View::all(request.results());
    let labels = view.solvers.iter().map(|&solver| view.results.solvers[solver].label.as_str());
    Reply::json(&labels.collect::<Vec<_>>())
}

fn info(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let results = request.results();
    let groups: BTreeMap<&str, Vec<[IdOrName; 2]>> = results
        .sets
        .iter()
        .map(|set| {
            let tracks = results.tracks[set.tracks.clone()].iter();
            let pairs = tracks
                .map(|track| [IdOrName::Id(track.number), IdOrName::Name(track.name.clone())]);
            (set.name.as_str(), pairs.collect())
        })
        .collect();
    Reply::json(&groups)
}

fn tracks(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let results = request.results();
    let mut names = Vec::new();
    let begin = offset(request);
    let instance = |entry: &Entry| InstanceName {
        name: entry.name.to_string(),
        id: entry.judged.content.number,
    };
    let whole = fill(request, results.entries.iter(), instance, |row| names.push(row));
    let (end, is_last) = (whole.end, whole.end >= whole.total);
    let mut names = names.into_iter();
    let mut part = Vec::new();
    for track in &results.tracks {
        let (first, last) = (track.entries.start.max(begin), track.entries.end.min(end));
        // A track without instances is where its first would be.
        let is_here = track.entries.is_empty() && (begin..end).contains(&track.entries.start)
            || track.entries.is_empty() && is_last && begin <= track.entries.start;
        if first < last || is_here {
            part.push(TrackRow {
                name: track.name.clone(),
                id: track.number,
                benchmark: results.sets[track.set].name.clone(),
                instances: names.by_ref().take(last.saturating_sub(first)).collect(),
            });
        }
    }
    Ok(Reply::json(&part)?.with_part(whole.total, whole.next.as_deref()))
}
