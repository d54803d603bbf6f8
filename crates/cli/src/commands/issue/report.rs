//! One report: the file observed, its releases bisected, and its subterms evaluated.

use std::path::Path;

use luthier_ask::{Request, Solver};
use luthier_judge::{EvaluationTable, evaluation_table, judging_limits};
use luthier_records::{Digest, FindingKind};
use luthier_runner::releases::Releases;
use luthier_smtlib::{Dialect, PrintOptions, Script, print_script};
use luthier_terms::{PostOrder, Term, TermPool, Theory};
use luthier_triage::{Report, Truth, nodes, observe, printed_model};

use super::Arguments;
use crate::commands::bisect::{self, Bisection, Formula, bisect};
use crate::commands::triage::{Workplace, find_solver, parse_formula};
use crate::error::CliError;
use crate::output::Output;

/// How many subterms are evaluated in a report.
const MOST_ROWS: usize = 60;
/// How many operators a title names.
const MOST_OPERATORS: usize = 3;

/// A report and what orders it.
pub struct Drafted {
    pub file: String,
    pub nodes: u64,
    /// The same for the same formula and solver.
    pub key: String,
    pub report: Report,
}

/// Drafts the report on a file; the inner error says why there is none.
pub fn draft(
    path: &Path,
    arguments: &Arguments,
    workplace: &Workplace,
    releases: &Releases,
    output: &mut Output,
) -> Result<Result<Drafted, String>, CliError> {
    let instance = crate::input::read_one(path)?;
    let name = match arguments.solver.clone().or_else(|| named_solver(&instance.bytes)) {
        Some(name) => name,
        None => {
            let message = format!("{}: the file does not say which solver fails", instance.name);
            return Err(CliError::usage(message).with_hint("name it with --solver"));
        }
    };
    let solver = find_solver(&name, &arguments.process, releases, output)?;
    let (mut pool, script) = parse_formula(&instance.name, &instance.bytes, None)?;
    let truth = workplace.truth(&mut pool, &script, releases)?;
    let trial = workplace.trial(&solver);
    let Some(seen) = observe(&mut pool, &script, &truth, &trial) else {
        return Ok(Err(format!("the dialect of {} cannot express it", solver.name)));
    };
    let Some(kind) = seen.failure else {
        return Ok(Err(format!("{} does not fail: {}", solver.name, seen.said)));
    };
    let (model_of, values) = values(&mut pool, &script, &truth, kind, &solver, workplace);
    let request = request_of(kind);
    let input = trial.copy(&mut pool, &script, request).unwrap_or_default();
    let input = String::from_utf8_lossy(&input).replace("(get-info :reason-unknown)\n", "");
    let options = bisect::Options {
        solver: &name,
        keep: Some(kind),
        all: false,
        installed: !arguments.all_releases,
    };
    let formula = Formula { pool: pool.clone(), script: script.clone(), truth: truth.clone() };
    let file = instance.name.clone();
    let bisection = bisect(formula, file.clone(), &options, workplace, releases, output)?;
    let report = Report {
        solver: solver.name.clone(),
        kind,
        input,
        command: command(&solver, trial.mode(request)),
        said: seen.said,
        expected: truth.name(),
        evidence: evidence(&truth, model_of),
        model_of,
        values,
        operators: operators(&pool, &script),
        releases: sentences(&bisection),
        outcomes: bisection.outcomes(),
        newest: bisection.newest(),
        environment: environment(),
    };
    let text = print_script(&pool, &script, &PrintOptions::new(Dialect::Smt27));
    let text = text.map(|printed| printed.bytes).unwrap_or_default();
    let key = format!("{} {}", solver.release.description.name, Digest::of(&text));
    Ok(Ok(Drafted { file, nodes: nodes(&pool, &script), key, report }))
}

/// The solver that a reduced file names in its first comment: `; wrong-unsat: z3@4.8.9`.
fn named_solver(text: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(text);
    let comments = text.lines().map_while(|line| line.strip_prefix("; "));
    let kinds = FindingKind::ALL;
    for line in comments {
        let Some((kind, solver)) = line.split_once(": ") else { continue };
        if kinds.iter().any(|one| one.name() == kind) {
            return Some(solver.trim().to_owned());
        }
    }
    None
}

fn request_of(kind: FindingKind) -> Option<Request> {
    match kind {
        FindingKind::InvalidModel | FindingKind::WrongSat => Some(Request::Model),
        FindingKind::WrongValue => Some(Request::Value),
        FindingKind::InvalidCore => Some(Request::Core),
        _ => None,
    }
}

/// The values under the witness, or under the solver's own model where that is what is wrong.
fn values(
    pool: &mut TermPool,
    script: &Script,
    truth: &Truth,
    kind: FindingKind,
    solver: &Solver,
    workplace: &Workplace,
) -> (&'static str, Option<EvaluationTable>) {
    let formulas = luthier_triage::last_query(script);
    let table = |pool: &mut TermPool, model: &_| {
        Some(evaluation_table(pool, &formulas, model, judging_limits(), MOST_ROWS))
    };
    if matches!(kind, FindingKind::InvalidModel | FindingKind::WrongSat) {
        let reply = workplace.trial(solver).ask_alone(pool, script, Some(Request::Model));
        let printed = reply.as_ref().and_then(|reply| reply.model());
        if let Some(model) =
            printed.and_then(|text| printed_model(pool, script, text, solver.dialect))
        {
            return ("the printed model", table(pool, &model));
        }
    }
    match truth {
        Truth::Sat(model) => ("this model", table(pool, model)),
        _ => ("this model", None),
    }
}

fn evidence(truth: &Truth, model_of: &str) -> String {
    match truth {
        Truth::Sat(_) if model_of == "this model" => {
            "the model below makes every assertion true".to_owned()
        }
        Truth::Sat(_) => "it has a model, which the file states".to_owned(),
        other => other.describe(),
    }
}

/// The command that shows the failure, without paths of this machine.
fn command(solver: &Solver, mode: luthier_ask::ProcessMode) -> String {
    let words = solver.command_line("bug.smt2", mode);
    let program = solver.release.description.programs.first();
    let program = program.map_or_else(|| solver.name.clone(), Clone::clone);
    // A release that is a library is run by our own shell, whose options are not those of the solver.
    let own = words.iter().position(|word| word == "--library").map_or(1, |place| place + 2);
    let arguments = words.into_iter().skip(own);
    shell_words::join(std::iter::once(program).chain(arguments))
}

/// The string operators of the formula, then others, the rarest kinds first.
fn operators(pool: &TermPool, script: &Script) -> Vec<&'static str> {
    let mut found: Vec<&'static str> = Vec::new();
    for term in PostOrder::new(pool, luthier_triage::last_query(script)) {
        if let Term::Op(op, _) = pool.term(term)
            && op.info().theory == Theory::Strings
            && !found.contains(&op.name())
        {
            found.push(op.name());
        }
    }
    found.reverse();
    found.truncate(MOST_OPERATORS);
    found
}

fn sentences(bisection: &Bisection) -> Vec<String> {
    let mut sentences = Vec::new();
    if let Some(first_bad) = &bisection.first_bad {
        let before = match &bisection.last_good {
            Some(good) => format!("; the last good release before it is {good}"),
            None => "; no release before it is known to be good".to_owned(),
        };
        let after = match &bisection.first_good_again {
            Some(good) => format!("; the first good release after it is {good}"),
            None => String::new(),
        };
        sentences.push(format!("The first failing release is {first_bad}{before}{after}."));
    }
    if !bisection.is_complete() {
        sentences.push("Not every release was tried.".to_owned());
    }
    sentences
}

fn environment() -> String {
    format!(
        "{} {}; found and reduced with luthier {}",
        std::env::consts::OS,
        std::env::consts::ARCH,
        env!("CARGO_PKG_VERSION")
    )
}
