//! `luthier export --instance`: everything about one instance, to be sent to the authors of a solver.

use std::path::Path;

use luthier_campaign::Rerun;
use luthier_corpus::Writer;
use luthier_records::{Configuration, Judgement};
use luthier_results::{Judge, JudgedInstance, JudgedRun};
use luthier_smtlib::Dialect;
use luthier_store::{InstanceId, InstanceRuns, Store, StoreError};
use serde::Serialize;

use super::super::user_releases;
use crate::error::CliError;
use crate::json::VERSION;
use crate::output::Output;
use crate::text::{clean_text, counted};

/// How many instances an error lists.
const MOST_LISTED: usize = 10;

/// The JSON of `luthier export --instance`.
#[derive(Serialize)]
struct Record {
    version: u32,
    out: String,
    instance: i64,
    runs: usize,
}

/// Writes the instance and all runs on it.
pub fn run(store: &Store, wanted: &str, out: &Path, output: &mut Output) -> Result<(), CliError> {
    let found = find(store, wanted)?;
    let text = store.text(found.instance.digest)?.ok_or_else(|| {
        CliError::incomplete("the text of the instance is not in the database")
            .with_hint("results that were imported may lack it; import with --folder")
    })?;
    let mut writer = Writer::create(out).map_err(|error| CliError::usage(error.to_string()))?;
    let mut put = |name: &str, bytes: &[u8]| {
        writer.add(name, bytes).map_err(|error| CliError::usage(error.to_string()))
    };
    put("instance.smt2", &text)?;
    let mut readme = String::new();
    let judge = Judge::new(store, false)?;
    let mut is_first = true;
    judge.visit_one(found.id, |judged| -> Result<(), CliError> {
        // The ground truth may depend on the set; the first one does, as in `luthier show`.
        if std::mem::take(&mut is_first) {
            readme = head(&found, judged);
            for run in &judged.runs {
                let configuration = &judge.configurations[run.configuration];
                let folder = folder_of(run, configuration);
                let outputs = store.outputs(run.run.id)?.unwrap_or_default();
                put(&format!("{folder}/stdout.txt"), &outputs.stdout.bytes)?;
                put(&format!("{folder}/stderr.txt"), &outputs.stderr.bytes)?;
                let asked = Asked::new(&text, &found, configuration)?;
                if let Ok(copy) = &asked.copy {
                    put(&format!("{folder}/asked.smt2"), copy)?;
                }
                readme.push_str(&section(run, configuration, &folder, &asked));
            }
        }
        Ok(())
    })?;
    // Last, so that a folder without it is seen to be unfinished.
    put("README.md", readme.as_bytes())?;
    writer.finish().map_err(|error| CliError::usage(error.to_string()))?;
    let record = Record {
        version: VERSION,
        out: out.display().to_string(),
        instance: found.id.0,
        runs: found.runs.len(),
    };
    if output.json {
        output.json_line(&record)
    } else {
        output.talk(format_args!("{}: {}", record.out, counted(record.runs, "run")));
        Ok(())
    }
}

/// The instance of this number, place, name or digest.
fn find(store: &Store, wanted: &str) -> Result<InstanceRuns, CliError> {
    if let Ok(number) = wanted.parse::<i64>()
        && let Some(found) = store.instance(InstanceId(number))?
    {
        return Ok(found);
    }
    let mut exact: Vec<(i64, String)> = Vec::new();
    let mut similar: Vec<(i64, String)> = Vec::new();
    store.visit_instances(|found| -> Result<(), StoreError> {
        for place in &found.places {
            let shown = place.text();
            let file = place.name.rsplit(['/', '!']).next().unwrap_or_default();
            if *wanted == shown
                || *wanted == format!("{}/{}/{}", place.set, place.track, place.name)
                || *wanted == format!("{}/{}", place.set, place.name)
                || *wanted == place.name
                || *wanted == *file
                || *wanted == found.instance.digest.to_string()
            {
                exact.push((found.id.0, shown));
            } else if shown.contains(wanted) && similar.len() < MOST_LISTED {
                similar.push((found.id.0, shown));
            }
        }
        Ok(())
    })?;
    let mut ids: Vec<i64> = exact.iter().map(|(id, _)| *id).collect();
    ids.sort_unstable();
    ids.dedup();
    let list = |places: &[(i64, String)]| {
        let lines = places.iter().take(MOST_LISTED).map(|(id, place)| format!("{id}: {place}"));
        lines.collect::<Vec<_>>().join("\n      ")
    };
    match ids.as_slice() {
        [id] => store.instance(InstanceId(*id))?.ok_or_else(|| {
            CliError::usage(format!(
                "{}: an instance is gone; run it again",
                store.path().display()
            ))
        }),
        [] if similar.is_empty() => {
            Err(CliError::usage(format!("there is no instance {wanted:?}"))
                .with_hint("its place is SET/TRACK/NAME, as pages and `luthier summary` show it"))
        }
        [] => Err(CliError::usage(format!("there is no instance {wanted:?}"))
            .with_hint(format!("did you mean\n      {}", list(&similar)))),
        _ => Err(CliError::usage(format!("several instances are called {wanted:?}"))
            .with_hint(format!("give the number:\n      {}", list(&exact)))),
    }
}

/// What a solver was asked, made again in the same way.
struct Asked {
    arguments: Vec<String>,
    copy: Result<Vec<u8>, String>,
}

impl Asked {
    fn new(
        text: &[u8],
        found: &InstanceRuns,
        configuration: &Configuration,
    ) -> Result<Self, CliError> {
        let catalogue = user_releases()?.catalogue;
        let unknown = |name: &str| format!("the dialect {name} is not known");
        let (Ok(from), Ok(to)) =
            (found.instance.dialect.parse::<Dialect>(), configuration.dialect.parse::<Dialect>())
        else {
            let copy = Err(unknown(&configuration.dialect));
            return Ok(Self { arguments: configuration.arguments.clone(), copy });
        };
        let mut again = Rerun::new(text, from, configuration, &catalogue);
        let arguments = again.arguments.clone();
        let copy = match again.fault() {
            Some(fault) => Err(format!("the instance cannot be read: {fault}")),
            None => again.copy(to).map(|copy| copy.bytes).map_err(|cannot| cannot.to_string()),
        };
        Ok(Self { arguments, copy })
    }
}

fn head(found: &InstanceRuns, judged: &JudgedInstance<'_>) -> String {
    let instance = &found.instance;
    let mut text = String::from("# An instance and what solvers said about it\n\n");
    let mut line = |name: &str, value: &str| {
        text.push_str(&format!("- {name}: {}\n", clean_text(value).replace('\n', " ")));
    };
    for place in &found.places {
        line("place", &place.text());
    }
    line("file", "instance.smt2, as it was in the benchmarks");
    line("SHA-256", &instance.digest.to_string());
    line("dialect", &format!("{} ({})", instance.dialect, instance.dialect_reason));
    for (query, truth) in judged.truths.iter().enumerate() {
        let name = match judged.truths.len() {
            1 => "ground truth".to_owned(),
            _ => format!("ground truth of query {}", query + 1),
        };
        let truth = match truth.verdict {
            Some((verdict, evidence)) => format!("{verdict} (by {})", evidence.name()),
            None => "nothing decides".to_owned(),
        };
        line(&name, &truth);
    }
    text.push_str(
        "\nModels were checked by the referee of Luthier, which evaluates them by the standard.\n",
    );
    text
}

fn section(
    run: &JudgedRun<'_>,
    configuration: &Configuration,
    folder: &str,
    asked: &Asked,
) -> String {
    let stored = run.run;
    let mut text = format!("\n## {}\n\n", clean_text(&configuration.name).replace('\n', " "));
    let mut line = |name: &str, value: &str| {
        text.push_str(&format!("- {name}: {}\n", clean_text(value).replace('\n', " ")));
    };
    if let Some(version) = &configuration.version {
        line("version", version);
    }
    line("SHA-256 of the program", &configuration.program_digest.to_string());
    line("class", stored.class.name());
    line("ended by", &stored.ending.to_string());
    line(
        "used",
        &format!(
            "{:.3} s of CPU time (limit {} s), {:.3} s on the wall, {}",
            stored.measured.cpu.as_secs_f64(),
            configuration.limits.cpu.as_secs_f64(),
            stored.measured.wall.as_secs_f64(),
            stored.measured.peak_memory
        ),
    );
    for (query, answer) in stored.answers.iter().enumerate() {
        let judgement = run.judgements.get(query).copied().unwrap_or(Judgement::NoClaim);
        line("said", &format!("{}: {}", answer.verdict, judgement.name()));
        let with_detail = |outcome: &str, detail: Option<&str>| match detail {
            Some(detail) => format!("{outcome}: {detail}"),
            None => outcome.to_owned(),
        };
        if let Some(model) = &answer.model {
            line("model", &with_detail(model.outcome.name(), model.detail.as_deref()));
        }
        if let Some(core) = &answer.core {
            line("core", &with_detail(core.outcome.name(), core.detail.as_deref()));
        }
    }
    stored.conversion.iter().for_each(|note| line("note", note));
    let script = match &asked.copy {
        Ok(_) => format!("{folder}/asked.smt2"),
        Err(reason) => {
            line("not asked in its own dialect", reason);
            "instance.smt2".to_owned()
        }
    };
    line("printed", &format!("{folder}/stdout.txt and {folder}/stderr.txt"));
    let mut words = vec![program_name(configuration)];
    words.extend(asked.arguments.iter().map(|argument| argument.replace("{file}", &script)));
    let command = shell_words::join(&words);
    text.push_str(&format!("\nTo ask again:\n\n    {}\n", clean_text(&command).replace('\n', " ")));
    text
}

/// What the program is called, without where it was: whoever reads this has another machine.
/// Libraries, which lie in a folder, are called by their solver.
fn program_name(configuration: &Configuration) -> String {
    let path = configuration.program.as_deref().map(Path::new);
    let name = path.filter(|path| !path.is_dir()).and_then(Path::file_name);
    match name.map(|name| name.to_string_lossy()) {
        Some(name) if name != "lib" => name.into_owned(),
        _ => configuration.solver.clone(),
    }
}

/// A folder for the files of a run; whatever the solver is called, it is a plain name.
fn folder_of(run: &JudgedRun<'_>, configuration: &Configuration) -> String {
    let plain = |character: char| {
        let is_plain = character.is_ascii_alphanumeric() || "-+@_".contains(character);
        // No dots at the beginning, nor two of them anywhere.
        if is_plain || character == '.' { character } else { '_' }
    };
    let name: String = configuration.name.chars().take(60).map(plain).collect();
    format!("run-{}-{}", run.run.id.0, name.replace("..", "_"))
}
