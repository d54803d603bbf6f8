//! The failures of a hunt's folder or of a database.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use luthier_records::FindingKind;
use luthier_report::View;
use luthier_report::measures;
use luthier_smtlib::{CommandKind, Script};
use luthier_store::Store;
use luthier_terms::TermPool;
use luthier_triage::Truth;
use serde::Deserialize;

use crate::commands::reduce::input::of_run;
use crate::commands::triage::read_formula;
use crate::error::CliError;

/// The list of findings in the folder of a hunt.
const LINES: &str = "findings.jsonl";
/// What `luthier reduce` writes at the top of its files.
const REDUCED: &str = "; reduced from ";

/// All failures of an input.
pub struct Failures {
    /// What was read.
    pub path: PathBuf,
    /// What a failure is called: a failing formula, a failing run.
    pub noun: &'static str,
    pub failures: Vec<Failure>,
    /// Findings of kinds that are not clustered.
    pub left_out: BTreeMap<&'static str, u64>,
}

/// A failure, before its formula is read.
pub struct Failure {
    /// Its file, or the instance and the run.
    pub name: String,
    pub solver: String,
    pub kind: FindingKind,
    /// How many runs show it.
    pub runs: u64,
    source: Source,
}

enum Source {
    File(PathBuf),
    Run { database: PathBuf, run: i64, query: usize },
}

/// A failing formula with what is known about it.
pub struct Formula {
    pub pool: TermPool,
    pub script: Script,
    pub truth: Truth,
    pub is_reduced: bool,
}

/// What is needed of a line of `findings.jsonl`.
#[derive(Deserialize)]
struct Line {
    class: String,
    solver: String,
    file: String,
    /// The file that the hunt has reduced.
    #[serde(default)]
    reduced: Option<String>,
}

/// Lists the failures of a hunt or a database.
pub fn read(path: &Path) -> Result<Failures, CliError> {
    if path.is_dir() { of_hunt(path) } else { of_database(path) }
}

fn is_clustered(kind: FindingKind) -> bool {
    let is_failure = matches!(kind, FindingKind::Contradiction | FindingKind::Crash);
    // A wrong rewrite is small already; a wrong verdict that follows from it is a finding of its own.
    is_failure || kind.is_solver_error() && kind != FindingKind::WrongRewrite
}

fn of_hunt(folder: &Path) -> Result<Failures, CliError> {
    let path = folder.join(LINES);
    let text = std::fs::read_to_string(&path).map_err(|error| {
        CliError::usage(format!("{}: {error}", path.display()))
            .with_hint("name the folder of a hunt (luthier hunt SOLVER --out DIR), or a database")
    })?;
    let (mut failures, mut left_out) = (Vec::new(), BTreeMap::new());
    for (number, line) in text.lines().enumerate() {
        let place = || format!("{}:{}", path.display(), number + 1);
        let line: Line = serde_json::from_str(line)
            .map_err(|error| CliError::incomplete(format!("{}: {error}", place())))?;
        let kind = FindingKind::ALL.into_iter().find(|kind| kind.name() == line.class);
        let Some(kind) = kind else {
            let message = format!("{}: `{}` is no kind of finding", place(), line.class);
            return Err(CliError::incomplete(message));
        };
        if !is_clustered(kind) {
            *left_out.entry(kind.name()).or_default() += 1;
            continue;
        }
        let source = Source::File(folder.join(line.reduced.as_ref().unwrap_or(&line.file)));
        failures.push(Failure { name: line.file, solver: line.solver, kind, runs: 1, source });
    }
    // The order of a hunt may depend on time.
    failures.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(Failures { path: folder.to_owned(), noun: "failing formula", failures, left_out })
}

fn of_database(path: &Path) -> Result<Failures, CliError> {
    let store = Store::open_read_only(path)?;
    let results = luthier_results::load(&store)?;
    let found = measures::findings(&View::all(&results), usize::MAX);
    let (mut failures, mut left_out) = (Vec::new(), BTreeMap::new());
    for finding in &found.list {
        let (Some(solver), Some(run)) = (finding.solver, finding.run) else {
            *left_out.entry(finding.kind.name()).or_default() += 1;
            continue;
        };
        if !is_clustered(finding.kind) {
            *left_out.entry(finding.kind.name()).or_default() += 1;
            continue;
        }
        let name = format!("{} (run {run})", results.entries[finding.entry].name);
        let solver = results.solvers[solver].label.clone();
        let source = Source::Run { database: path.to_owned(), run, query: finding.query };
        failures.push(Failure { name, solver, kind: finding.kind, runs: finding.runs, source });
    }
    Ok(Failures { path: path.to_owned(), noun: "failing run", failures, left_out })
}

impl Failure {
    /// Reads its formula; the failing query is the last one.
    pub fn formula(&self) -> Result<Formula, CliError> {
        match &self.source {
            Source::File(path) => {
                let (pool, script) = read_formula(path, None)?;
                let text = std::fs::read_to_string(path)
                    .map_err(|error| CliError::usage(format!("{}: {error}", path.display())))?;
                let is_reduced = text.lines().any(|line| line.starts_with(REDUCED));
                Ok(Formula { pool, script, truth: Truth::Open, is_reduced })
            }
            Source::Run { database, run, query } => {
                let found = of_run(&Store::open_read_only(database)?, *run)?;
                let queries = found.script.queries().count();
                let is_last = query + 1 == queries;
                let script = until_query(found.script, *query);
                // A model of the last query is none of another one.
                let truth = if is_last { found.truth } else { Truth::Open };
                Ok(Formula { pool: found.pool, script, truth, is_reduced: false })
            }
        }
    }
}

/// The script up to one of its queries.
fn until_query(mut script: Script, query: usize) -> Script {
    let is_query = |kind: &CommandKind| {
        matches!(kind, CommandKind::CheckSat | CommandKind::CheckSatAssuming(_))
    };
    let mut queries =
        (0..script.commands.len()).filter(|&one| is_query(&script.commands[one].kind));
    if let Some(place) = queries.nth(query) {
        script.commands.truncate(place + 1);
    }
    script
}
