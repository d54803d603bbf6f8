//! Interned symbols. A symbol is a sequence of bytes: the standard allows bytes above 127 in quoted
//! symbols and does not require UTF-8.

use std::borrow::Cow;
use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::{BuildError, SymbolId};

/// All names of a pool, each stored once.
#[derive(Clone, Default)]
pub struct SymbolTable {
    bytes: Vec<u8>,
    /// `ends[i]` is where name `i` ends in `bytes`; it begins where the one before ends.
    ends: Vec<usize>,
    lookup: HashTable<SymbolId>,
}

impl SymbolTable {
    /// The id of `name`, interned if it is new.
    pub fn intern(&mut self, name: &[u8]) -> Result<SymbolId, BuildError> {
        let hash = hash(name);
        if let Some(&id) = self.lookup.find(hash, |&id| self.bytes_of(id) == name) {
            return Ok(id);
        }
        let id = SymbolId::from_index(self.ends.len())?;
        self.bytes.extend_from_slice(name);
        self.ends.push(self.bytes.len());
        let (bytes, ends) = (&self.bytes, &self.ends);
        self.lookup.insert_unique(hash, id, |&id| self::hash(slice(bytes, ends, id)));
        Ok(id)
    }

    /// The id of `name` if it has one.
    pub fn find(&self, name: &[u8]) -> Option<SymbolId> {
        self.lookup.find(hash(name), |&id| self.bytes_of(id) == name).copied()
    }

    /// The name as it was written, without the bars of a quoted symbol.
    pub fn bytes_of(&self, id: SymbolId) -> &[u8] {
        slice(&self.bytes, &self.ends, id)
    }

    /// The name for display; bytes that are not UTF-8 are replaced.
    pub fn display(&self, id: SymbolId) -> Cow<'_, str> {
        String::from_utf8_lossy(self.bytes_of(id))
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no name yet.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

fn slice<'a>(bytes: &'a [u8], ends: &[usize], id: SymbolId) -> &'a [u8] {
    let index = id.index();
    let start = if index == 0 { 0 } else { ends[index - 1] };
    &bytes[start..ends[index]]
}

fn hash(name: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(name);
    hasher.finish()
}
