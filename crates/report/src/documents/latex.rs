//! LaTeX renderer.
//!
//! As fragments, only the tables are written, as `table` environments to be put into a paper; long
//! tables as `longtable`, which breaks over pages. As a standalone document everything is written.
//! Both compile with pdfLaTeX and the packages of [`LATEX_PREAMBLE`].

mod escape;
mod layout;

use luthier_charts::PREAMBLE;

use super::model::{Audience, Block, Document, Section, Table, Value};
use super::tikz::fitting;
use escape::latex_breakable;
pub use escape::latex_text;
use layout::{ColumnLayout, Layout, layout};

/// What a document needs before `\begin{document}` for the tables of [`latex`].
pub const LATEX_PREAMBLE: &str = "\\usepackage[utf8]{inputenc}\n\\usepackage[T1]{fontenc}\n\
                                  \\usepackage{array,booktabs,graphicx,longtable}\n";

/// How much of a document is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentScope {
    /// A document that compiles by itself.
    Standalone,
    /// Fragments to be put into another document.
    Fragments,
}

/// How wide a page of our own document is, in points.
const OWN_PAGE_WIDTH: f64 = 480.0;

/// How wide a page of a usual document is.
const USUAL_PAGE_WIDTH: f64 = 345.0;

/// Tables with more rows do not fit on a page.
const MAX_ROWS_PER_PAGE: usize = 45;

/// The document as LaTeX.
pub fn latex(document: &Document, whole: DocumentScope) -> String {
    let mut text = String::new();
    match whole {
        DocumentScope::Fragments => {
            text.push_str("% Needs in the preamble:\n");
            LATEX_PREAMBLE.lines().for_each(|line| text.push_str(&format!("%   {line}\n")));
            for section in &document.sections {
                let mut tables = section.blocks.iter().filter_map(as_table).peekable();
                if tables.peek().is_some() {
                    text.push_str(&format!("\n% {}\n", comment(&section.heading)));
                }
                tables.for_each(|table| write_table(&mut text, table, DocumentScope::Fragments));
            }
        }
        DocumentScope::Standalone => {
            text.push_str("\\documentclass[a4paper]{article}\n");
            text.push_str("\\usepackage[margin=2cm]{geometry}\n");
            text.push_str(LATEX_PREAMBLE);
            text.push_str(PREAMBLE);
            text.push_str("\\usepackage{float}\n\\setlength{\\parindent}{0pt}\n");
            text.push_str("\\setlength{\\parskip}{0.5em}\n\\begin{document}\n");
            let title = latex_text(&document.title);
            text.push_str(&format!("{{\\LARGE\\bfseries {title}\\par}}\n\\medskip\n"));
            text.push_str(
                "\\begin{tabular}{@{}l>{\\raggedright\\arraybackslash}p{0.8\\linewidth}@{}}\n",
            );
            for (name, value) in &document.facts {
                let (name, value) = (latex_text(name), latex_breakable(value));
                text.push_str(&format!("{name} & {value} \\\\\n"));
            }
            text.push_str("\\end{tabular}\n");
            document.sections.iter().for_each(|section| write_section(&mut text, section));
            text.push_str("\\end{document}\n");
        }
    }
    text
}

fn as_table(block: &Block) -> Option<&Table> {
    match block {
        Block::Table(table) if table.is_for(Audience::People) && !table.rows.is_empty() => {
            Some(table)
        }
        _ => None,
    }
}

fn write_section(text: &mut String, section: &Section) {
    text.push_str(&format!("\n\\section*{{{}}}\n", latex_text(&section.heading)));
    for block in &section.blocks {
        match block {
            Block::Paragraph(words) => text.push_str(&format!("\n{}\n", latex_text(words))),
            Block::List(items) if items.is_empty() => {}
            Block::List(items) => {
                text.push_str("\\begin{itemize}\n");
                for item in items {
                    text.push_str(&format!("\\item {}\n", latex_breakable(item)));
                }
                text.push_str("\\end{itemize}\n");
            }
            Block::Table(_) => {
                as_table(block)
                    .into_iter()
                    .for_each(|one| write_table(text, one, DocumentScope::Standalone));
            }
            Block::Picture(picture) => {
                text.push_str("\\begin{figure}[H]\n\\centering\n");
                text.push_str(&fitting(&picture.chart));
                text.push_str("\\end{figure}\n");
            }
        }
    }
}

fn write_table(text: &mut String, table: &Table, whole: DocumentScope) {
    let table = &table.for_people();
    let layout = layout(
        table,
        if whole == DocumentScope::Standalone { OWN_PAGE_WIDTH } else { USUAL_PAGE_WIDTH },
    );
    let Layout { size, gap, .. } = layout;
    let columns: String = layout.columns.iter().map(|column| column.specification()).collect();
    let specification = format!("@{{}}{columns}@{{}}");
    let titles: Vec<String> = table
        .columns
        .iter()
        .zip(&layout.columns)
        .map(|(column, setting)| match (layout.upright, setting) {
            (true, ColumnLayout::Figures) => {
                format!("\\rotatebox{{90}}{{{}}}", latex_text(&column.title))
            }
            _ => latex_text(&column.title),
        })
        .collect();
    let head = format!("\\toprule\n{} \\\\\n\\midrule\n", titles.join(" & "));
    let caption = latex_text(&table.caption);
    let label = table.name.replace('_', "-");
    let setting = format!("{size}\\setlength{{\\tabcolsep}}{{{gap}}}");
    if table.rows.len() > MAX_ROWS_PER_PAGE {
        text.push_str(&format!(
            "{{{setting}\n\\begin{{longtable}}{{{specification}}}\n\
             \\caption{{{caption}}}\\label{{tab:{label}}}\\\\\n{head}\\endfirsthead\n\
             \\multicolumn{{{}}}{{@{{}}l}}{{\\itshape continued}}\\\\\n{head}\\endhead\n\
             \\bottomrule\n\\endfoot\n",
            table.columns.len()
        ));
        write_rows(text, table, &layout);
        text.push_str("\\end{longtable}\n");
        write_notes(text, table);
        text.push_str("}\n");
    } else {
        // Shrunk if it is still too wide for where it stands.
        let place = if whole == DocumentScope::Standalone { "[H]" } else { "" };
        text.push_str(&format!(
            "\\begin{{table}}{place}\n\\centering\n\
             \\caption{{{caption}}}\\label{{tab:{label}}}\n\
             {setting}\n\\sbox0{{%\n\\begin{{tabular}}{{{specification}}}\n{head}"
        ));
        write_rows(text, table, &layout);
        text.push_str(
            "\\bottomrule\n\\end{tabular}}%\n\
             \\ifdim\\wd0>\\linewidth\\resizebox{\\linewidth}{!}{\\usebox0}\\else\\usebox0\\fi\n",
        );
        write_notes(text, table);
        text.push_str("\\end{table}\n");
    }
}

fn write_rows(text: &mut String, table: &Table, layout: &Layout) {
    for (index, row) in table.rows.iter().enumerate() {
        if table.begins_group(index) {
            text.push_str("\\midrule\n");
        }
        for (column, value) in row.cells.iter().enumerate() {
            if column > 0 {
                text.push_str(" & ");
            }
            let breaks = matches!(layout.columns[column], ColumnLayout::Broken(_));
            text.push_str(&cell(value, breaks));
        }
        text.push_str(" \\\\\n");
    }
}

/// The notes stand below the table, as wide as the page.
fn write_notes(text: &mut String, table: &Table) {
    if !table.notes.is_empty() {
        let notes: Vec<String> = table.notes.iter().map(|note| latex_text(note)).collect();
        text.push_str(&format!("\n\\smallskip\n{{\\footnotesize {}\\par}}\n", notes.join(" ")));
    }
}

fn cell(value: &Value, breaks: bool) -> String {
    match value {
        Value::Text(text) if breaks => latex_breakable(text),
        Value::Text(text) => latex_text(text),
        Value::Missing => "{-}".to_owned(),
        figure => {
            let shown = figure.shown();
            match shown.strip_prefix('-') {
                Some(digits) => format!("$-${}", latex_text(digits)),
                None => latex_text(&shown),
            }
        }
    }
}

fn comment(text: &str) -> String {
    super::visible(text).into_owned()
}
