//! A comparison as Markdown for a pull request: outcome and table first, instances folded.

use super::{ComparedSides, comparison_notes, comparison_reasons, comparison_table, run_text};
use crate::documents::markdown::{escape, markdown_table};
use crate::documents::model::{Column, Table, Value};
use crate::figures;
use crate::measures::{Change, ChangeKind};

/// A comment may have 65,536 characters; more instances of a kind are counted.
const MAX_LISTED: usize = 25;
/// Nobody reads more comparisons with all instances, and a comment has no room for them.
const MAX_DETAILED: usize = 8;

/// These comparisons, the worst outcome in the heading.
pub fn comparison_markdown(comparisons: &[ComparedSides<'_>]) -> String {
    let worst = comparisons.iter().map(|one| one.comparison.outcome()).max();
    let words = worst.map_or("nothing to compare", |outcome| outcome.words());
    let mut text = format!("### Luthier: {words}\n");
    for (number, sides) in comparisons.iter().enumerate() {
        write(&mut text, sides, number < MAX_DETAILED);
    }
    text
}

fn write(text: &mut String, sides: &ComparedSides<'_>, is_detailed: bool) {
    let ComparedSides { before, after, results, comparison } = sides;
    let outcome = comparison.outcome().words();
    text.push_str(&format!("\n{} → {}: **{outcome}**\n\n", escape(before), escape(after)));
    let list = |text: &mut String, items: &[String]| {
        items.iter().for_each(|item| text.push_str(&format!("- {}\n", escape(item))));
        if !items.is_empty() {
            text.push('\n');
        }
    };
    list(text, &comparison_reasons(results, comparison));
    text.push_str(&markdown_table(&comparison_table(results, comparison).for_people()));
    text.push('\n');
    list(text, &comparison_notes(comparison));
    if !is_detailed {
        return;
    }
    for kind in ChangeKind::ALL.into_iter().filter(|kind| kind.is_change()) {
        let changes: Vec<&Change<'_>> = comparison.changes.of_kind(kind).collect();
        if changes.is_empty() {
            continue;
        }
        // Only of two solved runs the ratio says something.
        let has_ratio = matches!(kind, ChangeKind::Slower | ChangeKind::Faster);
        let columns = ["instance", "expected", "before", "after"];
        let mut columns = columns.map(|name| Column::new(name, name)).to_vec();
        columns.extend(has_ratio.then(|| Column::new("ratio", "after/before")));
        let mut table = Table::new(kind.name(), kind.words(), columns);
        for change in changes.iter().take(MAX_LISTED) {
            let entry = &results.entries[change.entry];
            let near = match change.is_near_limit(comparison.thresholds.near_limit) {
                true => " (near the limit)",
                false => "",
            };
            let mut cells = vec![
                Value::Text(results.place_of(entry)),
                Value::text(entry.judged.expected().map(|(verdict, _)| verdict.name())),
                Value::Text(run_text(change.before)),
                Value::Text(format!("{}{near}", run_text(change.after))),
            ];
            let ratio = has_ratio.then(|| change.ratio().map_or(Value::Missing, Value::Ratio));
            cells.extend(ratio);
            table.push(0, cells);
        }
        let count = figures::count(changes.len() as u64);
        text.push_str(&format!("<details><summary>{count} {}</summary>\n\n", kind.words()));
        text.push_str(&markdown_table(&table));
        if let more @ 1.. = changes.len().saturating_sub(MAX_LISTED) {
            text.push_str(&format!("\n{} more\n", figures::count(more as u64)));
        }
        text.push_str("\n</details>\n\n");
    }
}
