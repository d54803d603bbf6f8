//! Expected answers from outside: tables of file paths and labels.
//!
//! A table is a TSV or CSV file, compressed or not, with a row per file. The first row names the
//! columns, of which `path` and `label` count; a table of two columns needs no such row. A label is
//! `sat` or `unsat`; `unknown`, `open` and an empty one mean that the answer is not known; anything
//! else is ignored and reported. A file is matched by its path, of which as many components must
//! agree as the table or the instance has; failing that, by its file name alone, if all rows with
//! that name have the same label.
//!
//! A label is evidence with a source, never the ground truth by itself: see
//! `luthier_judge::ground_truth`.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use luthier_corpus::{Options, instances};
use luthier_records::{Label, Verdict};

use crate::CampaignError;

/// Labels for answers that are not known.
const OPEN: [&str; 3] = ["", "unknown", "open"];

/// One table.
#[derive(Clone, Debug)]
pub struct LabelTable {
    /// Its name where labels are shown.
    source: String,
    /// `None` where a row has the path but no label.
    by_path: HashMap<String, Option<Verdict>>,
    /// By the last part of the path; `None` where files of that name have different labels.
    by_name: HashMap<String, Option<Verdict>>,
    /// The number of rows with each unknown label.
    pub foreign: BTreeMap<String, usize>,
}

/// How the rows of a table matched the instances of a set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelUse {
    /// The table.
    pub source: String,
    /// The set.
    pub set: String,
    /// How many files the table names.
    pub rows: usize,
    /// How many instances got a label by their path.
    pub by_path: usize,
    /// How many got one only by their name.
    pub by_name: usize,
    /// How many have a label but not exactly one query, so that it is ignored.
    pub several_queries: usize,
    /// How many instances have no label.
    pub without: usize,
    /// The number of rows with each unknown label.
    pub foreign: BTreeMap<String, usize>,
}

/// How a file was matched with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchedBy {
    /// By its path.
    Path,
    /// Only by its file name: the folders differ.
    Name,
}

impl LabelTable {
    /// Reads a table.
    pub fn read(path: &Path) -> Result<Self, CampaignError> {
        let broken = |message: String| CampaignError::Labels { path: path.to_owned(), message };
        // A folder would be searched for instances, and its first file taken for the table.
        if path.exists() && !path.is_file() {
            return Err(broken("a table of labels must be a file".to_owned()));
        }
        let file = instances(&[path.to_owned()], &Options::default()).next();
        let file = file.ok_or_else(|| broken("there is no such file".to_owned()))??;
        Self::parse(&path.to_string_lossy(), &file.bytes).map_err(broken)
    }

    /// Reads the text of a table.
    pub fn parse(source: &str, text: &[u8]) -> Result<Self, String> {
        let first = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let is_tsv = first.contains(&b'\t');
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(if is_tsv { b'\t' } else { b',' })
            .quoting(!is_tsv)
            .has_headers(false)
            .flexible(true)
            .from_reader(text);
        let mut table = Self {
            source: source.to_owned(),
            by_path: HashMap::new(),
            by_name: HashMap::new(),
            foreign: BTreeMap::new(),
        };
        let mut columns = None;
        for row in reader.records() {
            let row = row.map_err(|error| error.to_string())?;
            let line = row.position().map_or(0, csv::Position::line);
            let (path, label) = match columns {
                Some(columns) => columns,
                None => {
                    let (found, is_head) = columns_of(&row).ok_or_else(|| {
                        format!(
                            "line {line}: expected columns named `path` and `label`, or two \
                             columns with a path and sat, unsat or unknown"
                        )
                    })?;
                    columns = Some(found);
                    if is_head {
                        continue;
                    }
                    found
                }
            };
            let (Some(path), Some(label)) = (row.get(path), row.get(label)) else {
                let count = row.len();
                return Err(format!("line {line}: {count} columns are too few"));
            };
            table.add(path.trim(), label.trim()).map_err(|why| format!("line {line}: {why}"))?;
        }
        if columns.is_none() {
            return Err("the table is empty".to_owned());
        }
        Ok(table)
    }

    fn add(&mut self, path: &str, label: &str) -> Result<(), String> {
        let path = path.trim_start_matches("./");
        if path.is_empty() {
            return Err("the path is empty".to_owned());
        }
        let verdict = match label {
            "sat" => Some(Verdict::Sat),
            "unsat" => Some(Verdict::Unsat),
            open if OPEN.contains(&open) => None,
            foreign => {
                *self.foreign.entry(foreign.to_owned()).or_default() += 1;
                None
            }
        };
        match self.by_path.insert(path.to_owned(), verdict) {
            Some(before) if before != verdict => {
                return Err(format!("`{path}` has another label in an earlier line"));
            }
            _ => {}
        }
        let same = self.by_name.entry(last_part(path).to_owned()).or_insert(verdict);
        if *same != verdict {
            *same = None;
        }
        Ok(())
    }

    /// How many files it names.
    pub fn len(&self) -> usize {
        self.by_path.len()
    }

    /// Whether it names no file.
    pub fn is_empty(&self) -> bool {
        self.by_path.is_empty()
    }

    /// The label of a file, `SET/FOLDERS/NAME` or `ARCHIVE!member`.
    pub fn of(&self, path: &str) -> Option<(Label, MatchedBy)> {
        let (verdict, matched_by) = self.verdict_of(path)?;
        Some((Label { verdict, source: self.source.clone() }, matched_by))
    }

    fn verdict_of(&self, path: &str) -> Option<(Verdict, MatchedBy)> {
        let path = path.split_once('!').map_or(path, |(_, member)| member);
        let mut rest = path;
        loop {
            if let Some(&verdict) = self.by_path.get(rest) {
                return Some((verdict?, MatchedBy::Path));
            }
            match rest.split_once('/') {
                // A name alone is no path: other files may have it.
                Some((_, below)) if below.contains('/') => rest = below,
                _ => break,
            }
        }
        let name = last_part(path);
        let verdict = (*self.by_name.get(name)?)?;
        // A row without folders matches by its whole path.
        let is_whole = self.by_path.contains_key(name);
        Some((verdict, if is_whole { MatchedBy::Path } else { MatchedBy::Name }))
    }
}

/// The columns of path and label by the first row, and whether that row is a heading.
fn columns_of(row: &csv::StringRecord) -> Option<((usize, usize), bool)> {
    let column = |name: &str| row.iter().position(|title| title.trim() == name);
    if let (Some(path), Some(label)) = (column("path"), column("label")) {
        return Some(((path, label), true));
    }
    let label = row.get(1).map(str::trim)?;
    let is_label = ["sat", "unsat"].contains(&label) || OPEN.contains(&label);
    (row.len() == 2 && is_label).then_some(((0, 1), false))
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(text: &str) -> Result<LabelTable, String> {
        LabelTable::parse("table", text.as_bytes())
    }

    fn verdict(table: &LabelTable, path: &str) -> Option<Verdict> {
        table.of(path).map(|(label, _)| label.verdict)
    }

    #[test]
    fn answers_are_found_by_path_then_by_name() {
        let known =
            labels("path\tbytes\tlabel\na/x\t1\tsat\nb/x\t1\tunsat\nc/y\t1\tsat\nd\t1\tsat?\n");
        let known = known.expect("the table is fine");
        assert_eq!(verdict(&known, "set.tar.zst!set/a/x"), Some(Verdict::Sat));
        assert_eq!(verdict(&known, "set/b/x"), Some(Verdict::Unsat));
        let (label, matched_by) = known.of("elsewhere/y").expect("there is one file of that name");
        assert_eq!((label.verdict, matched_by), (Verdict::Sat, MatchedBy::Name));
        assert_eq!(label.source, "table");
        let bare = labels("z\tsat\n").expect("the table is fine");
        assert_eq!(
            bare.of("set/folder/z").map(|(_, matched_by)| matched_by),
            Some(MatchedBy::Path)
        );
        assert_eq!(known.of("elsewhere/x"), None, "two files of that name differ");
        assert_eq!(known.of("d"), None, "a contested answer is none");
        assert_eq!(known.foreign.get("sat?"), Some(&1));
        let known = labels("path\tlabel\na/1\tsat\n1\tunsat\n").expect("the table is fine");
        assert_eq!(known.of("set/c/1"), None, "a name that stands alone is one of two");
        assert_eq!(verdict(&known, "1"), Some(Verdict::Unsat));
        let known = labels("path\tlabel\na/1\tsat\nb/1\t\n").expect("the table is fine");
        assert_eq!(known.of("set/b/1"), None, "the answer of another file of that name");
    }

    #[test]
    fn a_csv_table_has_quotes_and_two_columns_need_no_head() {
        let known = labels("label,path\nunsat,\"a, b/x.smt2\"\n").expect("the table is fine");
        assert_eq!(verdict(&known, "set/a, b/x.smt2"), Some(Verdict::Unsat));
        let known = labels("./a/x.smt2,sat\na/y.smt2,unknown\n").expect("the table is fine");
        assert_eq!((verdict(&known, "a/x.smt2"), known.len()), (Some(Verdict::Sat), 2));
    }

    #[test]
    fn a_malformed_table_is_rejected_with_its_line() {
        for (text, expected) in [
            ("path\tanswer\n", "line 1: expected columns named `path` and `label`"),
            ("path\tlabel\nx\n", "line 2: 1 columns are too few"),
            ("", "the table is empty"),
            ("path,label\na,sat\n,unsat\n", "line 3: the path is empty"),
            ("path,label\na,sat\na,unsat\n", "line 3: `a` has another label"),
            ("path\tlabel\na\u{ff}\tsat\n", ""),
        ] {
            match labels(text) {
                Err(message) => assert!(message.contains(expected), "{text:?}: {message}"),
                Ok(_) => assert!(expected.is_empty(), "{text:?} is accepted"),
            }
        }
        let binary = LabelTable::parse("table", b"path\tlabel\n\xff\xfe\tsat\n");
        assert!(binary.is_err_and(|why| why.contains("UTF-8")));
    }
}
