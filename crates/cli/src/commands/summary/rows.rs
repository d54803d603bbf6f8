//! One row of the summary for each configuration and set.

use luthier_report::figures::exact_seconds;
use luthier_report::{Score, SolverInfo};
use serde::Serialize;

use super::Results;

/// One object of `luthier summary --json`.
#[derive(Debug, Serialize)]
pub struct Row {
    /// The name of the configuration.
    pub solver: String,
    /// The set.
    pub set: String,
    /// All runs; a file that stands twice in a set counts twice.
    pub total: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    pub timeout: u64,
    pub memout: u64,
    pub crash: u64,
    pub unsupported: u64,
    pub malformed: u64,
    pub framework_error: u64,
    pub wrong: u64,
    pub disputed: u64,
    pub right: u64,
    pub invalid_model: u64,
    pub incomplete_model: u64,
    pub completed_model: u64,
    pub unchecked_model: u64,
    pub valid_model: u64,
    pub invalid_core: u64,
    pub disputed_core: u64,
    pub unconfirmed_core: u64,
    pub confirmed_core: u64,
    pub larger_core: u64,
    pub par2: f64,
    pub par2_mean: Option<f64>,
    pub cpu_seconds: f64,
    pub wall_seconds: f64,
    pub cpu_seconds_decided: f64,
    /// The limits and the identity of the configuration.
    pub cpu_limit_seconds: f64,
    pub memory_limit_bytes: u64,
    pub seed: Option<u64>,
    pub solver_version: Option<String>,
    pub configuration: String,
}

impl Results {
    /// All rows, by configuration and set.
    pub fn rows(&self) -> Vec<Row> {
        let rows = self.summary.rows.iter();
        rows.map(|row| {
            let solver = &self.judged.solvers[row.configuration];
            Row::new(solver, &self.judged.sets[row.set].name, &row.score)
        })
        .collect()
    }
}

impl Row {
    fn new(solver: &SolverInfo, set: &str, score: &Score) -> Self {
        let configuration = &solver.configuration;
        Self {
            solver: solver.label.clone(),
            set: set.to_owned(),
            total: score.total,
            sat: score.sat,
            unsat: score.unsat,
            unknown: score.unknown,
            timeout: score.timeout,
            memout: score.memout,
            crash: score.crash,
            unsupported: score.unsupported,
            malformed: score.malformed,
            framework_error: score.framework_error,
            wrong: score.wrong,
            disputed: score.disputed,
            right: score.right,
            invalid_model: score.invalid_model,
            incomplete_model: score.incomplete_model,
            completed_model: score.completed_model,
            unchecked_model: score.unchecked_model,
            valid_model: score.valid_model,
            invalid_core: score.invalid_core,
            disputed_core: score.disputed_core,
            unconfirmed_core: score.unconfirmed_core,
            confirmed_core: score.confirmed_core,
            larger_core: score.larger_core,
            par2: exact_seconds(score.par2.0),
            par2_mean: score.par2_mean(),
            cpu_seconds: exact_seconds(score.cpu.0),
            wall_seconds: exact_seconds(score.wall.0),
            cpu_seconds_decided: exact_seconds(score.cpu_decided.0),
            cpu_limit_seconds: configuration.limits.cpu.as_secs_f64(),
            memory_limit_bytes: configuration.limits.memory.0,
            seed: configuration.seed,
            solver_version: configuration.version.clone(),
            configuration: configuration.identity().to_string(),
        }
    }
}
