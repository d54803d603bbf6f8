//! One file per page, and what is needed to answer with one.
//!
//! Pages are made outside the threads that listen, a few at a time. A page about a single
//! instance or run also reads the database; everything else is made of the snapshot.

mod audit;
mod behind;
mod changes;
mod choice;
mod clusters;
mod compare;
mod configuration;
mod csv;
mod findings;
mod formula;
mod instance;
mod intervals;
mod matrix;
mod operators;
mod overview;
mod query;
mod run;
mod run_details;
mod set;
mod solver;
mod tables;
mod viewer;

use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::Response;
use maud::html;

use crate::error::PageError;
use crate::layout::{self, Page, Place};
use crate::snapshot::Snapshot;
use crate::state::App;
use crate::stores::{Stores, Turn};

pub(crate) use audit::{audit, audit_csv, audit_json};
pub(crate) use changes::{
    changes, changes_csv, changes_picture, changes_sets_csv, changes_totals_csv,
};
pub(crate) use choice::MOST_BY_DEFAULT;
pub(crate) use clusters::{
    cluster, cluster_formula, cluster_members_csv, cluster_timeline_csv, cluster_timeline_picture,
    clusters, clusters_csv,
};
pub(crate) use compare::{compare, compare_csv, compare_picture, run_cell};
pub(crate) use csv::{campaigns_csv, intervals_csv, solvers_csv, standings_csv};
pub(crate) use findings::{findings, findings_csv};
pub(crate) use instance::{instance, instance_evaluation_csv, instance_runs_csv};
pub(crate) use operators::{operators, operators_csv};
pub(crate) use overview::overview;
pub(crate) use query::Query;
pub(crate) use run::run;
pub(crate) use run_details::judgement;
pub(crate) use set::{set, track};
pub(crate) use solver::solver;
pub(crate) use viewer::viewer;

/// What a page is made of.
#[derive(Debug)]
pub(crate) struct Context {
    /// The results, the same for the whole page.
    pub snapshot: Arc<Snapshot>,
    /// What all requests share.
    pub app: App,
}

impl Context {
    /// The connections to the database.
    pub fn stores(&self) -> &Stores {
        &self.app.shared.stores
    }

    /// The name of the database without its folder, which is nobody's business.
    pub fn database_name(&self) -> String {
        let path = &self.app.shared.database;
        path.file_name().map_or_else(|| "results".to_owned(), |name| name.to_string_lossy().into())
    }
}

/// Answers with a page that is made of the snapshot.
pub(crate) async fn answer_with_page(
    app: App,
    make: impl FnOnce(&Context) -> Result<Page, PageError> + Send + 'static,
) -> Response {
    answer(app, move |context| {
        make(context).map(|page| layout::respond(context, StatusCode::OK, &page))
    })
    .await
}

/// Answers with something that is read from the database too.
pub(crate) async fn answer_with_store(
    app: App,
    make: impl FnOnce(&Context, &Turn) -> Result<Response, PageError> + Send + 'static,
) -> Response {
    let turn = app.shared.stores.turn().await;
    answer(app, move |context| match &turn {
        Some(turn) => make(context, turn),
        None => Err(PageError::failed("The server is ending.")),
    })
    .await
}

/// Answers with whatever is made; what goes wrong becomes a page too.
pub(crate) async fn answer(
    app: App,
    make: impl FnOnce(&Context) -> Result<Response, PageError> + Send + 'static,
) -> Response {
    let context = Context { snapshot: app.snapshot(), app: app.clone() };
    let permit = Arc::clone(&app.shared.pages).acquire_owned().await;
    let made = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        make(&context).unwrap_or_else(|error| error_page(&context, &error))
    });
    match made.await {
        Ok(response) => response,
        // A panic; it has been reported where panics are.
        Err(_) => {
            let context = Context { snapshot: app.snapshot(), app };
            let error = PageError::failed("This is a fault of Luthier; please report it.");
            error_page(&context, &error)
        }
    }
}

/// Makes what takes time on the pages over everything, before somebody waits for it.
pub(crate) fn prepare(snapshot: &Snapshot) {
    overview::prepare(snapshot);
    compare::prepare(snapshot);
    changes::prepare(snapshot);
    operators::prepare(snapshot);
}

/// The page for an address that leads nowhere.
pub(crate) async fn nothing_here(app: App) -> Response {
    answer(app, |_| Err(PageError::not_found("There is no page at this address."))).await
}

fn error_page(context: &Context, error: &PageError) -> Response {
    let title = match error.status {
        StatusCode::NOT_FOUND => "Not found".to_owned(),
        StatusCode::BAD_REQUEST => "This address cannot be right".to_owned(),
        StatusCode::SERVICE_UNAVAILABLE => "Not now".to_owned(),
        _ => "Something went wrong".to_owned(),
    };
    let page = Page {
        title,
        place: Place::Elsewhere,
        path: Vec::new(),
        body: html! {
            p { (crate::text::visible_text(&error.message)) }
            p { a href="/" { "Go to the overview" } }
        },
    };
    layout::respond(context, error.status, &page)
}
