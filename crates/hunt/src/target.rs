//! A release with options, as the one that is hunted.

use std::path::{Path, PathBuf};
use std::time::Duration;

use luthier_campaign::{CampaignError, ConfigurationSpec};
use luthier_records::{Bytes, Ending, Measured};
use luthier_runner::process::{self, Command, Limits, Outcome, Stdin};
use luthier_runner::releases::{ConfigurationName, Invocation, Release, Releases, Request};
use luthier_smtlib::Dialect;

/// Solvers read their script from here: a file in memory, so that none is left behind.
const SCRIPT: &str = "/dev/stdin";
/// Enough for every small formula, and small enough for several at a time.
const MEMORY: Bytes = Bytes::mebibytes(2048);

/// A solver that is hunted.
#[derive(Clone, Debug)]
pub struct Target {
    /// What it is called: `z3@4.8.9+z3str3`.
    pub name: String,
    /// The dialect that it reads and writes.
    pub dialect: Dialect,
    release: Release,
    option_sets: Vec<String>,
    arguments: Vec<String>,
    luthier: PathBuf,
}

/// What is asked of a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asking {
    /// Cores are wanted.
    pub cores: bool,
    /// There are several queries, or scopes.
    pub incremental: bool,
    /// The solver is to give up a query after this time.
    pub query_limit: Option<Duration>,
}

impl Target {
    /// Finds a release by what people write: a name with option sets, then arguments. Nothing is
    /// fetched.
    pub fn find(text: &str, releases: &Releases) -> Result<Self, CampaignError> {
        let spec = ConfigurationSpec::parse(text).map_err(CampaignError::Inconsistent)?;
        let name: ConfigurationName =
            spec.solver.parse().map_err(|error| CampaignError::Inconsistent(format!("{error}")))?;
        let release = releases.resolve(&name.release)?;
        let dialect: Dialect = release.dialect().parse().map_err(|error| {
            let label = release.label();
            CampaignError::Inconsistent(format!("the description of {label} is wrong: {error}"))
        })?;
        let mut shown = release.label();
        for set in &name.option_sets {
            shown.push_str(&format!("+{set}"));
        }
        for argument in &spec.arguments {
            shown.push_str(&format!(" {argument}"));
        }
        let target = Self {
            name: shown,
            dialect,
            release,
            option_sets: name.option_sets,
            arguments: spec.arguments,
            luthier: releases.luthier.clone(),
        };
        // An option set that it does not have is known now and not in the middle.
        target.invocation(SCRIPT.as_ref(), Asking::default())?;
        Ok(target)
    }

    /// How it is started.
    pub(crate) fn invocation(
        &self,
        file: &Path,
        asking: Asking,
    ) -> Result<Invocation, CampaignError> {
        let request = Request {
            models: true,
            cores: asking.cores,
            incremental: asking.incremental,
            query_limit: asking.query_limit,
            option_sets: self.option_sets.clone(),
            arguments: self.arguments.clone(),
            ..Request::default()
        };
        Ok(self.release.invocation(&self.luthier, file, &request)?)
    }

    /// The words of the command that asks it about a file.
    pub(crate) fn command_line(&self, file: &str, asking: Asking) -> Vec<String> {
        let Ok(invocation) = self.invocation(file.as_ref(), asking) else { return Vec::new() };
        let arguments = invocation.arguments.iter();
        std::iter::once(invocation.program.display().to_string())
            .chain(arguments.map(|argument| argument.to_string_lossy().into_owned()))
            .collect()
    }

    /// Lines that stand before every script, and again after every `(reset)`.
    pub(crate) fn script_lines(&self, asking: Asking) -> Vec<String> {
        self.invocation(SCRIPT.as_ref(), asking).map_or_else(|_| Vec::new(), |found| found.script)
    }

    /// Runs it on a script with this much CPU time.
    pub(crate) fn run(
        &self,
        script: Vec<u8>,
        asking: Asking,
        cpu: Duration,
        folder: &Path,
    ) -> Outcome {
        let invocation = match self.invocation(SCRIPT.as_ref(), asking) {
            Ok(invocation) => invocation,
            Err(error) => return not_started(error.to_string()),
        };
        let command = Command {
            program: invocation.program,
            arguments: invocation.arguments,
            stdin: Stdin::Bytes(script),
            working_directory: Some(folder.to_owned()),
            environment: vec![("TMPDIR".into(), folder.into())],
        };
        let limits = Limits { memory: MEMORY, ..Limits::with_cpu(cpu) };
        process::run(&command, &limits, None)
    }
}

fn not_started(cause: String) -> Outcome {
    Outcome {
        ending: Ending::NotStarted(cause),
        measured: Measured::default(),
        stdout: Default::default(),
        stderr: Default::default(),
    }
}
