//! The values of all variables of a walk for given parameters.
//!
//! The substitutions are applied backwards from the empty system, cycles as often as the parameters
//! say. The free remainder of a variable consists of one filler letter. Limit: values longer than
//! `nielsen.value` give no candidate.

use rustc_hash::FxHashMap;

use super::graph::Substitution;
use super::lengths::Parameter;
use super::system::Symbol;
use super::walk::{Walk, WalkStep};
use crate::{Budget, Limit, UnknownReason};

/// The values of all variables at the start of a walk, as code points; `None` if one is too long.
/// Free remainders consist of the letter `filler`.
pub fn instantiate(
    walk: &Walk,
    variables: usize,
    parameters: &FxHashMap<Parameter, usize>,
    filler: u32,
    budget: &Budget,
) -> Result<Option<Vec<Vec<u32>>>, UnknownReason> {
    let max_letters = budget.limit(Limit::NielsenValue);
    // Values are kept reversed, so that prepending is cheap.
    let mut values: Vec<Vec<u32>> = Vec::with_capacity(variables);
    for variable in 0..variables {
        let length = parameters.get(&Parameter::Remainder(variable as u32)).copied().unwrap_or(0);
        if length > max_letters {
            return Ok(None);
        }
        values.push(vec![filler; length]);
    }
    for (position, step) in walk.steps.iter().enumerate().rev() {
        match step {
            WalkStep::Substitute(substitution) => apply(&mut values, substitution),
            WalkStep::Cycle(substitutions) => {
                let iterations =
                    parameters.get(&Parameter::Iterations(position)).copied().unwrap_or(0);
                for _ in 0..iterations {
                    budget.check()?;
                    substitutions
                        .iter()
                        .rev()
                        .for_each(|substitution| apply(&mut values, substitution));
                    if values.iter().any(|value| value.len() > max_letters) {
                        return Ok(None);
                    }
                }
            }
        }
        if values.iter().any(|value| value.len() > max_letters) {
            return Ok(None);
        }
    }
    values.iter_mut().for_each(|value| value.reverse());
    Ok(Some(values))
}

fn apply(values: &mut [Vec<u32>], substitution: &Substitution) {
    let variable = substitution.variable as usize;
    let (own, rest) = match substitution.value.split_last() {
        Some((&Symbol::Variable(last), rest)) if last == substitution.variable => {
            (std::mem::take(&mut values[variable]), rest)
        }
        _ => (Vec::new(), &substitution.value[..]),
    };
    let mut value = own;
    for symbol in rest.iter().rev() {
        match *symbol {
            Symbol::Letter(letter) => value.push(letter),
            Symbol::Variable(other) => value.extend_from_slice(&values[other as usize]),
        }
    }
    values[variable] = value;
}
