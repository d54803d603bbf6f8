//! Results from a table written by hand, or random ones, for tests and examples.
//!
//! [`from_table`] reads a table:
//!
//! ```text
//! # place           expected  features       | a limit=10     | b limit=20
//! demo/one.smt2     sat       str.len,re.+   | sat 1.5 valid  | unsat 2
//! demo/t/two.smt2   -         ?  size=300    | timeout        | sat 3, sat 4 wall=5
//! ```
//!
//! The first line that has a `|` names the solvers, with their CPU limit in seconds (`limit=`, 10 by
//! default), wall limit (`wall=`, twice the CPU limit) and family (`family=`, the name). What stands
//! before the first `|` in it is not read; nor are empty lines and others that begin with `#`.
//!
//! Any other line is an entry. First its place (`set/name` or `set/track/name`), then the ground truth
//! (`sat`, `unsat`, `-`), then its features (names with commas, `-` for none, `?` for not known), then,
//! if wanted, `size=` in bytes and `conflict=` with the name of a conflict. After each `|` stand the runs
//! of a solver, with commas between repetitions; nothing or `-` for no run. A run is the name of its
//! class, then in any order:
//!
//! * a number: its CPU time in seconds; otherwise the limit for a timeout, and 1 for all else;
//! * `wall=` and a number: its wall time; otherwise its CPU time;
//! * `right`, `wrong`, `disputed`, `unjudged`: the judgement; otherwise it follows from the ground
//!   truth, which counts as planted;
//! * `valid`, `completed`, `incomplete`, `unchecked`, `invalid`: its model;
//! * `doubted`: a verifying solver disagrees with the referee about its model;
//! * `minimal`, `larger`, `confirmed`, `unconfirmed`, `disputed-core`, `invalid-core`: its core;
//! * `@` and a number: its campaign, from 0, which is the default.
//!
//! Numbers of solvers, sets, tracks, instances and runs begin with 1 and go up in the order of the text;
//! those of campaigns are one more than what stands in the text.

mod entries;
mod random_results;

use std::fmt;
use std::time::Duration;

use luthier_records::{
    Bytes, Campaign, Configuration, Cores, CpuTime, Digest, Machine, RunLimits, Timestamp, WallTime,
};

use crate::{CampaignInfo, Results, SolverInfo};

pub use random_results::random_results;

/// A table that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what was expected.
    pub problem: String,
}

impl fmt::Display for TableError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}: {}", self.line, self.problem)
    }
}

impl std::error::Error for TableError {}

/// The results that a table describes.
pub fn from_table(text: &str) -> Result<Results, TableError> {
    let mut solvers: Option<Vec<SolverInfo>> = None;
    let mut rows = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let fail = |problem: String| TableError { line: index + 1, problem };
        let line = line.trim();
        let is_header = solvers.is_none() && line.contains('|');
        if line.is_empty() || (line.starts_with('#') && !is_header) {
            continue;
        }
        let mut cells = line.split('|').map(str::trim);
        let first = cells.next().unwrap_or_default();
        match &solvers {
            None if !is_header => {
                return Err(fail("expected a line with the solvers: | a limit=10 | b".to_owned()));
            }
            None => {
                let numbers = 1..;
                let solvers_of_line: Result<Vec<SolverInfo>, String> =
                    numbers.zip(cells).map(|(number, cell)| solver(number, cell)).collect();
                solvers = Some(solvers_of_line.map_err(fail)?);
            }
            Some(solvers) => {
                rows.push(entries::Row::parse(first, cells, solvers).map_err(fail)?);
            }
        }
    }
    Ok(entries::assemble(solvers.unwrap_or_default(), rows))
}

/// The value of `key=value` if it is this key.
fn value_of<'t>(word: &'t str, key: &str) -> Option<&'t str> {
    word.strip_prefix(key)?.strip_prefix('=')
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: Option<f64> = text.parse().ok();
    number
        .and_then(|number| Duration::try_from_secs_f64(number).ok())
        .ok_or_else(|| format!("{text:?} is no time; expected seconds"))
}

fn solver(number: i64, cell: &str) -> Result<SolverInfo, String> {
    let mut words = cell.split_whitespace();
    let name = words.next().ok_or("a solver without a name; expected one after each |")?;
    let mut solver = plain_solver(number, name, Duration::from_secs(10));
    let mut wall = None;
    for word in words {
        let configuration = &mut solver.configuration;
        if let Some(limit) = value_of(word, "limit") {
            configuration.limits.cpu = CpuTime(seconds(limit)?);
        } else if let Some(limit) = value_of(word, "wall") {
            wall = Some(seconds(limit)?);
        } else if let Some(family) = value_of(word, "family") {
            configuration.family = family.to_owned();
        } else {
            return Err(format!("{word:?} after a solver; expected limit=, wall= or family="));
        }
    }
    let limits = &mut solver.configuration.limits;
    limits.wall = WallTime(wall.unwrap_or(limits.cpu.0.saturating_mul(2)));
    Ok(solver)
}

fn plain_solver(number: i64, name: &str, limit: Duration) -> SolverInfo {
    let (solver, version) = match name.split_once('@') {
        Some((solver, version)) => (solver, Some(version.to_owned())),
        None => (name, None),
    };
    let configuration = Configuration {
        name: name.to_owned(),
        solver: solver.to_owned(),
        family: solver.to_owned(),
        version,
        program: None,
        program_digest: Digest::of(name.as_bytes()),
        arguments: vec!["{file}".to_owned()],
        script_lines: Vec::new(),
        dialect: "2.6".to_owned(),
        seed: None,
        models: true,
        cores: Cores::WherePlanted,
        limits: RunLimits {
            cpu: CpuTime(limit),
            wall: WallTime(limit.saturating_mul(2)),
            memory: Bytes::mebibytes(4096),
            output: Bytes::mebibytes(16),
        },
        not_asked: Vec::new(),
    };
    SolverInfo { number, label: name.to_owned(), configuration }
}

fn campaign(index: usize) -> CampaignInfo {
    let number = i64::try_from(index).unwrap_or(i64::MAX - 1) + 1;
    let machine = Machine {
        host: "sample".to_owned(),
        system: "Linux".to_owned(),
        processor: "made up".to_owned(),
        cores: 2,
        memory: Bytes::mebibytes(8192),
    };
    let campaign = Campaign {
        id: format!("sample-{number}"),
        // The first of January 2026, and a day later for each.
        started: Timestamp(1_767_225_600_000 + (number - 1) * 86_400_000),
        luthier_version: "0.1.0".to_owned(),
        command_line: vec!["luthier".to_owned(), "run".to_owned(), "sample.toml".to_owned()],
        experiment: String::new(),
        machine,
        jobs: 1,
    };
    CampaignInfo { number, campaign }
}
