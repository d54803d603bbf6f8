//! Rules for figures: what a document shows stands in a record of `results/`, to the letter.
//!
//! Tables are spliced from records; figures in sentences are quoted by them. A table that differs, a
//! quote that no document has, a part of a record that no document shows, and a figure that no record
//! quotes are findings.

use crate::documents::{
    Mark, Record, Records, Splice, SpliceError, content, figures, splice, squeezed,
};

use super::repository::TextFile;
use super::{Finding, Repository, Rule};

const REMEDY: &str = "run `cargo xtask documents`";

/// Checks records and documents against each other.
pub fn check(repository: &Repository, findings: &mut Vec<Finding>) {
    let records = records(repository, findings);
    let mut shown: Vec<Mark> = Vec::new();
    for file in documents(repository) {
        match spliced(file, &records) {
            Ok(made) => {
                if made.text != file.text {
                    let line = first_difference(&file.text, &made.text);
                    let problem = "a part that is made differs from its source";
                    findings.push(Finding::new(Rule::Results, &file.path, line, problem, REMEDY));
                }
                shown.extend(made.marks.into_iter().map(|(_, mark)| mark));
            }
            Err(SpliceError { line, problem }) => {
                let remedy = "correct the mark or the record";
                findings.push(Finding::new(Rule::Results, &file.path, line, problem, remedy));
            }
        }
        check_figures(file, &records, findings);
    }
    for (name, record) in &records {
        check_use(repository, name, record, &shown, findings);
    }
}

/// The documents that differ from their sources, as they should be.
pub fn renewed(repository: &Repository) -> Result<Vec<(String, String)>, String> {
    let mut findings = Vec::new();
    let records = records(repository, &mut findings);
    if let Some(finding) = findings.first() {
        return Err(finding.to_string());
    }
    let mut renewed = Vec::new();
    for file in documents(repository) {
        let made = spliced(file, &records).map_err(|SpliceError { line, problem }| {
            let path = &file.path;
            format!("{path}:{line}: {problem}")
        })?;
        if made.text != file.text {
            renewed.push((file.path.clone(), made.text));
        }
    }
    Ok(renewed)
}

fn documents(repository: &Repository) -> impl Iterator<Item = &TextFile> {
    repository.texts().iter().filter(|file| file.path.ends_with(".md"))
}

fn spliced(file: &TextFile, records: &Records) -> Result<Splice, SpliceError> {
    splice(&file.text, |mark| content(mark, &file.path, records))
}

fn records(repository: &Repository, findings: &mut Vec<Finding>) -> Records {
    let mut records = Records::new();
    for file in repository.texts() {
        let name = file.path.strip_prefix(crate::documents::RESULTS);
        let Some(name) = name.and_then(|name| name.strip_suffix(".toml")) else { continue };
        match Record::read(&file.text) {
            Ok(record) => {
                records.insert(name.to_owned(), record);
            }
            Err(problem) => {
                let remedy = "see results/README.md";
                findings.push(Finding::new(Rule::Results, &file.path, 0, problem, remedy));
            }
        }
    }
    records
}

/// Every part of the record is shown somewhere, and every quote stands where it is said to stand.
fn check_use(
    repository: &Repository,
    name: &str,
    record: &Record,
    shown: &[Mark],
    findings: &mut Vec<Finding>,
) {
    let path = format!("results/{name}.toml");
    let mut report = |problem: String, remedy: &str| {
        findings.push(Finding::new(Rule::Results, &path, 0, problem, remedy));
    };
    for part in record.parts() {
        let mark = Mark::Results { record: name.to_owned(), part: part.to_owned() };
        if !shown.contains(&mark) {
            report(format!("no document shows `{part}`"), "show it, or remove it");
        }
    }
    if record.parts().next().is_none() && record.quotes.is_empty() {
        report("has no table, text or quote".to_owned(), "remove the record");
    }
    for quote in &record.quotes {
        let text = repository.text(&quote.document).map(squeezed);
        if !text.is_some_and(|text| text.contains(&squeezed(&quote.text))) {
            let problem = format!("{} does not say \"{}\"", quote.document, quote.text);
            report(problem, "a record is frozen: correct the document, or remove the quote");
        }
    }
}

/// Every figure in the prose of a document for users is quoted by a record.
fn check_figures(file: &TextFile, records: &Records, findings: &mut Vec<Finding>) {
    let is_checked =
        ["README.md", "METHODOLOGY.md"].contains(&&*file.path) || file.path.starts_with("docs/");
    if !is_checked {
        return;
    }
    let text = squeezed(&file.text);
    let quotes = records.values().flat_map(|record| &record.quotes);
    let quotes = quotes.filter(|quote| quote.document == file.path);
    let quoted: Vec<(usize, usize)> = quotes
        .flat_map(|quote| {
            let quote = squeezed(&quote.text);
            let places = text.match_indices(&quote).map(|(from, found)| (from, from + found.len()));
            places.collect::<Vec<_>>()
        })
        .collect();
    for figure in figures(&file.text) {
        if !quoted.iter().any(|&(from, to)| from <= figure.from && figure.to <= to) {
            let problem = format!("the figure {} is in no record", figure.text);
            let remedy = "quote it in a record of results/ with its command";
            findings.push(Finding::new(Rule::Results, &file.path, figure.line, problem, remedy));
        }
    }
}

/// The first line, from 1, in which the texts differ.
fn first_difference(one: &str, other: &str) -> usize {
    1 + one.lines().zip(other.lines()).take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests {
    use super::{check, renewed};
    use crate::tidy::Repository;

    const HEAD: &str = "title = 't'\nrecorded = 2026-11-18\ncommit = 'abc'\nmachine = 'm'\n\
                        versions = ['z3 5.4.0']\ncommands = ['luthier demo']\n";
    const TABLE: &str = "[[table]]\nname = 't'\ncolumns = ['x']\nalign = 'r'\nrows = [['1']]\n";
    const DOCUMENT: &str = "<!-- results: r t -->\n\n| x |\n|---:|\n| 1 |\n\n\
                            Record: [r](../results/r.toml), recorded 2026-11-18.\n\n<!-- end -->\n";

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let mut findings = Vec::new();
        check(&Repository::of(files), &mut findings);
        findings.iter().map(ToString::to_string).collect()
    }

    #[track_caller]
    fn check_one(found: &[String], part: &str) {
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains(part), "{found:?} should contain {part:?}");
    }

    #[test]
    fn a_table_of_a_record_is_spliced_and_then_in_order() {
        let record = format!("{HEAD}{TABLE}");
        let files = [("docs/a.md", DOCUMENT), ("results/r.toml", &*record)];
        assert!(found(&files).is_empty());
        let stale = DOCUMENT.replace("| 1 |", "| 2 |");
        let files = [("docs/a.md", &*stale), ("results/r.toml", &*record)];
        check_one(&found(&files), "docs/a.md:5: a part that is made differs");
        let made = renewed(&Repository::of(&files)).unwrap();
        assert_eq!(made, [("docs/a.md".to_owned(), DOCUMENT.to_owned())]);
    }

    #[test]
    fn a_mark_without_a_record_and_a_record_without_a_mark_are_found() {
        check_one(&found(&[("docs/a.md", DOCUMENT)]), "docs/a.md:1: there is no record");
        let record = format!("{HEAD}{TABLE}");
        check_one(&found(&[("results/r.toml", &*record)]), "no document shows `t`");
        check_one(&found(&[("results/r.toml", HEAD)]), "has no table, text or quote");
        check_one(&found(&[("results/r.toml", "title = 3\n")]), "results/r.toml: ");
    }

    #[test]
    fn a_quote_stands_in_its_document_however_lines_are_broken() {
        let record =
            format!("{HEAD}[[quote]]\ndocument = 'docs/a.md'\ntext = 'reads 1,000 files'\n");
        let record = ("results/r.toml", &*record);
        assert!(found(&[("docs/a.md", "It reads\n1,000 files.\n"), record]).is_empty());
        let found_other = found(&[("docs/a.md", "It reads some files.\n"), record]);
        check_one(&found_other, "docs/a.md does not say \"reads 1,000 files\"");
    }

    #[test]
    fn a_figure_that_no_record_quotes_is_found_in_documents_for_users() {
        let found_in = |path| found(&[(path, "\nIt reads 1,000 files.\n")]);
        check_one(&found_in("docs/a.md"), "docs/a.md:2: the figure 1,000 is in no record");
        check_one(&found_in("README.md"), "the figure 1,000");
        assert!(found_in("CHANGELOG.md").is_empty());
    }
}
