//! Shared helpers for the tests of the reader and the printer.
#![allow(dead_code, reason = "each test uses its own part")]

pub mod alpha;
pub mod generate;
pub mod random;

use luthier_smtlib::{Dialect, Mode, ParsedScript, ReadOptions, read_script};
use luthier_terms::TermPool;

/// Reads a text in a dialect, generously.
pub fn read(pool: &mut TermPool, text: &[u8], dialect: Dialect) -> ParsedScript {
    read_script(pool, text, &ReadOptions { dialect: Some(dialect), mode: Mode::Generous })
}

/// Reads a text in a dialect, which must be without errors.
#[track_caller]
pub fn accept(pool: &mut TermPool, text: &[u8], dialect: Dialect) -> ParsedScript {
    let reading = read(pool, text, dialect);
    let errors: Vec<_> = reading.errors().collect();
    assert!(errors.is_empty(), "{dialect}: {errors:#?}\n{}", String::from_utf8_lossy(text));
    reading
}
