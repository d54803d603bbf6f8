//! The user's pip: which versions of a package there are for this machine, and downloading one.
//!
//! No package host is named here: pip knows from its configuration where packages come from. The
//! available versions are taken from pip's error message for a version that does not exist, because
//! `pip index versions` also lists releases that are there as sources only.

use std::env::consts::{ARCH, OS};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::description::Install;
use super::error::ReleaseError;
use super::find::on_search_path;
use super::python;

/// How many other versions an error names.
const MAX_NAMED: usize = 8;

/// pip for the packages of one solver.
pub struct Pip<'a> {
    solver: &'a str,
    install: &'a Install,
    platforms: &'a [String],
    arguments: Vec<String>,
    python: PathBuf,
}

impl<'a> Pip<'a> {
    /// Looks for Python, and for packages for this kind of machine.
    pub fn new(solver: &'a str, install: &'a Install) -> Result<Self, ReleaseError> {
        let platform = format!("{OS}-{ARCH}");
        let Some(platforms) = install.platforms.get(&platform) else {
            return Err(ReleaseError::Platform { solver: solver.to_owned(), platform });
        };
        let python = on_search_path(["python3", "python"]).ok_or(ReleaseError::NoPython)?;
        Ok(Self { solver, install, platforms, arguments: install.pip_arguments.clone(), python })
    }

    /// The same for packages with a compiled module for a version of CPython.
    pub fn for_python(self, version: &str) -> Self {
        Self { arguments: python::pip_arguments(version), ..self }
    }

    /// The Python to which pip belongs.
    pub fn python(&self) -> &Path {
        &self.python
    }

    /// The versions of the package that pip could fetch for this machine.
    ///
    /// `pip index versions` would also list versions that are there as sources only. So pip is
    /// asked for a version that no package has, and says in its error what it could choose from.
    pub fn versions(&self) -> Result<Vec<String>, ReleaseError> {
        let nowhere = tempfile::tempdir().map_err(ReleaseError::file(std::env::temp_dir()))?;
        let requirement = format!("{}==0", self.install.package);
        let output = self.run(self.download_command(nowhere.path()).arg(requirement))?;
        match versions_in_error(&output.stderr) {
            Some(versions) if versions != ["none"] => Ok(versions),
            _ => Err(self.failure(&output.stderr, None)),
        }
    }

    /// Fetches a version of the package into an empty folder.
    pub fn download(&self, version: &str, to: &Path) -> Result<PathBuf, ReleaseError> {
        let package = &self.install.package;
        let requirement = format!("{package}=={version}");
        let output = self.run(self.download_command(to).arg(requirement))?;
        if !output.succeeded {
            return Err(self.failure(&output.stderr, Some(version)));
        }
        let entries = std::fs::read_dir(to).map_err(ReleaseError::file(to))?;
        let mut files = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let wheel = files.find(|file| file.extension().is_some_and(|ending| ending == "whl"));
        wheel.ok_or_else(|| ReleaseError::Pip {
            package: package.clone(),
            message: "it said nothing, but there is no wheel".to_owned(),
        })
    }

    fn download_command(&self, to: &Path) -> Command {
        let mut command = Command::new(&self.python);
        command.args(["-m", "pip", "--disable-pip-version-check", "--no-input", "download"]);
        command.args(["--quiet", "--no-deps", "--only-binary=:all:"]);
        command.args(&self.arguments);
        command.args(self.platforms.iter().flat_map(|platform| ["--platform", platform]));
        // Python runs in another folder.
        command.arg("--dest").arg(std::path::absolute(to).unwrap_or_else(|_| to.to_owned()));
        command
    }

    fn run(&self, command: &mut Command) -> Result<PipOutput, ReleaseError> {
        let output = python::run_in_empty_folder(command)?;
        Ok(PipOutput {
            succeeded: output.status.success(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }

    /// The error that a message of pip means.
    fn failure(&self, stderr: &str, version: Option<&str>) -> ReleaseError {
        if stderr.contains("No module named pip") {
            return ReleaseError::NoPip { python: self.python.clone() };
        }
        let package = self.install.package.clone();
        let available = versions_in_error(stderr);
        match (available, version) {
            (Some(available), Some(version)) if available != ["none"] => {
                let mut available: Vec<_> = available
                    .iter()
                    .filter_map(|one| self.install.version_of_package(one))
                    .collect();
                available.sort_unstable();
                let newest_first = available.iter().rev().take(MAX_NAMED);
                ReleaseError::NoSuchRelease {
                    release: self.release_of(version),
                    available: newest_first.map(|one| format!("{}@{one}", self.solver)).collect(),
                }
            }
            _ if stderr.contains("No matching distribution found") => {
                ReleaseError::NoPackage { package }
            }
            _ => ReleaseError::Pip { package, message: error_lines(stderr) },
        }
    }

    fn release_of(&self, package_version: &str) -> String {
        match self.install.version_of_package(package_version) {
            Some(version) => format!("{}@{version}", self.solver),
            None => format!("{} {package_version}", self.install.package),
        }
    }
}

struct PipOutput {
    succeeded: bool,
    stderr: String,
}

/// The versions that pip could choose from when it found none that it wanted.
fn versions_in_error(stderr: &str) -> Option<Vec<String>> {
    let (_, rest) = stderr.split_once("(from versions: ")?;
    let (versions, _) = rest.split_once(')')?;
    Some(versions.split(',').map(|version| version.trim().to_owned()).collect())
}

/// The error lines of pip, or its last line.
fn error_lines(stderr: &str) -> String {
    let lines = stderr.lines().map(str::trim).filter(|line| !line.is_empty());
    let errors: Vec<&str> =
        lines.clone().filter_map(|line| line.strip_prefix("ERROR:")).map(str::trim).collect();
    match errors[..] {
        [] => lines.clone().next_back().unwrap_or("it said nothing").to_owned(),
        _ => errors.join("; "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::releases::Catalogue;

    /// What is made of something that pip said about z3 4.8.9.
    fn failure(stderr: &str) -> ReleaseError {
        let catalogue = Catalogue::built_in().unwrap();
        let install = catalogue.get("z3").unwrap().install.as_ref().unwrap();
        let (platforms, arguments) = (&[], Vec::new());
        let pip = Pip { solver: "z3", install, platforms, arguments, python: "bin/python3".into() };
        pip.failure(stderr, Some("4.8.9.0"))
    }

    #[test]
    fn a_missing_release_is_told_from_a_missing_package() {
        let error = failure(
            "ERROR: Could not find a version that satisfies the requirement z3-solver==4.8.9.0 \
             (from versions: 4.5.1.0, 4.5.1.0.post2, 4.8.10.0)\n\
             ERROR: No matching distribution found for z3-solver==4.8.9.0\n",
        );
        assert_eq!(error.to_string(), "pip finds no z3@4.8.9 for this machine");
        assert_eq!(error.hint().as_deref(), Some("it finds z3@4.8.10, z3@4.5.1"));
        let error = failure(
            "ERROR: Could not find a version that satisfies the requirement z3-solver==4.8.9.0 \
             (from versions: none)\nERROR: No matching distribution found for z3-solver==4.8.9.0\n",
        );
        assert_eq!(error.to_string(), "pip finds no package z3-solver at all");
        assert!(error.hint().unwrap().contains("PIP_NO_INDEX"));
    }

    #[test]
    fn a_python_without_pip_is_recognised() {
        let error = failure("bin/python3: No module named pip\n");
        assert!(matches!(error, ReleaseError::NoPip { .. }), "{error}");
        assert!(error.hint().unwrap().starts_with("python3 -m ensurepip"));
    }

    #[test]
    fn other_failures_are_passed_on_in_the_words_of_pip() {
        let error = failure("WARNING: slow\nERROR: disk full\nnote: more\n").to_string();
        assert_eq!(error, "pip could not fetch z3-solver: disk full");
        assert!(failure("something\n").to_string().ends_with(": something"));
        assert!(failure("").to_string().ends_with(": it said nothing"));
    }
}
