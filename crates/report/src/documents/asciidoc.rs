//! AsciiDoc renderer. Charts are embedded as SVG, for HTML output; other outputs omit them.

use luthier_charts::{Variant, to_svg};

use super::model::{Audience, Block, Document, Table};
use super::text::visible;

/// How wide charts are, in pixels.
const WIDTH: u32 = 900;

/// The document as AsciiDoc.
pub fn asciidoc(document: &Document) -> String {
    let mut text = format!("= {}\n:toc:\n:toclevels: 1\n\n", escape(&document.title));
    for (name, value) in &document.facts {
        text.push_str(&format!("{}:: {}\n", escape(name), escape(value)));
    }
    for section in &document.sections {
        text.push_str(&format!("\n== {}\n", escape(&section.heading)));
        for block in &section.blocks {
            match block {
                Block::Paragraph(words) => text.push_str(&format!("\n{}\n", escape(words))),
                Block::List(items) if items.is_empty() => {}
                Block::List(items) => {
                    text.push('\n');
                    items.iter().for_each(|item| text.push_str(&format!("* {}\n", escape(item))));
                }
                Block::Table(table) if table.is_for(Audience::People) && !table.rows.is_empty() => {
                    write_table(&mut text, &table.for_people());
                }
                Block::Table(_) => {}
                Block::Picture(picture) => {
                    let size = picture.chart.natural_size(WIDTH);
                    let svg = to_svg(&picture.chart, size, Variant::Page);
                    text.push_str(&format!(
                        "\nifdef::backend-html5[]\n++++\n{}++++\nendif::[]\n",
                        without_blank_lines(&svg)
                    ));
                }
            }
        }
    }
    text
}

fn write_table(text: &mut String, table: &Table) {
    let column = |column: usize| if table.is_numeric(column) { ">" } else { "<" };
    let columns: Vec<&str> = (0..table.columns.len()).map(column).collect();
    text.push_str(&format!(
        "\n.{}\n[%header%autowidth.stretch,cols=\"{}\"]\n|===\n",
        escape(&table.caption),
        columns.join(",")
    ));
    // A line per cell: what stands before a bar in the same line would be taken for its format.
    for column in &table.columns {
        text.push_str(&format!("|{}\n", escape(&column.title)));
    }
    for row in &table.rows {
        text.push('\n');
        row.cells.iter().for_each(|cell| text.push_str(&format!("|{}\n", escape(&cell.shown()))));
    }
    text.push_str("|===\n");
    for note in &table.notes {
        text.push_str(&format!("\n{}\n", escape(note)));
    }
}

/// An SVG must not end the block that it stands in, nor must a line of it be a command.
fn without_blank_lines(svg: &str) -> String {
    let is_safe = |line: &&str| {
        let line = line.trim();
        !line.is_empty() && line != "++++"
    };
    svg.lines().filter(is_safe).map(|line| format!("{line}\n")).collect()
}

/// A text in which nothing is markup: signs that could be are written as numbers.
fn escape(text: &str) -> String {
    let shown = visible(text);
    let mut escaped = String::with_capacity(shown.len() + 8);
    let mut last = None;
    for character in shown.chars() {
        let is_plain = match character {
            // Two of them have a meaning, and so have some at the beginning of a line.
            '.' | '-' | '=' | '/' | '!' | '%' | ';' | ',' => {
                last.is_some_and(|last| last != character)
            }
            '&' | '<' | '>' | '"' | '\'' | '`' | '*' | '_' | '#' | '^' | '~' | '+' | '[' | ']'
            | '{' | '}' | '(' | ')' | '|' | '\\' | ':' | '@' | '$' | '?' => false,
            _ => true,
        };
        if is_plain {
            escaped.push(character);
        } else {
            escaped.push_str(&format!("&#{};", character as u32));
        }
        last = Some(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn nothing_in_a_name_is_markup() {
        assert_eq!(escape("a|b"), "a&#124;b");
        assert_eq!(escape("*bold* {x}"), "&#42;bold&#42; &#123;x&#125;");
        assert_eq!(escape("a/b-c.smt2"), "a/b-c.smt2");
        assert_eq!(escape("--"), "&#45;&#45;");
        assert_eq!(escape("link:x[y]"), "link&#58;x&#91;y&#93;");
        assert_eq!(escape("//x"), "&#47;&#47;x");
    }
}
