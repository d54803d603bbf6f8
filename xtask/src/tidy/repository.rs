//! The files of the repository: what git tracks or would track, read into memory.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Finding, Rule};

/// The endings of files written by people, to which the rules for text apply. Instances and other
/// data are not among them: a benchmark may well need a tab or a missing newline.
const TEXT_ENDINGS: [&str; 10] =
    ["rs", "md", "toml", "sh", "yml", "yaml", "html", "css", "js", "sql"];

/// Folders that hold no files of the repository, for when git cannot be asked.
const UNTRACKED_FOLDERS: [&str; 5] =
    [".git", "target", "fuzz/target", "fuzz/corpus", "fuzz/artifacts"];

/// The repository could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: cannot be read ({cause}); is the root of the repository right?", path.display())]
pub struct RepositoryError {
    path: PathBuf,
    cause: io::Error,
}

/// A file written by people.
pub struct TextFile {
    /// Relative to the root, with slashes.
    pub path: String,
    /// Its contents.
    pub text: String,
}

/// The files of the repository.
#[derive(Default)]
pub struct Repository {
    paths: BTreeSet<String>,
    texts: Vec<TextFile>,
    /// What was found while reading.
    found: Vec<Finding>,
}

/// The root of the repository from which this program was built.
pub fn repository_root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_owned()
}

impl Repository {
    /// Reads the repository at `root`.
    pub fn read(root: &Path) -> Result<Self, RepositoryError> {
        let fault = |path: &Path| {
            let path = path.to_owned();
            move |cause| RepositoryError { path, cause }
        };
        let mut repository = Repository::default();
        let paths = match paths_known_to_git(root) {
            Some((tracked, new)) => {
                if !tracked.contains("Cargo.lock") {
                    repository.found.push(lock_file_not_committed());
                }
                tracked.into_iter().chain(new).collect()
            }
            None => {
                let mut paths = BTreeSet::new();
                walk(root, "", &mut paths).map_err(fault(root))?;
                if !paths.contains("Cargo.lock") {
                    repository.found.push(lock_file_not_committed());
                }
                paths
            }
        };
        for path in paths {
            let full = root.join(&path);
            // Git still lists files that were removed but not yet committed as removed.
            if !fs::symlink_metadata(&full).is_ok_and(|metadata| metadata.is_file()) {
                continue;
            }
            if is_text(&path) {
                repository.add(&path, fs::read(&full).map_err(fault(&full))?);
            }
            repository.paths.insert(path);
        }
        Ok(repository)
    }

    fn add(&mut self, path: &str, bytes: Vec<u8>) {
        match String::from_utf8(bytes) {
            Ok(text) => self.texts.push(TextFile { path: path.to_owned(), text }),
            Err(_) => self.found.push(Finding::new(
                Rule::Whitespace,
                path,
                0,
                "is not UTF-8",
                "save it as UTF-8",
            )),
        }
    }

    /// A repository that exists only in a test.
    #[cfg(test)]
    pub fn of(files: &[(&str, &str)]) -> Self {
        let mut repository = Repository::default();
        for (path, text) in files {
            repository.paths.insert((*path).to_owned());
            if is_text(path) {
                repository.add(path, text.as_bytes().to_vec());
            }
        }
        repository
    }

    /// All paths, of text and of data.
    pub fn paths(&self) -> &BTreeSet<String> {
        &self.paths
    }

    /// The files written by people.
    pub fn texts(&self) -> &[TextFile] {
        &self.texts
    }

    /// The text of one file.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.texts.iter().find(|file| file.path == path).map(|file| file.text.as_str())
    }

    /// What was found while reading.
    pub fn found(&self) -> &[Finding] {
        &self.found
    }

    /// Whether there is such a file, or a folder with files in it.
    pub fn has(&self, path: &str) -> bool {
        path.is_empty() || self.paths.contains(path) || {
            let folder = format!("{path}/");
            let mut from = self.paths.range(folder.clone()..);
            from.next().is_some_and(|next| next.starts_with(&folder))
        }
    }
}

fn lock_file_not_committed() -> Finding {
    let remedy = "commit it, so that everybody builds the same";
    Finding::new(Rule::Manifest, "Cargo.lock", 0, "is not committed", remedy)
}

/// Files without an ending (`LICENSE`, `.gitignore`, scripts) are text too.
fn is_text(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.trim_start_matches('.').rsplit_once('.') {
        Some((_, ending)) => TEXT_ENDINGS.contains(&ending),
        None => true,
    }
}

/// The tracked files, and the new ones that git does not ignore. `None` if git is not there, or
/// `root` is not a checkout of this repository.
fn paths_known_to_git(root: &Path) -> Option<(BTreeSet<String>, BTreeSet<String>)> {
    let list = |which: &str| {
        let arguments = ["ls-files", "-z", "--exclude-standard", which];
        let output = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
        let text = output.status.success().then(|| String::from_utf8(output.stdout).ok())??;
        let paths = text.split('\0').filter(|path| !path.is_empty()).map(str::to_owned);
        Some(paths.collect::<BTreeSet<String>>())
    };
    let (tracked, new) = (list("--cached")?, list("--others")?);
    let is_checkout = tracked.contains("Cargo.toml") || new.contains("Cargo.toml");
    is_checkout.then_some((tracked, new))
}

fn walk(root: &Path, folder: &str, paths: &mut BTreeSet<String>) -> io::Result<()> {
    for entry in fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        if entry.file_type()?.is_dir() {
            if !UNTRACKED_FOLDERS.contains(&path.as_str()) {
                walk(root, &path, paths)?;
            }
        } else {
            paths.insert(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Repository, is_text};
    use std::fs;

    #[test]
    fn people_write_sources_documents_and_files_without_ending() {
        for path in ["a/b.rs", "README.md", "LICENSE-MIT", ".ci/run", ".gitignore", "x/Cargo.toml"]
        {
            assert!(is_text(path), "{path}");
        }
        for path in ["a.smt2", "Cargo.lock", "picture.png", "out.txt"] {
            assert!(!is_text(path), "{path}");
        }
    }

    #[test]
    fn folders_exist_if_a_file_is_in_them() {
        let repository = Repository::of(&[("docs/a.md", ""), ("docs-old/b.md", "")]);
        assert!(repository.has("docs") && repository.has("docs/a.md") && repository.has(""));
        assert!(!repository.has("doc") && !repository.has("docs/b.md"));
    }

    #[test]
    fn without_git_the_folder_is_walked_and_build_results_are_left_out() {
        let root = tempfile::tempdir().unwrap();
        for path in ["Cargo.toml", "src/lib.rs", "target/x.rs", "fuzz/target/y.rs", "fuzz/z.rs"] {
            let full = root.path().join(path);
            fs::create_dir_all(full.parent().unwrap()).unwrap();
            fs::write(full, "x\n").unwrap();
        }
        let repository = Repository::read(root.path()).unwrap();
        let paths: Vec<&str> = repository.paths().iter().map(String::as_str).collect();
        assert_eq!(paths, ["Cargo.toml", "fuzz/z.rs", "src/lib.rs"]);
        assert_eq!(repository.text("src/lib.rs"), Some("x\n"));
        // There was no lock file.
        assert_eq!(repository.found().len(), 1);
    }

    #[test]
    fn a_text_that_is_not_utf8_is_found() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("Cargo.lock"), "").unwrap();
        fs::write(root.path().join("a.md"), b"\xff\n").unwrap();
        let repository = Repository::read(root.path()).unwrap();
        assert_eq!(
            repository.found()[0].to_string(),
            "a.md: is not UTF-8: save it as UTF-8 [Whitespace]"
        );
    }
}
