//! Errors of starting the server, and of requests for pages.

use std::net::SocketAddr;
use std::path::PathBuf;

use axum::http::StatusCode;
use luthier_store::StoreError;

/// The server cannot start, or cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The database cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder of clusters cannot be read.
    #[error(
        "{}: is no folder that can be read ({cause}); luthier cluster --out makes one",
        path.display()
    )]
    Clusters {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// Another program listens there.
    #[error("{address}: another program listens there; choose another port with --listen")]
    InUse {
        /// The address.
        address: SocketAddr,
    },
    /// The address cannot be listened on.
    #[error("{address}: cannot be listened on ({cause}); choose another address with --listen")]
    CannotListen {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        cause: std::io::Error,
    },
    /// The system failed while serving.
    #[error("the server stopped: {0}; start it again")]
    Stopped(std::io::Error),
}

/// A page cannot be shown.
#[derive(Debug)]
pub(crate) struct PageError {
    /// The status of the answer.
    pub status: StatusCode,
    /// What is wrong and what to do, for people.
    pub message: String,
}

impl PageError {
    /// There is no such thing.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self { status: StatusCode::NOT_FOUND, message: message.into() }
    }

    /// The address is wrong.
    pub fn bad_request(message: impl Into<String>) -> Self {
        Self { status: StatusCode::BAD_REQUEST, message: message.into() }
    }

    /// It is being made.
    pub fn not_yet(message: impl Into<String>) -> Self {
        Self { status: StatusCode::SERVICE_UNAVAILABLE, message: message.into() }
    }

    /// The server failed.
    pub fn failed(message: impl Into<String>) -> Self {
        Self { status: StatusCode::INTERNAL_SERVER_ERROR, message: message.into() }
    }
}

impl From<StoreError> for PageError {
    fn from(error: StoreError) -> Self {
        // A campaign that writes for long is not an error of the server; everything else is.
        let status = match error {
            StoreError::Busy { .. } => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self { status, message: error.to_string() }
    }
}
