//! Errors about benchmark sets: names, descriptions, the registry, digests and selections.

use std::io;
use std::path::{Path, PathBuf};

use crate::CorpusError;

/// Why a set cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SetError {
    /// There is no set of this name.
    #[error("there is no benchmark set `{name}`{}", near_text(near))]
    Unknown {
        /// The name.
        name: String,
        /// Names that may be meant.
        near: Vec<String>,
    },
    /// It is described, but it is not on this machine.
    #[error("the benchmark set `{name}` is not on this machine")]
    NotAdded {
        /// The name.
        name: String,
        /// Where it can be fetched.
        get: String,
    },
    /// It was added, and is no longer there.
    #[error("{}: the benchmark set `{name}` was added from here, but there is nothing any more", path.display())]
    Gone {
        /// The name.
        name: String,
        /// The path.
        path: PathBuf,
    },
    /// It cannot be called so.
    #[error(
        "`{name}` cannot be the name of a benchmark set: letters, digits, `-`, `_` and `.` make one"
    )]
    Name {
        /// The name.
        name: String,
    },
    /// It cannot be written into the registry.
    #[error("{}: the path is not UTF-8, so it cannot be kept", path.display())]
    NotText {
        /// The path.
        path: PathBuf,
    },
    /// A description, the registry or a selection cannot be read.
    #[error("{}:{line}: {message}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong, and what was expected.
        message: String,
    },
    /// A file of ours cannot be read or written.
    #[error("{}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        cause: io::Error,
    },
    /// There is no folder of settings.
    #[error("there is no folder for settings: neither XDG_CONFIG_HOME nor HOME is set")]
    NoSettings,
    /// A file of the set cannot be read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// There is no instance.
    #[error("{}: there is no instance here", path.display())]
    Empty {
        /// The path.
        path: PathBuf,
    },
}

fn near_text(near: &[String]) -> String {
    match near {
        [] => String::new(),
        _ => format!("; did you mean {}?", near.join(", ")),
    }
}

impl SetError {
    /// What the user can do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Unknown { .. } => Some(
                "`luthier bench list` shows all names; a path needs a slash, as in ./folder"
                    .to_owned(),
            ),
            Self::NotAdded { name, get } => Some(format!(
                "say where it is with `luthier bench add {name} PATH`{}",
                if get.is_empty() { String::new() } else { format!("; to fetch it: {get}") }
            )),
            Self::Gone { name, .. } => {
                Some(format!("say where it is now with `luthier bench add {name} PATH`"))
            }
            Self::Empty { .. } => Some(
                "folders and archives are searched for .smt2 files (also .smt20 to .smt27, .smt)"
                    .to_owned(),
            ),
            Self::NotText { .. } => Some(
                "rename the folder, or name the path where it is used, as in `luthier bench audit PATH`"
                    .to_owned(),
            ),
            Self::NoSettings => Some("set XDG_CONFIG_HOME to a folder".to_owned()),
            _ => None,
        }
    }

    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |cause| Self::File { path: path.to_owned(), cause }
    }

    /// The error of a TOML file, at its line.
    pub(crate) fn toml(path: &Path, text: &str, error: &toml::de::Error) -> Self {
        let offset = error.span().map_or(0, |span| span.start);
        let before = text.get(..offset).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        Self::Syntax { path: path.to_owned(), line, message: error.message().trim().to_owned() }
    }
}
