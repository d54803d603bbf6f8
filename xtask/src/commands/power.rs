//! `cargo xtask power`: a benchmark of hunting power, over versions of the hunter.
//!
//! Each hunter (a binary of Luthier) hunts each release with each seed for the same CPU time, that of its
//! whole process tree, so that hunts on a busy machine are comparable. What it finds wrong is clustered by
//! the present binary: a cluster is one likely fault of the release, so their number is what a hunter is
//! worth. Hunters take turns release by release and seed by seed. Everything is kept in the folder `--out`;
//! what is there is not done again, so that a measurement that was stopped goes on.
//!
//! Limits: `luthier cluster` may put two faults into one cluster or split one (docs/clusters.md), for all
//! hunters alike. Wrong rewrites are counted by operator, since there is nothing to cluster.

mod clusters;
mod hunts;
mod record;

use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;

use luthier_records::parse_duration;

use super::Ending;
use crate::output;
use hunts::Hunter;
use record::Row;

/// The releases that a hunter is measured on: old ones that are known to be wrong somewhere.
const RELEASES: [&str; 12] = [
    "z3@4.8.5",
    "z3@4.8.9",
    "z3@4.8.12",
    "z3@4.13.4",
    "z3@4.15.4",
    "z3@4.16.0",
    "z3@5.0.0",
    "cvc4@1.6",
    "cvc5@1.0.9",
    "cvc5@1.1.2",
    "cvc5@1.2.1",
    "cvc5@1.3.0",
];

#[derive(clap::Args)]
pub struct Arguments {
    /// A hunter, as NAME=PATH of a binary of Luthier; repeatable, the first one is what others are compared with
    #[arg(long = "luthier", value_name = "NAME=PATH", default_values = ["present=target/release/luthier"])]
    hunters: Vec<String>,
    /// The binary that clusters what every hunter finds
    #[arg(long, value_name = "PATH", default_value = "target/release/luthier")]
    cluster_with: PathBuf,
    /// A release, which must be installed; repeatable
    #[arg(long = "release", value_name = "RELEASE", default_values = RELEASES)]
    releases: Vec<String>,
    /// A seed; repeatable
    #[arg(long = "seed", value_name = "N", default_values_t = [1, 2])]
    seeds: Vec<u64>,
    /// CPU time of one hunt: of the hunter and its solvers together
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = parse_duration)]
    cpu: Duration,
    /// Further arguments for `luthier hunt`, as it would be written; repeatable
    #[arg(long = "argument", value_name = "ARGUMENT", default_values = ["--no-reduce", "--jobs=1"], allow_hyphen_values = true)]
    arguments: Vec<String>,
    /// Wall-clock time for clustering the findings of one hunter in one release
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = parse_duration)]
    cluster_time: Duration,
    /// Where everything is kept; what is there already is not done again
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// On what it is measured, and what else goes on there, for the record
    #[arg(long, value_name = "TEXT", default_value = "not recorded")]
    machine: String,
    /// Write the record of the measurement to this file, in the form of results/
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let hunters: Vec<Hunter> =
        arguments.hunters.iter().map(|text| Hunter::parse(text)).collect::<Result<_, String>>()?;
    for (place, hunter) in hunters.iter().enumerate() {
        if hunters[..place].iter().any(|other| other.name == hunter.name) {
            return Err(format!("two hunters are called {}", hunter.name).into());
        }
    }
    let binary = arguments.cluster_with.canonicalize().map_err(|error| {
        format!("{}: {error}; build it, or name another", arguments.cluster_with.display())
    })?;
    let mut rows: Vec<Row> = Vec::new();
    for release in &arguments.releases {
        let mut hunts = vec![Vec::new(); hunters.len()];
        for &seed in &arguments.seeds {
            for (hunter, done) in hunters.iter().zip(&mut hunts) {
                let folder = hunts::folder(&arguments.out, release, hunter, seed);
                let hunt = hunts::hunt(hunter, release, seed, arguments, &folder)?;
                output::talk(format_args!(
                    "{release}, seed {seed}, {}: {} wrong answers in {:.0} CPU seconds",
                    hunter.name, hunt.wrong_answers, hunt.cpu_seconds
                ));
                done.push(hunt);
            }
        }
        for (hunter, done) in hunters.iter().zip(hunts) {
            let folders: Vec<PathBuf> = arguments
                .seeds
                .iter()
                .map(|&seed| hunts::folder(&arguments.out, release, hunter, seed))
                .collect();
            let joined = hunts::release_folder(&arguments.out, release, hunter);
            let clusters = clusters::cluster(&binary, &joined, &folders, arguments.cluster_time)?;
            rows.push(Row::new(release, &hunter.name, &done, &clusters));
        }
    }
    let names: Vec<&str> = hunters.iter().map(|hunter| hunter.name.as_str()).collect();
    let record = record::record(&rows, &names, arguments);
    output::data(record.text());
    if let Some(path) = &arguments.write {
        std::fs::write(path, record.toml())?;
    }
    Ok(Ending::Fine)
}
