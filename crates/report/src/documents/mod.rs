//! Documents about results, for papers, mail and continuous integration.
//!
//! [`paper`] fills one [`Document`] from a view; one renderer for each format writes it. So all
//! formats have the same tables, and every figure stands in one place only: [`Value`] is the exact
//! figure, which data formats write, and [`Value::shown`] is how people read it.
//!
//! | format   | renderer    | what it has                                                         |
//! |----------|-------------|---------------------------------------------------------------------|
//! | LaTeX    | [`latex`]   | tables (booktabs); as a whole document also text and charts         |
//! | TikZ     | [`tikz`]    | charts (pgfplots)                                                   |
//! | AsciiDoc | [`asciidoc`]| everything                                                          |
//! | Markdown | [`markdown`]| everything but charts                                               |
//! | HTML     | [`html`]    | everything, in one file that needs no other                         |
//! | CSV      | [`csv`]     | one table, exact figures                                            |
//! | JSON     | [`json`]    | all tables, exact figures                                           |
//! | JUnit    | [`junit`]   | every entry as a test case of every solver; made of the view itself |
//!
//! A comparison of two sides is a document of its own: [`comparison_markdown`] for a pull request,
//! [`comparison_junit`] for continuous integration.
//!
//! Names come from anywhere. Each renderer escapes them for where they stand, and what cannot be
//! seen in them is written out, `\u{202e}`.

mod asciidoc;
mod charts;
mod columns;
mod comparison;
mod csv;
mod date;
mod html;
mod json;
mod junit;
mod latex;
mod markdown;
mod model;
mod paper;
mod runs;
mod select;
mod text;
mod tikz;

pub use asciidoc::asciidoc;
pub use charts::{ChartName, ChartUnavailable};
pub use comparison::{
    ComparedSides, comparison_junit, comparison_markdown, comparison_notes, comparison_reasons,
    comparison_table, run_text,
};
pub use csv::{csv, csv_record};
pub use date::{moment, time_of_day};
pub use html::html;
pub use json::{JSON_VERSION, json};
pub use junit::junit;
pub use latex::{DocumentScope, LATEX_PREAMBLE, latex, latex_text};
pub use markdown::{markdown, markdown_table};
pub use model::{
    Audience, Block, Column, Document, Picture, Row, Section, Table, Value, Visibility,
};
pub use paper::{PaperOptions, SectionName, paper};
pub use runs::runs_table;
pub use select::{Order, UnknownColumn};
pub use text::visible;
pub use tikz::tikz;
