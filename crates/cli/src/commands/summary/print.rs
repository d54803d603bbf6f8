//! The summary as text: findings first, then the table of all sets.

use std::path::Path;

use luthier_records::{Evidence, FindingKind};
use luthier_report::figures::{self, exact_seconds};
use luthier_report::measures::{Competitor, Standing};
use luthier_report::{
    Alignment, Column, Prominence, Score, ScoreField, ScoreUnit, Table, render_table,
};

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
        output.line(format_args!("{instances}, {runs}"))?;
        output.line("ranked by PAR2 per instance; times are CPU seconds")?;
        if self.has_incomparable() {
            output.line("* ranked over fewer instances: some have no result of this solver")?;
        }
        Ok(())
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
        // The detail of a dispute, the verdict of each solver, stands above in full.
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

    /// One table: the solvers of each set by rank, then those over all sets.
    fn table(&self) -> Table {
        let solvers = &self.judged.solvers;
        let mut limits = solvers.iter().map(|one| one.configuration.limits.cpu);
        let first = limits.next();
        let several_limits = limits.any(|limit| Some(limit) != first);
        let fields = self.fields();
        let mut table = Table::new(columns(&fields, several_limits));
        let (sets, total) = self.sets_and_total();
        // With a single set the totals are those of the set.
        let total = total.filter(|_| sets.len() != 1);
        for group in sets.iter().chain(total) {
            let name = group.set.map_or("all sets", |set| &self.judged.sets[set].name);
            let instances = counted(group.instances, "instance");
            table.group(format!("{} ({instances})", clean_name(name)));
            for standing in &group.standings {
                let limit = match standing.competitor {
                    Competitor::Solver(solver) => Some(solvers[solver].configuration.limits.cpu),
                    // Of a single solver it is that solver.
                    Competitor::VirtualBest if group.solvers() < 2 => continue,
                    Competitor::VirtualBest => None,
                };
                let mut cells = vec![
                    rank(standing),
                    clean_name(standing.competitor.label(&self.judged)).into_owned(),
                ];
                if several_limits {
                    cells.push(figures::optional(limit, |one| format!("{:.1}", one.as_secs_f64())));
                }
                cells.extend([standing.solved, standing.unique].map(figures::count));
                let count = |field: &&ScoreField| figures::count(field.count(&standing.score));
                cells.extend(fields.iter().map(count));
                cells.push(figures::optional(standing.par2_mean(), figures::seconds));
                cells.push(figures::sum_seconds(exact_seconds(standing.score.cpu.0)));
                table.push(cells);
            }
        }
        table
    }

    /// Whether a solver has no result on some instances, so that its rank is marked.
    fn has_incomparable(&self) -> bool {
        let mut standings = self.groups.iter().flat_map(|group| &group.standings);
        standings.any(is_incomparable)
    }
    /// and those of wrong answers.
    /// The counts that the table has: those that every table has, those that are not zero everywhere,
    /// and those that say competitor was wrong.
    fn fields(&self) -> Vec<&'static ScoreField> {
        let is_needed = |field: &&ScoreField| {
            let mut standings = self.groups.iter().flat_map(|group| &group.standings);
            standings.any(|standing| field.count(&standing.score) > 0)
        };
        let always = Score::on_screen(Prominence::Always);
        always
            .filter(|field| field.unit == ScoreUnit::Runs)
            .chain(Score::on_screen(Prominence::Rare).filter(is_needed))
            .chain(Score::on_screen(Prominence::Bad))
            .collect()
    }
}

/// Rank, solver, solved, failures that occur, wrong answers and PAR2 are shown at every width.
fn columns(fields: &[&ScoreField], with_limits: bool) -> Vec<Column> {
    let rank = Column { alignment: Alignment::Right, ..Column::key("rank") };
    let mut columns = vec![rank, Column::key("solver")];
    if with_limits {
        columns.push(Column::numbers("limit"));
    }
    columns.extend([Column::numbers("solved"), Column::numbers("unique").expendable(3)]);
    columns.extend(fields.iter().map(|field| {
        let column = Column::numbers(heading(field));
        match (field.on_screen, field.name) {
            (_, "total") => column.expendable(4),
            (_, "wrong") => column,
            (Prominence::Always, _) => column.expendable(1),
            _ => column.hidden_if_empty(),
        }
    }));
    columns.extend([Column::numbers("PAR2 mean"), Column::numbers("CPU s").expendable(2)]);
    columns
}

fn is_incomparable(standing: &Standing) -> bool {
    standing.rank.is_some() && !standing.comparable
}

fn rank(standing: &Standing) -> String {
    let star = if is_incomparable(standing) { "*" } else { "" };
    standing.rank.map_or_else(String::new, |rank| format!("{rank}{star}"))
}

/// The title of a column. That of wrong answers stands out.
fn heading(field: &ScoreField) -> String {
    match field.name {
        "unknown" => field.title.to_owned(),
        "wrong" => field.heading.to_uppercase(),
        _ => field.heading.to_owned(),
    }
}
