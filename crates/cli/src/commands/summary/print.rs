//! The summary for people: who was wrong first, then the scores.

use std::path::Path;

use luthier_records::{Evidence, FindingKind};
use luthier_report::figures::exact_seconds;
use luthier_report::{Column, Score, Table, render_table};

use super::{Finding, FindingRecord, Results, Shown};
use crate::commands::reproduce::Reproducer;
use crate::error::CliError;
use crate::output::{self, Output};
use crate::text::{clean_name, counted, first_words};

/// How many findings of one kind are listed.
const MAX_LISTED: usize = 5;

impl Results {
    /// Prints everything.
    pub fn print(
        &self,
        database: &Path,
        shown: Shown,
        output: &mut Output,
    ) -> Result<(), CliError> {
        let mut reproducer = Reproducer::new(database);
        for kind in self.findings.kinds() {
            let of_kind: Vec<Finding> = self.findings.of_kind(kind).copied().collect();
            let title = kind.title().to_uppercase();
            let heading = format!("{title} ({})", of_kind.len());
            let heading = match kind.is_wrong() {
                true => output.paint.error(&heading),
                false => output.paint.warning(&heading),
            };
            output.line(heading)?;
            if !kind.is_wrong() {
                output.line(format_args!("  {}", kind.meaning()))?;
            }
            let listed = if shown.all { of_kind.len() } else { MAX_LISTED };
            for finding in self.records(&of_kind[..listed.min(of_kind.len())])? {
                self.print_finding(&finding, &mut reproducer, output)?;
            }
            if let more @ 1.. = of_kind.len().saturating_sub(listed) {
                output.line(format_args!("  … {more} more; --all lists them"))?;
            }
            output.line("")?;
        }
        if shown.only_findings {
            if self.findings.list.is_empty() {
                output.line("nothing to report")?;
            }
            return Ok(());
        }
        let width = output::terminal_width();
        output.text(&render_table(&self.table(), width))?;
        let entries = &self.judged.entries;
        let runs: usize = entries.iter().map(|entry| entry.judged.runs.len()).sum();
        let (instances, runs) = (counted(entries.len(), "instance"), counted(runs, "run"));
        output.line(format_args!("{instances}, {runs}; times are CPU seconds"))
    }

    fn print_finding(
        &self,
        finding: &FindingRecord,
        reproducer: &mut Reproducer,
        output: &mut Output,
    ) -> Result<(), CliError> {
        let query = match finding.query {
            1 => String::new(),
            query => format!(" (query {query})"),
        };
        let instance = format!("{}/{}{query}", finding.set, finding.instance);
        let is_crash = finding.kind == FindingKind::Crash;
        let claim = match (&finding.solver, finding.said) {
            (Some(solver), None) if is_crash => format!("{solver} crashed"),
            (Some(solver), Some(said)) if is_crash => format!("{solver} says {said} and crashed"),
            (Some(solver), Some(said)) => format!("{solver} says {said}"),
            _ => String::new(),
        };
        let truth = match (finding.believed, finding.evidence) {
            // What the answer should have been is no news about a crash.
            _ if is_crash => String::new(),
            (Some(believed), Some(evidence)) => {
                let sources = match evidence {
                    Evidence::Label => format!(", {}", finding.label_sources.join(", ")),
                    _ => String::new(),
                };
                format!("it is {believed} ({}{sources})", evidence.words())
            }
            _ => String::new(),
        };
        let separator = if claim.is_empty() || truth.is_empty() { "" } else { "; " };
        output.line(format_args!("  {}", clean_name(&instance)))?;
        if !claim.is_empty() || !truth.is_empty() {
            output.line(format_args!("    {}{separator}{truth}", clean_name(&claim)))?;
        }
        if finding.evidence != Some(Evidence::Label) && !finding.label_sources.is_empty() {
            let sources = finding.label_sources.join(", ");
            output.line(format_args!("    labels: {}", clean_name(&sources)))?;
        }
        let sides = [("sat", &finding.sat_by), ("unsat", &finding.unsat_by)];
        for (verdict, by) in sides.iter().filter(|(_, by)| !by.is_empty()) {
            output.line(format_args!("    {verdict}: {}", clean_name(&by.join(", "))))?;
        }
        if let Some(vote) = finding.vote {
            output.line(format_args!("    most families vote {vote}, which is no proof"))?;
        }
        // The detail of a dispute is who says what, which stands above in full.
        let is_dispute = sides.iter().any(|(_, by)| !by.is_empty());
        if let Some(detail) = finding.detail.as_ref().filter(|_| !is_dispute) {
            output.line(format_args!("    {}", clean_name(&first_words(detail))))?;
        }
        if let (Some(run), Some(configuration)) = (finding.run, finding.configuration) {
            let configuration = &self.judged.solvers[configuration].configuration;
            let again = reproducer.command(run, configuration);
            output.line(format_args!("    $ {}", clean_name(&again.command)))?;
            if let Some(note) = &again.note {
                output.line(format_args!("    # {}", clean_name(note)))?;
            }
        }
        Ok(())
    }

    fn table(&self) -> Table {
        let mut limits = self.judged.solvers.iter().map(|one| one.configuration.limits.cpu);
        let first = limits.next();
        let several_limits = limits.any(|limit| Some(limit) != first);
        let mut columns = vec![Column::key("solver"), Column::key("set")];
        if several_limits {
            columns.push(Column::numbers("limit"));
        }
        let always = ["total", "sat", "unsat", "unknown", "timeout"];
        columns.extend(always.map(Column::numbers));
        let sometimes = [
            "memout",
            "crash",
            "unsupp.",
            "malformed",
            "our fault",
            "disputed",
            "incompl. model",
            "unchecked model",
        ];
        let scores = || self.summary.rows.iter().map(|row| &row.score);
        let kept = sometimes_of(&Score::default())
            .iter()
            .enumerate()
            .map(|(index, _)| scores().any(|score| sometimes_of(score)[index] > 0))
            .collect::<Vec<bool>>();
        let titles = sometimes.iter().zip(&kept).filter(|(_, kept)| **kept);
        columns.extend(titles.map(|(title, _)| Column::numbers(*title)));
        columns.extend(["WRONG", "inv. model", "inv. core", "PAR2", "CPU s"].map(Column::numbers));
        let mut table = Table::new(columns);
        for row in &self.summary.rows {
            let solver = &self.judged.solvers[row.configuration];
            let names = [&solver.label, &self.judged.sets[row.set].name];
            let mut cells: Vec<String> = names.map(|name| clean_name(name).into_owned()).into();
            if several_limits {
                let limit = solver.configuration.limits.cpu;
                cells.push(format!("{:.1}", limit.as_secs_f64()));
            }
            cells.extend(cells_of(&row.score, &kept));
            table.push(cells);
        }
        table
    }
}

/// The counts that are shown only if one of them is not zero.
fn sometimes_of(score: &Score) -> [u64; 8] {
    [
        score.memout,
        score.crash,
        score.unsupported,
        score.malformed,
        score.framework_error,
        score.disputed,
        score.incomplete_model,
        score.unchecked_model,
    ]
}

fn cells_of(score: &Score, kept: &[bool]) -> Vec<String> {
    let always = [score.total, score.sat, score.unsat, score.unknown, score.timeout];
    let sometimes = sometimes_of(score).into_iter().zip(kept).filter(|(_, kept)| **kept);
    let wrong = [score.wrong, score.invalid_model, score.invalid_core];
    let counts = always.into_iter().chain(sometimes.map(|(count, _)| count)).chain(wrong);
    let mut cells: Vec<String> = counts.map(|count| count.to_string()).collect();
    cells.push(format!("{:.2}", exact_seconds(score.par2.0)));
    cells.push(format!("{:.2}", exact_seconds(score.cpu.0)));
    cells
}
