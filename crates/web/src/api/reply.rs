//! Responses, and pagination of long ones.
//!
//! No response is longer than two megabytes, unless it is a single text of the database. A list ends
//! where it would become longer; its next part has an address of its own.

use std::io::{self, Write};

use axum::body::Bytes;
use axum::http::header::{self, HeaderName};
use schemars::JsonSchema;
use serde::Serialize;

use super::endpoint::ApiRequest;
use super::error::ApiError;
use super::parameters::{Kind, Parameter};

/// How many bytes the rows of one answer may have; the rest of the answer is short.
pub(crate) const MOST_BYTES: usize = 1_800_000;

/// How many rows there are in an answer if nothing is said.
const DEFAULT_LIMIT: usize = 100;

/// How many rows are given; `offset` says which.
pub(crate) const LIMIT: Parameter =
    Parameter::query("limit", Kind::Number(1, 1000), "How many rows at most; 100 if not given.");

/// From which row on.
pub(crate) const OFFSET: Parameter =
    Parameter::query("offset", Kind::Number(0, i64::MAX), "How many rows to leave out before.");

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    /// Its media type.
    pub kind: &'static str,
    /// Its bytes.
    pub body: Bytes,
    /// More headers.
    pub headers: Vec<(HeaderName, String)>,
}

/// A part of a list.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "PageOf{T}")]
pub(crate) struct Page<T> {
    /// How many rows there are in all.
    pub total: usize,
    /// How many rows come before this part.
    pub offset: usize,
    /// How many rows were asked for. There may be fewer, so that answers do not become too long.
    pub limit: usize,
    /// The address of the next part; null if this is the last one.
    pub next: Option<String>,
    /// The rows.
    pub items: Vec<T>,
}

impl Reply {
    /// A value as JSON.
    pub fn json<T: Serialize>(value: &T) -> Result<Self, ApiError> {
        let body =
            serde_json::to_vec(value).map_err(|error| ApiError::failed(error.to_string()))?;
        Ok(Self::of("application/json", body))
    }

    /// Text, byte for byte.
    pub fn text(bytes: Vec<u8>) -> Self {
        Self::of("text/plain; charset=utf-8", bytes)
    }

    /// Bytes of a media type.
    pub fn of(kind: &'static str, bytes: Vec<u8>) -> Self {
        Self { kind, body: bytes.into(), headers: Vec::new() }
    }

    /// The same with the headers of a part of a list.
    pub fn with_part(mut self, total: usize, next: Option<&str>) -> Self {
        self.headers.push((HeaderName::from_static("x-total-count"), total.to_string()));
        if let Some(next) = next {
            self.headers.push((header::LINK, format!("<{next}>; rel=\"next\"")));
        }
        self
    }
}

impl<T: Serialize> Page<T> {
    /// The part that is asked for. `rows` begin where the part does.
    pub fn of(request: &ApiRequest<'_>, total: usize, rows: impl Iterator<Item = T>) -> Self {
        let (offset, limit) = (offset(request), limit(request));
        let items = as_many_as_fit(rows.take(limit));
        let next = next(request, total, offset + items.len(), items.is_empty());
        Self { total, offset, limit, next, items }
    }

    /// It as an answer.
    pub fn reply(&self) -> Result<Reply, ApiError> {
        Ok(Reply::json(self)?.with_part(self.total, self.next.as_deref()))
    }
}

/// Where the part of a list begins that is asked for.
pub(crate) fn offset(request: &ApiRequest<'_>) -> usize {
    request.values.number("offset").and_then(|offset| usize::try_from(offset).ok()).unwrap_or(0)
}

fn limit(request: &ApiRequest<'_>) -> usize {
    let limit = request.values.number("limit").and_then(|limit| usize::try_from(limit).ok());
    limit.unwrap_or(DEFAULT_LIMIT)
}

/// The address of the next part. An empty part is the last one.
pub(crate) fn next(
    request: &ApiRequest<'_>,
    total: usize,
    end: usize,
    is_empty: bool,
) -> Option<String> {
    (end < total && !is_empty).then(|| request.at_offset(end))
}

/// As many rows as one answer has room for, but at least one.
pub(crate) fn as_many_as_fit<T: Serialize>(rows: impl Iterator<Item = T>) -> Vec<T> {
    let mut room = SizeBudget::default();
    let mut fitting = Vec::new();
    for row in rows {
        if !room.takes(&row) {
            break;
        }
        fitting.push(row);
    }
    fitting
}

/// How much of an answer is used up.
#[derive(Debug, Default)]
pub(crate) struct SizeBudget {
    used: usize,
}

impl SizeBudget {
    /// Whether there is room for one more value. The first always has room.
    pub fn takes<T: Serialize>(&mut self, value: &T) -> bool {
        let before = self.used;
        // Writing to a counter does not fail.
        let _ = serde_json::to_writer(&mut *self, value);
        self.used += 1;
        before == 0 || self.used <= MOST_BYTES
    }
}

impl Write for SizeBudget {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.used += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_BYTES, as_many_as_fit};

    #[test]
    fn a_part_ends_before_it_is_too_long_and_has_at_least_one_row() {
        let rows = as_many_as_fit(std::iter::repeat_with(|| "x".repeat(997)));
        assert_eq!(rows.len(), MOST_BYTES / 1000);
        assert_eq!(as_many_as_fit(std::iter::repeat_n("x".repeat(MOST_BYTES * 2), 2)).len(), 1);
        assert_eq!(as_many_as_fit(std::iter::empty::<u8>()).len(), 0);
    }
}
