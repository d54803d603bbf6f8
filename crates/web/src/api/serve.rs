//! Handles requests to endpoints: parameters, cache, `ETag`, and computation on a few worker threads.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Query};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;

use super::cache::Cache;
use super::endpoint::{ApiRequest, Endpoint, Family, Source};
use super::error::ApiError;
use super::parameters::Values;
use super::reply::Reply;
use crate::snapshot::Snapshot;
use crate::state::App;

/// What requests to endpoints share.
#[derive(Clone)]
struct ApiState {
    app: App,
    cache: Arc<Cache>,
}

/// The routes of these endpoints.
pub(crate) fn routes(app: &App, endpoints: &'static [Endpoint]) -> Router<App> {
    let state = ApiState { app: app.clone(), cache: Arc::default() };
    let mut router = Router::new();
    for endpoint in endpoints {
        let handler = |state: ApiState| {
            get(
                move |path: Result<Path<Vec<(String, String)>>, PathRejection>,
                      uri: Uri,
                      headers: HeaderMap| {
                    let state = state.clone();
                    async move { answer(state, endpoint, path, uri, headers).await }
                },
            )
        };
        router = router.route(endpoint.path, handler(state.clone()));
        if endpoint.family == Family::Zaligvinder {
            router = router.route(&format!("{}/", endpoint.path), handler(state.clone()));
        }
    }
    router
}

async fn answer(
    state: ApiState,
    endpoint: &'static Endpoint,
    path: Result<Path<Vec<(String, String)>>, PathRejection>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let values = match values(endpoint, path, &uri) {
        Ok(values) => values,
        Err(error) => return error.into_response(),
    };
    let snapshot = state.app.snapshot();
    let asked = format!("{}{}", uri.path(), values.canonical());
    let tag = match endpoint.source {
        Source::Audit => {
            let count = state.app.shared.audit.count();
            tag(&format!("{}-{count}", snapshot.version), &asked)
        }
        _ => tag(&snapshot.version, &asked),
    };
    if is_known(&headers, &tag) {
        let headers = [(header::ETAG, tag), (header::CACHE_CONTROL, "no-cache".to_owned())];
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    if let Some(reply) = state.cache.get(&snapshot.version, &asked) {
        return respond(&reply, &tag);
    }
    match make(&state, endpoint, values, &uri, Arc::clone(&snapshot)).await {
        Ok(reply) => {
            if endpoint.source == Source::Costly {
                state.cache.keep(&snapshot.version, asked, &reply);
            }
            respond(&reply, &tag)
        }
        Err(error) => error.into_response(),
    }
}

fn values(
    endpoint: &'static Endpoint,
    path: Result<Path<Vec<(String, String)>>, PathRejection>,
    uri: &Uri,
) -> Result<Values, ApiError> {
    let Path(path) = path.map_err(|error| ApiError::bad_address(error.body_text()))?;
    let Query(query) = Query::<Vec<(String, String)>>::try_from_uri(uri)
        .map_err(|error| ApiError::bad_address(error.body_text()))?;
    Values::read(&endpoint.parameters, &path, &query, endpoint.family == Family::Version1)
}

/// Makes an answer outside the threads that listen, a few at a time, as pages are made.
async fn make(
    state: &ApiState,
    endpoint: &'static Endpoint,
    values: Values,
    uri: &Uri,
    snapshot: Arc<Snapshot>,
) -> Result<Reply, ApiError> {
    let app = state.app.clone();
    let turn = match endpoint.source {
        Source::Store => Some(app.shared.stores.turn().await.ok_or_else(ApiError::ending)?),
        Source::Results | Source::Costly | Source::Audit => None,
    };
    let permit = Arc::clone(&app.shared.pages).acquire_owned().await;
    let address = uri.path().to_owned();
    let made = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        (endpoint.make)(&ApiRequest {
            app: &app,
            snapshot: &snapshot,
            values: &values,
            address: &address,
            turn: turn.as_ref(),
        })
    });
    // A panic has been reported where panics are.
    made.await
        .unwrap_or_else(|_| Err(ApiError::failed("this is a fault of Luthier; please report it")))
}

fn respond(reply: &Reply, tag: &str) -> Response {
    let mut response = reply.body.clone().into_response();
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    };
    set(header::CONTENT_TYPE, reply.kind);
    set(header::ETAG, tag);
    // It may be kept, but must be asked for whether it still holds.
    set(header::CACHE_CONTROL, "no-cache");
    for (name, value) in &reply.headers {
        set(name.clone(), value);
    }
    response
}

/// The same question about the same version of the results has the same answer.
fn tag(version: &str, asked: &str) -> String {
    let mut hasher = DefaultHasher::new();
    asked.hash(&mut hasher);
    format!("\"{version}-{:016x}\"", hasher.finish())
}

/// Whether the client has this response already.
fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let given =
        headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    given.flat_map(|value| value.split(',')).any(|one| one.trim().trim_start_matches("W/") == tag)
}
