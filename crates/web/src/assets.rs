//! The one stylesheet, the one script and the icon.

use axum::http::header;
use axum::response::{IntoResponse as _, Response};

const STYLE: &str = include_str!("assets/style.css");
const SCRIPT: &str = include_str!("assets/script.js");
const SITE: &str = include_str!("assets/site.js");
const ICON: &str = include_str!("assets/icon.svg");

/// Browsers ask again after an update of the program, because pages name the version.
const KEEP: &str = "max-age=3600";

/// The stylesheet.
pub(crate) async fn style() -> Response {
    asset("text/css; charset=utf-8", STYLE)
}

/// The script.
pub(crate) async fn script() -> Response {
    asset("text/javascript; charset=utf-8", SCRIPT)
}

/// The script of exported sites, which the server needs for the export only.
pub(crate) async fn site() -> Response {
    asset("text/javascript; charset=utf-8", SITE)
}

/// The sign in the tab of a browser.
pub(crate) async fn icon() -> Response {
    asset("image/svg+xml", ICON)
}

/// Changes whenever one of them does.
pub(crate) fn version() -> String {
    let sum = STYLE.bytes().chain(SCRIPT.bytes());
    // FNV-1a: it only has to differ, not to be safe.
    let hash = sum.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

fn asset(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, KEEP)], text).into_response()
}
