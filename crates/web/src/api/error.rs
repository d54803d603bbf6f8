//! Errors of REST: a status, and JSON with a stable code and a message.

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::{self, HeaderValue};
use axum::http::{StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use luthier_store::StoreError;
use schemars::JsonSchema;
use serde::Serialize;

/// Longer values are not repeated in an answer.
const MOST_SHOWN: usize = 200;

/// A question that is not answered.
#[derive(Debug)]
pub(crate) struct ApiError {
    /// The status of the answer.
    pub status: StatusCode,
    problem: Box<Problem>,
}

/// What is wrong.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Error")]
pub(crate) struct ErrorBody {
    /// What is wrong.
    error: Problem,
}

/// What is wrong, for programs and for people.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Problem {
    /// A stable word, such as `unknown-instance` or `bad-parameter`.
    code: String,
    /// A sentence.
    message: String,
    /// The parameter in question.
    #[serde(skip_serializing_if = "Option::is_none")]
    parameter: Option<String>,
    /// Its value.
    #[serde(skip_serializing_if = "Option::is_none")]
    got: Option<String>,
    /// What it may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed: Option<String>,
}

impl ApiError {
    fn new(status: StatusCode, code: impl Into<String>, message: impl Into<String>) -> Self {
        let problem = Problem {
            code: code.into(),
            message: message.into(),
            parameter: None,
            got: None,
            allowed: None,
        };
        Self { status, problem: Box::new(problem) }
    }

    /// There is no such thing: `what` as in "set".
    pub fn unknown(what: &str, name: impl std::fmt::Display) -> Self {
        let name = shortened(&name.to_string());
        let message = format!("there is no {what} “{name}” here");
        Self::new(StatusCode::NOT_FOUND, format!("unknown-{what}"), message)
    }

    /// What is asked for is known, but the database does not have it.
    pub fn not_recorded(message: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-recorded", message)
    }

    /// A value of the wrong form.
    pub fn parameter(name: &str, got: &str, allowed: String) -> Self {
        let got = shortened(got);
        let message = format!("“{name}” cannot be “{got}”; it must be {allowed}");
        let mut error = Self::new(StatusCode::BAD_REQUEST, "bad-parameter", message);
        error.problem.parameter = Some(name.to_owned());
        error.problem.got = Some(got);
        error.problem.allowed = Some(allowed);
        error
    }

    /// A name that no parameter has.
    pub fn unknown_parameter(name: &str, got: &str, names: &[&str]) -> Self {
        let name = shortened(name);
        let allowed = match names {
            [] => "no parameters".to_owned(),
            names => format!("one of {}", names.join(", ")),
        };
        let message = format!("there is no parameter “{name}” here; allowed: {allowed}");
        let mut error = Self::new(StatusCode::BAD_REQUEST, "unknown-parameter", message);
        error.problem.parameter = Some(name);
        error.problem.got = Some(shortened(got));
        error.problem.allowed = Some(allowed);
        error
    }

    /// A parameter that must be there.
    pub fn missing_parameter(name: &str, allowed: &str) -> Self {
        let message = format!("the parameter “{name}” is missing; it must be {allowed}");
        let mut error = Self::new(StatusCode::BAD_REQUEST, "missing-parameter", message);
        error.problem.parameter = Some(name.to_owned());
        error.problem.allowed = Some(allowed.to_owned());
        error
    }

    /// An address that is not text.
    pub fn bad_address(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad-address", message)
    }

    /// A fault of the server.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "failed", message)
    }

    /// It is being made; the client may ask again soon.
    pub fn not_yet(message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "not-yet", message)
    }

    /// The server is ending.
    pub fn ending() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "ending", "the server is ending")
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Busy { .. } => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", error.to_string())
            }
            _ => Self::failed(error.to_string()),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let is_not_yet = self.problem.code == "not-yet";
        let body = axum::Json(ErrorBody { error: *self.problem });
        let mut response = (self.status, body).into_response();
        if is_not_yet {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

/// Whether an address belongs to REST, also if nothing is there.
fn is_rest(uri: &Uri) -> bool {
    let mut parts = uri.path().split('/').skip(1);
    let families =
        ["api", "solvers", "tracks", "instances", "results", "summary", "chart", "ranks"];
    parts.next().is_some_and(|first| families.contains(&first))
}

/// Converts errors under addresses of REST to JSON, also those of the guard of all pages and of the page
/// for unknown addresses, which are written for people.
pub(crate) async fn in_json(request: Request, next: Next) -> Response {
    let is_rest = is_rest(request.uri());
    let response = next.run(request).await;
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.unwrap_or_default().to_owned();
    let status = response.status();
    if !is_rest || kind.starts_with("application/json") || status.as_u16() < 400 {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let (code, sentence) = match status {
        StatusCode::NOT_FOUND => ("unknown-address", "there is nothing at this address"),
        StatusCode::METHOD_NOT_ALLOWED => ("bad-method", "only GET and HEAD are answered"),
        StatusCode::MISDIRECTED_REQUEST => ("bad-host", "this name is not one of this server's"),
        StatusCode::URI_TOO_LONG => ("long-address", "the address is too long"),
        _ => ("refused", "the request is refused"),
    };
    let said = if kind.starts_with("text/plain") {
        to_bytes(body, 4096).await.ok().and_then(|bytes| String::from_utf8(bytes.into()).ok())
    } else {
        None
    };
    let message = said.as_deref().map_or(sentence, str::trim_end);
    let error = ApiError::new(status, code, message);
    let text = serde_json::to_string(&ErrorBody { error: *error.problem }).unwrap_or_default();
    parts.headers.remove(header::CONTENT_LENGTH);
    let json = HeaderValue::from_static("application/json");
    parts.headers.insert(header::CONTENT_TYPE, json);
    Response::from_parts(parts, Body::from(text))
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
