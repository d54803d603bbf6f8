//! Local search for models, by inverse values.
//!
//! The formula is a program over the inputs (see `program`). While an assertion is false, moves are
//! proposed: a false assertion has the target value true, an operator propagates a target for its
//! value to a target for one argument, down to an input (see `target`). Of a few proposals the one
//! with the best score is made, where the score is the sum of the weights of true assertions;
//! plateau moves are allowed. If there is no improvement, the weights of false assertions grow, and
//! after `search.patience` rounds the search restarts elsewhere.
//!
//! Only `sat` is reported, and only after evaluation. Most formulas that programs produce are easy
//! to satisfy, so it runs first and briefly. Source: ours; inverse values as in Niemetz, Preiner,
//! Biere: Propagation Based Local Search for Bit-Precise Reasoning (FMSD 2017). Limits: those named
//! `search.*`.

mod neighbour;
mod program;
mod regular;
mod splitmix;
mod target;
mod value;

use luthier_semantics::{Model, Value};
use luthier_terms::{BigInt, Sort};

use crate::problem::has_plain_constants;
use crate::{Budget, Engine, Limit, Problem, UnknownReason, Verdict};
use program::{Instruction, Program, Values};
use splitmix::SplitMix;
use target::TargetPropagation;
use value::FastValue;

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// The seed of the pseudo-random numbers.
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
            // The end of its short time is the normal end of this engine.
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
        let mut random = SplitMix::new(self.seed);
        let mut best_start = start.clone();
        loop {
            budget.check()?;
            let mut climb = HillClimb {
                program: &program,
                letters: &letters,
                weights: vec![1; program.goals.len()],
                moves_compared: budget.limit(Limit::SearchChoices),
                values: std::mem::replace(&mut best_start, start.clone()),
                random: &mut random,
            };
            if climb.run(budget)? {
                return Ok(model(&program, &climb.values));
            }
            // Restart: inputs get other values, often constants of the formula.
            for &input in &program.inputs {
                let mut propagation =
                    TargetPropagation { program: &program, letters: &letters, random: &mut random };
                let value = propagation.neighbour(&best_start.of[input]);
                program.set(&mut best_start, input, value);
            }
            best_start.commit();
        }
    }
}

/// One hill climb, from a start to a model or a local optimum.
struct HillClimb<'a> {
    program: &'a Program,
    letters: &'a [u32],
    /// The weight of each goal.
    weights: Vec<u64>,
    /// The number of moves that are compared.
    moves_compared: usize,
    values: Values,
    random: &'a mut SplitMix,
}

impl HillClimb<'_> {
    /// Whether all goals became true.
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
                // Plateau moves are allowed, and rarely worsening ones.
                Some((next, (input, value))) if next >= score || self.random.once_in(30) => {
                    self.program.set(&mut self.values, input, value);
                    self.values.commit();
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

    /// The best of some proposed moves, with its score.
    fn best_move(&mut self, open: &[usize]) -> Option<(u64, target::Move)> {
        let mut best: Option<(u64, target::Move)> = None;
        for _ in 0..self.moves_compared {
            let goal = *self.random.one_of(open)?;
            let mut propagation = TargetPropagation {
                program: self.program,
                letters: self.letters,
                random: &mut *self.random,
            };
            let proposed = if propagation.random.once_in(12) {
                let input = *propagation.random.one_of(&self.program.inputs)?;
                Some((input, propagation.neighbour(&self.values.of[input])))
            } else {
                propagation.propose(&self.values.of, goal, FastValue::Bool(true))
            };
            let Some((input, value)) = proposed.filter(|(_, value)| *value != FastValue::Unknown)
            else {
                continue;
            };
            self.program.set(&mut self.values, input, value.clone());
            let score = self.score();
            self.values.undo_all();
            if best.as_ref().is_none_or(|(most, _)| score > *most) {
                best = Some((score, (input, value)));
            }
        }
        best
    }
}

/// The alphabet of the search: letters of the formula, and two that it does not have.
fn letters(program: &Program) -> Vec<u32> {
    let mut letters: Vec<u32> = Vec::new();
    for constant in &program.constants {
        letters.extend_from_slice(constant.codes());
    }
    letters.extend([0x30, 0x39]);
    for automaton in &program.automata {
        for one in automaton.transitions.iter().flatten().take(200) {
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
        let Instruction::Input(function, sort) = &program.steps[input] else { continue };
        let value = match (&values.of[input], sort) {
            (FastValue::Bool(value), Sort::Bool) => Value::Bool(*value),
            (FastValue::Int(number), Sort::Int) => Value::Int(BigInt::from(*number)),
            (FastValue::Text(codes), _) => {
                let text = luthier_terms::SmtString::from_codes(codes.iter().copied());
                Value::String(text.unwrap_or_default())
            }
            _ => continue,
        };
        model.insert_value(*function, value);
    }
    model
}
