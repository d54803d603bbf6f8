//! A string solver: it looks for models with flat under-approximation and local search, and for
//! proofs with rewriting and an abstraction to arithmetic.
//!
//! Nothing is believed: every model is checked by the referee (`luthier-semantics`) on the formula
//! as it was given, and `unsat` is only said by an engine whose contradiction holds for every
//! model. The only reasoner that is not ours is one for integers and uninterpreted symbols; it
//! never sees a string.

pub mod abstraction;
pub mod arithmetic;
pub mod automata;
mod cancel;
mod components;
mod engine;
pub mod flat;
mod portfolio;
mod problem;
pub mod rewrite;
pub mod search;

pub use cancel::{Budget, Cancel};
pub use engine::{Engine, Proof, Verdict, Why};
pub use portfolio::{EngineReport, Portfolio, Solution};
pub use problem::Problem;
