//! A comparison as text: outcome and reasons, the table of sets, then the instances of each kind.

use luthier_report::documents::{
    ComparedSides, comparison_notes, comparison_reasons, comparison_table, run_text,
};
use luthier_report::measures::{Change, ChangeKind, NoiseSource, Outcome};
use luthier_report::{Column, Table, documents, figures, render_table};

use crate::error::CliError;
use crate::output::{self, Output};
use crate::text::clean_name;

/// How many instances of a kind are listed.
const MAX_LISTED: usize = 10;

/// Prints all comparisons.
pub fn print(
    comparisons: &[ComparedSides<'_>],
    all: bool,
    output: &mut Output,
) -> Result<(), CliError> {
    for (number, sides) in comparisons.iter().enumerate() {
        if number > 0 {
            output.line("")?;
        }
        print_one(sides, all, output)?;
    }
    Ok(())
}

fn print_one(sides: &ComparedSides<'_>, all: bool, output: &mut Output) -> Result<(), CliError> {
    let ComparedSides { before, after, results, comparison } = sides;
    let outcome = comparison.outcome();
    let words = match outcome {
        Outcome::BecameWrong => output.paint.error(outcome.words()),
        Outcome::Worse => output.paint.warning(outcome.words()),
        Outcome::Same | Outcome::Better => output.paint.bold(outcome.words()),
    };
    output.line(format_args!("{} → {}: {words}", clean_name(before), clean_name(after)))?;
    for reason in comparison_reasons(results, comparison) {
        output.line(format_args!("  {}", clean_name(&reason)))?;
    }
    let table = comparison_table(results, comparison).for_people();
    output.text(&render_table(&text_table(&table), output::terminal_width()))?;
    for kind in ChangeKind::ALL.into_iter().filter(|kind| kind.is_change()) {
        let changes: Vec<&Change<'_>> = comparison.changes.of_kind(kind).collect();
        if changes.is_empty() {
            continue;
        }
        let heading = format!("{} ({})", kind.words(), figures::count(changes.len() as u64));
        output.line(match kind {
            ChangeKind::BecameWrong => output.paint.error(&heading),
            ChangeKind::VerdictChanged | ChangeKind::Lost => output.paint.warning(&heading),
            _ => heading,
        })?;
        let listed = if all { changes.len() } else { MAX_LISTED };
        for change in changes.iter().take(listed) {
            let entry = &results.entries[change.entry];
            let truth = match entry.judged.expected() {
                Some((verdict, evidence)) if kind == ChangeKind::BecameWrong => {
                    format!("; it is {verdict} ({})", evidence.words())
                }
                _ => String::new(),
            };
            let near = match change.is_near_limit(comparison.thresholds.near_limit) {
                true => ", near the limit",
                false => "",
            };
            output.line(format_args!(
                "  {}: {} → {}{near}{truth}",
                clean_name(&results.place_of(entry)),
                run_text(change.before),
                run_text(change.after),
            ))?;
        }
        if let more @ 1.. = changes.len().saturating_sub(listed) {
            output.line(format_args!("  … {more} more; --all lists them"))?;
        }
    }
    let band = &comparison.changes.band;
    let source = match band.source {
        NoiseSource::Default => "by default".to_owned(),
        NoiseSource::Given => "as given".to_owned(),
        NoiseSource::Repetitions { pairs } => format!("measured on {pairs} pairs of repetitions"),
    };
    output.line(format_args!(
        "slower and faster: more than {} times as long and {} ms longer, {source}; CPU times",
        figures::ratio(band.ratio),
        band.floor.as_millis()
    ))?;
    for note in comparison_notes(comparison) {
        output.warn(&note);
    }
    Ok(())
}

/// A table of a document for a terminal.
fn text_table(table: &documents::Table) -> Table {
    let column = |(index, column): (usize, &documents::Column)| match index {
        0 => Column::key(&*column.title),
        _ if table.is_numeric(index) => Column::numbers(&*column.title).hidden_if_empty(),
        _ => Column::words(&*column.title),
    };
    let mut text = Table::new(table.columns.iter().enumerate().map(column).collect());
    for row in &table.rows {
        let cells = row.cells.iter().map(|cell| clean_name(&cell.shown()).into_owned());
        text.push(cells.collect());
    }
    text
}
