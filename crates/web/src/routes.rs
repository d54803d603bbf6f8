//! The routes of all pages.

use axum::Router;
use axum::extract::{Path, RawQuery, State};
use axum::middleware;
use axum::response::Response;
use axum::routing::get;

use crate::guard::guard;
use crate::pages;
use crate::raw::{self, Stream};
use crate::state::App;
use crate::{api, assets, events};

/// Everything that the server answers.
pub fn router(app: App) -> Router {
    Router::new()
        .route("/", get(overview))
        .route("/set/{number}", get(set))
        .route("/track/{number}", get(track))
        .route("/instance/{number}", get(instance))
        .route("/instance/{number}/input", get(input))
        .route("/instance/{number}/runs.csv", get(instance_runs_csv))
        .route("/instance/{number}/evaluation.csv", get(instance_evaluation_csv))
        .route("/run/{number}", get(run))
        .route("/run/{number}/stdout", get(stdout))
        .route("/run/{number}/stderr", get(stderr))
        .route("/compare", get(compare))
        .route("/compare.csv", get(compare_csv))
        .route("/compare.svg", get(compare_svg))
        .route("/compare.png", get(compare_png))
        .route("/solver/{number}", get(solver))
        .route("/changes", get(changes))
        .route("/changes.svg", get(changes_svg))
        .route("/changes.png", get(changes_png))
        .route("/changes.csv", get(changes_csv))
        .route("/changes/totals.csv", get(changes_totals_csv))
        .route("/changes/sets.csv", get(changes_sets_csv))
        .route("/operators", get(operators))
        .route("/operators.csv", get(operators_csv))
        .route("/scores.csv", get(standings_csv))
        .route("/intervals.csv", get(intervals_csv))
        .route("/solvers.csv", get(solvers_csv))
        .route("/campaigns.csv", get(campaigns_csv))
        .route("/findings", get(findings))
        .route("/findings.csv", get(findings_csv))
        .route("/audit", get(audit))
        .route("/audit.json", get(audit_json))
        .route("/audit/{table}", get(audit_csv))
        .route("/clusters", get(clusters))
        .route("/clusters.csv", get(clusters_csv))
        .route("/cluster/{number}", get(cluster))
        .route("/cluster/{number}/smallest.smt2", get(cluster_formula))
        .route("/cluster/{number}/members.csv", get(cluster_members_csv))
        .route("/cluster/{number}/timeline.svg", get(cluster_timeline_svg))
        .route("/cluster/{number}/timeline.png", get(cluster_timeline_png))
        .route("/cluster/{number}/timeline.csv", get(cluster_timeline_csv))
        .route("/assets/style.css", get(assets::style))
        .route("/assets/script.js", get(assets::script))
        .route("/assets/site.js", get(assets::site))
        .route("/assets/icon.svg", get(assets::icon))
        .route("/events", get(events::events))
        .merge(api::routes(&app))
        .fallback(nothing)
        .layer(middleware::from_fn_with_state(app.clone(), guard))
        .layer(middleware::from_fn(api::in_json))
        .with_state(app)
}

async fn overview(State(app): State<App>) -> Response {
    pages::overview(app).await
}

async fn set(State(app): State<App>, Path(number): Path<String>, query: RawQuery) -> Response {
    pages::set(app, number, query.0.unwrap_or_default()).await
}

async fn track(State(app): State<App>, Path(number): Path<String>, query: RawQuery) -> Response {
    pages::track(app, number, query.0.unwrap_or_default()).await
}

async fn instance(State(app): State<App>, Path(number): Path<String>, query: RawQuery) -> Response {
    pages::instance(app, number, query.0.unwrap_or_default()).await
}

async fn input(State(app): State<App>, Path(number): Path<String>) -> Response {
    raw::input(app, number).await
}

async fn run(State(app): State<App>, Path(number): Path<String>) -> Response {
    pages::run(app, number).await
}

async fn stdout(State(app): State<App>, Path(number): Path<String>) -> Response {
    raw::output(app, number, Stream::Output).await
}

async fn stderr(State(app): State<App>, Path(number): Path<String>) -> Response {
    raw::output(app, number, Stream::Error).await
}

async fn compare(State(app): State<App>, query: RawQuery) -> Response {
    pages::compare(app, query.0.unwrap_or_default()).await
}

async fn compare_csv(State(app): State<App>, query: RawQuery) -> Response {
    pages::compare_csv(app, query.0.unwrap_or_default()).await
}

async fn compare_svg(State(app): State<App>, query: RawQuery) -> Response {
    pages::compare_picture(app, query.0.unwrap_or_default(), "svg").await
}

async fn compare_png(State(app): State<App>, query: RawQuery) -> Response {
    pages::compare_picture(app, query.0.unwrap_or_default(), "png").await
}

async fn solver(State(app): State<App>, Path(number): Path<String>) -> Response {
    pages::solver(app, number).await
}

async fn changes_svg(State(app): State<App>, query: RawQuery) -> Response {
    pages::changes_picture(app, query.0.unwrap_or_default(), "svg").await
}

async fn changes_png(State(app): State<App>, query: RawQuery) -> Response {
    pages::changes_picture(app, query.0.unwrap_or_default(), "png").await
}

async fn changes(State(app): State<App>, query: RawQuery) -> Response {
    pages::changes(app, query.0.unwrap_or_default()).await
}

async fn changes_csv(State(app): State<App>, query: RawQuery) -> Response {
    pages::changes_csv(app, query.0.unwrap_or_default()).await
}

async fn changes_totals_csv(State(app): State<App>, query: RawQuery) -> Response {
    pages::changes_totals_csv(app, query.0.unwrap_or_default()).await
}

async fn changes_sets_csv(State(app): State<App>, query: RawQuery) -> Response {
    pages::changes_sets_csv(app, query.0.unwrap_or_default()).await
}

async fn intervals_csv(State(app): State<App>, query: RawQuery) -> Response {
    pages::intervals_csv(app, query.0.unwrap_or_default()).await
}

async fn solvers_csv(State(app): State<App>, query: RawQuery) -> Response {
    pages::solvers_csv(app, query.0.unwrap_or_default()).await
}

async fn campaigns_csv(State(app): State<App>, query: RawQuery) -> Response {
    pages::campaigns_csv(app, query.0.unwrap_or_default()).await
}

async fn instance_runs_csv(State(app): State<App>, Path(number): Path<String>) -> Response {
    pages::instance_runs_csv(app, number).await
}

async fn instance_evaluation_csv(
    State(app): State<App>,
    Path(number): Path<String>,
    query: RawQuery,
) -> Response {
    pages::instance_evaluation_csv(app, number, query.0.unwrap_or_default()).await
}

async fn operators_csv(State(app): State<App>, query: RawQuery) -> Response {
    pages::operators_csv(app, query.0.unwrap_or_default()).await
}

async fn standings_csv(State(app): State<App>, query: RawQuery) -> Response {
    pages::standings_csv(app, query.0.unwrap_or_default()).await
}

async fn findings_csv(State(app): State<App>, query: RawQuery) -> Response {
    pages::findings_csv(app, query.0.unwrap_or_default()).await
}

async fn operators(State(app): State<App>, query: RawQuery) -> Response {
    pages::operators(app, query.0.unwrap_or_default()).await
}

async fn findings(State(app): State<App>, query: RawQuery) -> Response {
    pages::findings(app, query.0.unwrap_or_default()).await
}

async fn audit(State(app): State<App>, query: RawQuery) -> Response {
    pages::audit(app, query.0.unwrap_or_default()).await
}

async fn audit_json(State(app): State<App>) -> Response {
    pages::audit_json(app).await
}

async fn audit_csv(State(app): State<App>, Path(table): Path<String>) -> Response {
    pages::audit_csv(app, table).await
}

async fn clusters(State(app): State<App>, query: RawQuery) -> Response {
    pages::clusters(app, query.0.unwrap_or_default()).await
}

async fn clusters_csv(State(app): State<App>) -> Response {
    pages::clusters_csv(app).await
}

async fn cluster(State(app): State<App>, Path(number): Path<String>, query: RawQuery) -> Response {
    pages::cluster(app, number, query.0.unwrap_or_default()).await
}

async fn cluster_formula(State(app): State<App>, Path(number): Path<String>) -> Response {
    pages::cluster_formula(app, number).await
}

async fn cluster_members_csv(State(app): State<App>, Path(number): Path<String>) -> Response {
    pages::cluster_members_csv(app, number).await
}

async fn cluster_timeline_svg(State(app): State<App>, Path(number): Path<String>) -> Response {
    pages::cluster_timeline_picture(app, number, "svg").await
}

async fn cluster_timeline_png(State(app): State<App>, Path(number): Path<String>) -> Response {
    pages::cluster_timeline_picture(app, number, "png").await
}

async fn cluster_timeline_csv(State(app): State<App>, Path(number): Path<String>) -> Response {
    pages::cluster_timeline_csv(app, number).await
}

async fn nothing(State(app): State<App>) -> Response {
    pages::nothing_here(app).await
}
