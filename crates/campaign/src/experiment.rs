//! An experiment: benchmark sets, solver configurations, limits and policies. It comes from options
//! of `luthier run` or from a TOML file, and is stored with every campaign.

mod file;

use std::path::PathBuf;
use std::time::Duration;

use luthier_ask::ConfigurationSpec;
use luthier_corpus::Selection;
use luthier_corpus::sets::{SetError, Sets};
use luthier_records::{Bytes, Cores};
use luthier_smtlib::Dialect;

use crate::CampaignError;
use crate::shard::Shard;

/// A whole experiment. [`Experiment::default`] has no instances and no solvers.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    /// The benchmark sets.
    pub sets: Vec<SetSpec>,
    /// The solver configurations.
    pub configurations: Vec<ConfigurationSpec>,
    /// CPU time of a run: the limit that defines a timeout.
    pub cpu_limit: Duration,
    /// Wall time of a run, a safety net; by default twice the CPU time plus ten seconds.
    pub wall_limit: Option<Duration>,
    /// Memory for a run.
    pub memory_limit: Bytes,
    /// How much of each output is kept; more on standard output ends the run.
    pub output_limit: Bytes,
    /// Repetitions per run.
    pub repetitions: u32,
    /// Runs in parallel.
    pub jobs: Option<usize>,
    /// The order of the runs.
    pub order: Order,
    /// The seeds of the solvers: each gives a configuration of its own. The first also seeds the random
    /// order and the sample.
    pub seeds: Vec<u64>,
    /// The number of instances of each set; all if `None`.
    pub limit: Option<usize>,
    /// Take a random sample of each set instead of its first instances.
    pub sample: bool,
    /// Of all these instances, only those of one shard.
    pub shard: Option<Shard>,
    /// Read all instances in this dialect instead of detecting it.
    pub dialect: Option<Dialect>,
    /// Ask for models, and check them.
    pub models: bool,
    /// When to ask for unsatisfiable cores.
    pub cores: Cores,
    /// Solvers that give a second opinion on every model.
    pub verify_with: Vec<String>,
    /// Solvers that solve printed cores again; the other configurations if none is named.
    pub confirm_cores_with: Vec<String>,
    /// The file for the results.
    pub database: Option<PathBuf>,
    /// Selections whose sets are to be added: [`Experiment::resolve_sets`].
    pub selections: Vec<PathBuf>,
}

/// A set of benchmarks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetSpec {
    /// Its name.
    pub name: String,
    /// Its tracks.
    pub tracks: Vec<TrackSpec>,
    /// Whether `(set-info :status …)` in its files counts as evidence.
    pub trust_status: bool,
}

/// A part of a set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrackSpec {
    /// Its name; `None`: each folder of instances is a track.
    pub name: Option<String>,
    /// Files, folders and archives.
    pub paths: Vec<PathBuf>,
    /// Names of suites that come with Luthier.
    pub suites: Vec<String>,
    /// LabelTables with expected answers for its instances.
    pub labels: Vec<PathBuf>,
    /// Only those files that this selection has for the set.
    pub selection: Option<PathBuf>,
}

/// The order of the runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// All solvers on the first instance, then on the next.
    #[default]
    Instances,
    /// All instances with the first solver, then with the next.
    Solvers,
    /// A pseudo-random order that depends on the seed.
    Random,
}

impl Order {
    /// All orders.
    pub const ALL: [Self; 3] = [Self::Instances, Self::Solvers, Self::Random];

    /// Its name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Instances => "instances",
            Self::Solvers => "solvers",
            Self::Random => "random",
        }
    }
}

impl Default for Experiment {
    fn default() -> Self {
        Self {
            sets: Vec::new(),
            configurations: Vec::new(),
            cpu_limit: Duration::from_secs(10),
            wall_limit: None,
            memory_limit: Bytes(4_000_000_000),
            output_limit: Bytes::mebibytes(16),
            repetitions: 1,
            jobs: None,
            order: Order::default(),
            seeds: Vec::new(),
            limit: None,
            sample: false,
            shard: None,
            dialect: None,
            models: true,
            cores: Cores::default(),
            verify_with: Vec::new(),
            confirm_cores_with: Vec::new(),
            database: None,
            selections: Vec::new(),
        }
    }
}

impl Experiment {
    /// Replaces names of benchmark sets by where they are: a set without paths, suites and tracks is known
    /// by its name, and a selection adds each of its sets. `sets` is asked only if there is such a name.
    pub fn resolve_sets(
        &mut self,
        sets: impl FnOnce() -> Result<Sets, SetError>,
    ) -> Result<(), CampaignError> {
        for file in std::mem::take(&mut self.selections) {
            for name in Selection::read(&file)?.sets.into_keys() {
                let track = TrackSpec { selection: Some(file.clone()), ..TrackSpec::default() };
                self.sets.push(SetSpec { name, tracks: vec![track], trust_status: true });
            }
        }
        let has_files = |track: &TrackSpec| !track.paths.is_empty() || !track.suites.is_empty();
        let mut named =
            self.sets.iter_mut().filter(|set| !set.tracks.iter().any(has_files)).peekable();
        if named.peek().is_none() {
            return Ok(());
        }
        let sets = sets()?;
        for set in named {
            let (_, path) = sets.present(&set.name)?;
            if set.tracks.is_empty() {
                set.tracks.push(TrackSpec::default());
            }
            set.tracks.iter_mut().for_each(|track| track.paths.push(path.to_owned()));
        }
        Ok(())
    }

    /// The wall time for a run.
    pub fn wall_limit(&self) -> Duration {
        let net = self.cpu_limit.saturating_mul(2).saturating_add(Duration::from_secs(10));
        self.wall_limit.unwrap_or(net)
    }
}
