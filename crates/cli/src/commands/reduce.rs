//! `luthier reduce`: a failing formula made minimal, with its answer.
//!
//! The reduction itself is in `luthier-triage`; this module finds the formula (a file, or a run of a
//! database), the solver and the kind of failure, and writes the result.

pub mod input;
mod status;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use luthier_records::{FindingKind, parse_duration};
use luthier_smtlib::Dialect;
use luthier_triage::{
    Annotated, CommandTest, Confirmed, Input, Keep, ReduceError, Reduced, Settings, Truth,
    annotated, confirm, observe, reduce, stated_truth,
};
use serde::Serialize;

use super::triage::{ProcessOptions, Workplace, find_solver};
use super::user_releases;
use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::Output;
use crate::status_line::StatusLine;
use input::Formula;
use status::ReduceStatus;

const EXAMPLES: &str = "\
Examples:
  luthier reduce wrong.smt2 --solver z3@4.8.9
  luthier reduce hunt-0/wrong-unsat/f.smt2 --solver z3@4.8.9 --keep wrong-unsat --out small.smt2
  luthier reduce results.db 17
  luthier reduce big.smt2 --keep \"./is-interesting.sh {file}\"";

/// Reduce a failing formula to a minimal one with a known answer
///
/// Every candidate is well-sorted, legal SMT-LIB, and the answer moves with it: a satisfiable formula
/// keeps a witness that the referee accepts, an unsatisfiable one keeps a reason (docs/triage.md).
/// The input is a file with --solver, or a database and the number of a run. Without --keep the
/// worst failure of the solver on the file is kept. Ctrl-C leaves the smallest formula so far. Ends
/// with 0, or with 3 if the file does not fail in this way or its answer cannot be established.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The failing formula (`-`: standard input), or a database
    #[arg(value_name = "FILE|DB")]
    input: PathBuf,
    /// The number of a run of the database
    #[arg(value_name = "RUN")]
    run: Option<i64>,
    /// The failing release and its options: z3@4.8.9, z3@4.8.9+z3str3, "z3 smt.x=1"
    #[arg(long, value_name = "SOLVER")]
    solver: Option<String>,
    /// The failure to keep: wrong-unsat, wrong-sat, invalid-model, invalid-core, contradiction, crash, slow,
    /// incomplete, or a command that exits with 0 on interesting files
    #[arg(long, value_name = "KIND|COMMAND", value_parser = parse_keep)]
    keep: Option<Keep>,
    /// Write the result to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Wall-clock time, after which the smallest formula so far is the result
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    time: Option<Duration>,
    /// Only test whether the formula fails in this way; ends with 0 if it does, else with 3
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    process: ProcessOptions,
    /// Read the file in this dialect, such as 2.6 or z3-4.8.8, instead of detecting it
    #[arg(long, value_name = "DIALECT", value_parser = luthier_ask::dialect_named)]
    dialect: Option<Dialect>,
}

/// The JSON of `luthier reduce`.
#[derive(Serialize)]
struct Record<'a> {
    version: u32,
    file: Option<String>,
    solver: &'a str,
    class: Option<&'static str>,
    nodes_before: u64,
    nodes_after: u64,
    truth: &'static str,
    reason: String,
    said: &'a str,
    candidates: u64,
    seconds: f64,
    stopped: bool,
    text: &'a str,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let releases = user_releases()?;
    let Formula { name, mut pool, script, solver, truth } = input::find(arguments)?;
    let solver = match solver {
        Some(text) => find_solver(&text, &arguments.process, &releases, output)?,
        // A command needs no solver; ours stands for it, and is not asked.
        None if matches!(arguments.keep, Some(Keep::Command(_))) => {
            find_solver("luthier", &arguments.process, &releases, output)?
        }
        None => {
            let hint = "name the release that fails, such as --solver z3@4.8.9";
            return Err(CliError::usage("--solver is missing").with_hint(hint));
        }
    };
    let workplace = Workplace::new(&releases, &arguments.process)?;
    let trial = workplace.trial(&solver);
    let truth = match truth {
        Truth::Open => stated_truth(&mut pool, &script),
        known => known,
    };
    let truth = match truth {
        Truth::Open => {
            let answers = workplace.provers.answers(&mut pool, &[&script], &trial);
            answers.into_iter().next().unwrap_or(Truth::Open)
        }
        known => known,
    };
    let keep = match &arguments.keep {
        Some(keep) => keep.clone(),
        None => {
            let seen = observe(&mut pool, &script, &truth, &trial);
            let failure = seen.as_ref().and_then(|seen| seen.failure);
            let slow = seen.as_ref().is_some_and(|seen| seen.outcome == "timeout");
            match failure.or(slow.then_some(FindingKind::Slow)) {
                Some(kind) => Keep::Kind(kind),
                None => {
                    let said = seen.map_or_else(String::new, |seen| seen.said);
                    let solver = solver.name.clone();
                    return Err(failed(&name, ReduceError::DoesNotFail { solver, said }));
                }
            }
        }
    };
    let settings = Settings { trial, provers: &workplace.provers, time: arguments.time };
    let input = Input { pool, script, truth, keep };
    if arguments.check {
        let confirmed = confirm(input, &settings).map_err(|error| failed(&name, error))?;
        return report_check(&confirmed, &name, &solver.name, output);
    }
    let line = StatusLine::new(ReduceStatus::new());
    let reduced = reduce(input, &settings, &mut |progress| {
        line.update(|status| status.observe(progress));
    });
    drop(line);
    let mut reduced = reduced.map_err(|error| failed(&name, error))?;
    let comments = comments(&reduced, &name, &solver.name);
    let file = annotated(&mut reduced.pool, &reduced.script, &reduced.truth, &comments);
    report(arguments, &reduced, &file, &solver.name, output)
}

fn failed(name: &str, error: ReduceError) -> CliError {
    let message = format!("{name}: {error}");
    match error {
        ReduceError::Command(_) => CliError::usage(message),
        ReduceError::NoTruth => CliError::incomplete(message).with_hint(
            "install a second solver family (luthier solvers install z3@latest cvc5@latest), or plant \
             the answer in the file: (set-info :luthier-expected unsat), (set-info :luthier-witness …)",
        ),
        _ => CliError::incomplete(message),
    }
}

/// The JSON of `luthier reduce --check`.
#[derive(Serialize)]
struct CheckRecord<'a> {
    version: u32,
    file: &'a str,
    solver: &'a str,
    class: Option<&'static str>,
    truth: &'static str,
    reason: String,
}

/// Prints that the formula fails.
fn report_check(
    confirmed: &Confirmed,
    name: &str,
    solver: &str,
    output: &mut Output,
) -> Result<Ending, CliError> {
    let class = confirmed.class.map(FindingKind::name);
    let (truth, reason) = (confirmed.truth.name(), confirmed.truth.describe());
    if output.json {
        let record = CheckRecord { version: VERSION, file: name, solver, class, truth, reason };
        output.json_line(&record)?;
    } else {
        let class = class.unwrap_or("interesting");
        output.line(format_args!("{solver}: {class}; the answer is {truth}: {reason}"))?;
    }
    Ok(Ending::Fine)
}

/// Prints or writes the result.
fn report(
    arguments: &Arguments,
    reduced: &Reduced,
    file: &Annotated,
    solver: &str,
    output: &mut Output,
) -> Result<Ending, CliError> {
    if !file.is_legal && reduced.truth.verdict().is_some() {
        output.warn("the strict reader does not confirm the answer that the file states");
    }
    if let Some(path) = &arguments.out {
        std::fs::write(path, &file.text)
            .map_err(|error| CliError::usage(format!("{}: {error}", path.display())))?;
    }
    if output.json {
        return output.json_line(&record(arguments, reduced, file, solver)).map(|()| Ending::Fine);
    }
    if arguments.out.is_none() {
        output.text(&file.text)?;
    }
    let [before, after] = reduced.nodes;
    let seconds = reduced.elapsed.as_secs_f64();
    let stopped = if reduced.stopped { ", stopped" } else { "" };
    output.message(format_args!(
        "{before} → {after} nodes; {} candidates in {seconds:.1} s{stopped}",
        reduced.candidates
    ));
    Ok(Ending::Fine)
}

fn record<'a>(
    arguments: &Arguments,
    reduced: &'a Reduced,
    file: &'a Annotated,
    solver: &'a str,
) -> Record<'a> {
    Record {
        version: VERSION,
        file: arguments.out.as_ref().map(|path| path.display().to_string()),
        solver,
        class: reduced.class.map(FindingKind::name),
        nodes_before: reduced.nodes[0],
        nodes_after: reduced.nodes[1],
        truth: reduced.truth.name(),
        reason: reduced.truth.describe(),
        said: &reduced.said,
        candidates: reduced.candidates,
        seconds: reduced.elapsed.as_secs_f64(),
        stopped: reduced.stopped,
        text: &file.text,
    }
}

/// The comment at the beginning of a reduced file, from which anybody can check it by hand.
pub fn comments(reduced: &Reduced, name: &str, solver: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let class = reduced.class.map_or("interesting", FindingKind::name);
    lines.push(format!("{class}: {solver}"));
    lines.push(format!("says: {}", reduced.said));
    lines.push(format!("truth: {}: {}", reduced.truth.name(), reduced.truth.describe()));
    if !reduced.reasons.is_empty() {
        lines.push("reason:".to_owned());
        lines.extend(reduced.reasons.iter().map(|reason| format!("  {reason}")));
    }
    let [before, after] = reduced.nodes;
    lines.push(format!("reduced from {before} to {after} nodes of terms: {name}"));
    lines
}

/// A kind of failure, or a command.
fn parse_keep(text: &str) -> Result<Keep, String> {
    let kinds = [
        FindingKind::WrongUnsat,
        FindingKind::WrongSat,
        FindingKind::InvalidModel,
        FindingKind::WrongValue,
        FindingKind::InvalidCore,
        FindingKind::Contradiction,
        FindingKind::Crash,
        FindingKind::Slow,
        FindingKind::Incomplete,
    ];
    if let Some(kind) = kinds.into_iter().find(|kind| kind.name() == text) {
        return Ok(Keep::Kind(kind));
    }
    let words =
        shell_words::split(text).map_err(|_| "a quotation mark is not closed".to_owned())?;
    let Some(program) = words.first() else { return Err("it is empty".to_owned()) };
    let is_program = program.contains('/')
        || luthier_runner::releases::on_search_path([program.as_str()]).is_some();
    if !is_program {
        let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
        return Err(format!(
            "`{program}` is neither a kind of failure ({}) nor a program",
            names.join(", ")
        ));
    }
    Ok(Keep::Command(CommandTest { words }))
}
