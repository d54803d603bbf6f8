//! The common layout of pages: head, navigation, breadcrumbs, and the state of the results.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use futures_util::{StreamExt as _, stream};
use luthier_report::{documents, figures};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::assets;
use crate::guard;
use crate::pages::Context;
use crate::text::visible;

/// More sets than this are reached from the overview only.
const MOST_SETS_IN_MENU: usize = 60;

/// A page without what all pages have.
#[derive(Debug)]
pub(crate) struct Page {
    /// Its heading.
    pub title: String,
    /// Where it belongs in the navigation.
    pub place: Place,
    /// The way to it from the overview, without itself.
    pub path: Vec<Step>,
    /// What follows the heading.
    pub body: Markup,
}

/// A page on the way to another.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// What it is called.
    pub name: String,
    /// Its address.
    pub address: String,
}

/// The entries of the navigation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The overview.
    Overview,
    /// Sets and tracks.
    Sets,
    /// Solvers side by side.
    Compare,
    /// Two campaigns or releases.
    Changes,
    /// By operator.
    Operators,
    /// Findings.
    Findings,
    /// The audit of the sets.
    Audit,
    /// Clusters of failures.
    Clusters,
    /// The page of a site whose script shows instances and runs.
    Viewer,
    /// None of them.
    Elsewhere,
}

/// The whole page as text.
pub(crate) fn text(context: &Context, page: &Page) -> String {
    whole(context, page).into_string()
}

/// The whole page as an answer.
pub(crate) fn respond(context: &Context, status: StatusCode, page: &Page) -> Response {
    let text = text(context, page);
    (status, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], text).into_response()
}

/// The page as an answer that begins at once: browsers show its head and fetch what that names
/// while the body is made.
pub(crate) fn respond_in_parts(
    context: &Context,
    page: Page,
    body: impl FnOnce() -> Markup + Send + 'static,
) -> Response {
    let page = Page { body: PreEscaped(BODY.to_owned()), ..page };
    let text = whole(context, &page).into_string();
    // Everything that comes from elsewhere is escaped, so it stands there once.
    let (head, tail) = text.split_once(BODY).unwrap_or((&text, ""));
    let (head, tail) = (head.to_owned(), tail.to_owned());
    let permits = Arc::clone(&context.app.shared.pages);
    let body = async move {
        let permit = permits.acquire_owned().await;
        let made = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            body().into_string()
        });
        // A panic, which has been reported; the connection is cut, so that browsers say so too.
        made.await.map_err(std::io::Error::other)
    };
    let parts = stream::iter([Ok(head)]).chain(stream::once(body)).chain(stream::iter([Ok(tail)]));
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8")];
    (headers, Body::from_stream(parts)).into_response()
}

/// Where the body of a page goes that is made later.
const BODY: &str = "<!-- body -->";

fn whole(context: &Context, page: &Page) -> Markup {
    let snapshot = &context.snapshot;
    let database = context.database_name();
    let is_site = snapshot.medium.is_site();
    let version = match is_site {
        true => String::new(),
        false => format!("?{}", assets::version()),
    };
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                @if is_site { meta http-equiv="Content-Security-Policy" content=(guard::SITE_POLICY); }
                title {
                    (visible(&page.title))
                    @if page.place != Place::Overview { " · " (visible(&database)) }
                    " · Luthier"
                }
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href={ "/assets/style.css" (version) };
                script src={ "/assets/script.js" (version) } defer {}
                @if is_site && matches!(page.place, Place::Compare | Place::Viewer) { script src="/assets/site.js" defer {} }
            }
            body data-version=[(!is_site).then_some(&snapshot.version)] {
                a.skip href="#main" { "Skip to content" }
                header.top {
                    a.brand href="/" { "Luthier" }
                    nav aria-label="Pages" { (navigation(context, page.place)) }
                    p #follow {
                        @if !is_site { span.dot aria-hidden="true" {} }
                        span.words {
                            (figures::count(snapshot.runs as u64)) " runs"
                            @if let Some(added) = snapshot.added {
                                ", " (figures::count(added as u64)) " new at " (documents::time_of_day(snapshot.seen))
                            } @else if !is_site {
                                ", read at " (documents::time_of_day(snapshot.seen))
                            }
                        }
                    }
                }
                @if page.place != Place::Overview {
                    nav.path aria-label="Way back" {
                        ol {
                            li { a href="/" { (visible(&database)) } }
                            @for step in &page.path {
                                li { a href=(step.address) { (visible(&step.name)) } }
                            }
                            li aria-current="page" { (visible(&page.title)) }
                        }
                    }
                }
                main #main tabindex="-1" {
                    h1 { (visible(&page.title)) }
                    (page.body)
                }
                footer {
                    p {
                        "Luthier " (env!("CARGO_PKG_VERSION")) ". Times are CPU seconds unless \
                         something else is said. Wrong answers never count as solved. "
                        @if is_site { "Written by " code { "luthier export --site" } "." }
                        @else { a href="/api/v1/openapi.json" { "REST interface (OpenAPI)" } }
                    }
                }
            }
        }
    }
}

fn navigation(context: &Context, here: Place) -> Markup {
    let results = &context.snapshot.results;
    let entry = |place: Place, address: &str, name: &str| {
        html! {
            li { a href=(address) aria-current=[(place == here).then_some("true")] { (name) } }
        }
    };
    html! {
        ul {
            (entry(Place::Overview, "/", "Overview"))
            @if !results.sets.is_empty() && results.sets.len() <= MOST_SETS_IN_MENU {
                li.menu {
                    details {
                        summary aria-current=[(here == Place::Sets).then_some("true")] { "Sets" }
                        ul {
                            @for set in &results.sets {
                                li { a href={ "/set/" (set.number) } { (visible(&set.name)) } }
                            }
                        }
                    }
                }
            } @else {
                (entry(Place::Sets, "/#sets", "Sets"))
            }
            (entry(Place::Compare, "/compare", "Compare"))
            (entry(Place::Changes, "/changes", "Run against run"))
            (entry(Place::Operators, "/operators", "Operators"))
            (entry(Place::Findings, "/findings", "Findings"))
            (entry(Place::Audit, "/audit", "Audit"))
            @if context.app.shared.clusters.is_some() {
                (entry(Place::Clusters, "/clusters", "Clusters"))
            }
        }
    }
}
