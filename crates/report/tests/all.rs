//! All tests of this crate that use it from outside, in one program: linking one takes as long as
//! running most of them. `cargo xtask tidy` checks that every file is listed.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

mod common;
mod documents_agree;
mod documents_hostile;
mod icse20;
mod measures_agree;
mod measures_bootstrap;
mod measures_changes;
mod measures_comparison;
mod measures_contribution;
mod measures_filter;
mod measures_findings;
mod measures_standings;
mod observations;
mod plots;
mod scores;
mod tables;
