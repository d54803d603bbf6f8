//! `cargo xtask bench-parse PATH…`: parsing speed of the reader against solvers, on the same files in
//! the same run.
//!
//! CPU time is measured. Ours is the time of the reading thread, in this process; a solver's is
//! the time of its process on the file without its queries, minus its time on an empty file.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use luthier_corpus::{Instance, Options, instances};
use luthier_smtlib::{ReadOptions, read_script};
use luthier_terms::TermPool;
use nix::sys::resource::{UsageWho, getrusage};
use nix::time::{ClockId, clock_gettime};

use super::Ending;
use super::corpus::solvers::{Peer, without_queries};
use crate::output;

#[derive(clap::Args)]
pub struct Arguments {
    /// Files, folders and archives
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// How many files to take, evenly over all
    #[arg(long, default_value_t = 100)]
    files: usize,
    /// A solver: NAME=COMMAND, where {file} stands for the file
    #[arg(
        long = "peer",
        value_name = "NAME=COMMAND",
        default_values = ["z3=z3 {file}", "cvc5=cvc5 --parse-only --lang=smt2.6 {file}"]
    )]
    peers: Vec<Peer>,
    /// Fail if we are not this many times faster than every solver
    #[arg(long)]
    at_least: Option<f64>,
}

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let sample = sample(arguments)?;
    let megabytes = sample.iter().map(|instance| instance.bytes.len()).sum::<usize>() as f64 / 1e6;
    output::data(format!("{} files, {megabytes:.2} MB without their queries\n", sample.len()));
    output::data(
        "| reader | CPU s | MB a second of CPU | we are faster by |\n|---|---:|---:|---:|",
    );
    let ours = our_time(&sample, megabytes);
    let line = |name: &str, time: Duration, ratio: String| {
        let seconds = time.as_secs_f64();
        output::data(format!("| {name} | {seconds:.3} | {:.1} | {ratio} |", megabytes / seconds));
    };
    line("luthier", ours, String::new());
    let folder = tempfile::tempdir()?;
    let empty = folder.path().join("empty.smt2");
    std::fs::write(&empty, b"")?;
    let mut worst = f64::INFINITY;
    for peer in &arguments.peers {
        let mut time = Duration::ZERO;
        let mut start = Duration::ZERO;
        for (number, instance) in sample.iter().enumerate() {
            let file = folder.path().join(format!("{number}.smt2"));
            std::fs::write(&file, &instance.bytes)?;
            time += child_time(peer, &file)?;
            start += child_time(peer, &empty)?;
            std::fs::remove_file(&file)?;
        }
        let time = time.saturating_sub(start).max(Duration::from_millis(1));
        let ratio = time.as_secs_f64() / ours.as_secs_f64();
        worst = worst.min(ratio);
        line(&peer.name, time, format!("{ratio:.1}"));
    }
    let slow = arguments.at_least.is_some_and(|bar| worst < bar);
    Ok(if slow { Ending::Findings } else { Ending::Fine })
}

fn sample(arguments: &Arguments) -> Result<Vec<Instance>, Box<dyn Error>> {
    let total = instances(&arguments.paths, &Options::default()).count();
    let step = (total / arguments.files.max(1)).max(1);
    let mut sample = Vec::new();
    for instance in instances(&arguments.paths, &Options::default()).step_by(step) {
        let Instance { name, bytes } = instance?;
        sample.push(Instance { name, bytes: without_queries(&bytes) });
    }
    if sample.is_empty() {
        return Err("there are no files to read".into());
    }
    Ok(sample)
}

/// Our CPU time for the sample: repeated until it is long enough to measure, and averaged.
fn our_time(sample: &[Instance], megabytes: f64) -> Duration {
    let rounds = (200.0 / megabytes).ceil().max(1.0) as u32;
    let begin = thread_time();
    for _ in 0..rounds {
        for instance in sample {
            let mut pool = TermPool::new();
            let reading = read_script(&mut pool, &instance.bytes, &ReadOptions::default());
            assert!(reading.is_accepted(), "{} is rejected", instance.name);
        }
    }
    (thread_time() - begin) / rounds
}

fn thread_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map(Duration::from).unwrap_or_default()
}

/// The CPU time of a solver on a file.
fn child_time(peer: &Peer, file: &Path) -> Result<Duration, Box<dyn Error>> {
    let before = children_time()?;
    let mut command: Command = peer.command(file);
    command.output().map_err(|error| {
        format!("{} cannot be run: {error}; name another command with --peer", peer.name)
    })?;
    Ok(children_time()?.saturating_sub(before))
}

fn children_time() -> Result<Duration, Box<dyn Error>> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let micros = |time: nix::sys::time::TimeVal| {
        u64::try_from(time.tv_sec() * 1_000_000 + time.tv_usec()).unwrap_or_default()
    };
    Ok(Duration::from_micros(micros(usage.user_time()) + micros(usage.system_time())))
}
