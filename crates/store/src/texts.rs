//! Texts, stored once per content.
//!
//! A campaign prints the same few bytes thousands of times. So a text is known by its digest, and
//! what is large enough is compressed. Hashing and compressing is done before a transaction
//! begins, so that others need not wait for it.

use std::collections::HashMap;
use std::io::Read;

use luthier_records::Digest;
use rusqlite::{OptionalExtension, params};
use zstd::bulk::Compressor;

use crate::codec::{Count, Sha};
use crate::{Store, StoreError};

/// Below this, a frame of zstd is hardly smaller than what is in it.
const SMALLEST_COMPRESSED: usize = 64;

/// Fast, and nearly as small as slower levels on formulas.
const LEVEL: i32 = 3;

/// How many texts are remembered before all are forgotten, to bound the memory: about 4 MiB.
const MOST_REMEMBERED: usize = 1 << 16;

/// What is kept in memory about texts.
#[derive(Default)]
pub(crate) struct Texts {
    /// The rows of texts that are known to be in the database. Texts are never removed.
    ids: HashMap<Digest, i64>,
    /// Making one costs more than compressing a small text with it.
    compressor: Option<Compressor<'static>>,
}

impl Texts {
    /// Forgets what is there, because a transaction was undone.
    pub(crate) fn forget(&mut self) {
        self.ids.clear();
    }

    fn remember(&mut self, digest: Digest, id: i64) {
        if self.ids.len() >= MOST_REMEMBERED {
            self.ids.clear();
        }
        self.ids.insert(digest, id);
    }

    fn compress(&mut self, text: &[u8]) -> Option<Vec<u8>> {
        if self.compressor.is_none() {
            self.compressor = Compressor::new(LEVEL).ok();
        }
        self.compressor.as_mut()?.compress(text).ok()
    }
}

/// A text ready to be written.
pub(crate) struct PreparedText<'a> {
    digest: Digest,
    size: usize,
    content: Content<'a>,
}

enum Content<'a> {
    /// It is there already.
    Stored(i64),
    Raw(&'a [u8]),
    Compressed(Vec<u8>),
}

impl Store {
    /// Hashes a text and, if it is not there yet, compresses it.
    pub(crate) fn prepare_text<'a>(
        &mut self,
        text: &'a [u8],
    ) -> Result<PreparedText<'a>, StoreError> {
        self.prepare_digested(Digest::of(text), text)
    }

    /// The same for a text whose digest is known.
    pub(crate) fn prepare_digested<'a>(
        &mut self,
        digest: Digest,
        text: &'a [u8],
    ) -> Result<PreparedText<'a>, StoreError> {
        let content = match self.text_id(digest)? {
            Some(id) => Content::Stored(id),
            None if text.len() < SMALLEST_COMPRESSED => Content::Raw(text),
            // If compressing fails or does not help, the text goes in as it is.
            None => match self.texts.compress(text) {
                Some(compressed) if compressed.len() < text.len() => {
                    Content::Compressed(compressed)
                }
                _ => Content::Raw(text),
            },
        };
        Ok(PreparedText { digest, size: text.len(), content })
    }

    /// Writes a text; gives its row.
    pub(crate) fn put_text(&mut self, text: &PreparedText<'_>) -> Result<i64, StoreError> {
        let (encoding, content) = match &text.content {
            Content::Stored(id) => return Ok(*id),
            Content::Raw(content) => ("raw", *content),
            Content::Compressed(content) => ("zstd", content.as_slice()),
        };
        // Another text of the same batch, or another process, may have brought it meanwhile.
        if let Some(id) = self.text_id(text.digest)? {
            return Ok(id);
        }
        let size = i64::try_from(text.size).map_err(|_| self.out_of_range("a text"))?;
        self.connection
            .prepare_cached(
                "INSERT INTO text (digest, size_bytes, encoding, content) VALUES (?1, ?2, ?3, ?4)",
            )
            .and_then(|mut statement| {
                statement.insert(params![Sha(text.digest), size, encoding, content])
            })
            .map_err(|cause| self.failed(cause))
            .inspect(|id| self.texts.remember(text.digest, *id))
    }

    /// The text with this digest: an instance or an output.
    pub fn text(&self, digest: Digest) -> Result<Option<Vec<u8>>, StoreError> {
        let id = self.find_text(digest)?;
        id.map(|id| self.text_of_row(id)).transpose()
    }

    pub(crate) fn text_of_row(&self, id: i64) -> Result<Vec<u8>, StoreError> {
        let (encoding, size, content) = self
            .connection
            .prepare_cached("SELECT encoding, size_bytes, content FROM text WHERE id = ?1")
            .and_then(|mut statement| {
                statement.query_row([id], |row| {
                    let size: Count = row.get(1)?;
                    Ok((row.get::<_, String>(0)?, size.0, row.get::<_, Vec<u8>>(2)?))
                })
            })
            .map_err(|cause| self.failed(cause))?;
        let damaged = |detail| StoreError::Damaged { path: self.path.clone(), detail };
        let size = usize::try_from(size).map_err(|_| self.out_of_range("a text"))?;
        let text = match encoding.as_str() {
            "raw" => content,
            _ => decompress(&content, size)
                .map_err(|cause| damaged(format!("text {id}: {cause}")))?,
        };
        if text.len() == size {
            Ok(text)
        } else {
            Err(damaged(format!("text {id} has {} bytes instead of {size}", text.len())))
        }
    }

    /// The row of a text, asked of the database only if it is not remembered.
    fn text_id(&mut self, digest: Digest) -> Result<Option<i64>, StoreError> {
        if let Some(id) = self.texts.ids.get(&digest) {
            return Ok(Some(*id));
        }
        let found = self.find_text(digest)?;
        if let Some(id) = found {
            self.texts.remember(digest, id);
        }
        Ok(found)
    }

    fn find_text(&self, digest: Digest) -> Result<Option<i64>, StoreError> {
        self.connection
            .prepare_cached("SELECT id FROM text WHERE digest = ?1")
            .and_then(|mut statement| {
                statement.query_row([Sha(digest)], |row| row.get(0)).optional()
            })
            .map_err(|cause| self.failed(cause))
    }
}

/// Reads at most one byte more than there should be, so that a damaged size costs no memory.
fn decompress(content: &[u8], size: usize) -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let most = u64::try_from(size).unwrap_or(u64::MAX).saturating_add(1);
    zstd::Decoder::with_buffer(content)?.take(most).read_to_end(&mut text)?;
    Ok(text)
}
