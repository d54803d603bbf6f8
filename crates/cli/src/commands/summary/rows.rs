//! One row of the summary for each configuration and set.

use luthier_report::{Score, SolverInfo};
use serde::Serialize;
use serde_json::{Map, Value};

use super::Results;

/// One object of `luthier summary --json`.
#[derive(Debug, Serialize)]
pub struct Row {
    /// The name of the configuration.
    pub solver: String,
    /// The set.
    pub set: String,
    /// The scores, see [`Score::FIELDS`]; a file that stands twice in a set counts twice.
    #[serde(flatten)]
    pub scores: Map<String, Value>,
    pub par2_mean: Option<f64>,
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
            scores: Score::FIELDS
                .iter()
                .map(|field| (field.column.to_owned(), field.json(score)))
                .collect(),
            par2_mean: score.par2_mean(),
            cpu_limit_seconds: configuration.limits.cpu.as_secs_f64(),
            memory_limit_bytes: configuration.limits.memory.0,
            seed: configuration.seed,
            solver_version: configuration.version.clone(),
            configuration: configuration.identity().to_string(),
        }
    }
}
