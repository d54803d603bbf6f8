//! Instances, and the results of several solvers on one.

use std::collections::BTreeMap;

use luthier_records::{Class, ModelOutcome};
use luthier_report::RunInfo;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{
    INSTANCE, LIMIT, OFFSET, SOLVERS, endpoint, entry_of, expected, list, result, run, time_text,
    track, without_copies,
};
use crate::api::{
    ApiError, ApiRequest, Content, Endpoint, Kind, Parameter, Reply, Source, find_set, find_solver,
    input_of, schema,
};

/// An instance.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ZaligvinderInstance")]
struct InstanceRow {
    name: String,
    id: i64,
    /// 1 if satisfiable, 0 if not, null if nothing decides.
    expected: Option<u8>,
}

/// The number of an instance.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ZaligvinderInstanceId")]
struct InstanceId {
    id: i64,
}

/// What a solver did on an instance.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ZaligvinderSolverResult")]
struct SolverResult {
    timeouted: u8,
    /// 1 for `sat`, 0 for `unsat`, null if there is no answer.
    result: Option<u8>,
    /// CPU time in milliseconds.
    time: String,
    /// Whether an answer is wrong or a model invalid.
    error: u8,
    /// Whether no other solver solved it.
    unique_answer: u8,
    /// Whether the program crashed, ran out of memory, did not understand the script or printed no answer.
    #[serde(rename = "programError")]
    program_error: u8,
    /// Whether the model is valid; null if there is none, or if it cannot be said.
    verified: Option<u8>,
}

const GROUP: Parameter =
    Parameter::path("bgroup", Kind::Text, "The name of the set, or its number.");
const TRACK: Parameter =
    Parameter::path("track", Kind::Number(0, i64::MAX), "The number of the track.");

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        endpoint(
            "/instances",
            "zaligvinder_instances",
            "All instances",
            Content::Json(schema::<Vec<InstanceRow>>),
            instances,
        )
        .with(&[LIMIT, OFFSET])
        .paged(),
        endpoint(
            "/instances/ids/track/{track}",
            "zaligvinder_instances_of_track",
            "The numbers of the instances of a track",
            Content::Json(schema::<Vec<InstanceId>>),
            of_track,
        )
        .with(&[TRACK, LIMIT, OFFSET])
        .paged(),
        endpoint(
            "/instances/ids/group/{bgroup}",
            "zaligvinder_instances_of_group",
            "The numbers of the instances of a set",
            Content::Json(schema::<Vec<InstanceId>>),
            of_group,
        )
        .with(&[GROUP, LIMIT, OFFSET])
        .paged(),
        endpoint(
            "/instances/solvers/{instance}",
            "zaligvinder_instance_solvers",
            "What solvers did on an instance",
            Content::Json(solver_results_schema),
            solver_results,
        )
        .with(&[INSTANCE, SOLVERS])
        .with_description("All solvers if none is named. Those without a run are left out."),
        endpoint(
            "/instances/{instance}/model.smt",
            "zaligvinder_instance_input",
            "The formula, to the byte",
            Content::Text,
            |request| {
                let number = request.values.number("instance").unwrap_or_default();
                Ok(Reply::text(input_of(request, number)?))
            },
        )
        .with(&[INSTANCE])
        .from(Source::Store),
    ]
}

fn instances(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    list(request, request.results().entries.iter(), |entry| InstanceRow {
        name: entry.name.to_string(),
        id: entry.judged.content.number,
        expected: expected(entry),
    })
}

fn of_track(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let results = request.results();
    let track = track(results, request.values.number("track").unwrap_or_default())?;
    ids(request, results.tracks[track].entries.clone())
}

fn of_group(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let results = request.results();
    let set = find_set(results, request.values.text("bgroup").unwrap_or_default())?;
    ids(request, results.sets[set].entries.clone())
}

fn ids(request: &ApiRequest<'_>, entries: std::ops::Range<usize>) -> Result<Reply, ApiError> {
    let results = request.results();
    list(request, without_copies(results, entries), |entry| InstanceId {
        id: results.entries[entry].judged.content.number,
    })
}

fn solver_results(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let number = request.values.number("instance").unwrap_or_default();
    let results = request.results();
    let entry = entry_of(results, number)?;
    let named = request.values.many("solvers").map(|name| find_solver(results, name));
    let mut solvers = named.collect::<Result<Vec<usize>, ApiError>>()?;
    if solvers.is_empty() {
        solvers = (0..results.solvers.len()).collect();
    }
    let runs: BTreeMap<usize, &RunInfo> =
        solvers.iter().filter_map(|&solver| Some((solver, run(entry, solver)?))).collect();
    let solved = runs.values().filter(|run| run.scored.is_solved()).count();
    let says = |class: Class| runs.values().any(|run| run.scored.class == class);
    let mut about = Map::new();
    for (&solver, run) in &runs {
        let row = solver_result(run, solved == 1);
        about.insert(results.solvers[solver].label.clone(), json!(row));
    }
    let number_of = |truth: bool| Value::from(u8::from(truth));
    about.insert("expected".to_owned(), json!(expected(entry)));
    about.insert("unique".to_owned(), number_of(solved == 1));
    let error = runs.values().any(|run| run.scored.is_refuted());
    about.insert("error".to_owned(), number_of(error));
    about.insert("name".to_owned(), entry.name.as_ref().into());
    about.insert("unknown".to_owned(), number_of(solved == 0));
    let ambiguous = expected(entry).is_none() && says(Class::Sat) && says(Class::Unsat);
    about.insert("ambiguous_answer".to_owned(), number_of(ambiguous));
    Reply::json(&json!({ number.to_string(): about }))
}

fn solver_result(run: &RunInfo, is_only: bool) -> SolverResult {
    let scored = &run.scored;
    let program_error = matches!(
        scored.class,
        Class::Crash | Class::Memout | Class::Unsupported | Class::Malformed
    );
    SolverResult {
        timeouted: u8::from(scored.class == Class::Timeout),
        result: result(run),
        time: time_text(scored.cpu.0),
        error: u8::from(scored.is_refuted()),
        unique_answer: u8::from(is_only && scored.is_solved()),
        program_error: u8::from(program_error),
        verified: match scored.model {
            Some(ModelOutcome::Valid | ModelOutcome::Completed) => Some(1),
            Some(ModelOutcome::Invalid) => Some(0),
            Some(ModelOutcome::Incomplete | ModelOutcome::Unsupported | ModelOutcome::Exceeded)
            | None => None,
        },
    }
}

/// Names of solvers stand beside fixed keys, which no type can say.
fn solver_results_schema(generator: &mut SchemaGenerator) -> Schema {
    let solver = generator.subschema_for::<SolverResult>();
    let truth = json!({ "type": "integer", "enum": [0, 1] });
    schemars::json_schema!({
        "type": "object",
        "description": "The number of the instance, and what is known about it.",
        "additionalProperties": {
            "type": "object",
            "properties": {
                "expected": { "enum": [0, 1, null] },
                "unique": truth,
                "error": truth,
                "name": { "type": "string" },
                "unknown": truth,
                "ambiguous_answer": truth,
            },
            "required": ["expected", "unique", "error", "name", "unknown", "ambiguous_answer"],
            "additionalProperties": solver,
        },
    })
}
