//! REST: the versioned interface under `/api/v1`, and what both families of endpoints share.
//!
//! * `endpoint.rs` defines endpoints and requests, `parameters.rs` their parameters, `reply.rs` and
//!   `error.rs` responses and errors, `serve.rs` handles requests; `cache.rs` keeps expensive responses;
//! * `document.rs` describes all endpoints as OpenAPI;
//! * `scope.rs` and `types.rs` have what many endpoints need; every other file has some endpoints.
//!
//! Figures come from `luthier-report`. Times are seconds, counts are whole numbers.

mod audit;
mod cache;
mod changes;
mod charts;
mod document;
mod endpoint;
mod error;
mod evaluation;
mod features;
mod findings;
mod instance;
mod instances;
mod lists;
mod parameters;
mod reply;
mod run;
mod scope;
mod serve;
mod standings;
mod types;

use std::sync::LazyLock;

use axum::Router;

use crate::state::App;
use crate::zaligvinder;

pub(crate) use charts::picture;
pub(crate) use endpoint::{ApiRequest, Content, Endpoint, Family, Source, schema};
pub(crate) use error::{ApiError, in_json};
pub(crate) use instance::input_of;
pub(crate) use instances::{csv_head, csv_of_instance};
pub(crate) use parameters::{Kind, Parameter};
pub(crate) use reply::{Reply, SizeBudget, next, offset};
pub(crate) use scope::{find_set, find_solver};
pub(crate) use types::model_text;

/// All endpoints of both families, in the order in which they are described.
static ENDPOINTS: LazyLock<Vec<Endpoint>> = LazyLock::new(|| {
    let mut all = Vec::new();
    all.extend(document::endpoints());
    all.extend(lists::endpoints());
    all.extend(instances::endpoints());
    all.extend(instance::endpoints());
    all.extend(evaluation::endpoints());
    all.extend(run::endpoints());
    all.extend(standings::endpoints());
    all.extend(changes::endpoints());
    all.extend(features::endpoints());
    all.extend(findings::endpoints());
    all.extend(audit::endpoints());
    all.extend(charts::endpoints());
    all.extend(zaligvinder::endpoints());
    all
});

/// The routes of both families.
pub(crate) fn routes(app: &App) -> Router<App> {
    serve::routes(app, &ENDPOINTS)
}
