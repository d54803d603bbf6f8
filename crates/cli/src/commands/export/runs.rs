//! `luthier export --to`: every run, one after the other, in constant memory.

use std::collections::HashMap;
use std::path::Path;

use luthier_records::{Judgement, Place};
use luthier_report::documents::{csv_record, moment};
use luthier_report::{Results, ScoredRun, SolverInfo};
use luthier_results::{Judge, JudgedInstance, JudgedRun};
use luthier_store::Store;
use serde::Serialize;

use crate::error::CliError;
use crate::json::VERSION;
use crate::output::Output;
use crate::progress::Line;
use crate::text::counted;
use crate::whole_file::WholeFile;

/// A run with all that is known about it.
#[derive(Serialize)]
struct Record<'a> {
    version: u32,
    set: &'a str,
    track: &'a str,
    name: &'a str,
    instance: i64,
    sha256: String,
    size_bytes: u64,
    dialect: &'a str,
    solver: &'a str,
    solver_version: Option<&'a str>,
    family: &'a str,
    configuration: &'a str,
    seed: Option<u64>,
    repetition: u32,
    class: &'static str,
    solved: bool,
    judgement: &'static str,
    evidence: Option<&'static str>,
    /// The ground truth of each query.
    expected: Vec<Option<&'static str>>,
    expected_evidence: Vec<Option<&'static str>>,
    answers: Vec<AnswerRecord<'a>>,
    cpu_seconds: f64,
    wall_seconds: f64,
    peak_memory_bytes: u64,
    cpu_limit_seconds: f64,
    wall_limit_seconds: f64,
    memory_limit_bytes: u64,
    ending: String,
    started: Option<String>,
    conversion: &'a [String],
    campaign: &'a str,
    run: i64,
}

#[derive(Serialize)]
struct AnswerRecord<'a> {
    said: &'static str,
    class: &'static str,
    reason_unknown: Option<String>,
    judgement: &'static str,
    evidence: Option<&'static str>,
    model: Option<&'static str>,
    model_detail: Option<&'a str>,
    core: Option<&'static str>,
    core_size: Option<usize>,
    core_detail: Option<&'a str>,
}

/// The columns of CSV: the fields, with the answers of several queries in one cell.
const COLUMNS: [&str; 38] = [
    "set",
    "track",
    "name",
    "instance",
    "sha256",
    "size_bytes",
    "dialect",
    "solver",
    "solver_version",
    "family",
    "configuration",
    "seed",
    "repetition",
    "class",
    "solved",
    "judgement",
    "evidence",
    "expected",
    "expected_evidence",
    "answers",
    "reason_unknown",
    "answer_judgements",
    "model",
    "model_detail",
    "core",
    "core_size",
    "core_detail",
    "cpu_seconds",
    "wall_seconds",
    "peak_memory_bytes",
    "cpu_limit_seconds",
    "wall_limit_seconds",
    "memory_limit_bytes",
    "ending",
    "started",
    "conversion",
    "campaign",
    "run",
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Csv,
    JsonLines,
}

/// The JSON of `luthier export --to`.
#[derive(Serialize)]
struct Summary {
    version: u32,
    file: String,
    runs: usize,
}

/// Names that many runs share, made once.
struct Names {
    solvers: Vec<SolverInfo>,
    identities: Vec<String>,
    campaigns: HashMap<i64, String>,
}

/// Writes all runs.
pub fn run(store: &Store, path: &Path, output: &mut Output) -> Result<(), CliError> {
    let format = match path.extension().and_then(|ending| ending.to_str()) {
        Some("csv") => Format::Csv,
        Some("jsonl" | "ndjson") => Format::JsonLines,
        _ => {
            return Err(CliError::usage(format!("{}: which format?", path.display()))
                .with_hint("end the name with .csv or .jsonl"));
        }
    };
    let mut file = WholeFile::create(path)?;
    let runs = store.reading(|store| write_all(store, format, &mut file))?;
    file.finish()?;
    let summary = Summary { version: VERSION, file: path.display().to_string(), runs };
    if output.json {
        output.json_line(&summary)
    } else {
        output.talk(format_args!("{}: {}", summary.file, counted(runs, "run")));
        Ok(())
    }
}

fn write_all(store: &Store, format: Format, file: &mut WholeFile) -> Result<usize, CliError> {
    let judge = Judge::new(store, false)?;
    let names = Names::read(store)?;
    let places: u64 = store.tracks()?.iter().map(|track| track.members).sum();
    let mut line = Line::new();
    let (mut runs, mut done) = (0, 0);
    if format == Format::Csv {
        file.write(csv_record(COLUMNS).as_bytes())?;
    }
    judge.visit(|instance| -> Result<(), CliError> {
        for place in &instance.places {
            for judged in &instance.runs {
                let record = Record::new(instance, place, judged, &names);
                file.write(&record.bytes(format)?)?;
                runs += 1;
            }
            done += 1;
            line.show(|| format!("{done} of {}", counted(places as usize, "instance")));
        }
        Ok(())
    })?;
    line.clear();
    Ok(runs)
}

impl Names {
    fn read(store: &Store) -> Result<Self, CliError> {
        let mut parts = Results::default();
        for (id, configuration) in store.configurations()? {
            let label = configuration.name.clone();
            parts.solvers.push(SolverInfo { number: id.0, label, configuration });
        }
        // Gives labels that differ, the same as everywhere.
        let solvers = Results::new(parts).solvers;
        let identities =
            solvers.iter().map(|solver| solver.configuration.identity().to_string()).collect();
        let campaigns =
            store.campaigns()?.into_iter().map(|(id, campaign)| (id.0, campaign.id)).collect();
        Ok(Self { solvers, identities, campaigns })
    }
}

impl<'a> Record<'a> {
    fn new(
        instance: &'a JudgedInstance<'_>,
        place: &'a Place,
        judged: &'a JudgedRun<'_>,
        names: &'a Names,
    ) -> Self {
        let run = judged.run;
        let solver = &names.solvers[judged.configuration];
        let configuration = &solver.configuration;
        let limits = &configuration.limits;
        let scored =
            ScoredRun::new(run.class, &run.measured, &run.answers, &judged.judgements, limits.cpu);
        let answers = run.answers.iter().enumerate().map(|(query, answer)| {
            let judgement = judged.judgements.get(query).copied().unwrap_or(Judgement::NoClaim);
            AnswerRecord {
                said: answer.verdict.name(),
                class: answer.class.name(),
                reason_unknown: answer.reason_unknown.as_ref().map(ToString::to_string),
                judgement: judgement.name(),
                evidence: evidence(judgement),
                model: answer.model.as_ref().map(|model| model.outcome.name()),
                model_detail: answer.model.as_ref().and_then(|model| model.detail.as_deref()),
                core: answer.core.as_ref().map(|core| core.outcome.name()),
                core_size: answer.core.as_ref().map(|core| core.size),
                core_detail: answer.core.as_ref().and_then(|core| core.detail.as_deref()),
            }
        });
        let truths = || instance.truths.iter().map(|truth| truth.verdict);
        Self {
            version: VERSION,
            set: &place.set,
            track: &place.track,
            name: &place.name,
            instance: run.instance.0,
            sha256: instance.instance.digest.to_string(),
            size_bytes: instance.instance.size.0,
            dialect: &instance.instance.dialect,
            solver: &solver.label,
            solver_version: configuration.version.as_deref(),
            family: &configuration.family,
            configuration: &names.identities[judged.configuration],
            seed: configuration.seed,
            repetition: run.repetition,
            class: run.class.name(),
            solved: scored.is_solved(),
            judgement: scored.judgement.name(),
            evidence: evidence(scored.judgement),
            expected: truths().map(|one| one.map(|(verdict, _)| verdict.name())).collect(),
            expected_evidence: truths().map(|one| one.map(|(_, by)| by.name())).collect(),
            answers: answers.collect(),
            cpu_seconds: run.measured.cpu.as_secs_f64(),
            wall_seconds: run.measured.wall.as_secs_f64(),
            peak_memory_bytes: run.measured.peak_memory.0,
            cpu_limit_seconds: limits.cpu.as_secs_f64(),
            wall_limit_seconds: limits.wall.as_secs_f64(),
            memory_limit_bytes: limits.memory.0,
            ending: run.ending.to_string(),
            started: moment(run.started),
            conversion: &run.conversion,
            campaign: names.campaigns.get(&run.campaign.0).map_or("", String::as_str),
            run: run.id.0,
        }
    }

    fn bytes(&self, format: Format) -> Result<Vec<u8>, CliError> {
        if format == Format::Csv {
            return Ok(self.csv().into_bytes());
        }
        let mut line = serde_json::to_vec(self)
            .map_err(|error| CliError::Bug { message: format!("no JSON for a run: {error}") })?;
        line.push(b'\n');
        Ok(line)
    }

    fn csv(&self) -> String {
        let words = |word: Option<&str>| word.unwrap_or_default().to_owned();
        let several = |words: Vec<String>| {
            // One empty cell and not only separators if there is nothing.
            if words.iter().all(String::is_empty) { String::new() } else { words.join("; ") }
        };
        let of_answers = |text: &dyn Fn(&AnswerRecord<'_>) -> String| {
            several(self.answers.iter().map(text).collect())
        };
        let of_queries =
            |names: &[Option<&str>]| several(names.iter().map(|name| words(*name)).collect());
        let cells: Vec<String> = vec![
            self.set.to_owned(),
            self.track.to_owned(),
            self.name.to_owned(),
            self.instance.to_string(),
            self.sha256.clone(),
            self.size_bytes.to_string(),
            self.dialect.to_owned(),
            self.solver.to_owned(),
            words(self.solver_version),
            self.family.to_owned(),
            self.configuration.to_owned(),
            self.seed.map(|seed| seed.to_string()).unwrap_or_default(),
            self.repetition.to_string(),
            self.class.to_owned(),
            if self.solved { "yes" } else { "no" }.to_owned(),
            self.judgement.to_owned(),
            words(self.evidence),
            of_queries(&self.expected),
            of_queries(&self.expected_evidence),
            of_answers(&|answer| answer.said.to_owned()),
            of_answers(&|answer| words(answer.reason_unknown.as_deref())),
            of_answers(&|answer| answer.judgement.to_owned()),
            of_answers(&|answer| words(answer.model)),
            of_answers(&|answer| words(answer.model_detail)),
            of_answers(&|answer| words(answer.core)),
            of_answers(&|answer| answer.core_size.map(|size| size.to_string()).unwrap_or_default()),
            of_answers(&|answer| words(answer.core_detail)),
            self.cpu_seconds.to_string(),
            self.wall_seconds.to_string(),
            self.peak_memory_bytes.to_string(),
            self.cpu_limit_seconds.to_string(),
            self.wall_limit_seconds.to_string(),
            self.memory_limit_bytes.to_string(),
            self.ending.clone(),
            words(self.started.as_deref()),
            self.conversion.join("; "),
            self.campaign.to_owned(),
            self.run.to_string(),
        ];
        csv_record(cells.iter().map(String::as_str))
    }
}

fn evidence(judgement: Judgement) -> Option<&'static str> {
    match judgement {
        Judgement::Right(evidence) | Judgement::Wrong(evidence) => Some(evidence.name()),
        Judgement::Disputed | Judgement::Unjudged | Judgement::NoClaim => None,
    }
}
