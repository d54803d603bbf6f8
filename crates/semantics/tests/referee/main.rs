//! Tests of the referee through its public interface.

// The helpers of a test are as much a test as the functions that are marked as one.
#![allow(clippy::unwrap_used)]

mod explanations;
mod functions;
mod languages;
mod large;
mod laws;
mod operators;
mod support;
mod undecided;
