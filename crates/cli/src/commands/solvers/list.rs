//! `luthier solvers list`: installed releases, those on the search path, and known solvers.

use std::sync::Arc;

use clap::Args;
use luthier_runner::releases::{Description, Origin, Release, ReleaseError, Releases};
use serde::Serialize;

use super::place;
use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::Output;
use crate::text::clean_name;

const EXAMPLES: &str = "\
Examples:
  luthier solvers list
  luthier solvers list --available z3
  luthier solvers list --json";

/// List installed releases and known solvers
///
/// Ends with 0, or with 3 if pip cannot say what is available.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Only these solvers [default: all]
    #[arg(value_name = "SOLVER")]
    solvers: Vec<String>,
    /// Query pip for releases that could be installed
    #[arg(long)]
    available: bool,
}

/// The JSON of `luthier solvers list`.
#[derive(Serialize)]
struct Record {
    version: u32,
    /// The folder of the installed releases.
    folder: String,
    solvers: Vec<SolverRecord>,
}

#[derive(Serialize)]
struct SolverRecord {
    name: String,
    title: String,
    /// Whether `luthier solvers install` can fetch it.
    installable: bool,
    /// How to come by it otherwise.
    get_it: Option<String>,
    releases: Vec<ReleaseRecord>,
    /// The versions that pip finds; `null`: it was not asked, or could not say.
    available: Option<Vec<String>>,
    /// Why something about this solver is not known.
    problems: Vec<String>,
}

#[derive(Serialize)]
struct ReleaseRecord {
    name: String,
    version: Option<String>,
    /// `installed` or `search-path`.
    origin: &'static str,
    path: String,
    dialect: String,
    option_sets: Vec<String>,
    sha256: Option<String>,
}

/// Runs the command.
pub fn run(
    arguments: &Arguments,
    releases: &Releases,
    output: &mut Output,
) -> Result<Ending, CliError> {
    let known = releases.catalogue.descriptions();
    let wanted: Vec<&Arc<Description>> = match &arguments.solvers[..] {
        [] => known.iter().collect(),
        names => {
            let found: Result<Vec<_>, _> =
                names.iter().map(|name| releases.catalogue.get(name)).collect();
            found?
        }
    };
    let solvers: Vec<SolverRecord> =
        wanted.into_iter().map(|one| solver_record(one, releases, arguments)).collect();
    let is_complete = solvers.iter().all(|solver| solver.problems.is_empty());
    let folder = releases.cache.folder().display().to_string();
    let record = Record { version: VERSION, folder, solvers };
    if output.json {
        output.json_line(&record)?;
    } else {
        print(&record, output)?;
    }
    Ok(if is_complete { Ending::Fine } else { Ending::Incomplete })
}

fn solver_record(
    description: &Arc<Description>,
    releases: &Releases,
    arguments: &Arguments,
) -> SolverRecord {
    let mut problems = Vec::new();
    let mut problem = |error: ReleaseError| problems.push(error.to_string());
    let mut found = releases.installed(description).unwrap_or_else(|error| {
        problem(error);
        Vec::new()
    });
    for release in &found {
        if let Err(error) = releases.check(release) {
            problem(error);
        }
    }
    match releases.on_path(description) {
        Ok(on_path) => found.extend(on_path),
        Err(error) => problem(error),
    }
    let mut available = None;
    if arguments.available && description.install.is_some() {
        match releases.available(&description.name) {
            Ok(versions) => {
                available = Some(versions.iter().map(ToString::to_string).collect());
            }
            Err(error) => problem(error),
        }
    }
    SolverRecord {
        name: description.name.clone(),
        title: description.title.clone(),
        installable: description.install.is_some(),
        get_it: description.get_it.clone(),
        releases: found.iter().map(release_record).collect(),
        available,
        problems,
    }
}

fn release_record(release: &Release) -> ReleaseRecord {
    ReleaseRecord {
        // On the search path it goes by the name of its solver.
        name: match release.origin {
            Origin::SearchPath => release.description.name.clone(),
            Origin::Installed | Origin::Path => release.label(),
        },
        version: release.version.as_ref().map(ToString::to_string),
        origin: match release.origin {
            Origin::Installed => "installed",
            Origin::SearchPath => "search-path",
            Origin::Path => "path",
        },
        path: place(release),
        dialect: release.dialect().to_owned(),
        option_sets: release.option_sets().map(|(name, _)| name.to_owned()).collect(),
        sha256: release.sha256().ok(),
    }
}

fn print(record: &Record, output: &mut Output) -> Result<(), CliError> {
    for solver in &record.solvers {
        let heading = output.paint.bold(&clean_name(&solver.title));
        output.line(heading)?;
        for release in &solver.releases {
            let version = release.version.as_deref().unwrap_or("version not known");
            let origin = match release.origin {
                "installed" => "installed",
                _ => "on the search path",
            };
            let name = clean_name(&release.name);
            let sets = match &release.option_sets[..] {
                [] => String::new(),
                sets => format!("; options: {}", sets.join(", ")),
            };
            let path = clean_name(&release.path);
            output.line(format_args!("  {name:<14} {version:<8} {origin}: {path}{sets}"))?;
        }
        if solver.releases.is_empty() {
            output.line(match (&solver.get_it, solver.installable) {
                (_, true) => {
                    format!("  not here; luthier solvers install {}@latest fetches it", solver.name)
                }
                (Some(get_it), false) => format!("  not here; {}", clean_name(get_it)),
                (None, false) => format!("  not here; name it as {}=PATH", solver.name),
            })?;
        }
        if let Some(available) = &solver.available {
            output.line(format_args!("  available: {}", available.join(", ")))?;
        }
        for problem in &solver.problems {
            output.warn(&format!("{}: {problem}", solver.title));
        }
    }
    Ok(())
}
