//! From an experiment to who is asked, and how exactly.

use std::collections::HashMap;
use std::path::Path;

use luthier_records::{Configuration, Cores, CpuTime, RunLimits, WallTime};
use luthier_runner::process::{Limits, available_cores};
use luthier_runner::releases::{
    ConfigurationName, Invocation, Program, Release, ReleaseName, Releases, Request,
};
use luthier_smtlib::Dialect;

use crate::experiment::{ConfigurationSpec, Experiment};
use crate::{CampaignError, suites};

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

/// A configuration that can be run.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// What is recorded of it.
    pub configuration: Configuration,
    /// Its dialect.
    pub dialect: Dialect,
    /// The limits of its runs.
    pub limits: Limits,
    /// The release.
    pub release: Release,
    /// One for each [`Asking`].
    invocations: [Invocation; 4],
}

/// What an instance needs beyond the usual question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asking {
    /// A core is wanted.
    pub core: bool,
    /// There are several queries.
    pub incremental: bool,
}

/// Solvers read their script from here: a file in memory, so that none is left behind.
const SCRIPT: &str = "/dev/stdin";
/// Stands for the script in what is recorded.
const FILE: &str = "{file}";

impl Asking {
    const ALL: [Self; 4] = [
        Self { core: false, incremental: false },
        Self { core: true, incremental: false },
        Self { core: false, incremental: true },
        Self { core: true, incremental: true },
    ];

    fn index(self) -> usize {
        usize::from(self.core) + 2 * usize::from(self.incremental)
    }
}

impl Plan {
    /// Finds the releases. Nothing is fetched.
    pub fn new(experiment: Experiment, releases: &Releases) -> Result<Self, CampaignError> {
        for name in experiment.sets.iter().flat_map(|set| &set.tracks).flat_map(|t| &t.suites) {
            suites::find(name)?;
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
            let specs = names
                .iter()
                .map(|name| ConfigurationSpec::parse(name).map_err(CampaignError::Inconsistent));
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
        let specs = experiment.configurations.iter().map(|spec| spec.solver.clone());
        let others = experiment.verify_with.iter().chain(&experiment.confirm_cores_with);
        let mut names: Vec<ReleaseName> = Vec::new();
        for solver in specs.chain(others.cloned()) {
            let name = configuration_name(&solver)?.release;
            if matches!(name, ReleaseName::Cached { .. }) && !names.contains(&name) {
                names.push(name);
            }
        }
        Ok(names)
    }
}

impl Contestant {
    fn new(
        spec: &ConfigurationSpec,
        seed: Option<u64>,
        experiment: &Experiment,
        releases: &Releases,
    ) -> Result<Self, CampaignError> {
        let name = configuration_name(&spec.solver)?;
        let release = releases.resolve(&name.release)?;
        Self::of(release, &name.option_sets, spec, seed, experiment, &releases.luthier)
    }

    /// A release with options, under the limits of an experiment. `luthier` is our own binary.
    pub(crate) fn of(
        release: Release,
        option_sets: &[String],
        spec: &ConfigurationSpec,
        seed: Option<u64>,
        experiment: &Experiment,
        luthier: &Path,
    ) -> Result<Self, CampaignError> {
        let request = |asking: Asking| Request {
            time_limit: None,
            query_limit: None,
            seed,
            models: experiment.models,
            cores: asking.core,
            minimal_cores: false,
            incremental: asking.incremental,
            option_sets: option_sets.to_vec(),
            arguments: spec.arguments.clone(),
        };
        let invocation = |file: &str, asking: Asking| {
            release.invocation(luthier, Path::new(file), &request(asking))
        };
        let recorded = invocation(FILE, Asking::default())?;
        let [plain, core, incremental, both] = Asking::ALL.map(|one| invocation(SCRIPT, one));
        let dialect: Dialect = release.dialect().parse().map_err(|error| {
            let label = release.label();
            CampaignError::Inconsistent(format!("the description of {label} is wrong: {error}"))
        })?;
        let limits = Limits {
            cpu: CpuTime(experiment.cpu_limit),
            wall: WallTime(experiment.wall_limit()),
            memory: experiment.memory_limit,
            output_bytes: experiment.output_limit,
        };
        let digest = release.sha256()?;
        let configuration = Configuration {
            name: spec.name.clone().unwrap_or_else(|| shown_name(&release, option_sets, spec)),
            solver: release.description.name.clone(),
            family: release.description.family().to_owned(),
            version: release.version.as_ref().map(ToString::to_string),
            program: None,
            program_digest: digest.parse().map_err(|error| {
                CampaignError::Inconsistent(format!("{}: {error}", release.label()))
            })?,
            arguments: recorded_arguments(&release, &recorded),
            script_lines: recorded.script.clone(),
            dialect: dialect.name().to_owned(),
            seed,
            models: experiment.models,
            cores: experiment.cores,
            limits: RunLimits {
                cpu: limits.cpu,
                wall: limits.wall,
                memory: limits.memory,
                output: limits.output_bytes,
            },
            not_asked: recorded.not_asked.iter().map(|wish| format!("{wish:?}")).collect(),
        };
        let invocations = [plain?, core?, incremental?, both?];
        Ok(Self { configuration, dialect, limits, release, invocations })
    }

    /// How it is started for an instance.
    pub fn invocation(&self, asking: Asking) -> &Invocation {
        &self.invocations[asking.index()]
    }

    /// Whether a core of an instance is wanted; `instance_asks`: it has a planted core, or asks.
    pub fn wants_core(&self, instance_asks: bool) -> bool {
        match self.configuration.cores {
            Cores::Never => false,
            Cores::WherePlanted => instance_asks,
            Cores::Always => true,
        }
    }
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

fn configuration_name(text: &str) -> Result<ConfigurationName, CampaignError> {
    text.parse().map_err(|error| CampaignError::Inconsistent(format!("{error}")))
}

fn shown_name(release: &Release, option_sets: &[String], spec: &ConfigurationSpec) -> String {
    let sets = option_sets.iter().map(|set| format!("+{set}"));
    let arguments = spec.arguments.iter().map(|argument| format!(" {argument}"));
    let parts = std::iter::once(release.label()).chain(sets).chain(arguments);
    parts.collect()
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
