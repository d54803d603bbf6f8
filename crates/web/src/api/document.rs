//! The OpenAPI 3.1 document, generated from the list of endpoints that the router is made of.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::ENDPOINTS;
use super::endpoint::{ApiRequest, Content, Endpoint, Family, Source, schema};
use super::error::{ApiError, ErrorBody};
use super::reply::Reply;

const ABOUT: &str = "Results of experiments with string solvers, judged. Everything can be read, nothing \
    changed. Numbers are those of rows of the database. Times are seconds, sizes bytes, counts whole \
    numbers. An answer has an `ETag`; a client that sends it back in `If-None-Match` gets status 304 as long as \
    the results are the same. No list is longer than two megabytes; longer ones are given in parts. The \
    endpoints of ZaligVinder have the shapes that it has; their times are milliseconds.";

/// What is served here.
#[derive(Debug, Serialize, JsonSchema)]
struct Overview {
    /// The version of Luthier.
    luthier: String,
    /// Tells this state of the results from others.
    version: String,
    /// How many files there are, at all their places.
    instances: usize,
    /// How many runs there are.
    runs: usize,
    /// How many solvers there are.
    solvers: usize,
    /// How many sets there are.
    sets: usize,
    /// Where the description of this interface is.
    description: String,
}

pub(crate) fn endpoints() -> Vec<Endpoint> {
    let version1 = |path, id, summary, content, make| {
        Endpoint::new(Family::Version1, path, id, summary, content, make)
    };
    vec![
        version1(
            "/api/v1",
            "overview",
            "What is served here",
            Content::Json(schema::<Overview>),
            overview,
        ),
        version1(
            "/api/v1/openapi.json",
            "openapi",
            "The description of this interface",
            Content::Json(any_object),
            |_| Reply::json(&document(&ENDPOINTS)),
        )
        .from(Source::Costly),
    ]
}

fn overview(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let results = request.results();
    Reply::json(&Overview {
        luthier: env!("CARGO_PKG_VERSION").to_owned(),
        version: request.snapshot.version.clone(),
        instances: results.entries.len(),
        runs: request.snapshot.runs,
        solvers: results.solvers.len(),
        sets: results.sets.len(),
        description: "/api/v1/openapi.json".to_owned(),
    })
}

fn any_object(_: &mut SchemaGenerator) -> Schema {
    schemars::json_schema!({ "type": "object" })
}

/// The whole document.
fn document(endpoints: &[Endpoint]) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut generator = settings.for_serialize().into_generator();
    let error = schema::<ErrorBody>(&mut generator);
    let mut paths = Map::new();
    for endpoint in endpoints {
        paths.insert(endpoint.path.to_owned(), path_item(endpoint, &mut generator, &error));
    }
    let schemas = generator.take_definitions(true);
    json!({
        "openapi": "3.1.0",
        "info": { "title": "Luthier", "version": env!("CARGO_PKG_VERSION"), "description": ABOUT },
        "tags": [
            { "name": "v1", "description": "The interface of Luthier." },
            { "name": "zaligvinder", "description": "The interface that ZaligVinder has." },
        ],
        "paths": paths,
        "components": { "schemas": schemas },
    })
}

fn path_item(endpoint: &Endpoint, generator: &mut SchemaGenerator, error: &Schema) -> Value {
    let tag = match endpoint.family {
        Family::Version1 => "v1",
        Family::Zaligvinder => "zaligvinder",
    };
    let parameters: Vec<Value> = endpoint.parameters.iter().map(|one| one.document()).collect();
    let error_response = |description: &str| {
        json!({
            "description": description,
            "content": { "application/json": { "schema": error } },
        })
    };
    let mut headers = json!({
        "ETag": { "description": "Tells this answer from later ones.", "schema": { "type": "string" } },
    });
    if endpoint.is_paged {
        headers["X-Total-Count"] = json!({
            "description": "How many rows there are in all.",
            "schema": { "type": "string", "pattern": "^[0-9]+$" },
        });
        headers["Link"] = json!({
            "description": "The address of the next part, if there is one.",
            "schema": { "type": "string" },
        });
    }
    let mut operation = json!({
        "operationId": endpoint.id,
        "tags": [tag],
        "summary": endpoint.summary,
        "parameters": parameters,
        "responses": {
            "200": {
                "description": "What was asked for.",
                "headers": headers,
                "content": content(endpoint.content, generator),
            },
            "304": { "description": "It is as it was." },
            "400": error_response("A parameter cannot be read; the answer says which, and what is allowed."),
            "404": error_response("Something that is named is not here."),
            "default": error_response("The request is refused, or the server failed."),
        },
    });
    if !endpoint.description.is_empty() {
        operation["description"] = endpoint.description.into();
    }
    json!({ "get": operation })
}

fn content(content: Content, generator: &mut SchemaGenerator) -> Value {
    let text = json!({ "type": "string" });
    match content {
        Content::Json(schema) => json!({ "application/json": { "schema": schema(generator) } }),
        Content::Text => json!({ "text/plain; charset=utf-8": { "schema": text } }),
        Content::Csv => json!({ "text/csv; charset=utf-8": { "schema": text } }),
        Content::Svg => json!({ "image/svg+xml": { "schema": text } }),
        Content::Png => json!({ "image/png": {} }),
        Content::JsonOrPicture(schema) => json!({
            "application/json": { "schema": schema(generator) },
            "image/svg+xml": { "schema": text },
            "image/png": {},
        }),
    }
}
