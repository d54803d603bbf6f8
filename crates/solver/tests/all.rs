//! All tests of this crate that use it from outside, in one program: linking one takes as long as
//! running most of them. `cargo xtask tidy` checks that every file is listed.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

mod abstraction;
mod arithmetic;
mod cells;
mod common;
mod commuting;
mod components;
mod engines;
mod flat;
mod noodles;
mod not_substring;
mod portfolio;
mod quantifiers;
mod reduction;
mod rewrite_soundness;
mod rules;
mod scripted;
mod search;
mod session;
mod simplify;
mod solver;
mod templates;
mod words;
