//! Shared helpers for the tests of measures.

use luthier_records::{CpuTime, WallTime};
use luthier_report::Results;
use luthier_report::sample::from_table;
use std::time::Duration;

/// The results that a table describes, see [`luthier_report::sample`].
#[track_caller]
#[allow(dead_code, reason = "not every test program uses it")]
pub fn results(table: &str) -> Results {
    match from_table(table) {
        Ok(results) => results,
        Err(error) => panic!("{error}"),
    }
}

/// CPU seconds.
#[allow(dead_code, reason = "not every test program uses it")]
pub fn cpu(seconds: f64) -> CpuTime {
    CpuTime(Duration::from_secs_f64(seconds))
}

/// Wall seconds.
#[allow(dead_code, reason = "not every test program uses it")]
pub fn wall(seconds: f64) -> WallTime {
    WallTime(Duration::from_secs_f64(seconds))
}

/// Equal but for rounding.
#[track_caller]
#[allow(dead_code, reason = "not every test program uses it")]
pub fn check_close(figure: f64, expected: f64) {
    assert!((figure - expected).abs() < 1e-9, "{figure} is not {expected}");
}
