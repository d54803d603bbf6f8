//! Texts (instances and outputs), stored once per content.
//!
//! A campaign prints the same few bytes thousands of times. So a text is identified by its digest, and
//! compressed if it is large enough. Hashing and compressing is done before a transaction
//! begins, so that other writers need not wait for it. Unpacking trusts no stored size: it stops one
//! byte after the recorded size and compares the digest.

use std::collections::HashMap;
use std::io::Read;

use luthier_records::{Digest, DigestBuilder};
use rusqlite::types::Type;
use rusqlite::{OptionalExtension, params};
use zstd::bulk::Compressor;

use crate::codec::{Count, Sha};
use crate::{Store, StoreError};

/// Below this, a frame of zstd is hardly smaller than what is in it.
const MIN_COMPRESSED_BYTES: usize = 64;

/// Fast, and nearly as small as slower levels on formulas.
const LEVEL: i32 = 3;

/// How many texts are remembered before all are forgotten, to bound the memory: about 4 MiB.
const MAX_CACHED_TEXTS: usize = 1 << 16;

/// The longest text that is stored, and so the longest that is unpacked: half a gibibyte. The
/// size that a file states for a text is not trusted.
const MAX_TEXT_BYTES: u64 = 1 << 29;

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
        if self.ids.len() >= MAX_CACHED_TEXTS {
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
            None if text.len() < MIN_COMPRESSED_BYTES => Content::Raw(text),
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

    /// Writes a text; returns its row.
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
        if size.cast_unsigned() > MAX_TEXT_BYTES {
            return Err(self.out_of_range("a text"));
        }
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
        let mut text = Vec::new();
        self.unpack(id, &mut |part| text.extend_from_slice(part))?;
        Ok(text)
    }

    /// Unpacks a text part by part and checks it against its row: no more than the recorded size
    /// is unpacked, nothing is allocated by it, and the content must have the recorded digest.
    pub(crate) fn unpack(&self, id: i64, take: &mut dyn FnMut(&[u8])) -> Result<(), StoreError> {
        let damaged = |detail: String| StoreError::Damaged {
            path: self.path.clone(),
            detail: format!("text {id} {detail}"),
        };
        let mut statement = self
            .connection
            .prepare_cached("SELECT encoding, size_bytes, content, digest FROM text WHERE id = ?1")
            .map_err(|cause| self.failed(cause))?;
        let mut rows = statement.query([id]).map_err(|cause| self.failed(cause))?;
        let Some(row) = rows.next().map_err(|cause| self.failed(cause))? else {
            return Err(damaged("is missing".to_owned()));
        };
        let text = (|| -> rusqlite::Result<_> {
            let size: Count = row.get(1)?;
            let digest: Sha = row.get(3)?;
            let content = row.get_ref(2)?.as_blob().map_err(|cause| {
                rusqlite::Error::FromSqlConversionFailure(2, Type::Blob, cause.into())
            })?;
            Ok((row.get::<_, String>(0)?, size.0, content, digest.0))
        })();
        let (encoding, size, content, digest) = text.map_err(|cause| damaged(cause.to_string()))?;
        if size > MAX_TEXT_BYTES {
            return Err(damaged(format!(
                "claims {size} bytes; none has more than {MAX_TEXT_BYTES}"
            )));
        }
        let mut hasher = DigestBuilder::default();
        let mut take = |part: &[u8]| {
            hasher.add(part);
            take(part);
        };
        let length = match encoding.as_str() {
            "raw" if content.len() as u64 == size => {
                take(content);
                size
            }
            "raw" => content.len() as u64,
            "zstd" => unpack_zstd(content, size, &mut take)
                .map_err(|cause| damaged(format!("cannot be unpacked: {cause}")))?,
            other => return Err(damaged(format!("has the unknown encoding {other:?}"))),
        };
        if length != size {
            let more = if length > size { "more than " } else { "" };
            let found = length.min(size);
            return Err(damaged(format!("has {more}{found} bytes instead of {size}")));
        }
        if hasher.finish() != digest {
            return Err(damaged("does not have the digest under which it is stored".to_owned()));
        }
        Ok(())
    }

    /// The row of a text, from the cache or the database.
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

/// Gives what is in a frame, part by part, and its length. At most one byte more than there should
/// be is unpacked, so that a damaged size or a frame of endless zeros costs neither memory nor time.
fn unpack_zstd(content: &[u8], size: u64, take: &mut dyn FnMut(&[u8])) -> std::io::Result<u64> {
    let mut reader = zstd::Decoder::with_buffer(content)?.take(size.saturating_add(1));
    let mut buffer = vec![0; 1 << 16];
    let mut length = 0;
    loop {
        let read = reader.read(&mut buffer)?;
        if read == 0 {
            return Ok(length);
        }
        length += read as u64;
        if length > size {
            return Ok(length);
        }
        take(&buffer[..read]);
    }
}
