//! Values along a walk, once all choices are made.

use rustc_hash::FxHashMap;

use super::graph::Guess;
use super::lengths::Choice;
use super::system::Symbol;
use super::walk::{Step, Walk};
use crate::{Budget, Limit, UnknownReason};

/// The values of all variables at the beginning of a walk, as code points; `None` if one is too
/// long. Whatever is free consists of the letter `filler`.
pub fn spell(
    walk: &Walk,
    variables: usize,
    choices: &FxHashMap<Choice, usize>,
    filler: u32,
    budget: &Budget,
) -> Result<Option<Vec<Vec<u32>>>, UnknownReason> {
    let longest = budget.limit(Limit::NielsenValue);
    // Values are kept backwards, so that what is put in front is cheap.
    let mut values: Vec<Vec<u32>> = Vec::with_capacity(variables);
    for variable in 0..variables {
        let length = choices.get(&Choice::Rest(variable as u32)).copied().unwrap_or(0);
        if length > longest {
            return Ok(None);
        }
        values.push(vec![filler; length]);
    }
    for (place, step) in walk.steps.iter().enumerate().rev() {
        match step {
            Step::Guess(guess) => apply(&mut values, guess),
            Step::Cycle(guesses) => {
                let times = choices.get(&Choice::Times(place)).copied().unwrap_or(0);
                for _ in 0..times {
                    budget.check()?;
                    guesses.iter().rev().for_each(|guess| apply(&mut values, guess));
                    if values.iter().any(|value| value.len() > longest) {
                        return Ok(None);
                    }
                }
            }
        }
        if values.iter().any(|value| value.len() > longest) {
            return Ok(None);
        }
    }
    values.iter_mut().for_each(|value| value.reverse());
    Ok(Some(values))
}

fn apply(values: &mut [Vec<u32>], guess: &Guess) {
    let variable = guess.variable as usize;
    let (own, rest) = match guess.value.split_last() {
        Some((&Symbol::Variable(last), rest)) if last == guess.variable => {
            (std::mem::take(&mut values[variable]), rest)
        }
        _ => (Vec::new(), &guess.value[..]),
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
