//! The releases under test: those that were named, or all that are installed or on the search path.

use luthier_ask::Solver;
use luthier_runner::releases::{ConfigurationName, Release, ReleaseError, ReleaseName, Releases};

use crate::error::CliError;
use crate::output::{self, Output};

/// A release with option sets that is examined.
pub struct Examinee {
    /// What it was called on the command line.
    pub given: String,
    /// What it is: solver, version and option sets.
    pub label: String,
    /// Who is asked.
    pub solver: Solver,
}

/// Who can be examined, and why others cannot.
pub struct Found {
    /// Who can be examined; at least one.
    pub examinees: Vec<Examinee>,
    /// A name and a reason for each that cannot.
    pub problems: Vec<(String, String)>,
}

/// Finds releases. Those that are named and not here are fetched if `install` is set.
pub fn find(
    names: &[ConfigurationName],
    install: bool,
    output: &Output,
) -> Result<Found, CliError> {
    let luthier = std::env::current_exe().map_err(|error| CliError::Bug {
        message: format!("the path of this program is not known: {error}"),
    })?;
    let releases = Releases::of_user(luthier).map_err(CliError::from)?;
    let resolved = match names {
        [] => all_here(&releases)?,
        names => names
            .iter()
            .map(|name| {
                let found = resolve(&releases, &name.release, install);
                (name.to_string(), name.option_sets.clone(), found)
            })
            .collect(),
    };
    let mut found = Found { examinees: Vec::new(), problems: Vec::new() };
    for (given, option_sets, release) in resolved {
        let examinee = release
            .map_err(CliError::from)
            .and_then(|release| examinee(given.clone(), option_sets, release, &releases));
        match examinee {
            Ok(examinee) => found.examinees.push(examinee),
            Err(error) => {
                output.report_error(&error);
                found.problems.push((given, error.to_string()));
            }
        }
    }
    tell_apart(&mut found.examinees);
    match found.examinees.is_empty() {
        false => Ok(found),
        true => Err(CliError::usage("there is no release to examine").with_hint(
            "luthier solvers list shows what is here; --install fetches releases that are named",
        )),
    }
}

/// Two programs that say they are the same release are called as they were named.
fn tell_apart(examinees: &mut [Examinee]) {
    let labels: Vec<String> = examinees.iter().map(|one| one.label.clone()).collect();
    for examinee in examinees {
        if labels.iter().filter(|label| **label == examinee.label).count() > 1 {
            examinee.label.clone_from(&examinee.given);
        }
    }
}

type Resolved = (String, Vec<String>, Result<Release, ReleaseError>);

/// All releases that are installed or on the search path.
fn all_here(releases: &Releases) -> Result<Vec<Resolved>, CliError> {
    let mut found = Vec::new();
    for description in releases.catalogue.descriptions() {
        // Oldest first, so that a table can be read as a history.
        for release in releases.installed(description)?.into_iter().rev() {
            let checked = releases.check(&release);
            found.push((release.label(), Vec::new(), checked.map(|()| release)));
        }
        let name = description.name.clone();
        match releases.on_path(description) {
            Ok(on_path) => {
                found.extend(on_path.map(|release| (name, Vec::new(), Ok(release))));
            }
            Err(error) => found.push((name, Vec::new(), Err(error))),
        }
    }
    Ok(found)
}

fn resolve(
    releases: &Releases,
    name: &ReleaseName,
    install: bool,
) -> Result<Release, ReleaseError> {
    match releases.resolve(name) {
        Err(ReleaseError::NotInstalled { .. }) if install => {
            let shows_progress = output::can_show_progress();
            if shows_progress {
                output::progress(&format!("{name}: fetching …"));
            }
            let installed = releases.install(name, &mut |_| {});
            if shows_progress {
                output::progress("");
            }
            installed?;
            releases.resolve(name)
        }
        found => found,
    }
}

fn examinee(
    given: String,
    option_sets: Vec<String>,
    release: Release,
    releases: &Releases,
) -> Result<Examinee, CliError> {
    let solver = Solver::new(release, option_sets, Vec::new(), None, &releases.luthier)?;
    Ok(Examinee { given, label: solver.name.clone(), solver })
}
