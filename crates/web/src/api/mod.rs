//! REST: the versioned interface under `/api/v1`, and what both families of endpoints share.
//!
//! * `endpoint.rs` says what an endpoint is, `parameters.rs` what can be asked, `reply.rs` and
//!   `refusal.rs` what is answered, `serve.rs` how; `cache.rs` keeps answers that took time;
//! * `document.rs` describes all endpoints as OpenAPI;
//! * `scope.rs` and `types.rs` have what many endpoints need; every other file has some endpoints.
//!
//! Figures come from `luthier-report`. Times are seconds, counts are whole numbers.

mod cache;
mod changes;
mod charts;
mod document;
mod endpoint;
mod features;
mod findings;
mod instance;
mod instances;
mod lists;
mod parameters;
mod refusal;
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
pub(crate) use endpoint::{Content, Endpoint, Family, Question, Source, schema};
pub(crate) use instance::input_of;
pub(crate) use instances::{csv_head, csv_of_instance};
pub(crate) use parameters::{Kind, Parameter};
pub(crate) use refusal::{Refusal, in_json};
pub(crate) use reply::{Reply, Room, next, offset};
pub(crate) use scope::{find_set, find_solver};
pub(crate) use types::model_text;

/// All endpoints of both families, in the order in which they are described.
static ENDPOINTS: LazyLock<Vec<Endpoint>> = LazyLock::new(|| {
    let mut all = Vec::new();
    all.extend(document::endpoints());
    all.extend(lists::endpoints());
    all.extend(instances::endpoints());
    all.extend(instance::endpoints());
    all.extend(run::endpoints());
    all.extend(standings::endpoints());
    all.extend(changes::endpoints());
    all.extend(features::endpoints());
    all.extend(findings::endpoints());
    all.extend(charts::endpoints());
    all.extend(zaligvinder::endpoints());
    all
});

/// The routes of both families.
pub(crate) fn routes(app: &App) -> Router<App> {
    serve::routes(app, &ENDPOINTS)
}
