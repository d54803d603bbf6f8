//! HTML renderer: one file that can be mailed, with styles and charts inside, without scripts and
//! external resources. It is well-formed XML, too, so that any parser can check it.

use luthier_charts::{Variant, to_svg};

use super::model::{Audience, Block, Document, Section, Table, Value};
use super::text::markup;

const STYLE: &str = include_str!("html/style.css");

/// How wide charts are, in pixels.
const WIDTH: u32 = 900;

/// Browsers that know it keep the file from asking for anything, whatever is in it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/// The document as HTML.
pub fn html(document: &Document) -> String {
    let title = markup(&document.title);
    let mut text = format!(
        "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n\
         <meta charset=\"utf-8\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n",
        markup(POLICY)
    );
    text.push_str("<dl class=\"facts\">\n");
    for (name, value) in &document.facts {
        text.push_str(&format!("<dt>{}</dt><dd>{}</dd>\n", markup(name), markup(value)));
    }
    text.push_str("</dl>\n<nav aria-label=\"Sections\"><ul>\n");
    for section in &document.sections {
        let heading = markup(&section.heading);
        text.push_str(&format!("<li><a href=\"#{}\">{heading}</a></li>\n", section.name));
    }
    text.push_str("</ul></nav>\n");
    document.sections.iter().for_each(|section| write_section(&mut text, section));
    text.push_str("</main>\n</body>\n</html>\n");
    text
}

fn write_section(text: &mut String, section: &Section) {
    text.push_str(&format!(
        "<section id=\"{}\">\n<h2>{}</h2>\n",
        section.name,
        markup(&section.heading)
    ));
    for block in &section.blocks {
        match block {
            Block::Paragraph(words) => text.push_str(&format!("<p>{}</p>\n", markup(words))),
            Block::List(items) if items.is_empty() => {}
            Block::List(items) => {
                text.push_str("<ul>\n");
                items
                    .iter()
                    .for_each(|item| text.push_str(&format!("<li>{}</li>\n", markup(item))));
                text.push_str("</ul>\n");
            }
            Block::Table(table) if table.is_for(Audience::People) && !table.rows.is_empty() => {
                write_table(text, &table.for_people());
            }
            Block::Table(_) => {}
            Block::Picture(picture) => {
                let size = picture.chart.natural_size(WIDTH);
                let svg = to_svg(&picture.chart, size, Variant::Page);
                text.push_str(&format!("<figure>\n{svg}</figure>\n"));
            }
        }
    }
    text.push_str("</section>\n");
}

fn write_table(text: &mut String, table: &Table) {
    let caption = markup(&table.caption);
    let label = format!("role=\"region\" aria-label=\"{caption}\"");
    text.push_str(&format!(
        "<div class=\"scroll\" tabindex=\"0\" {label}>\n<table id=\"table-{}\">\n\
         <caption>{caption}</caption>\n<thead><tr>",
        table.name
    ));
    let numeric: Vec<bool> =
        (0..table.columns.len()).map(|column| table.is_numeric(column)).collect();
    for (column, numeric) in table.columns.iter().zip(&numeric) {
        let class = if *numeric { " class=\"n\"" } else { "" };
        text.push_str(&format!("<th scope=\"col\"{class}>{}</th>", markup(&column.title)));
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    for (index, row) in table.rows.iter().enumerate() {
        let class = if table.begins_group(index) { " class=\"group\"" } else { "" };
        text.push_str(&format!("<tr{class}>"));
        for (column, value) in row.cells.iter().enumerate() {
            text.push_str(&cell(value, numeric[column], table.columns[column].wraps));
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody>\n</table>\n</div>\n");
    for note in &table.notes {
        text.push_str(&format!("<p class=\"note\">{}</p>\n", markup(note)));
    }
}

fn cell(value: &Value, numeric: bool, wraps: bool) -> String {
    let class = match (numeric, wraps) {
        (true, _) => " class=\"n\"",
        (false, true) => " class=\"long\"",
        (false, false) => "",
    };
    format!("<td{class}>{}</td>", markup(&value.shown()))
}
