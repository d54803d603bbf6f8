//! A plan: an experiment whose releases were found, with the exact configurations that are run and
//! stored.
//!
//! Each release gives one configuration per seed. All errors of the set-up (unknown releases,
//! suites and option sets, unreadable label tables, duplicate names) are reported here, before
//! anything is run.

use std::collections::HashMap;

use luthier_ask::{ConfigurationSpec, ProcessMode, Solver, installable};
use luthier_records::{Configuration, Cores, CpuTime, RunLimits, WallTime};
use luthier_runner::process::{Limits, available_cores};
use luthier_runner::releases::{Invocation, Program, Release, ReleaseName, Releases};

use crate::experiment::Experiment;
use crate::{CampaignError, LabelTable, suites};

/// An experiment whose releases were found.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The experiment.
    pub experiment: Experiment,
    /// The configurations that are run, in the order of the experiment.
    pub configurations: Vec<RunnableConfiguration>,
    /// The configurations that give second opinions on models.
    pub verifiers: Vec<RunnableConfiguration>,
    /// The configurations that solve cores again; by default all of the experiment.
    pub confirmers: Vec<RunnableConfiguration>,
    /// Runs in parallel.
    pub jobs: usize,
}

/// A configuration with the solver and the limits that run it.
#[derive(Clone, Debug)]
pub struct RunnableConfiguration {
    /// Its record.
    pub configuration: Configuration,
    /// The solver.
    pub solver: Solver,
    /// The limits of its runs.
    pub limits: Limits,
}

/// Stands for the script in recorded command lines.
const FILE: &str = "{file}";

impl Plan {
    /// Finds the releases. Nothing is downloaded.
    pub fn new(experiment: Experiment, releases: &Releases) -> Result<Self, CampaignError> {
        for name in experiment.sets.iter().flat_map(|set| &set.tracks).flat_map(|t| &t.suites) {
            suites::find(name)?;
        }
        // A table that cannot be read is reported before anything is run.
        for path in experiment.sets.iter().flat_map(|set| &set.tracks).flat_map(|t| &t.labels) {
            LabelTable::read(path)?;
        }
        let problems = [
            (experiment.repetitions == 0, "there must be at least 1 repetition"),
            (experiment.limit == Some(0), "a limit of 0 instances leaves nothing to run"),
            (
                experiment.sample && experiment.limit.is_none(),
                "a sample needs a limit that says how large it is",
            ),
            (experiment.jobs == Some(0), "there must be at least 1 job"),
        ];
        if let Some((_, problem)) = problems.iter().find(|(applies, _)| *applies) {
            return Err(CampaignError::Inconsistent((*problem).to_owned()));
        }
        let mut configurations = Vec::new();
        for spec in &experiment.configurations {
            let several = experiment.seeds.len() > 1;
            let seeds: Vec<Option<u64>> = match (spec.seed, experiment.seeds.as_slice()) {
                (Some(seed), _) => vec![Some(seed)],
                (None, []) => vec![None],
                (None, seeds) => seeds.iter().copied().map(Some).collect(),
            };
            for seed in seeds {
                let mut runnable = RunnableConfiguration::new(spec, seed, &experiment, releases)?;
                if several && let Some(seed) = seed {
                    runnable.configuration.name.push_str(&format!(" seed={seed}"));
                }
                configurations.push((runnable, spec));
            }
        }
        let configurations = with_distinct_names(configurations)?;
        let others = |names: &[String]| -> Result<Vec<RunnableConfiguration>, CampaignError> {
            let specs = names.iter().map(|name| parse_spec(name));
            specs
                .map(|spec| RunnableConfiguration::new(&spec?, None, &experiment, releases))
                .collect()
        };
        let verifiers = others(&experiment.verify_with)?;
        let confirmers = match experiment.confirm_cores_with.as_slice() {
            [] => configurations.clone(),
            names => others(names)?,
        };
        // Half of the cores by default: hyper-threads and shared caches disturb measurements.
        let jobs = experiment.jobs.unwrap_or_else(|| (available_cores().len() / 2).max(1));
        Ok(Self { experiment, configurations, verifiers, confirmers, jobs })
    }

    /// The releases that the experiment names and that can be installed, each once.
    pub fn installable(experiment: &Experiment) -> Result<Vec<ReleaseName>, CampaignError> {
        let others = experiment.verify_with.iter().chain(&experiment.confirm_cores_with);
        let others: Vec<_> = others.map(|one| parse_spec(one)).collect::<Result<_, _>>()?;
        Ok(installable(experiment.configurations.iter().chain(&others))?)
    }
}

impl RunnableConfiguration {
    fn new(
        spec: &ConfigurationSpec,
        seed: Option<u64>,
        experiment: &Experiment,
        releases: &Releases,
    ) -> Result<Self, CampaignError> {
        let mut runnable = Self::of(Solver::find(spec, seed, releases)?, seed, experiment)?;
        if let Some(name) = &spec.name {
            runnable.configuration.name.clone_from(name);
        }
        Ok(runnable)
    }

    /// A solver under the limits of an experiment.
    pub(crate) fn of(
        solver: Solver,
        seed: Option<u64>,
        experiment: &Experiment,
    ) -> Result<Self, CampaignError> {
        let mode = ProcessMode { models: experiment.models, ..ProcessMode::default() };
        let recorded = solver.invocation(FILE.as_ref(), mode)?;
        let limits = Limits {
            cpu: CpuTime(experiment.cpu_limit),
            wall: WallTime(experiment.wall_limit()),
            memory: experiment.memory_limit,
            output_bytes: experiment.output_limit,
        };
        let release = &solver.release;
        let digest = release.sha256()?;
        let configuration = Configuration {
            name: solver.name.clone(),
            solver: release.description.name.clone(),
            family: release.description.family().to_owned(),
            version: release.version.as_ref().map(ToString::to_string),
            program: recorded_program(&release.program),
            program_digest: digest.parse().map_err(|error| {
                CampaignError::Inconsistent(format!("{}: {error}", release.label()))
            })?,
            arguments: recorded_arguments(release, &recorded),
            script_lines: recorded.script.clone(),
            dialect: solver.dialect.name().to_owned(),
            seed,
            models: experiment.models,
            cores: experiment.cores,
            limits: RunLimits {
                cpu: limits.cpu,
                wall: limits.wall,
                memory: limits.memory,
                output: limits.output_bytes,
            },
            not_asked: recorded
                .not_asked
                .iter()
                .map(|capability| format!("{capability:?}"))
                .collect(),
        };
        Ok(Self { configuration, solver, limits })
    }

    /// The mode of processes for an instance; `asks_for_core`: it has a planted core, or requests one.
    pub fn mode(&self, asks_for_core: bool, queries: usize) -> ProcessMode {
        let cores = match self.configuration.cores {
            Cores::Never => false,
            Cores::WherePlanted => asks_for_core,
            Cores::Always => true,
        };
        let (models, incremental) = (self.configuration.models, queries > 1);
        ProcessMode { models, cores, incremental, query_limit: None }
    }
}

/// The specification of a verifying or confirming solver.
fn parse_spec(text: &str) -> Result<ConfigurationSpec, CampaignError> {
    ConfigurationSpec::parse(text).map_err(CampaignError::Inconsistent)
}

/// The arguments without those with the path of a library, which differs between machines.
pub(crate) fn recorded_arguments(release: &Release, invocation: &Invocation) -> Vec<String> {
    let own = match release.program {
        Program::Executable(_) => 0,
        // cvc5-shell --library FOLDER
        Program::Cvc5Libraries(_) => 3,
    };
    let arguments = invocation.arguments.iter().skip(own);
    arguments.map(|argument| argument.to_string_lossy().into_owned()).collect()
}

/// The path of the executable, or of the folder with libraries. A path that is not UTF-8 is not
/// recorded, because a lossy conversion would be another path.
fn recorded_program(program: &Program) -> Option<String> {
    let (Program::Executable(path) | Program::Cvc5Libraries(path)) = program;
    std::path::absolute(path).ok()?.to_str().map(str::to_owned)
}

/// Gives configurations distinct names: two builds of the same version are named by their paths. Names
/// that are still equal are an error, since rows of tables could not be distinguished.
fn with_distinct_names(
    configurations: Vec<(RunnableConfiguration, &ConfigurationSpec)>,
) -> Result<Vec<RunnableConfiguration>, CampaignError> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for (runnable, _) in &configurations {
        *counts.entry(runnable.configuration.name.clone()).or_default() += 1;
    }
    let mut named: Vec<RunnableConfiguration> = Vec::new();
    for (mut runnable, spec) in configurations {
        let name = &mut runnable.configuration.name;
        if counts.get(name.as_str()).is_some_and(|count| *count > 1) && spec.name.is_none() {
            *name = spec.solver.clone();
        }
        if named.iter().any(|other| other.configuration.name == *name) {
            let message = format!("two configurations are called {name}; give one another name");
            return Err(CampaignError::Inconsistent(message));
        }
        named.push(runnable);
    }
    Ok(named)
}
