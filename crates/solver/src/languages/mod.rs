//! Memberships in regular languages with length constraints: a decision procedure for problems in
//! which every assertion is about the language of one constant or about lengths only.
//!
//! The languages of each constant are intersected by derivatives into one automaton. The lengths of
//! its words are an ultimately periodic set (see `automata::lengths`), a formula of Presburger arithmetic.
//! The arithmetic solver decides these sets together with the length constraints; words of the
//! chosen lengths are a model.
//!
//! Sound in both directions: intersections are exact, and a word of an allowed length can be chosen
//! for each constant independently. `unsat` needs exact length sets and a core without the limit on
//! lengths. Source: Brzozowski: Derivatives of Regular Expressions (JACM 1964), sections 3 to 5;
//! the combination with lengths is ours. Limits: `languages.states`, `languages.length`; beyond
//! them `unknown`.

mod memberships;

use luthier_semantics::{Model, Value};
use luthier_terms::{SmtString, Term};

use crate::arithmetic::{Answer, Backend, Id, model_of};
use crate::automata::{Dfa, LengthSet, word_of_length};
use crate::length_abstraction::LengthAbstraction;
use crate::{Budget, Engine, Limit, Problem, Proof, UnknownReason, Verdict};
use memberships::Memberships;
pub(crate) use memberships::is_length_constraint;

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
        translate(problem).map(drop)
    }

    fn decide(&self, problem: &Problem, budget: &Budget) -> Verdict {
        match self.solve(problem, budget) {
            Ok(Some(model)) => Verdict::Sat(model),
            Ok(None) => {
                let argument =
                    "no words of its regular languages have lengths that satisfy the constraints"
                        .to_owned();
                Verdict::Unsat(Proof { engine: self.name(), argument })
            }
            Err(reason) => Verdict::Unknown(reason),
        }
    }
}

fn translate(problem: &Problem) -> Result<Memberships, UnknownReason> {
    let unsupported = || UnknownReason::Unsupported("more than languages and lengths".to_owned());
    Memberships::new(&problem.pool, &problem.assertions).ok_or_else(unsupported)
}

impl Languages {
    /// A model, or `None` if there is none.
    fn solve(&self, problem: &Problem, budget: &Budget) -> Result<Option<Model>, UnknownReason> {
        let mut memberships = translate(problem)?;
        let states = budget.limit(Limit::LanguagesStates);
        let mut automata = Vec::with_capacity(memberships.constants.len());
        let mut sets = Vec::with_capacity(memberships.constants.len());
        for (_, languages) in &memberships.constants {
            budget.check()?;
            let language = match languages.is_empty() {
                true => memberships.regexes.all(),
                false => memberships.regexes.intersection(languages.iter().copied()),
            };
            let automaton = Dfa::within(&mut memberships.regexes, language, states, budget)?;
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
        let Some((lengths, mut model)) =
            self.solve_lengths(problem, &memberships, &sets, budget)?
        else {
            return Ok(None);
        };
        for ((&(constant, _), automaton), length) in
            memberships.constants.iter().zip(&automata).zip(lengths)
        {
            let text = word_of_length(automaton, length, budget)?.and_then(SmtString::from_codes);
            let (Some(text), Term::Apply(function, _)) = (text, problem.pool.term(constant)) else {
                return Err(UnknownReason::Incomplete("a word is too long".to_owned()));
            };
            model.insert_value(function, Value::String(text));
        }
        Ok(Some(model))
    }

    /// Lengths that satisfy the constraints, with values of all constants that are not strings.
    fn solve_lengths(
        &self,
        problem: &Problem,
        memberships: &Memberships,
        sets: &[LengthSet],
        budget: &Budget,
    ) -> Result<Option<(Vec<usize>, Model)>, UnknownReason> {
        if memberships.conditions.is_empty() {
            let shortest: Option<Vec<usize>> = sets.iter().map(LengthSet::least).collect();
            let open = || UnknownReason::Incomplete("the shortest word is too long".to_owned());
            return Ok(Some((shortest.ok_or_else(open)?, Model::new())));
        }
        let mut abstraction = LengthAbstraction::new(
            &problem.pool,
            &memberships.numbers,
            &memberships.conditions,
            budget,
        );
        let mut solver = self.backend.start()?;
        let arena = &mut abstraction.arena;
        for (&length, set) in abstraction.lengths.iter().zip(sets) {
            abstraction.formulas.push(set.contains(arena, length));
        }
        for &formula in &abstraction.formulas {
            solver.assert(arena, formula)?;
        }
        let most = arena.int(budget.limit(Limit::LanguagesLength));
        let short: Vec<Id> = abstraction.lengths.iter().map(|&one| arena.le(one, most)).collect();
        match solver.check(arena, &short, budget)? {
            Answer::Sat => {}
            Answer::Unsat(core) if core.is_empty() && sets.iter().all(LengthSet::is_exact) => {
                return Ok(None);
            }
            Answer::Unsat(core) => {
                if !core.is_empty() {
                    budget.limits().hit(Limit::LanguagesLength);
                }
                return Err(UnknownReason::Incomplete(
                    "no words within the length limit".to_owned(),
                ));
            }
            Answer::Unknown(reason) => return Err(UnknownReason::Incomplete(reason)),
        }
        let mut lengths = Vec::with_capacity(sets.len());
        for value in solver.values(arena, &abstraction.lengths)? {
            lengths.push(value.as_usize().unwrap_or(0));
        }
        let queried: Vec<Id> = abstraction.scalars.iter().map(|&(_, id)| id).collect();
        let values = solver.values(arena, &queried)?;
        Ok(Some((lengths, model_of(&abstraction.scalars, &values))))
    }
}
