//! A configured release: options, dialect and quirks, ready to be run.

use std::path::{Path, PathBuf};
use std::time::Duration;

use luthier_records::{CpuTime, Ending, Measured, ParsedOutput, WallTime};
use luthier_runner::answer;
use luthier_runner::process::{self, Command, CoreId, Limits, Outcome, Stdin};
use luthier_runner::releases::{
    Invocation, Quirks, Release, ReleaseError, Releases, Request as Options,
};
use luthier_smtlib::Dialect;

use crate::{AskError, ConfigurationSpec, Request, Respondent};

/// Solvers read their script from here: a file in memory, so that none is left behind.
const SCRIPT: &str = "/dev/stdin";

/// A release with options, of which everything is known that is needed to ask it.
#[derive(Clone, Debug)]
pub struct Solver {
    /// What it is called: `z3@4.8.9+z3str3`.
    pub name: String,
    /// The dialect that it reads and writes.
    pub dialect: Dialect,
    /// What it does in its own way.
    pub quirks: Quirks,
    /// The release.
    pub release: Release,
    /// Named option sets of its description.
    pub option_sets: Vec<String>,
    arguments: Vec<String>,
    seed: Option<u64>,
    luthier: PathBuf,
}

/// What a process is told on its command line and in the first lines of its script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mode {
    /// Models are wanted.
    pub models: bool,
    /// Cores are wanted.
    pub cores: bool,
    /// There are several queries, or scopes.
    pub incremental: bool,
    /// The solver is to give up a query after this time and to go on.
    pub query_limit: Option<Duration>,
}

/// Where solvers run, and within which limits.
#[derive(Clone, Copy, Debug)]
pub struct Bench<'a> {
    /// A folder in which solvers run and for their temporary files.
    pub folder: &'a Path,
    /// The core to which they are bound.
    pub core: Option<CoreId>,
    /// The limits of a process with one formula.
    pub limits: Limits,
}

/// A solver on a bench, which can be asked.
#[derive(Clone, Copy, Debug)]
pub struct OnBench<'a> {
    /// The solver.
    pub solver: &'a Solver,
    /// Where it runs.
    pub bench: Bench<'a>,
}

impl Solver {
    /// Finds a release by what people write. Nothing is fetched.
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
        // An option set that it does not have is known now and not in the middle.
        solver.start(Mode::default())?;
        Ok(solver)
    }

    /// How it is started on a file.
    pub fn invocation(&self, file: &Path, mode: Mode) -> Result<Invocation, ReleaseError> {
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

    /// The words of the command that asks it about a file.
    pub fn command_line(&self, file: &str, mode: Mode) -> Vec<String> {
        let Ok(invocation) = self.invocation(file.as_ref(), mode) else { return Vec::new() };
        let arguments = invocation.arguments.iter();
        std::iter::once(invocation.program.display().to_string())
            .chain(arguments.map(|argument| argument.to_string_lossy().into_owned()))
            .collect()
    }

    /// Lines that stand before every script, and again after every reset.
    pub fn lines(&self, mode: Mode) -> Vec<String> {
        self.start(mode).map_or_else(|_| Vec::new(), |found| found.script)
    }

    /// How it is started on a script that it gets as its standard input.
    pub fn start(&self, mode: Mode) -> Result<Invocation, ReleaseError> {
        self.invocation(SCRIPT.as_ref(), mode)
    }

    /// Runs it on a script, as it is, started as [`Self::start`] says.
    pub fn run(invocation: &Invocation, script: Vec<u8>, bench: &Bench<'_>) -> Outcome {
        let command = Command {
            program: invocation.program.clone(),
            arguments: invocation.arguments.clone(),
            stdin: Stdin::Bytes(script),
            working_directory: Some(bench.folder.to_owned()),
            environment: vec![("TMPDIR".into(), bench.folder.into())],
        };
        process::run(&command, &bench.limits, bench.core)
    }

    /// What it said, by what it printed. `requests` are those that stand behind every query.
    pub fn said(&self, output: &[u8], requests: &[Request]) -> ParsedOutput {
        answer::read_with_requests(&self.quirks.replies(output), requests)
    }
}

impl Respondent for OnBench<'_> {
    fn quirks(&self) -> &Quirks {
        &self.solver.quirks
    }

    fn lines(&self, mode: Mode) -> Vec<String> {
        self.solver.lines(mode)
    }

    fn run(&mut self, script: Vec<u8>, mode: Mode, cpu: Duration) -> Outcome {
        let wall = self.bench.limits.wall.0.max(Limits::with_cpu(cpu).wall.0);
        let limits = Limits { cpu: CpuTime(cpu), wall: WallTime(wall), ..self.bench.limits };
        match self.solver.start(mode) {
            Ok(invocation) => Solver::run(&invocation, script, &Bench { limits, ..self.bench }),
            Err(error) => not_run(Ending::NotStarted(error.to_string())),
        }
    }
}

/// The outcome of a process that was not started.
pub fn not_run(ending: Ending) -> Outcome {
    Outcome {
        ending,
        measured: Measured::default(),
        stdout: Default::default(),
        stderr: Default::default(),
    }
}
