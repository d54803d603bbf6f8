//! All tests of this crate that use it from outside, in one program: linking one takes as long as
//! running most of them. `cargo xtask tidy` checks that every file is listed.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

mod bounded;
mod coverage;
mod full_sat;
mod icse20_sat;
mod icse20_unsat;
mod laws;
mod laws_formulas;
mod pairs;
mod random;
mod recipes;
mod seeds;
mod small;
mod stream;
mod variants;
