//! Checks the answers of solvers: models, unsatisfiable cores and verdicts.
//!
//! The judge uses the front end, the referee and plain records of runs, and depends on no solver:
//!
//! * [`expectations`]: what a script states about the verdicts of its own queries;
//! * [`features`]: the features of a script, for its record;
//! * [`check_model`]: whether a printed model satisfies a script, and [`model_finding`], the same
//!   as a record;
//! * [`examine_core`], [`core_script`], [`settle_core`]: unsatisfiable cores;
//! * [`evaluation_table()`]: every subterm with its value, to be checked by hand;
//! * [`script_with_model`]: a script for a second opinion on a model;
//! * [`repaired`]: a bounded search for a model that the referee accepts;
//! * [`ground_truth`], [`judge_answer`]: the ground truth of a query from all evidence, and the
//!   judgement on an answer.
//!
//! Queries are counted from 0, as answers are in records; only [`CheckOptions::query`], which users
//! write on command lines, counts from 1.

mod built_model;
mod cores;
mod evaluation_table;
mod expectations;
mod features;
mod ground_truth;
mod model;
mod model_finding;
mod query;
mod render;
mod second_opinion;
mod witness;

pub use built_model::{BuiltModel, build_model};
pub use cores::{core_script, examine_core, name_assertions, query_script, settle_core};
pub use evaluation_table::{EvaluatedTerm, EvaluationTable, evaluation_table};
pub use expectations::{
    AnnotationProblem, Expectations, expectations, nonstandard_semantics, planted_witness,
};
pub use features::features;
pub use ground_truth::{Claim, PriorEvidence, ground_truth, judge_answer};
pub use model::{
    CheckOptions, CheckOutcome, FailingAssertion, JUDGING_TIME, ModelCheck, NoSuchQuery,
    WrongValue, check_model, judging_limits, limits_of_steps, limits_within, model_limits,
};
pub use model_finding::model_finding;
pub use render::{
    describe_reason, failing_name, formula_name, render_explanation, render_invalid, render_value,
    wrong_value_sentence,
};
pub use second_opinion::{NoSecondOpinion, script_with_model};
pub use witness::{holds, repaired, used_functions, witness_text};
