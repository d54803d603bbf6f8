//! Set-up errors of a campaign. What solvers do wrong is a record, never an error.

use std::io;
use std::path::PathBuf;

use luthier_ask::AskError;
use luthier_corpus::CorpusError;
use luthier_corpus::sets::SetError;
use luthier_runner::process::ScratchError;
use luthier_runner::releases::ReleaseError;
use luthier_store::StoreError;

/// Why a campaign could not be run.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// A file cannot be read or written.
    #[error("{}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// The file of an experiment is wrong.
    #[error("{}:{line}:{column}: {message}", path.display())]
    Experiment {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// A table of expected answers is wrong.
    #[error("{}: {message}", path.display())]
    Labels {
        /// The table.
        path: PathBuf,
        /// Where, and what is wrong.
        message: String,
    },
    /// The experiment is inconsistent.
    #[error("{0}")]
    Inconsistent(String),
    /// A release is not installed or cannot be run.
    #[error(transparent)]
    Release(#[from] ReleaseError),
    /// A benchmark set is not known or not here, or a selection cannot be read.
    #[error(transparent)]
    Set(#[from] SetError),
    /// An instance cannot be opened.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The results cannot be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no folder for solvers to run in.
    #[error(transparent)]
    Scratch(#[from] ScratchError),
    /// There is no such suite.
    #[error("there is no suite `{name}`; there are {}", known.join(", "))]
    NoSuite {
        /// The name.
        name: String,
        /// The names of all suites.
        known: Vec<String>,
    },
}

impl From<AskError> for CampaignError {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Release(error) => Self::Release(error),
            AskError::NoSolver(message) => Self::Inconsistent(message),
        }
    }
}

impl CampaignError {
    /// What the user can do about it, if that is known.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Release(error) => error.hint(),
            Self::Scratch(error) => error.hint(),
            Self::Set(error) => error.hint(),
            _ => None,
        }
    }
}
