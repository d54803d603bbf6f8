//! JSON renderer: all tables with exact figures.
//!
//! ```json
//! {"version": 2, "title": "…", "facts": {"Solvers": "…"},
//!  "tables": {"standings": [{"solver": "z3", "solved": 12, …}], …}}
//! ```
//!
//! Every row is an object with one field per column; missing values are `null`. Fields and tables
//! may be added; `version` changes when the meaning of one does.

use serde_json::{Map, Value as Json, json};

use super::model::{Audience, Document, Table, Value};

/// Changes when the meaning of a field does.
///
/// Version 2: the kind `wrong-verdict` of findings became `wrong-unsat` and `wrong-sat`.
pub const JSON_VERSION: u32 = 2;

/// The document as one JSON object, on one line, with a line feed at the end.
pub fn json(document: &Document) -> String {
    let facts: Map<String, Json> = document
        .facts
        .iter()
        .map(|(name, value)| (name.to_lowercase(), Json::from(value.as_str())))
        .collect();
    let tables: Map<String, Json> = document
        .tables(Audience::Programs)
        .map(|table| (table.name.clone(), rows(table)))
        .collect();
    let object = json!({
        "version": JSON_VERSION,
        "title": document.title,
        "facts": facts,
        "tables": tables,
    });
    format!("{object}\n")
}

fn rows(table: &Table) -> Json {
    let rows = table.rows.iter().map(|row| {
        let cells = table.columns.iter().zip(&row.cells);
        let fields = cells.map(|(column, cell)| (column.name.clone(), exact(cell)));
        Json::Object(fields.collect())
    });
    Json::Array(rows.collect())
}

fn exact(value: &Value) -> Json {
    match value {
        Value::Text(text) => Json::from(text.as_str()),
        Value::Number(number) => Json::from(*number),
        Value::Count(count) | Value::Rank { rank: count, .. } => Json::from(*count),
        Value::Missing => Json::Null,
        // What is not finite is null in JSON.
        figure => figure.exact().map_or(Json::Null, Json::from),
    }
}
