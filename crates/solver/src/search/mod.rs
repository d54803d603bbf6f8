//! Local search: values are tried, and what a false assertion would need is done.
//!
//! The quick first try. It knows no proofs; it finds models with short strings in milliseconds,
//! because most formulas that programs produce are easy to satisfy. Assertions that stay false
//! get heavier, so that the search does not sit where all but one are true.

mod change;
mod program;
mod random;
mod value;
mod wish;

use luthier_semantics::{Model, Value};
use luthier_terms::{BigInt, Sort};

use crate::problem::has_plain_constants;
use crate::{Budget, Engine, Limit, Problem, UnknownReason, Verdict};
use program::{Program, Step, Values};
use random::Random;
use value::Quick;
use wish::Wisher;

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// Decides what is tried.
    pub seed: u64,
}

impl Engine for Search {
    fn name(&self) -> &'static str {
        "search"
    }

    fn accepts(&self, problem: &Problem) -> Result<(), UnknownReason> {
        has_plain_constants(problem)
    }

    fn decide(&self, problem: &Problem, budget: &Budget) -> Verdict {
        match self.search(problem, budget) {
            Ok(model) => Verdict::Sat(model),
            // What is not found soon is seldom found later, so this is all there is.
            Err(UnknownReason::Timeout) => {
                Verdict::Unknown(UnknownReason::Incomplete("no model was found".to_owned()))
            }
            Err(reason) => Verdict::Unknown(reason),
        }
    }
}

impl Search {
    fn search(self, problem: &Problem, budget: &Budget) -> Result<Model, UnknownReason> {
        let (program, start) = Program::new(&problem.pool, &problem.assertions, budget)?;
        let letters = letters(&program);
        let mut random = Random::new(self.seed);
        let mut best_start = start.clone();
        loop {
            budget.check()?;
            let mut climb = Climb {
                program: &program,
                letters: &letters,
                weights: vec![1; program.goals.len()],
                choices: budget.limit(Limit::SearchChoices),
                values: std::mem::replace(&mut best_start, start.clone()),
                random: &mut random,
            };
            if climb.run(budget)? {
                return Ok(model(&program, &climb.values));
            }
            // Somewhere else: inputs get constants of the formula.
            for &input in &program.inputs {
                let mut wisher =
                    Wisher { program: &program, letters: &letters, random: &mut random };
                let value = wisher.different(&best_start.of[input]);
                program.set(&mut best_start, input, value);
            }
            best_start.keep();
        }
    }
}

/// One way up.
struct Climb<'a> {
    program: &'a Program,
    letters: &'a [u32],
    /// How much each goal counts.
    weights: Vec<u64>,
    /// How many moves are compared.
    choices: usize,
    values: Values,
    random: &'a mut Random,
}

impl Climb<'_> {
    /// Whether the top was reached.
    fn run(&mut self, budget: &Budget) -> Result<bool, UnknownReason> {
        let mut score = self.score();
        let mut rounds_without_progress = 0;
        let patience = budget.limit(Limit::SearchPatience);
        while rounds_without_progress < patience {
            budget.check()?;
            let goals = self.program.goals.iter().copied();
            let open: Vec<usize> = goals.filter(|&goal| !self.values.of[goal].is_true()).collect();
            if open.is_empty() {
                return Ok(true);
            }
            match self.best_move(&open) {
                // Sideways is allowed: plateaus are wide.
                Some((next, (input, value))) if next >= score || self.random.once_in(30) => {
                    self.program.set(&mut self.values, input, value);
                    self.values.keep();
                    rounds_without_progress =
                        if next > score { 0 } else { rounds_without_progress + 1 };
                    score = next;
                }
                _ => {
                    rounds_without_progress += 1;
                    for (weight, &goal) in self.weights.iter_mut().zip(&self.program.goals) {
                        if !self.values.of[goal].is_true() {
                            *weight += 1;
                        }
                    }
                    score = self.score();
                }
            }
        }
        Ok(false)
    }

    fn score(&self) -> u64 {
        let goals = self.program.goals.iter().zip(&self.weights);
        goals.filter(|(goal, _)| self.values.of[**goal].is_true()).map(|(_, weight)| weight).sum()
    }

    /// The best of some moves, with the score after it.
    fn best_move(&mut self, open: &[usize]) -> Option<(u64, wish::Move)> {
        let mut best: Option<(u64, wish::Move)> = None;
        for _ in 0..self.choices {
            let goal = *self.random.one_of(open)?;
            let mut wisher =
                Wisher { program: self.program, letters: self.letters, random: &mut *self.random };
            let wished = if wisher.random.once_in(12) {
                let input = *wisher.random.one_of(&self.program.inputs)?;
                Some((input, wisher.different(&self.values.of[input])))
            } else {
                wisher.wish(&self.values.of, goal, Quick::Bool(true))
            };
            let Some((input, value)) = wished.filter(|(_, value)| *value != Quick::Lost) else {
                continue;
            };
            self.program.set(&mut self.values, input, value.clone());
            let score = self.score();
            self.values.take_back();
            if best.as_ref().is_none_or(|(most, _)| score > *most) {
                best = Some((score, (input, value)));
            }
        }
        best
    }
}

/// Letters of the formula, and one or two that it does not have.
fn letters(program: &Program) -> Vec<u32> {
    let mut letters: Vec<u32> = Vec::new();
    for constant in &program.constants {
        letters.extend_from_slice(constant.codes());
    }
    letters.extend([0x30, 0x39]);
    for automaton in &program.automata {
        for one in automaton.moves.iter().flatten().take(200) {
            letters.extend([one.low, one.high]);
        }
    }
    letters.sort_unstable();
    letters.dedup();
    let others: Vec<u32> =
        (0x61..=0x7A).filter(|letter| letters.binary_search(letter).is_err()).take(2).collect();
    letters.extend(others);
    letters
}

fn model(program: &Program, values: &Values) -> Model {
    let mut model = Model::new();
    for &input in &program.inputs {
        let Step::Input(function, sort) = &program.steps[input] else { continue };
        let value = match (&values.of[input], sort) {
            (Quick::Bool(value), Sort::Bool) => Value::Bool(*value),
            (Quick::Int(number), Sort::Int) => Value::Int(BigInt::from(*number)),
            (Quick::Text(codes), _) => {
                let text = luthier_terms::SmtString::from_codes(codes.iter().copied());
                Value::String(text.unwrap_or_default())
            }
            _ => continue,
        };
        model.insert_value(*function, value);
    }
    model
}
