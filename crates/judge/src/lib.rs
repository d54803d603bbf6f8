//! Confirms or refutes what solvers say.
//!
//! The judge knows the front end and the referee, and no solver. So far it judges models:
//! [`check_model`] says whether a model that some solver printed satisfies a script.

mod build;
mod model;
mod render;

pub use build::{BuiltModel, build_model};
pub use model::{
    CheckOptions, FailingAssertion, ModelCheck, NoSuchQuery, Outcome, WrongValue, check_model,
};
pub use render::{describe_reason, render_explanation, render_value};
