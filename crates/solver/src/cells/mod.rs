//! Words as rows of cells: arithmetic chooses lengths and places, and then it is plain which cells
//! are the same.
//!
//! A string term is a row of as many cells as it is long. A concatenation has its parts inside, a
//! piece lies inside of its text, equal strings lie inside of each other, and so on. Arithmetic
//! chooses the lengths, the places and which equations hold. Cells that lie in the same place are
//! the same, so that letters of literals spread. If two different letters meet, the way on which
//! they met is a law that forbids it (see `lemma`), and arithmetic chooses again. If none meet, the
//! rest of the cells get letters that languages want, or letters of their own, and the referee
//! looks at the model.
//!
//! All that arithmetic is told follows from the problem, so if it has no choice left, the problem
//! has no model.

mod board;
mod fill;
mod lemma;
mod reading;

use luthier_semantics::{Evaluator, Model, Value};
use luthier_terms::{BigInt, SmtString};
use num_traits::ToPrimitive;

use crate::arithmetic::{Answer, ArithmeticSolver, Backend, Id, Value as Number, Z3};
use crate::automata::Dfa;
use crate::languages::LengthSet;
use crate::{Budget, Engine, Problem, Proof, Verdict, Why};
use board::{Board, Chosen};
use fill::Automata;
use lemma::lemma;
use reading::Reading;

/// How long strings are at most, in the order of trying.
const LONGEST: [usize; 3] = [60, 1_000, 20_000];

/// More cells are not looked at.
const MOST_CELLS: usize = 400_000;

/// How many models the referee is shown.
const MOST_MODELS: usize = 12;

/// The largest automaton.
const STATES: usize = 2_000;

/// The engine.
#[derive(Clone, Debug)]
pub struct Cells {
    /// The arithmetic solver.
    pub backend: Backend,
}

impl Engine for Cells {
    fn name(&self) -> &'static str {
        "cells"
    }

    fn run(&self, problem: &Problem, budget: &Budget) -> Verdict {
        match self.decide(problem, budget) {
            Ok(Some(model)) => Verdict::Sat(model),
            Ok(None) => {
                let argument = "no lengths let the letters of its equations agree".to_owned();
                Verdict::Unsat(Proof { engine: self.name(), argument })
            }
            Err(why) => Verdict::Unknown(why),
        }
    }
}

impl Cells {
    /// A model, or `None` if there is none.
    fn decide(&self, problem: &Problem, budget: &Budget) -> Result<Option<Model>, Why> {
        let unsupported = || Why::Unsupported("functions or quantifiers in cells".to_owned());
        let reading = Reading::new(problem).ok_or_else(unsupported)?;
        if reading.insides.is_empty() {
            return Err(Why::Unsupported("no cells in common".to_owned()));
        }
        let mut solver = Z3::start(&self.backend)?;
        for &formula in &reading.conditions.formulas {
            solver.assert(&reading.conditions.arena, formula)?;
        }
        Rounds::new(problem, reading, solver, budget).run()
    }
}

/// What goes on between arithmetic and the cells.
struct Rounds<'a> {
    problem: &'a Problem,
    reading: Reading,
    solver: Z3,
    budget: &'a Budget,
    automata: Automata,
    /// That models which the referee refused are not tried again.
    fresh: Id,
    /// How many it refused.
    refused: usize,
}

impl<'a> Rounds<'a> {
    fn new(problem: &'a Problem, mut reading: Reading, solver: Z3, budget: &'a Budget) -> Self {
        let fresh = reading.conditions.arena.fresh_bool("fresh");
        let automata = Automata::default();
        Self { problem, reading, solver, budget, automata, fresh, refused: 0 }
    }

    fn run(mut self) -> Result<Option<Model>, Why> {
        let mut bounds = LONGEST.iter();
        let mut short = self.shorter_than(bounds.next());
        loop {
            self.budget.check()?;
            let arena = &self.reading.conditions.arena;
            match self.solver.check(arena, &[self.fresh, short], self.budget)? {
                Answer::Sat => {}
                Answer::Unsat(core) if core.is_empty() => return Ok(None),
                Answer::Unsat(core) if core.contains(&short) && bounds.len() > 0 => {
                    short = self.shorter_than(bounds.next());
                    continue;
                }
                Answer::Unsat(_) => return Err(Why::Incomplete("no other lengths".to_owned())),
                Answer::Unknown(why) => return Err(Why::Incomplete(why)),
            }
            if let Some(model) = self.round()? {
                return Ok(Some(model));
            }
            if self.refused >= MOST_MODELS {
                return Err(Why::Incomplete("letters do more than to agree".to_owned()));
            }
        }
    }

    fn shorter_than(&mut self, most: Option<&usize>) -> Id {
        let Reading { conditions, rows, .. } = &mut self.reading;
        let arena = &mut conditions.arena;
        let most = arena.int(most.copied().unwrap_or(0));
        let all: Vec<Id> = rows.iter().map(|row| arena.le(row.length, most)).collect();
        arena.and(&all)
    }

    /// Looks at what arithmetic has chosen; asserts what is wrong with it if it is no model.
    fn round(&mut self) -> Result<Option<Model>, Why> {
        let (chosen, mut model, memberships, as_it_is) = self.take()?;
        if chosen.lengths.iter().sum::<usize>() > MOST_CELLS {
            return Err(Why::Incomplete("too many cells".to_owned()));
        }
        if self.learn_lengths(&memberships)? {
            return Ok(None);
        }
        let (mut board, conflicts) = Board::new(&self.reading, &chosen, self.budget)?;
        if !conflicts.is_empty() {
            drop(board);
            for conflict in conflicts {
                let lemma = lemma(&mut self.reading, &conflict);
                self.solver.assert(&self.reading.conditions.arena, lemma)?;
            }
            return Ok(None);
        }
        let mut filled = true;
        for (number, &holds) in memberships.iter().enumerate() {
            if let Some(Some(automaton)) = self.automata.get(&(number, holds)) {
                let row = self.reading.memberships[number].row;
                filled &= board.fill(row, automaton, self.budget)?;
            }
        }
        board.fill_the_rest(|letter| self.reading.letters.contains(&letter));
        for (number, row) in self.reading.rows.iter().enumerate() {
            if let (Some(function), Some(text)) =
                (row.constant, SmtString::from_codes(board.word(number)))
            {
                model.insert_value(function, Value::String(text));
            }
        }
        drop(board);
        if filled {
            let mut evaluator = Evaluator::new(&self.problem.pool, &model);
            let mut assertions = self.problem.assertions.iter();
            if assertions.all(|&one| evaluator.evaluate(one).is_true()) {
                return Ok(Some(model));
            }
        }
        self.refused += 1;
        let arena = &mut self.reading.conditions.arena;
        let same = arena.and(&as_it_is);
        let other = arena.not(same);
        let other = arena.implies(self.fresh, other);
        self.solver.assert(&self.reading.conditions.arena, other)?;
        Ok(None)
    }

    /// The choice of arithmetic: lengths and places, values of what is no string, and which
    /// memberships hold; and formulas that say that it is this choice.
    #[allow(clippy::type_complexity, reason = "the four parts are taken apart at once")]
    fn take(&mut self) -> Result<(Chosen, Model, Vec<bool>, Vec<Id>), Why> {
        let Reading { conditions, rows, insides, memberships, .. } = &mut self.reading;
        let arena = &mut conditions.arena;
        let always = arena.bool(true);
        let premise = |inside: &reading::Inside| inside.premise.unwrap_or(always);
        let mut asked: Vec<Id> = rows.iter().map(|row| row.length).collect();
        asked.extend(insides.iter().map(|inside| inside.offset));
        asked.extend(insides.iter().map(premise));
        asked.extend(memberships.iter().map(|one| one.holds));
        asked.extend(conditions.scalars.iter().map(|&(_, id)| id));
        let values = self.solver.values(arena, &asked)?;
        let (lengths, rest) = values.split_at(rows.len());
        let (offsets, rest) = rest.split_at(insides.len());
        let (premises, rest) = rest.split_at(insides.len());
        let (held, scalars) = rest.split_at(memberships.len());
        let mut as_it_is = Vec::new();
        for (&id, value) in asked.iter().zip(&values) {
            match value {
                Number::Int(number) => {
                    let number = arena.int(number.clone());
                    as_it_is.push(arena.eq(id, number));
                }
                Number::Bool(true) => as_it_is.push(id),
                Number::Bool(false) => as_it_is.push(arena.not(id)),
                Number::Uninterpreted(_) => {}
            }
        }
        let length = |value: &Number| value.as_int().and_then(BigInt::to_usize).unwrap_or(0);
        let offset = |(value, premise): (&Number, &Number)| {
            value.as_int().and_then(BigInt::to_i64).filter(|_| premise.is_true())
        };
        let chosen = Chosen {
            lengths: lengths.iter().map(length).collect(),
            offsets: offsets.iter().zip(premises).map(offset).collect(),
        };
        let mut model = Model::new();
        for (&(function, _), value) in conditions.scalars.iter().zip(scalars) {
            match value {
                Number::Bool(value) => model.insert_value(function, Value::Bool(*value)),
                Number::Int(number) => model.insert_value(function, Value::Int(number.clone())),
                Number::Uninterpreted(_) => None,
            };
        }
        Ok((chosen, model, held.iter().map(Number::is_true).collect(), as_it_is))
    }

    /// Says how long the words of languages are that were not met before; `false` if there are
    /// none.
    fn learn_lengths(&mut self, memberships: &[bool]) -> Result<bool, Why> {
        let mut learned = false;
        for (number, &holds) in memberships.iter().enumerate() {
            if self.automata.contains_key(&(number, holds)) {
                continue;
            }
            let Reading { conditions, rows, memberships, regexes, .. } = &mut self.reading;
            let membership = &memberships[number];
            let regex = match holds {
                true => membership.regex,
                false => regexes.complement(membership.regex),
            };
            let automaton = Dfa::within(regexes, regex, STATES, self.budget)?;
            if let Some(automaton) = &automaton {
                let set = LengthSet::new(automaton, self.budget)?;
                let arena = &mut conditions.arena;
                let premise = if holds { membership.holds } else { arena.not(membership.holds) };
                let right = set.holds(arena, rows[membership.row].length);
                if set.is_exact() {
                    let fact = arena.implies(premise, right);
                    self.solver.assert(arena, fact)?;
                    learned = true;
                }
            }
            self.automata.insert((number, holds), automaton);
        }
        Ok(learned)
    }
}
