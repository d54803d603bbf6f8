//! The state that all requests share.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use luthier_corpus::sets::Catalogue;
use tokio::sync::{Semaphore, watch};

use crate::audit::AuditKeeper;
use crate::clusters::ClusterFolder;
use crate::guard::Hosts;
use crate::snapshot::Snapshot;
use crate::solver_access::SolverAccess;
use crate::stores::Stores;

/// How many pages are made at the same time; others wait. There are few people, but scripts too.
const PAGES_AT_ONCE: usize = 8;

/// How many pages may be open and wait for changes, if there are connections enough: of these, they
/// get half.
const FOLLOWERS: usize = 100;

/// What all requests share. Cheap to clone.
#[derive(Clone)]
pub struct App {
    pub(crate) shared: Arc<Shared>,
}

pub(crate) struct Shared {
    pub database: PathBuf,
    pub snapshots: watch::Receiver<Arc<Snapshot>>,
    pub stores: Stores,
    pub hosts: Hosts,
    pub solver_access: Arc<dyn SolverAccess>,
    /// The clusters that are shown beside the database.
    pub clusters: Option<ClusterFolder>,
    /// The audit of the database.
    pub audit: Arc<AuditKeeper>,
    /// Turns to true when the server ends.
    pub ending: watch::Receiver<bool>,
    pub pages: Arc<Semaphore>,
    pub followers: Arc<Semaphore>,
}

impl App {
    pub(crate) fn new(
        database: &Path,
        snapshots: watch::Receiver<Arc<Snapshot>>,
        hosts: Hosts,
        solver_access: Arc<dyn SolverAccess>,
        (clusters, catalogue): (Option<ClusterFolder>, Catalogue),
        ending: watch::Receiver<bool>,
        max_connections: usize,
    ) -> Self {
        let audit = AuditKeeper::new(database, catalogue, ending.clone());
        let shared = Shared {
            database: database.to_owned(),
            snapshots,
            stores: Stores::new(database),
            hosts,
            solver_access,
            clusters,
            audit: Arc::new(audit),
            ending,
            pages: Arc::new(Semaphore::new(PAGES_AT_ONCE)),
            followers: Arc::new(Semaphore::new(FOLLOWERS.min(max_connections / 2))),
        };
        Self { shared: Arc::new(shared) }
    }

    /// The newest results.
    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.shared.snapshots.borrow())
    }
}

impl fmt::Debug for App {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("App")
            .field("database", &self.shared.database)
            .finish_non_exhaustive()
    }
}
