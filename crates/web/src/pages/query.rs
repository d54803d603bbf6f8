//! The address of a view: what was asked for, without what has its default value.
//!
//! Forms send every field. A page that is asked for by anything but its own short address answers
//! with a redirect to that, so that what stands in the address bar can be shared and two
//! addresses are equal if they show the same.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use crate::address::{Parameters, encode};

/// What stands after the question mark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Query(Vec<(&'static str, String)>);

impl Query {
    /// The same with a parameter at its end.
    pub fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.0.push((name, value.to_string()));
        self
    }

    /// The same with a parameter at its end, if there is a value.
    pub fn maybe(self, name: &'static str, value: Option<impl ToString>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// The address of a page with it.
    pub fn address(&self, path: &str) -> String {
        let pairs = self.0.iter().map(|(name, value)| format!("{name}={}", encode_lightly(value)));
        let query = pairs.collect::<Vec<_>>().join("&");
        if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
    }

    /// A redirect to the address, if it is not what was asked for.
    pub fn redirect(&self, path: &str, asked: &Parameters) -> Option<Response> {
        let location = [(header::LOCATION, self.address(path))];
        (!asked.is(&self.0)).then(|| (StatusCode::SEE_OTHER, location).into_response())
    }
}

/// Colons and slashes may stand in a query as they are, and read better.
fn encode_lightly(value: &str) -> String {
    encode(value).replace("%3A", ":").replace("%2F", "/")
}

#[cfg(test)]
mod tests {
    use super::Query;
    use crate::address::Parameters;

    #[test]
    fn an_address_is_read_back_and_then_stays() {
        let odd = "a:b/c%3A &=?#<ä>";
        let query = Query::default().with("text", odd).maybe("page", None::<u32>).with("n", 7);
        let address = query.address("/compare");
        assert_eq!(address, "/compare?text=a:b/c%253A%20%26%3D%3F%23%3C%C3%A4%3E&n=7");
        let asked = Parameters::parse(address.split_once('?').unwrap().1);
        assert_eq!(asked.get("text"), Some(odd));
        assert!(query.redirect("/compare", &asked).is_none());
        let other = Parameters::parse("n=7&text=a");
        assert_eq!(query.redirect("/compare", &other).unwrap().status(), 303);
        assert_eq!(Query::default().address("/compare"), "/compare");
    }
}
