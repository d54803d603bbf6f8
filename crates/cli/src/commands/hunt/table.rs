//! A hunt for people: findings as they come, and a table at the end.

use std::collections::BTreeMap;

use std::path::Path;

use luthier_hunt::{Finding, FindingClass, Tally};
use serde::Serialize;

use crate::error::CliError;
use crate::output::Output;
use crate::text::clean_text;

/// The numbers of one solver.
#[derive(Serialize)]
pub struct Row {
    solver: String,
    formulas: u64,
    sat: u64,
    unsat: u64,
    unknown: u64,
    wrong_sat: u64,
    wrong_unsat: u64,
    invalid_model: u64,
    invalid_core: u64,
    contradiction: u64,
    crash: u64,
    incomplete: u64,
    slow: u64,
    unsupported: u64,
    inexpressible: u64,
    unconfirmed: u64,
    /// The same by what they looked like.
    unconfirmed_by_class: BTreeMap<&'static str, u64>,
    similar: u64,
    cpu_seconds: f64,
    processes: u64,
}

/// How much of a text is shown on a line.
const SHOWN: usize = 160;

impl Row {
    /// The row of a solver.
    pub fn of(tally: &Tally) -> Self {
        Self {
            solver: tally.solver.clone(),
            formulas: tally.asked,
            sat: tally.sat,
            unsat: tally.unsat,
            unknown: tally.unknown,
            wrong_sat: tally.found(FindingClass::WrongSat),
            wrong_unsat: tally.found(FindingClass::WrongUnsat),
            invalid_model: tally.found(FindingClass::InvalidModel),
            invalid_core: tally.found(FindingClass::InvalidCore),
            contradiction: tally.found(FindingClass::Contradiction),
            crash: tally.found(FindingClass::Crash),
            incomplete: tally.found(FindingClass::Incomplete),
            slow: tally.found(FindingClass::Slow),
            unsupported: tally.unsupported,
            inexpressible: tally.inexpressible,
            unconfirmed: tally.unconfirmed(),
            unconfirmed_by_class: tally
                .unconfirmed
                .iter()
                .map(|(class, count)| (class.name(), *count))
                .collect(),
            similar: tally.similar,
            cpu_seconds: tally.cpu.as_secs_f64(),
            processes: tally.processes,
        }
    }

    fn cells(&self) -> [String; 17] {
        [
            self.formulas,
            self.sat,
            self.unsat,
            self.unknown,
            self.wrong_sat,
            self.wrong_unsat,
            self.invalid_model,
            self.invalid_core,
            self.contradiction,
            self.crash,
            self.incomplete,
            self.slow,
            self.unsupported,
            self.inexpressible,
            self.unconfirmed,
            self.similar,
            self.processes,
        ]
        .map(|count| count.to_string())
    }
}

/// The words beside the numbers.
const NAMES: [&str; 17] = [
    "formulas",
    "sat",
    "unsat",
    "unknown",
    "wrong sat",
    "wrong unsat",
    "invalid models",
    "invalid cores",
    "contradictions",
    "crashes",
    "incomplete",
    "slow",
    "unsupported",
    "inexpressible",
    "unconfirmed",
    "similar",
    "processes",
];

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
    let cells: Vec<[String; 17]> = rows.iter().map(Row::cells).collect();
    for (place, label) in NAMES.iter().enumerate() {
        let mut line = format!("{label:15}");
        for (name, cells) in names.iter().zip(&cells) {
            line.push_str(&format!("  {:>width$}", cells[place], width = width(name)));
        }
        output.line(line)?;
    }
    Ok(())
}

/// Two lines for a finding.
pub fn print_finding(finding: &Finding, file: &Path, output: &mut Output) -> Result<(), CliError> {
    let paint = output.paint;
    let class = match finding.class.is_wrong() {
        true => paint.error(finding.class.name()),
        false => paint.warning(finding.class.name()),
    };
    let truth = match finding.class {
        FindingClass::WrongSat | FindingClass::WrongUnsat => {
            format!(", but it is {}", finding.truth.answer())
        }
        _ => String::new(),
    };
    let solver = clean_text(&finding.solver);
    let said = shortened(&finding.said);
    output.line(format_args!("{class} {solver} ({}): {said}{truth}", finding.operation))?;
    output.line(format_args!("    {}", clean_text(&file.display().to_string()).replace('\n', " ")))
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
