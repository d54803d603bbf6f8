//! `luthier show`: one run of a database, with everything that is known about it.

use std::path::PathBuf;

use clap::Args;
use luthier_campaign::Rerun;
use luthier_records::{Configuration, Instance, Judgement};
use luthier_results::{Judge, labelled_configurations};
use luthier_smtlib::Dialect;
use luthier_store::{InstanceId, RunId, Store, StoreError, StoredRun};
use serde::Serialize;

use super::reproduce::Reproducer;
use super::user_releases;
use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::Output;
use crate::text::{clean_name, clean_text};

const EXAMPLES: &str = "\
Examples:
  luthier show results.db 17
  luthier show results.db 17 --input > instance.smt2
  luthier show results.db 17 --copy | z3 -in";

/// Show one run of a database: what was asked, what the solver replied, and the ground truth.
///
/// The number of a run stands beside every finding of `luthier summary`. Ends with 0, or with 3 if
/// the instance is not there or could not be put into the dialect of the solver.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The database
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// The number of the run
    #[arg(value_name = "RUN")]
    run: i64,
    /// Print the instance as it is
    #[arg(long, group = "part")]
    input: bool,
    /// Print what the solver got: the same question in its own dialect
    #[arg(long, group = "part")]
    copy: bool,
    /// Print what it wrote to standard output
    #[arg(long, group = "part")]
    stdout: bool,
    /// Print what it wrote to standard error
    #[arg(long, group = "part")]
    stderr: bool,
}

/// The JSON of `luthier show`.
#[derive(Serialize)]
struct Record {
    version: u32,
    run: i64,
    solver: String,
    arguments: Vec<String>,
    instances: Vec<String>,
    sha256: String,
    dialect: String,
    dialect_reason: String,
    class: &'static str,
    ending: String,
    cpu_seconds: f64,
    wall_seconds: f64,
    peak_memory_bytes: u64,
    repetition: u32,
    conversion: Vec<String>,
    answers: Vec<AnswerRecord>,
    reproduce: String,
    /// What is different from when the run was made.
    reproduce_note: Option<String>,
}

#[derive(Serialize)]
struct AnswerRecord {
    said: &'static str,
    class: &'static str,
    reason_unknown: Option<String>,
    model: Option<&'static str>,
    model_detail: Option<String>,
    core: Option<&'static str>,
    core_size: Option<usize>,
    core_detail: Option<String>,
    judgement: &'static str,
    evidence: Option<&'static str>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let store = Store::open_read_only(&arguments.database)?;
    let Some(run) = store.run(RunId(arguments.run))? else {
        let message = format!("{}: has no run {}", arguments.database.display(), arguments.run);
        return Err(CliError::usage(message)
            .with_hint("`luthier summary DB --findings` shows the numbers of runs"));
    };
    if arguments.stdout || arguments.stderr {
        let outputs = store.outputs(run.id)?.unwrap_or_default();
        let chosen = if arguments.stdout { outputs.stdout } else { outputs.stderr };
        output.data(&chosen.bytes)?;
        return Ok(Ending::Fine);
    }
    let found = instance_of(&store, run.instance)?;
    let configuration = configuration_of(&store, &run)?;
    if arguments.input || arguments.copy {
        let text = store.text(found.instance.digest)?.ok_or_else(|| {
            CliError::incomplete("the text of the instance is not in the database")
                .with_hint("results that were imported may lack it; import with --folder")
        })?;
        let bytes = match arguments.input {
            true => text,
            false => copy_of(&text, &found.instance, &configuration)?,
        };
        output.data(&bytes)?;
        return Ok(Ending::Fine);
    }
    let judgements = judgements_of(&store, &run)?;
    let mut reproducer = Reproducer::new(&arguments.database);
    let record = Record::of(&run, found, &configuration, &judgements, &mut reproducer);
    print(&record, output)?;
    Ok(Ending::Fine)
}

struct FoundInstance {
    instance: Instance,
    names: Vec<String>,
}

fn instance_of(store: &Store, id: InstanceId) -> Result<FoundInstance, CliError> {
    match store.instance(id)? {
        Some(found) => Ok(FoundInstance {
            names: found
                .places
                .iter()
                .map(|place| format!("{}/{}", place.set, place.name))
                .collect(),
            instance: found.instance,
        }),
        None => {
            Err(damaged(store, &format!("instance {}, which a run refers to, is missing", id.0)))
        }
    }
}

fn configuration_of(store: &Store, run: &StoredRun) -> Result<Configuration, CliError> {
    let found =
        labelled_configurations(store)?.into_iter().find(|(id, _)| *id == run.configuration);
    let missing = || {
        let id = run.configuration.0;
        damaged(store, &format!("configuration {id}, which a run refers to, is missing"))
    };
    found.map(|(_, configuration)| configuration).ok_or_else(missing)
}

/// What only a damaged file can lack.
fn damaged(store: &Store, detail: &str) -> CliError {
    let (path, detail) = (store.path().to_owned(), detail.to_owned());
    StoreError::Damaged { path, detail }.into()
}

/// What the solver got, made again in the same way.
fn copy_of(
    text: &[u8],
    instance: &Instance,
    configuration: &Configuration,
) -> Result<Vec<u8>, CliError> {
    let parse = |name: &str| {
        let unknown = |error| CliError::incomplete(format!("the dialect of the run: {error}"));
        name.parse::<Dialect>().map_err(unknown)
    };
    let catalogue = user_releases()?.catalogue;
    let mut again = Rerun::new(text, parse(&instance.dialect)?, configuration, &catalogue);
    if let Some(fault) = again.fault() {
        return Err(CliError::incomplete(format!("the instance cannot be read: {fault}")));
    }
    let copy = again.copy(parse(&configuration.dialect)?);
    copy.map(|copy| copy.bytes).map_err(|cannot| CliError::incomplete(cannot.to_string()))
}

/// The judgements on the answers of a run; in the first set of its instance.
fn judgements_of(store: &Store, run: &StoredRun) -> Result<Vec<Judgement>, CliError> {
    let judge = Judge::new(store, false)?;
    let mut found = None;
    judge.visit_one(run.instance, |instance| -> Result<(), StoreError> {
        let judged = instance.runs.iter().find(|judged| judged.run.id == run.id);
        found = found.take().or(judged.map(|judged| judged.judgements.clone()));
        Ok(())
    })?;
    Ok(found.unwrap_or_default())
}

impl Record {
    fn of(
        run: &StoredRun,
        found: FoundInstance,
        configuration: &Configuration,
        judgements: &[Judgement],
        reproducer: &mut Reproducer,
    ) -> Self {
        let answers = run.answers.iter().enumerate().map(|(query, answer)| {
            let judgement = judgements.get(query).copied().unwrap_or(Judgement::Unjudged);
            let (model, core) = (answer.model.as_ref(), answer.core.as_ref());
            AnswerRecord {
                said: answer.verdict.name(),
                class: answer.class.name(),
                reason_unknown: answer.reason_unknown.as_ref().map(ToString::to_string),
                model: model.map(|model| model.outcome.name()),
                model_detail: model.and_then(|model| model.detail.clone()),
                core: core.map(|core| core.outcome.name()),
                core_size: core.map(|core| core.size),
                core_detail: core.and_then(|core| core.detail.clone()),
                judgement: judgement.name(),
                evidence: match judgement {
                    Judgement::Right(evidence) | Judgement::Wrong(evidence) => {
                        Some(evidence.name())
                    }
                    _ => None,
                },
            }
        });
        let again = reproducer.command(run.id.0, configuration);
        Self {
            version: VERSION,
            run: run.id.0,
            solver: configuration.name.clone(),
            arguments: configuration.arguments.clone(),
            instances: found.names,
            sha256: found.instance.digest.to_string(),
            dialect: found.instance.dialect,
            dialect_reason: found.instance.dialect_reason,
            class: run.class.name(),
            ending: run.ending.to_string(),
            cpu_seconds: run.measured.cpu.as_secs_f64(),
            wall_seconds: run.measured.wall.as_secs_f64(),
            peak_memory_bytes: run.measured.peak_memory.0,
            repetition: run.repetition,
            conversion: run.conversion.clone(),
            answers: answers.collect(),
            reproduce: again.command,
            reproduce_note: again.note,
        }
    }
}

fn print(record: &Record, output: &mut Output) -> Result<(), CliError> {
    if output.json {
        return output.json_line(record);
    }
    let memory = luthier_records::Bytes(record.peak_memory_bytes);
    let mut lines = vec![
        ("run", record.run.to_string()),
        ("solver", format!("{} {}", record.solver, record.arguments.join(" "))),
        ("instance", record.instances.join(", ")),
        ("sha256", record.sha256.clone()),
        ("read as", format!("{} ({})", record.dialect, record.dialect_reason)),
        ("class", record.class.to_owned()),
        ("ended by", record.ending.clone()),
        (
            "used",
            format!(
                "{:.3} s of CPU time, {:.3} s on the wall, {memory}",
                record.cpu_seconds, record.wall_seconds
            ),
        ),
    ];
    lines.extend(record.conversion.iter().map(|note| ("note", note.clone())));
    for answer in &record.answers {
        let evidence = answer.evidence.map_or_else(String::new, |by| format!(" (by {by})"));
        let mut said = format!("{}: {}{evidence}", answer.said, answer.judgement);
        if answer.class != answer.said {
            said.push_str(&format!(", counted as {}", answer.class));
        }
        lines.push(("said", said));
        lines.extend(answer.reason_unknown.iter().map(|reason| ("because", reason.clone())));
        let detail = |outcome: &str, detail: &Option<String>| match detail {
            Some(detail) => format!("{outcome}: {detail}"),
            None => outcome.to_owned(),
        };
        lines.extend(answer.model.map(|model| ("model", detail(model, &answer.model_detail))));
        lines.extend(answer.core.map(|core| ("core", detail(core, &answer.core_detail))));
    }
    lines.push(("again", format!("$ {}", record.reproduce)));
    lines.extend(record.reproduce_note.iter().map(|note| ("", format!("# {note}"))));
    for (key, value) in lines {
        let value = clean_text(&value).replace('\n', "\n           ");
        output.line(format_args!("{:<10} {value}", clean_name(key)))?;
    }
    Ok(())
}
