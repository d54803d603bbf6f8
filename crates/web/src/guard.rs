//! Checks of every request, and security headers of every response.
//!
//! Pages of other sites can make a browser send requests to this machine. They cannot choose the
//! `Host` header, so a request under another host name is refused; that prevents DNS rebinding, where a
//! name of an attacker resolves to 127.0.0.1. Only GET and HEAD are allowed.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::state::App;

/// The longest query of an address. Filters of pages are short.
const MOST_QUERY_BYTES: usize = 4096;

const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; \
                      connect-src 'self'; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'none'";

/// The same for pages that no server of ours sends. Who may show them in a frame cannot be said there.
pub(crate) const SITE_POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; \
                                      img-src 'self'; connect-src 'self'; base-uri 'none'; \
                                      form-action 'self'";

/// The names under which the server answers.
#[derive(Clone, Debug)]
pub(crate) struct Hosts {
    names: Vec<String>,
}

impl Hosts {
    /// The address that is listened on, the names of the machine for itself, and these.
    pub fn new(address: SocketAddr, more: &[String]) -> Self {
        let own = match address.ip() {
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        };
        let mut names: Vec<String> = ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned).into();
        names.push(own);
        names.extend(more.iter().map(|name| name.trim_end_matches('.').to_ascii_lowercase()));
        Self { names }
    }

    /// Whether a `Host` header names this server. The port may be any, because of tunnels.
    fn contains(&self, host: &str) -> bool {
        let name = match host.rfind(':') {
            Some(colon) if !host[colon..].contains(']') => {
                let port = &host[colon + 1..];
                if port.is_empty() || !port.bytes().all(|byte| byte.is_ascii_digit()) {
                    return false;
                }
                &host[..colon]
            }
            _ => host,
        };
        let name = name.trim_end_matches('.');
        self.names.iter().any(|known| known.eq_ignore_ascii_case(name))
    }
}

/// Lets requests through that may pass, and puts the headers on all answers.
pub(crate) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut response = match refused(&app, &request) {
        Some(refusal) => refusal,
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| {
        headers.insert(name, HeaderValue::from_static(value));
    };
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::X_FRAME_OPTIONS, "DENY");
    set(header::REFERRER_POLICY, "no-referrer");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

fn refused(app: &App, request: &Request) -> Option<Response> {
    let hosts: Vec<_> = request.headers().get_all(header::HOST).iter().collect();
    let host = match (hosts.as_slice(), request.uri().host()) {
        ([one], _) => one.to_str().ok(),
        ([], Some(_)) => request.uri().authority().map(|authority| authority.as_str()),
        _ => None,
    };
    if !host.is_some_and(|host| app.shared.hosts.contains(host)) {
        let message = "This name is not one of this server's. Ask for it by its address, or \
                       start it with --host NAME.\n";
        return Some((StatusCode::MISDIRECTED_REQUEST, message).into_response());
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let allow = [(header::ALLOW, "GET, HEAD")];
        let message = "There is nothing to change here; only GET and HEAD are answered.\n";
        return Some((StatusCode::METHOD_NOT_ALLOWED, allow, message).into_response());
    }
    if request.uri().query().is_some_and(|query| query.len() > MOST_QUERY_BYTES) {
        let message = "The address is too long.\n";
        return Some((StatusCode::URI_TOO_LONG, message).into_response());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::Hosts;

    #[test]
    fn only_own_names_are_known_under_any_port() {
        let hosts = Hosts::new("10.0.0.7:8081".parse().unwrap(), &["Bench.example.".to_owned()]);
        for good in [
            "localhost",
            "LOCALHOST:1",
            "127.0.0.1:8081",
            "[::1]",
            "[::1]:80",
            "10.0.0.7:8081",
            "bench.example:443",
            "localhost.",
        ] {
            assert!(hosts.contains(good), "{good}");
        }
        for bad in [
            "",
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "localhost:80:80",
            "localhost:",
            "localhost:x",
            "10.0.0.8",
            "::1",
            "user@localhost",
        ] {
            assert!(!hosts.contains(bad), "{bad}");
        }
    }
}
