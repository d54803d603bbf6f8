//! Features of an instance in one column: a JSON object.

use luthier_records::Features;
use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use serde_json::{Map, Value, json};

/// Features in a column.
pub(crate) struct FeaturesColumn(pub Features);

/// Borrowed features on their way into a column.
pub(crate) struct FeaturesRef<'a>(pub &'a Features);

impl ToSql for FeaturesRef<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let Features { operators, flags, assertions, constants, terms, depth, logic } = self.0;
        let operators: Map<String, Value> =
            operators.iter().map(|(name, count)| (name.clone(), Value::from(*count))).collect();
        let object = json!({
            "operators": operators,
            "flags": flags,
            "assertions": assertions,
            "constants": constants,
            "terms": terms,
            "depth": depth,
            "logic": logic,
        });
        Ok(ToSqlOutput::from(object.to_string()))
    }
}

impl FromSql for FeaturesColumn {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let text = value.as_str()?;
        let features = serde_json::from_str(text).ok().and_then(features_of);
        features.map(FeaturesColumn).ok_or_else(|| {
            FromSqlError::Other(format!("{text:?} are no features that Luthier writes").into())
        })
    }
}

fn features_of(value: Value) -> Option<Features> {
    let Value::Object(mut object) = value else { return None };
    let mut take = |key: &str| object.remove(key);
    let Value::Object(operators) = take("operators")? else { return None };
    let Value::Array(flags) = take("flags")? else { return None };
    let string = |value| if let Value::String(text) = value { Some(text) } else { None };
    let mut operators = operators
        .into_iter()
        .map(|(name, count)| Some((name, count.as_u64()?)))
        .collect::<Option<Vec<_>>>()?;
    // The fields of a JSON object have no order.
    operators.sort_unstable();
    Some(Features {
        operators,
        flags: flags.into_iter().map(string).collect::<Option<_>>()?,
        assertions: take("assertions")?.as_u64()?,
        constants: take("constants")?.as_u64()?,
        terms: take("terms")?.as_u64()?,
        depth: take("depth")?.as_u64()?,
        logic: match take("logic")? {
            Value::Null => None,
            logic => Some(string(logic)?),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(features: &Features) -> String {
        let connection = rusqlite::Connection::open_in_memory().unwrap();
        connection.query_row("SELECT ?1", [FeaturesRef(features)], |row| row.get(0)).unwrap()
    }

    fn read(text: &str) -> FromSqlResult<Features> {
        FeaturesColumn::column_result(ValueRef::Text(text.as_bytes())).map(|column| column.0)
    }

    #[test]
    fn features_read_back() {
        let full = Features {
            operators: vec![("\"".to_owned(), 1), ("str.++".to_owned(), u64::MAX)],
            flags: vec!["non-ascii literals".to_owned(), "é".to_owned()],
            assertions: 1,
            constants: 2,
            terms: 3,
            depth: 4,
            logic: Some("QF_S".to_owned()),
        };
        for features in [full, Features::default()] {
            assert_eq!(read(&written(&features)).unwrap(), features);
        }
    }

    #[test]
    fn what_we_did_not_write_is_refused() {
        let good = written(&Features::default());
        assert!(read(&good).is_ok());
        for (from, to) in [
            ("\"flags\":[]", "\"flags\":[1]"),
            ("\"operators\":{}", "\"operators\":{\"a\":-1}"),
            ("\"operators\":{}", "\"operators\":[]"),
            ("\"logic\":null", "\"logic\":7"),
            ("\"depth\":0", "\"deep\":0"),
        ] {
            assert!(good.contains(from), "{good}");
            assert!(read(&good.replace(from, to)).is_err(), "{to}");
        }
    }
}
