//! HTTP connections: a bounded number, none of which can idle for ever.
//!
//! A server that waits for request headers without a limit runs out of file descriptors when clients
//! connect and send nothing. Three bounds prevent it:
//!
//! * the number of connections stays below the descriptors that the process may have;
//! * a connection without an active request is *idle*: it is closed after [`IDLE`], and sooner, the
//!   longest idle first, when the limit is reached and another client connects;
//! * a client that does not read its response loses the connection after [`UNREAD`], which the kernel
//!   enforces (`TCP_USER_TIMEOUT`).
//!
//! Only when every connection has an active request does a new client wait.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use nix::sys::resource::{Resource, getrlimit};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, watch};
use tower::ServiceExt as _;

/// How long a client may take for its request headers, and how long a connection waits for its next
/// request.
const IDLE: Duration = Duration::from_secs(15);

/// How long a client may leave an answer unread.
const UNREAD: Duration = Duration::from_secs(60);

/// The pause after the system could not accept a connection.
const PAUSE: Duration = Duration::from_millis(50);

/// No server needs more connections than this.
const MOST: usize = 512;

/// Fewer would not do for one browser.
const FEWEST: usize = 8;

/// How many connections there may be: half of the file descriptors that the process may have; the
/// database and everything else have the other half.
pub(crate) fn max_connections() -> usize {
    let descriptors = getrlimit(Resource::RLIMIT_NOFILE).map_or(1024, |(soft, _)| soft);
    usize::try_from(descriptors / 2).unwrap_or(MOST).clamp(FEWEST, MOST)
}

/// Serves until `ending` turns true, and then until the last answer under way is given.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    most: usize,
    mut ending: watch::Receiver<bool>,
) {
    let places = Arc::new(Semaphore::new(most));
    let idle = Arc::new(IdleConnections::default());
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = ended(&mut ending) => break,
        };
        let Ok((stream, _)) = accepted else {
            // The client is gone, or no descriptor is left; then an idle connection gives up its own.
            idle.close_longest();
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let place = loop {
            if let Ok(place) = Arc::clone(&places).try_acquire_owned() {
                break place;
            }
            idle.close_longest();
            let freed = tokio::time::timeout(PAUSE, places.acquire());
            tokio::select! {
                _ = freed => {}
                () = ended(&mut ending) => return,
            }
        };
        let state = Arc::new(ConnectionState::new(Arc::clone(&idle)));
        tokio::spawn(serve_connection(stream, router.clone(), state, ending.clone(), place));
    }
    drop(listener);
    // When all permits are acquired, no connection is left.
    let _ = places.acquire_many(u32::try_from(most).unwrap_or(u32::MAX)).await;
}

async fn ended(ending: &mut watch::Receiver<bool>) {
    // An error means that the sender is gone, and the server with it.
    let _ = ending.wait_for(|ending| *ending).await;
}

/// Answers the requests of one connection until either side ends it.
async fn serve_connection(
    stream: TcpStream,
    router: Router,
    state: Arc<ConnectionState>,
    mut ending: watch::Receiver<bool>,
    _place: OwnedSemaphorePermit,
) {
    // Where the kernel does not know these options, the connection works without them.
    let _ = stream.set_nodelay(true);
    let unread = u32::try_from(UNREAD.as_millis()).unwrap_or(u32::MAX);
    let _ = rustix::net::sockopt::set_tcp_user_timeout(&stream, unread);
    state.become_idle();
    let at_work = Arc::clone(&state);
    let service =
        service_fn(move |request| answer(router.clone(), request, at_work.begin_request()));
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(IDLE);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
    let mut is_ending = false;
    loop {
        tokio::select! {
            // A client may end its connection at any time.
            _ = connection.as_mut() => break,
            // Unless a request came at the same moment.
            () = state.close.notified() => if state.is_idle() { break },
            () = ended(&mut ending), if !is_ending => {
                is_ending = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    }
    state.remove();
}

/// The answer to a request. The connection is at work until the last of its bytes is handed over.
async fn answer(
    router: Router,
    request: Request<Incoming>,
    active: ActiveRequest,
) -> Result<Response<Body>, Infallible> {
    let response = router.oneshot(request.map(Body::new)).await?;
    Ok(response.map(|body| {
        Body::new(body.map_frame(move |frame| {
            let _until_the_end = &active;
            frame
        }))
    }))
}

/// The connections without a request under way, by the time since when.
#[derive(Default)]
struct IdleConnections {
    waiting: Mutex<IdleQueue>,
}

#[derive(Default)]
struct IdleQueue {
    /// Grows with every connection that becomes idle.
    clock: u64,
    since: BTreeMap<u64, Arc<ConnectionState>>,
}

impl IdleConnections {
    fn lock(&self) -> MutexGuard<'_, IdleQueue> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes the connection that has been idle longest, if there is one.
    fn close_longest(&self) {
        if let Some((_, state)) = self.lock().since.pop_first() {
            state.close.notify_one();
        }
    }
}

/// The state of one connection.
struct ConnectionState {
    all: Arc<IdleConnections>,
    /// Where it stands among those that are idle.
    idle_since: Mutex<Option<u64>>,
    /// Signals the connection to close, since another client waits.
    close: Notify,
}

impl ConnectionState {
    fn new(all: Arc<IdleConnections>) -> Self {
        Self { all, idle_since: Mutex::new(None), close: Notify::new() }
    }

    fn idle_since(&self) -> MutexGuard<'_, Option<u64>> {
        self.idle_since.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_idle(&self) -> bool {
        self.idle_since().is_some()
    }

    /// Nothing is under way from now on.
    fn become_idle(self: &Arc<Self>) {
        let mut idle_since = self.idle_since();
        let mut waiting = self.all.lock();
        waiting.clock += 1;
        let now = waiting.clock;
        waiting.since.insert(now, Arc::clone(self));
        *idle_since = Some(now);
    }

    /// The connection is over.
    fn remove(&self) {
        if let Some(since) = self.idle_since().take() {
            self.all.lock().since.remove(&since);
        }
    }

    /// A request is under way until what this gives is dropped.
    fn begin_request(self: &Arc<Self>) -> ActiveRequest {
        self.remove();
        ActiveRequest { state: Arc::clone(self) }
    }
}

/// A request under way.
struct ActiveRequest {
    state: Arc<ConnectionState>,
}

impl Drop for ActiveRequest {
    fn drop(&mut self) {
        self.state.become_idle();
    }
}
