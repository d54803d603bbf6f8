//! `luthier demo`: a small campaign from installation to summary, with real releases on the suite
//! `demo`; offline and without any solver, with Luthier's own.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use luthier_ask::ConfigurationSpec;
use luthier_campaign::{Experiment, SetSpec, TrackSpec};
use luthier_runner::releases::{ReleaseName, Releases};

use super::run::{RunOptions, finish, run_experiment};
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

/// Try it out: fetch solver releases, run a small suite, judge the answers
///
/// Fetches up to three releases with pip unless they are installed, runs the suite `demo` on them
/// with 2 s of CPU time per run, and prints findings and ranking. A release that cannot be fetched
/// is left out; solvers on the search path take its place. With --offline nothing is fetched, and
/// if there is no solver at all, Luthier's own solver is run. Ends with 0 also if a solver is wrong,
/// which is expected of the old release, and with 3 if something is missing.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Fetch nothing; without any solver, run Luthier's own
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
        let hint = format!(
            "`{} demo --offline` runs Luthier's own solver without a network; or put z3 or cvc5 on \
             the search path",
            our_name()
        );
        return Err(
            CliError::usage("there is no solver to run, and none could be fetched").with_hint(hint)
        );
    }
    let names = solvers.join(", ");
    output.message(format_args!("running the suite `demo` on {names}, 2 s of CPU time per run"));
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
    let ran = run_experiment(experiment, &releases, RunOptions::default(), output)?;
    let ending = finish(&ran, false, output)?;
    if !output.json {
        let db = shell_words::quote(&arguments.db.to_string_lossy()).into_owned();
        let luthier = our_name();
        output.message(format_args!(
            "\nlook further:\n  \
             {luthier} serve {db}\n    the results in a browser\n  \
             {luthier} summary {db} --all\n    all findings\n  \
             {luthier} show {db} 1\n    one run, with its input, answers and judgements\n  \
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

/// The releases of the demonstration that are there, or solvers on the search path; offline and
/// without any of these, our own solver.
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
            if !description.itself && matches!(releases.on_path(description), Ok(Some(_))) {
                found.push(description.name.clone());
            }
        }
        match (found.len(), offline) {
            (0, true) => {
                let own = releases.catalogue.descriptions().iter().find(|one| one.itself);
                found.extend(own.map(|description| description.name.clone()));
                output.message(
                    "no solver is installed or on the search path: Luthier's own solver is run, as \
                     a process like any other; with z3 on the search path it solves more",
                );
            }
            (0, false) => {}
            (there, _) => {
                output
                    .message(format_args!("going on with {}", counted(there, "available solver")));
            }
        }
    }
    found
}
