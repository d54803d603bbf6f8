//! A reader that counts what passes through it.
//!
//! The count lives outside the reader, because the readers are buried in decompressors and in
//! members of archives when somebody wants to know it.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many bytes have passed; clones show the same count.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meter(Arc<AtomicU64>);

impl Meter {
    pub(crate) fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Counts the bytes that are read from `inner`.
pub(crate) struct Metered<R> {
    inner: R,
    meter: Meter,
}

impl<R> Metered<R> {
    pub(crate) fn new(inner: R, meter: Meter) -> Self {
        Metered { inner, meter }
    }
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.meter.0.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
