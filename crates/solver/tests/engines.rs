//! The engine suite: every engine of the strategy on every file of `engines/`.
//!
//! A file has its answer as `(set-info :status …)` and one comment for each engine:
//!
//! ```text
//! ; cells: proves
//! ; flat: unknown
//! ; languages: skip, unsupported: more than languages and lengths
//! ```
//!
//! An engine that is declared to prove a file must give the answer. One that is skipped must reject
//! the file, with that reason. Every verdict must be right: the referee evaluates the model, and
//! `unsat` must be the status of the file. `LUTHIER_BLESS=1` rewrites the comments.

use crate::common;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use luthier_semantics::{Evaluator, Model, Value};
use luthier_smtlib::{ReadOptions, read_script};
use luthier_solver::rewrite::skolemised;
use luthier_solver::strategy::{ENGINES, Entry};
use luthier_solver::{Budget, Cancel, Portfolio, Problem, Verdict};
use luthier_terms::TermPool;

/// The time of an engine that is declared to prove a file: far more than it needs.
const PROOF_TIME: Duration = Duration::from_secs(60);

/// The time of any other engine.
const ATTEMPT_TIME: Duration = Duration::from_millis(60);

/// The declared behaviour of an engine on a file.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Expected {
    Proves,
    Unknown,
    /// It does not accept the file, for a reason.
    Skip(String),
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|one| one == "smt2")).collect();
    files.sort();
    assert!(files.len() >= 100, "{} files", files.len());
    files
}

fn read(text: &str) -> Problem {
    let mut pool = TermPool::new();
    let reading = read_script(&mut pool, text.as_bytes(), &ReadOptions::default());
    assert!(reading.is_accepted(), "{text}: {:?}", reading.diagnostics);
    let query = reading.script.queries().next().unwrap();
    let assertions = query.assertions.iter().map(|active| active.assertion.term).collect();
    // Skolemised as in the portfolio; otherwise the referee could not check a model.
    skolemised(&Problem { pool: pool.into(), assertions })
}

/// The answer of a file.
fn status(text: &str) -> &str {
    let start = "(set-info :status ";
    let line = text.lines().find_map(|line| line.strip_prefix(start)).unwrap();
    line.strip_suffix(')').unwrap()
}

fn expected(text: &str, engine: &str) -> Option<Expected> {
    let start = format!("; {engine}: ");
    let line = text.lines().find_map(|line| line.strip_prefix(&start))?;
    Some(match line {
        "proves" => Expected::Proves,
        "unknown" => Expected::Unknown,
        _ => Expected::Skip(line.strip_prefix("skip, ")?.to_owned()),
    })
}

/// Whether the referee evaluates all assertions to true, `None` if it is undecided; constants without a
/// value get a default.
fn is_model(problem: &Problem, model: &Model) -> Option<bool> {
    let mut model = model.clone();
    for function in problem.declared() {
        if model.get(function).is_none() {
            let sort = problem.pool.function(function).result;
            model.insert_value(function, Value::default_of(sort));
        }
    }
    let mut evaluator = Evaluator::new(&problem.pool, &model);
    let mut is_known = true;
    for &assertion in &problem.assertions {
        match evaluator.evaluate(assertion).as_bool() {
            Some(true) => {}
            Some(false) => return Some(false),
            None => is_known = false,
        }
    }
    is_known.then_some(true)
}

/// The observed behaviour of an engine on a file; a wrong answer is an error.
fn observe(
    entry: &Entry,
    portfolio: &Portfolio,
    problem: &Problem,
    status: &str,
    time: Duration,
) -> Result<Expected, String> {
    let engine = entry.build(portfolio).unwrap();
    if let Err(reason) = engine.accepts(problem) {
        return Ok(Expected::Skip(reason.to_string()));
    }
    let budget = Budget::until_cancelled(Cancel::new()).at_most(time);
    match engine.run(problem, &budget) {
        Verdict::Sat(model) => match is_model(problem, &model) {
            Some(true) if status == "sat" => Ok(Expected::Proves),
            // The portfolio does not report it either: the referee is undecided about a quantifier.
            None if status == "sat" => Ok(Expected::Unknown),
            _ => Err("it says sat, with a model that is invalid".to_owned()),
        },
        Verdict::Unsat(_) if status == "unsat" => Ok(Expected::Proves),
        Verdict::Unsat(proof) => Err(format!("it says unsat: {}", proof.argument)),
        Verdict::Unknown(_) => Ok(Expected::Unknown),
    }
}

/// The deviations of engines on a file from what is declared.
fn complaints(path: &Path, portfolio: &Portfolio) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let (problem, status) = (read(&text), status(&text));
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let mut complaints = Vec::new();
    for entry in ENGINES {
        let Some(expected) = expected(&text, entry.name) else {
            complaints.push(format!("{name}: {}: nothing is declared", entry.name));
            continue;
        };
        let time = if expected == Expected::Proves { PROOF_TIME } else { ATTEMPT_TIME };
        let complaint = match (observe(entry, portfolio, &problem, status, time), expected) {
            (Err(complaint), _) => complaint,
            (Ok(Expected::Proves), Expected::Proves) => continue,
            (Ok(found), Expected::Proves) => format!("it does not prove it any more: {found:?}"),
            (Ok(Expected::Skip(found)), Expected::Skip(reason)) if found == reason => continue,
            (Ok(found), Expected::Skip(reason)) => {
                format!("the skip ({reason}) is not needed any more: {found:?}")
            }
            (Ok(Expected::Skip(reason)), Expected::Unknown) => {
                format!("it does not accept it any more: {reason}")
            }
            // An answer where none is declared is not a deviation.
            (Ok(_), Expected::Unknown) => continue,
        };
        complaints.push(format!("{name}: {}: {complaint}", entry.name));
    }
    complaints
}

/// Rewrites the comments of a file to the observed behaviour.
fn bless(path: &Path, portfolio: &Portfolio) {
    let text = fs::read_to_string(path).unwrap();
    let (problem, status) = (read(&text), status(&text));
    let is_declared =
        |line: &str| ENGINES.iter().any(|entry| line.starts_with(&format!("; {}: ", entry.name)));
    let mut lines = text.lines().filter(|line| !is_declared(line));
    let mut made = format!("{}\n", lines.next().unwrap());
    for entry in ENGINES {
        let found = observe(entry, portfolio, &problem, status, Duration::from_secs(3));
        let found = match found.unwrap_or_else(|wrong| panic!("{path:?}: {}: {wrong}", entry.name))
        {
            Expected::Proves => "proves".to_owned(),
            Expected::Unknown => "unknown".to_owned(),
            Expected::Skip(reason) => format!("skip, {reason}"),
        };
        writeln!(made, "; {}: {found}", entry.name).unwrap();
    }
    lines.for_each(|line| writeln!(made, "{line}").unwrap());
    fs::write(path, made).unwrap();
}

#[test]
fn every_engine_does_on_every_file_what_is_declared() {
    let (files, portfolio) = (files(), common::portfolio());
    let next = AtomicUsize::new(0);
    let is_blessed = std::env::var_os("LUTHIER_BLESS").is_some();
    let work = || {
        let mut found = Vec::new();
        while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            match is_blessed {
                true => bless(path, &portfolio),
                false => found.extend(complaints(path, &portfolio)),
            }
        }
        found
    };
    let found: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_engine_proves_something_and_skips_or_fails_at_something() {
    let texts: Vec<String> = files().iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    for entry in ENGINES {
        let all: Vec<_> = texts.iter().filter_map(|text| expected(text, entry.name)).collect();
        let proves = all.iter().filter(|one| **one == Expected::Proves).count();
        assert!(proves >= 5 && proves < all.len(), "{}: {proves} files", entry.name);
    }
}
