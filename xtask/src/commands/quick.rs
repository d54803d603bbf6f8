//! `cargo xtask quick`: the tests of a developer's loop, in under two minutes on two cores.
//!
//! Format, rules of the repository, and all unit and integration tests but those of [`SLOW`]: tests
//! that wait for solvers, limits or large amounts of random input. They run in the profile and with
//! the features of the README's test command, so that neither builds again what the other one built.
//! `.ci/run` runs everything.

use std::error::Error;
use std::process::Command;
use std::time::Instant;

use super::Ending;
use crate::output;
use crate::tidy::repository_root;

/// Arguments of `quick`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Run only tests whose names contain this
    filter: Option<String>,
    /// List what is left out
    #[arg(long)]
    list: bool,
}

/// Modules of tests that are left out, each with the reason.
const SLOW: &[(&str, &str)] = &[];

/// Runs one step after the other until one fails.
pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    if arguments.list {
        for (name, reason) in SLOW {
            output::data(format_args!("{name:<40} {reason}"));
        }
        return Ok(Ending::Fine);
    }
    let mut test = vec!["test", "--workspace", "--release", "--locked", "--lib", "--bins"];
    test.extend(["--test", "all", "--quiet", "--"]);
    test.extend(&arguments.filter.as_deref());
    test.extend(SLOW.iter().flat_map(|(name, _)| ["--skip", name]));
    let steps: [(&str, &[&str]); 2] = [("format", &["fmt", "--all", "--check"]), ("tests", &test)];
    let started = Instant::now();
    for (name, step) in steps {
        let begun = Instant::now();
        let status = Command::new("cargo").current_dir(repository_root()).args(step).status()?;
        output::talk(format_args!("quick: {name} took {:.0} s", begun.elapsed().as_secs_f64()));
        if !status.success() {
            return Ok(Ending::Findings);
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    output::talk(format_args!("quick: all fine after {seconds:.0} s; .ci/run runs everything"));
    Ok(Ending::Fine)
}
