//! Endpoints of charts: as SVG, as PNG and as data.

use luthier_charts::{Axis, Scale, Stacking};
use luthier_report::View;
use luthier_report::documents::csv_record;
use luthier_report::plots::{
    self, Chart, ChartError, Row, TimelineMeasure, Value, Variant, VirtualBest, to_png, to_svg,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::endpoint::{ApiRequest, Content, Endpoint, Family, Source, schema};
use super::error::ApiError;
use super::parameters::{Kind, Parameter};
use super::reply::{MOST_BYTES, OFFSET, Reply, SizeBudget, next, offset};
use super::scope::{self, CAMPAIGN, SET, SOLVERS, TRACK};
use crate::address::instance_address;

/// How wide pictures are.
const WIDTH: u32 = 720;

/// How many pixels of a picture there are for one of the web.
const SCALE: f32 = 2.0;

/// The data of how many instances a scatter plot has in one part.
const MOST_POINTS: usize = 5_000;

/// The data of a chart, or a part of it.
#[derive(Debug, Serialize, JsonSchema)]
struct ChartData {
    /// Its title.
    title: String,
    /// What it shows, in words.
    description: String,
    /// The axis from left to right.
    x: AxisRow,
    /// The axis from bottom to top.
    y: AxisRow,
    /// How many rows there are: values of all series, or instances of a scatter plot.
    total: usize,
    /// How many rows come before this part.
    offset: usize,
    /// The address of the next part; null if this is the last one.
    next: Option<String>,
    /// The series; in parts of a chart only values of this part are in them.
    series: Vec<SeriesRow>,
}

/// An axis.
#[derive(Debug, Serialize, JsonSchema)]
struct AxisRow {
    /// What it shows, with its unit.
    title: String,
    /// `linear`, `log` or `categories`.
    scale: &'static str,
}

/// A series.
#[derive(Debug, Serialize, JsonSchema)]
struct SeriesRow {
    /// Its name.
    name: String,
    /// Its values.
    values: Vec<ValueRow>,
}

/// A value.
#[derive(Debug, Serialize, JsonSchema)]
struct ValueRow {
    /// From left to right.
    x: Coordinate,
    /// From bottom to top.
    y: Coordinate,
    /// A note.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// A link.
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<String>,
}

/// A number, the name of a category, or null if there is no value.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum Coordinate {
    /// A number.
    Number(f64),
    /// A category.
    Name(String),
    /// No value.
    Missing(()),
}

const ROWS: Parameter =
    Parameter::query("limit", Kind::Number(1, 100_000), "How many rows at most.");
const BEST: Parameter = Parameter::query(
    "virtual_best",
    Kind::Choice(|| vec!["shown", "hidden"]),
    "Whether the virtual best solver has a line; shown if not given.",
);
const X: Parameter = Parameter::needed("x", Kind::Text, "The solver from left to right.");
const Y: Parameter = Parameter::needed("y", Kind::Text, "The solver from bottom to top.");
const STACKING: Parameter = Parameter::query(
    "stacking",
    Kind::Choice(|| vec!["counts", "shares"]),
    "Whether bars are as long as there are instances, or all of the same length; counts if not given.",
);
const MOST: Parameter =
    Parameter::query("most", Kind::Number(1, 100), "How many operators at most; 20 if not given.");
const FAMILY: Parameter = Parameter::query(
    "family",
    Kind::Text,
    "The family of solvers; the first with several versions if not given.",
);
const MEASURE: Parameter = Parameter::query(
    "measure",
    Kind::Choice(|| TimelineMeasure::ALL.map(TimelineMeasure::name).to_vec()),
    "What is shown of each release; solved if not given.",
);

/// The endpoints of a kind of chart.
macro_rules! chart {
    ($name:literal, $title:literal, $make:expr, $parameters:expr) => {
        chart!($name, $title, $make, $parameters, |request| data(request, &$make(request)?), "")
    };
    ($name:literal, $title:literal, $make:expr, $parameters:expr, $data:expr, $about:literal) => {{
        let endpoint = |path, id, summary, content, make| {
            Endpoint::new(Family::Version1, path, id, summary, content, make)
                .with(&[SET, TRACK, SOLVERS, CAMPAIGN])
                .with($parameters)
                .from(Source::Costly)
        };
        [
            endpoint(
                concat!("/api/v1/charts/", $name, ".svg"),
                concat!("chart_", $name, "_svg"),
                concat!($title, ", as a picture"),
                Content::Svg,
                |request| svg(&$make(request)?),
            ),
            endpoint(
                concat!("/api/v1/charts/", $name, ".png"),
                concat!("chart_", $name, "_png"),
                concat!($title, ", as a picture of pixels"),
                Content::Png,
                |request| png(&$make(request)?),
            ),
            endpoint(
                concat!("/api/v1/charts/", $name, ".json"),
                concat!("chart_", $name, "_json"),
                concat!($title, ", as data"),
                Content::Json(schema::<ChartData>),
                $data,
            )
            .with(&[ROWS, OFFSET])
            .paged()
            .with_description($about),
            // Costs little but may be long, so it is not kept.
            endpoint(
                concat!("/api/v1/charts/", $name, ".csv"),
                concat!("chart_", $name, "_csv"),
                concat!($title, ", as a table"),
                Content::Csv,
                |request| Ok(table(&$make(request)?)),
            )
            .from(Source::Results)
            .with_description("All values at once, a line for each, with its series."),
        ]
    }};
}

pub(crate) fn endpoints() -> Vec<Endpoint> {
    let charts = [
        chart!("cactus", "How many instances are solved within a time", cactus, &[BEST]),
        chart!(
            "scatter",
            "The times of two solvers on every instance",
            scatter,
            &[X, Y],
            scatter_data,
            "Rows are instances: a part has the points of some of them."
        ),
        chart!("distribution", "Runs by outcome", distribution, &[STACKING]),
        chart!("operators", "Instances solved by operator", operators, &[MOST]),
        chart!("uses", "How many instances use an operator", operator_uses, &[MOST]),
        chart!("histogram", "How long runs took", histogram, &[]),
        chart!("timeline", "Releases from version to version", timeline, &[FAMILY, MEASURE]),
    ];
    charts.into_iter().flatten().collect()
}

/// A chart as a picture in a format: `svg`, otherwise `png`.
pub(crate) fn picture(chart: &Chart, format: &str) -> Result<Reply, ApiError> {
    if format == "svg" { svg(chart) } else { png(chart) }
}

fn svg(chart: &Chart) -> Result<Reply, ApiError> {
    let text = to_svg(chart, chart.natural_size(WIDTH), Variant::Standalone);
    Ok(Reply::of("image/svg+xml", text.into_bytes()))
}

fn png(chart: &Chart) -> Result<Reply, ApiError> {
    let bytes = to_png(chart, chart.natural_size(WIDTH), SCALE);
    let bytes = bytes.map_err(|error: ChartError| ApiError::failed(error.to_string()))?;
    Ok(Reply::of("image/png", bytes))
}

fn cactus(request: &ApiRequest<'_>) -> Result<Chart, ApiError> {
    let best = match request.values.text("virtual_best") {
        Some("hidden") => VirtualBest::Hidden,
        _ => VirtualBest::Shown,
    };
    Ok(plots::cactus(&scope::view(request)?, best))
}

fn scatter(request: &ApiRequest<'_>) -> Result<Chart, ApiError> {
    scatter_of(request, &scope::view(request)?)
}

fn scatter_of(request: &ApiRequest<'_>, view: &View<'_>) -> Result<Chart, ApiError> {
    let results = view.results;
    let solver = |name| scope::find_solver(results, request.values.text(name).unwrap_or_default());
    Ok(plots::scatter(view, solver("x")?, solver("y")?, Some(instance_address)))
}

/// The data of a scatter plot, some instances at a time. Every point has a text of its own, so that all of
/// them together would take long to make and be too much for one answer anyway.
fn scatter_data(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let mut view = scope::view(request)?;
    let total = view.entries.len();
    let begin = offset(request);
    let limit = request.values.number("limit").and_then(|limit| usize::try_from(limit).ok());
    let mut count = limit.unwrap_or(usize::MAX).min(MOST_POINTS);
    let all = std::mem::take(&mut view.entries);
    loop {
        view.entries = all.iter().skip(begin).take(count).copied().collect();
        let chart = scatter_of(request, &view)?;
        let series = chart.series().into_iter().map(|series| SeriesRow {
            name: series.name,
            values: series.rows.into_iter().map(value).collect(),
        });
        let given = view.entries.len();
        let next = next(request, total, begin.saturating_add(given), given == 0);
        let reply = Reply::json(&ChartData {
            title: chart.title().to_owned(),
            description: chart.description().to_owned(),
            x: axis(chart.x()),
            y: axis(chart.y()),
            total,
            offset: begin,
            next: next.clone(),
            series: series.collect(),
        })?;
        // Names may be long; then there is room for fewer of them.
        if reply.body.len() <= MOST_BYTES || count <= 1 {
            return Ok(reply.with_part(total, next.as_deref()));
        }
        count /= 2;
    }
}

fn distribution(request: &ApiRequest<'_>) -> Result<Chart, ApiError> {
    let stacking = match request.values.text("stacking") {
        Some("shares") => Stacking::Shares,
        _ => Stacking::Counts,
    };
    Ok(plots::distribution(&scope::view(request)?, stacking))
}

fn operators(request: &ApiRequest<'_>) -> Result<Chart, ApiError> {
    let most = request.values.number("most").and_then(|most| usize::try_from(most).ok());
    Ok(plots::features(&scope::view(request)?, most.unwrap_or(20)))
}

fn operator_uses(request: &ApiRequest<'_>) -> Result<Chart, ApiError> {
    let most = request.values.number("most").and_then(|most| usize::try_from(most).ok());
    let view = scope::view(request)?;
    Ok(plots::feature_uses(&view, &luthier_report::measures::features(&view), most.unwrap_or(20)))
}

fn histogram(request: &ApiRequest<'_>) -> Result<Chart, ApiError> {
    Ok(plots::histogram(&scope::view(request)?))
}

fn timeline(request: &ApiRequest<'_>) -> Result<Chart, ApiError> {
    let view = scope::view(request)?;
    let solvers = &view.results.solvers;
    let is_there = |name: &str| solvers.iter().any(|one| one.configuration.family == name);
    let family = match request.values.text("family") {
        Some(name) if is_there(name) => name,
        Some(name) => return Err(ApiError::unknown("family", name)),
        None => {
            let several = plots::families(&view).first().copied();
            let first = view.solvers.first();
            let any = || first.map(|&solver| solvers[solver].configuration.family.as_str());
            several.or_else(any).unwrap_or_default()
        }
    };
    let measure = request.values.text("measure").and_then(TimelineMeasure::from_name);
    Ok(plots::timeline(&view, family, measure.unwrap_or(TimelineMeasure::Solved)))
}

/// All values of a chart as CSV. What has no value is empty.
fn table(chart: &Chart) -> Reply {
    let text = |value: Value| match value {
        Value::Number(number) => number.to_string(),
        Value::Name(name) => name,
        Value::Missing => String::new(),
    };
    let mut lines = csv_record(["series", "x", "y", "note"]);
    for series in chart.series() {
        for row in series.rows {
            let (x, y) = (text(row.x), text(row.y));
            let note = row.note.unwrap_or_default();
            lines.push_str(&csv_record([series.name.as_str(), &x, &y, &note]));
        }
    }
    Reply::of("text/csv; charset=utf-8", lines.into_bytes())
}

fn data(request: &ApiRequest<'_>, chart: &Chart) -> Result<Reply, ApiError> {
    let all = chart.series();
    let total = all.iter().map(|series| series.rows.len()).sum();
    let offset = offset(request);
    let limit = request.values.number("limit").and_then(|limit| usize::try_from(limit).ok());
    let (mut left_out, mut given, mut is_full) = (0, 0, false);
    let mut room = SizeBudget::default();
    let mut rows = Vec::new();
    for series in all {
        let mut values = Vec::new();
        for row in series.rows {
            if left_out < offset {
                left_out += 1;
                continue;
            }
            is_full |= limit.is_some_and(|limit| given >= limit);
            if is_full {
                break;
            }
            let value = value(row);
            if !room.takes(&value) {
                is_full = true;
                break;
            }
            values.push(value);
            given += 1;
        }
        rows.push(SeriesRow { name: series.name, values });
    }
    let next = next(request, total, offset.saturating_add(given), given == 0);
    let data = ChartData {
        title: chart.title().to_owned(),
        description: chart.description().to_owned(),
        x: axis(chart.x()),
        y: axis(chart.y()),
        total,
        offset,
        next: next.clone(),
        series: rows,
    };
    Ok(Reply::json(&data)?.with_part(total, next.as_deref()))
}

fn value(row: Row) -> ValueRow {
    let coordinate = |value: Value| match value {
        Value::Number(number) => Coordinate::Number(number),
        Value::Name(name) => Coordinate::Name(name),
        Value::Missing => Coordinate::Missing(()),
    };
    ValueRow { x: coordinate(row.x), y: coordinate(row.y), note: row.note, link: row.link }
}

fn axis(axis: &Axis) -> AxisRow {
    let scale = match axis.scale {
        Scale::Linear => "linear",
        Scale::Log { .. } => "log",
        Scale::Categories(_) => "categories",
    };
    AxisRow { title: axis.title.clone(), scale }
}
