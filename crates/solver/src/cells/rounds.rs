//! What goes on between arithmetic and the cells.

use std::collections::BTreeMap;

use luthier_semantics::{Evaluator, Model, Value};
use luthier_terms::SmtString;
use rustc_hash::FxHashMap;

use super::apart;
use super::board::Board;
use super::choice::Choice;
use super::lemma::lemma;
use super::reading::Reading;
use crate::arithmetic::{Answer, ArithmeticSolver, Id};
use crate::automata::{Dfa, Regex};
use crate::languages::LengthSet;
use crate::{Budget, Limit, Problem, Why};

/// Lengths of strings that are tried before the longest ones.
const FIRST_LENGTHS: [usize; 2] = [60, 1_000];

/// Memberships of one row, by their numbers, and whether they hold.
type Memberships = Vec<(usize, bool)>;

/// Arithmetic and the cells, in turns.
pub struct Rounds<'a> {
    problem: &'a Problem,
    reading: Reading,
    solver: Box<dyn ArithmeticSolver>,
    budget: &'a Budget,
    /// What memberships say of a row together; `None` if it is too large.
    automata: FxHashMap<Memberships, Option<Dfa>>,
    /// That models which the referee refused are not tried again.
    fresh: Id,
    /// How many it refused.
    refused: usize,
}

impl<'a> Rounds<'a> {
    /// With a solver that knows the conditions.
    pub fn new(
        problem: &'a Problem,
        mut reading: Reading,
        solver: Box<dyn ArithmeticSolver>,
        budget: &'a Budget,
    ) -> Self {
        let fresh = reading.conditions.arena.fresh_bool("fresh");
        let automata = FxHashMap::default();
        Self { problem, reading, solver, budget, automata, fresh, refused: 0 }
    }

    /// A model, or `None` if there is none.
    pub fn run(mut self) -> Result<Option<Model>, Why> {
        let longest = self.budget.limit(Limit::CellsLength);
        let first = FIRST_LENGTHS.into_iter().filter(|&length| length < longest);
        let mut bounds = first.chain([longest]).collect::<Vec<usize>>().into_iter();
        let mut short = self.not_longer_than(bounds.next());
        loop {
            self.budget.check()?;
            let arena = &self.reading.conditions.arena;
            match self.solver.check(arena, &[self.fresh, short], self.budget)? {
                Answer::Sat => {}
                Answer::Unsat(core) if core.is_empty() => return Ok(None),
                Answer::Unsat(core) if core.contains(&short) && bounds.len() > 0 => {
                    short = self.not_longer_than(bounds.next());
                    continue;
                }
                Answer::Unsat(core) => {
                    if core.contains(&short) {
                        self.budget.limits().hit(Limit::CellsLength);
                    }
                    return Err(Why::Incomplete("no other lengths".to_owned()));
                }
                Answer::Unknown(why) => return Err(Why::Incomplete(why)),
            }
            if let Some(model) = self.round()? {
                return Ok(Some(model));
            }
            if self.refused >= self.budget.limit(Limit::CellsModels) {
                self.budget.limits().hit(Limit::CellsModels);
                return Err(Why::Incomplete("letters do more than to agree".to_owned()));
            }
        }
    }

    fn not_longer_than(&mut self, most: Option<usize>) -> Id {
        let Reading { conditions, rows, .. } = &mut self.reading;
        let arena = &mut conditions.arena;
        let most = arena.int(most.unwrap_or(0));
        let all: Vec<Id> = rows.iter().map(|row| arena.le(row.length, most)).collect();
        arena.and(&all)
    }

    /// Looks at what arithmetic has chosen; asserts what is wrong with it if it is no model.
    fn round(&mut self) -> Result<Option<Model>, Why> {
        let choice = Choice::take(&mut self.reading, &mut *self.solver)?;
        let cells = choice.lengths.iter().fold(0_usize, |sum, &one| sum.saturating_add(one));
        if self.budget.limits().exceeds(Limit::CellsCells, cells) {
            return Err(Why::Incomplete("too many cells".to_owned()));
        }
        let languages = self.languages(&choice);
        if self.learn_lengths(&languages)? {
            return Ok(None);
        }
        let (mut board, conflicts) = Board::new(&self.reading, &choice, self.budget)?;
        if !conflicts.is_empty() {
            drop(board);
            for conflict in conflicts {
                let lemma = lemma(&mut self.reading, &conflict, self.budget);
                self.solver.assert(&self.reading.conditions.arena, lemma)?;
            }
            return Ok(None);
        }
        let occurrences = apart::occurrences(&self.reading, &choice, &board, self.budget)?;
        if !occurrences.is_empty() {
            drop(board);
            for occurrence in occurrences {
                let lemma = apart::lemma(&mut self.reading, &occurrence);
                self.solver.assert(&self.reading.conditions.arena, lemma)?;
            }
            return Ok(None);
        }
        let mut filled = true;
        for (&row, memberships) in &languages {
            if let Some(Some(automaton)) = self.automata.get(memberships) {
                filled &= board.fill(row, automaton, self.budget)?;
            }
        }
        if filled && let Some(model) = self.model(board, &choice) {
            return Ok(Some(model));
        }
        self.refused += 1;
        let arena = &mut self.reading.conditions.arena;
        let other = arena.not(choice.formula);
        let other = arena.implies(self.fresh, other);
        self.solver.assert(arena, other)?;
        Ok(None)
    }

    /// The words of the board as a model, if the referee agrees.
    fn model(&self, mut board: Board<'_>, choice: &Choice) -> Option<Model> {
        board.fill_the_rest(|letter| self.reading.letters.contains(&letter));
        let mut model = choice.scalars.clone();
        for (number, row) in self.reading.rows.iter().enumerate() {
            if let Some(function) = row.constant {
                let text = SmtString::from_codes(board.word(number))?;
                model.insert_value(function, Value::String(text));
            }
        }
        let limits = self.budget.evaluation_limits();
        let mut evaluator = Evaluator::with_limits(&self.problem.pool, &model, limits);
        let mut assertions = self.problem.assertions.iter();
        assertions.all(|&one| evaluator.evaluate(one).is_true()).then_some(model)
    }

    /// What was chosen about the languages of each row.
    fn languages(&self, choice: &Choice) -> BTreeMap<usize, Memberships> {
        let mut languages: BTreeMap<usize, Memberships> = BTreeMap::new();
        for (number, &holds) in choice.memberships.iter().enumerate() {
            let row = self.reading.memberships[number].row;
            languages.entry(row).or_default().push((number, holds));
        }
        languages
    }

    /// Says how long the words of languages are that were not met before; `false` if there are
    /// none.
    fn learn_lengths(&mut self, languages: &BTreeMap<usize, Memberships>) -> Result<bool, Why> {
        let mut learned = false;
        for (&row, chosen) in languages {
            if self.automata.contains_key(chosen) {
                continue;
            }
            let Reading { conditions, rows, memberships, regexes, .. } = &mut self.reading;
            let arena = &mut conditions.arena;
            let (mut premises, mut parts): (Vec<Id>, Vec<Regex>) = (Vec::new(), Vec::new());
            for &(number, holds) in chosen {
                let one = &memberships[number];
                premises.push(if holds { one.holds } else { arena.not(one.holds) });
                parts.push(if holds { one.regex } else { regexes.complement(one.regex) });
            }
            let regex = regexes.intersection(parts);
            let states = self.budget.limit(Limit::CellsStates);
            let automaton = Dfa::within(regexes, regex, states, self.budget)?;
            if let Some(automaton) = &automaton {
                let set = LengthSet::new(automaton, self.budget)?;
                if set.is_exact() {
                    let premise = arena.and(&premises);
                    let right = set.holds(arena, rows[row].length);
                    let fact = arena.implies(premise, right);
                    self.solver.assert(arena, fact)?;
                    learned = true;
                }
            }
            if automaton.is_none() {
                self.budget.limits().hit(Limit::CellsStates);
            }
            self.automata.insert(chosen.clone(), automaton);
        }
        Ok(learned)
    }
}
