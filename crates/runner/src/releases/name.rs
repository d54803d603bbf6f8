//! Names of releases: `z3@5.4.0`, `z3@latest`, `z3`, `./my-z3`, `z3-noodler=./build/z3`.

use std::fmt;
use std::path::{MAIN_SEPARATOR, PathBuf};
use std::str::FromStr;

use super::version::Version;

/// The name of a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReleaseName {
    /// `z3`: the one on the search path.
    OnPath {
        /// The solver.
        solver: String,
    },
    /// `z3@5.4.0` or `z3@latest`: one in the cache.
    Cached {
        /// The solver.
        solver: String,
        /// Which of its releases.
        selector: VersionSelector,
    },
    /// `./my-z3` or `z3=./my-z3`: a program somewhere.
    Path {
        /// The solver, if it is given.
        solver: Option<String>,
        /// The program.
        path: PathBuf,
    },
}

/// Selects one of the installed releases of a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VersionSelector {
    /// The newest.
    Latest,
    /// This one.
    Version(Version),
}

/// A text that is no name of a release.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` names no release; write a solver and a version (z3@5.4.0, z3@latest), the name of a \
     solver on the search path (z3), a path (./my-z3), or both (z3=./my-z3)"
)]
pub struct InvalidReleaseName(String);

impl ReleaseName {
    /// The solver, if it is given.
    pub fn solver(&self) -> Option<&str> {
        match self {
            Self::OnPath { solver } | Self::Cached { solver, .. } => Some(solver),
            Self::Path { solver, .. } => solver.as_deref(),
        }
    }
}

impl FromStr for ReleaseName {
    type Err = InvalidReleaseName;

    fn from_str(text: &str) -> Result<Self, InvalidReleaseName> {
        let wrong = || InvalidReleaseName(text.to_owned());
        if let Some((solver, path)) = text.split_once('=')
            && is_solver_name(solver)
        {
            if path.is_empty() {
                return Err(wrong());
            }
            return Ok(Self::Path { solver: Some(solver.to_owned()), path: path.into() });
        }
        if text.contains(['/', MAIN_SEPARATOR]) {
            return Ok(Self::Path { solver: None, path: text.into() });
        }
        match text.split_once('@') {
            Some((solver, version)) if is_solver_name(solver) => {
                let selector = match version {
                    "latest" => VersionSelector::Latest,
                    version => VersionSelector::Version(version.parse().map_err(|_| wrong())?),
                };
                Ok(Self::Cached { solver: solver.to_owned(), selector })
            }
            None if is_solver_name(text) => Ok(Self::OnPath { solver: text.to_owned() }),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for ReleaseName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OnPath { solver } => f.write_str(solver),
            Self::Cached { solver, selector } => write!(f, "{solver}@{selector}"),
            Self::Path { solver: None, path } => write!(f, "{}", path.display()),
            Self::Path { solver: Some(solver), path } => write!(f, "{solver}={}", path.display()),
        }
    }
}

impl fmt::Display for VersionSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Latest => f.write_str("latest"),
            Self::Version(version) => version.fmt(f),
        }
    }
}

/// Names of solvers are also names of folders, so only harmless characters are in them.
pub fn is_solver_name(text: &str) -> bool {
    let harmless = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    text.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric) && text.bytes().all(harmless)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written_back() {
        let path = |solver: Option<&str>, path: &str| ReleaseName::Path {
            solver: solver.map(str::to_owned),
            path: path.into(),
        };
        let cached = |selector| ReleaseName::Cached { solver: "z3".to_owned(), selector };
        for (text, expected) in [
            ("z3", ReleaseName::OnPath { solver: "z3".to_owned() }),
            ("z3@latest", cached(VersionSelector::Latest)),
            ("z3@5.4.0", cached(VersionSelector::Version("5.4.0".parse().unwrap()))),
            ("./my-z3", path(None, "./my-z3")),
            ("folder/z3@5", path(None, "folder/z3@5")),
            ("z3-noodler=./build/z3", path(Some("z3-noodler"), "./build/z3")),
            ("z3=z3", path(Some("z3"), "z3")),
            ("./a=b", path(None, "./a=b")),
        ] {
            let name: ReleaseName = text.parse().unwrap();
            assert_eq!(name, expected, "{text}");
            assert_eq!(name.to_string(), text);
        }
    }

    #[test]
    fn what_names_no_release_is_rejected() {
        for wrong in ["", "@5.4.0", "z3@", "z3@newest", "z3@5.x", "z3=", "z 3", "..", "-z3"] {
            let error = wrong.parse::<ReleaseName>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{wrong}`")), "{error}");
        }
    }
}
