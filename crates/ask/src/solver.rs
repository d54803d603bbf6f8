//! A configured solver release: program, options, dialect and quirks, ready to be run.
//!
//! Everything specific to a solver comes from its description (`solvers/*.toml`): how options are
//! written on its command line or in the script, and where it deviates from the standard. A script is
//! given to the process as its standard input, a file in memory, so that no file is left behind.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use luthier_records::{CpuTime, Ending, Measured, ParsedOutput, WallTime};
use luthier_runner::answer;
use luthier_runner::process::{self, Command, CoreId, Limits, Outcome, Stdin};
use luthier_runner::releases::{
    Invocation, InvocationOptions as Options, Quirks, Release, ReleaseError, Releases,
};
use luthier_smtlib::Dialect;

use crate::{AskError, ConfigurationSpec, Request, ScriptRunner};

/// The path of the script: standard input, which is a file in memory.
const SCRIPT: &str = "/dev/stdin";

/// A release with options, and everything that is needed to run it.
#[derive(Clone, Debug)]
pub struct Solver {
    /// Its name in results: `z3@4.8.9+z3str3`.
    pub name: String,
    /// The dialect that it reads and writes.
    pub dialect: Dialect,
    /// Where it deviates from the standard.
    pub quirks: Quirks,
    /// The release.
    pub release: Release,
    /// Named option sets of its description.
    pub option_sets: Vec<String>,
    arguments: Vec<String>,
    seed: Option<u64>,
    luthier: PathBuf,
}

/// What a process is configured for, on its command line and in the preamble of its script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessMode {
    /// Models are requested.
    pub models: bool,
    /// Unsatisfiable cores are requested.
    pub cores: bool,
    /// The script has several queries, or scopes.
    pub incremental: bool,
    /// After this time the solver replies `unknown` and continues with the script.
    pub query_limit: Option<Duration>,
}

/// The environment of solver processes: folder, processor core, limits.
#[derive(Clone, Copy, Debug)]
pub struct RunEnvironment<'a> {
    /// The working directory of solvers, also for their temporary files.
    pub folder: &'a Path,
    /// The processor core to which they are bound.
    pub core: Option<CoreId>,
    /// The limits of a process with one formula.
    pub limits: Limits,
    /// When it is set, running processes are killed at once; `None` if only our own end does that.
    pub stop: Option<&'a AtomicBool>,
}

/// A solver in an environment.
#[derive(Clone, Copy, Debug)]
pub struct SolverRunner<'a> {
    /// The solver.
    pub solver: &'a Solver,
    /// Where it runs and under which limits.
    pub environment: RunEnvironment<'a>,
}

impl Solver {
    /// Finds an installed release by its specification. Nothing is downloaded.
    pub fn find(
        spec: &ConfigurationSpec,
        seed: Option<u64>,
        releases: &Releases,
    ) -> Result<Self, AskError> {
        let name = spec.configuration_name()?;
        let release = releases.resolve(&name.release)?;
        let arguments = spec.arguments.clone();
        Self::new(release, name.option_sets, arguments, seed, &releases.luthier)
    }

    /// A release with option sets of its description and further arguments. `luthier` is our own
    /// binary, which runs releases that are libraries.
    pub fn new(
        release: Release,
        option_sets: Vec<String>,
        arguments: Vec<String>,
        seed: Option<u64>,
        luthier: &Path,
    ) -> Result<Self, AskError> {
        let dialect = release.dialect().parse().map_err(|error| {
            let label = release.label();
            AskError::NoSolver(format!("the description of {label} is wrong: {error}"))
        })?;
        let sets = option_sets.iter().map(|set| format!("+{set}"));
        let further = arguments.iter().map(|argument| format!(" {argument}"));
        let name = std::iter::once(release.label()).chain(sets).chain(further).collect();
        let (quirks, luthier) = (release.quirks(), luthier.to_owned());
        let solver = Self { name, dialect, quirks, release, option_sets, arguments, seed, luthier };
        // An unknown option set is reported now and not in the middle of a run.
        solver.invocation_on_stdin(ProcessMode::default())?;
        Ok(solver)
    }

    /// Whether one of its option sets is for experts.
    pub fn has_expert_options(&self) -> bool {
        let sets = &self.release.description.option_sets;
        self.option_sets.iter().any(|name| sets.get(name).is_some_and(|set| set.expert))
    }

    /// The same release with one of the option sets of its description, for each that fits; those for
    /// experts only if `experts`. None for a solver that has options of its own already.
    pub fn with_option_sets(&self, experts: bool) -> Result<Vec<Self>, AskError> {
        if !self.option_sets.is_empty() || !self.arguments.is_empty() {
            return Ok(Vec::new());
        }
        let mut solvers = Vec::new();
        for (name, _) in self.release.option_sets() {
            let sets = vec![name.to_owned()];
            let release = self.release.clone();
            let solver = Self::new(release, sets, Vec::new(), self.seed, &self.luthier)?;
            if experts || !solver.has_expert_options() {
                solvers.push(Self { name: format!("{}+{name}", self.name), ..solver });
            }
        }
        Ok(solvers)
    }

    /// The command line for a file.
    pub fn invocation(&self, file: &Path, mode: ProcessMode) -> Result<Invocation, ReleaseError> {
        let options = Options {
            time_limit: None,
            query_limit: mode.query_limit,
            seed: self.seed,
            models: mode.models,
            cores: mode.cores,
            minimal_cores: false,
            incremental: mode.incremental,
            option_sets: self.option_sets.clone(),
            arguments: self.arguments.clone(),
        };
        self.release.invocation(&self.luthier, file, &options)
    }

    /// The command line for a file, as program and arguments; empty if there is none.
    pub fn command_line(&self, file: &str, mode: ProcessMode) -> Vec<String> {
        let Ok(invocation) = self.invocation(file.as_ref(), mode) else { return Vec::new() };
        let arguments = invocation.arguments.iter();
        std::iter::once(invocation.program.display().to_string())
            .chain(arguments.map(|argument| argument.to_string_lossy().into_owned()))
            .collect()
    }

    /// Commands before every script, and again after every reset.
    pub fn preamble(&self, mode: ProcessMode) -> Vec<String> {
        self.invocation_on_stdin(mode).map_or_else(|_| Vec::new(), |found| found.script)
    }

    /// The command line for a script on standard input.
    pub fn invocation_on_stdin(&self, mode: ProcessMode) -> Result<Invocation, ReleaseError> {
        self.invocation(SCRIPT.as_ref(), mode)
    }

    /// Runs a script as it is, with the command line of [`Self::invocation_on_stdin`].
    pub fn run(
        invocation: &Invocation,
        script: Vec<u8>,
        environment: &RunEnvironment<'_>,
    ) -> Outcome {
        let command = Command {
            program: invocation.program.clone(),
            arguments: invocation.arguments.clone(),
            stdin: Stdin::Bytes(script),
            working_directory: Some(environment.folder.to_owned()),
            environment: vec![("TMPDIR".into(), environment.folder.into())],
        };
        let RunEnvironment { limits, core, stop, .. } = environment;
        process::run_unless_stopped(&command, limits, *core, *stop)
    }

    /// Parses what it printed. `requests` are those after every query.
    pub fn parse_output(&self, output: &[u8], requests: &[Request]) -> ParsedOutput {
        answer::read_with_requests(&self.quirks.replies(output), requests)
    }
}

impl ScriptRunner for SolverRunner<'_> {
    fn quirks(&self) -> &Quirks {
        &self.solver.quirks
    }

    fn preamble(&self, mode: ProcessMode) -> Vec<String> {
        self.solver.preamble(mode)
    }

    fn run(&mut self, script: Vec<u8>, mode: ProcessMode, cpu: Duration) -> Outcome {
        let wall = self.environment.limits.wall.0.max(Limits::with_cpu(cpu).wall.0);
        let limits = Limits { cpu: CpuTime(cpu), wall: WallTime(wall), ..self.environment.limits };
        match self.solver.invocation_on_stdin(mode) {
            Ok(invocation) => {
                Solver::run(&invocation, script, &RunEnvironment { limits, ..self.environment })
            }
            Err(error) => not_started(Ending::NotStarted(error.to_string())),
        }
    }
}

/// The outcome of a process that was not started.
pub fn not_started(ending: Ending) -> Outcome {
    Outcome {
        ending,
        measured: Measured::default(),
        stdout: Default::default(),
        stderr: Default::default(),
    }
}
