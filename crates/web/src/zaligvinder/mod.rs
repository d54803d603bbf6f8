//! The REST interface of ZaligVinder: the same addresses and formats, so that its clients keep working.
//!
//! Errors of the original are corrected. Times are milliseconds; where it gives a time as text
//! with two decimals, so is it here. Truth values are 1, 0 and null. Lists that would be longer than two
//! megabytes are paginated: the header `Link` has the address of the next part, `X-Total-Count` the
//! number of rows. An instance that has copies is in a list of results once.
//!
//! A result is that of the representative run of the repetitions. Framework errors are left out. Every
//! other run is in exactly one of *satisfied*, *not satisfied*, *error* (a wrong answer or an
//! invalid model), *timeouted* and *unknown*, in every endpoint.

mod charts;
mod instances;
mod results;
mod summary;
mod tracks;

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use luthier_records::{Class, Verdict};
use luthier_report::{Entry, Results, RunInfo, View, representative};

use crate::api::{
    ApiError, ApiRequest, Content, Endpoint, Family, Kind, Parameter, Reply, SizeBudget, find_set,
    next, offset,
};

pub(crate) fn endpoints() -> Vec<Endpoint> {
    let mut all = tracks::endpoints();
    all.extend(instances::endpoints());
    all.extend(results::endpoints());
    all.extend(summary::endpoints());
    all.extend(charts::endpoints());
    all
}

const LIMIT: Parameter = Parameter::query(
    "limit",
    Kind::Number(1, 1_000_000),
    "How many rows at most; as many as fit into two megabytes if not given.",
);
const OFFSET: Parameter =
    Parameter::query("offset", Kind::Number(0, i64::MAX), "How many rows to leave out before.");
const BGROUP: Parameter = Parameter::query(
    "bgroup",
    Kind::Text,
    "Only this set, by its name or number, if no track is given.",
);
const TRACK: Parameter =
    Parameter::query("track", Kind::Number(0, i64::MAX), "Only this track; 0 for all of the set.");
const TRACK_IN_PATH: Parameter = Parameter::path(
    "track",
    Kind::Number(0, i64::MAX),
    "The number of the track; 0 for a whole set.",
);
const INSTANCE: Parameter =
    Parameter::path("instance", Kind::Number(0, i64::MAX), "The number of the instance.");
const SOLVER_IN_PATH: Parameter =
    Parameter::path("solver", Kind::Text, "The name of the solver, or its number.");
const SOLVERS: Parameter = Parameter::query(
    "solvers",
    Kind::Texts,
    "The names of solvers, or their numbers; may be repeated.",
);

fn endpoint(
    path: &'static str,
    id: &'static str,
    summary: &'static str,
    content: Content,
    make: fn(&ApiRequest<'_>) -> Result<Reply, ApiError>,
) -> Endpoint {
    Endpoint::new(Family::Zaligvinder, path, id, summary, content, make)
}

/// All solvers on a track, on a set if the track is 0, or on everything.
fn view<'a>(request: &'a ApiRequest<'_>) -> Result<View<'a>, ApiError> {
    let results = request.results();
    let view = View::all(results);
    match request.values.number("track") {
        None | Some(0) => match request.values.text("bgroup") {
            Some(name) => Ok(view.of_set(find_set(results, name)?)),
            None => Ok(view),
        },
        Some(number) => Ok(view.of_track(track(results, number)?)),
    }
}

/// A track by its number, as an index.
fn track(results: &Results, number: i64) -> Result<usize, ApiError> {
    let track = results.tracks.iter().position(|track| track.number == number);
    track.ok_or_else(|| ApiError::unknown("track", number))
}

/// The first entry of an instance.
fn entry_of(results: &Results, number: i64) -> Result<&Entry, ApiError> {
    let entry = results.entries_of(number).next();
    Ok(&results.entries[entry.ok_or_else(|| ApiError::unknown("instance", number))?])
}

/// The entries of these without further copies of a file.
fn without_copies(results: &Results, entries: Range<usize>) -> impl Iterator<Item = usize> {
    entries.clone().filter(move |&entry| {
        let judged = &results.entries[entry].judged;
        // Copies share what is known. Most files have none, and need not be looked up.
        if Arc::strong_count(judged) == 1 && Arc::strong_count(&judged.content) == 1 {
            return true;
        }
        let mut copies = results.entries_of(judged.content.number);
        copies.find(|copy| entries.contains(copy)) == Some(entry)
    })
}

/// The representative run of a solver on an entry, unless it is a framework error. Most entries have one
/// run.
fn run(entry: &Entry, solver: usize) -> Option<&RunInfo> {
    let found = match entry.judged.runs_of(solver) {
        [only] => Some(only),
        several => representative(several),
    };
    found.filter(|run| run.scored.is_scored())
}

/// The answer as ZaligVinder encodes it: satisfiable or not; none if there is no answer.
fn result(run: &RunInfo) -> Option<u8> {
    match run.scored.class {
        Class::Sat => Some(1),
        Class::Unsat => Some(0),
        _ => None,
    }
}

/// The ground truth of an entry.
fn expected(entry: &Entry) -> Option<u8> {
    match entry.judged.expected() {
        Some((Verdict::Sat, _)) => Some(1),
        Some((Verdict::Unsat, _)) => Some(0),
        Some((Verdict::Unknown, _)) | None => None,
    }
}

/// A time in milliseconds.
fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e3
}

/// A time in milliseconds, as text with two decimals.
fn time_text(time: Duration) -> String {
    format!("{:.2}", milliseconds(time))
}

/// A part of a list of rows, each made of its key.
fn list<K, T: serde::Serialize>(
    request: &ApiRequest<'_>,
    keys: impl Iterator<Item = K>,
    make: impl Fn(K) -> T,
) -> Result<Reply, ApiError> {
    let mut rows = Vec::new();
    let part = fill(request, keys, make, |row| rows.push(row));
    Ok(Reply::json(&rows)?.with_part(part.total, part.next.as_deref()))
}

/// A part of a list.
struct Part {
    /// How many rows there are in all.
    total: usize,
    /// Where this part ends.
    end: usize,
    /// The address of the next part.
    next: Option<String>,
}

/// Takes the rows of the part that is asked for. All keys are gone through once, since their number is
/// told; only those of the part become rows.
fn fill<K, T: serde::Serialize>(
    request: &ApiRequest<'_>,
    keys: impl Iterator<Item = K>,
    make: impl Fn(K) -> T,
    mut take: impl FnMut(T),
) -> Part {
    let begin = offset(request);
    let limit = request.values.number("limit").and_then(|limit| usize::try_from(limit).ok());
    let last = begin.saturating_add(limit.unwrap_or(usize::MAX));
    let mut room = SizeBudget::default();
    let (mut total, mut end) = (0, begin);
    for key in keys {
        // A row that has no room ends the part.
        if total == end && end < last {
            let row = make(key);
            if room.takes(&row) {
                take(row);
                end += 1;
            }
        }
        total += 1;
    }
    Part { total, end, next: next(request, total, end, end == begin) }
}
