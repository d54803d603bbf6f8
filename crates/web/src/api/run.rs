//! Endpoints of one run: answers, models, cores, measurements, and its outputs.

use luthier_judge::judge_answer;
use luthier_records::{Answer, GroundTruth, Judgement, ParsedOutput, RunAnswer, Text};
use luthier_report::SolverInfo;
use luthier_store::{Outputs, RunId, StoredRun};
use schemars::JsonSchema;
use serde::Serialize;

use super::endpoint::{ApiRequest, Content, Endpoint, Family, Source, schema};
use super::error::ApiError;
use super::parameters::{Kind, Parameter};
use super::reply::Reply;
use super::types::{Named, evidence, limit, model_text, moment, seconds};
use crate::medium::Medium;
use crate::recheck::{Printed, Trace, recheck};

/// How much of each text is given here; the whole is in the output.
const MOST_TEXT: usize = 200_000;

/// How many answers, names of a core and notes are given here.
const MOST_ITEMS: usize = 1_000;

/// Everything about a run.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct RunDetails {
    /// Its number.
    number: i64,
    /// The instance.
    instance: i64,
    /// The solver.
    solver: Named,
    /// The campaign.
    campaign: Option<Named>,
    /// Which repetition it is, from 0.
    repetition: u32,
    /// When it began.
    started: Option<String>,
    /// Its class.
    class: &'static str,
    /// How the process ended, in words.
    ending: String,
    /// CPU time, in seconds.
    cpu: f64,
    /// Wall time, in seconds.
    wall: f64,
    /// The CPU time that it was given, in seconds.
    cpu_limit: Option<f64>,
    /// The largest memory, in bytes.
    memory: u64,
    /// How many processes it left behind, which were killed.
    left_behind: u32,
    /// The processor core to which it was bound.
    core: Option<u32>,
    /// The load of the machine when it began.
    load: Option<f64>,
    /// Its answers, in order.
    answers: Vec<AnswerDetails>,
    /// Errors that it reported.
    errors: Vec<String>,
    /// How the solver's copy of the formula differs in writing.
    conversion: Vec<String>,
    /// Where the standard output is.
    stdout: String,
    /// Where the standard error is.
    stderr: String,
    /// A shell command that reproduces the run; null in lists.
    command: Option<String>,
    /// What is different from when the run was made, if anything is: the program that is asked
    /// is gone, or another one now.
    command_note: Option<String>,
}

/// An answer to one query.
#[derive(Debug, Serialize, JsonSchema)]
struct AnswerDetails {
    /// The verdict: `sat`, `unsat` or `unknown`.
    verdict: &'static str,
    /// What it counts as.
    class: &'static str,
    /// `right`, `wrong`, `disputed`, `unjudged` or `no-claim`.
    judgement: &'static str,
    /// On what evidence it is right or wrong.
    evidence: Option<&'static str>,
    /// The reason for unknown, as the solver reports it.
    reason_unknown: Option<String>,
    /// The model and the result of checking it.
    model: Option<ModelDetails>,
    /// The core and what was found about it.
    core: Option<CoreDetails>,
    /// Second opinions of other solvers on the model.
    opinions: Vec<OpinionDetails>,
}

/// A model.
#[derive(Debug, Serialize, JsonSchema)]
struct ModelDetails {
    /// `valid`, `completed`, `incomplete`, `invalid` or `unsupported`.
    outcome: &'static str,
    /// More about it, in a line.
    detail: Option<String>,
    /// The model as it was printed; null if the part of the output cannot be determined.
    text: Option<String>,
    /// Whether more was printed than is given here.
    cut: bool,
    /// What checking it again gives; null in lists, or if it is too large.
    trace: Option<TraceDetails>,
}

/// What checking a model again gives.
#[derive(Debug, Serialize, JsonSchema)]
struct TraceDetails {
    /// `valid`, `invalid`, `incomplete` or `unsupported`.
    outcome: &'static str,
    /// How many assertions were checked.
    checked: usize,
    /// The first false assertions.
    failing: Vec<FailingDetails>,
    /// How many more are false.
    more: usize,
    /// Wrong values, missing values, or why it cannot be said.
    remarks: Vec<String>,
}

/// A false assertion.
#[derive(Debug, Serialize, JsonSchema)]
struct FailingDetails {
    /// Which assertion.
    assertion: String,
    /// Its line in the formula, from 1.
    line: Option<usize>,
    /// Terms and their values, indented by depth.
    steps: Vec<String>,
}

/// A core.
#[derive(Debug, Serialize, JsonSchema)]
struct CoreDetails {
    /// `minimal`, `larger`, `confirmed`, `unconfirmed`, `disputed` or `invalid`.
    outcome: &'static str,
    /// How many assertions it has.
    size: usize,
    /// More about it, in a line.
    detail: Option<String>,
    /// The names in it as they were printed.
    names: Option<Vec<String>>,
}

/// A second opinion of another solver on a model.
#[derive(Debug, Serialize, JsonSchema)]
struct OpinionDetails {
    /// The solver.
    by: String,
    /// `sat` confirms the model, `unsat` refutes it.
    class: &'static str,
}

/// A run with what is needed to describe it.
pub(super) struct RunContext<'a> {
    /// The run.
    pub run: &'a StoredRun,
    /// Its parsed output, if it was read.
    pub said: Option<&'a ParsedOutput>,
    /// The formula and its dialect, if models are to be checked again.
    pub formula: Option<(&'a [u8], &'a str)>,
    /// How many bytes of each text are given.
    pub most_text: usize,
    /// Whether the command is given, which takes a moment to find.
    pub has_command: bool,
}

const NUMBER: Parameter =
    Parameter::path("number", Kind::Number(0, i64::MAX), "The number of the run.");

pub(crate) fn endpoints() -> Vec<Endpoint> {
    let run = |path, id, summary, content, make| {
        Endpoint::new(Family::Version1, path, id, summary, content, make)
            .with(&[NUMBER])
            .from(Source::Store)
    };
    vec![
        run(
            "/api/v1/runs/{number}",
            "run",
            "Everything about a run",
            Content::Json(schema::<RunDetails>),
            details,
        ),
        run(
            "/api/v1/runs/{number}/stdout",
            "run_stdout",
            "What a run printed on its standard output, to the byte",
            Content::Text,
            |request| Ok(Reply::text(outputs(request)?.stdout.bytes)),
        ),
        run(
            "/api/v1/runs/{number}/stderr",
            "run_stderr",
            "What a run printed on its standard error, to the byte",
            Content::Text,
            |request| Ok(Reply::text(outputs(request)?.stderr.bytes)),
        ),
    ]
}

fn outputs(request: &ApiRequest<'_>) -> Result<Outputs, ApiError> {
    let number = request.values.number("number").unwrap_or_default();
    let outputs = request.read(|store| store.outputs(RunId(number)))?;
    outputs.ok_or_else(|| ApiError::unknown("run", number))
}

fn details(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let number = request.values.number("number").unwrap_or_default();
    let found = request.read(|store| {
        let Some(run) = store.run(RunId(number))? else { return Ok(None) };
        let Some(instance) = store.instance(run.instance)? else { return Ok(None) };
        let outputs = store.outputs(run.id)?.unwrap_or_default();
        let text = store.text(instance.instance.digest)?;
        Ok(Some((run, instance.instance.dialect, outputs, text)))
    })?;
    let (run, dialect, outputs, text) = found.ok_or_else(|| ApiError::unknown("run", number))?;
    let said = request.app.shared.solver_access.read_output(&outputs.stdout.bytes);
    let known = RunContext {
        run: &run,
        said: Some(&said),
        formula: text.as_deref().map(|text| (text, dialect.as_str())),
        most_text: MOST_TEXT,
        has_command: true,
    };
    Reply::json(&known.details(request)?)
}

impl RunContext<'_> {
    /// Everything about it.
    pub fn details(&self, request: &ApiRequest<'_>) -> Result<RunDetails, ApiError> {
        let (results, run) = (request.results(), self.run);
        let solver = results.solvers.iter().find(|solver| solver.number == run.configuration.0);
        // A run that is newer than the results in memory may belong to a solver that is not there.
        let solver =
            solver.ok_or_else(|| ApiError::not_recorded("this run is new; try again soon"))?;
        let campaign = results.campaigns.iter().find(|campaign| campaign.number == run.campaign.0);
        let entry = results.entries_of(run.instance.0).next();
        let truths = entry.map_or(&[][..], |entry| &results.entries[entry].judged.truths);
        let answers = run.answers.iter().enumerate().take(MOST_ITEMS);
        let solver_access = &request.app.shared.solver_access;
        let again =
            self.has_command.then(|| solver_access.reproduce(run.id.0, &solver.configuration));
        Ok(RunDetails {
            number: run.id.0,
            instance: run.instance.0,
            solver: Named { number: solver.number, name: solver.label.clone() },
            campaign: campaign
                .map(|one| Named { number: one.number, name: one.campaign.id.clone() }),
            repetition: run.repetition,
            started: moment(run.started),
            class: run.class.name(),
            ending: run.ending.to_string(),
            cpu: seconds(run.measured.cpu.0),
            wall: seconds(run.measured.wall.0),
            cpu_limit: limit(solver.configuration.limits.cpu.0),
            memory: run.measured.peak_memory.0,
            left_behind: run.measured.left_behind,
            core: run.core,
            load: run.load,
            answers: answers
                .map(|(query, answer)| self.answer(query, answer, truths.get(query), solver))
                .collect(),
            errors: self.said.map_or_else(Vec::new, |said| errors(said, self.most_text)),
            conversion: run.conversion.iter().take(MOST_ITEMS).cloned().collect(),
            stdout: format!("/api/v1/runs/{}/stdout", run.id.0),
            stderr: format!("/api/v1/runs/{}/stderr", run.id.0),
            command_note: again.as_ref().and_then(|again| again.note.clone()),
            command: again.map(|again| again.command),
        })
    }

    fn answer(
        &self,
        query: usize,
        answer: &RunAnswer,
        truth: Option<&GroundTruth>,
        solver: &SolverInfo,
    ) -> AnswerDetails {
        let judgement = truth.map_or(Judgement::NoClaim, |truth| {
            judge_answer(truth, answer.verdict, answer.is_claim())
        });
        // If parsing the output again gives another number of answers, texts cannot be assigned
        // to answers.
        let said = self.said.map_or(&[][..], |said| &said.answers);
        let printed = said.get(query).filter(|_| said.len() == self.run.answers.len());
        AnswerDetails {
            verdict: answer.verdict.name(),
            class: answer.class.name(),
            judgement: judgement.name(),
            evidence: evidence(judgement),
            reason_unknown: answer
                .reason_unknown
                .as_ref()
                .map(|reason| cut(reason.as_bytes(), self.most_text).0),
            model: self.model(query, answer, printed, solver),
            core: answer.core.as_ref().map(|core| CoreDetails {
                outcome: core.outcome.name(),
                size: core.size,
                detail: core.detail.clone(),
                names: printed.and_then(|printed| printed.core.as_ref()).map(|names| {
                    names.iter().take(MOST_ITEMS).map(|name| cut(name.as_bytes(), 1000).0).collect()
                }),
            }),
            opinions: answer
                .opinions
                .iter()
                .map(|one| OpinionDetails { by: one.by.clone(), class: one.class.name() })
                .collect(),
        }
    }

    fn model(
        &self,
        query: usize,
        answer: &RunAnswer,
        printed: Option<&Answer>,
        solver: &SolverInfo,
    ) -> Option<ModelDetails> {
        let finding = answer.model.as_ref()?;
        let text = printed.and_then(model_text);
        let trace = self.formula.zip(text.as_ref()).and_then(|((formula, dialect), model)| {
            recheck(&Printed {
                formula,
                dialect,
                model,
                model_dialect: &solver.configuration.dialect,
                query,
                medium: Medium::Server,
            })
        });
        let shown = text.map(|text| cut(&text, self.most_text));
        Some(ModelDetails {
            outcome: finding.outcome.name(),
            detail: finding.detail.clone(),
            cut: shown.as_ref().is_some_and(|(_, is_cut)| *is_cut),
            text: shown.map(|(text, _)| text),
            trace: trace.map(trace_details),
        })
    }
}

fn trace_details(trace: Trace) -> TraceDetails {
    let failing = trace.failing.into_iter().map(|failing| FailingDetails {
        assertion: failing.which,
        line: failing.line,
        steps: failing.steps,
    });
    TraceDetails {
        outcome: trace.outcome,
        checked: trace.checked,
        failing: failing.collect(),
        more: trace.more,
        remarks: trace.remarks,
    }
}

/// Messages that belong to no answer, or came before or after one.
fn errors(said: &ParsedOutput, most: usize) -> Vec<String> {
    let of_answers =
        said.answers.iter().flat_map(|one| one.errors_before.iter().chain(&one.errors_after));
    let all = said.errors.iter().chain(of_answers).take(100);
    all.map(|error: &Text| cut(error.as_bytes(), most.min(4_000)).0).collect()
}

/// The beginning of a text, and whether there is more of it.
fn cut(bytes: &[u8], most: usize) -> (String, bool) {
    let shown = &bytes[..bytes.len().min(most)];
    (String::from_utf8_lossy(shown).into_owned(), shown.len() < bytes.len())
}
