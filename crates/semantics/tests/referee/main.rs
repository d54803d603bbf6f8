//! Tests of the referee through its public interface.

mod explanations;
mod functions;
mod languages;
mod large;
mod laws;
mod operators;
mod support;
mod undecided;
