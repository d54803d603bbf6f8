//! Steps on declared constants: two become one, or one is fixed to a value.
//!
//! Both replace a constant by a term everywhere, so that an unsatisfiable formula stays unsatisfiable.

use luthier_semantics::{Evaluator, Interpretation, Value};
use luthier_terms::{FunctionId, TermId, TermPool};

use super::State;
use super::candidate::Candidate;
use crate::query::{replaced, roots, used_constants};

/// A constant replaced by its value in the witness, or by the default value of its sort.
pub(super) fn fix(pool: &mut TermPool, state: &State) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for constant in used_constants(pool, &roots(&state.script)) {
        let result = pool.function(constant).result;
        let values = [value_of(pool, state, constant), Some(Value::default_of(result))];
        for value in values.into_iter().flatten() {
            let Ok(value) = value.to_term(pool) else { continue };
            candidates.extend(with_constant_replaced(pool, state, constant, value));
        }
    }
    candidates
}

/// A constant replaced by another one of its sort.
pub(super) fn merge(pool: &mut TermPool, state: &State) -> Vec<Candidate> {
    let constants = used_constants(pool, &roots(&state.script));
    let mut candidates = Vec::new();
    for (place, &kept) in constants.iter().enumerate() {
        for &merged in &constants[place + 1..] {
            if pool.function(kept).result != pool.function(merged).result {
                continue;
            }
            let Ok(term) = pool.apply(kept, &[]) else { continue };
            candidates.extend(with_constant_replaced(pool, state, merged, term));
        }
    }
    candidates
}

fn value_of(pool: &TermPool, state: &State, constant: FunctionId) -> Option<Value> {
    let model = state.witness()?;
    match model.get(constant)? {
        Interpretation::Value(value) => Some(value.clone()),
        Interpretation::Function { body, .. } => {
            Evaluator::new(pool, model).evaluate(*body).known().cloned()
        }
        // No constant has a table.
        Interpretation::Table(_) => None,
    }
}

fn with_constant_replaced(
    pool: &mut TermPool,
    state: &State,
    constant: FunctionId,
    by: TermId,
) -> Option<Candidate> {
    let term = pool.apply(constant, &[]).ok()?;
    let map = [(term, by)].into_iter().collect();
    let script = replaced(pool, &state.script, &map)?;
    Some(Candidate::new(pool, script, true))
}
