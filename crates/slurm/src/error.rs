//! Errors of submitting, collecting and of tasks.

use std::io;
use std::path::{Path, PathBuf};

use luthier_campaign::CampaignError;
use luthier_runner::process::ScratchError;
use luthier_store::StoreError;

/// Why a campaign on a cluster cannot go on. Jobs that are submitted are not affected.
#[derive(Debug, thiserror::Error)]
pub enum SlurmError {
    /// There is no Slurm here.
    #[error("{program} is not on the PATH, so there is no Slurm here")]
    NoSlurm {
        /// The program.
        program: &'static str,
    },
    /// A program of Slurm reports an error.
    #[error("{program} failed: {message}")]
    Refused {
        /// The program.
        program: &'static str,
        /// What it printed.
        message: String,
    },
    /// A program of Slurm printed something that we do not know.
    #[error("{program} printed {text:?}, where {expected} was expected; is it Slurm's?")]
    Unexpected {
        /// The program.
        program: &'static str,
        /// What it printed.
        text: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A file cannot be read or written.
    #[error("{}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// A file of a round is not as we write it.
    #[error("{}: {problem}; submit again with the same `luthier run`", path.display())]
    BadRound {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// There is nothing of ours.
    #[error("{}: no campaign was submitted from here; name its database or its folder", path.display())]
    NoCampaign {
        /// The path.
        path: PathBuf,
    },
    /// The options contradict each other.
    #[error("{0}")]
    Inconsistent(String),
    /// Two rounds made no run.
    #[error("the last tasks made none of the {missing} missing runs; the last of them says: {log}")]
    NoProgress {
        /// How many are missing.
        missing: usize,
        /// The end of a log, and where it is.
        log: String,
    },
    /// Another error of a campaign.
    #[error(transparent)]
    Campaign(#[from] CampaignError),
    /// A database cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Another process collects, or there is no place for solvers to run.
    #[error(transparent)]
    Scratch(#[from] ScratchError),
}

impl SlurmError {
    pub(crate) fn file(path: &Path, cause: io::Error) -> Self {
        Self::File { path: path.to_owned(), cause }
    }

    /// What the user can do about it, if that is known.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoSlurm { .. } => Some(
                "run this where jobs are submitted, or without `--on slurm` on this machine".into(),
            ),
            Self::Refused { program: "sbatch", .. } => Some(
                "--partition, --account, --time and --sbatch OPTION change what is requested; `sinfo` \
                 shows what there is"
                    .into(),
            ),
            Self::NoProgress { .. } => {
                Some("repair that, then the same command resumes; what is done is kept".into())
            }
            Self::Campaign(error) => error.hint(),
            Self::Scratch(error) => error.hint(),
            _ => None,
        }
    }
}
