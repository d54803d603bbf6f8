//! The text output of a hunt: each finding when it is confirmed, and a table of solvers at the end.

use std::collections::BTreeMap;

use std::path::Path;

use luthier_hunt::{Finding, RewriteTally, Tally};
use luthier_records::FindingKind;
use serde::Serialize;

use super::reduction::ReducedFinding;
use crate::error::CliError;
use crate::output::Output;
use crate::text::clean_text;

/// How many findings there are of each kind, by the names of JSON fields.
pub type Counts = BTreeMap<String, u64>;

/// The counts of all kinds that a hunt looks for.
pub fn counts(found: impl Fn(FindingKind) -> u64) -> Counts {
    FindingKind::hunted().map(|kind| (kind.name().replace('-', "_"), found(kind))).collect()
}

/// The numbers of one solver.
#[derive(Serialize)]
pub struct Row {
    solver: String,
    formulas: u64,
    queries: u64,
    decided: u64,
    sat: u64,
    unsat: u64,
    unknown: u64,
    #[serde(flatten)]
    found: Counts,
    unsupported: u64,
    inexpressible: u64,
    unconfirmed: u64,
    /// The same by what they looked like.
    unconfirmed_by_class: BTreeMap<&'static str, u64>,
    similar: u64,
    /// The terms that it was asked to simplify.
    rewrites: Rewrites,
    cpu_seconds: f64,
    processes: u64,
    /// The limit of a query in a batch that decided most for its time.
    query_limit_ms: u64,
    /// The table: words and numbers.
    #[serde(skip)]
    cells: Vec<(String, u64)>,
}

/// The counts of the rewriter oracle.
#[derive(Serialize)]
struct Rewrites {
    asked: u64,
    read_back: u64,
    compared: u64,
    differences: u64,
    similar: u64,
    unreadable: u64,
    unreadable_by_reason: BTreeMap<String, u64>,
    refused: u64,
    unanswered: u64,
    unanswered_by_ending: BTreeMap<String, u64>,
    inexpressible: u64,
    cpu_seconds: f64,
    processes: u64,
}

impl Rewrites {
    fn of(tally: &RewriteTally) -> Self {
        Self {
            asked: tally.asked,
            read_back: tally.read_back,
            compared: tally.compared,
            differences: tally.differences,
            similar: tally.similar,
            unreadable: tally.unreadable.values().sum(),
            unreadable_by_reason: tally.unreadable.clone(),
            refused: tally.refused,
            unanswered: tally.unanswered.values().sum(),
            unanswered_by_ending: tally.unanswered.clone(),
            inexpressible: tally.inexpressible,
            cpu_seconds: tally.cpu.as_secs_f64(),
            processes: tally.processes,
        }
    }

    /// The rows of the table.
    fn cells(&self) -> [(&'static str, u64); 5] {
        [
            ("terms", self.asked),
            ("  read back", self.read_back),
            ("  compared", self.compared),
            ("  unreadable", self.unreadable),
            ("  differences", self.differences),
        ]
    }
}

/// How much of a text is shown on a line.
const SHOWN: usize = 160;

impl Row {
    /// The row of a solver.
    pub fn of(tally: &Tally) -> Self {
        let answers = [
            ("formulas", tally.asked),
            ("queries", tally.queries),
            ("sat", tally.sat),
            ("unsat", tally.unsat),
            ("unknown", tally.unknown),
        ];
        let kinds = FindingKind::hunted().filter(|kind| *kind != FindingKind::PlantedAgainstModel);
        let found = kinds.map(|kind| (kind.name().replace('-', " "), tally.found(kind)));
        let others = [
            ("unsupported", tally.unsupported),
            ("inexpressible", tally.inexpressible),
            ("unconfirmed", tally.unconfirmed()),
            ("similar", tally.similar),
            ("processes", tally.processes),
        ];
        let named = |(name, count): (&str, u64)| (name.to_owned(), count);
        let terms = Rewrites::of(&tally.rewrites).cells();
        let cells = answers.map(named).into_iter().chain(found).chain(others.map(named));
        let cells = cells.chain(terms.map(named));
        Self {
            solver: tally.solver.clone(),
            formulas: tally.asked,
            queries: tally.queries,
            decided: tally.decided(),
            sat: tally.sat,
            unsat: tally.unsat,
            unknown: tally.unknown,
            found: counts(|kind| tally.found(kind)),
            unsupported: tally.unsupported,
            inexpressible: tally.inexpressible,
            unconfirmed: tally.unconfirmed(),
            unconfirmed_by_class: tally
                .unconfirmed
                .iter()
                .map(|(class, count)| (class.name(), *count))
                .collect(),
            similar: tally.similar,
            rewrites: Rewrites::of(&tally.rewrites),
            cpu_seconds: tally.cpu.as_secs_f64(),
            processes: tally.processes,
            query_limit_ms: u64::try_from(tally.query_limit.as_millis()).unwrap_or(u64::MAX),
            cells: cells.collect(),
        }
    }
}

/// One column for each solver: there are more numbers than solvers.
pub fn print(rows: &[Row], output: &mut Output) -> Result<(), CliError> {
    let names: Vec<String> = rows.iter().map(|row| clean_text(&row.solver).into_owned()).collect();
    let width = |name: &String| name.chars().count().max(8);
    let paint = output.paint;
    let mut head = format!("{:15}", "");
    for name in &names {
        head.push_str(&format!("  {name:>width$}", width = width(name)));
    }
    output.line(paint.bold(&head))?;
    let Some(first) = rows.first() else { return Ok(()) };
    for (place, (label, _)) in first.cells.iter().enumerate() {
        let mut line = format!("{label:15}");
        for (name, row) in names.iter().zip(rows) {
            line.push_str(&format!("  {:>width$}", row.cells[place].1, width = width(name)));
        }
        output.line(line)?;
    }
    Ok(())
}

/// Two lines for a finding.
pub fn print_finding(
    finding: &Finding,
    file: &Path,
    reduced: Option<&ReducedFinding>,
    output: &mut Output,
) -> Result<(), CliError> {
    let paint = output.paint;
    let class = match finding.class.is_solver_error() {
        true => paint.error(finding.class.name()),
        false => paint.warning(finding.class.name()),
    };
    let truth = match finding.class {
        FindingKind::WrongSat | FindingKind::WrongUnsat => {
            format!(", but it is {}", finding.truth.answer())
        }
        _ => String::new(),
    };
    let expert = if finding.expert_options { " (expert options)" } else { "" };
    let solver = format!("{}{expert}", clean_text(&finding.solver));
    let said = shortened(&finding.said);
    output.line(format_args!("{class} {solver} ({}): {said}{truth}", finding.operation))?;
    let nodes = match reduced.map(|one| one.nodes) {
        Some([before, after]) => format!(" (reduced from {before} to {after} nodes)"),
        None => String::new(),
    };
    let file = clean_text(&file.display().to_string()).replace('\n', " ");
    output.line(format_args!("    {file}{nodes}"))
}

fn shortened(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = clean_text(&words.join(" ")).into_owned();
    if text.chars().count() <= SHOWN {
        return text;
    }
    let head: String = text.chars().take(SHOWN).collect();
    format!("{head}…")
}
