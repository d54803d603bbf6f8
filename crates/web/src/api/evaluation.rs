//! The endpoint with every subterm of an instance and its value under a model.

use luthier_store::{InstanceId, RunId};
use schemars::JsonSchema;
use serde::Serialize;

use super::endpoint::{ApiRequest, Content, Endpoint, Family, Source, schema};
use super::error::ApiError;
use super::parameters::{Kind, Parameter};
use super::reply::Reply;
use crate::evaluation::{
    Candidate, Evaluation, ROWS_OF_FILE, ROWS_OF_PAGE, Row, Values, Wanted, evaluation,
};
use crate::medium::Medium;

/// More models are not listed.
const MOST_MODELS: usize = 1_000;

/// Every subterm of a query with its value under a model.
#[derive(Debug, Serialize, JsonSchema)]
struct EvaluationDetails {
    /// The instance.
    instance: i64,
    /// The model.
    model: ModelChoice,
    /// The rows, in the order of evaluation: children before parents, those of false assertions first.
    rows: Vec<EvaluationRow>,
    /// How many subterms of the assertions in the rows are left out.
    cut: usize,
    /// How many assertions are left out, with their subterms.
    assertions_cut: usize,
    /// Values that the solver reports wrongly, and whether the model leaves values open.
    remarks: Vec<String>,
    /// All models of the instance that have values, the one that is shown by default first.
    models: Vec<ModelChoice>,
}

/// A model, by where it is found.
#[derive(Debug, Serialize, JsonSchema)]
struct ModelChoice {
    /// The run that printed it; null for the witness that the script carries.
    run: Option<i64>,
    /// The query that it is a model of, from 1.
    query: usize,
    /// `valid`, `completed` or `invalid`, as it is recorded; null for the witness of the script.
    outcome: Option<&'static str>,
}

/// A subterm.
#[derive(Debug, Serialize, JsonSchema)]
struct EvaluationRow {
    /// The term in SMT-LIB 2.7, cut in the middle if it is long.
    term: String,
    /// Its value, or why it has none.
    value: String,
    /// Which assertion or assumption it is; null for a term inside of one.
    assertion: Option<String>,
    /// The line of the assertion in the formula, from 1.
    line: Option<usize>,
    /// Whether it is an assertion or an assumption that the model makes false.
    is_false: bool,
}

const NUMBER: Parameter =
    Parameter::path("number", Kind::Number(0, i64::MAX), "The number of the instance.");
const RUN: Parameter =
    Parameter::query("run", Kind::Number(0, i64::MAX), "The run that printed the model.");
const QUERY: Parameter =
    Parameter::query("query", Kind::Number(1, 1_000_000_000), "The query, from 1.");
const ROWS: Parameter = Parameter::query(
    "limit",
    Kind::Number(2, ROWS_OF_FILE as i64),
    "How many rows at most; 200 if not given.",
);

pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::new(
            Family::Version1,
            "/api/v1/instances/{number}/evaluation",
            "instance_evaluation",
            "Every subterm of an instance with its value under a model that the referee examined",
            Content::Json(schema::<EvaluationDetails>),
            details,
        )
        .with(&[NUMBER, RUN, QUERY, ROWS])
        .from(Source::Store)
        .with_description(
            "Without `run` and `query` it is the witness that the script carries, else a valid model, \
             else the invalid model of a wrong answer, else another invalid model.",
        ),
    ]
}

fn details(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let number = request.values.number("number").unwrap_or_default();
    let found = request.read(|store| {
        let Some(instance) = store.instance(InstanceId(number))? else { return Ok(None) };
        let text = store.text(instance.instance.digest)?;
        Ok(Some((instance, text)))
    })?;
    let (instance, text) = found.ok_or_else(|| ApiError::unknown("instance", number))?;
    let as_usize = |name: &str| {
        let value = request.values.number(name)?;
        usize::try_from(value).ok()
    };
    let wanted = Wanted {
        run: request.values.number("run"),
        query: as_usize("query").and_then(|query| query.checked_sub(1)),
        medium: Medium::Server,
    };
    let most = as_usize("limit").unwrap_or(ROWS_OF_PAGE);
    let output = |run: RunId| -> Result<Vec<u8>, ApiError> {
        let outputs = request.read(|store| store.outputs(run))?;
        Ok(outputs.unwrap_or_default().stdout.bytes)
    };
    let access = request.app.shared.solver_access.as_ref();
    let results = request.results();
    let found = evaluation(&instance, text.as_deref(), results, (wanted, most), access, output)?;
    let (candidates, chosen, values) = match found {
        Evaluation::NoModel => {
            let message = "the referee examined no model of this instance";
            return Err(ApiError::not_recorded(message));
        }
        Evaluation::NotFound => {
            let message = "the referee examined no such model of this instance";
            return Err(ApiError::not_recorded(message));
        }
        Evaluation::Of { candidates, chosen, values } => (candidates, chosen, values),
    };
    let Values { rows, cut, assertions_cut, remarks } =
        values.map_err(|reason| ApiError::not_recorded(&reason))?;
    Reply::json(&EvaluationDetails {
        instance: number,
        model: ModelChoice::of(&chosen),
        rows: rows.into_iter().map(EvaluationRow::of).collect(),
        cut,
        assertions_cut,
        remarks,
        models: candidates.iter().take(MOST_MODELS).map(ModelChoice::of).collect(),
    })
}

impl ModelChoice {
    fn of(candidate: &Candidate) -> Self {
        Self {
            run: candidate.run.map(|run| run.0),
            query: candidate.query + 1,
            outcome: candidate.outcome.map(|outcome| outcome.name()),
        }
    }
}

impl EvaluationRow {
    fn of(row: Row) -> Self {
        let line = row.assertion.as_ref().and_then(|one| one.line);
        let is_false = row.assertion.as_ref().is_some_and(|one| one.is_false);
        let assertion = row.assertion.map(|one| one.name);
        Self { term: row.term, value: row.value, assertion, line, is_false }
    }
}
