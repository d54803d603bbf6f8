//! Confirms or refutes what solvers say.
//!
//! The judge knows the front end, the referee and plain records of runs, and no solver:
//! * [`expectations`]: what a script says about the answers to its own queries;
//! * [`features`]: what a script uses, for the record;
//! * [`check_model`]: whether a model that some solver printed satisfies a script, and
//!   [`model_finding`], the same in one line for the record;
//! * [`examine_core`], [`core_script`], [`settle_core`]: unsatisfiable cores;
//! * [`script_with_model`]: a script for a second opinion on a model;
//! * [`ground_truth`], [`judge_answer`]: what all of that together says about a query and an answer.
//!
//! Queries are counted from 0, as answers are in records; only [`CheckOptions::query`], which
//! people write on command lines, counts from 1.

mod build;
mod cores;
mod expectation;
mod features;
mod finding;
mod ground_truth;
mod model;
mod opinion;
mod query;
mod render;

pub use build::{BuiltModel, build_model};
pub use cores::{core_script, examine_core, name_assertions, settle_core};
pub use expectation::{Expectations, Problem, expectations, other_semantics, planted_witness};
pub use features::features;
pub use finding::model_finding;
pub use ground_truth::{Claim, Expected, ground_truth, judge_answer};
pub use model::{
    CheckOptions, FailingAssertion, JUDGING_TIME, ModelCheck, NoSuchQuery, Outcome, WrongValue,
    check_model, judging_limits, limits_within, model_limits,
};
pub use opinion::{NoOpinion, script_with_model};
pub use render::{
    describe_reason, failing_name, render_explanation, render_invalid, render_value,
    wrong_value_sentence,
};
