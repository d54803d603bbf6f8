//! String constants that are only said to be in regular languages, with conditions on lengths.
//!
//! Each constant gets the intersection of its languages as an automaton; the lengths of its words
//! are a set that repeats from some length on. Arithmetic chooses lengths, and words of these
//! lengths are a model. If an intersection is empty, or no lengths are right, there is none.

mod lengths;
mod reading;

use luthier_semantics::{Model, Value};
use luthier_terms::{SmtString, Term};

use crate::arithmetic::{Answer, Backend, Id, model_of};
use crate::automata::Dfa;
use crate::length_abstraction::LengthAbstraction;
use crate::{Budget, Engine, Limit, Problem, Proof, UnknownReason, Verdict};
pub(crate) use lengths::LengthSet;
use lengths::word;
use reading::Reading;
pub(crate) use reading::is_about_lengths;

/// The engine.
#[derive(Clone, Debug)]
pub struct Languages {
    /// The arithmetic solver.
    pub backend: Backend,
}

impl Engine for Languages {
    fn name(&self) -> &'static str {
        "languages"
    }

    fn accepts(&self, problem: &Problem) -> Result<(), UnknownReason> {
        read(problem).map(drop)
    }

    fn decide(&self, problem: &Problem, budget: &Budget) -> Verdict {
        match self.solve(problem, budget) {
            Ok(Some(model)) => Verdict::Sat(model),
            Ok(None) => {
                let argument = "languages without a common word of the right length".to_owned();
                Verdict::Unsat(Proof { engine: self.name(), argument })
            }
            Err(reason) => Verdict::Unknown(reason),
        }
    }
}

fn read(problem: &Problem) -> Result<Reading, UnknownReason> {
    let unsupported = || UnknownReason::Unsupported("more than languages and lengths".to_owned());
    Reading::new(&problem.pool, &problem.assertions).ok_or_else(unsupported)
}

impl Languages {
    /// A model, or `None` if there is none.
    fn solve(&self, problem: &Problem, budget: &Budget) -> Result<Option<Model>, UnknownReason> {
        let mut reading = read(problem)?;
        let states = budget.limit(Limit::LanguagesStates);
        let mut automata = Vec::with_capacity(reading.constants.len());
        let mut sets = Vec::with_capacity(reading.constants.len());
        for (_, languages) in &reading.constants {
            budget.check()?;
            let language = match languages.is_empty() {
                true => reading.regexes.all(),
                false => reading.regexes.intersection(languages.iter().copied()),
            };
            let automaton = Dfa::within(&mut reading.regexes, language, states, budget)?;
            let Some(automaton) = automaton else {
                budget.limits().hit(Limit::LanguagesStates);
                return Err(UnknownReason::Incomplete(format!(
                    "an automaton has more than {states} states"
                )));
            };
            if automaton.is_empty() {
                return Ok(None);
            }
            sets.push(LengthSet::new(&automaton, budget)?);
            automata.push(automaton);
        }
        let Some((lengths, mut model)) = self.choose(problem, &reading, &sets, budget)? else {
            return Ok(None);
        };
        for ((&(constant, _), automaton), length) in
            reading.constants.iter().zip(&automata).zip(lengths)
        {
            let text = word(automaton, length, budget)?.and_then(SmtString::from_codes);
            let (Some(text), Term::Apply(function, _)) = (text, problem.pool.term(constant)) else {
                return Err(UnknownReason::Incomplete("a word is too long".to_owned()));
            };
            model.insert_value(function, Value::String(text));
        }
        Ok(Some(model))
    }

    /// Lengths that satisfy the conditions, with values for all that is no string.
    fn choose(
        &self,
        problem: &Problem,
        reading: &Reading,
        sets: &[LengthSet],
        budget: &Budget,
    ) -> Result<Option<(Vec<usize>, Model)>, UnknownReason> {
        if reading.conditions.is_empty() {
            let shortest: Option<Vec<usize>> = sets.iter().map(LengthSet::least).collect();
            let open = || UnknownReason::Incomplete("the shortest word is too long".to_owned());
            return Ok(Some((shortest.ok_or_else(open)?, Model::new())));
        }
        let mut conditions =
            LengthAbstraction::new(&problem.pool, &reading.numbers, &reading.conditions, budget);
        let mut solver = self.backend.start()?;
        let arena = &mut conditions.arena;
        for (&length, set) in conditions.lengths.iter().zip(sets) {
            conditions.formulas.push(set.holds(arena, length));
        }
        for &formula in &conditions.formulas {
            solver.assert(arena, formula)?;
        }
        let most = arena.int(budget.limit(Limit::LanguagesLength));
        let short: Vec<Id> = conditions.lengths.iter().map(|&one| arena.le(one, most)).collect();
        match solver.check(arena, &short, budget)? {
            Answer::Sat => {}
            Answer::Unsat(core) if core.is_empty() && sets.iter().all(LengthSet::is_exact) => {
                return Ok(None);
            }
            Answer::Unsat(core) => {
                if !core.is_empty() {
                    budget.limits().hit(Limit::LanguagesLength);
                }
                return Err(UnknownReason::Incomplete("no short words".to_owned()));
            }
            Answer::Unknown(reason) => return Err(UnknownReason::Incomplete(reason)),
        }
        let mut lengths = Vec::with_capacity(sets.len());
        for value in solver.values(arena, &conditions.lengths)? {
            lengths.push(value.as_usize().unwrap_or(0));
        }
        let asked: Vec<Id> = conditions.scalars.iter().map(|&(_, id)| id).collect();
        let values = solver.values(arena, &asked)?;
        Ok(Some((lengths, model_of(&conditions.scalars, &values))))
    }
}
