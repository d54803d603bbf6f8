//! All tests of this crate that use it from outside, in one program: linking one takes as long as
//! running most of them. `cargo xtask tidy` checks that every file is listed.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

mod crash;
mod documentation;
mod follow;
mod hostile;
mod labels;
mod merge;
mod opening;
mod random_changes;
mod round_trip;
mod support;
mod tables;
mod zaligvinder;
