//! One instance: the formula, what is known about it, and every run on it.

mod evaluation;
mod export;

use axum::http::StatusCode;
use axum::response::Response;
use luthier_records::{
    CoreOutcome, GroundTruth, Judgement, Label, ModelOutcome, ParsedOutput, RunAnswer,
};
use luthier_report::{Entry, Results, figures};
use luthier_store::{InstanceId, InstanceRuns, StoredRun};
use maud::{Markup, html};

use super::csv;
use super::formula::formula;
use super::run_details::{Amount, KnownRun, Traces, judgement};
use super::{Context, answer_with_store};
use crate::address::{Parameters, number};
use crate::error::PageError;
use crate::evaluation::{Evaluation, ROWS_OF_PAGE};
use crate::headings::{self, Heading, room};
use crate::layout::{self, Page, Place, Step};
use crate::medium::Medium;
use crate::parts::{self, Slice};
use crate::state::App;
use crate::stores::Turn;
use crate::text::visible;

pub(crate) use self::evaluation::{
    find as find_values, instance_evaluation_csv, section as values_section,
};
pub(crate) use self::export::instance_runs_csv;

/// How many runs one page lists.
const RUNS_PER_PAGE: usize = 12;
/// How many a page of a site lists, which has no further pages.
const RUNS_ON_SITE: usize = 60;
/// How much of each text is shown here; the page of a run has more.
const MOST_TEXT: usize = 4_000;
/// What is printed beyond this is read for the page of the run only.
const MOST_OUTPUT: usize = 1_000_000;
/// Of how many runs doubtful models are checked again; the page of a run does it for each.
const MOST_TRACES: usize = 4;
/// For larger formulas it takes too long to find all commands at once.
const MOST_FORMULA: usize = 300_000;
/// Places beyond these are only counted.
const MOST_PLACES: usize = 20;

struct Found {
    instance: InstanceRuns,
    /// What the runs on this page said, as far as it is not too much.
    said: Vec<Option<ParsedOutput>>,
    text: Option<Vec<u8>>,
    slice: Slice,
}

/// An instance.
pub(crate) async fn instance(app: App, text: String, query: String) -> Response {
    answer_with_store(app, move |context, turn| {
        let wanted = number(&text, "an instance")?;
        let parameters = Parameters::parse(&query);
        let model = evaluation::wanted(context, &parameters)?;
        let found = find(context, turn, wanted, parameters.page("page")?)?;
        let text = found.text.as_deref();
        let values = evaluation::find(context, turn, &found.instance, text, (model, ROWS_OF_PAGE))?;
        let page = page(context, &found, &values, &parameters);
        Ok(layout::respond(context, StatusCode::OK, &page))
    })
    .await
}

fn find(context: &Context, turn: &Turn, wanted: i64, page: usize) -> Result<Found, PageError> {
    let missing = || PageError::not_found(format!("There is no instance {wanted} here."));
    context.stores().read(turn, |store| {
        let instance = store.instance(InstanceId(wanted))?.ok_or_else(missing)?;
        let slice = match context.snapshot.medium {
            Medium::Server => Slice::of(instance.runs.len(), page, RUNS_PER_PAGE),
            Medium::Site => Slice::of(instance.runs.len(), page, RUNS_ON_SITE).up_to(1),
        };
        let mut said = Vec::new();
        for run in &instance.runs[slice.first..slice.end] {
            let output = store.outputs(run.id)?.unwrap_or_default().stdout.bytes;
            let is_small = output.len() <= MOST_OUTPUT;
            said.push(is_small.then(|| context.app.shared.solver_access.read_output(&output)));
        }
        let text = store.text(instance.instance.digest)?;
        Ok(Found { instance, said, text, slice })
    })
}

fn page(context: &Context, found: &Found, values: &Evaluation, parameters: &Parameters) -> Page {
    let results = &context.snapshot.results;
    let InstanceRuns { id, instance, places, labels, runs } = &found.instance;
    let mut labels: Vec<&Label> = labels.iter().flatten().collect();
    labels.sort_unstable();
    labels.dedup();
    let entries: Vec<&Entry> =
        results.entries_of(id.0).map(|entry| &results.entries[entry]).collect();
    let truths = entries.first().map_or(&[][..], |entry| &entry.judged.truths);
    let shown = &runs[found.slice.first..found.slice.end];
    let known: Vec<Option<KnownRun<'_>>> = shown
        .iter()
        .zip(&found.said)
        .map(|(run, said)| {
            let solver =
                results.solvers.iter().find(|solver| solver.number == run.configuration.0)?;
            Some(KnownRun {
                run,
                configuration: &solver.configuration,
                truths,
                said: said.clone(),
                formula: found.text.as_deref(),
                dialect: &instance.dialect,
            })
        })
        .collect();
    let mut doubtful = 0;
    let traces: Vec<Traces> = known
        .iter()
        .flatten()
        .map(|known| {
            doubtful += usize::from(is_bad(known.run, known.truths));
            if doubtful <= MOST_TRACES { Traces::Doubtful } else { Traces::None }
        })
        .collect();
    let is_model_wanted = parameters.get("run").or(parameters.get("query")).is_some();
    let body = html! {
        dl.facts {
            dt { "Expected" } dd { (expected(results, &entries)) }
            @if !labels.is_empty() {
                dt { "Labels" }
                dd {
                    ul.plain {
                        @for label in labels.iter().take(MOST_PLACES) {
                            li {
                                (parts::verdict(label.verdict)) " "
                                span.why { "(" (visible(&label.source)) ")" }
                            }
                        }
                    }
                }
            }
            dt { "Places" }
            dd {
                ul.plain {
                    @for entry in entries.iter().take(MOST_PLACES) { li { (place(results, entry)) } }
                    @if entries.len() > MOST_PLACES {
                        li { "and " (entries.len() - MOST_PLACES) " more" }
                    }
                }
            }
            dt { "Dialect" }
            dd { (visible(&instance.dialect)) " " span.why { "(" (visible(&instance.dialect_reason)) ")" } }
            @if let Some(fault) = &instance.fault {
                dt { "Cannot be read" } dd.doubt { (visible(fault)) }
            }
            dt { "Size" } dd { (instance.size) }
            @if let Some(features) = entries.first().and_then(|entry| entry.judged.content.features.as_deref()) {
                dt { "Uses" }
                dd {
                    ul.names {
                        @for &feature in features {
                            li { code { (visible(&results.features[feature as usize])) } }
                        }
                    }
                }
            }
            dt { "SHA-256" } dd.digest { code { (instance.digest) } }
        }
        section aria-labelledby="runs" {
            h2 #runs { "Runs" }
            @if runs.is_empty() { p { "There are no runs on it yet." } }
            @else {
                (found.slice.pager(parameters, "page"))
                (table(results, shown, truths))
                (csv::link(&format!("/instance/{}/runs.csv", id.0), "all runs on this instance"))
                (headings::help(&HEADINGS))
                @for (known, traces) in known.iter().flatten().zip(traces) {
                    (details(context, results, known, traces))
                }
            }
        }
        (evaluation::section(context, &found.instance, values, is_model_wanted))
        (formula(id.0, found.text.as_deref(), &instance.dialect))
    };
    let name = places.first().map_or("an instance", |place| place.name.as_str());
    let mut path = Vec::new();
    if let Some(entry) = entries.first() {
        let track = &results.tracks[entry.track];
        let set = &results.sets[track.set];
        path.push(Step { name: set.name.clone(), address: format!("/set/{}", set.number) });
        if !track.name.is_empty() {
            let address = format!("/track/{}", track.number);
            path.push(Step { name: track.name.clone(), address });
        }
    }
    Page { title: name.to_owned(), place: Place::Sets, path, body }
}

/// The ground truth, query by query. Sets may differ in what they trust; if they differ in their
/// ground truth, each is told.
fn expected(results: &Results, entries: &[&Entry]) -> Markup {
    let mut different: Vec<&Entry> = Vec::new();
    for entry in entries {
        if different.iter().all(|other| other.judged.truths != entry.judged.truths) {
            different.push(entry);
        }
    }
    html! {
        @for entry in &different {
            @if different.len() > 1 {
                p.why { "in " (visible(&results.sets[results.set_of(entry)].name)) ":" }
            }
            @if entry.judged.truths.is_empty() { span.why { "it asks nothing that can be read" } }
            @for (query, truth) in entry.judged.truths.iter().enumerate().take(100) {
                div {
                    @if entry.judged.truths.len() > 1 { "query " (query + 1) ": " }
                    (ground_truth(truth))
                }
            }
        }
    }
}

fn ground_truth(truth: &GroundTruth) -> Markup {
    html! {
        @match truth.verdict {
            Some((verdict, evidence)) => {
                (parts::verdict(verdict)) " "
                span.why { "(" (evidence.words()) ")" }
            }
            None => span.why { "open: nothing decides" },
        }
        @for &conflict in &truth.conflicts {
            " " strong.doubt { "≠ " (conflict.words()) }
        }
    }
}

fn place(results: &Results, entry: &Entry) -> Markup {
    let track = &results.tracks[entry.track];
    let set = &results.sets[track.set];
    html! {
        a href={ "/set/" (set.number) } { (visible(&set.name)) } " / "
        @if !track.name.is_empty() {
            a href={ "/track/" (track.number) } { (visible(&track.name)) } " / "
        }
        (visible(&entry.name))
    }
}

/// A column that only tables with several repetitions have.
const REPETITION: &str = "repetition";

/// The columns of the table of runs.
const HEADINGS: [Heading; 11] = [
    Heading::text(
        "solver",
        "Whose run it is; it leads to the page of the solver. ✗ stands before a run with a wrong \
         answer, an invalid model or an invalid core.",
    ),
    Heading::number(REPETITION, "Which of several runs of the same configuration it is."),
    Heading::text("answer", "The answer to each query."),
    Heading::text("judged", "The answer against the ground truth, with its evidence."),
    Heading::text("model, core", "What the referee found about the model and the core."),
    Heading::text("class", "What the run counts as."),
    Heading::text("exit", "How the process ended."),
    Heading::number("CPU, s", "CPU time of the process and its children, in seconds."),
    Heading::number("wall, s", "Time by the clock, in seconds."),
    Heading::number("memory", "The most memory that was in use."),
    Heading::text("run", "Everything about the run: its page, below on this page, its output."),
];

fn table(results: &Results, runs: &[StoredRun], truths: &[GroundTruth]) -> Markup {
    let repeated = runs.iter().any(|run| run.repetition > 0);
    let headings: Vec<Heading> =
        HEADINGS.into_iter().filter(|heading| repeated || heading.name != REPETITION).collect();
    html! {
        div.scroll.{ (room(80)) } tabindex="0" role="region" aria-label="Runs" {
            table.sortable {
                thead { tr { (headings::head(&headings)) } }
                tbody {
                    @for run in runs {
                        @let solver = results.solvers.iter().find(|solver| solver.number == run.configuration.0);
                        tr.bad[is_bad(run, truths)] {
                            th scope="row" {
                                (parts::wrong_mark(is_bad(run, truths) || has_invalid_core(run)))
                                @match solver {
                                    Some(solver) => {
                                        a href={ "/solver/" (solver.number) } { (visible(&solver.label)) }
                                    }
                                    None => "a new solver",
                                }
                            }
                            @if repeated { td.n { (run.repetition + 1) } }
                            td { (each(run, |answer, _| parts::verdict(answer.verdict))) }
                            td { (each(run, |_, query| parts::judgement(judgement(run, query, truths)))) }
                            td {
                                (each(run, |answer, _| html! {
                                    @if let Some(model) = &answer.model { (parts::model(model.outcome)) }
                                    @if let Some(core) = &answer.core { (parts::core(core.outcome)) }
                                }))
                            }
                            td { (parts::class(run.class)) }
                            td { (visible(&run.ending.to_string())) }
                            td.n { (figures::time(run.measured.cpu.0)) }
                            td.n { (figures::time(run.measured.wall.0)) }
                            td.n data-sort=(run.measured.peak_memory.0) { (run.measured.peak_memory) }
                            td {
                                a href={ "/run/" (run.id.0) } { (run.id.0) } " · "
                                a href={ "#run-" (run.id.0) } { "details" } " · "
                                a href={ "/run/" (run.id.0) "/stdout" } { "output" }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Something about each answer of a run, with commas between them; of very many only the first.
fn each(run: &StoredRun, mut show: impl FnMut(&RunAnswer, usize) -> Markup) -> Markup {
    html! {
        @for (query, answer) in run.answers.iter().enumerate().take(20) {
            @if query > 0 { br; }
            (show(answer, query))
        }
        @if run.answers.len() > 20 { br; span.why { "and " (run.answers.len() - 20) " more" } }
    }
}

fn is_bad(run: &StoredRun, truths: &[GroundTruth]) -> bool {
    let is_invalid = |answer: &RunAnswer| {
        answer.model.as_ref().is_some_and(|model| model.outcome == ModelOutcome::Invalid)
    };
    let is_wrong = |query| matches!(judgement(run, query, truths), Judgement::Wrong(_));
    run.answers.iter().any(is_invalid) || (0..run.answers.len()).any(is_wrong)
}

fn has_invalid_core(run: &StoredRun) -> bool {
    let mut cores = run.answers.iter().filter_map(|answer| answer.core.as_ref());
    cores.any(|core| core.outcome == CoreOutcome::Invalid)
}

fn details(context: &Context, results: &Results, known: &KnownRun<'_>, traces: Traces) -> Markup {
    let command = known.formula.is_none_or(|formula| formula.len() <= MOST_FORMULA);
    let solver = results.solvers.iter().find(|solver| solver.number == known.run.configuration.0);
    let label = solver.map_or("a new solver", |solver| solver.label.as_str());
    html! {
        details.run id={ "run-" (known.run.id.0) } open[is_bad(known.run, known.truths)] {
            summary {
                (visible(label))
                @if known.run.repetition > 0 { ", repetition " (known.run.repetition + 1) }
                ": model, core, notes, command"
            }
            (known.details(context, Amount { text: MOST_TEXT, traces, command }))
        }
    }
}
