//! Spans of a source text, and their lines and columns.

use std::ops::Range;

/// A range of bytes in a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// From the first byte of `self` to the last of `other`.
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start, end: other.end.max(self.start) }
    }

    /// As a range of indices.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A place as people count: lines and columns from 1. A column counts characters where the line
/// is UTF-8 and bytes where it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// The largest text that spans can address.
pub const MAX_SOURCE_BYTES: usize = u32::MAX as usize - 1;

/// Finds lines and columns in a text.
pub struct Locator<'a> {
    bytes: &'a [u8],
    /// Where each line begins.
    starts: Vec<usize>,
}

impl<'a> Locator<'a> {
    /// A locator for a text.
    pub fn new(bytes: &'a [u8]) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', bytes).map(|newline| newline + 1));
        Self { bytes, starts }
    }

    /// Where a byte is.
    pub fn location(&self, offset: u32) -> Location {
        let offset = (offset as usize).min(self.bytes.len());
        let line = self.starts.partition_point(|&start| start <= offset);
        let before = &self.bytes[self.starts[line - 1]..offset];
        Location { line, column: width(before) + 1 }
    }

    /// A line without its line break.
    pub fn line(&self, line: usize) -> &'a [u8] {
        let start = self.starts[line - 1];
        let end = self.starts.get(line).map_or(self.bytes.len(), |&next| next - 1);
        let text = &self.bytes[start..end];
        text.strip_suffix(b"\r").unwrap_or(text)
    }

    /// The byte offset at which a line begins.
    pub fn line_start(&self, line: usize) -> usize {
        self.starts[line - 1]
    }
}

/// How many columns a piece of a line takes.
pub(crate) fn width(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.chars().count(),
        Err(_) => bytes.len(),
    }
}
