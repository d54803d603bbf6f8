//! `luthier merge`: adds the results of databases to another one, each run once.

use std::path::PathBuf;

use clap::Args;
use luthier_store::{MergeSource, Store};
use serde::Serialize;

use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::Output;
use crate::text::counted;

const EXAMPLES: &str = "\
Examples:
  luthier merge all.db machine1.db machine2.db";

/// Add the results of databases to another one
///
/// TARGET is made if it is not there. The others are verified first and not changed; if anything
/// in them is damaged, nothing is merged. What is there already is not
/// added again. A run that is in both and came out differently is counted; the one in TARGET
/// stays. Ends with 0, or with 3 if there are such runs.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The database that is added to
    #[arg(value_name = "TARGET")]
    target: PathBuf,
    /// The databases whose results are added
    #[arg(value_name = "DB", required = true)]
    sources: Vec<PathBuf>,
}

/// The JSON of `luthier merge`.
#[derive(Serialize)]
struct Record {
    version: u32,
    target: String,
    sources: Vec<SourceRecord>,
}

#[derive(Serialize)]
struct SourceRecord {
    database: String,
    campaigns: usize,
    configurations: usize,
    instances: usize,
    labels: usize,
    runs_added: usize,
    runs_already_there: usize,
    runs_that_differ: usize,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    // So that a misspelt name or a damaged source does not leave an empty target, or one that is
    // half done.
    let verified: Vec<MergeSource> =
        arguments.sources.iter().map(MergeSource::open).collect::<Result<_, _>>()?;
    let mut target = Store::open(&arguments.target)?;
    let mut sources = Vec::new();
    for (source, verified) in arguments.sources.iter().zip(&verified) {
        let report = target.merge_source(verified)?;
        sources.push(SourceRecord {
            database: source.display().to_string(),
            campaigns: report.campaigns,
            configurations: report.configurations,
            instances: report.instances,
            labels: report.labels,
            runs_added: report.runs_added,
            runs_already_there: report.runs_already_there,
            runs_that_differ: report.runs_that_differ,
        });
    }
    target.close()?;
    let differ = sources.iter().any(|source| source.runs_that_differ > 0);
    if output.json {
        let target = arguments.target.display().to_string();
        output.json_line(&Record { version: VERSION, target, sources })?;
    } else {
        for source in &sources {
            let added = counted(source.runs_added, "run");
            output.line(format_args!(
                "{}: {added} added on {}, {} already there",
                source.database,
                counted(source.instances, "new instance"),
                source.runs_already_there,
            ))?;
            if source.runs_that_differ > 0 {
                let differ = counted(source.runs_that_differ, "run");
                output.warn(&format!("{differ} came out differently; those in the target stay"));
            }
        }
    }
    Ok(if differ { Ending::Incomplete } else { Ending::Fine })
}
