//! Endpoints of the list of instances, filtered and sorted, as JSON and CSV.

use luthier_report::documents::csv_record;
use luthier_report::measures::{Expected, Filter, FilterKind, Sorting};
use luthier_report::{Entry, View};
use schemars::JsonSchema;
use serde::Serialize;

use super::endpoint::{ApiRequest, Content, Endpoint, Family, schema};
use super::error::ApiError;
use super::parameters::{Kind, Parameter};
use super::reply::{LIMIT, OFFSET, Page, Reply, offset};
use super::scope::{self, CAMPAIGN, SET, SOLVERS, TRACK};
use super::types::{GroundTruthRow, PlaceOf, RunRow};

/// A file at its place, with the runs that stand for the solvers.
#[derive(Debug, Serialize, JsonSchema)]
struct InstanceRow {
    /// The number of the instance; copies of a file have the same.
    number: i64,
    /// Where it stands.
    place: PlaceOf,
    /// Its length, in bytes.
    size: u64,
    /// The dialect in which it is read.
    dialect: String,
    /// Whether it cannot be read.
    unreadable: bool,
    /// The ground truth of each of its queries.
    queries: Vec<GroundTruthRow>,
    /// For each solver that has any, the representative run.
    runs: Vec<RunRow>,
}

/// A condition on the outcomes of the runs.
const KIND: Parameter = Parameter::query(
    "kind",
    Kind::Choice(|| FilterKind::ALL.map(FilterKind::name).to_vec()),
    "Only files with this outcome: of any of the solvers that are shown, or of the \
     one that `of` names.",
);
const OF: Parameter =
    Parameter::query("of", Kind::Text, "The solver, by number or label, that `kind` is about.");
const FEATURE: Parameter =
    Parameter::query("feature", Kind::Text, "Only files that use this operator or other feature.");
const TEXT: Parameter =
    Parameter::query("text", Kind::Text, "Only files whose place contains this, in whatever case.");
const EXPECTED: Parameter = Parameter::query(
    "expected",
    Kind::Choice(|| Expected::ALL.map(Expected::name).to_vec()),
    "Only files with this ground truth.",
);
const MIN_SIZE: Parameter = Parameter::query(
    "min_size",
    Kind::Number(0, i64::MAX),
    "Only files of at least so many bytes.",
);
const MAX_SIZE: Parameter =
    Parameter::query("max_size", Kind::Number(0, i64::MAX), "Only files of at most so many bytes.");
const SORT: Parameter = Parameter::query(
    "sort",
    Kind::Order,
    "The order: place, size, time:SOLVER, ratio:SOLVER:SOLVER or spread, with a minus before it for \
     descending. By place if not given.",
);

pub(crate) fn endpoints() -> Vec<Endpoint> {
    let instances = Endpoint::new(
        Family::Version1,
        "/api/v1/instances",
        "instances",
        "The files at their places, with the runs that stand for each solver",
        Content::Json(schema::<Page<InstanceRow>>),
        instances,
    );
    let table = Endpoint::new(
        Family::Version1,
        "/api/v1/instances.csv",
        "instances_csv",
        "The same as a table with a line for each run",
        Content::Csv,
        instances_csv,
    );
    let filters = [KIND, OF, FEATURE, TEXT, EXPECTED, MIN_SIZE, MAX_SIZE, SORT];
    let list = |endpoint: Endpoint| {
        endpoint
            .with(&[SET, TRACK, SOLVERS, CAMPAIGN])
            .with(&filters)
            .with(&[LIMIT, OFFSET])
            .paged()
            .with_description(
                "All filters must hold. What the kinds mean is what the comparison page says.",
            )
    };
    vec![list(instances), list(table)]
}

fn instances(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    listed(request)?.reply()
}

/// The columns of the table.
const COLUMNS: [&str; 16] = [
    "instance",
    "set",
    "track",
    "name",
    "size",
    "dialect",
    "expected",
    "solver",
    "run",
    "class",
    "judgement",
    "model",
    "core",
    "cpu_seconds",
    "wall_seconds",
    "memory",
];

/// By RFC 4180. A file without runs has a line of its own, in which the columns of runs are empty.
fn instances_csv(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let page = listed(request)?;
    let lines = page.items.iter().map(csv_lines);
    let text: String = std::iter::once(csv_head()).chain(lines).collect();
    let reply = Reply::of("text/csv; charset=utf-8", text.into_bytes());
    Ok(reply.with_part(page.total, page.next.as_deref()))
}

/// The names of the columns.
pub(crate) fn csv_head() -> String {
    csv_record(COLUMNS)
}

/// The lines of an entry of a view.
pub(crate) fn csv_of_instance<'a>(view: &View<'a>, entry: &'a Entry) -> String {
    csv_lines(&row(view, entry))
}

fn csv_lines(item: &InstanceRow) -> String {
    let mut text = String::new();
    {
        let PlaceOf { set, track, name } = &item.place;
        let expected = match item.queries.as_slice() {
            [query] => query.expected.unwrap_or_default(),
            _ => "",
        };
        let (number, size) = (item.number.to_string(), item.size.to_string());
        let head = [&number, &set.name, &track.name, name, &size, &item.dialect, expected];
        let runs: Vec<Option<&RunRow>> = match item.runs.as_slice() {
            [] => vec![None],
            runs => runs.iter().map(Some).collect(),
        };
        for run in runs {
            let cells = run.map_or_else(Default::default, |run| {
                [
                    run.solver.name.clone(),
                    run.run.to_string(),
                    run.class.to_owned(),
                    run.judgement.to_owned(),
                    run.model.unwrap_or_default().to_owned(),
                    run.core.unwrap_or_default().to_owned(),
                    run.cpu.to_string(),
                    run.wall.to_string(),
                    run.memory.to_string(),
                ]
            });
            let line = head.into_iter().chain(cells.iter().map(String::as_str));
            text.push_str(&csv_record(line));
        }
    }
    text
}

/// The part of the list that is asked for.
fn listed(request: &ApiRequest<'_>) -> Result<Page<InstanceRow>, ApiError> {
    let view = scope::view(request)?;
    let filter = filter(request)?;
    let view = if filter == Filter::default() { view } else { filter.apply(view) };
    let order = sorting(request)?.sort(&view);
    let rows =
        order.iter().skip(offset(request)).map(|&entry| row(&view, &view.results.entries[entry]));
    Ok(Page::of(request, order.len(), rows))
}

/// The filter that is asked for.
fn filter(request: &ApiRequest<'_>) -> Result<Filter, ApiError> {
    let (results, values) = (request.results(), request.values);
    let size = |name: &str| values.number(name).and_then(|size| u64::try_from(size).ok());
    let feature = |name: &str| {
        let place = results.features.iter().position(|feature| feature == name);
        place.ok_or_else(|| ApiError::unknown("feature", name))
    };
    Ok(Filter {
        kind: values.text("kind").and_then(FilterKind::from_name).unwrap_or_default(),
        solver: values.text("of").map(|name| scope::find_solver(results, name)).transpose()?,
        feature: values.text("feature").map(feature).transpose()?,
        min_size: size("min_size"),
        max_size: size("max_size"),
        expected: values
            .text("expected")
            .and_then(|name| Expected::ALL.into_iter().find(|one| one.name() == name)),
        text: values.text("text").map(str::to_owned),
    })
}

/// The order that is asked for. Its form is right, so only a solver in it can be unknown.
fn sorting(request: &ApiRequest<'_>) -> Result<Sorting, ApiError> {
    let Some(text) = request.values.text("sort") else { return Ok(Sorting::default()) };
    Sorting::parse(text, request.results())
        .map_err(|error| ApiError::unknown("solver", error.value))
}

fn row<'a>(view: &View<'a>, entry: &'a Entry) -> InstanceRow {
    let content = &entry.judged.content;
    let runs = view.solvers.iter().filter_map(|&solver| view.run(entry, solver));
    InstanceRow {
        number: content.number,
        place: PlaceOf::of(view.results, entry),
        size: content.size.0,
        dialect: view.results.dialects[content.dialect].clone(),
        unreadable: content.is_unreadable,
        queries: entry.judged.truths.iter().map(GroundTruthRow::of).collect(),
        runs: runs.map(|run| RunRow::of(view.results, run)).collect(),
    }
}
