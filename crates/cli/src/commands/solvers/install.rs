//! `luthier solvers install`: fetches releases into the cache.

use clap::Args;
use luthier_runner::releases::{InstallStep, Installed, ReleaseError, ReleaseName, Releases};
use serde::Serialize;

use super::{ending, release_name};
use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::{self, Output};
use crate::text::clean_name;

const EXAMPLES: &str = "\
Examples:
  luthier solvers install z3@latest
  luthier solvers install z3@5.4.0 z3@4.8.9 cvc5@1.4.2 cvc4@1.6";

/// Fetch releases of solvers with pip.
///
/// A release that is there already is not fetched again. Ends with 0 if all releases are there
/// now, with 1 if none is, and with 3 if some are.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The releases, such as z3@5.4.0 or z3@latest
    #[arg(value_name = "SOLVER@VERSION", required = true, value_parser = release_name)]
    releases: Vec<ReleaseName>,
}

/// The JSON of `luthier solvers install`.
#[derive(Serialize)]
struct Record {
    version: u32,
    releases: Vec<ReleaseRecord>,
}

#[derive(Default, Serialize)]
struct ReleaseRecord {
    name: String,
    /// `installed`, `present` (it was there before) or `failed`.
    result: &'static str,
    folder: Option<String>,
    package: Option<String>,
    sha256: Option<String>,
    error: Option<String>,
    hint: Option<String>,
}

/// Runs the command.
pub fn run(
    arguments: &Arguments,
    releases: &Releases,
    output: &mut Output,
) -> Result<Ending, CliError> {
    let mut records = Vec::new();
    for name in &arguments.releases {
        let record = match fetch(name, releases) {
            Ok(installed) => {
                let record = ReleaseRecord::of(&installed);
                if !output.json {
                    print(&record, output)?;
                    output.flush()?;
                }
                record
            }
            Err(error) => {
                let (message, hint) = (error.to_string(), error.hint());
                // Several releases may fail for several reasons, so each complaint has a name.
                let complaint = CliError::usage(format!("{name}: {message}"));
                output.complain(&match &hint {
                    Some(hint) => complaint.with_hint(hint),
                    None => complaint,
                });
                ReleaseRecord {
                    name: name.to_string(),
                    result: "failed",
                    error: Some(message),
                    hint,
                    ..ReleaseRecord::default()
                }
            }
        };
        records.push(record);
    }
    let failed = records.iter().filter(|record| record.result == "failed").count();
    let done = records.len() - failed;
    if output.json {
        output.json_line(&Record { version: VERSION, releases: records })?;
    }
    Ok(ending(done, failed))
}

/// Installs a release with progress on the terminal.
pub fn fetch(name: &ReleaseName, releases: &Releases) -> Result<Installed, ReleaseError> {
    let shows_progress = output::can_show_progress();
    let mut step = |step: InstallStep| {
        if shows_progress {
            output::progress(&format!("{name}: {}", words(&step)));
        }
    };
    let result = releases.install(name, &mut step);
    if shows_progress {
        output::progress("");
    }
    result
}

/// Installs those of these releases that are missing.
pub fn ensure(names: &[ReleaseName], releases: &Releases, output: &Output) -> Result<(), CliError> {
    for name in names {
        if releases.resolve(name).is_err() {
            let installed = fetch(name, releases)?;
            output.talk(format_args!("installed {}", installed.manifest.label()));
        }
    }
    Ok(())
}

impl ReleaseRecord {
    fn of(installed: &Installed) -> Self {
        let manifest = &installed.manifest;
        Self {
            name: manifest.label(),
            result: if installed.fresh { "installed" } else { "present" },
            folder: Some(installed.folder.display().to_string()),
            package: Some(manifest.wheel.clone()),
            sha256: Some(manifest.sha256.clone()),
            error: None,
            hint: None,
        }
    }
}

fn words(step: &InstallStep) -> &'static str {
    match step {
        InstallStep::Resolving => "asking pip which release is the newest …",
        InstallStep::Downloading => "fetching …",
        InstallStep::Unpacking => "unpacking …",
        InstallStep::Checking => "checking that it runs …",
    }
}

fn print(record: &ReleaseRecord, output: &mut Output) -> Result<(), CliError> {
    let word = match record.result {
        "installed" => output.paint.good("installed:"),
        _ => output.paint.good("already there:"),
    };
    let folder = record.folder.as_deref().unwrap_or_default();
    output.line(format_args!("{word} {} in {}", record.name, clean_name(folder)))
}
