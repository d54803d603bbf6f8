//! Answers that are known for files of benchmark sets, read from a table.
//!
//! A table has a line for each file, fields between tabs, and names its columns in the first line:
//! `path` and `label` must be among them. Only the labels `sat` and `unsat` count; those with a
//! question mark, or that only one solver supports, say nothing here.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use luthier_corpus::{Options, instances};
use luthier_records::Verdict;

/// The known answers.
#[derive(Default)]
pub struct Labels {
    /// `None` where the table has the file but says nothing.
    by_path: HashMap<String, Option<Verdict>>,
    /// By the last part of the path; `None` where files of that name have different answers.
    by_name: HashMap<String, Option<Verdict>>,
}

impl Labels {
    /// Reads tables, compressed or not.
    pub fn read(tables: &[PathBuf]) -> Result<Self, String> {
        let mut labels = Self::default();
        for table in tables {
            labels.add(table).map_err(|why| format!("{}: {why}", table.display()))?;
        }
        Ok(labels)
    }

    fn add(&mut self, table: &Path) -> Result<(), String> {
        let file = instances(&[table.to_owned()], &Options::default()).next();
        let file = file.ok_or("there is no such file")?.map_err(|error| error.to_string())?;
        let text = String::from_utf8(file.bytes).map_err(|_| "this is no text")?;
        let mut lines = text.lines();
        let head: Vec<&str> = lines.next().ok_or("the table is empty")?.split('\t').collect();
        let column = |name: &str| {
            let found = head.iter().position(|&title| title == name);
            found.ok_or_else(|| format!("line 1: there is no column {name}"))
        };
        let (path, label) = (column("path")?, column("label")?);
        for (number, line) in lines.enumerate() {
            let fields: Vec<&str> = line.split('\t').collect();
            let (Some(&path), Some(&label)) = (fields.get(path), fields.get(label)) else {
                return Err(format!("line {}: {} columns are too few", number + 2, fields.len()));
            };
            let answer = match label {
                "sat" => Some(Verdict::Sat),
                "unsat" => Some(Verdict::Unsat),
                _ => None,
            };
            self.by_path.insert(path.to_owned(), answer);
            let same = self.by_name.entry(last_part(path).to_owned()).or_insert(answer);
            if *same != answer {
                *same = None;
            }
        }
        Ok(())
    }

    /// The answer for a file: by its path below the folder of its set, else by its name.
    pub fn of(&self, path: &str) -> Option<Verdict> {
        let path = path.split_once('!').map_or(path, |(_, member)| member);
        let mut rest = path;
        loop {
            if let Some(&answer) = self.by_path.get(rest) {
                return answer;
            }
            match rest.split_once('/') {
                // A name alone is no path: other files may have it.
                Some((_, below)) if below.contains('/') => rest = below,
                _ => return self.by_name.get(last_part(path)).copied().flatten(),
            }
        }
    }
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(text: &str) -> Result<Labels, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let table = folder.path().join("labels.tsv");
        std::fs::write(&table, text).map_err(|error| error.to_string())?;
        Labels::read(&[table])
    }

    #[test]
    fn answers_are_found_by_path_then_by_name() {
        let known =
            labels("path\tbytes\tlabel\na/x\t1\tsat\nb/x\t1\tunsat\nc/y\t1\tsat\nd\t1\tsat?\n");
        let known = known.expect("the table is fine");
        assert_eq!(known.of("set.tar.zst!set/a/x"), Some(Verdict::Sat));
        assert_eq!(known.of("set/b/x"), Some(Verdict::Unsat));
        assert_eq!(known.of("elsewhere/y"), Some(Verdict::Sat));
        assert_eq!(known.of("elsewhere/x"), None, "two files of that name differ");
        assert_eq!(known.of("d"), None, "a contested answer is none");
        let known = labels("path\tlabel\na/1\tsat\n1\tunsat\n").expect("the table is fine");
        assert_eq!(known.of("set/c/1"), None, "a name that stands alone is one of two");
        assert_eq!(known.of("1"), Some(Verdict::Unsat));
        let known = labels("path\tlabel\na/1\tsat\nb/1\t\n").expect("the table is fine");
        assert_eq!(known.of("set/b/1"), None, "the answer of another file of that name");
    }

    #[test]
    fn a_table_without_its_columns_is_refused() {
        assert!(labels("path\tanswer\n").is_err_and(|why| why.contains("no column label")));
        assert!(labels("path\tlabel\nx\n").is_err_and(|why| why.contains("line 2")));
    }
}
