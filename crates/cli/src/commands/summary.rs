//! `luthier summary`: what a database says about every solver.

mod findings;
mod print;
mod rows;

use std::path::{Path, PathBuf};

use clap::Args;
use luthier_report::measures::{self, Finding, Findings};
use luthier_report::{Summary, SummaryBuilder, View};
use luthier_results::{load, load_with_vote};
use luthier_store::{Store, StoreError};
use serde::Serialize;

use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::Output;

use findings::FindingRecord;
pub use rows::Row;

const EXAMPLES: &str = "\
Examples:
  luthier summary results.db
  luthier summary results.db --all
  luthier summary results.db --findings --json";

/// Show the scores in a database, and who was wrong.
///
/// Answers are judged anew from the stored facts: by the planted answer, by models that Luthier
/// checked, by the status of trusted files, by agreement of independent solvers, in this order.
/// With --json it prints an array with one object per configuration and set. Ends with 0 if nobody
/// was wrong, with 2 if somebody was, and with 3 if runs failed by our fault.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The database
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// List all wrong answers, not only the first
    #[arg(long)]
    all: bool,
    /// Only the findings: wrong answers, invalid models and cores, conflicts
    #[arg(long)]
    findings: bool,
    /// Show the majority where nothing better decides
    #[arg(long)]
    vote: bool,
}

/// What is printed for people.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shown {
    /// All findings and not only the first.
    pub all: bool,
    /// No table.
    pub only_findings: bool,
}

/// Everything in a database, judged.
pub struct Results {
    store: Store,
    judged: luthier_report::Results,
    summary: Summary,
    findings: Findings,
}

/// The JSON of `luthier summary --findings`.
#[derive(Serialize)]
struct FindingsRecord<'a> {
    version: u32,
    findings: &'a [FindingRecord],
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let results = Results::read(&arguments.database, arguments.vote)?;
    if output.json && arguments.findings {
        let findings = results.records(&results.findings.list)?;
        output.json_line(&FindingsRecord { version: VERSION, findings: &findings })?;
    } else if output.json {
        output.json_line(&results.rows())?;
    } else {
        let shown = Shown { all: arguments.all, only_findings: arguments.findings };
        results.print(&arguments.database, shown, output)?;
    }
    Ok(results.ending())
}

impl Results {
    /// Reads and judges a database.
    pub fn read(database: &Path, vote: bool) -> Result<Self, CliError> {
        let store = Store::open_read_only(database)?;
        let judged = if vote { load_with_vote(&store)? } else { load(&store)? };
        let mut builder = SummaryBuilder::new();
        for entry in &judged.entries {
            let set = judged.set_of(entry);
            entry.judged.runs.iter().for_each(|run| builder.add(run.solver, set, &run.scored));
        }
        let findings = measures::findings(&View::all(&judged), usize::MAX);
        Ok(Self { store, summary: builder.finish(), findings, judged })
    }

    /// Whether somebody was wrong.
    pub fn ending(&self) -> Ending {
        let has_failed = self.summary.rows.iter().any(|row| row.score.framework_error > 0);
        if self.findings.has_wrong() {
            Ending::WrongAnswer
        } else if has_failed {
            Ending::Incomplete
        } else {
            Ending::Fine
        }
    }

    /// What the database has about these findings.
    fn records(&self, findings: &[Finding]) -> Result<Vec<FindingRecord>, CliError> {
        let record = |finding| FindingRecord::read(&self.store, &self.judged, finding);
        Ok(findings.iter().map(record).collect::<Result<_, StoreError>>()?)
    }
}
