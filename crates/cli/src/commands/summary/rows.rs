//! The JSON of `luthier summary`: one row for each configuration and set.

use luthier_report::figures::exact_seconds;
use luthier_report::measures::{Competitor, Standing};
use luthier_report::{Score, SolverInfo};
use serde::Serialize;
use serde_json::{Map, Value};

use super::{Group, Results};

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
    /// Over runs; that of [`StandingRecord`] is over instances.
    pub par2_mean: Option<f64>,
    /// The limits and the identity of the configuration.
    pub cpu_limit_seconds: f64,
    pub memory_limit_bytes: u64,
    pub seed: Option<u64>,
    pub solver_version: Option<String>,
    pub configuration: String,
    /// The standing on this set.
    #[serde(flatten)]
    pub standing: StandingRecord,
    /// The standing of the same configuration over all sets.
    pub all_sets: Option<StandingRecord>,
}

/// How a configuration stands among all that have runs on the same instances.
#[derive(Debug, Serialize)]
pub struct StandingRecord {
    /// From 1, by `par2_instance_mean`; `null` if no instance is scored.
    pub rank: Option<usize>,
    /// Whether every instance is scored; otherwise the rank is over fewer instances.
    pub comparable: bool,
    pub instances: u64,
    pub missing: u64,
    pub solved: u64,
    pub unique: u64,
    pub par2_instance_mean: Option<f64>,
    pub median_seconds: Option<f64>,
    /// The virtual best solver on the same instances.
    pub virtual_best: Option<VirtualBestRecord>,
}

/// The virtual best solver: on each instance the best run of all configurations.
#[derive(Debug, Serialize)]
pub struct VirtualBestRecord {
    pub instances: u64,
    pub solved: u64,
    pub par2_instance_mean: Option<f64>,
}

impl Results {
    /// All rows, by configuration, then set.
    pub fn rows(&self) -> Vec<Row> {
        let (sets, total) = self.sets_and_total();
        let mut rows = Vec::new();
        for (solver, info) in self.judged.solvers.iter().enumerate() {
            let competitor = Competitor::Solver(solver);
            for group in sets {
                let (Some(set), Some(standing)) = (group.set, group.of(competitor)) else {
                    continue;
                };
                let name = &self.judged.sets[set].name;
                let all_sets = total.and_then(|total| StandingRecord::of(total, competitor));
                rows.push(Row::new(info, name, standing, group, all_sets));
            }
        }
        rows
    }
}

impl Row {
    fn new(
        solver: &SolverInfo,
        set: &str,
        standing: &Standing,
        group: &Group,
        all_sets: Option<StandingRecord>,
    ) -> Self {
        let (configuration, score) = (&solver.configuration, &standing.score);
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
            standing: StandingRecord::new(standing, group),
            all_sets,
        }
    }
}

impl StandingRecord {
    fn of(group: &Group, competitor: Competitor) -> Option<Self> {
        group.of(competitor).map(|standing| Self::new(standing, group))
    }

    fn new(standing: &Standing, group: &Group) -> Self {
        let best = group.of(Competitor::VirtualBest);
        Self {
            rank: standing.rank,
            comparable: standing.comparable,
            instances: standing.instances,
            missing: standing.missing,
            solved: standing.solved,
            unique: standing.unique,
            par2_instance_mean: standing.par2_mean(),
            median_seconds: standing.median.map(|median| exact_seconds(median.0)),
            virtual_best: best.map(|best| VirtualBestRecord {
                instances: best.instances,
                solved: best.solved,
                par2_instance_mean: best.par2_mean(),
            }),
        }
    }
}
