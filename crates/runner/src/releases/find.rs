//! Resolves names to releases: in the cache, on the search path, or at a path that the user names.
//!
//! The version is the one that the program reports, compared with the pattern in its description.
//! A program at a path without a solver name is identified by its reply to the version questions of
//! all descriptions (those with a distinguishing mark first, since a fork often replies as its origin
//! does), and by its file name otherwise.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::cache::Cache;
use super::catalogue::Catalogue;
use super::description::Description;
use super::error::ReleaseError;
use super::name::{ReleaseName, VersionSelector};
use super::probe::{Probe, probe};
use super::version::Version;
use super::{cvc5, digest};

/// A launcher that starts a virtual machine may need this long on a busy computer.
const VERSION_LIMIT: Duration = Duration::from_secs(20);

/// A release that can be run.
#[derive(Clone, Debug)]
pub struct Release {
    /// The solver.
    pub description: Arc<Description>,
    /// Its version, if it is known.
    pub version: Option<Version>,
    /// How it was found.
    pub origin: Origin,
    /// What to run.
    pub program: Program,
}

/// How a release was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Luthier installed it.
    Installed,
    /// It is on the search path.
    SearchPath,
    /// The user named its path.
    Path,
}

/// What to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// A program.
    Executable(PathBuf),
    /// A folder with the libraries of cvc5, which Luthier runs with `luthier cvc5-shell`.
    Cvc5Libraries(PathBuf),
}

/// All that is needed to find and install releases.
#[derive(Clone, Debug)]
pub struct Releases {
    /// The solvers that are known.
    pub catalogue: Catalogue,
    /// The releases that are installed.
    pub cache: Cache,
    /// The binary of Luthier, which runs releases that are libraries.
    pub luthier: PathBuf,
}

impl Release {
    /// What it is called: `z3@5.4.0`, or only `z3` if its version is not known.
    pub fn label(&self) -> String {
        match &self.version {
            Some(version) => format!("{}@{version}", self.description.name),
            None => self.description.name.clone(),
        }
    }

    /// The SHA-256 of what is run.
    pub fn sha256(&self) -> Result<String, ReleaseError> {
        self.program.sha256()
    }
}

impl Program {
    /// The program at a path: a folder has the libraries of cvc5.
    pub fn at(path: &Path) -> Self {
        match path.is_dir() {
            true => Self::Cvc5Libraries(path.to_owned()),
            false => Self::Executable(path.to_owned()),
        }
    }

    /// The SHA-256 of the file that makes the difference between releases.
    pub fn sha256(&self) -> Result<String, ReleaseError> {
        digest::sha256(&self.file()?)
    }

    /// The file that makes the difference between releases.
    pub fn file(&self) -> Result<PathBuf, ReleaseError> {
        match self {
            Self::Executable(path) => Ok(path.clone()),
            Self::Cvc5Libraries(folder) => {
                let inside =
                    cvc5::Binding::in_folder(folder).map_err(ReleaseError::file(folder))?;
                let found = match inside {
                    Some(_) => cvc5::Libraries::find(&cvc5::Binding::libraries_folder(folder)),
                    None => cvc5::Libraries::find(folder),
                };
                found.map(|libraries| libraries.solver).map_err(|error| ReleaseError::Program {
                    program: folder.display().to_string(),
                    problem: error.to_string(),
                })
            }
        }
    }
}

impl Releases {
    /// What the user has.
    pub fn of_user(luthier: PathBuf) -> Result<Self, ReleaseError> {
        Ok(Self { catalogue: Catalogue::of_user()?, cache: Cache::of_user()?, luthier })
    }

    /// The release that a name means. Nothing is fetched: `@latest` is the newest one that is
    /// installed.
    pub fn resolve(&self, name: &ReleaseName) -> Result<Release, ReleaseError> {
        match name {
            ReleaseName::OnPath { solver } => {
                let description = self.catalogue.get(solver)?;
                // Our own solver is there whatever the search path is, but only if it is named.
                if description.itself {
                    return self.executable(description, self.luthier.clone());
                }
                let found = self.on_path(description)?;
                found.ok_or_else(|| ReleaseError::NotOnPath {
                    solver: solver.clone(),
                    installable: description.install.is_some(),
                })
            }
            ReleaseName::Cached { solver, selector } => {
                let release = self.find_installed(solver, selector)?;
                self.check(&release)?;
                Ok(release)
            }
            ReleaseName::Path { solver, path } => self.at_path(solver.as_deref(), path),
        }
    }

    /// The installed releases of a solver, newest first.
    pub fn installed(&self, description: &Arc<Description>) -> Result<Vec<Release>, ReleaseError> {
        let manifests = self.cache.installed(&description.name)?;
        let releases = manifests.into_iter().map(|manifest| {
            let folder = self.cache.folder_of(&manifest.solver, &manifest.version);
            Release {
                description: description.clone(),
                version: manifest.version.parse().ok(),
                origin: Origin::Installed,
                program: manifest.program(&folder),
            }
        });
        Ok(releases.collect())
    }

    /// The release of a solver that is on the search path.
    pub fn on_path(&self, description: &Arc<Description>) -> Result<Option<Release>, ReleaseError> {
        let programs = description.programs.iter().map(String::as_str);
        let Some(path) = on_search_path(programs) else { return Ok(None) };
        self.executable(description, path).map(Some)
    }

    fn executable(
        &self,
        description: &Arc<Description>,
        path: PathBuf,
    ) -> Result<Release, ReleaseError> {
        let program = Program::Executable(path);
        let version = self.version_of(description, &program)?;
        let description = description.clone();
        Ok(Release { description, version, origin: Origin::SearchPath, program })
    }

    /// Whether a release that Luthier installed is still what was installed. Nothing is known of
    /// others.
    pub fn check(&self, release: &Release) -> Result<(), ReleaseError> {
        let (Origin::Installed, Some(version)) = (release.origin, &release.version) else {
            return Ok(());
        };
        match self.cache.get(&release.description.name, &version.to_string())? {
            Some(manifest) => self.cache.check(&manifest),
            None => Err(ReleaseError::NotInstalled { release: release.label() }),
        }
    }

    /// A release in the cache, without checking its files.
    pub fn find_installed(
        &self,
        solver: &str,
        selector: &VersionSelector,
    ) -> Result<Release, ReleaseError> {
        let description = self.catalogue.get(solver)?;
        let mut installed = self.installed(description)?.into_iter();
        let found = match selector {
            VersionSelector::Latest => installed.next(),
            VersionSelector::Version(version) => {
                installed.find(|one| one.version.as_ref() == Some(version))
            }
        };
        let release = format!("{solver}@{selector}");
        found.ok_or(ReleaseError::NotInstalled { release })
    }

    fn at_path(&self, solver: Option<&str>, path: &Path) -> Result<Release, ReleaseError> {
        // A program without a slash would be looked for on the search path.
        let path = std::path::absolute(path).map_err(ReleaseError::file(path))?;
        path.metadata().map_err(ReleaseError::file(&path))?;
        let program = Program::at(&path);
        if let Some(solver) = solver {
            let description = self.catalogue.get(solver)?.clone();
            let version = self.version_of(&description, &program)?;
            return Ok(Release { description, version, origin: Origin::Path, program });
        }
        let (description, version) = self.recognise(&program, &path)?;
        Ok(Release { description, version, origin: Origin::Path, program })
    }

    /// Identifies the solver of a program: by its reply to the question for its version, or else
    /// by its file name.
    fn recognise(
        &self,
        program: &Program,
        path: &Path,
    ) -> Result<(Arc<Description>, Option<Version>), ReleaseError> {
        let mut described: Vec<_> = self.catalogue.descriptions().iter().collect();
        // A fork replies as its origin does, and has a mark besides.
        let has_mark = |one: &Description| one.version.as_ref().is_some_and(|q| q.mark.is_some());
        described.sort_by_key(|one| !has_mark(one));
        let mut answers: Vec<(&[String], Probe)> = Vec::new();
        for description in described {
            let Some(question) = &description.version else { continue };
            let known = answers.iter().position(|(arguments, _)| *arguments == question.arguments);
            let position = match known {
                Some(position) => position,
                None => {
                    answers.push((&question.arguments, self.ask(program, &question.arguments)?));
                    answers.len() - 1
                }
            };
            let text = answers[position].1.text();
            let marked = question.mark.as_ref().is_none_or(|mark| text.contains(mark));
            if let Some(version) = question.answer.find_version(&text).filter(|_| marked) {
                return Ok((description.clone(), Some(version)));
            }
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let named = |one: &&Arc<Description>| one.programs.iter().any(|program| *program == *name);
        let named = self.catalogue.descriptions().iter().find(named);
        named
            .map(|description| (description.clone(), None))
            .ok_or_else(|| ReleaseError::Unrecognised { path: path.to_owned() })
    }

    /// The version that a program reports.
    fn version_of(
        &self,
        description: &Description,
        program: &Program,
    ) -> Result<Option<Version>, ReleaseError> {
        let Some(question) = &description.version else { return Ok(None) };
        let answer = self.ask(program, &question.arguments)?;
        match question.answer.find_version(&answer.text()) {
            Some(version) => Ok(Some(version)),
            None => Err(ReleaseError::Program {
                program: program.file()?.display().to_string(),
                problem: format!(
                    "asked for its version ({}), it says: {}",
                    question.arguments.join(" "),
                    answer.first_line()
                ),
            }),
        }
    }

    /// Checks that a program reports the expected version; returns its reply.
    pub(crate) fn check_version(
        &self,
        description: &Description,
        program: &Program,
        expected: &Version,
    ) -> Result<String, ReleaseError> {
        let Some(question) = &description.version else { return Ok(String::new()) };
        let answer = self.ask(program, &question.arguments)?;
        match question.answer.find_version(&answer.text()) {
            Some(version) if version == *expected => Ok(answer.first_line()),
            _ => Err(ReleaseError::Program {
                program: format!("{}@{expected}", description.name),
                problem: format!("asked for its version, it says: {}", answer.first_line()),
            }),
        }
    }

    fn ask(&self, program: &Program, arguments: &[String]) -> Result<Probe, ReleaseError> {
        let (path, mut all) = program.start(&self.luthier);
        all.extend(arguments.iter().map(Into::into));
        probe(&path, &all, VERSION_LIMIT)
    }
}

/// The first program with one of these names on the search path; earlier names are preferred.
pub fn on_search_path<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    let find = |name: &str| {
        let candidates = env::split_paths(&folders).filter(|folder| folder.is_absolute());
        candidates.map(|folder| folder.join(name)).find(|path| can_be_run(path))
    };
    names.into_iter().find_map(find)
}

#[cfg(unix)]
fn can_be_run(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn can_be_run(path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    /// A folder with a program that answers every question with a text.
    fn program(name: &str, answer: &str) -> (tempfile::TempDir, Releases, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, format!("#!/bin/sh\necho '{answer}'\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        let releases = Releases {
            catalogue: Catalogue::built_in().unwrap(),
            cache: Cache::at(folder.path().join("cache")),
            luthier: "luthier".into(),
        };
        (folder, releases, path.display().to_string())
    }

    #[track_caller]
    fn check(name: &str, answer: &str, expected: &str) {
        let (_folder, releases, path) = program(name, answer);
        let found = releases.resolve(&path.parse().unwrap());
        let found = found.map_or_else(|error| error.to_string(), |release| release.label());
        assert_eq!(found.replace(&path, "PATH"), expected, "{name}: {answer}");
    }

    #[test]
    fn programs_are_recognised_by_their_answer_and_then_by_their_name() {
        check("my-solver", "Z3 version 4.8.12 - 64 bit", "z3@4.8.12");
        let noodler = "Z3 version 4.13.4 - 64 bit - build hashcode 1 - mata hashcode 2";
        check("z3", noodler, "z3-noodler@4.13.4");
        check("x", "This is cvc5 version 1.0.3", "cvc5@1.0.3");
        check("x", "This is CVC4 version 1.8", "cvc4@1.8");
        check("ostrich", "No input", "ostrich");
        check("x", "hello", "PATH: which solver this is cannot be told");
    }

    #[test]
    fn a_solver_that_is_named_is_believed_unless_it_does_not_answer() {
        let (_folder, releases, path) = program("z3", "Z3 version 4.13.4 - 64 bit");
        let name = format!("z3-noodler={path}").parse().unwrap();
        assert_eq!(releases.resolve(&name).unwrap().label(), "z3-noodler@4.13.4");
        let name = format!("cvc5={path}").parse().unwrap();
        let error = releases.resolve(&name).unwrap_err().to_string();
        assert!(error.ends_with("it says: Z3 version 4.13.4 - 64 bit"), "{error}");
    }

    #[test]
    fn what_is_not_there_is_named() {
        let (_folder, releases, path) = program("z3", "Z3 version 4.13.4");
        for (name, expected) in [
            (format!("{path}-missing"), "z3-missing: "),
            ("z3@5.4.0".to_owned(), "z3@5.4.0 is not installed"),
            ("z3@latest".to_owned(), "z3@latest is not installed"),
            ("ostrich".to_owned(), "ostrich is not on the search path"),
            ("unheard-of".to_owned(), "no solver is called `unheard-of`"),
        ] {
            let error = releases.resolve(&name.parse().unwrap()).unwrap_err();
            assert!(error.to_string().contains(expected), "{error}");
        }
    }
}
