//! Server-sent events: notifies open pages when the results change.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;

use crate::state::App;

/// Often enough for proxies not to close what looks idle.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

/// Sends `changed` with the version of the results: at once, and whenever they change.
pub(crate) async fn events(State(app): State<App>) -> Response {
    let Ok(permit) = app.shared.followers.clone().try_acquire_owned() else {
        let message = "Too many pages are open; this one does not follow.\n";
        return (StatusCode::SERVICE_UNAVAILABLE, message).into_response();
    };
    let mut snapshots = app.shared.snapshots.clone();
    snapshots.mark_changed();
    let state = (snapshots, app.shared.ending.clone(), permit);
    let changes = stream::unfold(state, |(mut snapshots, mut ending, permit)| async move {
        tokio::select! {
            changed = snapshots.changed() => changed.ok()?,
            // An answer without end would keep the server from ending.
            _ = ending.wait_for(|ending| *ending) => return None,
        }
        let version = snapshots.borrow_and_update().version.clone();
        let event = Event::default().event("changed").data(version);
        Some((Ok::<_, Infallible>(event), (snapshots, ending, permit)))
    });
    Sse::new(changes).keep_alive(KeepAlive::new().interval(SIGN_OF_LIFE)).into_response()
}
