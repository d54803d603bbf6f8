//! A cache of closed terms by their text, because benchmarks from symbolic execution repeat the same
//! large terms thousands of times.
//!
//! As long as no name changes its meaning, the same bytes denote the same term, so a repeated term
//! costs a comparison of memory instead of being read again. The total length of unsuccessful
//! comparisons is bounded by a multiple of the text, so that reading stays linear; when the bound is
//! exhausted, terms are read in the ordinary way.

use luthier_terms::TermId;

/// Shorter terms are read faster than they are looked up.
const MIN_LENGTH: usize = 24;
/// How much of the end is compared first.
const TAIL: usize = 16;
const WAYS: usize = 4;
const BUCKETS: usize = 1024;

#[derive(Clone, Copy)]
struct Entry {
    start: u32,
    length: u32,
    term: TermId,
    /// The generation of name bindings in which it was read.
    generation: u32,
}

/// The terms seen last, by how they begin.
pub(super) struct TermCache {
    buckets: Vec<[Option<Entry>; WAYS]>,
    /// Which entry of each bucket is replaced next.
    next: Vec<u8>,
    /// Changes whenever a name changes its meaning.
    generation: u32,
    /// How many more bytes unsuccessful comparisons may take: deep terms that differ only in
    /// their middle would otherwise be compared at each level.
    comparison_budget: u64,
}

impl TermCache {
    pub fn new(text_length: usize) -> Self {
        // A small text has no need for it, and making the table would cost more than it saves.
        let buckets = if text_length < 4096 { 0 } else { BUCKETS };
        Self {
            buckets: vec![[None; WAYS]; buckets],
            next: vec![0; buckets],
            generation: 0,
            comparison_budget: 16 * text_length as u64,
        }
    }

    /// Invalidates all entries: a name has another meaning from here on.
    pub fn meaning_changed(&mut self) {
        self.generation += 1;
    }

    /// The longest known term that stands at `start`, and where it ends.
    #[inline]
    pub fn find(&mut self, text: &[u8], start: usize) -> Option<(TermId, u32)> {
        let bucket = self.bucket(text, start)?;
        let mut best: Option<Entry> = None;
        for entry in self.buckets[bucket].iter().flatten() {
            let length = entry.length as usize;
            let known = &text[entry.start as usize..][..length];
            let Some(here) = text.get(start..start + length) else { continue };
            if entry.generation != self.generation
                || best.is_some_and(|best| best.length >= entry.length)
                || u64::from(entry.length) > self.comparison_budget
                // Most terms that begin alike end differently.
                || here[length - TAIL..] != known[length - TAIL..]
            {
                continue;
            }
            if here == known {
                best = Some(*entry);
            } else {
                self.comparison_budget -= u64::from(entry.length);
            }
        }
        best.map(|entry| (entry.term, start as u32 + entry.length))
    }

    /// Remembers a term that has been read.
    #[inline]
    pub fn insert(&mut self, text: &[u8], start: usize, end: usize, term: TermId) {
        if end - start < MIN_LENGTH {
            return;
        }
        let Some(bucket) = self.bucket(text, start) else { return };
        let (generation, next) = (self.generation, &mut self.next[bucket]);
        let entry = Entry { start: start as u32, length: (end - start) as u32, term, generation };
        self.buckets[bucket][*next as usize] = Some(entry);
        *next = (*next + 1) % WAYS as u8;
    }

    /// The bucket of the first bytes; `None` near the end of the text.
    #[inline]
    fn bucket(&self, text: &[u8], start: usize) -> Option<usize> {
        if self.buckets.is_empty() {
            return None;
        }
        let bytes: &[u8; MIN_LENGTH] = text.get(start..start + MIN_LENGTH)?.try_into().ok()?;
        let mut hash = 0u64;
        for word in bytes.as_chunks::<8>().0 {
            hash = (hash.rotate_left(5) ^ u64::from_le_bytes(*word)).wrapping_mul(MULTIPLIER);
        }
        Some((hash >> 54) as usize)
    }
}

/// The multiplier of the Fx hash.
const MULTIPLIER: u64 = 0xF135_7AEA_2E62_A9C5;
const _: () = assert!(TAIL <= MIN_LENGTH);
const _: () = assert!(BUCKETS == 1 << 10, "the bucket is the ten highest bits of the hash");
