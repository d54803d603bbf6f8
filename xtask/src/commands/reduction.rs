//! `cargo xtask reduction`: `luthier reduce` against ddSMT on the same failing formulas.
//!
//! The formulas are findings of hunts (`luthier hunt … --no-reduce`), chosen by a seed. Each is reduced by
//! both, one after the other, so that other load on the machine affects both alike, each with one process
//! at a time:
//!
//! * ours, and the result tested in a fresh process: same class, strictly legal, with its answer;
//! * ddSMT with the same predicate: `luthier reduce --check`, which fails as soon as the class or the
//!   answer is lost; not where that fails on the input already, because its planted answer is not proven;
//! * ddSMT with the predicate that people use: the solver prints the same verdict, or dies. How often its
//!   result is no legal SMT-LIB, or the solver is right about it, is counted.
//!
//! ddSMT has a time limit; what it has written by then is its result.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use luthier_smtlib::{Dialect, Mode, ReadOptions, read_script};
use luthier_terms::TermPool;
use serde::Deserialize;

use super::Ending;
use super::agree::build_luthier;
use crate::output;

#[derive(clap::Args)]
pub struct Arguments {
    /// Folders of hunts
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
    /// How many findings, chosen by the seed
    #[arg(long, default_value_t = 200)]
    count: usize,
    /// How many of them ddSMT reduces, too
    #[arg(long, default_value_t = 200)]
    ddsmt_count: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Wall-clock seconds for one reduction by ddSMT
    #[arg(long, default_value_t = 120)]
    ddsmt_seconds: u64,
    /// The program luthier, if it is not to be built
    #[arg(long)]
    luthier: Option<PathBuf>,
    /// Write a line for each formula to this file
    #[arg(long)]
    rows: Option<PathBuf>,
}

/// A line of `findings.jsonl`.
#[derive(Clone, Deserialize)]
struct Finding {
    class: String,
    solver: String,
    file: String,
    copy: String,
    command: String,
    #[serde(skip)]
    folder: PathBuf,
}

/// What `luthier reduce --json` prints.
#[derive(Deserialize)]
struct Reduced {
    nodes_before: u64,
    truth: String,
    /// An invalid model of a formula that turns out to be unsatisfiable is a wrong `sat`.
    class: Option<String>,
}

/// The result of one reducer on one formula.
#[derive(Clone, Debug, Default)]
struct Outcome {
    seconds: f64,
    nodes: Option<u64>,
    /// The strict reader accepts it.
    is_legal: bool,
    /// It fails in the same class in a fresh process, and its answer is established.
    is_kept: bool,
    timed_out: bool,
}

#[derive(Clone, Debug, Default)]
struct Row {
    class: String,
    solver: String,
    file: String,
    before: u64,
    truth: String,
    ours: Outcome,
    same: Option<Outcome>,
    plain: Option<Outcome>,
}

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let luthier = match &arguments.luthier {
        Some(path) => path.canonicalize()?,
        None => build_luthier()?,
    };
    let findings = chosen(arguments)?;
    let work = tempfile::tempdir()?;
    let mut rows: Vec<Row> = Vec::new();
    for (number, finding) in findings.iter().enumerate() {
        let is_compared = number < arguments.ddsmt_count;
        let row = reduce(finding, &luthier, work.path(), is_compared, arguments)?;
        output::talk(format!("{} of {}: {}", number + 1, findings.len(), line(&row)));
        rows.push(row);
        if let Some(path) = &arguments.rows {
            let lines: Vec<String> = rows.iter().map(line).collect();
            fs::write(path, lines.join("\n") + "\n")?;
        }
    }
    output::data(table(&rows));
    let all_kept = rows.iter().all(|row| row.ours.is_kept && row.ours.is_legal);
    Ok(if all_kept { Ending::Fine } else { Ending::Findings })
}

/// The findings of all folders but slow ones, in an order that depends on the seed only.
fn chosen(arguments: &Arguments) -> Result<Vec<Finding>, Box<dyn Error>> {
    let mut findings: Vec<Finding> = Vec::new();
    for folder in &arguments.folders {
        let text = fs::read_to_string(folder.join("findings.jsonl"))?;
        for line in text.lines() {
            let mut finding: Finding = serde_json::from_str(line)?;
            finding.folder = folder.canonicalize()?;
            if finding.class != "slow" && finding.class != "incomplete" {
                findings.push(finding);
            }
        }
    }
    let key = |finding: &Finding| {
        let text = format!("{} {} {}", arguments.seed, finding.solver, finding.file);
        luthier_records::Digest::of(text.as_bytes()).to_string()
    };
    findings.sort_by_key(key);
    findings.truncate(arguments.count);
    Ok(findings)
}

fn reduce(
    finding: &Finding,
    luthier: &Path,
    work: &Path,
    is_compared: bool,
    arguments: &Arguments,
) -> Result<Row, Box<dyn Error>> {
    let input = finding.folder.join(&finding.file);
    let out = work.join("ours.smt2");
    let _ = fs::remove_file(&out);
    let started = Instant::now();
    let ran = Command::new(luthier)
        .args(["reduce", "--jobs", "1", "--timeout", "2s", "--json", "--keep", &finding.class])
        .args(["--solver", &finding.solver, "--out"])
        .args([&out, &input])
        .stderr(Stdio::null())
        .output()?;
    let seconds = started.elapsed().as_secs_f64();
    let reduced: Option<Reduced> = serde_json::from_slice(&ran.stdout).ok();
    let mut row = Row {
        class: finding.class.clone(),
        solver: finding.solver.clone(),
        file: finding.file.clone(),
        before: reduced.as_ref().map_or(0, |one| one.nodes_before),
        ..Row::default()
    };
    let class = reduced.as_ref().and_then(|one| one.class.clone());
    row.truth = reduced.map_or_else(|| "not reduced".to_owned(), |one| one.truth);
    let found = Finding { class: class.unwrap_or_else(|| row.class.clone()), ..finding.clone() };
    row.ours = outcome(&out, &found, luthier, seconds, false)?;
    row.class.clone_from(&found.class);
    row.ours.is_kept &= row.truth == "sat" || row.truth == "unsat";
    if is_compared && row.ours.nodes.is_some() {
        let check = format!(
            "{} reduce \"$1\" --jobs 1 --timeout 2s --keep {} --solver '{}' --check > /dev/null 2>&1",
            luthier.display(),
            finding.class,
            finding.solver
        );
        // A planted `unsat` would be taken over for every candidate, so it must be proven instead.
        let unplanted = work.join("unplanted.smt2");
        fs::write(&unplanted, without_planted_unsat(&fs::read_to_string(&input)?))?;
        // ddSMT keeps the exit code that its input has, so an input without a known answer would be
        // reduced to anything without one.
        if holds(&check, &unplanted)? {
            row.same = Some(ddsmt(&unplanted, &check, finding, luthier, work, arguments)?);
        }
        if let Some(check) = plain_predicate(finding) {
            let copy = finding.folder.join(&finding.copy);
            row.plain = Some(ddsmt(&copy, &check, finding, luthier, work, arguments)?);
        }
    }
    Ok(row)
}

/// Whether a predicate exits with 0 on a file.
fn holds(check: &str, file: &Path) -> Result<bool, Box<dyn Error>> {
    let mut command = Command::new("sh");
    command.args(["-c", check, "sh"]).arg(file).stdin(Stdio::null());
    Ok(command.stdout(Stdio::null()).stderr(Stdio::null()).status()?.success())
}

/// The text without the lines that say `unsat` by construction.
fn without_planted_unsat(text: &str) -> String {
    let planted = ["(set-info :luthier-expected unsat)", "(set-info :luthier-core "];
    let is_kept = |line: &&str| !planted.iter().any(|one| line.starts_with(one));
    text.lines().filter(is_kept).map(|line| format!("{line}\n")).collect()
}

/// What people give ddSMT: the solver prints the same verdict, or dies; `None` where a model or a core would
/// have to be checked.
fn plain_predicate(finding: &Finding) -> Option<String> {
    let command = finding.command.replace(&finding.copy, "\"$1\"").replace("'\"$1\"'", "\"$1\"");
    match finding.class.as_str() {
        "wrong-unsat" => Some(format!("{command} 2>&1 | grep -qx unsat")),
        "wrong-sat" => Some(format!("{command} 2>&1 | grep -qx sat")),
        "crash" => Some(format!("{command} > /dev/null 2>&1; test $? -gt 100")),
        _ => None,
    }
}

fn ddsmt(
    input: &Path,
    check: &str,
    finding: &Finding,
    luthier: &Path,
    work: &Path,
    arguments: &Arguments,
) -> Result<Outcome, Box<dyn Error>> {
    let out = work.join("ddsmt.smt2");
    let _ = fs::remove_file(&out);
    // ddSMT takes a program only by its path.
    let predicate = work.join("predicate.sh");
    fs::write(&predicate, format!("#!/bin/sh\n{check}\n"))?;
    fs::set_permissions(&predicate, fs::Permissions::from_mode(0o755))?;
    let started = Instant::now();
    let limit = Duration::from_secs(arguments.ddsmt_seconds);
    // `timeout` ends the whole group of processes.
    let mut child = Command::new("timeout")
        .arg(arguments.ddsmt_seconds.to_string())
        .args(["ddsmt", "-q", "-q", "-j", "1", "--ignore-output"])
        .args([input, &out, &predicate])
        .current_dir(work)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("ddsmt cannot be run ({error}): pip install ddsmt"))?;
    child.wait()?;
    let elapsed = started.elapsed();
    if !out.exists() {
        // It found nothing to remove.
        fs::copy(input, &out)?;
    }
    let mut outcome = outcome(&out, finding, luthier, elapsed.as_secs_f64(), true)?;
    outcome.timed_out = elapsed >= limit;
    Ok(outcome)
}

/// Reads and tests the result of a reducer.
fn outcome(
    file: &Path,
    finding: &Finding,
    luthier: &Path,
    seconds: f64,
    is_foreign: bool,
) -> Result<Outcome, Box<dyn Error>> {
    let Ok(text) = fs::read(file) else { return Ok(Outcome { seconds, ..Outcome::default() }) };
    let (nodes, is_legal) = read(&text, is_foreign);
    let tested = Command::new(luthier)
        .args(["reduce", "--jobs", "1", "--timeout", "5s", "--check", "--keep", &finding.class])
        .args(["--solver", &finding.solver])
        .arg(file)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    Ok(Outcome { seconds, nodes, is_legal, is_kept: tested.success(), timed_out: false })
}

/// The nodes of a script, and whether it is legal: strictly ours, generously in whatever dialect the solver
/// was given for the other.
fn read(text: &[u8], is_foreign: bool) -> (Option<u64>, bool) {
    let mut pool = TermPool::new();
    let options = match is_foreign {
        true => ReadOptions { dialect: None, mode: Mode::Generous },
        false => ReadOptions { dialect: Some(Dialect::Smt27), mode: Mode::Strict },
    };
    let reading = read_script(&mut pool, text, &options);
    let is_legal = reading.is_accepted() && reading.script.queries().next().is_some();
    (is_legal.then(|| luthier_triage::nodes(&pool, &reading.script)), is_legal)
}

fn line(row: &Row) -> String {
    let show = |outcome: &Outcome| {
        let nodes = outcome.nodes.map_or_else(|| "illegal".to_owned(), |nodes| nodes.to_string());
        let kept = if outcome.is_kept { "" } else { " lost" };
        let late = if outcome.timed_out { " time-out" } else { "" };
        format!("{nodes}{kept}{late} in {:.1} s", outcome.seconds)
    };
    let none = || "-".to_owned();
    format!(
        "{} {} {}: {} nodes, {}; ours {}; ddsmt, same predicate {}; ddsmt, plain {}",
        row.class,
        row.solver,
        row.file,
        row.before,
        row.truth,
        show(&row.ours),
        row.same.as_ref().map_or_else(none, show),
        row.plain.as_ref().map_or_else(none, show),
    )
}

/// A table by class and reducer, for a record.
fn table(rows: &[Row]) -> String {
    let mut lines = vec![
        "class | formulas | before | reducer | reduced | median nodes | mean nodes | median s | total s \
         | illegal | lost"
            .to_owned(),
    ];
    let mut by_class: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        by_class.entry(&row.class).or_default().push(row);
        by_class.entry("~all").or_default().push(row);
        if row.same.is_some() {
            by_class.entry("~compared").or_default().push(row);
        }
    }
    for (class, rows) in &by_class {
        let before = median(rows.iter().map(|row| row.before as f64).collect());
        let ours: Vec<&Outcome> = rows.iter().map(|row| &row.ours).collect();
        let same: Vec<&Outcome> = rows.iter().filter_map(|row| row.same.as_ref()).collect();
        let plain: Vec<&Outcome> = rows.iter().filter_map(|row| row.plain.as_ref()).collect();
        for (name, outcomes) in
            [("luthier", ours), ("ddsmt, same predicate", same), ("ddsmt, plain predicate", plain)]
        {
            if outcomes.is_empty() {
                continue;
            }
            let nodes: Vec<f64> =
                outcomes.iter().filter_map(|one| one.nodes).map(|nodes| nodes as f64).collect();
            let seconds: Vec<f64> = outcomes.iter().map(|one| one.seconds).collect();
            let illegal = outcomes.iter().filter(|one| !one.is_legal).count();
            let lost = outcomes.iter().filter(|one| one.is_legal && !one.is_kept).count();
            let mean = nodes.iter().sum::<f64>() / nodes.len().max(1) as f64;
            let total = seconds.iter().sum::<f64>();
            lines.push(format!(
                "{class} | {} | {before:.0} | {name} | {} | {:.0} | {mean:.1} | {:.1} | {total:.0} | \
                 {illegal} | {lost}",
                rows.len(),
                outcomes.len(),
                median(nodes),
                median(seconds),
            ));
        }
    }
    lines.join("\n")
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        length if length % 2 == 1 => values[length / 2],
        length => f64::midpoint(values[length / 2 - 1], values[length / 2]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plain_predicate_asks_the_solver_about_the_candidate() {
        let finding = |class: &str| Finding {
            class: class.to_owned(),
            solver: "z3@4.8.5".to_owned(),
            file: "a.smt2".to_owned(),
            copy: "a.z3.smt2".to_owned(),
            command: "z3 -smt2 a.z3.smt2".to_owned(),
            folder: PathBuf::new(),
        };
        let plain = plain_predicate(&finding("wrong-unsat")).unwrap();
        assert_eq!(plain, "z3 -smt2 \"$1\" 2>&1 | grep -qx unsat");
        assert_eq!(plain_predicate(&finding("invalid-model")), None);
        let text = "(set-info :luthier-expected unsat)\n(check-sat)\n";
        assert_eq!(without_planted_unsat(text), "(check-sat)\n");
    }

    #[test]
    fn illegal_results_have_no_size() {
        assert_eq!(read(b"(assert (= x 1))(check-sat)", true), (None, false));
        assert_eq!(read(b"(assert (= 2 1))(check-sat)", true), (Some(3), true));
        assert_eq!(median(vec![3.0, 1.0, 2.0, 10.0]), 2.5);
    }
}
