//! Results of runs, and what they printed.

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
    Content, Endpoint, Question, Refusal, Reply, Source, find_solver, model_text, schema,
};

/// The result of a solver on an instance.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ZaligvinderResultRow")]
struct ResultRow {
    solver: String,
    instanceid: i64,
    #[serde(rename = "Result")]
    result: Booked,
}

/// What is booked.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ZaligvinderResult")]
struct Booked {
    timeouted: u8,
    /// 1 for `sat`, 0 for `unsat`, null if there is no answer.
    result: Option<u8>,
    /// CPU time in milliseconds.
    time: String,
}

/// The ground truth of an instance, and who says what.
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
            |question| results(question, 0..question.results().entries.len()),
        )
        .with(&[LIMIT, OFFSET])
        .paged(),
        endpoint(
            "/results/{track}",
            "zaligvinder_results_of_track",
            "The results of all solvers on the instances of a track",
            Content::Json(schema::<Vec<ResultRow>>),
            |question| {
                let number = question.values.number("track").unwrap_or_default();
                let index = track(question.results(), number)?;
                results(question, question.results().tracks[index].entries.clone())
            },
        )
        .with(&[TRACK_IN_PATH, LIMIT, OFFSET])
        .paged(),
        endpoint(
            "/results/reference/{instance}",
            "zaligvinder_reference",
            "The ground truth of an instance, and who says what",
            Content::Json(schema::<Reference>),
            reference,
        )
        .with(&[INSTANCE]),
        endpoint(
            "/results/{solver}/{instance}/output",
            "zaligvinder_output",
            "What a solver printed on an instance, to the byte",
            Content::Text,
            |question| Ok(Reply::text(output(question)?)),
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

fn results(question: &Question<'_>, entries: std::ops::Range<usize>) -> Result<Reply, Refusal> {
    let results = question.results();
    let view = &View::all(results);
    let runs = without_copies(results, entries).flat_map(|index| {
        let entry = &results.entries[index];
        view.solvers.iter().filter_map(move |&solver| Some((entry, run(entry, solver)?)))
    });
    list(question, runs, |(entry, run)| ResultRow {
        solver: results.solvers[run.solver].label.clone(),
        instanceid: entry.judged.content.number,
        result: Booked {
            timeouted: u8::from(run.scored.class == Class::Timeout),
            result: result(run),
            time: time_text(run.scored.cpu.0),
        },
    })
}

fn reference(question: &Question<'_>) -> Result<Reply, Refusal> {
    let results = question.results();
    let entry = entry_of(results, question.values.number("instance").unwrap_or_default())?;
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
fn named_run<'a>(question: &'a Question<'_>) -> Result<&'a RunInfo, Refusal> {
    let results = question.results();
    let solver = find_solver(results, question.values.text("solver").unwrap_or_default())?;
    let number = question.values.number("instance").unwrap_or_default();
    let found = representative(entry_of(results, number)?.judged.runs_of(solver));
    found.ok_or_else(|| Refusal::not_recorded("this solver has no run on this instance"))
}

fn output(question: &Question<'_>) -> Result<Vec<u8>, Refusal> {
    let number = named_run(question)?.number;
    let outputs = question.read(|store| store.outputs(RunId(number)))?;
    Ok(outputs.ok_or_else(|| Refusal::unknown("run", number))?.stdout.bytes)
}

fn model(question: &Question<'_>) -> Result<Reply, Refusal> {
    let said = question.app.shared.workshop.read_output(&output(question)?);
    let models: Vec<Vec<u8>> = said.answers.iter().filter_map(model_text).collect();
    Ok(Reply::text(models.join(&b'\n')))
}
