//! The section of an instance with every subterm and its value under a model, and the same as CSV.

use axum::response::Response;
use luthier_report::documents::csv_record;
use luthier_report::{Results, figures};
use luthier_store::{InstanceId, InstanceRuns, RunId};
use maud::{Markup, html};

use super::super::{Context, answer_with_store, csv};
use crate::address::{Parameters, number};
use crate::error::PageError;
use crate::evaluation::{
    Assertion, Candidate, Evaluation, ROWS_OF_FILE, Row, Values, Wanted, evaluation,
};
use crate::headings::{self, Heading, room};
use crate::parts;
use crate::state::App;
use crate::stores::Turn;
use crate::text::{shorten, visible, visible_text};

/// How many models of each kind can be chosen here; each run leads to its own.
const MOST_CHOICES: usize = 5;
/// How much of the name of an assertion is shown.
const MOST_NAME: usize = 200;

const HEADINGS: [Heading; 3] = [
    Heading::text(
        "subterm",
        "A term of the query: children before parents, each distinct one once, those of false \
         assertions first. Literals have no row. Long terms are cut in the middle. “✗ false” stands \
         before an assertion that the model makes false.",
    ),
    Heading::text(
        "value",
        "Its value under the model as the referee evaluates it, or why it has none.",
    ),
    Heading::text(
        "assertion",
        "Which assertion or assumption of the query the term is, with its line; nothing for a term \
         inside of one.",
    ),
];

/// The model that an address asks for.
pub(super) fn wanted(context: &Context, parameters: &Parameters) -> Result<Wanted, PageError> {
    let run = parameters.get("run").map(|text| number(text, "a run")).transpose()?;
    let query = parameters.get("query").map(|_| parameters.page("query")).transpose()?;
    let medium = context.snapshot.medium;
    Ok(Wanted { run, query: query.map(|query| query - 1), medium })
}

/// The values under the model that is asked for.
pub(crate) fn find(
    context: &Context,
    turn: &Turn,
    instance: &InstanceRuns,
    text: Option<&[u8]>,
    wanted: (Wanted, usize),
) -> Result<Evaluation, PageError> {
    let output = |run: RunId| -> Result<Vec<u8>, PageError> {
        let outputs = context.stores().read(turn, |store| store.outputs(run))?;
        Ok(outputs.unwrap_or_default().stdout.bytes)
    };
    let access = context.app.shared.solver_access.as_ref();
    let results = &context.snapshot.results;
    match evaluation(instance, text, results, wanted, access, output)? {
        Evaluation::NotFound => Err(PageError::not_found(
            "The referee examined no such model of this instance; there are no values to show.",
        )),
        found => Ok(found),
    }
}

/// The section; nothing if the referee examined no model.
pub(crate) fn section(
    context: &Context,
    instance: &InstanceRuns,
    found: &Evaluation,
    is_asked_for: bool,
) -> Markup {
    let Evaluation::Of { candidates, chosen, values } = found else { return html! {} };
    let results = &context.snapshot.results;
    let of = |candidate: &Candidate| source(results, instance, candidate);
    html! {
        section aria-labelledby="evaluation" {
            h2 #evaluation { "Values of subterms" }
            p {
                "Under " (of(chosen)) ". "
                @if !chosen.is_witness() && values.as_ref().is_ok_and(|values| false_assertions(values) == 0) {
                    "No assertion in the table is false; the run says why the referee rejects the model."
                }
            }
            // On a site every run has its own on its page.
            @if !context.snapshot.medium.is_site() { (choices(candidates, chosen, instance.id, of)) }
            @match values {
                Err(reason) => p.why { (visible_text(reason)) },
                Ok(values) => (table(instance.id, chosen, values, is_asked_for)),
            }
        }
    }
}

fn false_assertions(values: &Values) -> usize {
    let is_false = |row: &&Row| row.assertion.as_ref().is_some_and(|one| one.is_false);
    values.rows.iter().filter(is_false).count()
}

/// Whose model it is.
fn source(results: &Results, instance: &InstanceRuns, candidate: &Candidate) -> Markup {
    let run = candidate.run.and_then(|run| instance.runs.iter().find(|one| one.id == run));
    let solver = run
        .and_then(|run| results.solvers.iter().find(|solver| solver.number == run.configuration.0));
    let several = instance.instance.queries.len() > 1;
    html! {
        @match (run, candidate.outcome) {
            (Some(run), Some(outcome)) => {
                "the model of " (visible(solver.map_or("a new solver", |solver| solver.label.as_str())))
                @if run.repetition > 0 { ", repetition " (run.repetition + 1) }
                ", run " (run.id.0) " (" (parts::model(outcome)) ")"
            }
            _ => "the witness that the file carries",
        }
        @if several { ", query " (candidate.query + 1) }
    }
}

/// Links to other models: some that satisfy the query, some that do not.
fn choices(
    candidates: &[Candidate],
    chosen: &Candidate,
    instance: InstanceId,
    of: impl Fn(&Candidate) -> Markup,
) -> Markup {
    let (mut witnesses, mut others) = (0, 0);
    let is_listed = |one: &&Candidate| {
        let count = if one.is_witness() { &mut witnesses } else { &mut others };
        *count += 1;
        *one != chosen && *count <= MOST_CHOICES
    };
    let listed: Vec<&Candidate> = candidates.iter().filter(is_listed).collect();
    let more = candidates.len() - 1 - listed.len();
    html! {
        @if !listed.is_empty() {
            p.links { "Values under another model:" }
            ul.plain {
                @for one in listed {
                    li {
                        a href={ "/instance/" (instance.0) (one.address_query()) "#evaluation" } {
                            (of(one))
                        }
                    }
                }
                @if more > 0 { li { "and " (more) " more; each run above leads to its own" } }
            }
        }
    }
}

fn table(instance: InstanceId, chosen: &Candidate, values: &Values, is_open: bool) -> Markup {
    let count = false_assertions(values);
    let file = format!("/instance/{}/evaluation.csv{}", instance.0, chosen.address_query());
    html! {
        @if !values.remarks.is_empty() {
            ul.notes { @for remark in &values.remarks { li { (visible_text(remark)) } } }
        }
        details.more open[is_open] {
            summary {
                "Every subterm with its value: " (values.rows.len()) " rows"
                @match count {
                    0 => {}
                    1 => { ", 1 assertion is false" }
                    _ => { ", " (count) " assertions are false" }
                }
            }
            div.scroll.{ (room(40)) } tabindex="0" role="region" aria-label="Values of subterms" {
                table.values {
                    thead { tr { (headings::head(&HEADINGS)) } }
                    tbody {
                        @for row in &values.rows {
                            @let is_false = row.assertion.as_ref().is_some_and(|one| one.is_false);
                            tr.bad[is_false] {
                                th scope="row" {
                                    @if is_false { strong.wrong { "✗ false" } " " }
                                    code { (visible(&row.term)) }
                                }
                                td { code { (visible(&row.value)) } }
                                td { @if let Some(assertion) = &row.assertion { (which(assertion)) } }
                            }
                        }
                    }
                }
            }
            @if values.cut > 0 || values.assertions_cut > 0 {
                p.note {
                    "Left out here: "
                    (figures::count(values.cut as u64)) " subterms of these assertions"
                    @if values.assertions_cut > 0 {
                        ", and " (figures::count(values.assertions_cut as u64))
                        " other assertions with theirs"
                    }
                    "."
                }
            }
            (csv::link(&file, "at most 1,000 rows of this table"))
            (headings::help(&HEADINGS))
        }
    }
}

fn which(assertion: &Assertion) -> Markup {
    html! {
        (visible(&shorten(&assertion.name, MOST_NAME)))
        @if let Some(line) = assertion.line { ", " a href={ "#L" (line) } { "line " (line) } }
    }
}

/// The values as CSV.
pub(crate) async fn instance_evaluation_csv(app: App, text: String, query: String) -> Response {
    answer_with_store(app, move |context, turn| {
        let wanted_instance = number(&text, "an instance")?;
        let parameters = Parameters::parse(&query);
        parameters.only(&["run", "query"])?;
        let missing =
            || PageError::not_found(format!("There is no instance {wanted_instance} here."));
        let (instance, text) = context.stores().read(turn, |store| -> Result<_, PageError> {
            let instance = store.instance(InstanceId(wanted_instance))?.ok_or_else(missing)?;
            let text = store.text(instance.instance.digest)?;
            Ok((instance, text))
        })?;
        let wanted = (wanted(context, &parameters)?, ROWS_OF_FILE);
        let values = match find(context, turn, &instance, text.as_deref(), wanted)? {
            Evaluation::Of { values, .. } => values.map_err(PageError::not_found)?,
            _ => {
                let message = "The referee examined no model of this instance.";
                return Err(PageError::not_found(message));
            }
        };
        let mut lines = csv_record(["subterm", "value", "assertion", "line", "false"]);
        for row in &values.rows {
            lines.push_str(&csv::line(&cells(row)));
        }
        Ok(csv::file("evaluation", lines))
    })
    .await
}

fn cells(row: &Row) -> Vec<String> {
    let assertion = row.assertion.as_ref();
    let line = assertion.and_then(|one| one.line);
    vec![
        row.term.clone(),
        row.value.clone(),
        assertion.map(|one| one.name.clone()).unwrap_or_default(),
        line.map(|line| line.to_string()).unwrap_or_default(),
        assertion.map(|one| one.is_false.to_string()).unwrap_or_default(),
    ]
}
