//! `luthier summary`: what a database says about every solver.

mod findings;
mod print;
mod rows;

use std::path::{Path, PathBuf};

use clap::Args;
use luthier_records::Configuration;
use luthier_report::{ScoredRun, Summary, SummaryBuilder};
use luthier_results::Judge;
use luthier_store::{Store, StoreError};
use serde::Serialize;

use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::Output;

pub use findings::Finding;
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
    configurations: Vec<Configuration>,
    sets: Vec<String>,
    summary: Summary,
    /// The worst first.
    findings: Vec<Finding>,
    instances: usize,
    runs: usize,
    framework_errors: u64,
}

/// The JSON of `luthier summary --findings`.
#[derive(Serialize)]
struct FindingsRecord<'a> {
    version: u32,
    findings: &'a [Finding],
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let results = Results::read(&arguments.database, arguments.vote)?;
    if output.json && arguments.findings {
        output.json_line(&FindingsRecord { version: VERSION, findings: &results.findings })?;
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
        let judge = Judge::new(&store, vote)?;
        let mut builder = SummaryBuilder::new();
        let mut findings = Vec::new();
        let (mut instances, mut runs, mut framework_errors) = (0, 0, 0);
        judge.visit(|instance| -> Result<(), StoreError> {
            instances += instance.places.len();
            for judged in &instance.runs {
                let limit = judge.configurations[judged.configuration].limits.cpu;
                let run = judged.run;
                let scored = ScoredRun::new(
                    run.class,
                    &run.measured,
                    &run.answers,
                    &judged.judgements,
                    limit,
                );
                for _ in &instance.places {
                    builder.add(judged.configuration, instance.set, &scored);
                    runs += 1;
                    framework_errors += u64::from(!scored.is_scored());
                }
            }
            findings::collect(&judge, instance, &mut findings);
            Ok(())
        })?;
        findings.sort_by_key(|finding| finding.kind);
        Ok(Self {
            configurations: judge.configurations.clone(),
            sets: judge.sets.iter().map(|(name, _)| name.clone()).collect(),
            summary: builder.finish(),
            findings,
            instances,
            runs,
            framework_errors,
        })
    }

    /// Whether somebody was wrong.
    pub fn ending(&self) -> Ending {
        if self.findings.iter().any(|finding| finding.kind.is_wrong()) {
            Ending::WrongAnswer
        } else if self.framework_errors > 0 {
            Ending::Incomplete
        } else {
            Ending::Fine
        }
    }
}
