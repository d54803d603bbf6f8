//! Why a solver cannot be asked at all.

use luthier_runner::releases::ReleaseError;

/// A fault of the set-up. What a solver does wrong is a reply, never an error.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The release is not there, or does not have an option set.
    #[error(transparent)]
    Release(#[from] ReleaseError),
    /// What was written names no solver, or its description is wrong.
    #[error("{0}")]
    NoSolver(String),
}

impl AskError {
    /// What to do about it, if that is known.
    pub fn way_out(&self) -> Option<String> {
        match self {
            Self::Release(error) => error.hint(),
            Self::NoSolver(_) => None,
        }
    }
}
