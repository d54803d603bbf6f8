//! A small pool of read-only database connections, for single instances, runs and texts.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use luthier_store::{Store, StoreError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many requests read the database at the same time. Each connection has its own cache, so
/// this bounds memory too.
const CONNECTIONS: usize = 4;

/// Connections to one database.
#[derive(Debug)]
pub(crate) struct Stores {
    path: PathBuf,
    idle: Mutex<Vec<Store>>,
    permits: Arc<Semaphore>,
}

/// The right to use one connection.
#[derive(Debug)]
pub(crate) struct Turn {
    _permit: OwnedSemaphorePermit,
}

impl Stores {
    /// For the database at this path; nothing is opened yet.
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            idle: Mutex::new(Vec::new()),
            permits: Arc::new(Semaphore::new(CONNECTIONS)),
        }
    }

    /// Waits for a connection to be free. `None` if the server is ending.
    pub async fn turn(&self) -> Option<Turn> {
        let permit = Arc::clone(&self.permits).acquire_owned().await.ok()?;
        Some(Turn { _permit: permit })
    }

    /// Reads. A connection that failed is not used again.
    pub fn read<T, E: From<StoreError>>(
        &self,
        _turn: &Turn,
        work: impl FnOnce(&Store) -> Result<T, E>,
    ) -> Result<T, E> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let store = match idle {
            Some(store) => store,
            None => Store::open_read_only(&self.path)?,
        };
        let value = work(&store)?;
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(store);
        Ok(value)
    }
}
