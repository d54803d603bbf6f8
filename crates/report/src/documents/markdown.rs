//! Markdown renderer, with tables in the syntax of GitHub. Charts are omitted.

use super::model::{Audience, Block, Document, Table, Value};
use super::text::visible;
use crate::text_width;

/// The document as Markdown.
pub fn markdown(document: &Document) -> String {
    let mut text = format!("# {}\n\n", escape(&document.title));
    for (name, value) in &document.facts {
        text.push_str(&format!("- **{}**: {}\n", escape(name), escape(value)));
    }
    for section in &document.sections {
        text.push_str(&format!("\n## {}\n", escape(&section.heading)));
        for block in &section.blocks {
            match block {
                Block::Paragraph(words) => text.push_str(&format!("\n{}\n", escape(words))),
                Block::List(items) if items.is_empty() => {}
                Block::List(items) => {
                    text.push('\n');
                    items.iter().for_each(|item| text.push_str(&format!("- {}\n", escape(item))));
                }
                Block::Table(table) if table.is_for(Audience::People) && !table.rows.is_empty() => {
                    text.push_str(&format!("\n### {}\n\n", escape(&table.caption)));
                    text.push_str(&markdown_table(&table.for_people()));
                }
                Block::Table(_) | Block::Picture(_) => {}
            }
        }
    }
    text
}

/// A table with all its columns, laid out so that it can be read as it is, and its notes.
pub fn markdown_table(table: &Table) -> String {
    let cells: Vec<Vec<String>> =
        table.rows.iter().map(|row| row.cells.iter().map(cell).collect()).collect();
    let titles: Vec<String> = table.columns.iter().map(|column| escape(&column.title)).collect();
    let widths: Vec<usize> = titles
        .iter()
        .enumerate()
        .map(|(index, title)| {
            let widths = cells.iter().map(|row| text_width(&row[index]));
            widths.max().unwrap_or(0).max(text_width(title)).max(3)
        })
        .collect();
    let numeric: Vec<bool> = (0..titles.len()).map(|column| table.is_numeric(column)).collect();
    let line = |cells: &[String]| {
        let padded = cells.iter().zip(&widths).zip(&numeric).map(|((cell, width), numeric)| {
            let padding = " ".repeat(width.saturating_sub(text_width(cell)));
            if *numeric { format!(" {padding}{cell} |") } else { format!(" {cell}{padding} |") }
        });
        format!("|{}\n", padded.collect::<String>())
    };
    let mut text = line(&titles);
    let rules = widths.iter().zip(&numeric).map(|(width, numeric)| {
        let rule = "-".repeat(*width);
        if *numeric { format!(" {rule}:|") } else { format!(" {rule} |") }
    });
    text.push_str(&format!("|{}\n", rules.collect::<String>()));
    cells.iter().for_each(|row| text.push_str(&line(row)));
    for note in &table.notes {
        text.push_str(&format!("\n{}\n", escape(note)));
    }
    text
}

fn cell(value: &Value) -> String {
    escape(&value.shown())
}

/// A text in which nothing is markup, a link or a reference.
pub(super) fn escape(text: &str) -> String {
    let shown = visible(text);
    let mut escaped = String::with_capacity(shown.len() + 8);
    let mut rest = shown.chars().peekable();
    let mut is_first = true;
    while let Some(character) = rest.next() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' | '^' => {
                escaped.extend(['\\', character]);
            }
            // Addresses become links even without brackets.
            ':' if rest.peek() == Some(&'/') => escaped.push_str("\\:"),
            '.' if escaped.ends_with("www") => escaped.push_str("\\."),
            '@' | '#' | '!' | '+' | '=' | ':' if is_first => escaped.extend(['\\', character]),
            '#' | '@' if escaped.ends_with([' ', '(', '/']) => escaped.extend(['\\', character]),
            other => escaped.push(other),
        }
        is_first = false;
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn nothing_in_a_name_is_markup() {
        assert_eq!(escape("a|b*c_d`e"), "a\\|b\\*c\\_d\\`e");
        assert_eq!(escape("<script>&"), "&lt;script&gt;&amp;");
        assert_eq!(escape("see https://x and www.x"), "see https\\://x and www\\.x");
        assert_eq!(escape("[x](y)"), "\\[x\\](y)");
        assert_eq!(escape("z3@5.4.0 a/b.smt2"), "z3@5.4.0 a/b.smt2");
        assert_eq!(escape("@everyone"), "\\@everyone");
    }
}
