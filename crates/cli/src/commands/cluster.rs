//! `luthier cluster`: the failures of a hunt or a campaign, grouped by their likely root cause.
//!
//! Causes and groups are computed in `luthier-triage`; this module finds the failures and their solvers,
//! distributes them over processor cores, remembers known clusters and prints the result.

mod input;
mod known;
mod print;
mod record;
mod work;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use luthier_records::parse_duration;
use luthier_triage::cluster::{group, wrong_applications};

use super::triage::{ProcessOptions, Workplace};
use super::user_releases;
use crate::error::{CliError, Ending};
use crate::output::Output;
use crate::whole_file::WholeFile;
use known::KnownClusters;
use record::Report;
use work::Work;

const EXAMPLES: &str = "\
Examples:
  luthier cluster hunt-0
  luthier cluster hunt-0 --known known.toml --remember --out bugs
  luthier cluster results.db --releases --json";

/// Group failures by likely root cause
///
/// The input is the folder of a hunt, or a database with failing runs: wrong verdicts, invalid
/// models and cores, contradictions, crashes. Each failure is traced to an application of an
/// operator that the solver evaluates wrongly, or reduced and traced to the operators of its
/// minimal formula; failures with the same cause form a cluster (docs/clusters.md). The smallest
/// formula of each cluster is shown, and written to the folder --out. Ctrl-C leaves the clusters of
/// what was examined so far. Ends with 0, or with 3 if some failures could not be examined.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The folder of a hunt, or a database
    #[arg(value_name = "HUNT|DB")]
    input: PathBuf,
    /// Ask this release with its options instead of the one that each failure names
    #[arg(long, value_name = "SOLVER")]
    solver: Option<String>,
    /// A file with known clusters, which are marked; made by --remember
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
    /// Add the clusters that are not known yet to the file --known
    #[arg(long, requires = "known")]
    remember: bool,
    /// Write the smallest formula of each cluster into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Observe all installed releases of the solver on every minimal formula, and split clusters
    /// that they tell apart
    #[arg(long)]
    releases: bool,
    /// Wall-clock time, after which what is not examined yet is left out
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    time: Option<Duration>,
    /// Wall-clock time for the reduction of one failure
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_duration)]
    reduce_time: Duration,
    #[command(flatten)]
    process: ProcessOptions,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let started = Instant::now();
    let mut known = match &arguments.known {
        Some(path) => KnownClusters::read(path, arguments.remember)?,
        None => KnownClusters::default(),
    };
    if let Some(folder) = &arguments.out {
        require_empty(folder)?;
    }
    let releases = user_releases()?;
    let input = input::read(&arguments.input)?;
    let workplace = Workplace::new(&releases, &arguments.process)?;
    let limits = work::Times {
        deadline: arguments.time.map(|time| started + time),
        reduction: arguments.reduce_time,
    };
    let mut work = Work::new(&input.failures, &workplace, &releases, limits);
    work.find_solvers(arguments.solver.as_deref(), &arguments.process, output)?;
    let (places, mut members, unexamined) = work.examine();
    if arguments.releases {
        work.observe_releases(&mut members)?;
    }
    let profiles = work.profiles(&wrong_applications(&members));
    let clusters = group(&members, &profiles);
    let mut report = Report::new(&input, &places, &members, clusters, unexamined, &known);
    for (number, cluster) in report.clusters.iter_mut().enumerate() {
        let place = cluster.cluster.members[0];
        let smallest = work.smallest(&mut members[place]);
        cluster.set_smallest(number + 1, smallest, arguments.out.as_deref())?;
    }
    report.seconds = started.elapsed().as_secs_f64();
    if arguments.remember
        && let Some(path) = &arguments.known
    {
        known.remember(&report.clusters);
        known.write(path)?;
    }
    if let Some(folder) = &arguments.out {
        write_report(folder, &report)?;
    }
    if output.json {
        output.json_line(&report)?;
    } else {
        print::print(&report, output)?;
    }
    Ok(if report.unexamined.is_empty() { Ending::Fine } else { Ending::Incomplete })
}

/// Writes what `--json` prints to `clusters.json`, which `luthier serve --clusters` shows.
fn write_report(folder: &std::path::Path, report: &Report) -> Result<(), CliError> {
    let mut text = serde_json::to_vec(report)
        .map_err(|error| CliError::Bug { message: format!("no JSON for the clusters: {error}") })?;
    text.push(b'\n');
    let mut file = WholeFile::create(&folder.join("clusters.json"))?;
    file.write(&text)?;
    file.finish()
}

/// A folder for results must not have files of another run.
fn require_empty(folder: &std::path::Path) -> Result<(), CliError> {
    let failed = |error: std::io::Error| CliError::usage(format!("{}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(failed)?;
    if std::fs::read_dir(folder).map_err(failed)?.next().is_some() {
        let message = format!("{}: is not empty", folder.display());
        return Err(CliError::usage(message).with_hint("name another folder, or empty this one"));
    }
    Ok(())
}
