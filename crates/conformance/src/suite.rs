//! The facts of the conformance suite, read from the embedded files of `conformance/`.
//!
//! Every file has the facts of one operator or topic, each as `(assert (! FACT :named NAME))` in
//! SMT-LIB 2.7. The text of a fact is kept beside its term, because releases that read the standard
//! are asked in exactly that text.

use luthier_smtlib::{CommandKind, Dialect, Mode, ReadOptions, read_script};
use luthier_terms::{TermId, TermPool};

/// The embedded files, each with its operator or topic. A file is named after its operator where file
/// names allow it.
macro_rules! files {
    ($($path:literal => $operator:literal,)*) => {
        &[$(EmbeddedFile {
            path: $path,
            operator: $operator,
            text: include_str!(concat!("../../../conformance/", $path, ".smt2")),
        },)*]
    };
}

struct EmbeddedFile {
    path: &'static str,
    operator: &'static str,
    text: &'static str,
}

const FILES: &[EmbeddedFile] = files![
    "literals/char" => "(_ char)",
    "literals/escapes" => "escapes",
    "literals/not_escapes" => "no escapes",
    "literals/quotes" => "quotes",
    "strings/order_chains" => "str.< chains",
    "strings/str.++" => "str.++",
    "strings/str.at" => "str.at",
    "strings/str.contains" => "str.contains",
    "strings/str.from_code" => "str.from_code",
    "strings/str.from_int" => "str.from_int",
    "strings/str.indexof" => "str.indexof",
    "strings/str.is_digit" => "str.is_digit",
    "strings/str.le" => "str.<=",
    "strings/str.len" => "str.len",
    "strings/str.lt" => "str.<",
    "strings/str.prefixof" => "str.prefixof",
    "strings/str.replace" => "str.replace",
    "strings/str.replace_all" => "str.replace_all",
    "strings/str.replace_re" => "str.replace_re",
    "strings/str.replace_re_all" => "str.replace_re_all",
    "strings/str.substr" => "str.substr",
    "strings/str.suffixof" => "str.suffixof",
    "strings/str.to_code" => "str.to_code",
    "strings/str.to_int" => "str.to_int",
    "regexes/computed" => "computed regexes",
    "regexes/re.++" => "re.++",
    "regexes/re.all" => "re.all",
    "regexes/re.allchar" => "re.allchar",
    "regexes/re.comp" => "re.comp",
    "regexes/re.diff" => "re.diff",
    "regexes/re.inter" => "re.inter",
    "regexes/re.loop" => "(_ re.loop)",
    "regexes/re.none" => "re.none",
    "regexes/re.opt" => "re.opt",
    "regexes/re.plus" => "re.+",
    "regexes/re.power" => "(_ re.^)",
    "regexes/re.range" => "re.range",
    "regexes/re.star" => "re.*",
    "regexes/re.union" => "re.union",
    "regexes/str.in_re" => "str.in_re",
    "regexes/str.to_re" => "str.to_re",
    "core/and" => "and",
    "core/distinct" => "distinct",
    "core/equal" => "=",
    "core/implies" => "=>",
    "core/ite" => "ite",
    "core/let" => "let",
    "core/not" => "not",
    "core/or" => "or",
    "core/xor" => "xor",
    "integers/abs" => "abs",
    "integers/add" => "+",
    "integers/div" => "div",
    "integers/ge" => ">=",
    "integers/gt" => ">",
    "integers/le" => "<=",
    "integers/lt" => "<",
    "integers/mod" => "mod",
    "integers/mul" => "*",
    "integers/neg" => "- (unary)",
    "integers/sub" => "-",
    "combined/laws" => "laws",
    "combined/nested" => "nested",
];

/// The suite, or a part of it.
pub struct Suite {
    /// The terms of all facts.
    pub pool: TermPool,
    /// The files, in the order of the suite.
    pub files: Vec<SuiteFile>,
    /// The facts, in the order of the files.
    pub facts: Vec<Fact>,
}

/// A file of the suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteFile {
    /// Its folder and name, without the ending: `strings/str.at`.
    pub path: &'static str,
    /// The operator or topic of its facts.
    pub operator: &'static str,
    /// The logic of its facts.
    pub logic: String,
}

/// A closed formula that is true by the standard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Its name, unique in the suite: `at-004`.
    pub name: String,
    /// The position of its file in the suite.
    pub file: usize,
    /// The formula as the suite writes it, in SMT-LIB 2.7.
    pub text: String,
    /// The formula.
    pub term: TermId,
}

/// Why there are no facts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SuiteError {
    /// A file violates the format. That is a fault of Luthier, since the files are embedded.
    #[error("conformance/{path}.smt2: {problem}")]
    File {
        /// The file.
        path: String,
        /// What is wrong.
        problem: String,
    },
    /// A filter matches no fact.
    #[error("nothing in the conformance suite is called `{filter}`")]
    NothingCalled {
        /// The filter.
        filter: String,
    },
}

impl Suite {
    /// All facts.
    pub fn embedded() -> Result<Self, SuiteError> {
        let mut suite = Self { pool: TermPool::new(), files: Vec::new(), facts: Vec::new() };
        for file in FILES {
            suite.add(file)?;
        }
        Ok(suite)
    }

    /// Keeps the facts that match one of the filters: a folder (`strings`), a file
    /// (`strings/str.at`), an operator (`str.at`) or a fact (`at-004`). Without filters all stay.
    pub fn only(mut self, filters: &[String]) -> Result<Self, SuiteError> {
        if filters.is_empty() {
            return Ok(self);
        }
        let names = |filter: &str, fact: &Fact| {
            let file = &self.files[fact.file];
            let folder = file.path.split('/').next();
            let path = filter.strip_suffix(".smt2").unwrap_or(filter).trim_end_matches('/');
            file.path == path
                || folder == Some(path)
                || file.operator == filter
                || fact.name == filter
        };
        for filter in filters {
            if !self.facts.iter().any(|fact| names(filter, fact)) {
                return Err(SuiteError::NothingCalled { filter: filter.clone() });
            }
        }
        let keep: Vec<bool> = self
            .facts
            .iter()
            .map(|fact| filters.iter().any(|filter| names(filter, fact)))
            .collect();
        let mut keep = keep.into_iter();
        self.facts.retain(|_| keep.next().unwrap_or(false));
        Ok(self)
    }

    /// The positions of the files that have facts, each with the positions of its facts.
    pub fn by_file(&self) -> Vec<(usize, std::ops::Range<usize>)> {
        let mut found: Vec<(usize, std::ops::Range<usize>)> = Vec::new();
        for (position, fact) in self.facts.iter().enumerate() {
            match found.last_mut() {
                Some((file, range)) if *file == fact.file => range.end = position + 1,
                _ => found.push((fact.file, position..position + 1)),
            }
        }
        found
    }

    fn add(&mut self, file: &EmbeddedFile) -> Result<(), SuiteError> {
        let wrong = |problem: String| SuiteError::File { path: file.path.to_owned(), problem };
        let options = ReadOptions { dialect: Some(Dialect::Smt27), mode: Mode::Strict };
        let reading = read_script(&mut self.pool, file.text.as_bytes(), &options);
        if !reading.is_accepted() {
            return Err(wrong("it is no script of SMT-LIB 2.7".to_owned()));
        }
        let mut logic = None;
        for command in &reading.script.commands {
            match &command.kind {
                CommandKind::SetLogic(symbol) => {
                    let name = self.pool.symbols().bytes_of(*symbol);
                    logic = Some(String::from_utf8_lossy(name).into_owned());
                }
                CommandKind::Assert(assertion) => {
                    let span = command.span.start as usize..command.span.end as usize;
                    let text = file.text.get(span).unwrap_or_default();
                    let (text, name) = formula_and_name(text)
                        .ok_or_else(|| wrong(format!("this is no named fact: {text}")))?;
                    self.facts.push(Fact {
                        name: name.to_owned(),
                        file: self.files.len(),
                        text: text.to_owned(),
                        term: assertion.term,
                    });
                }
                _ => {}
            }
        }
        let logic = logic.ok_or_else(|| wrong("it sets no logic".to_owned()))?;
        self.files.push(SuiteFile { path: file.path, operator: file.operator, logic });
        Ok(())
    }
}

/// The parts of `(assert (! FACT :named NAME))`, which is how every fact is written.
fn formula_and_name(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix("(assert (! ")?.strip_suffix("))")?;
    inner.rsplit_once(" :named ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    fn filtered(filters: &[&str]) -> Result<Vec<String>, SuiteError> {
        let filters: Vec<String> = filters.iter().map(|&filter| filter.to_owned()).collect();
        let suite = Suite::embedded().unwrap().only(&filters)?;
        Ok(suite.by_file().iter().map(|(file, _)| suite.files[*file].path.to_owned()).collect())
    }

    #[test]
    fn every_file_of_the_folder_is_embedded() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
        let mut files = BTreeSet::new();
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                for file in fs::read_dir(&path).unwrap() {
                    let file = file.unwrap().file_name().into_string().unwrap();
                    files.insert(format!("{name}/{}", file.strip_suffix(".smt2").unwrap()));
                }
            }
        }
        let embedded: BTreeSet<String> = FILES.iter().map(|file| file.path.to_owned()).collect();
        assert_eq!(embedded, files);
    }

    #[test]
    fn facts_have_names_of_their_own_and_are_as_many_as_the_readme_says() {
        let suite = Suite::embedded().unwrap();
        let names: BTreeSet<&str> = suite.facts.iter().map(|fact| fact.name.as_str()).collect();
        assert_eq!(names.len(), suite.facts.len());
        let readme = include_str!("../../../conformance/README.md");
        assert!(readme.contains(&format!("has {} facts in {} files", names.len(), FILES.len())));
        let operators: BTreeSet<&str> = FILES.iter().map(|file| file.operator).collect();
        assert_eq!(operators.len(), FILES.len());
    }

    #[test]
    fn a_fact_is_kept_as_it_is_written() {
        let suite = Suite::embedded().unwrap();
        let fact = suite.facts.iter().find(|fact| fact.name == "char-001").unwrap();
        assert_eq!(fact.text, "(= (str.to_code (_ char #x0)) 0)");
        assert_eq!(suite.files[fact.file].logic, "QF_SLIA");
    }

    #[test]
    fn filters_name_folders_files_operators_and_facts() {
        assert_eq!(filtered(&["strings/str.at"]).unwrap(), ["strings/str.at"]);
        assert_eq!(filtered(&["conformance"]).unwrap_err().to_string().matches('`').count(), 2);
        assert_eq!(filtered(&["str.<"]).unwrap(), ["strings/str.lt"]);
        assert_eq!(filtered(&["at-001", "core/and.smt2"]).unwrap(), ["strings/str.at", "core/and"]);
        assert_eq!(filtered(&["literals/"]).unwrap().len(), 4);
        assert_eq!(filtered(&[]).unwrap().len(), FILES.len());
        let one = Suite::embedded().unwrap().only(&["at-001".to_owned()]).unwrap();
        assert_eq!(one.facts.len(), 1);
        assert_eq!(one.by_file(), [(one.facts[0].file, 0..1)]);
    }
}
