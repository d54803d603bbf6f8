//! Set-up errors: a solver that is not installed, not known, or badly described.

use luthier_runner::releases::ReleaseError;

/// An error of the set-up. What a solver does wrong is a reply, never an error.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The release is not installed, or does not have an option set.
    #[error(transparent)]
    Release(#[from] ReleaseError),
    /// The text names no solver, or the solver's description is wrong.
    #[error("{0}")]
    NoSolver(String),
}

impl AskError {
    /// What the user can do about it, if that is known.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Release(error) => error.hint(),
            Self::NoSolver(_) => None,
        }
    }
}
