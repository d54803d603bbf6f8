//! The refinement loop of the length-first engine, between the arithmetic solver and the letters.
//!
//! Each round: the arithmetic solver proposes a candidate (lengths, offsets, truth values). Letters
//! are propagated over it. The first of these that applies ends the round: the length sets of new
//! combinations of memberships are asserted; letter conflicts become lemmas (`lemma`); occurrences
//! at excluded offsets become lemmas (`non_occurrence`); else the remaining positions are filled
//! and the referee evaluates the model. A candidate that cannot be filled or that the referee
//! rejects is blocked under the assumption `blocking`, because that argument is not a proof.
//!
//! `unsat` is reported only for an empty core: without the blocking clauses and without the bound
//! on lengths, all that is asserted follows from the problem. Limits: lengths up to 60, 1,000 and
//! `cells.length`; `cells.models` rejected candidates; then the answer is `unknown`.

use std::collections::BTreeMap;

use luthier_semantics::{Evaluator, Model, Value};
use luthier_terms::SmtString;
use rustc_hash::FxHashMap;

use super::candidate::Candidate;
use super::constraints::Constraints;
use super::lemma::conflict_lemma;
use super::letter_classes::LetterClasses;
use super::non_occurrence;
use crate::arithmetic::{Answer, ArithmeticSolver, Id};
use crate::automata::{Dfa, LengthSet, Regex};
use crate::{Budget, Limit, Problem, UnknownReason};

/// Bounds on lengths that are tried before `cells.length`.
const FIRST_LENGTHS: [usize; 3] = [60, 1_000, 20_000];

/// Memberships of one word, by their numbers, and whether they hold.
type SignedMemberships = Vec<(usize, bool)>;

/// The state of the refinement loop.
pub struct Refinement<'a> {
    problem: &'a Problem,
    constraints: Constraints,
    solver: Box<dyn ArithmeticSolver>,
    budget: &'a Budget,
    /// The automaton of a combination of memberships; `None` if it is too large.
    automata: FxHashMap<SignedMemberships, Option<Dfa>>,
    /// Assumed so that rejected candidates are not proposed again.
    blocking: Id,
    /// The number of rejected candidates.
    refused: usize,
}

impl<'a> Refinement<'a> {
    /// The loop with a solver in which the constraints are asserted.
    pub fn new(
        problem: &'a Problem,
        mut constraints: Constraints,
        solver: Box<dyn ArithmeticSolver>,
        budget: &'a Budget,
    ) -> Self {
        let blocking = constraints.abstraction.arena.fresh_bool("fresh");
        let automata = FxHashMap::default();
        Self { problem, constraints, solver, budget, automata, blocking, refused: 0 }
    }

    /// A model, or `None` if there is none.
    pub fn run(mut self) -> Result<Option<Model>, UnknownReason> {
        let longest = self.budget.limit(Limit::CellsLength);
        let first = FIRST_LENGTHS.into_iter().filter(|&length| length < longest);
        let mut bounds = first.chain([longest]).collect::<Vec<usize>>().into_iter();
        let mut short = self.not_longer_than(bounds.next());
        loop {
            self.budget.check()?;
            let arena = &self.constraints.abstraction.arena;
            match self.solver.check(arena, &[self.blocking, short], self.budget)? {
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
                    return Err(UnknownReason::Incomplete(
                        "no other candidate within the length limit".to_owned(),
                    ));
                }
                Answer::Unknown(reason) => return Err(UnknownReason::Incomplete(reason)),
            }
            if let Some(model) = self.round()? {
                return Ok(Some(model));
            }
            if self.refused >= self.budget.limit(Limit::CellsModels) {
                self.budget.limits().hit(Limit::CellsModels);
                return Err(UnknownReason::Incomplete(
                    "candidates violate constraints that are not modelled".to_owned(),
                ));
            }
        }
    }

    fn not_longer_than(&mut self, most: Option<usize>) -> Id {
        let Constraints { abstraction, words, .. } = &mut self.constraints;
        let arena = &mut abstraction.arena;
        let most = arena.int(most.unwrap_or(0));
        let all: Vec<Id> = words.iter().map(|word| arena.le(word.length, most)).collect();
        arena.and(&all)
    }

    /// Examines one candidate; asserts a lemma or blocks it if it is not a model.
    fn round(&mut self) -> Result<Option<Model>, UnknownReason> {
        let candidate = Candidate::from_solver(&mut self.constraints, &mut *self.solver)?;
        let positions = candidate.lengths.iter().fold(0_usize, |sum, &one| sum.saturating_add(one));
        if self.budget.limits().exceeds(Limit::CellsCells, positions) {
            return Err(UnknownReason::Incomplete("too many letter positions".to_owned()));
        }
        let languages = self.languages(&candidate);
        if self.learn_lengths(&languages)? {
            return Ok(None);
        }
        let (mut classes, conflicts) =
            LetterClasses::new(&self.constraints, &candidate, self.budget)?;
        if !conflicts.is_empty() {
            drop(classes);
            for conflict in conflicts {
                let lemma = conflict_lemma(&mut self.constraints, &conflict, self.budget);
                self.solver.assert(&self.constraints.abstraction.arena, lemma)?;
            }
            return Ok(None);
        }
        let occurrences = non_occurrence::forbidden_occurrences(
            &self.constraints,
            &candidate,
            &classes,
            self.budget,
        )?;
        if !occurrences.is_empty() {
            drop(classes);
            for occurrence in occurrences {
                let lemma = non_occurrence::lemma(&mut self.constraints, &occurrence);
                self.solver.assert(&self.constraints.abstraction.arena, lemma)?;
            }
            return Ok(None);
        }
        let mut filled = true;
        for (&word, memberships) in &languages {
            if let Some(Some(automaton)) = self.automata.get(memberships) {
                filled &= classes.fill(word, automaton, self.budget)?;
            }
        }
        if filled && let Some(model) = self.model(classes, &candidate) {
            return Ok(Some(model));
        }
        self.refused += 1;
        let arena = &mut self.constraints.abstraction.arena;
        let other = arena.not(candidate.formula);
        let other = arena.implies(self.blocking, other);
        self.solver.assert(arena, other)?;
        Ok(None)
    }

    /// The values of all words as a model, if the referee accepts it.
    fn model(&self, mut classes: LetterClasses<'_>, candidate: &Candidate) -> Option<Model> {
        classes.fill_remaining(|letter| self.constraints.letters.contains(&letter));
        let mut model = candidate.scalars.clone();
        for (number, word) in self.constraints.words.iter().enumerate() {
            if let Some(function) = word.constant {
                let text = SmtString::from_codes(classes.value(number))?;
                model.insert_value(function, Value::String(text));
            }
        }
        let limits = self.budget.evaluation_limits();
        let mut evaluator = Evaluator::with_limits(&self.problem.pool, &model, limits);
        let mut assertions = self.problem.assertions.iter();
        assertions.all(|&one| evaluator.evaluate(one).is_true()).then_some(model)
    }

    /// The memberships of each word, as the candidate has them.
    fn languages(&self, candidate: &Candidate) -> BTreeMap<usize, SignedMemberships> {
        let mut languages: BTreeMap<usize, SignedMemberships> = BTreeMap::new();
        for (number, &holds) in candidate.memberships.iter().enumerate() {
            let word = self.constraints.memberships[number].word;
            languages.entry(word).or_default().push((number, holds));
        }
        languages
    }

    /// Asserts the length sets of combinations of memberships that are new; `false` if there are
    /// none.
    fn learn_lengths(
        &mut self,
        languages: &BTreeMap<usize, SignedMemberships>,
    ) -> Result<bool, UnknownReason> {
        let mut learned = false;
        for (&word, chosen) in languages {
            if self.automata.contains_key(chosen) {
                continue;
            }
            let Constraints { abstraction, words, memberships, regexes, .. } =
                &mut self.constraints;
            let arena = &mut abstraction.arena;
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
                    let right = set.contains(arena, words[word].length);
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
