//! Solver releases, and solver processes under limits.

pub mod releases;

pub mod answer;
pub mod process;
