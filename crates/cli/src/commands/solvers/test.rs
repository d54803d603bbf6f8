//! `luthier solvers test`: a smoke test of a release with two formulas of known answers.

use std::time::Duration;

use clap::Args;
use luthier_campaign::trial;
use luthier_records::ModelOutcome;
use luthier_runner::releases::{Release, ReleaseName, Releases};
use serde::Serialize;

use super::{place, release_name};
use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::{self, Output};
use crate::text::{clean_name, first_words};

const EXAMPLES: &str = "\
Examples:
  luthier solvers test                  all releases that are here
  luthier solvers test z3@5.4.0 cvc5 z3-noodler=./build/z3
  luthier solvers test --seconds 60 ./slow-solver";

/// Satisfiable. The character tells whether solver and Luthier agree on how literals are written,
/// and is one that solvers with 256 characters have.
const SATISFIABLE: &str = r#"(set-logic QF_SLIA)
(declare-const x String)
(declare-const y String)
(declare-const z String)
(assert (= (str.++ x "\u{e9}" y) "ab\u{e9}c"))
(assert (str.in_re z (re.+ (re.range "a" "c"))))
(assert (= (str.len z) (+ (str.len x) 1)))
(assert (not (= z "aaa")))
(check-sat)
"#;

/// Unsatisfiable: all words of the language have an even length.
const UNSATISFIABLE: &str = r#"(set-logic QF_SLIA)
(declare-const x String)
(assert (str.in_re x (re.* (str.to_re "ab"))))
(assert (= (str.len x) 3))
(check-sat)
"#;

/// Smoke-test releases with one satisfiable and one unsatisfiable formula
///
/// The model of the satisfiable one is checked. Both are written in the dialect of the release. Ends with 0 if all answers are right, with 2 if one is wrong, with 3 if a
/// release does not answer, and with 1 if there is no release.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The releases [default: all that are installed or on the search path]
    #[arg(value_name = "RELEASE", value_parser = release_name)]
    releases: Vec<ReleaseName>,
    /// Limit on time per formula
    #[arg(long, value_name = "SECONDS", default_value_t = 20,
          value_parser = clap::value_parser!(u32).range(1..))]
    seconds: u32,
}

/// The JSON of `luthier solvers test`.
#[derive(Serialize)]
struct Record {
    version: u32,
    releases: Vec<ReleaseRecord>,
}

#[derive(Serialize)]
struct ReleaseRecord {
    name: String,
    path: String,
    dialect: String,
    /// `right`, `wrong` or `no-answer`.
    result: &'static str,
    runs: Vec<RunRecord>,
    /// Why it was not run.
    error: Option<String>,
}

#[derive(Serialize)]
struct RunRecord {
    expected: &'static str,
    /// The answer, `sat` or `unsat`; `null` if there is none.
    answer: Option<&'static str>,
    /// The answer, or why there is none: `unknown`, `timeout`, `crash`, ….
    class: &'static str,
    /// What the judge says of the model; `null` if there was none to judge.
    model: Option<&'static str>,
    /// `right`, `wrong` or `no-answer`.
    result: &'static str,
    seconds: f64,
    /// What the release said if that was not the right answer.
    said: Option<String>,
}

/// Runs the command.
pub fn run(
    arguments: &Arguments,
    releases: &Releases,
    output: &mut Output,
) -> Result<Ending, CliError> {
    let limit = Duration::from_secs(arguments.seconds.into());
    let wanted = match &arguments.releases[..] {
        [] => all_here(releases)?,
        names => names.iter().map(|name| (name.to_string(), releases.resolve(name))).collect(),
    };
    let mut records = Vec::new();
    for (name, release) in wanted {
        let tested = release.map_err(CliError::from).and_then(|release| {
            if output::can_show_progress() {
                output::progress(&format!("{name} …"));
            }
            let tested = test(&release, &name, releases, limit);
            if output::can_show_progress() {
                output::progress("");
            }
            tested
        });
        let record = tested.unwrap_or_else(|error| {
            output.report_error(&error);
            ReleaseRecord {
                name,
                path: String::new(),
                dialect: String::new(),
                result: "no-answer",
                runs: Vec::new(),
                error: Some(error.to_string()),
            }
        });
        if !output.json {
            print(&record, output)?;
            output.flush()?;
        }
        records.push(record);
    }
    let has = |result: &str| records.iter().any(|record| record.result == result);
    let ending = if has("wrong") {
        Ending::WrongAnswer
    } else if records.iter().all(|record| record.runs.is_empty()) {
        Ending::Usage
    } else if has("no-answer") {
        Ending::Incomplete
    } else {
        Ending::Fine
    };
    if output.json {
        output.json_line(&Record { version: VERSION, releases: records })?;
    }
    Ok(ending)
}

type Named = (String, Result<Release, luthier_runner::releases::ReleaseError>);

/// All releases that are installed or on the search path.
fn all_here(releases: &Releases) -> Result<Vec<Named>, CliError> {
    let mut found = Vec::new();
    for description in releases.catalogue.descriptions() {
        let installed = releases.installed(description)?;
        found.extend(installed.into_iter().map(|release| {
            let checked = releases.check(&release);
            (release.label(), checked.map(|()| release))
        }));
        let name = description.name.clone();
        match releases.on_path(description) {
            Ok(on_path) => found.extend(on_path.map(|release| (name, Ok(release)))),
            Err(error) => found.push((name, Err(error))),
        }
    }
    match found.is_empty() {
        false => Ok(found),
        true => Err(CliError::usage("there is no solver here")
            .with_hint("luthier solvers install z3@latest fetches one")),
    }
}

/// Solves both formulas with a release.
fn test(
    release: &Release,
    name: &str,
    releases: &Releases,
    limit: Duration,
) -> Result<ReleaseRecord, CliError> {
    let mut runs = Vec::new();
    for (text, expected) in [(SATISFIABLE, "sat"), (UNSATISFIABLE, "unsat")] {
        runs.push(solve(release, releases, text, expected, limit)?);
    }
    let has = |result: &str| runs.iter().any(|run| run.result == result);
    Ok(ReleaseRecord {
        name: name.to_owned(),
        path: place(release),
        dialect: release.dialect().to_owned(),
        result: match (has("wrong"), has("no-answer")) {
            (true, _) => "wrong",
            (false, true) => "no-answer",
            (false, false) => "right",
        },
        runs,
        error: None,
    })
}

fn solve(
    release: &Release,
    releases: &Releases,
    text: &str,
    expected: &'static str,
    limit: Duration,
) -> Result<RunRecord, CliError> {
    let run = trial(release, &releases.luthier, text.as_bytes(), limit)?;
    let answer = run.answers.first();
    let model = answer.and_then(|answer| answer.model.as_ref());
    let class = run.class.name();
    let result = match model.map(|model| model.outcome) {
        Some(ModelOutcome::Invalid) => "wrong",
        Some(ModelOutcome::Valid) | None if class == expected => "right",
        None if run.class.is_decided() => "wrong",
        _ => "no-answer",
    };
    let detail = model.and_then(|model| model.detail.clone());
    let said = (result != "right").then(|| {
        let printed = [&run.stdout, &run.stderr].map(|one| String::from_utf8_lossy(&one.bytes));
        let printed = printed.join("\n").trim().to_owned();
        detail.unwrap_or(if printed.is_empty() { run.ending.to_string() } else { printed })
    });
    Ok(RunRecord {
        expected,
        answer: run.class.is_decided().then_some(class),
        class,
        model: model.map(|model| model.outcome.name()),
        result,
        seconds: (run.measured.wall.as_secs_f64() * 1e4).round() / 1e4,
        said,
    })
}

fn print(record: &ReleaseRecord, output: &mut Output) -> Result<(), CliError> {
    if record.error.is_some() {
        return Ok(());
    }
    let paint = output.paint;
    let word = match record.result {
        "right" => paint.good("right:"),
        "wrong" => paint.error("wrong:"),
        _ => paint.warning("no answer:"),
    };
    let runs = record.runs.iter().map(|run| {
        let answer = run.class;
        let model = run.model.map_or(String::new(), |model| format!(", model {model}"));
        let instead = match run.result {
            "right" => String::new(),
            _ => format!(" instead of {}", run.expected),
        };
        format!("{answer}{instead} ({:.0} ms{model})", run.seconds * 1000.0)
    });
    let runs: Vec<String> = runs.collect();
    let (name, dialect) = (clean_name(&record.name), &record.dialect);
    output.line(format_args!("{word} {name} in dialect {dialect}: {}", runs.join(", ")))?;
    for said in record.runs.iter().filter_map(|run| run.said.as_ref()) {
        let first = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("nothing");
        output.line(format_args!("  it says: {}", clean_name(&first_words(first.trim()))))?;
    }
    Ok(())
}
