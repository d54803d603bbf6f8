//! `cargo xtask contest DB`: solved satisfiable and unsatisfiable instances of each set by solver, as
//! tables for the documents.
//!
//! The figures are those of `luthier_report::measures::by_answer`. Expected answers come from the
//! database: `luthier run --labels` puts them there.

use std::error::Error;
use std::path::PathBuf;

use luthier_records::{FindingKind, Verdict};
use luthier_report::View;
use luthier_report::measures::{AnswerCell, by_answer};
use luthier_store::Store;

use super::Ending;
use crate::output;

#[derive(clap::Args)]
pub struct Arguments {
    /// The database of a campaign
    database: PathBuf,
}

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let results = luthier_results::load(&Store::open_read_only(&arguments.database)?)?;
    let view = View::all(&results);
    let labels = view.solvers.iter().map(|&solver| results.solvers[solver].label.as_str());
    let labels: Vec<&str> = labels.collect();
    for (title, answer) in [("satisfiable", Verdict::Sat), ("unsatisfiable", Verdict::Unsat)] {
        output::data(format!("| set | {title} | {} |", labels.join(" | ")));
        output::data(format!("|---|---:|{}", "---:|".repeat(labels.len())));
        let mut instances = 0;
        let mut all = vec![AnswerCell::default(); labels.len()];
        for row in by_answer(&view, answer) {
            let cells: Vec<String> = row.cells.iter().map(cell).collect();
            let set = &results.sets[row.set].name;
            output::data(format!("| {set} | {} | {} |", row.instances, cells.join(" | ")));
            instances += row.instances;
            for (sum, one) in all.iter_mut().zip(&row.cells) {
                sum.merge(one);
            }
        }
        let cells: Vec<String> = all.iter().map(cell).collect();
        output::data(format!("| all | {instances} | {} |", cells.join(" | ")));
        let times: Vec<String> =
            all.iter().map(|one| format!("{:.0} s", one.cpu.as_secs_f64())).collect();
        output::data(format!("| CPU time | | {} |\n", times.join(" | ")));
    }
    Ok(Ending::Fine)
}

fn cell(one: &AnswerCell) -> String {
    let invalid = FindingKind::InvalidModel;
    let faults =
        [(one.wrong(), "wrong".to_owned()), (one.count(invalid), invalid.title().to_lowercase())];
    let faults: Vec<String> = faults
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    match faults.is_empty() {
        true => one.solved.to_string(),
        false => format!("{} ({})", one.solved, faults.join(", ")),
    }
}
