//! One run: everything about it, with what it printed.

use axum::http::StatusCode;
use axum::response::Response;
use luthier_records::{Captured, Judgement};
use luthier_report::{documents, figures};
use luthier_store::{InstanceRuns, Outputs, RunId, StoredRun};
use maud::{Markup, PreEscaped, html};

use super::formula::MOST_TEXT;
use super::instance::{find_values, values_section};
use super::run_details::{Amount, KnownRun, Traces};
use super::{Context, answer_with_store};
use crate::address::number;
use crate::error::PageError;
use crate::evaluation::{ROWS_OF_PAGE, Wanted};
use crate::highlight::plain;
use crate::layout::{self, Page, Place, Step};
use crate::parts;
use crate::state::App;
use crate::stores::Turn;
use crate::text::{cut, visible};

/// A run and what belongs to it.
struct Found {
    run: StoredRun,
    instance: InstanceRuns,
    outputs: Outputs,
    text: Option<Vec<u8>>,
}

/// A run.
pub(crate) async fn run(app: App, text: String) -> Response {
    answer_with_store(app, move |context, turn| {
        let wanted = number(&text, "a run")?;
        let found = find(context, turn, wanted)?;
        let page = page(context, turn, found)?;
        Ok(layout::respond(context, StatusCode::OK, &page))
    })
    .await
}

fn find(context: &Context, turn: &Turn, wanted: i64) -> Result<Found, PageError> {
    let missing = || PageError::not_found(format!("There is no run {wanted} here."));
    context.stores().read(turn, |store| {
        let run = store.run(RunId(wanted))?.ok_or_else(missing)?;
        let instance = store.instance(run.instance)?.ok_or_else(missing)?;
        let outputs = store.outputs(run.id)?.unwrap_or_default();
        let text = store.text(instance.instance.digest)?;
        Ok(Found { run, instance, outputs, text })
    })
}

fn page(context: &Context, turn: &Turn, found: Found) -> Result<Page, PageError> {
    let medium = context.snapshot.medium;
    let Found { run, instance, outputs, text } = found;
    let results = &context.snapshot.results;
    let solver = results.solvers.iter().find(|solver| solver.number == run.configuration.0);
    // A run that is newer than the snapshot may belong to a solver that is not in it yet.
    let solver = solver.ok_or_else(|| PageError::not_found("This run is new; try again soon."))?;
    let campaign = results.campaigns.iter().find(|campaign| campaign.number == run.campaign.0);
    let entry = results.entries_of(run.instance.0).next().map(|entry| &results.entries[entry]);
    let truths = entry.map_or_else(Vec::new, |entry| entry.judged.truths.clone());
    let name = instance.places.first().map_or("an instance", |place| place.name.as_str());
    let known = KnownRun {
        run: &run,
        configuration: &solver.configuration,
        truths: &truths,
        said: Some(context.app.shared.solver_access.read_output(&outputs.stdout.bytes)),
        formula: text.as_deref(),
        dialect: &instance.instance.dialect,
    };
    // On a site the values under the model of a run have no other place.
    let values = match known.examined().filter(|_| medium.is_site()) {
        Some(query) => {
            let wanted = Wanted { run: Some(run.id.0), query: Some(query), medium };
            let formula = text.as_deref();
            Some(find_values(context, turn, &instance, formula, (wanted, ROWS_OF_PAGE))?)
        }
        None => None,
    };
    let measured = &run.measured;
    let body = html! {
        dl.facts {
            dt { "Instance" }
            dd { a href={ "/instance/" (run.instance.0) } { (visible(name)) } }
            dt { "Solver" }
            dd { a href={ "/solver/" (solver.number) } { (visible(&solver.label)) } }
            dt { "Class" }
            dd { (parts::class(run.class)) " " (worst(&known)) }
            dt { "Exit" } dd { (visible(&run.ending.to_string())) }
            dt { "CPU time" } dd { (figures::time(measured.cpu.0)) " s" }
            dt { "Wall time" } dd { (figures::time(measured.wall.0)) " s" }
            dt { "Memory" } dd { (measured.peak_memory) }
            @if measured.left_behind > 0 {
                dt { "Left-over processes" } dd { (measured.left_behind) ", which were killed" }
            }
            dt { "Repetition" } dd { (run.repetition + 1) }
            @if let Some(moment) = documents::moment(run.started) { dt { "Began" } dd { (moment) } }
            @if let Some(campaign) = campaign {
                dt { "Machine" } dd { (visible(&campaign.campaign.machine.host)) }
            }
            @if let Some(core) = run.core { dt { "Processor core" } dd { (core) } }
            @if let Some(load) = run.load { dt { "Load at the start" } dd { (format!("{load:.2}")) } }
        }
        section aria-labelledby="answers" {
            h2 #answers { "Answers" }
            (known.details(context, Amount { text: MOST_TEXT, traces: Traces::All, command: true }))
        }
        @if let Some(values) = &values { (values_section(context, &instance, values, true)) }
        (output("Standard output", "stdout", run.id, &outputs.stdout))
        (output("Standard error", "stderr", run.id, &outputs.stderr))
    };
    let mut path = Vec::new();
    if let Some(entry) = entry {
        let set = &results.sets[results.set_of(entry)];
        path.push(Step { name: set.name.clone(), address: format!("/set/{}", set.number) });
    }
    path.push(Step { name: name.to_owned(), address: format!("/instance/{}", run.instance.0) });
    Ok(Page { title: format!("Run {}", run.id.0), place: Place::Elsewhere, path, body })
}

/// The judgement that stands out: the first wrong one, else that of the last answer.
fn worst(known: &KnownRun<'_>) -> Markup {
    let all = (0..known.run.answers.len()).map(|query| known.judgement(query));
    let all: Vec<Judgement> = all.collect();
    let wrong = all.iter().find(|judgement| matches!(judgement, Judgement::Wrong(_)));
    wrong.or(all.last()).map_or_else(|| html! {}, |&judgement| parts::judgement(judgement))
}

fn output(title: &str, name: &str, run: RunId, captured: &Captured) -> Markup {
    let raw = format!("/run/{}/{name}", run.0);
    let (shown, is_cut) = cut(&captured.bytes, MOST_TEXT);
    html! {
        section aria-labelledby=(name) {
            h2 id=(name) { (title) }
            @if captured.bytes.is_empty() {
                p.why { "Nothing." }
            } @else {
                p.links { a href=(raw) { "As plain text" } }
                div.code.scroll tabindex="0" role="region" aria-label=(title) {
                    pre { code { (PreEscaped(plain(shown))) } }
                }
                @if is_cut {
                    p.note {
                        "This is only the beginning. " a href=(raw) { "The whole text" }
                        " has " (captured.bytes.len()) " bytes."
                    }
                }
            }
            @if captured.cut { p.note { "More was printed than was kept." } }
        }
    }
}
