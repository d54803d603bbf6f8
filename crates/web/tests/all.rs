//! All tests of this crate that use it from outside, in one program: linking one takes as long as
//! running most of them. `cargo xtask tidy` checks that every file is listed.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

mod audit;
mod clusters;
mod common;
mod compare;
mod evaluation;
mod faults;
mod links;
mod pages;
mod rest_api;
mod rest_document;
mod rest_support;
mod rest_zaligvinder;
mod site;
