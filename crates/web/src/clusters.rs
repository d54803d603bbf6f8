//! A folder of clusters: `clusters.json`, the document of `luthier cluster --json`, beside the smallest
//! formula of each cluster; and `NAME.bisect.json`, the document of `luthier bisect --json`, beside
//! `NAME.smt2`.
//!
//! Only regular files directly in the folder are read, by names of letters, digits, `.`, `_` and `-`, and
//! only up to a size. Fields that are missing have their default, so that documents of other versions can
//! be shown, too. Everything is read when it is asked for: the folder may be filled while it is served.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::text::without_folders;

/// The document with all clusters.
const DOCUMENT: &str = "clusters.json";
/// The largest files that are read, in bytes.
const MOST_DOCUMENT: u64 = 32 << 20;
const MOST_TIMELINE: u64 = 2 << 20;
const MOST_FORMULA: u64 = 2 << 20;
/// The longest name of a file.
const MOST_NAME: usize = 200;

/// Where clusters are.
#[derive(Clone, Debug)]
pub(crate) struct ClusterFolder {
    path: PathBuf,
}

/// Why something of the folder cannot be shown.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ClusterError {
    /// It is not there.
    #[error("{name}: there is no such file in the folder of clusters")]
    Missing { name: String },
    /// A name that is not a name of a file in the folder.
    #[error("“{name}” is no name of a file of letters, digits, “.”, “_” and “-”")]
    BadName { name: String },
    /// A link, a folder, a pipe.
    #[error("{name}: is no regular file")]
    NotRegular { name: String },
    /// Too much of it.
    #[error("{name}: is longer than {most} bytes")]
    TooLarge { name: String, most: u64 },
    /// The system refuses.
    #[error("{name}: {cause}")]
    Unreadable { name: String, cause: std::io::Error },
    /// It is not what it should be.
    #[error("{name}: {cause}")]
    Malformed { name: String, cause: serde_json::Error },
}

/// The document of `luthier cluster`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ClusterReport {
    /// The hunt or the database.
    pub input: String,
    /// Failing formulas or runs.
    pub failures: u64,
    /// The clusters.
    pub clusters: Vec<Cluster>,
    /// Failures that are in no cluster.
    pub unexamined: Vec<Unexamined>,
    /// Findings of kinds that are not clustered.
    pub left_out: BTreeMap<String, u64>,
}

impl ClusterReport {
    /// The report for others to read, without folders of the machine.
    pub fn without_folders(mut self) -> Self {
        let of_clusters =
            self.clusters.iter_mut().flat_map(|one| &mut one.files).map(|one| &mut one.file);
        let others = self.unexamined.iter_mut().map(|one| &mut one.file);
        for name in of_clusters.chain(others).chain([&mut self.input]) {
            *name = without_folders(name);
        }
        self
    }
}

/// A failure that is in no cluster.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Unexamined {
    /// Its formula.
    pub file: String,
    /// Why.
    pub reason: String,
}

/// Failures with one likely cause.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Cluster {
    /// What the members have in common.
    pub signature: String,
    /// Whether it was known before, and what is known.
    pub known: bool,
    pub name: Option<String>,
    pub first_seen: Option<String>,
    pub note: Option<String>,
    /// The kind of finding.
    pub class: String,
    pub solvers: Vec<String>,
    pub operators: Vec<String>,
    /// The corner case.
    pub corner: String,
    /// How many failures.
    pub members: u64,
    /// The failures.
    pub files: Vec<Member>,
    /// Why they are thought the same.
    pub why: Vec<String>,
    /// What installed releases do with the minimal formulas.
    pub releases: Vec<Release>,
    /// The smallest formula.
    pub smallest: Option<Smallest>,
}

/// A failure.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Member {
    pub file: String,
    pub solver: String,
    pub class: String,
    pub runs: u64,
    /// The assertions of its own minimal formula.
    pub minimal: String,
    /// Further operators that the solver evaluates wrongly in the formula.
    pub also: Vec<String>,
}

/// What one release does.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Release {
    pub version: String,
    /// The outcome in a word; only bisections have it.
    pub outcome: Option<String>,
    /// Whether it fails; `None` if it cannot tell.
    pub fails: Option<bool>,
}

/// The smallest formula of a cluster.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Smallest {
    /// The file, as the command wrote it; only its name counts.
    pub file: Option<String>,
    pub nodes: u64,
    pub truth: String,
    pub says: String,
    /// The assertions, on one line.
    pub formula: String,
    pub text: String,
}

/// The document of `luthier bisect`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Timeline {
    pub solver: String,
    pub class: Option<String>,
    /// Whether every release was observed.
    pub complete: bool,
    /// Oldest first.
    pub releases: Vec<Release>,
    pub last_good: Option<String>,
    pub first_bad: Option<String>,
    pub first_good_again: Option<String>,
}

impl ClusterFolder {
    /// A folder, which must be there.
    pub fn open(path: &Path) -> std::io::Result<Self> {
        match std::fs::metadata(path)?.is_dir() {
            true => Ok(Self { path: path.to_owned() }),
            false => Err(std::io::Error::from(ErrorKind::NotADirectory)),
        }
    }

    /// All clusters.
    pub fn report(&self) -> Result<ClusterReport, ClusterError> {
        self.json(DOCUMENT, MOST_DOCUMENT)
    }

    /// The name and the text of a smallest formula: of its file, or as the document has it if none was
    /// written.
    pub fn formula(&self, smallest: &Smallest) -> Result<(Option<String>, Vec<u8>), ClusterError> {
        match &smallest.file {
            None => Ok((None, smallest.text.clone().into_bytes())),
            Some(file) => {
                let name = file_name(file)?;
                let bytes = self.read(name, MOST_FORMULA)?;
                Ok((Some(name.to_owned()), bytes))
            }
        }
    }

    /// The bisection of a smallest formula, if there is one.
    pub fn timeline(&self, smallest: &Smallest) -> Result<Option<Timeline>, ClusterError> {
        let Some(file) = &smallest.file else { return Ok(None) };
        let name = file_name(file)?;
        let stem = name.strip_suffix(".smt2").unwrap_or(name);
        match self.json(&format!("{stem}.bisect.json"), MOST_TIMELINE) {
            Ok(timeline) => Ok(Some(timeline)),
            Err(ClusterError::Missing { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn json<T: DeserializeOwned>(&self, name: &str, most: u64) -> Result<T, ClusterError> {
        let bytes = self.read(name, most)?;
        serde_json::from_slice(&bytes)
            .map_err(|cause| ClusterError::Malformed { name: name.to_owned(), cause })
    }

    fn read(&self, name: &str, most: u64) -> Result<Vec<u8>, ClusterError> {
        let path = self.path.join(file_name(name)?);
        let name = || name.to_owned();
        let failed = |cause: std::io::Error| match cause.kind() {
            ErrorKind::NotFound => ClusterError::Missing { name: name() },
            _ => ClusterError::Unreadable { name: name(), cause },
        };
        // A link could lead out of the folder, and opening a pipe may wait for ever.
        if !std::fs::symlink_metadata(&path).map_err(failed)?.is_file() {
            return Err(ClusterError::NotRegular { name: name() });
        }
        let mut bytes = Vec::new();
        let file = File::open(&path).map_err(failed)?;
        file.take(most + 1).read_to_end(&mut bytes).map_err(failed)?;
        match bytes.len() as u64 > most {
            true => Err(ClusterError::TooLarge { name: name(), most }),
            false => Ok(bytes),
        }
    }
}

/// The name at the end of a path, which must be a plain one.
fn file_name(path: &str) -> Result<&str, ClusterError> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    let is_name = !name.is_empty()
        && name.len() <= MOST_NAME
        && !name.starts_with('.')
        && name.bytes().all(is_plain);
    if is_name {
        return Ok(name);
    }
    let name = name.chars().take(MOST_NAME).collect();
    Err(ClusterError::BadName { name })
}

#[cfg(test)]
mod tests {
    use super::{ClusterError, ClusterFolder, ClusterReport, Smallest, file_name};

    #[test]
    fn only_plain_names_are_names_of_files() {
        assert_eq!(file_name("bugs/01-wrong-sat-str.at.smt2").unwrap(), "01-wrong-sat-str.at.smt2");
        assert_eq!(file_name("/etc/passwd").unwrap(), "passwd");
        for odd in ["", "..", ".", "a/..", "a/", ".hidden", "a b", "a\\b", "ä", "a\0b", "x\n"] {
            assert!(matches!(file_name(odd), Err(ClusterError::BadName { .. })), "{odd:?}");
        }
        assert!(file_name(&"x".repeat(201)).is_err());
    }

    #[test]
    fn missing_fields_have_defaults_and_unknown_ones_are_ignored() {
        let text = r#"{"clusters": [{"class": "crash", "new_field": [1]}, {}], "seconds": 1.5}"#;
        let report: ClusterReport = serde_json::from_str(text).unwrap();
        assert_eq!(report.clusters[0].class, "crash");
        assert!(report.clusters[1].smallest.is_none());
    }

    #[test]
    fn links_folders_and_large_files_are_not_read() {
        let folder = tempfile::TempDir::new().unwrap();
        let outside = tempfile::NamedTempFile::new().unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.path().join("link.smt2")).unwrap();
        std::fs::create_dir(folder.path().join("folder.smt2")).unwrap();
        std::fs::write(folder.path().join("large.smt2"), vec![b' '; (2 << 20) + 1]).unwrap();
        std::fs::write(folder.path().join("small.smt2"), "(check-sat)").unwrap();
        let clusters = ClusterFolder::open(folder.path()).unwrap();
        let read = |name: &str| {
            let file = Some(name.to_owned());
            clusters.formula(&Smallest { file, ..Smallest::default() })
        };
        assert!(matches!(read("link.smt2"), Err(ClusterError::NotRegular { .. })));
        assert!(matches!(read("folder.smt2"), Err(ClusterError::NotRegular { .. })));
        assert!(matches!(read("large.smt2"), Err(ClusterError::TooLarge { .. })));
        assert!(matches!(read("none.smt2"), Err(ClusterError::Missing { .. })));
        let (name, text) = read("elsewhere/small.smt2").unwrap();
        assert_eq!((name.as_deref(), text.as_slice()), (Some("small.smt2"), &b"(check-sat)"[..]));
        assert!(matches!(clusters.report(), Err(ClusterError::Missing { .. })));
        assert!(ClusterFolder::open(outside.path()).is_err());
    }
}
