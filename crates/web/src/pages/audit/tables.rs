//! Tables of the audit as they are on its page: those of the document, with links.

use luthier_report::documents::{Row, Table, Value};
use maud::{Markup, html};

use crate::headings::{number_width, room, width};
use crate::text::visible;

/// The rows of one set, without the column that names it where it would be the same in many rows.
pub(super) fn of_set(table: &Table, set: Option<&str>) -> Table {
    let mut table = table.clone();
    if let Some(set) = set {
        table.rows.retain(|row| matches!(&row.cells[0], Value::Text(name) if name == set));
        if table.name == "uses" {
            table.columns.remove(0);
            table.rows.iter_mut().for_each(|row| drop(row.cells.remove(0)));
        }
        // They are about several sets.
        table.notes.retain(|note| !note.starts_with("The last row"));
    }
    table.for_people()
}

/// A table; `address` says where a cell leads.
pub(super) fn table(table: &Table, address: impl Fn(&Row, usize) -> Option<String>) -> Markup {
    let is_numeric: Vec<bool> =
        (0..table.columns.len()).map(|column| table.is_numeric(column)).collect();
    html! {
        div.scroll.{ (room(needed(table))) } tabindex="0" role="region" aria-label=(table.caption) {
            table.sortable {
                thead {
                    tr {
                        @for (column, numeric) in table.columns.iter().zip(&is_numeric) {
                            th.n[*numeric] scope="col" title=(meaning(&table.name, &column.name)) {
                                (visible(&column.title))
                            }
                        }
                    }
                }
                tbody {
                    @for row in &table.rows {
                        tr {
                            @for (column, value) in row.cells.iter().enumerate() {
                                @let address = address(row, column).filter(|_| !value.is_zero_or_missing());
                                @if column == 0 {
                                    th scope="row" { (cell(value, address)) }
                                } @else {
                                    td.n[is_numeric[column]].zero[value.is_zero_or_missing()] data-sort=[value.exact()] {
                                        (cell(value, address))
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn cell(value: &Value, address: Option<String>) -> Markup {
    let shown = value.shown();
    html! {
        @match address {
            Some(address) => { a href=(address) { (visible(&shown)) } }
            None => (visible(&shown)),
        }
    }
}

/// What the columns mean, folded.
pub(super) fn help(table: &Table) -> Markup {
    html! {
        details.help {
            summary { "What the columns mean" }
            dl.facts {
                @for column in &table.columns {
                    dt { (visible(&column.title)) } dd { (meaning(&table.name, &column.name)) }
                }
            }
        }
    }
}

/// The width that a table needs, in rem.
fn needed(table: &Table) -> usize {
    let column = |index: usize| {
        let cells = table.rows.iter().map(|row| row.cells[index].shown());
        let words = cells.map(|cell| {
            cell.split_whitespace().map(|word| word.chars().count()).max().unwrap_or_default()
        });
        let longest = words.max().unwrap_or_default();
        number_width(&table.columns[index].title, longest).max(width(longest))
    };
    (0..table.columns.len()).map(column).sum::<usize>().div_ceil(16)
}

/// What a column means, in a sentence.
fn meaning(table: &str, column: &str) -> &'static str {
    match (table, column) {
        (_, "set") => {
            "A set of the database, which leads to its own audit; the last row is about all."
        }
        ("sets", "tracks") => "Folders with files.",
        ("uses", "files") => "How many files mention the operator.",
        (_, "files") => "Files that the database has the text of.",
        ("sets", "rejected") => "Files that cannot be read as scripts.",
        ("sets", "duplicates") => {
            "Files with the same bytes as another file of the set: every member of a group counts, as in the \
             ZaligVinder paper."
        }
        ("sets", "duplicates_up_to_renaming") => {
            "The same for files that are equal up to names, order and dialect, by their canonical form."
        }
        ("sets", "contents") => "Different contents.",
        ("sets", "forms") => "Different canonical forms.",
        ("sets", "quantifiers") => "Files with a quantifier.",
        ("sets", "limited_forms") => {
            "Files whose canonical form is limited, so that a duplicate may be missed."
        }
        ("sets", "unreadable") => "Files whose text the database does not have.",
        ("sets", _) => "The same as a share of the files.",
        ("operators", _) => {
            "An operation on strings, with its average number of occurrences in a file of the set."
        }
        ("uses", "operator") => "An operator of the theory of strings, by its standard name.",
        ("uses", "occurrences") => "How often it stands in the texts of all files.",
        ("uses", _) => "The same by the number of files of the set.",
        ("dialects", _) => "Files that are read in this dialect.",
        ("ill_formed", _) => "Files with this fault, which a generous reader accepts.",
        ("legacy", _) => {
            "Files with names, escapes or meanings from before the standard, by the code of the warning."
        }
        ("answers", "status_sat" | "status_unsat" | "status_unknown") => {
            "Files with this (set-info :status …)."
        }
        ("answers", "folder_sat" | "folder_unsat") => {
            "Files in a folder that is named after this answer, as the description of the set says."
        }
        ("answers", "claimed") => "Files with an annotated answer of either kind.",
        ("answers", "decided") => "Those of them for which an answer is proven by the runs.",
        ("answers", "wrong") => "Those of them whose annotation is refuted.",
        ("answers", "wrong_by_proof") => {
            "Those refuted by a model that the referee accepts, or by a planted answer."
        }
        ("published", "figure") => "What is counted.",
        ("published", "published") => "The figure in Table 1 or 3 of the ZaligVinder paper.",
        ("published", _) => "The figure of this database.",
        _ => "A figure of the audit.",
    }
}
