//! All tests of this crate that use it from outside, in one program: linking one takes as long as
//! running most of them. `cargo xtask tidy` checks that every file is listed.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

mod archives;
mod audit;
mod canonical;
mod faults;
mod folders;
mod support;
