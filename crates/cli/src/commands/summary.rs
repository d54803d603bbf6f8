//! `luthier summary`: findings and scores of a database, set by set.
//!
//! The solvers of a set are ordered by rank, the virtual best solver comes last, and a last group
//! has the totals over all sets. Ranks and the virtual best are those of
//! [`measures::standings`], as on pages and in documents. Judgements are recomputed from the stored
//! facts.

mod findings;
mod print;
mod rows;

use std::path::{Path, PathBuf};

use clap::Args;
use luthier_report::View;
use luthier_report::measures::{self, Competitor, Finding, Findings, Standing};
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

/// Show wrong answers and the ranking of solvers in a database
///
/// Findings come first, each with a command that reproduces it. Then one table: the solvers of each
/// set by rank (mean PAR2), the virtual best solver, and the totals over all sets. Judgements are
/// recomputed from the stored facts: planted answers, models that the referee checked, labels, the
/// status of trusted files, agreement of independent solvers, in this order. With --json it prints
/// an array with one object per configuration and set. Ends with 0 if no answer is wrong, with 2 if
/// one is, and with 3 if runs failed by a fault of Luthier or of the machine.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The database
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// List all findings, not only the first 5 of each kind
    #[arg(long)]
    all: bool,
    /// Only the findings: wrong answers, invalid models and cores, disputes
    #[arg(long)]
    findings: bool,
    /// Show the majority verdict of solver families where no evidence decides
    #[arg(long)]
    vote: bool,
}

/// Options of the text output.
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
    groups: Vec<Group>,
    findings: Findings,
}

/// The solvers on one set, or on all of them together.
struct Group {
    /// The set, as an index; `None` for all sets.
    set: Option<usize>,
    /// Files at their places.
    instances: usize,
    /// By rank, then the virtual best. Only solvers that have runs here.
    standings: Vec<Standing>,
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
        let view = View::all(&judged);
        let findings = measures::findings(&view, usize::MAX);
        let sets = view.by_set();
        let mut groups: Vec<Group> =
            sets.iter().map(|(set, part)| Group::new(Some(*set), part)).collect();
        groups.retain(|group| !group.standings.is_empty());
        groups.push(Group::new(None, &view));
        Ok(Self { store, groups, findings, judged })
    }

    /// The groups of single sets, by name, and that of all sets.
    fn sets_and_total(&self) -> (&[Group], Option<&Group>) {
        let sets = self.groups.iter().take_while(|group| group.set.is_some()).count();
        (&self.groups[..sets], self.groups.get(sets))
    }

    /// The exit code that the findings ask for.
    pub fn ending(&self) -> Ending {
        let is_failed = |standing: &Standing| standing.score.framework_error > 0;
        let has_failed = self.groups.iter().flat_map(|group| &group.standings).any(is_failed);
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

impl Group {
    fn new(set: Option<usize>, view: &View<'_>) -> Self {
        let mut standings = measures::by_rank(measures::standings(view));
        standings.retain(|standing| standing.score.total > 0);
        Self { set, instances: view.entries.len(), standings }
    }

    /// The standing of a solver here, if it has runs.
    fn of(&self, competitor: Competitor) -> Option<&Standing> {
        self.standings.iter().find(|standing| standing.competitor == competitor)
    }

    /// How many solvers have runs here.
    fn solvers(&self) -> usize {
        self.standings
            .iter()
            .filter(|standing| standing.competitor != Competitor::VirtualBest)
            .count()
    }
}
