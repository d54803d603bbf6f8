//! The audit as text for a terminal: the tables of the document.

use luthier_report::documents::{Audience, Block, Document, Table, Value};
use luthier_report::{Column, Table as TextTable, render_table};

use crate::output;

/// All tables, each below its caption.
pub fn text(document: &Document) -> String {
    let mut text = String::new();
    for block in document.sections.iter().flat_map(|section| &section.blocks) {
        if let Block::Table(table) = block
            && table.is_for(Audience::People)
        {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&format!("{}\n", table.caption));
            text.push_str(&render(&table.for_people()));
            table.notes.iter().for_each(|note| text.push_str(&format!("{note}\n")));
        }
    }
    text
}

fn render(table: &Table) -> String {
    let columns = table.columns.iter().enumerate().map(|(index, column)| match index {
        0 => Column::key(column.title.to_lowercase()),
        _ if table.is_numeric(index) => Column::numbers(column.title.to_lowercase()),
        _ => Column::words(column.title.to_lowercase()),
    });
    let mut lines = TextTable::new(columns.collect());
    for row in &table.rows {
        lines.push(row.cells.iter().map(Value::shown).collect());
    }
    render_table(&lines, output::terminal_width())
}
