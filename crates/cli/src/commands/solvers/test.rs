//! `luthier solvers test`: does a release solve two formulas whose answers are known?

use std::fs;
use std::time::Duration;

use clap::Args;
use luthier_judge::{CheckOptions, Outcome, check_model};
use luthier_runner::releases::{Finished, Release, ReleaseName, Releases, Request, run_briefly};
use luthier_smtlib::{Dialect, Mode, PrintOptions, ReadOptions, Script, print_script, read_script};
use luthier_terms::TermPool;
use serde::Serialize;

use super::{place, release_name};
use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::{self, Output};
use crate::text::{clean_name, shorten};

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
(get-model)
"#;

/// Unsatisfiable: all words of the language have an even length.
const UNSATISFIABLE: &str = r#"(set-logic QF_SLIA)
(declare-const x String)
(assert (str.in_re x (re.* (str.to_re "ab"))))
(assert (= (str.len x) 3))
(check-sat)
"#;

/// Solve two formulas with each release.
///
/// One is satisfiable, and the model is checked; the other is not. Both are written in the dialect
/// of the release. Ends with 0 if all answers are right, with 2 if one is wrong, with 3 if a
/// release does not answer, and with 1 if there is no release.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The releases [default: all that are here]
    #[arg(value_name = "RELEASE", value_parser = release_name)]
    releases: Vec<ReleaseName>,
    /// How long a release may take for a formula
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
    /// The answer; `null` if there is none.
    answer: Option<&'static str>,
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
            output.complain(&error);
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
        found.extend(installed.into_iter().map(|release| (release.label(), Ok(release))));
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
    let dialect: Dialect = release.dialect().parse().map_err(|error| {
        CliError::usage(format!("{name}: {error}")).with_hint("its description names the dialect")
    })?;
    let mut runs = Vec::new();
    for (text, expected) in [(SATISFIABLE, "sat"), (UNSATISFIABLE, "unsat")] {
        runs.push(solve(release, releases, text, expected, dialect, limit)?);
    }
    let has = |result: &str| runs.iter().any(|run| run.result == result);
    Ok(ReleaseRecord {
        name: name.to_owned(),
        path: place(release),
        dialect: dialect.name().to_owned(),
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
    dialect: Dialect,
    limit: Duration,
) -> Result<RunRecord, CliError> {
    let mut pool = TermPool::new();
    let options = ReadOptions { dialect: Some(Dialect::Smt26), mode: Mode::Strict };
    let script = read_script(&mut pool, text.as_bytes(), &options).script;
    let printed = print_script(&pool, &script, &PrintOptions::new(dialect))
        .map_err(|error| CliError::Bug { message: error.to_string() })?;
    let folder = tempfile::tempdir().map_err(|error| CliError::usage(error.to_string()))?;
    let file = folder.path().join("script.smt2");
    let request = Request { models: true, time_limit: Some(limit), ..Request::default() };
    let invocation = release.invocation(&releases.luthier, &file, &request)?;
    let mut bytes = invocation.script.join("\n").into_bytes();
    bytes.push(b'\n');
    bytes.extend(printed.bytes);
    let unusable =
        |path: &std::path::Path, error| CliError::usage(format!("{}: {error}", path.display()));
    fs::write(&file, bytes).map_err(|error| unusable(&file, error))?;
    // The solver keeps the limit itself; if it does not, it is stopped a little later.
    let finished =
        run_briefly(&invocation.program, &invocation.arguments, limit + Duration::from_secs(1))
            .map_err(|error| unusable(&invocation.program, error))?;
    Ok(judge(&mut pool, &script, &finished, expected, dialect))
}

/// What to think of an answer.
fn judge(
    pool: &mut TermPool,
    script: &Script,
    finished: &Finished,
    expected: &'static str,
    dialect: Dialect,
) -> RunRecord {
    let stdout = String::from_utf8_lossy(&finished.stdout);
    let answer = ["sat", "unsat", "unknown"]
        .into_iter()
        .find(|answer| stdout.lines().any(|line| line.trim_end() == *answer));
    let model = (expected == "sat" && answer == Some("sat")).then(|| {
        let options = CheckOptions { dialect: Some(dialect), ..CheckOptions::default() };
        match check_model(pool, script, &finished.stdout, &options) {
            Ok(check) => check.outcome,
            Err(none) => Outcome::Unsupported { reason: format!("{none:?}") },
        }
    });
    let result = match (answer, &model) {
        (Some(answer), Some(Outcome::Valid) | None) if answer == expected => "right",
        (Some("unknown") | None, _) => "no-answer",
        (Some(_), Some(Outcome::Invalid { .. }) | None) => "wrong",
        (Some(_), Some(_)) => "no-answer",
    };
    let said = match (&model, result) {
        (_, "right") => None,
        (Some(Outcome::Unsupported { reason }), _) => Some(reason.trim_end().to_owned()),
        _ => Some(finished.text().trim().to_owned()),
    };
    RunRecord {
        expected,
        answer,
        model: model.map(|model| model.name()),
        result,
        seconds: (finished.elapsed.as_secs_f64() * 1e4).round() / 1e4,
        said,
    }
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
        let answer = run.answer.unwrap_or("no answer");
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
        output.line(format_args!("  it says: {}", clean_name(&shorten(first.trim()))))?;
    }
    Ok(())
}
