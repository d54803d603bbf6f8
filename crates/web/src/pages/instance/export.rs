//! All runs on an instance as CSV, with a line for each answer.

use axum::response::Response;
use luthier_records::{GroundTruth, Judgement};
use luthier_report::documents::csv_record;
use luthier_report::{Results, figures};
use luthier_store::{InstanceId, StoredRun};

use super::super::run_details::judgement;
use super::super::{answer_with_store, csv};
use crate::address::number;
use crate::error::PageError;
use crate::state::App;

/// All runs on an instance, whatever part of them its page shows. A run without an answer has one
/// line.
pub(crate) async fn instance_runs_csv(app: App, text: String) -> Response {
    answer_with_store(app, move |context, turn| {
        let wanted = number(&text, "an instance")?;
        let missing = || PageError::not_found(format!("There is no instance {wanted} here."));
        let instance = context
            .stores()
            .read(turn, |store| store.instance(InstanceId(wanted))?.ok_or_else(missing))?;
        let results = &context.snapshot.results;
        let entry = results.entries_of(wanted).next().map(|entry| &results.entries[entry]);
        let truths = entry.map_or(&[][..], |entry| &entry.judged.truths);
        let names = ["run", "solver", "repetition", "query", "answer", "judged", "model", "core"];
        let more = ["class", "exit", "cpu_seconds", "wall_seconds", "memory_bytes"];
        let mut lines = csv_record(names.into_iter().chain(more));
        for run in &instance.runs {
            for query in 0..run.answers.len().max(1) {
                lines.push_str(&csv::line(&cells(results, run, query, truths)));
            }
        }
        Ok(csv::file("runs", lines))
    })
    .await
}

fn cells(results: &Results, run: &StoredRun, query: usize, truths: &[GroundTruth]) -> Vec<String> {
    let solver = results.solvers.iter().find(|solver| solver.number == run.configuration.0);
    let answer = run.answers.get(query);
    let name = |name: Option<&str>| name.unwrap_or_default().to_owned();
    let judged = match judgement(run, query, truths) {
        Judgement::Right(_) => "right",
        Judgement::Wrong(_) => "wrong",
        Judgement::Disputed => "disputed",
        Judgement::Unjudged => "not judged",
        Judgement::NoClaim => "",
    };
    vec![
        run.id.0.to_string(),
        name(solver.map(|solver| solver.label.as_str())),
        (run.repetition + 1).to_string(),
        answer.map(|_| (query + 1).to_string()).unwrap_or_default(),
        name(answer.map(|answer| answer.verdict.name())),
        judged.to_owned(),
        name(answer.and_then(|answer| answer.model.as_ref()).map(|model| model.outcome.name())),
        name(answer.and_then(|answer| answer.core.as_ref()).map(|core| core.outcome.name())),
        run.class.name().to_owned(),
        run.ending.to_string(),
        figures::exact_seconds(run.measured.cpu.0).to_string(),
        figures::exact_seconds(run.measured.wall.0).to_string(),
        run.measured.peak_memory.0.to_string(),
    ]
}
