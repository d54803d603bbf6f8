//! `luthier export --site`: the pages as files for any web server.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use luthier_corpus::sets::Catalogue;
use luthier_records::{Bytes, Configuration, ParsedOutput};
use luthier_runner::answer;
use luthier_web::{Reproduction, SiteError, SiteOptions, SiteProgress, SolverAccess, export_site};
use serde::Serialize;

use crate::commands::run::stop_on_signals;
use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::Output;
use crate::progress::Line;
use crate::text::counted;

/// The JSON of `luthier export --site`.
#[derive(Serialize)]
struct Summary {
    version: u32,
    folder: String,
    files: usize,
    bytes: u64,
    changed: usize,
    removed: usize,
    instances: usize,
    runs: usize,
    seconds: f64,
}

/// Writes the site.
pub fn run(
    database: &Path,
    folder: &Path,
    clusters: Option<&Path>,
    output: &mut Output,
) -> Result<Ending, CliError> {
    let start = Instant::now();
    let stop = Arc::new(AtomicBool::new(false));
    stop_on_signals(&stop);
    let options = SiteOptions {
        database: database.to_owned(),
        folder: folder.to_owned(),
        clusters: clusters.map(Path::to_owned),
        catalogue: Catalogue::of_user()?,
        jobs: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
    };
    let mut line = Line::new();
    let access = Arc::new(Readers::new(database));
    let exported = export_site(&options, access, &stop, |progress| line.show(|| words(progress)));
    line.clear();
    let exported = exported?;
    let summary = Summary {
        version: VERSION,
        folder: folder.display().to_string(),
        files: exported.files,
        bytes: exported.bytes,
        changed: exported.changed,
        removed: exported.removed,
        instances: exported.instances,
        runs: exported.runs,
        seconds: start.elapsed().as_secs_f64(),
    };
    if output.json {
        output.json_line(&summary)?;
    } else {
        output.message(format_args!(
            "{}: {}, {}, {} changed and {} removed, {:.1} s",
            summary.folder,
            counted(summary.files, "file"),
            Bytes(summary.bytes),
            summary.changed,
            summary.removed,
            summary.seconds,
        ));
    }
    Ok(Ending::Fine)
}

fn words(progress: SiteProgress) -> String {
    match progress {
        SiteProgress::Reading => "reading the database".to_owned(),
        SiteProgress::Examining { done, all } => {
            format!("{done} of {} examined", counted(all, "content"))
        }
        SiteProgress::Pages { done, known } => {
            format!("{done} of {}", counted(known, "page and file"))
        }
        SiteProgress::Instances { done, all } => format!("{done} of {}", counted(all, "instance")),
    }
}

impl From<SiteError> for CliError {
    fn from(error: SiteError) -> Self {
        match error {
            SiteError::Stopped => Self::incomplete(error.to_string()),
            SiteError::Page { .. } => Self::Bug { message: error.to_string() },
            _ => Self::usage(error.to_string()),
        }
    }
}

/// What a site says about solvers: nothing about this machine, since others read it on theirs.
struct Readers {
    /// The name of the database without its folder.
    database: String,
}

impl Readers {
    fn new(database: &Path) -> Self {
        let name = database.file_name().map(|name| name.to_string_lossy().into_owned());
        Self { database: name.unwrap_or_else(|| "results.db".to_owned()) }
    }
}

impl SolverAccess for Readers {
    /// The command for somebody who has the database and the release.
    fn reproduce(&self, run: i64, configuration: &Configuration) -> Reproduction {
        let show = ["luthier", "show", &self.database, &run.to_string(), "--copy"];
        let mut solver = vec![configuration.solver.clone()];
        let arguments = configuration.arguments.iter();
        solver.extend(arguments.map(|argument| argument.replace("{file}", "/dev/stdin")));
        let version = configuration.version.as_deref().unwrap_or("unknown");
        let note = format!(
            "with the database {}, and with {} of version {version}, whose program has the SHA-256 {}",
            self.database, configuration.solver, configuration.program_digest
        );
        let command = format!("{} | {}", shell_words::join(show), shell_words::join(&solver));
        Reproduction { command, note: Some(note) }
    }

    fn read_output(&self, output: &[u8]) -> ParsedOutput {
        answer::read(output)
    }
}
