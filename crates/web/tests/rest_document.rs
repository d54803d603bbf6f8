//! The OpenAPI document: every endpoint is in it, and does what it says.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use crate::rest_support::{Site, encode, misfits};
use serde_json::Value;

/// All addresses that there must be.
const ADDRESSES: [&str; 73] = [
    "/api/v1",
    "/api/v1/openapi.json",
    "/api/v1/campaigns",
    "/api/v1/solvers",
    "/api/v1/sets",
    "/api/v1/tracks",
    "/api/v1/instances",
    "/api/v1/instances.csv",
    "/api/v1/instances/{number}",
    "/api/v1/instances/{number}/input",
    "/api/v1/instances/{number}/evaluation",
    "/api/v1/runs/{number}",
    "/api/v1/runs/{number}/stdout",
    "/api/v1/runs/{number}/stderr",
    "/api/v1/standings",
    "/api/v1/competition",
    "/api/v1/contribution",
    "/api/v1/changes",
    "/api/v1/features",
    "/api/v1/findings",
    "/api/v1/audit",
    "/api/v1/audit/rejected",
    "/api/v1/audit/wrong",
    "/api/v1/charts/cactus.svg",
    "/api/v1/charts/cactus.png",
    "/api/v1/charts/cactus.json",
    "/api/v1/charts/cactus.csv",
    "/api/v1/charts/scatter.svg",
    "/api/v1/charts/scatter.png",
    "/api/v1/charts/scatter.json",
    "/api/v1/charts/scatter.csv",
    "/api/v1/charts/distribution.svg",
    "/api/v1/charts/distribution.png",
    "/api/v1/charts/distribution.json",
    "/api/v1/charts/distribution.csv",
    "/api/v1/charts/operators.svg",
    "/api/v1/charts/operators.png",
    "/api/v1/charts/operators.json",
    "/api/v1/charts/operators.csv",
    "/api/v1/charts/histogram.svg",
    "/api/v1/charts/histogram.png",
    "/api/v1/charts/histogram.json",
    "/api/v1/charts/histogram.csv",
    "/api/v1/charts/timeline.svg",
    "/api/v1/charts/uses.json",
    "/api/v1/charts/uses.csv",
    "/api/v1/charts/uses.png",
    "/api/v1/charts/uses.svg",
    "/api/v1/charts/timeline.png",
    "/api/v1/charts/timeline.json",
    "/api/v1/charts/timeline.csv",
    "/solvers",
    "/tracks",
    "/tracks/ids",
    "/tracks/groups",
    "/tracks/info",
    "/instances",
    "/instances/ids/track/{track}",
    "/instances/ids/group/{bgroup}",
    "/instances/solvers/{instance}",
    "/instances/{instance}/model.smt",
    "/results",
    "/results/{track}",
    "/results/reference/{instance}",
    "/results/{solver}/{instance}/output",
    "/results/{solver}/{instance}/model",
    "/summary/{solver}",
    "/summary/{solver}/{track}",
    "/ranks/{track}",
    "/chart/cactus",
    "/chart/distribution/{set}",
    "/chart/keywords",
    "/chart/scattered",
];

/// A value that is right for a parameter of the test database.
fn value(name: &str) -> String {
    match name {
        "number" | "instance" | "track" | "before" | "x" => "1".to_owned(),
        "after" | "y" => "2".to_owned(),
        "set" | "bgroup" => encode("many & more"),
        "solver" => encode(crate::common::HOSTILE_SOLVER),
        other => panic!("the test does not know the parameter {other}"),
    }
}

#[tokio::test]
async fn the_document_has_every_address_and_no_other() {
    let document = Site::new().await.json("/api/v1/openapi.json").await;
    assert_eq!(document["openapi"], "3.1.0");
    let mut described: Vec<&str> =
        document["paths"].as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected = ADDRESSES.to_vec();
    described.sort_unstable();
    expected.sort_unstable();
    assert_eq!(described, expected);
    // Endpoints are routed by the list that the document is made of, and by nothing else.
    let pages = include_str!("../src/routes.rs");
    for address in ADDRESSES {
        let family = address.split('/').nth(1).unwrap();
        assert!(!pages.contains(&format!("route(\"/{family}/")), "{family}");
        assert!(!pages.contains(&format!("route(\"/{family}\"")), "{family}");
    }
}

#[tokio::test]
async fn every_endpoint_answers_as_the_document_says() {
    let site = Site::new().await;
    let document = site.json("/api/v1/openapi.json").await;
    for (path, item) in document["paths"].as_object().unwrap() {
        let operation = &item["get"];
        let mut address = path.clone();
        let mut query = String::new();
        for parameter in operation["parameters"].as_array().unwrap() {
            let name = parameter["name"].as_str().unwrap();
            if parameter["in"] == "path" {
                address = address.replace(&format!("{{{name}}}"), &value(name));
            } else if parameter["required"] == true {
                query.push_str(if query.is_empty() { "?" } else { "&" });
                query.push_str(&format!("{name}={}", value(name)));
            }
        }
        // The crashed run has no model, the first has.
        address.push_str(&query);
        let reply = site.get(&address).await;
        let text = String::from_utf8_lossy(&reply.bytes);
        assert_eq!(reply.status, 200, "{address}: {text}");
        let content = &operation["responses"]["200"]["content"];
        let kind = reply.header("content-type");
        let described = content.get(kind);
        assert!(described.is_some(), "{address}: {kind} is not in {content}");
        if kind == "application/json" {
            let found = misfits(&document, &described.unwrap()["schema"], &reply.json());
            assert!(found.is_empty(), "{address}: {found:#?}");
        }
        assert!(!reply.header("etag").is_empty(), "{address}");
        let is_paged = operation["responses"]["200"]["headers"].get("X-Total-Count").is_some();
        assert_eq!(!reply.header("x-total-count").is_empty(), is_paged, "{address}");
        assert_eq!(reply.header("access-control-allow-origin"), "", "{address}");
    }
}

#[tokio::test]
async fn errors_have_the_shape_that_the_document_says() {
    let site = Site::new().await;
    let document = site.json("/api/v1/openapi.json").await;
    let schema = serde_json::json!({ "$ref": "#/components/schemas/Error" });
    for address in
        ["/api/v1/runs/99999", "/api/v1/instances?limit=0", "/api/v1/nothing", "/ranks/77"]
    {
        let reply = site.get(address).await;
        assert!(reply.status.is_client_error(), "{address}");
        assert_eq!(misfits(&document, &schema, &reply.json()), Vec::<String>::new(), "{address}");
    }
}

#[tokio::test]
async fn every_parameter_and_reference_of_the_document_is_complete() {
    let document = Site::new().await.json("/api/v1/openapi.json").await;
    let mut ids = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        let operation = &item["get"];
        ids.push(operation["operationId"].as_str().unwrap());
        let names: Vec<&str> = operation["parameters"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|one| one["in"] == "path")
            .map(|one| one["name"].as_str().unwrap())
            .collect();
        assert_eq!(path.matches('{').count(), names.len(), "{path}");
        assert!(names.iter().all(|name| path.contains(&format!("{{{name}}}"))), "{path}");
    }
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "operations have different names");
    let mut open = vec![&document];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(fields) => {
                if let Some(Value::String(reference)) = fields.get("$ref") {
                    let target = document.pointer(reference.trim_start_matches('#'));
                    assert!(target.is_some(), "{reference}");
                }
                open.extend(fields.values());
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
}
