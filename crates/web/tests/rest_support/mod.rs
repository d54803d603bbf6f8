//! Asks the router, and checks answers against the schemas of the OpenAPI document.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]
#![allow(dead_code, reason = "not every test file uses all of it")]

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode};
use luthier_report::Results;
use luthier_store::Store;
use luthier_web::router;
use serde_json::Value;
use tower::ServiceExt as _;

use crate::common::Database;

/// An answer.
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
}

impl Reply {
    /// It as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), "application/json");
        serde_json::from_slice(&self.bytes).unwrap()
    }

    /// A header; empty if it is not there.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The code of an error.
    #[track_caller]
    pub fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap().to_owned()
    }
}

/// A database with one of everything, and the router over it.
pub struct Site {
    pub router: axum::Router,
    pub database: Database,
    _listening: luthier_web::Listening,
}

impl Site {
    /// A fresh one.
    pub async fn new() -> Self {
        let database = Database::new();
        let listening = database.listen().await;
        Self { router: router(listening.app()), _listening: listening, database }
    }

    /// Asks.
    pub async fn ask(&self, request: Request<Body>) -> Reply {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, 8 << 20).await.unwrap();
        Reply { status: parts.status, headers: parts.headers, bytes: bytes.into() }
    }

    /// Asks by a method, with a header.
    pub async fn send(&self, method: Method, address: &str, header: (&str, &str)) -> Reply {
        let request = Request::builder().method(method).uri(address).header("host", "localhost");
        self.ask(request.header(header.0, header.1).body(Body::empty()).unwrap()).await
    }

    /// Asks for an address.
    pub async fn get(&self, address: &str) -> Reply {
        self.send(Method::GET, address, ("accept", "*/*")).await
    }

    /// The JSON at an address, which must be there.
    #[track_caller]
    pub fn json(&self, address: &str) -> impl Future<Output = Value> {
        let address = address.to_owned();
        async move {
            let reply = self.get(&address).await;
            let text = String::from_utf8_lossy(&reply.bytes).into_owned();
            assert_eq!(reply.status, StatusCode::OK, "{address}: {text}");
            reply.json()
        }
    }

    /// The results as they are in the database.
    pub fn results(&self) -> Results {
        luthier_results::load(&Store::open_read_only(self.database.path()).unwrap()).unwrap()
    }
}

/// Writes a name so that it can stand in an address.
pub fn encode(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// What does not fit a schema, with its place; empty if all does. Knows what our schemas use.
pub fn misfits(document: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![("$".to_owned(), schema, value)];
    while let Some((place, schema, value)) = open.pop() {
        let Some(schema) = schema.as_object() else { continue };
        if let Some(reference) = schema.get("$ref") {
            let pointer = reference.as_str().unwrap().trim_start_matches('#');
            open.push((place.clone(), document.pointer(pointer).unwrap(), value));
        }
        for key in schema.keys() {
            let known = [
                "$ref",
                "type",
                "enum",
                "anyOf",
                "properties",
                "required",
                "additionalProperties",
                "items",
                "prefixItems",
                "minItems",
                "maxItems",
                "minimum",
                "maximum",
                "format",
                "description",
                "title",
                "const",
            ];
            assert!(known.contains(&key.as_str()), "{place}: the test does not know {key}");
        }
        let types: Vec<&str> = match schema.get("type") {
            Some(Value::String(one)) => vec![one],
            Some(Value::Array(many)) => many.iter().map(|one| one.as_str().unwrap()).collect(),
            _ => Vec::new(),
        };
        if !types.is_empty() && !types.iter().any(|kind| is_of(value, kind)) {
            found.push(format!("{place}: {value} is not {types:?}"));
            continue;
        }
        if let Some(Value::Array(allowed)) = schema.get("enum")
            && !allowed.contains(value)
        {
            found.push(format!("{place}: {value} is none of {allowed:?}"));
        }
        if let Some(Value::Array(options)) = schema.get("anyOf")
            && !options.iter().any(|option| misfits(document, option, value).is_empty())
        {
            found.push(format!("{place}: {value} fits nothing"));
        }
        if let Some(least) = schema.get("minimum").and_then(Value::as_f64)
            && value.as_f64().is_some_and(|number| number < least)
        {
            found.push(format!("{place}: {value} is below {least}"));
        }
        match value {
            Value::Object(fields) => {
                let properties = schema.get("properties").and_then(Value::as_object);
                for name in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
                    if !fields.contains_key(name.as_str().unwrap()) {
                        found.push(format!("{place}: {name} is missing"));
                    }
                }
                for (name, field) in fields {
                    let described = properties.and_then(|all| all.get(name));
                    let other = schema.get("additionalProperties");
                    match described.or(other) {
                        Some(schema) => open.push((format!("{place}.{name}"), schema, field)),
                        None if properties.is_some() => {
                            found.push(format!("{place}: {name} is not described"));
                        }
                        None => {}
                    }
                }
            }
            Value::Array(items) => {
                let prefix = schema.get("prefixItems").and_then(Value::as_array);
                for (index, item) in items.iter().enumerate() {
                    let place = format!("{place}[{index}]");
                    let own = prefix.and_then(|prefix| prefix.get(index));
                    if let Some(schema) = own.or(schema.get("items")) {
                        open.push((place, schema, item));
                    }
                }
            }
            _ => {}
        }
    }
    found
}

fn is_of(value: &Value, kind: &str) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("the test does not know the type {other}"),
    }
}
