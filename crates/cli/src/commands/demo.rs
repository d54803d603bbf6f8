//! `luthier demo`: the whole way once, with real releases on formulas of our own.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use luthier_ask::ConfigurationSpec;
use luthier_campaign::{Experiment, SetSpec, TrackSpec};
use luthier_runner::releases::{ReleaseName, Releases};

use super::run::{finish, run_experiment};
use super::solvers::install;
use super::{our_name, user_releases};
use crate::error::{CliError, Ending};
use crate::output::Output;
use crate::text::counted;

const EXAMPLES: &str = "\
Examples:
  luthier demo
  luthier demo --offline";

/// A recent release of either family, and one that is known to be wrong sometimes.
const RELEASES: [&str; 3] = ["z3@5.4.0", "cvc5@1.4.2", "z3@4.8.0"];

/// See it work: fetch solver releases, run a small suite, judge the answers.
///
/// Fetches up to three releases with pip unless they are there, runs the suite `demo` on them for
/// two seconds a formula, and shows who was wrong. What cannot be fetched is left out; solvers on
/// the search path take its place. Ends with 0 or 2 like `luthier run`: that an old release is
/// caught with a wrong answer is part of the show, so that counts as 0.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Fetch nothing
    #[arg(long)]
    offline: bool,
    /// The file for the results
    #[arg(long, value_name = "FILE", default_value = "luthier-demo.db")]
    db: PathBuf,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let releases = user_releases()?;
    let solvers = solvers(arguments.offline, &releases, output);
    if solvers.is_empty() {
        return Err(CliError::usage("there is no solver to run, and none could be fetched")
            .with_hint("connect to the network, or put z3 or cvc5 on the search path"));
    }
    let names = solvers.join(", ");
    output.talk(format_args!("running the suite `demo` on {names}, 2 s of CPU time a run"));
    let experiment = Experiment {
        sets: vec![SetSpec {
            name: "demo".to_owned(),
            tracks: vec![TrackSpec { suites: vec!["demo".to_owned()], ..TrackSpec::default() }],
            trust_status: true,
        }],
        configurations: solvers
            .iter()
            .map(|solver| ConfigurationSpec { solver: solver.clone(), ..Default::default() })
            .collect(),
        cpu_limit: Duration::from_secs(2),
        database: Some(arguments.db.clone()),
        ..Experiment::default()
    };
    let ran = run_experiment(experiment, &releases, false, output)?;
    let ending = finish(&ran, false, output)?;
    if !output.json {
        let db = shell_words::quote(&arguments.db.to_string_lossy()).into_owned();
        let luthier = our_name();
        output.talk(format_args!(
            "\nlook further:\n  \
             {luthier} summary {db} --all\n    everything that was found\n  \
             {luthier} show {db} 1\n    one run with all that is known about it\n  \
             {luthier} conformance --solver z3@5.4.0\n    one release, operator by operator\n  \
             {luthier} run --bench FOLDER --solver z3@5.4.0 --solver cvc5@1.4.2\n    \
             your own benchmarks"
        ));
    }
    Ok(match ending {
        Ending::WrongAnswer => Ending::Fine,
        ending => ending,
    })
}

/// The releases of the demonstration that are there, or solvers on the search path.
fn solvers(offline: bool, releases: &Releases, output: &Output) -> Vec<String> {
    let mut found = Vec::new();
    let mut missing = 0;
    for name in RELEASES {
        let Ok(release) = name.parse::<ReleaseName>() else { continue };
        if releases.resolve(&release).is_err() {
            let fetched = match offline {
                true => Err("not fetched".to_owned()),
                false => install::fetch(&release, releases).map_err(|error| error.to_string()),
            };
            if let Err(problem) = fetched {
                output.warn(&format!("{name} is left out: {problem}"));
                missing += 1;
                continue;
            }
        }
        found.push(name.to_owned());
    }
    if missing > 0 {
        for description in releases.catalogue.descriptions() {
            if let Ok(Some(_)) = releases.on_path(description) {
                found.push(description.name.clone());
            }
        }
        let there = counted(found.len(), "solver");
        output.talk(format_args!("going on with {there} that are there"));
    }
    found
}
