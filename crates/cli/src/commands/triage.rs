//! What the commands of triage share: the solvers that establish answers, reading a formula, and the
//! options for solver processes.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;
use luthier_ask::{ConfigurationSpec, Solver, installable};
use luthier_records::parse_duration;
use luthier_runner::releases::Releases;
use luthier_smtlib::source::Locator;
use luthier_smtlib::{Mode, ReadOptions, Script, read_script};
use luthier_terms::TermPool;
use luthier_triage::{Provers, Trial, Truth, stated_truth};

use super::run::stop_on_signals;
use crate::error::CliError;
use crate::output::Output;

/// The name of our own solver among the releases.
pub const OWN: &str = "luthier";

/// Limits of solver processes.
#[derive(Clone, Debug, Args)]
pub struct ProcessOptions {
    /// Limit on CPU time for a formula in a process of its own
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_duration)]
    pub timeout: Duration,
    /// Parallel solver processes [default: the number of cores]
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    /// Install missing releases
    #[arg(long)]
    pub install: bool,
}

/// Solvers, a folder for them to run in, and the signal to stop.
pub struct Workplace {
    pub provers: Provers,
    pub stop: Arc<AtomicBool>,
    folder: tempfile::TempDir,
    options: ProcessOptions,
}

impl Workplace {
    /// Finds the solvers that establish answers; Ctrl-C and SIGTERM stop what is done here.
    pub fn new(releases: &Releases, options: &ProcessOptions) -> Result<Self, CliError> {
        let folder = tempfile::tempdir().map_err(|error| {
            CliError::usage(format!("there is no temporary folder for solvers to run in: {error}"))
        })?;
        let provers = provers(releases)?;
        let stop = Arc::new(AtomicBool::new(false));
        stop_on_signals(&stop);
        Ok(Self { provers, stop, folder, options: options.clone() })
    }

    /// The answer to a formula: what its file states, or what provers establish.
    pub fn truth(
        &self,
        pool: &mut TermPool,
        script: &Script,
        releases: &Releases,
    ) -> Result<Truth, CliError> {
        match stated_truth(pool, script) {
            Truth::Open => {}
            known => return Ok(known),
        }
        let own = ConfigurationSpec { solver: OWN.to_owned(), ..ConfigurationSpec::default() };
        let own = Solver::find(&own, None, releases)?;
        let answers = self.provers.answers(pool, &[script], &self.trial(&own));
        Ok(answers.into_iter().next().unwrap_or(Truth::Open))
    }

    /// The environment in which candidates are put to a solver.
    pub fn trial<'a>(&'a self, solver: &'a Solver) -> Trial<'a> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Trial {
            solver,
            folder: self.folder.path(),
            jobs: self.options.jobs.unwrap_or(cores).max(1),
            timeout: self.options.timeout,
            query_limit: (self.options.timeout / 10).max(Duration::from_millis(50)),
            batches: true,
            stop: &self.stop,
        }
    }
}

/// The solver of a specification, installed first if that is wanted.
pub fn find_solver(
    text: &str,
    options: &ProcessOptions,
    releases: &Releases,
    output: &mut Output,
) -> Result<Solver, CliError> {
    let spec = ConfigurationSpec::parse(text).map_err(CliError::usage)?;
    if options.install {
        super::solvers::install::ensure(&installable([&spec])?, releases, output)?;
    }
    Ok(Solver::find(&spec, None, releases)?)
}

/// Our own solver, and the newest installed release of every other family.
fn provers(releases: &Releases) -> Result<Provers, CliError> {
    let own = ConfigurationSpec { solver: OWN.to_owned(), ..ConfigurationSpec::default() };
    let own = Solver::find(&own, None, releases).ok();
    let mut others: Vec<Solver> = Vec::new();
    let mut families: Vec<String> = vec![OWN.to_owned()];
    for description in releases.catalogue.descriptions() {
        if families.iter().any(|family| family == description.family()) {
            continue;
        }
        let mut installed = releases.installed(description)?;
        installed.sort_by(|a, b| a.version.cmp(&b.version));
        let Some(newest) = installed.pop() else { continue };
        let solver = Solver::new(newest, Vec::new(), Vec::new(), None, &releases.luthier)?;
        families.push(description.family().to_owned());
        others.push(solver);
    }
    Ok(Provers { own, others })
}

/// A script with at least one query, read from a file or standard input.
pub fn read_formula(
    path: &Path,
    dialect: Option<luthier_smtlib::Dialect>,
) -> Result<(TermPool, Script), CliError> {
    let instance = crate::input::read_one(path)?;
    parse_formula(&instance.name, &instance.bytes, dialect)
}

/// A script with at least one query.
pub fn parse_formula(
    name: &str,
    text: &[u8],
    dialect: Option<luthier_smtlib::Dialect>,
) -> Result<(TermPool, Script), CliError> {
    let mut pool = TermPool::new();
    let reading = read_script(&mut pool, text, &ReadOptions { dialect, mode: Mode::Generous });
    if let Some(error) = reading.errors().next() {
        let rendered = error.render(name, &Locator::new(text));
        return Err(CliError::incomplete(rendered));
    }
    if reading.script.queries().next().is_none() {
        let message = format!("{name}: there is neither an assertion nor a query");
        return Err(CliError::incomplete(message));
    }
    Ok((pool, reading.script))
}
