//! `luthier show DB INSTANCE`: one instance across all solvers.
//!
//! One row for each run and query, then the ground truth with its evidence, then the beginning of
//! each model. Judgements may differ between sets, which may trust different labels; the table has
//! those of the first set, as `luthier show DB RUN` does, and the ground truth is listed for each set
//! in which it differs.

use luthier_records::{GroundTruth, Judgement, ParsedOutput};
use luthier_report::{Column, Table, figures, render_table};
use luthier_results::{Judge, JudgedInstance};
use luthier_runner::answer;
use luthier_store::{InstanceRuns, Store};
use serde::Serialize;

use super::Arguments;
use super::model::short_lines;
use super::run::{AnswerRecord, text_of};
use crate::commands::find_instance::find_instance;
use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::{self, Output};
use crate::text::{clean_name, counted, first_words};

/// How many lines of a model are shown.
const MODEL_LINES: usize = 6;
/// How many places are shown.
const MOST_PLACES: usize = 10;

/// The JSON of `luthier show DB INSTANCE`.
#[derive(Serialize)]
struct Record {
    version: u32,
    instance: i64,
    places: Vec<String>,
    sha256: String,
    dialect: String,
    dialect_reason: String,
    /// Why Luthier cannot read it.
    fault: Option<String>,
    truth: Vec<TruthRecord>,
    runs: Vec<RunRecord>,
}

/// The ground truth of one query in one set.
#[derive(Serialize, PartialEq)]
struct TruthRecord {
    set: String,
    /// From 1.
    query: usize,
    verdict: Option<&'static str>,
    evidence: Option<&'static str>,
    conflicts: Vec<&'static str>,
    #[serde(skip)]
    words: String,
}

#[derive(Serialize)]
struct RunRecord {
    run: i64,
    solver: String,
    repetition: u32,
    class: &'static str,
    ending: String,
    cpu_seconds: f64,
    answers: Vec<AnswerOfRun>,
}

#[derive(Serialize)]
struct AnswerOfRun {
    #[serde(flatten)]
    answer: AnswerRecord,
    /// The model as the solver printed it.
    model_text: Option<String>,
}

/// Shows an instance, or its text.
pub fn show(
    store: &Store,
    wanted: &str,
    arguments: &Arguments,
    output: &mut Output,
) -> Result<Ending, CliError> {
    if arguments.copy || arguments.stdout || arguments.stderr {
        return Err(CliError::usage("--copy, --stdout and --stderr are about one run")
            .with_hint("name the run by its number; `luthier show DB INSTANCE` lists them"));
    }
    let found = find_instance(store, wanted)?;
    if arguments.input {
        output.data(&text_of(store, &found.instance)?)?;
        return Ok(Ending::Fine);
    }
    let record = Record::read(store, &found)?;
    if output.json {
        output.json_line(&record)?;
    } else {
        record.print(output)?;
    }
    Ok(Ending::Fine)
}

impl Record {
    fn read(store: &Store, found: &InstanceRuns) -> Result<Self, CliError> {
        let judge = Judge::new(store, false)?;
        let mut truth: Vec<TruthRecord> = Vec::new();
        let mut runs: Vec<RunRecord> = Vec::new();
        judge.visit_one(found.id, |judged| -> Result<(), CliError> {
            truth.extend(truth_of(&judge, judged));
            for run in &judged.runs {
                let number = run.run.id.0;
                if runs.iter().any(|known| known.run == number) {
                    continue;
                }
                let stdout = store.outputs(run.run.id)?.unwrap_or_default().stdout.bytes;
                let said = answer::read(&stdout);
                runs.push(RunRecord {
                    run: number,
                    solver: judge.configurations[run.configuration].name.clone(),
                    repetition: run.run.repetition,
                    class: run.run.class.name(),
                    ending: run.run.ending.to_string(),
                    cpu_seconds: run.run.measured.cpu.as_secs_f64(),
                    answers: answers_of(run, &said),
                });
            }
            Ok(())
        })?;
        let instance = &found.instance;
        Ok(Self {
            version: VERSION,
            instance: found.id.0,
            places: found.places.iter().map(|place| place.text()).collect(),
            sha256: instance.digest.to_string(),
            dialect: instance.dialect.clone(),
            dialect_reason: instance.dialect_reason.clone(),
            fault: instance.fault.clone(),
            truth,
            runs,
        })
    }

    fn print(&self, output: &mut Output) -> Result<(), CliError> {
        let mut line =
            |key: &str, value: &str| output.line(format_args!("{key:<12} {}", clean_name(value)));
        line("instance", &self.instance.to_string())?;
        for place in self.places.iter().take(MOST_PLACES) {
            line("place", place)?;
        }
        if let more @ 1.. = self.places.len().saturating_sub(MOST_PLACES) {
            line("", &format!("and {more} more"))?;
        }
        line("sha256", &self.sha256)?;
        line("read as", &format!("{} ({})", self.dialect, self.dialect_reason))?;
        if let Some(fault) = &self.fault {
            line("unreadable", fault)?;
        }
        output.line("")?;
        if self.runs.is_empty() {
            output.line("no solver was run on it")?;
        } else {
            output.text(&render_table(&self.table(), output::terminal_width()))?;
        }
        output.line("")?;
        self.print_truth(output)?;
        self.print_models(output)
    }

    fn table(&self) -> Table {
        let has_several_queries = self.runs.iter().any(|run| run.answers.len() > 1);
        let mut columns = vec![Column::key("solver")];
        if has_several_queries {
            columns.push(Column::numbers("query"));
        }
        columns.extend(["verdict", "class", "judgement"].map(Column::words));
        columns.push(Column::numbers("CPU s"));
        columns.push(Column::words("model").hidden_if_empty());
        columns.push(Column::words("core").hidden_if_empty());
        columns.push(Column::numbers("run"));
        let mut table = Table::new(columns);
        for run in &self.runs {
            let cpu = figures::seconds(run.cpu_seconds);
            let solver = match run.repetition {
                0 => run.solver.clone(),
                repetition => format!("{} (repetition {})", run.solver, repetition + 1),
            };
            let dash = || figures::NOTHING.to_owned();
            if run.answers.is_empty() {
                let mut cells = vec![solver];
                cells.extend(has_several_queries.then(dash));
                cells.extend([dash(), run.class.to_owned(), dash(), cpu, dash(), dash()]);
                cells.push(run.run.to_string());
                table.push(cells);
                continue;
            }
            for (query, AnswerOfRun { answer, .. }) in run.answers.iter().enumerate() {
                let mut cells = vec![solver.clone()];
                cells.extend(has_several_queries.then(|| (query + 1).to_string()));
                let judgement = match (answer.judgement, answer.evidence) {
                    ("wrong", Some(evidence)) => format!("WRONG ({evidence})"),
                    (judgement, Some(evidence)) => format!("{judgement} ({evidence})"),
                    (judgement, None) => judgement.to_owned(),
                };
                let outcome = |outcome: Option<&str>| match outcome {
                    Some("invalid") => "INVALID".to_owned(),
                    outcome => outcome.map_or_else(dash, str::to_owned),
                };
                cells.extend([answer.said, answer.class].map(str::to_owned));
                cells.extend([judgement, cpu.clone(), outcome(answer.model), outcome(answer.core)]);
                cells.push(run.run.to_string());
                table.push(cells);
            }
        }
        table
    }

    /// Query by query; set by set only if the sets differ.
    fn print_truth(&self, output: &mut Output) -> Result<(), CliError> {
        let queries = self.truth.iter().map(|truth| truth.query).max().unwrap_or(0);
        if queries == 0 {
            return output.line("ground truth  none: it has no query that can be read");
        }
        for query in 1..=queries {
            let of_query: Vec<&TruthRecord> =
                self.truth.iter().filter(|truth| truth.query == query).collect();
            let mut different: Vec<&TruthRecord> = Vec::new();
            for truth in of_query {
                if different.iter().all(|known| known.words != truth.words) {
                    different.push(truth);
                }
            }
            for truth in &different {
                let which = if queries > 1 { format!("query {query}: ") } else { String::new() };
                let set = match different.len() {
                    1 => String::new(),
                    _ => format!(" (in {})", truth.set),
                };
                let text = format!("{which}{}{set}", truth.words);
                output.line(format_args!("ground truth  {}", clean_name(&text)))?;
            }
        }
        Ok(())
    }

    fn print_models(&self, output: &mut Output) -> Result<(), CliError> {
        for run in &self.runs {
            for (query, AnswerOfRun { answer, model_text }) in run.answers.iter().enumerate() {
                if answer.model.is_none() && model_text.is_none() {
                    continue;
                }
                let which = match run.answers.len() {
                    1 => String::new(),
                    _ => format!(", query {}", query + 1),
                };
                let outcome = answer.model.unwrap_or("not checked");
                let detail = answer.model_detail.as_deref();
                let detail =
                    detail.map_or_else(String::new, |one| format!(": {}", first_words(one)));
                output.line("")?;
                let heading =
                    format!("model of {} (run {}{which}), {outcome}{detail}", run.solver, run.run);
                output.line(clean_name(&heading))?;
                let (lines, more) =
                    short_lines(model_text.as_deref().unwrap_or_default().as_bytes(), MODEL_LINES);
                for text in lines {
                    output.line(format_args!("  {}", clean_name(&text)))?;
                }
                if more > 0 {
                    let more = counted(more, "more item");
                    output.line(format_args!("  … {more}; --stdout of run {} has all", run.run))?;
                }
            }
        }
        Ok(())
    }
}

fn answers_of(run: &luthier_results::JudgedRun<'_>, said: &ParsedOutput) -> Vec<AnswerOfRun> {
    let answers = run.run.answers.iter().enumerate();
    answers
        .map(|(query, answer)| {
            let judgement = run.judgements.get(query).copied().unwrap_or(Judgement::Unjudged);
            let printed = said.answers.get(query).and_then(|one| one.model.as_ref());
            AnswerOfRun {
                answer: AnswerRecord::new(answer, judgement),
                model_text: printed.map(ToString::to_string),
            }
        })
        .collect()
}

fn truth_of(judge: &Judge<'_>, judged: &JudgedInstance<'_>) -> Vec<TruthRecord> {
    let set = &judge.sets[judged.set].0;
    let record = |(query, truth): (usize, &GroundTruth)| {
        let mut words = match truth.verdict {
            Some((verdict, evidence)) => format!("{verdict} ({})", evidence.words()),
            None => "unknown: no evidence decides".to_owned(),
        };
        for conflict in &truth.conflicts {
            words.push_str(&format!("; {}", conflict.words()));
        }
        TruthRecord {
            set: set.clone(),
            query: query + 1,
            verdict: truth.verdict.map(|(verdict, _)| verdict.name()),
            evidence: truth.verdict.map(|(_, evidence)| evidence.name()),
            conflicts: truth.conflicts.iter().map(|conflict| conflict.name()).collect(),
            words,
        }
    };
    judged.truths.iter().enumerate().map(record).collect()
}
