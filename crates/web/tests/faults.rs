//! A fault of ours at one page: it has status 500, and all others are as they were.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::sync::Arc;

use crate::common::{Database, TestSolverAccess};
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use luthier_records::{Configuration, ParsedOutput};
use luthier_web::{Options, Reproduction, SolverAccess, listen, router};
use tower::ServiceExt as _;

/// Has a fault.
struct FaultySolverAccess;

impl SolverAccess for FaultySolverAccess {
    fn reproduce(&self, _: i64, _: &Configuration) -> Reproduction {
        panic!("a test of panics")
    }

    fn read_output(&self, output: &[u8]) -> ParsedOutput {
        TestSolverAccess.read_output(output)
    }
}

async fn get(router: &axum::Router, address: &str) -> (StatusCode, String) {
    let request = Request::get(address).header("host", "localhost").body(Body::empty()).unwrap();
    let response = router.clone().oneshot(request).await.unwrap();
    let status = response.status();
    let bytes = to_bytes(response.into_body(), 4 << 20).await.unwrap();
    (status, String::from_utf8_lossy(&bytes).into_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_at_a_page_is_a_500_for_that_page_only() {
    let database = Database::new();
    let options = Options {
        database: database.path(),
        listen: "127.0.0.1:0".parse().unwrap(),
        hosts: Vec::new(),
        clusters: None,
        catalogue: crate::common::catalogue(),
    };
    let listening = listen(&options, Arc::new(FaultySolverAccess)).await.unwrap();
    let router = router(listening.app());
    // More often than pages are made at the same time: a fault must not take a place for ever.
    for _ in 0..20 {
        let (status, page) = get(&router, "/run/1").await;
        assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
        assert!(page.contains("fault of Luthier") && page.contains("report it"), "{page}");
        assert!(!page.contains("a test of panics"), "{page}");
    }
    let (status, reply) = get(&router, "/api/v1/runs/1").await;
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR, "{reply}");
    assert!(reply.starts_with('{') && reply.contains("fault of Luthier"), "{reply}");
    for address in ["/", "/findings", "/run/1/stdout", "/api/v1/standings"] {
        assert_eq!(get(&router, address).await.0, StatusCode::OK, "{address}");
    }
}
