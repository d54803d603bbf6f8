//! `cargo xtask contest DB --labels TABLE…`: who solved how many of the satisfiable and of the
//! unsatisfiable files of each set, as a table for the documents.
//!
//! A file is what its label says; without one, what a checked model or other evidence of the
//! database proves. Answers against that are counted as wrong, never as solved. Only files that
//! every configuration has run count, so that all are asked the same.

use std::error::Error;
use std::path::PathBuf;

use luthier_records::{Class, Evidence, Verdict};
use luthier_report::{Entry, Results, SetInfo};
use luthier_store::Store;

use super::Ending;
use crate::labels::Labels;
use crate::output;

#[derive(clap::Args)]
pub struct Arguments {
    /// The database of a campaign
    database: PathBuf,
    /// Tables with known answers: columns `path` and `label` between tabs
    #[arg(long)]
    labels: Vec<PathBuf>,
}

/// What one solver did on the files of one set.
#[derive(Clone, Copy, Default)]
struct Solved {
    sat: usize,
    unsat: usize,
    wrong: usize,
}

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let labels = Labels::read(&arguments.labels)?;
    let results = luthier_results::load(&Store::open(&arguments.database)?)?;
    let solvers = results.solvers_with_runs();
    let names: Vec<&str> =
        solvers.iter().map(|&solver| results.solvers[solver].label.as_str()).collect();
    for (title, of) in [("satisfiable", Verdict::Sat), ("unsatisfiable", Verdict::Unsat)] {
        output::data(format!("| set | {title} | {} |", names.join(" | ")));
        output::data(format!("|---|---:|{}", "---:|".repeat(names.len())));
        for set in &results.sets {
            let (files, solved) = count(&results, set, &labels, of);
            let cells: Vec<String> = solved.iter().map(|one| cell(*one, of)).collect();
            output::data(format!("| {} | {files} | {} |", set.name, cells.join(" | ")));
        }
        output::data("");
    }
    Ok(Ending::Fine)
}

fn cell(solved: Solved, of: Verdict) -> String {
    let count = if of == Verdict::Sat { solved.sat } else { solved.unsat };
    match solved.wrong {
        0 => count.to_string(),
        wrong => format!("{count} ({wrong} wrong)"),
    }
}

/// How many files of a set have this answer, and how each solver fares on them.
fn count(results: &Results, set: &SetInfo, labels: &Labels, of: Verdict) -> (usize, Vec<Solved>) {
    let solvers = results.solvers_with_runs();
    let mut solved = vec![Solved::default(); solvers.len()];
    let mut files = 0;
    for entry in &results.entries[set.entries.clone()] {
        let has_run = |&solver: &usize| entry.judged.runs.iter().any(|run| run.solver == solver);
        if truth(results, entry, labels) != Some(of) || !solvers.iter().all(has_run) {
            continue;
        }
        files += 1;
        for (solved, &solver) in solved.iter_mut().zip(solvers) {
            let run = entry.judged.runs.iter().find(|run| run.solver == solver);
            match (run.map(|run| run.scored.class), of) {
                (Some(Class::Sat), Verdict::Sat) => solved.sat += 1,
                (Some(Class::Unsat), Verdict::Unsat) => solved.unsat += 1,
                (Some(Class::Sat | Class::Unsat), _) => solved.wrong += 1,
                _ => {}
            }
        }
    }
    (files, solved)
}

/// The answer of a file, where something decides it.
fn truth(results: &Results, entry: &Entry, labels: &Labels) -> Option<Verdict> {
    let believed = entry.judged.beliefs.first().and_then(|belief| belief.verdict);
    let track = &results.tracks[entry.track].name;
    let path =
        if track.is_empty() { entry.name.to_string() } else { format!("{track}/{}", entry.name) };
    match believed {
        // A proof decides against any label.
        Some((verdict, Evidence::Model)) => Some(verdict),
        _ => labels.of(&path).or(believed.map(|(verdict, _)| verdict)),
    }
}
