//! The command line of `luthier run`.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use luthier_ask::{ConfigurationSpec, dialect_named};
use luthier_campaign::suites::SUITES;
use luthier_campaign::{Experiment, Order, SetSpec, Shard, TrackSpec};
use luthier_corpus::sets::Sets;
use luthier_records::{Bytes, Cores};
use luthier_records::{parse_bytes, parse_duration};
use luthier_slurm::SlurmOptions;
use luthier_smtlib::Dialect;

use crate::commands::serve::DEFAULT_ADDRESS;
use crate::error::CliError;

const EXAMPLES: &str = "\
Examples:
  luthier run --suite demo --solver z3 --solver cvc5@1.4.2
  luthier run --bench woorpje.tar.gz --solver z3@4.8.9+z3str3 --timeout 10s --db woorpje.db
  luthier run --set kaluza --set norn --labels norn.tsv --solver luthier --db sets.db
  luthier run experiment.toml --on slurm --partition long --task-time 1h";

/// Run solvers on instances and check every answer
///
/// Runs are stored in a database; the same command resumes an interrupted campaign. Timeouts are in
/// CPU time. Each instance is read once and translated into the dialect of every solver; the
/// referee checks every model. A file EXPERIMENT.toml has the same settings as the options, which
/// override it (docs/experiments.md). Ends with 0 if no answer is wrong, with 2 if one is, and with
/// 3 if runs are missing or failed by a fault of Luthier or of the machine.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// A file with the settings of the experiment
    #[arg(value_name = "EXPERIMENT.toml")]
    file: Option<PathBuf>,
    /// Instances: a file, a folder or an archive; each is a set
    #[arg(long, value_name = "PATH")]
    bench: Vec<PathBuf>,
    /// A benchmark set by its name: `luthier bench list`
    #[arg(long = "set", value_name = "NAME")]
    named_set: Vec<String>,
    /// The files of a selection: `luthier bench select`
    #[arg(long, value_name = "FILE")]
    selection: Vec<PathBuf>,
    // The help names every suite that there is.
    #[arg(long, value_name = "NAME", help = suites_help())]
    suite: Vec<String>,
    /// A release and its options: z3@5.4.0, z3@4.8.9+z3str3, "z3 smt.x=1"
    #[arg(long, value_name = "SOLVER", value_parser = solver)]
    solver: Vec<ConfigurationSpec>,
    /// Limit on CPU time per run [default: 10s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    timeout: Option<Duration>,
    /// Limit on wall time per run [default: twice the CPU time and 10s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, hide_short_help = true)]
    wall_timeout: Option<Duration>,
    /// Limit on memory per run [default: 4GB]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    memory: Option<Bytes>,
    /// Parallel runs [default: half of the cores]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Maximal number of instances per set
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// With --limit: a random sample by the seed, not the first instances
    #[arg(long)]
    sample: bool,
    /// Only the instances of one shard of several, by content: 3/8
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Random seed of solvers; several make several configurations
    #[arg(long, value_name = "N")]
    seed: Vec<u64>,
    /// Repetitions per run
    #[arg(long, hide_short_help = true, value_name = "N")]
    repeat: Option<u32>,
    /// Order of the runs: instances, solvers or random
    #[arg(long, value_name = "ORDER", value_parser = order, hide_short_help = true)]
    order: Option<Order>,
    /// Read instances in this dialect instead of detecting it
    #[arg(long, value_name = "DIALECT", value_parser = dialect_named, hide_short_help = true)]
    dialect: Option<Dialect>,
    /// Do not request models
    #[arg(long)]
    no_models: bool,
    /// When to request unsat cores: never, where-planted or always
    #[arg(long, value_name = "WHEN", value_parser = cores)]
    cores: Option<Cores>,
    /// Check every model with this solver, too
    #[arg(long, value_name = "SOLVER")]
    verify_with: Vec<String>,
    /// Check unsat cores with this solver [default: the others]
    #[arg(long, value_name = "SOLVER", hide_short_help = true)]
    confirm_cores_with: Vec<String>,
    /// Labels (expected answers): TSV or CSV with columns path and label
    #[arg(long, value_name = "FILE")]
    labels: Vec<PathBuf>,
    /// Do not use (set-info :status ...) as evidence
    #[arg(long, hide_short_help = true)]
    distrust_status: bool,
    /// Show the majority verdict where no evidence decides
    #[arg(long, hide_short_help = true)]
    pub vote: bool,
    /// Database for the results [default: luthier.db]
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
    /// Serve pages of the results until Ctrl-C [default: 127.0.0.1:8081]
    #[arg(long, value_name = "ADDR", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = DEFAULT_ADDRESS, conflicts_with = "list")]
    pub serve: Option<SocketAddr>,
    /// Print configurations, sets and the number of runs; run nothing
    #[arg(long)]
    pub list: bool,
    /// Run on a cluster, as job arrays: slurm (docs/slurm.md)
    #[arg(long, value_name = "CLUSTER", hide_possible_values = true)]
    #[arg(conflicts_with_all = ["list", "serve"])]
    on: Option<ClusterKind>,
    /// With --on: the partition of the jobs
    #[arg(long, value_name = "NAME", requires = "on", hide_short_help = true)]
    partition: Option<String>,
    /// With --on: the account of the jobs
    #[arg(long, value_name = "NAME", requires = "on", hide_short_help = true)]
    account: Option<String>,
    /// With --on: limit on the wall time of a task [default: that of --task-time, and some minutes]
    #[arg(long, value_name = "TIME", requires = "on", hide_short_help = true)]
    #[arg(value_parser = parse_duration)]
    time: Option<Duration>,
    /// With --on: pack as many runs into a task as take this long if each takes all its CPU time
    /// [default: 30min]
    #[arg(long, value_name = "TIME", requires = "on", hide_short_help = true)]
    #[arg(value_parser = parse_duration)]
    task_time: Option<Duration>,
    /// With --on: a further option of sbatch, such as --sbatch=--constraint=epyc
    #[arg(long, value_name = "OPTION", requires = "on", hide_short_help = true)]
    #[arg(allow_hyphen_values = true)]
    sbatch: Vec<String>,
    /// With --on: submit and end; the same command collects the results later
    #[arg(long, requires = "on", hide_short_help = true)]
    detach: bool,
    /// Install missing releases
    #[arg(long)]
    pub install: bool,
    /// Repeat runs that failed by a fault of Luthier or of the machine
    #[arg(long, hide_short_help = true)]
    pub retry_errors: bool,
}

/// Clusters on which a campaign can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ClusterKind {
    /// Job arrays of Slurm
    Slurm,
}

impl Arguments {
    /// How it is run on a cluster; `None`: on this machine.
    pub fn slurm(&self) -> Result<Option<SlurmOptions>, CliError> {
        let Some(ClusterKind::Slurm) = self.on else { return Ok(None) };
        let default = SlurmOptions::default();
        let task_time = self.task_time.unwrap_or(default.task_time);
        if task_time.is_zero() {
            return Err(CliError::usage("--task-time must be more than nothing"));
        }
        Ok(Some(SlurmOptions {
            partition: self.partition.clone(),
            account: self.account.clone(),
            time: self.time,
            task_time,
            sbatch: self.sbatch.clone(),
            detach: self.detach,
        }))
    }

    /// The experiment that they describe.
    pub fn experiment(&self) -> Result<Experiment, CliError> {
        let mut experiment = match &self.file {
            Some(path) if path.is_dir() => {
                return Err(CliError::usage(format!(
                    "{}: expected a file that describes an experiment, found a folder",
                    path.display()
                ))
                .with_hint("name the instances in a folder with --bench PATH"));
            }
            Some(path) => Experiment::read(path)?,
            None => Experiment::default(),
        };
        self.require_different_sets()?;
        experiment.sets.extend(self.sets());
        experiment.selections.extend(self.selection.iter().cloned());
        experiment.resolve_sets(Sets::of_user)?;
        experiment.configurations.extend(self.solver.iter().cloned());
        let names: Vec<String> = experiment.sets.iter().map(|set| set.name.clone()).collect();
        for set in &mut experiment.sets {
            let concerns = |table: &&PathBuf| {
                let is_of = |name: &String| is_table_of(table, name);
                is_of(&set.name) || !names.iter().any(is_of)
            };
            let labels: Vec<PathBuf> = self.labels.iter().filter(concerns).cloned().collect();
            for track in &mut set.tracks {
                track.labels.extend(labels.iter().cloned());
            }
        }
        if self.distrust_status {
            experiment.sets.iter_mut().for_each(|set| set.trust_status = false);
        }
        set(&mut experiment.cpu_limit, self.timeout);
        set(&mut experiment.memory_limit, self.memory);
        set(&mut experiment.repetitions, self.repeat);
        set(&mut experiment.order, self.order);
        set(&mut experiment.cores, self.cores);
        experiment.wall_limit = self.wall_timeout.or(experiment.wall_limit);
        experiment.jobs = self.jobs.or(experiment.jobs);
        experiment.limit = self.limit.or(experiment.limit);
        experiment.shard = self.shard.or(experiment.shard);
        experiment.dialect = self.dialect.or(experiment.dialect);
        experiment.database = self.db.clone().or(experiment.database);
        experiment.sample |= self.sample;
        experiment.models &= !self.no_models;
        if !self.seed.is_empty() {
            experiment.seeds.clone_from(&self.seed);
        }
        experiment.verify_with.extend(self.verify_with.iter().cloned());
        experiment.confirm_cores_with.extend(self.confirm_cores_with.iter().cloned());
        if experiment.sets.is_empty() {
            return Err(CliError::usage("there is nothing to run on")
                .with_hint("name instances with --bench PATH, --set NAME or --suite demo"));
        }
        if experiment.configurations.is_empty() {
            return Err(CliError::usage("there is no solver to run").with_hint(
                "name solvers with --solver, such as --solver z3@5.4.0; `luthier solvers list` \
                 shows those that are there",
            ));
        }
        Ok(experiment)
    }

    /// A set that is known by its name has its own files, and no others.
    fn require_different_sets(&self) -> Result<(), CliError> {
        let others: Vec<String> = self
            .bench
            .iter()
            .map(|path| set_name(path))
            .chain(self.suite.iter().cloned())
            .collect();
        match self.named_set.iter().find(|name| others.contains(name)) {
            Some(name) => Err(CliError::usage(format!("there are two sets `{name}`"))
                .with_hint("a path or a suite has the same name as the set of --set")),
            None => Ok(()),
        }
    }

    /// One set for each path and suite; files that are named themselves share one.
    fn sets(&self) -> Vec<SetSpec> {
        let mut sets: Vec<SetSpec> = Vec::new();
        let mut add = |name: String, path: Option<PathBuf>, suite: Option<String>| {
            let position = sets.iter().position(|set| set.name == name);
            let position = position.unwrap_or_else(|| {
                let tracks = vec![TrackSpec::default()];
                sets.push(SetSpec { name, tracks, trust_status: true });
                sets.len() - 1
            });
            let track = &mut sets[position].tracks[0];
            track.paths.extend(path);
            track.suites.extend(suite);
        };
        for path in &self.bench {
            add(set_name(path), Some(path.clone()), None);
        }
        for name in &self.named_set {
            add(name.clone(), None, None);
        }
        for suite in &self.suite {
            add(suite.clone(), None, Some(suite.clone()));
        }
        sets
    }
}

fn set<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}

/// Whether a table is named after a set: `norn.tsv`, `norn.labels.tsv.zst`. Files of different sets
/// often have the same names, so that such a table must not label those of another set.
fn is_table_of(table: &Path, set: &str) -> bool {
    let name = table.file_name().unwrap_or_default().to_string_lossy();
    name.strip_prefix(set).is_some_and(|rest| rest.starts_with('.'))
}

/// A folder or an archive gives a set its name.
pub fn set_name(path: &Path) -> String {
    // Of `.` and `..` the name is known only when it is known where we are.
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    if path.is_dir() {
        return name;
    }
    let endings = [".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.zst", ".tzst"];
    let stem = endings.iter().rev().find_map(|ending| name.strip_suffix(ending));
    stem.map_or_else(|| "files".to_owned(), str::to_owned)
}

fn suites_help() -> String {
    let names: Vec<&str> = SUITES.iter().map(|suite| suite.name).collect();
    format!("Built-in instances: {}", names.join(", "))
}

fn solver(text: &str) -> Result<ConfigurationSpec, String> {
    ConfigurationSpec::parse(text)
}

fn order(text: &str) -> Result<Order, String> {
    named(text, &Order::ALL, Order::name)
}

fn cores(text: &str) -> Result<Cores, String> {
    named(text, &Cores::ALL, Cores::name)
}

fn named<T: Copy>(text: &str, all: &[T], name: fn(T) -> &'static str) -> Result<T, String> {
    let found = all.iter().copied().find(|one| name(*one) == text);
    found.ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|one| name(*one)).collect();
        format!("there is {}", names.join(", "))
    })
}
