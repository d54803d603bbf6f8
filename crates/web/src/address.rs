//! Addresses of pages: parsing and writing of query parameters.

use std::fmt::Write as _;

use crate::error::PageError;

/// The parameters of an address, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Takes the query of an address apart.
    pub fn parse(query: &str) -> Self {
        let pairs = query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode(name), decode(value))
        });
        Self(pairs.collect())
    }

    /// The first value of a parameter; an empty one is none, as empty fields of forms are sent.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(key, value)| key == name && !value.is_empty());
        found.map(|(_, value)| value.as_str())
    }

    /// All values of a parameter, in order; empty ones are none.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        let found = self.0.iter().filter(move |(key, value)| key == name && !value.is_empty());
        found.map(|(_, value)| value.as_str())
    }

    /// Whether a form sent the parameter without a value.
    pub fn is_emptied(&self, name: &str) -> bool {
        self.0.iter().any(|(key, value)| key == name && value.is_empty())
    }

    /// Refuses unknown parameters, which are probably mistakes.
    pub fn only(&self, allowed: &[&str]) -> Result<(), PageError> {
        match self.0.iter().find(|(key, _)| !allowed.contains(&key.as_str())) {
            None => Ok(()),
            Some((key, _)) => Err(PageError::bad_request(format!(
                "There is no parameter “{key}” here; there are: {}.",
                allowed.join(", ")
            ))),
        }
    }

    /// All parameters that have a value, in order.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        let given = self.0.iter().filter(|(_, value)| !value.is_empty());
        given.map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Whether it is these pairs and nothing else.
    pub fn is(&self, pairs: &[(&'static str, String)]) -> bool {
        let own = self.0.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        own.eq(pairs.iter().map(|(key, value)| (*key, value.as_str())))
    }

    /// A number from 1, such as that of a page of a list; 1 if it is not given.
    pub fn page(&self, name: &str) -> Result<usize, PageError> {
        let Some(value) = self.get(name) else { return Ok(1) };
        let wrong = || PageError::bad_request(format!("{name} is a number from 1, not “{value}”"));
        value.parse().ok().filter(|&page| page >= 1).ok_or_else(wrong)
    }

    /// The query with one parameter set to another value, or without it.
    pub fn with(&self, name: &str, value: Option<&str>) -> String {
        let others = self.0.iter().filter(|(key, value)| key != name && !value.is_empty());
        let changed = value.map(|value| (name, value));
        let pairs = others.map(|(key, value)| (key.as_str(), value.as_str())).chain(changed);
        let mut query = String::new();
        for (key, value) in pairs {
            query.push(if query.is_empty() { '?' } else { '&' });
            query.push_str(&encode(key));
            query.push('=');
            query.push_str(&encode(value));
        }
        query
    }
}

/// A number in the path of an address.
pub(crate) fn number(text: &str, what: &str) -> Result<i64, PageError> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = if digits { text.parse().ok() } else { None };
    number.ok_or_else(|| {
        PageError::bad_request(format!("“{text}” is no number of {what}; it has digits only"))
    })
}

/// Writes a value so that it can stand in a query.
pub(crate) fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for &byte in text.as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                encoded.push(char::from(byte));
            }
            _ => {
                // Writing to a string does not fail.
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
    }
    encoded
}

fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut position = 0;
    while let Some(&byte) = bytes.get(position) {
        let digits = bytes.get(position + 1..position + 3);
        let escaped = digits
            .filter(|_| byte == b'%')
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match escaped {
            Some(value) => {
                decoded.push(value);
                position += 3;
            }
            None => {
                decoded.push(if byte == b'+' { b' ' } else { byte });
                position += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

/// The address of the page of an instance.
pub(crate) fn instance_address(number: i64) -> String {
    format!("/instance/{number}")
}

#[cfg(test)]
mod tests {
    use super::{Parameters, encode, number};

    #[test]
    fn parameters_are_read_and_changed() {
        let parameters = Parameters::parse("a=1&b=x+%C3%A4%2&c=&page=3");
        assert_eq!(parameters.get("b"), Some("x ä%2"));
        assert_eq!(parameters.get("c"), None);
        assert_eq!(parameters.page("page").unwrap(), 3);
        assert_eq!(parameters.with("page", Some("4")), "?a=1&b=x%20%C3%A4%252&page=4");
        assert_eq!(Parameters::parse("").with("page", None), "");
    }

    #[test]
    fn wrong_numbers_are_refused() {
        for query in ["page=0", "page=-1", "page=x", "page=99999999999999999999999"] {
            assert!(Parameters::parse(query).page("page").is_err(), "{query}");
        }
        for text in ["", "-1", "1x", "+1", "99999999999999999999", "..", "１"] {
            assert!(number(text, "an instance").is_err(), "{text}");
        }
        assert_eq!(number("17", "a run").unwrap(), 17);
    }

    #[test]
    fn everything_is_encoded_and_read_back() {
        let odd = "a b&c=d?#/\"<>%ä\n";
        let parameters = Parameters::parse(&format!("x={}", encode(odd)));
        assert_eq!(parameters.get("x"), Some(odd));
    }
}
