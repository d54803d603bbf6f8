//! From an experiment to who is asked, and how exactly.

use std::collections::HashMap;

use luthier_ask::{ConfigurationSpec, Mode, Solver, installable};
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
    /// Who is asked, in the order of the experiment.
    pub contestants: Vec<Contestant>,
    /// Who gives second opinions on models.
    pub verifiers: Vec<Contestant>,
    /// Who solves cores again. May be contestants as well.
    pub confirmers: Vec<Contestant>,
    /// How many runs go on at the same time.
    pub jobs: usize,
}

/// A configuration that is run.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// What is recorded of it.
    pub configuration: Configuration,
    /// Who is asked.
    pub solver: Solver,
    /// The limits of its runs.
    pub limits: Limits,
}

/// Stands for the script in what is recorded.
const FILE: &str = "{file}";

impl Plan {
    /// Finds the releases. Nothing is fetched.
    pub fn new(experiment: Experiment, releases: &Releases) -> Result<Self, CampaignError> {
        for name in experiment.sets.iter().flat_map(|set| &set.tracks).flat_map(|t| &t.suites) {
            suites::find(name)?;
        }
        // A table that cannot be read is said before anything is made.
        for path in experiment.sets.iter().flat_map(|set| &set.tracks).flat_map(|t| &t.labels) {
            LabelTable::read(path)?;
        }
        let nonsense = [
            (experiment.repetitions == 0, "every run must be made at least once"),
            (experiment.limit == Some(0), "a limit of 0 instances leaves nothing to run"),
            (
                experiment.sample && experiment.limit.is_none(),
                "a sample needs a limit that says how large it is",
            ),
            (experiment.jobs == Some(0), "there must be at least 1 job"),
        ];
        if let Some((_, problem)) = nonsense.iter().find(|(is_so, _)| *is_so) {
            return Err(CampaignError::Inconsistent((*problem).to_owned()));
        }
        let mut contestants = Vec::new();
        for spec in &experiment.configurations {
            let several = experiment.seeds.len() > 1;
            let seeds: Vec<Option<u64>> = match (spec.seed, experiment.seeds.as_slice()) {
                (Some(seed), _) => vec![Some(seed)],
                (None, []) => vec![None],
                (None, seeds) => seeds.iter().copied().map(Some).collect(),
            };
            for seed in seeds {
                let mut contestant = Contestant::new(spec, seed, &experiment, releases)?;
                if several && let Some(seed) = seed {
                    contestant.configuration.name.push_str(&format!(" seed={seed}"));
                }
                contestants.push((contestant, spec));
            }
        }
        let contestants = tell_apart(contestants)?;
        let others = |names: &[String]| -> Result<Vec<Contestant>, CampaignError> {
            let specs = names.iter().map(|name| other(name));
            specs.map(|spec| Contestant::new(&spec?, None, &experiment, releases)).collect()
        };
        let verifiers = others(&experiment.verify_with)?;
        let confirmers = match experiment.confirm_cores_with.as_slice() {
            [] => contestants.clone(),
            names => others(names)?,
        };
        // Half of the cores by default: hyper-threads and shared caches make neighbours noisy.
        let jobs = experiment.jobs.unwrap_or_else(|| (available_cores().len() / 2).max(1));
        Ok(Self { experiment, contestants, verifiers, confirmers, jobs })
    }

    /// The releases that the experiment names and that can be installed, each once.
    pub fn installable(experiment: &Experiment) -> Result<Vec<ReleaseName>, CampaignError> {
        let others = experiment.verify_with.iter().chain(&experiment.confirm_cores_with);
        let others: Vec<_> = others.map(|one| other(one)).collect::<Result<_, _>>()?;
        Ok(installable(experiment.configurations.iter().chain(&others))?)
    }
}

impl Contestant {
    fn new(
        spec: &ConfigurationSpec,
        seed: Option<u64>,
        experiment: &Experiment,
        releases: &Releases,
    ) -> Result<Self, CampaignError> {
        let mut contestant = Self::of(Solver::find(spec, seed, releases)?, seed, experiment)?;
        if let Some(name) = &spec.name {
            contestant.configuration.name.clone_from(name);
        }
        Ok(contestant)
    }

    /// A solver under the limits of an experiment.
    pub(crate) fn of(
        solver: Solver,
        seed: Option<u64>,
        experiment: &Experiment,
    ) -> Result<Self, CampaignError> {
        let mode = Mode { models: experiment.models, ..Mode::default() };
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

    /// How an instance is asked; `asks_for_core`: it has a planted core, or asks.
    pub fn mode(&self, asks_for_core: bool, queries: usize) -> Mode {
        let cores = match self.configuration.cores {
            Cores::Never => false,
            Cores::WherePlanted => asks_for_core,
            Cores::Always => true,
        };
        let (models, incremental) = (self.configuration.models, queries > 1);
        Mode { models, cores, incremental, query_limit: None }
    }
}

/// A solver that is named in passing.
fn other(text: &str) -> Result<ConfigurationSpec, CampaignError> {
    ConfigurationSpec::parse(text).map_err(CampaignError::Inconsistent)
}

/// The arguments without those that say where a library lies, which is another place on another
/// machine.
pub(crate) fn recorded_arguments(release: &Release, invocation: &Invocation) -> Vec<String> {
    let own = match release.program {
        Program::Executable(_) => 0,
        // cvc5-shell --library FOLDER
        Program::Cvc5Libraries(_) => 3,
    };
    let arguments = invocation.arguments.iter().skip(own);
    arguments.map(|argument| argument.to_string_lossy().into_owned()).collect()
}

/// Where the program is: an executable, or a folder with libraries. A path that is no text is not
/// recorded, because another one would be.
fn recorded_program(program: &Program) -> Option<String> {
    let (Program::Executable(path) | Program::Cvc5Libraries(path)) = program;
    std::path::absolute(path).ok()?.to_str().map(str::to_owned)
}

/// Two builds of the same version are called by their paths. What still has the same name is an
/// error: nobody could tell the rows of a table apart.
fn tell_apart(
    contestants: Vec<(Contestant, &ConfigurationSpec)>,
) -> Result<Vec<Contestant>, CampaignError> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for (contestant, _) in &contestants {
        *counts.entry(contestant.configuration.name.clone()).or_default() += 1;
    }
    let mut named: Vec<Contestant> = Vec::new();
    for (mut contestant, spec) in contestants {
        let name = &mut contestant.configuration.name;
        if counts.get(name.as_str()).is_some_and(|count| *count > 1) && spec.name.is_none() {
            *name = spec.solver.clone();
        }
        if named.iter().any(|other| other.configuration.name == *name) {
            let message = format!("two configurations are called {name}; give one another name");
            return Err(CampaignError::Inconsistent(message));
        }
        named.push(contestant);
    }
    Ok(named)
}
