//! The folder of a hunt: a file for each finding, and a line for it in `findings.jsonl`; a folder for each
//! suspicion that was not confirmed.
//!
//! The folder is made when there is something to put into it, and everything is written at once,
//! so that nothing is lost however the hunt ends.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use luthier_hunt::{CaseTruth, Finding, Unconfirmed};
use serde::Serialize;

use super::reduction::ReducedFinding;
use crate::error::CliError;

const LINES: &str = "findings.jsonl";

/// The folder of suspicions that were not confirmed.
const UNCONFIRMED: &str = "unconfirmed";

/// Where findings are kept.
pub struct Folder {
    path: PathBuf,
    lines: Option<File>,
    /// The folders of suspicions that were not confirmed.
    unconfirmed: Vec<String>,
    files: BTreeMap<&'static str, Vec<String>>,
    names: BTreeSet<String>,
    seed: u64,
}

/// One line of `findings.jsonl`.
#[derive(Serialize)]
struct Line<'a> {
    class: &'static str,
    solver: &'a str,
    number: u64,
    formula: &'a str,
    category: &'static str,
    operation: &'static str,
    expected: &'static str,
    said: &'a str,
    reasons: &'a [String],
    derivation: &'a str,
    incremental_only: bool,
    /// The command in the place of `(check-sat)` without which it does not show.
    query: Option<&'a str>,
    /// The named option sets of the solver, and whether one of them is for experts.
    option_sets: &'a [String],
    expert_options: bool,
    bytes: usize,
    file: &'a str,
    copy: &'a str,
    command: String,
    /// The reduced file, and the nodes of its terms before and after.
    reduced: Option<&'a str>,
    nodes_before: Option<u64>,
    nodes_after: Option<u64>,
}

impl Folder {
    /// A named folder must be empty or not there; the default one gets a number if it is taken.
    pub fn new(named: Option<&Path>, seed: u64) -> Result<Self, CliError> {
        let path = match named {
            Some(path) => {
                if !is_free(path) {
                    let message = format!("{}: is not empty", path.display());
                    let hint = "name another folder, or empty this one";
                    return Err(CliError::usage(message).with_hint(hint));
                }
                path.to_owned()
            }
            None => {
                let numbered = (2..).map(|number| format!("hunt-{seed}-{number}"));
                let names = std::iter::once(format!("hunt-{seed}")).chain(numbered);
                let mut paths = names.map(PathBuf::from);
                paths.find(|path| is_free(path)).unwrap_or_else(|| "hunt".into())
            }
        };
        let (files, names) = (BTreeMap::new(), BTreeSet::new());
        Ok(Self { path, lines: None, unconfirmed: Vec::new(), files, names, seed })
    }

    /// Where it is, if there is anything in it.
    pub fn path(&self) -> Option<&Path> {
        let is_made = self.lines.is_some() || !self.unconfirmed.is_empty();
        is_made.then_some(&self.path)
    }

    /// The folders of suspicions that were not confirmed, from the folder on.
    pub fn unconfirmed(&self) -> &[String] {
        &self.unconfirmed
    }

    /// Keeps what is needed to examine a suspicion that was not confirmed: the formula, and of each process
    /// that was asked about it the exact input, the output, and the output for the same input again.
    pub fn keep_unconfirmed(&mut self, trace: &Unconfirmed) -> Result<PathBuf, CliError> {
        let class = trace.class.name();
        let stem =
            self.free_name(UNCONFIRMED, &format!("{class}-{}-{}", trace.solver, trace.formula));
        let place = format!("{UNCONFIRMED}/{stem}");
        let folder = self.path.join(&place);
        fs::create_dir_all(&folder).map_err(|error| failed(&folder, &error))?;
        let mut lines = vec![
            format!("{class}, not confirmed: {}", trace.solver),
            format!("said: {}", trace.said),
        ];
        lines.extend(truth_lines(&trace.truth, &trace.formula));
        lines.push(format!(
            "formula: {}, number {}, seed {}",
            trace.formula, trace.number, self.seed
        ));
        if trace.processes.is_empty() {
            lines.push("it was asked in a process of its own".to_owned());
        }
        for (number, process) in trace.processes.iter().enumerate() {
            let number = number + 1;
            let input = format!("{place}/process-{number}.smt2");
            self.write(&input, &process.transcript.script)?;
            self.write(&format!("{place}/process-{number}.out"), &process.transcript.output)?;
            self.write(&format!("{place}/process-{number}.again.out"), &process.again)?;
            let words = process.command.iter().map(|word| word.replace("{file}", &input));
            let command = shell_words::join(words.collect::<Vec<_>>());
            let again = match process.is_same_again() {
                true => "the same output again",
                false => "another output when it was run again",
            };
            let (solver, ending) = (&process.solver, &process.transcript.ending);
            lines.push(format!("process {number}: {solver}, {ending}, {again}"));
            lines.push(format!("    {command}"));
        }
        let head = comment(&lines);
        self.write(&format!("{place}/formula.smt2"), format!("{head}{}", trace.text).as_bytes())?;
        self.unconfirmed.push(place);
        Ok(folder)
    }

    /// The files with formulas by class, from the folder on.
    pub fn files(&self) -> BTreeMap<&'static str, Vec<String>> {
        self.files.clone()
    }

    /// Writes a finding, and says where.
    pub fn keep(
        &mut self,
        finding: &Finding,
        reduced: Option<&ReducedFinding>,
    ) -> Result<PathBuf, CliError> {
        let class = finding.class.name();
        let stem = self.free_name(class, &format!("{}-{}", finding.solver, finding.formula));
        let file = format!("{class}/{stem}.smt2");
        let copy = format!("{class}/{stem}.{}.smt2", finding.dialect);
        let folder = self.path.join(class);
        fs::create_dir_all(&folder).map_err(|error| failed(&folder, &error))?;
        let words: Vec<String> =
            finding.command.iter().map(|word| word.replace("{file}", &copy)).collect();
        let command = shell_words::join(&words);
        self.write(&copy, &finding.copy)?;
        if let Some(other) = &finding.other_text {
            self.write(&format!("{class}/{stem}.other.smt2"), other.as_bytes())?;
        }
        let head = head(finding, &command, self.seed);
        self.write(&file, format!("{head}{}", finding.text).as_bytes())?;
        let small = format!("{class}/{stem}.reduced.smt2");
        if let Some(reduced) = reduced {
            self.write(&small, reduced.text.as_bytes())?;
        }
        let line = Line {
            class,
            solver: &finding.solver,
            number: finding.number,
            formula: &finding.formula,
            category: finding.category.name(),
            operation: finding.operation,
            expected: finding.truth.answer(),
            said: &finding.said,
            reasons: &finding.reasons,
            derivation: &finding.derivation,
            incremental_only: finding.incremental_only,
            query: finding.query.as_deref(),
            option_sets: &finding.option_sets,
            expert_options: finding.expert_options,
            bytes: finding.text.len(),
            file: &file,
            copy: &copy,
            command,
            reduced: reduced.map(|_| small.as_str()),
            nodes_before: reduced.map(|one| one.nodes[0]),
            nodes_after: reduced.map(|one| one.nodes[1]),
        };
        let mut line = serde_json::to_vec(&line)
            .map_err(|error| CliError::Bug { message: format!("no JSON for a line: {error}") })?;
        line.push(b'\n');
        let path = self.path.join(LINES);
        let lines = match &mut self.lines {
            Some(lines) => lines,
            none => none.insert(File::create(&path).map_err(|error| failed(&path, &error))?),
        };
        lines.write_all(&line).map_err(|error| failed(&path, &error))?;
        self.files.entry(class).or_default().push(file.clone());
        Ok(self.path.join(file))
    }

    fn write(&self, file: &str, bytes: &[u8]) -> Result<(), CliError> {
        let path = self.path.join(file);
        fs::write(&path, bytes).map_err(|error| failed(&path, &error))
    }

    /// A name in the folder of a class that is not taken: formulas of two suites may have the same name.
    fn free_name(&mut self, class: &str, name: &str) -> String {
        let plain = |character: char| match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '-' | '_' | '@' | '+' => character,
            _ => '_',
        };
        let name: String = name.chars().map(plain).collect();
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let mut names = std::iter::once(name.clone()).chain(numbered);
        let free = names.find(|name| self.names.insert(format!("{class}/{name}")));
        free.unwrap_or(name)
    }
}

/// The comment at the beginning of a file, from which anybody can check the finding by hand.
fn head(finding: &Finding, command: &str, seed: u64) -> String {
    let mut lines =
        vec![format!("{}: {}", finding.class, finding.solver), format!("says: {}", finding.said)];
    lines.extend(truth_lines(&finding.truth, &finding.formula));
    if !finding.reasons.is_empty() {
        lines.push("reason:".to_owned());
        lines.extend(finding.reasons.iter().map(|reason| format!("  {reason}")));
    }
    lines.push(format!("made: {}", finding.derivation));
    lines.push(format!("formula: {}, number {}, seed {seed}", finding.formula, finding.number));
    if finding.expert_options {
        lines.push("with options that the description of the solver marks as expert".to_owned());
    }
    if let Some(query) = &finding.query {
        lines.push(format!("it shows only with {query} in the place of (check-sat)"));
    }
    if finding.incremental_only {
        lines.push(
            "it shows only in incremental mode: between push and pop, or in this session"
                .to_owned(),
        );
    }
    lines.push(format!("to see it, in the folder of the hunt: {command}"));
    comment(&lines)
}

/// The ground truth and its evidence; `name` is the formula that it is shown with.
fn truth_lines(truth: &CaseTruth, name: &str) -> Vec<String> {
    let mut lines = Vec::new();
    match truth {
        CaseTruth::Witness(witness) => {
            lines.push("truth: sat, because of the planted witness".to_owned());
            lines.push(format!("witness: {witness}"));
        }
        CaseTruth::Model { solver, formula, model } => {
            let same = if formula == name { "this formula" } else { formula.as_str() };
            lines.push(format!(
                "truth: sat; {solver} has a model of {same}, which the referee accepts"
            ));
            if same != "this formula" {
                lines.push("(both formulas have the same answer by construction)".to_owned());
            }
            lines.push(format!("model: {model}"));
        }
        CaseTruth::LacksCore(core) => {
            let core = core.join(" ");
            lines.push(format!(
                "truth: sat, by construction: it lacks a part of the only minimal core ({core})"
            ));
        }
        CaseTruth::Searched(model) => {
            lines.push(
                "truth: sat; a bounded search found a model of the smallest formula of the case, which the referee accepts".into(),
            );
            lines.push(format!("model: {model}"));
        }
        CaseTruth::Proven(by) => lines.push(format!("truth: unsat; {by} proves it")),
        CaseTruth::Planted(core) => {
            lines.push("truth: unsat, by construction".to_owned());
            if !core.is_empty() {
                lines.push(format!("the only minimal core: {}", core.join(" ")));
            }
        }
        CaseTruth::Open => lines.push("truth: not known".to_owned()),
    }
    lines
}

/// Lines as a comment.
fn comment(lines: &[String]) -> String {
    let text = lines.join("\n");
    text.lines().map(|line| format!("; {line}\n")).collect()
}

/// There is nothing at a path, or an empty folder.
fn is_free(path: &Path) -> bool {
    match fs::read_dir(path) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

fn failed(path: &Path, error: &std::io::Error) -> CliError {
    CliError::usage(format!("{}: {error}", path.display()))
}
