//! All tests of this crate that use it from outside, in one program: linking one takes as long as
//! running most of them. `cargo test -p PACKAGE --test all NAME::` runs those of one file.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

mod common;
mod compare;
mod faults;
mod pages;
mod rest_api;
mod rest_document;
mod rest_support;
mod rest_zaligvinder;

/// A file that is not listed above would never run.
#[test]
fn every_file_is_listed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    let listed = include_str!("all.rs");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        if path.extension().is_some_and(|ending| ending == "rs") && name != "all" {
            assert!(listed.contains(&format!("mod {name};\n")), "{name} is not in all.rs");
        }
    }
}
