//! `cargo xtask quick`: the tests of a developer's loop, in two minutes on two cores.
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

/// Parts of the names of tests that are left out, each with the reason.
const SLOW: &[(&str, &str)] = &[
    ("never_refuted", "planted models against every engine"),
    ("no_equation_with_a_small_solution_is_refuted", "planted models against every engine"),
    ("no_planted_formula_is_refuted", "planted models against every engine"),
    ("not_substring::", "planted models against every form of not-substring"),
    ("a_million_random_ground_terms_agree", "a million terms, evaluated twice"),
    ("words::", "planted models against the engines of words"),
    ("demo::", "runs real releases"),
    ("hunt::", "hunts with real releases"),
    ("engines::", "every engine on every file of a suite"),
    ("a_hundred_thousand_levels", "terms nested 100,000 deep"),
    ("deep_regular_expressions", "expressions nested 100,000 deep"),
    ("run_resume::", "kills and resumes campaigns"),
    ("run_faults::", "waits for limits of runs"),
    ("run_slurm::", "kills and resumes campaigns on a scripted cluster"),
    ("robustness::many_commands", "a script of 100,000 commands"),
    ("a_hundred_megabytes_take_seconds", "a file of 100 MB"),
    ("solvers::", "installs solver releases"),
    ("solve_limits::", "waits for limits of the solver"),
    ("terminal::", "waits for the status line"),
    ("no_construct_takes_quadratic_time", "measures how times grow"),
    ("variants_have_the_value", "every kind of variant of many formulas"),
];

/// Runs one step after the other until one fails.
pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    if arguments.list {
        for (name, reason) in SLOW {
            output::data(format_args!("{name:<40} {reason}"));
        }
        return Ok(Ending::Fine);
    }
    let mut test = vec!["test", "--workspace", "--release", "--locked", "--tests"];
    test.extend(["--quiet", "--"]);
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

#[cfg(test)]
mod tests {
    use super::SLOW;
    use crate::tidy::{Repository, repository_root};

    /// A name that no test has any more would leave out nothing, and its reason would be untrue.
    #[test]
    fn every_part_of_a_name_is_one_of_a_test() {
        let repository = Repository::read(&repository_root()).unwrap();
        let texts = || repository.texts().iter().filter(|file| file.path.contains("/tests/"));
        for (name, _) in SLOW {
            let (module, function) = name.split_once("::").unwrap_or(("", name));
            let is_there = texts().any(|file| {
                let is_module = module.is_empty() || file.path.ends_with(&format!("/{module}.rs"));
                let functions = file.text.lines().filter(|line| line.starts_with("fn "));
                is_module && functions.into_iter().any(|line| line.contains(function))
            });
            assert!(is_there, "no test has a name with {name}");
        }
    }
}
