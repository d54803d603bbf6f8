//! Charts as data in the format of ZaligVinder, or as pictures.

use std::collections::BTreeMap;

use luthier_charts::Stacking;
use luthier_report::measures::features;
use luthier_report::plots::{self, VirtualBest};
use luthier_report::{Entry, View};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::summary::Tally;
use super::{
    BGROUP, LIMIT, OFFSET, SOLVERS, TRACK, endpoint, fill, milliseconds, run, track, view,
    without_copies,
};
use crate::api::{
    ApiError, ApiRequest, Content, Endpoint, Kind, Parameter, Reply, SizeBudget, Source, find_set,
    find_solver, next, offset, picture, schema,
};

/// A point of a cactus plot.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ZaligvinderCactusPoint")]
struct CactusPoint {
    /// How many instances are solved before.
    x: usize,
    /// The number of the instance.
    instance: i64,
    /// CPU time in milliseconds.
    time: f64,
    /// The sum of times up to here; the time itself if `single` is given.
    y: f64,
}

/// How many instances came out how; each is in exactly one of the counts.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ZaligvinderShares")]
struct Shares {
    satis: u64,
    unk: u64,
    nsatis: u64,
    timeouted: u64,
    /// A wrong answer or an invalid model.
    error: u64,
}

type Cactus = BTreeMap<String, Vec<CactusPoint>>;
type Distribution = BTreeMap<String, Shares>;
type Keywords = BTreeMap<String, u64>;
type Scatter = BTreeMap<String, [f64; 2]>;

const FORMAT: Parameter = Parameter::query(
    "format",
    Kind::Choice(|| vec!["json", "png", "svg"]),
    "Data, or a picture; data if not given.",
);
const SOLVER: Parameter = Parameter::query(
    "solver",
    Kind::Texts,
    "The names of solvers, or their numbers; may be repeated. All if not given.",
);
const SINGLE: Parameter =
    Parameter::query("single", Kind::Text, "If given, times are not added up.");
const PLACE: Parameter = Parameter::path(
    "set",
    Kind::Text,
    "The number of a track, 0 for the set that bgroup names, or the name of a set.",
);

pub(super) fn endpoints() -> Vec<Endpoint> {
    let chart = |path, id, summary, content, make| {
        endpoint(path, id, summary, content, make).with(&[FORMAT]).from(Source::Costly)
    };
    vec![
        chart(
            "/chart/cactus",
            "zaligvinder_cactus",
            "The times of solved instances of each solver, sorted",
            Content::JsonOrPicture(schema::<Cactus>),
            cactus,
        )
        .with(&[TRACK, BGROUP, SOLVER, SINGLE, LIMIT, OFFSET])
        .paged()
        .with_description(
            "A part has the points from x = offset on. What is not solved has no point.",
        ),
        chart(
            "/chart/distribution/{set}",
            "zaligvinder_distribution",
            "How many instances each solver solved and did not solve",
            Content::JsonOrPicture(schema::<Distribution>),
            distribution,
        )
        .with(&[PLACE, BGROUP, SOLVER]),
        chart(
            "/chart/keywords",
            "zaligvinder_keywords",
            "How many instances use each operator or other feature",
            Content::JsonOrPicture(schema::<Keywords>),
            keywords,
        )
        .with(&[TRACK, BGROUP]),
        chart(
            "/chart/scattered",
            "zaligvinder_scattered",
            "The times of two solvers on each instance that both have a run on",
            Content::JsonOrPicture(schema::<Scatter>),
            scattered,
        )
        .with(&[SOLVERS, TRACK, BGROUP, LIMIT, OFFSET])
        .paged()
        .with_description("The first two solvers that are named count."),
    ]
}

/// The picture format that is asked for.
fn format<'a>(request: &ApiRequest<'a>) -> Option<&'a str> {
    request.values.text("format").filter(|format| *format != "json")
}

/// The view with the solvers that `solver` names.
fn with_solvers<'a>(request: &ApiRequest<'_>, view: View<'a>) -> Result<View<'a>, ApiError> {
    let named = request.values.many("solver").map(|name| find_solver(view.results, name));
    let mut solvers = named.collect::<Result<Vec<usize>, ApiError>>()?;
    solvers.sort_unstable();
    solvers.dedup();
    Ok(if solvers.is_empty() { view } else { view.with_solvers(solvers) })
}

fn cactus(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let view = with_solvers(request, view(request)?)?;
    if let Some(format) = format(request) {
        return picture(&plots::cactus(&view, VirtualBest::Hidden), format);
    }
    let results = view.results;
    let is_single = request.values.text("single").is_some();
    let lines: Vec<Vec<CactusPoint>> =
        view.solvers.iter().map(|&solver| line(&view, solver, is_single)).collect();
    let total = lines.iter().map(Vec::len).max().unwrap_or(0);
    let begin = offset(request);
    let limit = request.values.number("limit").and_then(|limit| usize::try_from(limit).ok());
    // The part ends at the same x for all solvers.
    let mut end = begin.min(total);
    let mut room = SizeBudget::default();
    while end < total && limit.is_none_or(|limit| end - begin < limit) {
        let points = lines.iter().filter_map(|line| line.get(end));
        if !room.takes(&points.collect::<Vec<_>>()) {
            break;
        }
        end += 1;
    }
    let mut part = Map::new();
    for (&solver, line) in view.solvers.iter().zip(&lines) {
        let points = &line[begin.min(line.len())..end.min(line.len())];
        part.insert(results.solvers[solver].label.clone(), json!(points));
    }
    let next = next(request, total, end, end <= begin);
    Ok(Reply::json(&part)?.with_part(total, next.as_deref()))
}

fn line(view: &View<'_>, solver: usize, is_single: bool) -> Vec<CactusPoint> {
    let solved = view.iter().filter_map(|entry| {
        let run = run(entry, solver).filter(|run| run.scored.is_solved())?;
        Some((run.scored.cpu.0, entry.judged.content.number))
    });
    let mut solved: Vec<_> = solved.collect();
    solved.sort_unstable();
    let mut sum = std::time::Duration::ZERO;
    let points = solved.into_iter().enumerate().map(|(x, (time, instance))| {
        sum = if is_single { time } else { sum.saturating_add(time) };
        CactusPoint { x, instance, time: milliseconds(time), y: milliseconds(sum) }
    });
    points.collect()
}

fn distribution(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let results = request.results();
    let place = request.values.text("set").unwrap_or_default();
    let all = View::all(results);
    let view = match (place.parse::<i64>(), request.values.text("bgroup")) {
        (Ok(0), Some(name)) => all.of_set(find_set(results, name)?),
        (Ok(0), None) => all,
        (Ok(number), _) if number > 0 => all.of_track(track(results, number)?),
        _ => all.of_set(find_set(results, place)?),
    };
    let view = with_solvers(request, view)?;
    if let Some(format) = format(request) {
        return picture(&plots::distribution(&view, Stacking::Counts), format);
    }
    let mut shares = Map::new();
    for &solver in &view.solvers {
        let tally = Tally::of(&view, solver);
        let row = Shares {
            satis: tally.satisfied,
            unk: tally.unknown,
            nsatis: tally.not_satisfied,
            timeouted: tally.timeouted,
            error: tally.error,
        };
        shares.insert(results.solvers[solver].label.clone(), json!(row));
    }
    Reply::json(&shares)
}

fn keywords(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let view = view(request)?;
    if let Some(format) = format(request) {
        return picture(&plots::features(&view, 20), format);
    }
    let table = features(&view);
    let uses = table.rows.iter().map(|row| (&view.results.features[row.feature], row.entries));
    Reply::json(&uses.collect::<BTreeMap<_, _>>())
}

fn scattered(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let view = view(request)?;
    let results = view.results;
    let named = request.values.many("solvers").map(|name| find_solver(results, name));
    let mut pair = named.collect::<Result<Vec<usize>, ApiError>>()?;
    // The default is the first solver that is there.
    pair.truncate(2);
    while pair.len() < 2 {
        let other = view.solvers.iter().copied().find(|solver| !pair.contains(solver));
        let Some(other) = other.or(pair.first().copied()) else { return Reply::json(&Map::new()) };
        pair.push(other);
    }
    let (left, right) = (pair[0], pair[1]);
    if let Some(format) = format(request) {
        return picture(&plots::scatter(&view, left, right, None), format);
    }
    let first = view.entries.first().copied().unwrap_or(0);
    let times = |entry: &Entry| -> Option<[f64; 2]> {
        let time = |solver| Some(milliseconds(run(entry, solver)?.scored.cpu.0));
        Some([time(left)?, time(right)?])
    };
    let entries = without_copies(results, first..first + view.entries.len());
    let pairs = entries.filter_map(|index| {
        let entry = &results.entries[index];
        Some((entry.judged.content.number, times(entry)?))
    });
    let mut rows: Map<String, Value> = Map::new();
    let part = fill(
        request,
        pairs,
        |pair| pair,
        |(number, times)| {
            rows.insert(number.to_string(), json!(times));
        },
    );
    Ok(Reply::json(&rows)?.with_part(part.total, part.next.as_deref()))
}
