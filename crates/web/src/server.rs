//! Starts the server, serves, and shuts down.

use std::future::Future;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use luthier_corpus::sets::Catalogue;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::clusters::ClusterFolder;
use crate::connections::{self, max_connections};
use crate::error::ServeError;
use crate::follow::Follower;
use crate::guard::Hosts;
use crate::routes::router;
use crate::solver_access::SolverAccess;
use crate::state::App;

/// How long answers that are under way may take once the server is to end.
const GRACE: Duration = Duration::from_secs(3);

/// What to serve, and where.
#[derive(Clone, Debug)]
pub struct Options {
    /// The database.
    pub database: PathBuf,
    /// Where to listen; with port 0 the system chooses one.
    pub listen: SocketAddr,
    /// Names, besides those of this machine itself, under which browsers may ask.
    pub hosts: Vec<String>,
    /// A folder that `luthier cluster --out` made, to be shown too.
    pub clusters: Option<PathBuf>,
    /// What is known about published sets, for the audit.
    pub catalogue: Catalogue,
}

/// A server that has read its database and listens, but does not answer yet.
#[derive(Debug)]
pub struct Listening {
    listener: TcpListener,
    address: SocketAddr,
    follower: Follower,
    app: App,
    ending: watch::Sender<bool>,
    max_connections: usize,
}

/// Reads the database, then listens. Needs a runtime of tokio around it.
pub async fn listen(
    options: &Options,
    solver_access: Arc<dyn SolverAccess>,
) -> Result<Listening, ServeError> {
    let clusters = options.clusters.as_ref().map(|path| {
        ClusterFolder::open(path)
            .map_err(|cause| ServeError::Clusters { path: path.clone(), cause })
    });
    let clusters = clusters.transpose()?;
    let database = options.database.clone();
    let opened = tokio::task::spawn_blocking(move || Follower::open(&database)).await;
    let follower = opened.map_err(|panic| ServeError::Stopped(std::io::Error::other(panic)))??;
    let address = options.listen;
    let listener = TcpListener::bind(address).await.map_err(|cause| match cause.kind() {
        std::io::ErrorKind::AddrInUse => ServeError::InUse { address },
        _ => ServeError::CannotListen { address, cause },
    })?;
    let address = listener.local_addr().map_err(ServeError::Stopped)?;
    let (ending, ended) = watch::channel(false);
    let hosts = Hosts::new(address, &options.hosts);
    let max_connections = max_connections();
    let app = App::new(
        &options.database,
        follower.snapshots(),
        hosts,
        solver_access,
        (clusters, options.catalogue.clone()),
        ended,
        max_connections,
    );
    Ok(Listening { listener, address, follower, app, ending, max_connections })
}

/// Comes when the program is asked to end: by Ctrl-C, or by SIGTERM. Needs a runtime of tokio
/// around it; from now on these signals do nothing else.
pub fn stop_signal() -> Result<impl Future<Output = ()> + Send + 'static, ServeError> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt()).map_err(ServeError::Stopped)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(ServeError::Stopped)?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

impl Listening {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many files there are at their places.
    pub fn instances(&self) -> usize {
        self.app.snapshot().results.entries.len()
    }

    /// How many runs there are.
    pub fn runs(&self) -> usize {
        self.app.snapshot().runs
    }

    /// What requests share, to put the router under a test.
    pub fn app(&self) -> App {
        self.app.clone()
    }

    /// Serves until `shutdown` comes; then answers that are under way get some seconds to finish.
    pub async fn serve(
        self,
        shutdown: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), ServeError> {
        let Self { listener, follower, app, ending, max_connections, .. } = self;
        let (mut ended, to_end) = (ending.subscribe(), ending.subscribe());
        let following = tokio::spawn(follower.follow());
        let stopping = tokio::spawn(async move {
            shutdown.await;
            ending.send_replace(true);
        });
        let server = connections::serve(listener, router(app), max_connections, to_end);
        let overdue = async move {
            // The sender is dropped only after it has sent.
            let _ = ended.wait_for(|ended| *ended).await;
            tokio::time::sleep(GRACE).await;
        };
        tokio::select! {
            () = server => {}
            () = overdue => {}
        }
        following.abort();
        stopping.abort();
        Ok(())
    }
}
