//! Results of runs, and their outputs.

use luthier_records::Class;
use luthier_report::{RunInfo, View, representative};
use luthier_store::RunId;
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    INSTANCE, LIMIT, OFFSET, SOLVER_IN_PATH, TRACK_IN_PATH, endpoint, entry_of, expected, list,
    result, run, time_text, track, without_copies,
};
use crate::api::{
    ApiError, ApiRequest, Content, Endpoint, Reply, Source, find_solver, model_text, schema,
};

/// The result of a solver on an instance.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ZaligvinderResultRow")]
struct ResultRow {
    solver: String,
    instanceid: i64,
    #[serde(rename = "Result")]
    result: RunResult,
}

/// The result of a run.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ZaligvinderResult")]
struct RunResult {
    timeouted: u8,
    /// 1 for `sat`, 0 for `unsat`, null if there is no answer.
    result: Option<u8>,
    /// CPU time in milliseconds.
    time: String,
}

/// The ground truth of an instance, and the solvers by their answers.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ZaligvinderReference")]
struct Reference {
    /// 1 if satisfiable, 0 if not, null if nothing decides.
    result: Option<u8>,
    /// Solvers that say `sat`.
    #[serde(rename = "satisfying solvers")]
    satisfying: Vec<String>,
    /// Solvers that say `unsat`.
    #[serde(rename = "nsatisfying solvers")]
    not_satisfying: Vec<String>,
}

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        endpoint(
            "/results",
            "zaligvinder_results",
            "The results of all solvers on all instances",
            Content::Json(schema::<Vec<ResultRow>>),
            |request| results(request, 0..request.results().entries.len()),
        )
        .with(&[LIMIT, OFFSET])
        .paged(),
        endpoint(
            "/results/{track}",
            "zaligvinder_results_of_track",
            "The results of all solvers on the instances of a track",
            Content::Json(schema::<Vec<ResultRow>>),
            |request| {
                let number = request.values.number("track").unwrap_or_default();
                let index = track(request.results(), number)?;
                results(request, request.results().tracks[index].entries.clone())
            },
        )
        .with(&[TRACK_IN_PATH, LIMIT, OFFSET])
        .paged(),
        endpoint(
            "/results/reference/{instance}",
            "zaligvinder_reference",
            "The ground truth of an instance, and the solvers by their answers",
            Content::Json(schema::<Reference>),
            reference,
        )
        .with(&[INSTANCE]),
        endpoint(
            "/results/{solver}/{instance}/output",
            "zaligvinder_output",
            "What a solver printed on an instance, to the byte",
            Content::Text,
            |request| Ok(Reply::text(output(request)?)),
        )
        .with(&[SOLVER_IN_PATH, INSTANCE])
        .from(Source::Store),
        endpoint(
            "/results/{solver}/{instance}/model",
            "zaligvinder_model",
            "The models that a solver printed on an instance; nothing if it printed none",
            Content::Text,
            model,
        )
        .with(&[SOLVER_IN_PATH, INSTANCE])
        .from(Source::Store),
    ]
}

fn results(request: &ApiRequest<'_>, entries: std::ops::Range<usize>) -> Result<Reply, ApiError> {
    let results = request.results();
    let view = &View::all(results);
    let runs = without_copies(results, entries).flat_map(|index| {
        let entry = &results.entries[index];
        view.solvers.iter().filter_map(move |&solver| Some((entry, run(entry, solver)?)))
    });
    list(request, runs, |(entry, run)| ResultRow {
        solver: results.solvers[run.solver].label.clone(),
        instanceid: entry.judged.content.number,
        result: RunResult {
            timeouted: u8::from(run.scored.class == Class::Timeout),
            result: result(run),
            time: time_text(run.scored.cpu.0),
        },
    })
}

fn reference(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let results = request.results();
    let entry = entry_of(results, request.values.number("instance").unwrap_or_default())?;
    let says = |class: Class| -> Vec<String> {
        let solvers = (0..results.solvers.len())
            .filter(|&solver| run(entry, solver).is_some_and(|run| run.scored.class == class));
        solvers.map(|solver| results.solvers[solver].label.clone()).collect()
    };
    Reply::json(&Reference {
        result: expected(entry),
        satisfying: says(Class::Sat),
        not_satisfying: says(Class::Unsat),
    })
}

/// The run that the address names.
fn named_run<'a>(request: &'a ApiRequest<'_>) -> Result<&'a RunInfo, ApiError> {
    let results = request.results();
    let solver = find_solver(results, request.values.text("solver").unwrap_or_default())?;
    let number = request.values.number("instance").unwrap_or_default();
    let found = representative(entry_of(results, number)?.judged.runs_of(solver));
    found.ok_or_else(|| ApiError::not_recorded("this solver has no run on this instance"))
}

fn output(request: &ApiRequest<'_>) -> Result<Vec<u8>, ApiError> {
    let number = named_run(request)?.number;
    let outputs = request.read(|store| store.outputs(RunId(number)))?;
    Ok(outputs.ok_or_else(|| ApiError::unknown("run", number))?.stdout.bytes)
}

fn model(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let said = request.app.shared.solver_access.read_output(&output(request)?);
    let models: Vec<Vec<u8>> = said.answers.iter().filter_map(model_text).collect();
    Ok(Reply::text(models.join(&b'\n')))
}
