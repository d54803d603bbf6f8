//! Selections: which files of which sets, as a file that can be shared and run again.
//!
//! The file is a table with tabs between columns. Its first line is `# luthier selection 1`; further lines that begin
//! with `#` are remarks, such as the command that made it. Then come the heading `set`, `path`, `sha256`, and one row
//! for each file: the name of its set, its path below the folder or archive of the set, the SHA-256 of its
//! bytes. In names, `\t`, `\n`, `\r` and `\\` stand for the characters that would break the table.
//!
//! Digests make it exact: who has other files by these names is told so, and does not run something else. Paths are
//! written without the folders that all files of a set share, so that a folder and an archive are the same.

use std::collections::BTreeMap;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

use luthier_records::Digest;

use crate::sets::{SetError, common_folder};

/// The first line; the number is the version of the format.
const HEAD: &str = "# luthier selection 1";
/// What stands for bytes of a name that are not UTF-8.
const REPLACEMENT: char = '\u{FFFD}';
const COLUMNS: &str = "set\tpath\tsha256";

/// Some files of some sets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Remarks, without the `#`.
    pub remarks: Vec<String>,
    /// The files by set: path and digest, in order.
    pub sets: BTreeMap<String, Vec<(String, Digest)>>,
}

impl Selection {
    /// How many files it has.
    pub fn len(&self) -> usize {
        self.sets.values().map(Vec::len).sum()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.sets.values().all(Vec::is_empty)
    }

    /// Adds a file of a set.
    pub fn add(&mut self, set: &str, path: &str, digest: Digest) {
        self.sets.entry(set.to_owned()).or_default().push((path.to_owned(), digest));
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        let mut text = format!("{HEAD}\n");
        for remark in &self.remarks {
            let _ = writeln!(text, "# {}", escaped(remark));
        }
        let _ = writeln!(text, "{COLUMNS}");
        for (set, files) in &self.sets {
            for (path, digest) in files {
                let _ = writeln!(text, "{}\t{}\t{digest}", escaped(set), escaped(path));
            }
        }
        text
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, SetError> {
        let bytes = std::fs::read(path).map_err(SetError::file(path))?;
        Self::parse(path, &String::from_utf8_lossy(&bytes))
    }

    /// Reads the text of a file; the path is for messages.
    pub fn parse(path: &Path, text: &str) -> Result<Self, SetError> {
        let wrong = |line: usize, message: String| SetError::Syntax {
            path: path.to_owned(),
            line: line + 1,
            message,
        };
        let mut lines = text.lines().enumerate();
        match lines.next() {
            Some((_, HEAD)) => {}
            Some((line, first)) if first.starts_with("# luthier selection ") => {
                let message = "a selection of another version; this program reads version 1";
                return Err(wrong(line, message.to_owned()));
            }
            _ => return Err(wrong(0, format!("this is no selection: expected `{HEAD}`"))),
        }
        let mut selection = Self::default();
        let mut has_columns = false;
        let mut seen: HashMap<(String, String, Digest), usize> = HashMap::new();
        for (line, row) in lines {
            if let Some(remark) = row.strip_prefix('#') {
                selection.remarks.push(unescaped(remark.trim_start()));
            } else if !has_columns {
                if row != COLUMNS {
                    return Err(wrong(line, format!("expected the columns `{COLUMNS}`")));
                }
                has_columns = true;
            } else {
                let columns: Vec<&str> = row.split('\t').collect();
                let [set, file, digest] = columns[..] else {
                    let count = columns.len();
                    return Err(wrong(line, format!("expected three columns, found {count}")));
                };
                let digest: Digest =
                    digest.parse().map_err(|error| wrong(line, format!("`{digest}`: {error}")))?;
                let (set, file) = (unescaped(set), unescaped(file));
                let before = seen.insert((set.clone(), file.clone(), digest), line);
                // Names that are not UTF-8 may look the same.
                if let Some(before) = before.filter(|_| !file.contains(REPLACEMENT)) {
                    let message = format!("`{file}` of `{set}` is in line {} already", before + 1);
                    return Err(wrong(line, message));
                }
                selection.add(&set, &file, digest);
            }
        }
        if !has_columns {
            let end = text.lines().count().saturating_sub(1);
            return Err(wrong(end, format!("expected the columns `{COLUMNS}`")));
        }
        Ok(selection)
    }

    /// The files of one set, to be looked up while the set is read. `names` are those of all files of the set.
    pub fn of_set<'a>(
        &self,
        set: &str,
        names: impl Iterator<Item = &'a str> + Clone,
    ) -> SelectedFiles {
        let files = self.sets.get(set).cloned().unwrap_or_default();
        SelectedFiles::new(files, names)
    }
}

/// The selected files of one set.
#[derive(Clone, Debug)]
pub struct SelectedFiles {
    /// By the whole name in the set, with the numbers of the rows; several if the selection has versions of a file.
    by_name: HashMap<String, Vec<usize>>,
    files: Vec<(String, Digest)>,
    found: Vec<Found>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    No,
    Yes,
    Differs,
}

impl SelectedFiles {
    /// A path stands for the file of this name below the deepest common folder of the set. If there is none, because
    /// the set has other folders than it had, it stands for the shortest name that ends with it.
    fn new<'a>(files: Vec<(String, Digest)>, names: impl Iterator<Item = &'a str> + Clone) -> Self {
        let mut by_path: HashMap<&str, Vec<usize>> = HashMap::new();
        for (row, (path, _)) in files.iter().enumerate() {
            by_path.entry(path).or_default().push(row);
        }
        let common = common_folder(names.clone());
        let mut best: HashMap<&str, &'a str> = HashMap::new();
        for name in names {
            // Below the common folder first, so that nothing else takes its place.
            let mut rest = name.strip_prefix(common.as_str()).unwrap_or(name);
            let mut is_exact = true;
            loop {
                if let Some((&path, _)) = by_path.get_key_value(rest) {
                    let is_better = |known: &&str| {
                        is_exact || {
                            name.len() < known.len() && **known != format!("{common}{path}")
                        }
                    };
                    if best.get(path).is_none_or(is_better) {
                        best.insert(path, name);
                    }
                }
                is_exact = false;
                let Some((_, below)) = rest.split_once('/') else { break };
                rest = below;
            }
        }
        let names = best.into_iter().map(|(path, name)| (name.to_owned(), by_path[path].clone()));
        let by_name = names.collect();
        let found = vec![Found::No; files.len()];
        Self { by_name, files, found }
    }

    /// Whether a file is selected. Each selected file is taken once.
    pub fn take(&mut self, name: &str, bytes: &[u8]) -> bool {
        let Some(rows) = self.by_name.get(name) else { return false };
        let digest = Digest::of(bytes);
        let open = |row: &&usize| self.found[**row] != Found::Yes;
        let same = rows.iter().filter(open).find(|row| self.files[**row].1 == digest).copied();
        if let Some(row) = same {
            self.found[row] = Found::Yes;
        } else if let Some(row) = rows.iter().find(open) {
            self.found[*row] = Found::Differs;
        }
        same.is_some()
    }

    /// The selected files that were not found, and those that were found with other contents.
    pub fn missing(&self) -> (Vec<&str>, Vec<&str>) {
        let of = |wanted: Found| {
            let rows = self.files.iter().zip(&self.found);
            let rows = rows.filter(move |(_, found)| **found == wanted);
            rows.map(|((path, _), _)| path.as_str()).collect()
        };
        (of(Found::No), of(Found::Differs))
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            plain.push(letter);
            continue;
        }
        match letters.next() {
            Some('t') => plain.push('\t'),
            Some('n') => plain.push('\n'),
            Some('r') => plain.push('\r'),
            Some(other) => plain.push(other),
            None => plain.push('\\'),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selection() -> Selection {
        let mut selection =
            Selection { remarks: vec!["made by\thand".to_owned()], ..Selection::default() };
        selection.add("norn", "ab/one.smt2", Digest::of(b"1"));
        selection.add("kaluza", "odd\tna\\me\n.smt2", Digest::of(b"2"));
        selection
    }

    #[test]
    fn a_selection_is_written_and_read_back() {
        let selection = selection();
        let text = selection.to_text();
        assert_eq!(Selection::parse(Path::new("s"), &text).unwrap(), selection);
        assert_eq!((selection.len(), selection.is_empty()), (2, false));
        assert!(text.starts_with("# luthier selection 1\n"), "{text}");
    }

    #[test]
    fn faults_have_their_line() {
        let digest = Digest::of(b"1");
        let check = |text: &str, expected: &str| {
            let error = Selection::parse(Path::new("s.tsv"), text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        };
        check("", "s.tsv:1: this is no selection");
        check("# luthier selection 2\n", "s.tsv:1: a selection of another version");
        check("# luthier selection 1\n", "s.tsv:1: expected the columns");
        check("# luthier selection 1\nset\tpath\n", "s.tsv:2: expected the columns");
        let head = format!("{HEAD}\n{COLUMNS}\n");
        check(&format!("{head}a\tb\n"), "s.tsv:3: expected three columns, found 2");
        check(&format!("{head}a\tb\tc\n"), "s.tsv:3: `c`: a SHA-256 has 64");
        let twice = format!("{head}a\tb\t{digest}\na\tb\t{digest}\n");
        check(&twice, "s.tsv:4: `b` of `a` is in line 3 already");
    }

    #[test]
    fn files_are_found_with_or_without_a_top_folder_and_others_are_named() {
        let mut selection = Selection::default();
        selection.add("s", "a/one.smt2", Digest::of(b"1"));
        selection.add("s", "a/two.smt2", Digest::of(b"2"));
        selection.add("s", "b/three.smt2", Digest::of(b"3"));
        let names = ["set/a/one.smt2", "set/a/two.smt2", "set/b/four.smt2", "set/c/other.smt2"];
        let mut files = selection.of_set("s", names.into_iter());
        assert!(files.take("set/a/one.smt2", b"1"));
        assert!(!files.take("set/a/two.smt2", b"changed"));
        assert!(!files.take("set/c/other.smt2", b"2"));
        assert_eq!(files.missing(), (vec!["b/three.smt2"], vec!["a/two.smt2"]));
        assert!(!selection.of_set("t", names.into_iter()).take("set/a/one.smt2", b"1"));
        // A set that was part of this one.
        let names = ["all/set/a/one.smt2", "all/another/two.smt2"];
        assert!(selection.of_set("s", names.into_iter()).take("all/set/a/one.smt2", b"1"));
    }

    #[test]
    fn a_copy_of_the_same_name_in_another_folder_is_another_file() {
        let mut selection = Selection::default();
        selection.add("s", "z.smt2", Digest::of(b"1"));
        for names in [["sub/z.smt2", "z.smt2"], ["z.smt2", "sub/z.smt2"]] {
            let mut files = selection.of_set("s", names.into_iter());
            assert!(!files.take("sub/z.smt2", b"1"));
            assert!(files.take("z.smt2", b"1"));
            assert!(!files.take("z.smt2", b"1"));
            assert_eq!(files.missing(), (vec![], vec![]));
        }
    }

    #[test]
    fn names_that_are_not_utf8_may_look_the_same() {
        let mut selection = Selection::default();
        for bytes in [b"1", b"2", b"2"] {
            selection.add("s", "caf\u{FFFD}.smt2", Digest::of(bytes));
        }
        let selection = Selection::parse(Path::new("s"), &selection.to_text()).unwrap();
        let names = ["caf\u{FFFD}.smt2"; 3];
        let mut files = selection.of_set("s", names.into_iter());
        for bytes in [b"2", b"1", b"2"] {
            assert!(files.take(names[0], bytes));
        }
        assert!(!files.take(names[0], b"2"));
    }
}
