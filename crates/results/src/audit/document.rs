//! The audit as a document: one table for each question, the same in every format.

use std::collections::BTreeMap;

use luthier_corpus::audit::{Audit, OperatorUse, SetAudit};
use luthier_corpus::sets::Catalogue;
use luthier_report::documents::{
    Audience, Block, Column, Document, Section, Table, Value, Visibility,
};

use super::record::source_name;

/// How many operators Table 1 of the ZaligVinder paper has for each set.
const MOST_OPERATORS: usize = 5;

/// Averages as printed there: two digits after the point.
fn average(one: &OperatorUse, files: usize) -> String {
    format!("{} ({:.2})", one.name, one.average(files))
}

/// An audit as a document. Without history, nothing is said about what is proven. Lists of files have at most so
/// many rows for people.
pub fn audit_document(
    audit: &Audit,
    catalogue: &Catalogue,
    has_history: bool,
    most: usize,
) -> Document {
    let mut tables = audit_tables(audit, catalogue, has_history);
    for table in tables.iter_mut().filter(|table| LISTS.contains(&table.name.as_str())) {
        limit(table, most);
    }
    let headings = [
        ("sets", "Files and duplicates", &["sets"][..]),
        ("operators", "Most used string operators", &["operators", "uses"]),
        ("reading", "Reading", &["dialects", "ill_formed", "legacy"]),
        ("answers", "Annotated answers", &["answers"]),
        ("published", "Published figures that differ", &["published"]),
        ("rejected", "Rejected files", &["rejected"]),
        ("wrong", "Wrong annotations", &["wrong"]),
    ];
    let section = |(name, heading, of): (&'static str, &str, &[&str])| {
        let of_section = tables.iter().filter(|table| of.contains(&table.name.as_str()));
        let with_rows = of_section.filter(|table| !table.rows.is_empty());
        let blocks: Vec<Block> = with_rows.cloned().map(Block::Table).collect();
        (!blocks.is_empty()).then(|| Section { name, heading: heading.to_owned(), blocks })
    };
    let sections = headings.into_iter().filter_map(section).collect();
    let names: Vec<&str> = audit.sets.iter().map(|set| set.name.as_str()).collect();
    let facts = vec![
        ("Sets".to_owned(), names.join(", ")),
        ("Luthier".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
    ];
    Document { title: "Audit of benchmark sets".to_owned(), facts, sections }
}

/// Tables that list files.
const LISTS: [&str; 2] = ["rejected", "wrong"];

/// All tables of an audit, also those without rows.
pub fn audit_tables(audit: &Audit, catalogue: &Catalogue, has_history: bool) -> Vec<Table> {
    let sets = audit.sets.iter().map(|set| (0, set));
    let rows: Vec<(usize, &SetAudit)> =
        sets.chain(audit.total.iter().map(|set| (1, set))).collect();
    let mut tables = vec![sets_table(&rows), operators_table(&rows), uses_table(&rows)];
    tables.extend(reading_tables(&rows));
    tables.extend([
        answers_table(&rows, has_history),
        published_table(audit, catalogue),
        rejected_table(audit),
        wrong_table(audit),
    ]);
    tables
}

fn count(count: usize) -> Value {
    Value::Count(count as u64)
}

fn share(part: usize, whole: usize) -> Value {
    Value::Share { part: part as u64, whole: whole as u64 }
}

fn sets_table(rows: &[(usize, &SetAudit)]) -> Table {
    let columns = vec![
        Column::new("set", "Set"),
        Column::new("tracks", "Tracks"),
        Column::new("files", "Files"),
        Column::new("rejected", "Rejected"),
        Column::new("duplicates", "Duplicates"),
        Column::new("duplicates_share", "of files"),
        Column::new("duplicates_up_to_renaming", "Up to renaming"),
        Column::new("duplicates_up_to_renaming_share", "of files"),
        Column::new("contents", "Contents"),
        Column::new("forms", "Forms"),
        Column::new("quantifiers", "Quantifiers"),
        Column::new("limited_forms", "Limited").shown(Visibility::IfNotEmpty),
        Column::new("unreadable", "Unreadable").shown(Visibility::IfNotEmpty),
    ];
    let mut table = Table::new("sets", "Files and duplicates of each set", columns);
    for (group, set) in rows {
        let counts = set.counts;
        table.push(
            *group,
            vec![
                Value::Text(set.name.clone()),
                count(counts.tracks),
                count(counts.files),
                count(counts.rejected),
                count(counts.duplicates),
                share(counts.duplicates, counts.files),
                count(counts.duplicates_up_to_renaming),
                share(counts.duplicates_up_to_renaming, counts.files),
                count(counts.contents),
                count(counts.forms),
                count(counts.quantifiers),
                count(counts.limited_forms),
                count(set.unreadable.len()),
            ],
        );
    }
    table.notes.push(
        "Duplicates: files with the same bytes as another file of the set, every member of a group. Up to renaming: \
         the same, for files that differ only in names, order and dialect."
            .to_owned(),
    );
    if rows.iter().any(|(group, _)| *group == 1) {
        let note = "The last row counts duplicates across sets, too.";
        table.notes.push(note.to_owned());
    }
    table
}

fn operators_table(rows: &[(usize, &SetAudit)]) -> Table {
    let mut columns = vec![Column::new("set", "Set"), Column::new("files", "Files")];
    for place in ["1st", "2nd", "3rd", "4th", "5th"] {
        columns.push(Column::new(place, place));
    }
    let caption = "Most used string operators, with their occurrences per file";
    let mut table = Table::new("operators", caption, columns);
    for (group, set) in rows {
        let mut cells = vec![Value::Text(set.name.clone()), count(set.counts.files)];
        let used = set.operators.iter().filter(|one| one.is_string_operation());
        cells.extend(
            used.take(MOST_OPERATORS).map(|one| Value::Text(average(one, set.counts.files))),
        );
        cells.resize(2 + MOST_OPERATORS, Value::Missing);
        table.push(*group, cells);
    }
    table.notes.push(
        "Occurrences in the text, by standard names; operators that make regular expressions (re.*) are not listed."
            .to_owned(),
    );
    table
}

/// All operators of all sets.
fn uses_table(rows: &[(usize, &SetAudit)]) -> Table {
    let columns = vec![
        Column::new("set", "Set"),
        Column::new("operator", "Operator"),
        Column::new("files", "Files"),
        Column::new("occurrences", "Occurrences"),
        Column::new("average", "Per file of the set"),
    ];
    let mut table = Table::new("uses", "All operators of each set, the most used first", columns)
        .for_audience(Audience::Programs);
    for (group, (_, set)) in rows.iter().enumerate() {
        for one in &set.operators {
            let cells = vec![
                Value::Text(set.name.clone()),
                Value::Text(one.name.to_owned()),
                count(one.files),
                Value::Count(one.occurrences),
                Value::Ratio(one.average(set.counts.files)),
            ];
            table.push(group, cells);
        }
    }
    table
}

/// Counts of files of a set, by name.
type FileCounts = fn(&SetAudit) -> &BTreeMap<&'static str, usize>;

/// Dialects, ill-formed uses and legacy writing, by set.
fn reading_tables(rows: &[(usize, &SetAudit)]) -> Vec<Table> {
    let kinds: [(&str, &str, FileCounts); 3] = [
        ("dialects", "Files by dialect", |set| &set.dialects),
        ("ill_formed", "Files with ill-formed uses that the reader accepts", |set| &set.ill_formed),
        ("legacy", "Files with legacy writing", |set| &set.legacy),
    ];
    kinds
        .into_iter()
        .map(|(name, caption, of)| {
            let mut names: Vec<&str> =
                rows.iter().flat_map(|(_, set)| of(set).keys().copied()).collect();
            names.sort_unstable();
            names.dedup();
            let mut columns = vec![Column::new("set", "Set")];
            columns.extend(names.iter().map(|name| Column::new(*name, *name)));
            let mut table = Table::new(name, caption, columns);
            for (group, set) in rows.iter().filter(|(_, set)| !of(set).is_empty()) {
                let mut cells = vec![Value::Text(set.name.clone())];
                cells.extend(
                    names.iter().map(|name| count(of(set).get(name).copied().unwrap_or(0))),
                );
                table.push(*group, cells);
            }
            table
        })
        .collect()
}

fn answers_table(rows: &[(usize, &SetAudit)], has_history: bool) -> Table {
    let evidence = if has_history { Visibility::Always } else { Visibility::OnRequest };
    let columns = vec![
        Column::new("set", "Set"),
        Column::new("status_sat", "Status sat"),
        Column::new("status_unsat", "Status unsat"),
        Column::new("status_unknown", "Status unknown"),
        Column::new("folder_sat", "Folder sat").shown(Visibility::IfNotEmpty),
        Column::new("folder_unsat", "Folder unsat").shown(Visibility::IfNotEmpty),
        Column::new("claimed", "Annotated"),
        Column::new("decided", "Decided").shown(evidence),
        Column::new("wrong", "Wrong").shown(evidence),
        Column::new("wrong_by_proof", "Wrong by a model").shown(evidence),
    ];
    let mut table = Table::new("answers", "Annotated answers of each set", columns);
    for (group, set) in rows {
        let status = set.status;
        let anything = status.claimed + status.annotated.unknown;
        if anything == 0 {
            continue;
        }
        let known = |value: usize| if has_history { count(value) } else { Value::Missing };
        table.push(
            *group,
            vec![
                Value::Text(set.name.clone()),
                count(status.annotated.sat),
                count(status.annotated.unsat),
                count(status.annotated.unknown),
                count(status.by_folder.sat),
                count(status.by_folder.unsat),
                count(status.claimed),
                known(status.decided),
                known(status.wrong),
                known(status.wrong_by_proof),
            ],
        );
    }
    table
}

/// Where the tables of the ZaligVinder paper say something else.
fn published_table(audit: &Audit, catalogue: &Catalogue) -> Table {
    let columns = vec![
        Column::new("set", "Set"),
        Column::new("figure", "Figure"),
        Column::new("published", "Published"),
        Column::new("here", "Here"),
    ];
    let mut table = Table::new("published", "Where Tables 1 and 3 of the paper differ", columns);
    for (group, set) in audit.sets.iter().enumerate() {
        let row = catalogue.get(&set.name).and_then(|one| one.zaligvinder.as_ref());
        let Some(row) = row else { continue };
        let mut differ = |figure: &str, published: String, here: String| {
            if published != here {
                let name = Value::Text(set.name.clone());
                let cells = [figure.to_owned(), published, here].map(Value::Text);
                table.push(group, std::iter::once(name).chain(cells).collect());
            }
        };
        let counts = set.counts;
        differ("sets", row.sets.to_string(), counts.tracks.to_string());
        differ("instances", row.instances.to_string(), counts.files.to_string());
        differ("duplicates", row.duplicates.to_string(), counts.duplicates.to_string());
        for published in &row.operators {
            let Some((name, figure)) = published.split_once(' ') else { continue };
            let here = set.operators.iter().find(|one| paper_name(one.name) == name);
            let here = here.map_or(0.0, |one| one.average(counts.files));
            let is_same = figure.parse::<f64>().is_ok_and(|figure| (figure - here).abs() < 0.006);
            if !is_same {
                differ(name, figure.to_owned(), format!("{here:.2}"));
            }
        }
    }
    table
}

/// The name of an operator in the tables of the paper.
fn paper_name(name: &str) -> &str {
    match name {
        "str.to_re" => "to.re",
        "str.in_re" => "in.re",
        "str.to_int" => "to.int",
        "str.replace_all" => "replaceall",
        name => name.strip_prefix("str.").unwrap_or(name),
    }
}

fn rejected_table(audit: &Audit) -> Table {
    let columns = vec![
        Column::new("cause", "Cause"),
        Column::new("file", "File").wrapping(),
        Column::new("line", "Line"),
        Column::new("column", "Column"),
        Column::new("message", "Message").wrapping(),
    ];
    let mut table = Table::new("rejected", "Files that cannot be read, by cause", columns);
    for set in &audit.sets {
        for (group, (code, files)) in set.rejected.iter().enumerate() {
            for one in files {
                let cells = vec![
                    Value::Text((*code).to_owned()),
                    Value::Text(format!("{}/{}", set.name, one.file)),
                    count(one.rejection.line),
                    count(one.rejection.column),
                    Value::Text(one.rejection.message.clone()),
                ];
                table.push(group, cells);
            }
        }
    }
    table
}

fn wrong_table(audit: &Audit) -> Table {
    let columns = vec![
        Column::new("file", "File").wrapping(),
        Column::new("query", "Query").shown(Visibility::OnRequest),
        Column::new("source", "By"),
        Column::new("claimed", "Claimed"),
        Column::new("proven", "Proven"),
        Column::new("evidence", "Evidence"),
        Column::new("by", "Solvers").wrapping(),
        Column::new("sha256", "SHA-256").shown(Visibility::OnRequest),
    ];
    let mut table = Table::new("wrong", "Annotated answers that are refuted", columns);
    for set in &audit.sets {
        for one in &set.wrong {
            let cells = vec![
                Value::Text(format!("{}/{}", set.name, one.file)),
                count(one.query + 1),
                Value::Text(source_name(one.source).to_owned()),
                Value::Text(one.claimed.to_string()),
                Value::Text(one.proven.verdict.to_string()),
                Value::Text(one.proven.evidence.words().to_owned()),
                Value::Text(one.proven.by.join(", ")),
                Value::Text(one.digest.to_string()),
            ];
            table.push(0, cells);
        }
    }
    table
}

/// Keeps the first rows, and says how many there are.
fn limit(table: &mut Table, most: usize) {
    let all = table.rows.len();
    if all > most {
        table.rows.truncate(most);
        table.notes.push(format!("The first {most} of {all}; --all lists them, --json has them."));
        table.audience = Audience::People;
    }
}
