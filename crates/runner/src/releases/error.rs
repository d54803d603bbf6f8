//! The errors of finding, installing and invoking releases, each with a hint where there is one.

use std::io;
use std::path::PathBuf;

use super::name::InvalidReleaseName;

/// Why a release cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ReleaseError {
    /// A description is wrong.
    #[error("{}:{line}:{column}: {message}", file.display())]
    Description {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// The name of a release is wrong.
    #[error(transparent)]
    Name(#[from] InvalidReleaseName),
    /// There is no description of this solver.
    #[error("no solver is called `{name}`; known are {}", known.join(", "))]
    UnknownSolver {
        /// The name.
        name: String,
        /// The names that are known.
        known: Vec<String>,
    },
    /// The solver is not on the search path.
    #[error("{solver} is not on the search path")]
    NotOnPath {
        /// The solver.
        solver: String,
        /// Whether Luthier can fetch it.
        installable: bool,
    },
    /// The release is not in the cache.
    #[error("{release} is not installed")]
    NotInstalled {
        /// The release.
        release: String,
    },
    /// Luthier cannot fetch this solver at all.
    #[error("{solver} cannot be installed by luthier")]
    NotInstallable {
        /// The solver.
        solver: String,
        /// How to obtain it.
        get_it: String,
    },
    /// Luthier cannot fetch this release of the solver.
    #[error("{release} cannot be installed by luthier, only versions {range} can")]
    VersionNotInstallable {
        /// The release.
        release: String,
        /// The solver.
        solver: String,
        /// The versions that can be.
        range: String,
    },
    /// There are no packages of the solver for this kind of machine.
    #[error("there are no packages of {solver} for this machine ({platform})")]
    Platform {
        /// The solver.
        solver: String,
        /// The machine.
        platform: String,
    },
    /// A name that says what to install, but not which release.
    #[error("`{name}` does not say which release to install")]
    NoVersionGiven {
        /// The name.
        name: String,
    },
    /// There is no Python.
    #[error("there is no python3 on the search path, and pip is needed to install solvers")]
    NoPython,
    /// There is no pip.
    #[error("{} has no pip, which is needed to install solvers", python.display())]
    NoPip {
        /// The Python that was asked.
        python: PathBuf,
    },
    /// pip finds no package at all.
    #[error("pip finds no package {package} at all")]
    NoPackage {
        /// The package.
        package: String,
    },
    /// pip finds the package, but not this release of it.
    #[error("pip finds no {release} for this machine")]
    NoSuchRelease {
        /// The release.
        release: String,
        /// Releases that it does find, newest first.
        available: Vec<String>,
    },
    /// The release runs only inside Python, and there is none of it for this one.
    #[error("{release} runs inside Python, and pip finds none for {python} ({})", path.display())]
    NoModule {
        /// The release.
        release: String,
        /// What people call this Python.
        python: String,
        /// Where it is.
        path: PathBuf,
        /// The versions of Python for which there is one.
        fitting: Vec<String>,
    },
    /// pip failed for a reason of its own.
    #[error("pip could not fetch {package}: {message}")]
    Pip {
        /// The package.
        package: String,
        /// The end of its error output.
        message: String,
    },
    /// The package is not as described.
    #[error("the package of {release} is not as expected: {problem}")]
    Package {
        /// The release.
        release: String,
        /// What is wrong.
        problem: String,
    },
    /// The program does not run here or reports another version.
    #[error("{program} does not work: {problem}")]
    Program {
        /// The program.
        program: String,
        /// What is wrong.
        problem: String,
    },
    /// A program that matches no description.
    #[error("{}: which solver this is cannot be told", path.display())]
    Unrecognised {
        /// The program.
        path: PathBuf,
    },
    /// A file of an installed release is not what it was.
    #[error("{} of {release} {problem}, so it is not run", file.display())]
    Changed {
        /// The release.
        release: String,
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// Others can write to a folder with programs that we run.
    #[error("{}: others can write to this folder, and it belongs to another user", path.display())]
    OpenToOthers {
        /// The folder.
        path: PathBuf,
    },
    /// A set of options that the solver does not have.
    #[error("{release} has no option set `{name}`")]
    NoOptionSet {
        /// The release.
        release: String,
        /// The set.
        name: String,
        /// The sets that it has.
        known: Vec<String>,
    },
    /// There is no folder for the cache.
    #[error("there is no folder for solvers: neither XDG_CACHE_HOME nor HOME is set")]
    NoCacheFolder,
    /// A file or folder cannot be used.
    #[error("{}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
}

impl ReleaseError {
    /// For `map_err`: something happened to this file.
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        |cause| Self::File { path, cause }
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Description { .. } => {
                "docs/solvers.md in Luthier's sources has every field of a description".into()
            }
            Self::NotOnPath { solver, installable: true } => {
                format!("luthier solvers install {solver}@latest fetches it")
            }
            Self::NotOnPath { solver, installable: false } => {
                format!("name it by its path, as in {solver}=PATH")
            }
            Self::NotInstalled { release } => {
                format!("luthier solvers install {release} fetches it")
            }
            Self::NotInstallable { get_it, .. } => get_it.clone(),
            Self::VersionNotInstallable { solver, .. } | Self::Platform { solver, .. } => {
                format!("install it in another way and name it by its path, as in {solver}=PATH")
            }
            Self::NoVersionGiven { name } => {
                let solver = name.split(['@', '=']).next().unwrap_or(name);
                format!("write {solver}@latest, or {solver}@VERSION")
            }
            Self::NoPython => "install Python 3 with pip, or install the solver in another way \
                               and name it by its path"
                .into(),
            Self::NoPip { python } => {
                let python = python.file_name().unwrap_or_default().to_string_lossy();
                format!(
                    "{python} -m ensurepip installs it, or the package python3-pip of your system"
                )
            }
            Self::NoPackage { package } => format!(
                "is there a network, and do your settings of pip (PIP_NO_INDEX, PIP_INDEX_URL, \
                 pip.conf) allow it? python3 -m pip download {package} shows what pip says; a \
                 solver that is already here can be named by its path"
            ),
            Self::NoSuchRelease { available, .. } if available.is_empty() => {
                "is it a release at all? luthier solvers list --available asks pip".into()
            }
            Self::NoSuchRelease { available, .. } => {
                format!("it finds {}", available.join(", "))
            }
            Self::NoModule { fitting, .. } if fitting.is_empty() => {
                "put a CPython with pip first on the search path, as python3".into()
            }
            Self::NoModule { fitting, .. } => format!(
                "there is one for Python {}; put such a Python with pip first on the search path, \
                 as python3",
                fitting.join(", ")
            ),
            Self::Pip { package, .. } => {
                format!("python3 -m pip download {package} shows all that pip says")
            }
            Self::Package { .. } => "please report it; until then, install the solver in another \
                                     way and name it by its path"
                .into(),
            Self::Changed { release, .. } => format!(
                "luthier solvers remove {release}, then luthier solvers install {release} puts it \
                 right; to run a program of your own, name it by its path"
            ),
            Self::OpenToOthers { path } => format!(
                "programs from there are run: have its owner do chmod go-w {}, or set \
                 XDG_CACHE_HOME to a folder of your own",
                path.display()
            ),
            Self::Unrecognised { path } => format!("say it, as in z3={}", path.display()),
            Self::NoOptionSet { known, .. } if known.is_empty() => "it has none".into(),
            Self::NoOptionSet { known, .. } => format!("it has {}", known.join(", ")),
            Self::NoCacheFolder => "set XDG_CACHE_HOME to a folder".into(),
            Self::UnknownSolver { .. } => {
                "a file in the folder luthier/solvers of your settings describes a new one".into()
            }
            Self::Name(_) | Self::Program { .. } | Self::File { .. } => return None,
        })
    }
}
