//! Endpoints of one instance: the formula, its ground truth, and the runs on it.

use luthier_records::{Instance, Verdict};
use luthier_store::{InstanceId, InstanceRuns};
use schemars::JsonSchema;
use serde::Serialize;

use super::endpoint::{ApiRequest, Content, Endpoint, Family, Source, schema};
use super::error::ApiError;
use super::parameters::{Kind, Parameter};
use super::reply::{OFFSET, Page, Reply, offset};
use super::run::{RunContext, RunDetails};
use super::types::{GroundTruthRow, PlaceOf};

/// What is printed beyond this is read for the run itself only.
const MOST_OUTPUT: usize = 1_000_000;

/// How much of each text is given here; the run itself has more.
const MOST_TEXT: usize = 4_000;

/// Places, queries and operators beyond these are left out.
const MOST_ITEMS: usize = 1_000;

/// Everything about an instance.
#[derive(Debug, Serialize, JsonSchema)]
struct InstanceDetails {
    /// Its number.
    number: i64,
    /// The SHA-256 of its bytes.
    digest: String,
    /// Its length, in bytes.
    size: u64,
    /// The dialect in which it is read.
    dialect: String,
    /// Why it is read so.
    dialect_reason: String,
    /// Why it cannot be read.
    fault: Option<String>,
    /// What was known about its queries beforehand.
    queries: Vec<QueryRow>,
    /// Where it stands, and the ground truth of its queries there.
    places: Vec<JudgedPlace>,
    /// Its labels: expected answers from tables.
    labels: Vec<LabelRow>,
    /// Its operators and other features, by name; null if they are not known.
    features: Option<Vec<String>>,
    /// Where the formula is.
    input: String,
    /// The runs on it.
    runs: Page<RunDetails>,
}

/// What is known beforehand about a query.
#[derive(Debug, Serialize, JsonSchema)]
struct QueryRow {
    /// The answer by construction.
    planted: Option<&'static str>,
    /// The only minimal core, by construction.
    planted_core: Option<Vec<String>>,
    /// The answer that the file claims.
    status: Option<&'static str>,
}

/// A label: an expected answer from a table.
#[derive(Debug, Serialize, JsonSchema)]
struct LabelRow {
    /// The place that the table labels.
    place: String,
    /// The answer, `sat` or `unsat`.
    verdict: &'static str,
    /// The table.
    source: String,
}

/// A place with the ground truth there, since sets differ in what they trust.
#[derive(Debug, Serialize, JsonSchema)]
struct JudgedPlace {
    /// The place.
    #[serde(flatten)]
    place: PlaceOf,
    /// The ground truth of each query.
    queries: Vec<GroundTruthRow>,
}

const NUMBER: Parameter =
    Parameter::path("number", Kind::Number(0, i64::MAX), "The number of the instance.");
const RUNS: Parameter =
    Parameter::query("limit", Kind::Number(1, 100), "How many runs at most; 100 if not given.");

pub(crate) fn endpoints() -> Vec<Endpoint> {
    let instance = |path, id, summary, content, make| {
        Endpoint::new(Family::Version1, path, id, summary, content, make)
            .with(&[NUMBER])
            .from(Source::Store)
    };
    vec![
        instance(
            "/api/v1/instances/{number}",
            "instance",
            "Everything about an instance, with the runs on it",
            Content::Json(schema::<InstanceDetails>),
            details,
        )
        .with(&[RUNS, OFFSET])
        .paged()
        .with_description(
            "The runs are given in parts. Long models are cut; a run by itself has all of it.",
        ),
        instance(
            "/api/v1/instances/{number}/input",
            "instance_input",
            "The formula, to the byte",
            Content::Text,
            |request| Ok(Reply::text(input(request)?)),
        ),
    ]
}

/// The text of the instance that `number` names.
fn input(request: &ApiRequest<'_>) -> Result<Vec<u8>, ApiError> {
    input_of(request, request.values.number("number").unwrap_or_default())
}

/// The text of an instance.
pub(crate) fn input_of(request: &ApiRequest<'_>, number: i64) -> Result<Vec<u8>, ApiError> {
    let text = request.read(|store| match store.instance(InstanceId(number))? {
        Some(found) => store.text(found.instance.digest).map(Some),
        None => Ok(None),
    })?;
    let text = text.ok_or_else(|| ApiError::unknown("instance", number))?;
    text.ok_or_else(|| ApiError::not_recorded("the text of this instance is not in the database"))
}

fn details(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let number = request.values.number("number").unwrap_or_default();
    let found = request.read(|store| store.instance(InstanceId(number)))?;
    let InstanceRuns { instance, runs, places: labelled, labels, .. } =
        found.ok_or_else(|| ApiError::unknown("instance", number))?;
    let results = request.results();
    let entries: Vec<_> = results.entries_of(number).map(|entry| &results.entries[entry]).collect();
    let mut failure = None;
    let rows = runs.iter().skip(offset(request)).map_while(|run| {
        let details = request.read(|store| store.outputs(run.id)).and_then(|outputs| {
            let output = outputs.unwrap_or_default().stdout.bytes;
            let said = (output.len() <= MOST_OUTPUT)
                .then(|| request.app.shared.solver_access.read_output(&output));
            let known = RunContext {
                run,
                said: said.as_ref(),
                formula: None,
                most_text: MOST_TEXT,
                has_command: false,
            };
            known.details(request)
        });
        details.map_err(|error| failure = Some(error)).ok()
    });
    let page = Page::of(request, runs.len(), rows);
    if let Some(error) = failure {
        return Err(error);
    }
    let features = entries.first().and_then(|entry| entry.judged.content.features.as_deref());
    let places = entries.iter().take(MOST_ITEMS).map(|entry| JudgedPlace {
        place: PlaceOf::of(results, entry),
        queries: entry.judged.truths.iter().take(MOST_ITEMS).map(GroundTruthRow::of).collect(),
    });
    let (total, next) = (page.total, page.next.clone());
    let details = InstanceDetails {
        number,
        digest: instance.digest.to_string(),
        size: instance.size.0,
        dialect: instance.dialect.clone(),
        dialect_reason: instance.dialect_reason.clone(),
        fault: instance.fault.clone(),
        queries: queries(&instance),
        places: places.collect(),
        labels: labelled
            .iter()
            .zip(&labels)
            .flat_map(|(place, labels)| labels.iter().map(move |label| (place, label)))
            .take(MOST_ITEMS)
            .map(|(place, label)| LabelRow {
                place: place.text(),
                verdict: label.verdict.name(),
                source: label.source.clone(),
            })
            .collect(),
        features: features
            .map(|all| all.iter().map(|&one| results.features[one as usize].clone()).collect()),
        input: format!("/api/v1/instances/{number}/input"),
        runs: page,
    };
    Ok(Reply::json(&details)?.with_part(total, next.as_deref()))
}

fn queries(instance: &Instance) -> Vec<QueryRow> {
    let rows = instance.queries.iter().take(MOST_ITEMS).map(|query| QueryRow {
        planted: query.planted.map(Verdict::name),
        planted_core: query
            .planted_core
            .as_ref()
            .map(|names| names.iter().map(ToString::to_string).collect()),
        status: query.status.map(Verdict::name),
    });
    rows.collect()
}
