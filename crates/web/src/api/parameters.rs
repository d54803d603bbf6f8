//! Parameters of endpoints: their definitions, and the checked values of a request.
//!
//! A value of the wrong form is refused with status 400, and the response names the parameter, the
//! value and what is allowed. A value of the right form that names nothing is handled by the endpoint,
//! which responds with 404.

use serde_json::{Value, json};

use super::error::ApiError;
use crate::address::encode;

/// The longest text that makes sense as a name or a part of one.
const MOST_CHARACTERS: usize = 300;

/// How many values a parameter may have that can be repeated.
const MOST_VALUES: usize = 100;

/// Where a parameter stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Position {
    /// In the address itself.
    Path,
    /// After the question mark.
    Query,
}

/// What a parameter may be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// A whole number within these bounds.
    Number(i64, i64),
    /// A text that is not empty.
    Text,
    /// One of some words.
    Choice(fn() -> Vec<&'static str>),
    /// A text that is not empty, any number of times.
    Texts,
    /// An order of instances.
    Order,
}

/// A parameter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Where it stands.
    pub position: Position,
    /// What it may be.
    pub kind: Kind,
    /// Whether it must be there.
    pub is_required: bool,
    /// What it does.
    pub about: &'static str,
}

/// The form of an order, as `measures::Sorting` reads it.
const ORDER: &str = "^-?(place|size|spread|time:[^:]+|ratio:[^:]+:[^:]+)$";

impl Parameter {
    /// A part of the address.
    pub const fn path(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self { name, position: Position::Path, kind, is_required: true, about }
    }

    /// After the question mark, if wanted.
    pub const fn query(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self { name, position: Position::Query, kind, is_required: false, about }
    }

    /// After the question mark, and needed.
    pub const fn needed(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self { name, position: Position::Query, kind, is_required: true, about }
    }

    /// Its description in an OpenAPI document.
    pub fn document(&self) -> Value {
        let position = match self.position {
            Position::Path => "path",
            Position::Query => "query",
        };
        let schema = self.kind.schema();
        let mut document = json!({
            "name": self.name,
            "in": position,
            "required": self.is_required,
            "description": self.about,
            "schema": schema,
        });
        // Numbers of rows begin at 1, so this leads somewhere in every database that is not empty.
        let example = match self.kind {
            Kind::Number(..) => json!(1),
            Kind::Text | Kind::Texts | Kind::Choice(_) | Kind::Order => json!("1"),
        };
        if self.is_required {
            document["example"] = example;
        }
        document
    }

    fn check(&self, value: &str) -> Result<(), ApiError> {
        let is_right = match self.kind {
            Kind::Number(least, most) => {
                let is_number =
                    !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
                let number: Option<i64> = if is_number { value.parse().ok() } else { None };
                number.is_some_and(|number| least <= number && number <= most)
            }
            Kind::Text | Kind::Texts => is_short(value),
            Kind::Choice(words) => words().contains(&value),
            Kind::Order => is_short(value) && is_order(value),
        };
        if is_right {
            Ok(())
        } else {
            Err(ApiError::parameter(self.name, value, self.kind.allowed()))
        }
    }
}

impl Kind {
    fn schema(self) -> Value {
        let text = json!({ "type": "string", "minLength": 1, "maxLength": MOST_CHARACTERS });
        match self {
            Kind::Number(least, most) => {
                json!({ "type": "integer", "format": "int64", "minimum": least, "maximum": most })
            }
            Kind::Text => text,
            Kind::Choice(words) => json!({ "type": "string", "enum": words() }),
            Kind::Texts => json!({ "type": "array", "items": text, "maxItems": MOST_VALUES }),
            Kind::Order => json!({
                "type": "string",
                "minLength": 1,
                "maxLength": MOST_CHARACTERS,
                "pattern": ORDER,
            }),
        }
    }

    fn allowed(self) -> String {
        match self {
            Kind::Number(least, i64::MAX) => format!("a whole number from {least}"),
            Kind::Number(least, most) => format!("a whole number from {least} to {most}"),
            Kind::Text | Kind::Texts => format!("a text of 1 to {MOST_CHARACTERS} characters"),
            Kind::Choice(words) => format!("one of {}", words().join(", ")),
            Kind::Order => "place, size, time:SOLVER, ratio:SOLVER:SOLVER or spread, with a minus \
                            before it for descending"
                .to_owned(),
        }
    }
}

fn is_short(value: &str) -> bool {
    !value.is_empty() && value.chars().take(MOST_CHARACTERS + 1).count() <= MOST_CHARACTERS
}

/// The same as [`ORDER`].
fn is_order(value: &str) -> bool {
    let parts: Vec<&str> = value.strip_prefix('-').unwrap_or(value).split(':').collect();
    match parts.as_slice() {
        ["place" | "size" | "spread"] => true,
        ["time", one] => !one.is_empty(),
        ["ratio", first, second] => !first.is_empty() && !second.is_empty(),
        _ => false,
    }
}

/// What was given, checked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Values {
    /// In the order of the parameters of the endpoint.
    all: Vec<(&'static Parameter, String)>,
}

impl Values {
    /// Reads what was given. Unknown names after the question mark are refused, or else ignored.
    pub fn read(
        parameters: &'static [Parameter],
        path: &[(String, String)],
        query: &[(String, String)],
        refuse_unknown: bool,
    ) -> Result<Self, ApiError> {
        let is_known = |name: &str| {
            parameters.iter().any(|one| one.position == Position::Query && one.name == name)
        };
        if refuse_unknown
            && let Some((name, value)) = query.iter().find(|(name, _)| !is_known(name))
        {
            let names: Vec<&str> = parameters
                .iter()
                .filter(|one| one.position == Position::Query)
                .map(|one| one.name)
                .collect();
            return Err(ApiError::unknown_parameter(name, value, &names));
        }
        let mut all = Vec::new();
        for parameter in parameters {
            let given = match parameter.position {
                Position::Path => path,
                Position::Query => query,
            };
            let mut count = 0;
            for (_, value) in given.iter().filter(|(name, _)| name == parameter.name) {
                parameter.check(value)?;
                count += 1;
                let most = if matches!(parameter.kind, Kind::Texts) { MOST_VALUES } else { 1 };
                if count > most {
                    let allowed = format!("at most {most} values");
                    return Err(ApiError::parameter(parameter.name, value, allowed));
                }
                all.push((parameter, value.clone()));
            }
            if count == 0 && parameter.is_required {
                return Err(ApiError::missing_parameter(parameter.name, &parameter.kind.allowed()));
            }
        }
        Ok(Self { all })
    }

    /// The value of a parameter.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.many(name).next()
    }

    /// All values of a parameter.
    pub fn many<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        let all = self.all.iter().filter(move |(parameter, _)| parameter.name == name);
        all.map(|(_, value)| value.as_str())
    }

    /// The value of a parameter that is a number.
    pub fn number(&self, name: &str) -> Option<i64> {
        self.text(name)?.parse().ok()
    }

    /// What the same question always is, in whatever order parameters were given.
    pub fn canonical(&self) -> String {
        self.query(None)
    }

    /// The query with one parameter set to another value.
    pub fn query_with(&self, name: &str, value: &str) -> String {
        self.query(Some((name, value)))
    }

    fn query(&self, changed: Option<(&str, &str)>) -> String {
        let others = self
            .all
            .iter()
            .filter(|(parameter, _)| parameter.position == Position::Query)
            .map(|(parameter, value)| (parameter.name, value.as_str()))
            .filter(|(name, _)| changed.is_none_or(|(other, _)| other != *name));
        let mut query = String::new();
        for (name, value) in others.chain(changed) {
            query.push(if query.is_empty() { '?' } else { '&' });
            query.push_str(name);
            query.push('=');
            query.push_str(&encode(value));
        }
        query
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Parameter, Values};

    static PARAMETERS: [Parameter; 5] = [
        Parameter::path("number", Kind::Number(0, i64::MAX), ""),
        Parameter::query("limit", Kind::Number(1, 10), ""),
        Parameter::query("solver", Kind::Texts, ""),
        Parameter::query("word", Kind::Choice(|| vec!["a", "b"]), ""),
        Parameter::query("sort", Kind::Order, ""),
    ];

    fn read(query: &[(&str, &str)], refuse_unknown: bool) -> Result<Values, u16> {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let query: Vec<_> = query.iter().map(owned).collect();
        let path = [("number".to_owned(), "7".to_owned())];
        Values::read(&PARAMETERS, &path, &query, refuse_unknown)
            .map_err(|error| error.status.as_u16())
    }

    #[test]
    fn right_values_are_read_in_a_fixed_order() {
        let values = read(&[("solver", "b&c"), ("limit", "3"), ("solver", "ä")], true).unwrap();
        assert_eq!(values.number("number"), Some(7));
        assert_eq!(values.many("solver").collect::<Vec<_>>(), ["b&c", "ä"]);
        assert_eq!(values.canonical(), "?limit=3&solver=b%26c&solver=%C3%A4");
        assert_eq!(values.query_with("limit", "4"), "?solver=b%26c&solver=%C3%A4&limit=4");
        assert_eq!(read(&[], true).unwrap().canonical(), "");
    }

    #[test]
    fn wrong_values_are_refused() {
        let long = "x".repeat(301);
        for wrong in [
            &[("limit", "0")][..],
            &[("limit", "11")],
            &[("limit", "")],
            &[("limit", "-1")],
            &[("limit", "+1")],
            &[("limit", "99999999999999999999")],
            &[("limit", "1"), ("limit", "1")],
            &[("solver", "")],
            &[("solver", &long)],
            &[("word", "c")],
            &[("sort", "speed")],
            &[("sort", "time:")],
            &[("sort", "ratio:1")],
            &[("numbr", "1")],
        ] {
            assert_eq!(read(wrong, true).err(), Some(400), "{wrong:?}");
        }
        assert!(read(&[("numbr", "1")], false).is_ok());
        assert!(read(&[("sort", "-ratio:a:b")], true).is_ok());
        assert!(Values::read(&PARAMETERS, &[], &[], true).is_err(), "one is missing");
    }
}
