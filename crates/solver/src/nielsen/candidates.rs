//! Candidate models along walks: arithmetic makes the choices, the referee sees the values.

use luthier_semantics::{Evaluator, Model, Value};
use luthier_terms::SmtString;
use rustc_hash::{FxHashMap, FxHashSet};

use super::lengths::{Choice, Form, Lengths, Product, Turns, lengths};
use super::reading::Reading;
use super::spell::spell;
use super::system::{Equation, Symbol};
use super::walk::Walk;
use crate::arithmetic::{Answer, ArithmeticSolver, Backend, Id, Value as Number, model_of};
use crate::length_abstraction::LengthAbstraction;
use crate::{Budget, Limit, Problem, UnknownReason};

/// What happens to cycles that add what is open, in the order of trying.
const TURNS: [Turns; 3] = [Turns::None, Turns::Settled, Turns::Open];

/// Values of choices, and of all constants that are no strings.
type Chosen = (FxHashMap<Choice, usize>, Model);

/// Makes candidate models of walks.
pub struct Candidates<'a> {
    problem: &'a Problem,
    reading: &'a Reading,
    backend: &'a Backend,
    conditions: LengthAbstraction,
    solver: Option<Box<dyn ArithmeticSolver>>,
    /// The arithmetic constants of choices.
    choices: FxHashMap<Choice, Id>,
    /// What was tried.
    tried: FxHashSet<(Vec<Form>, Vec<Product>)>,
    /// Whether products took too long.
    are_products_hard: bool,
}

impl<'a> Candidates<'a> {
    /// For the conditions of a problem.
    pub fn new(
        problem: &'a Problem,
        reading: &'a Reading,
        backend: &'a Backend,
        budget: &Budget,
    ) -> Self {
        let (numbers, assertions) = (&reading.numbers, &reading.conditions);
        let mut conditions = LengthAbstraction::new(&problem.pool, numbers, assertions, budget);
        let most = conditions.arena.int(budget.limit(Limit::NielsenLength));
        for &length in &conditions.lengths {
            let fact = conditions.arena.le(length, most);
            conditions.formulas.push(fact);
        }
        Self {
            problem,
            reading,
            backend,
            conditions,
            solver: None,
            choices: FxHashMap::default(),
            tried: FxHashSet::default(),
            are_products_hard: false,
        }
    }

    /// A model among the solutions that a walk gives.
    pub fn along(&mut self, walk: &Walk, budget: &Budget) -> Result<Option<Model>, UnknownReason> {
        let variables = self.reading.functions.len();
        for turns in TURNS {
            if turns == Turns::Open && self.are_products_hard {
                continue;
            }
            let Some(lengths) = lengths(walk, variables, turns) else { continue };
            if !self.tried.insert((lengths.forms.clone(), lengths.products.clone())) {
                continue;
            }
            let Some((choices, scalars)) = self.choose(&lengths, budget)? else { continue };
            let other = self.reading.other_letter();
            let own = self.reading.letters.iter().copied().min().unwrap_or(other);
            for filler in [other, own] {
                let Some(values) = spell(walk, variables, &choices, filler, budget)? else { break };
                if let Some(model) = self.checked(scalars.clone(), values, budget) {
                    return Ok(Some(model));
                }
            }
        }
        Ok(None)
    }

    /// A model in which all strings consist of one letter, if the equations have no other: then
    /// they are equations of lengths.
    pub fn uniform(&mut self, budget: &Budget) -> Result<Option<Model>, UnknownReason> {
        let symbols = |one: &'a Equation| one.left.iter().chain(&one.right);
        let mut letters =
            self.reading.equations.iter().flat_map(symbols).filter_map(|symbol| match *symbol {
                Symbol::Letter(letter) => Some(letter),
                Symbol::Variable(_) => None,
            });
        let letter = letters.next().unwrap_or_else(|| self.reading.other_letter());
        if letters.any(|other| other != letter) {
            return Ok(None);
        }
        let LengthAbstraction { arena, lengths, scalars, .. } = &mut self.conditions;
        let (zero, one) = (arena.int(0), arena.int(1));
        let mut formulas: Vec<Id> = lengths.iter().map(|&length| arena.ge(length, zero)).collect();
        for equation in &self.reading.equations {
            let [left, right] = [&equation.left, &equation.right].map(|side| {
                let parts = side.iter().map(|symbol| match *symbol {
                    Symbol::Letter(_) => one,
                    Symbol::Variable(variable) => lengths[variable as usize],
                });
                arena.add(&parts.collect::<Vec<Id>>())
            });
            formulas.push(arena.eq(left, right));
        }
        let all = arena.and(&formulas);
        let asked: Vec<Id> =
            lengths.iter().copied().chain(scalars.iter().map(|&(_, id)| id)).collect();
        let Some(values) = self.ask(all, &asked, budget)? else { return Ok(None) };
        let (lengths, scalars) = values.split_at(self.conditions.lengths.len());
        let longest = budget.limit(Limit::NielsenLength);
        let text = |length: usize| (length <= longest).then(|| vec![letter; length]);
        let texts = lengths.iter().map(|value| text(value.as_usize()?)).collect::<Option<_>>();
        let Some(texts) = texts else { return Ok(None) };
        Ok(self.checked(self.scalars(scalars), texts, budget))
    }

    /// The model with these strings, if the referee agrees.
    fn checked(&self, mut model: Model, texts: Vec<Vec<u32>>, budget: &Budget) -> Option<Model> {
        for (&function, text) in self.reading.functions.iter().zip(texts) {
            model.insert_value(function, Value::String(SmtString::from_codes(text)?));
        }
        let mut evaluator =
            Evaluator::with_limits(&self.problem.pool, &model, budget.evaluation_limits());
        let mut assertions = self.problem.assertions.iter();
        assertions.all(|&one| evaluator.evaluate(one).is_true()).then_some(model)
    }

    /// The values of all that is no string.
    fn scalars(&self, values: &[Number]) -> Model {
        model_of(&self.conditions.scalars, values)
    }

    /// Choices for which the lengths satisfy the conditions, with the values of all that is no
    /// string.
    fn choose(
        &mut self,
        lengths: &Lengths,
        budget: &Budget,
    ) -> Result<Option<Chosen>, UnknownReason> {
        let settled = lengths.settled.iter();
        let mut chosen: FxHashMap<Choice, usize> = settled
            .map(|(&choice, &value)| (choice, usize::try_from(value).unwrap_or(0)))
            .collect();
        if self.reading.conditions.is_empty() {
            return Ok(Some((chosen, Model::new())));
        }
        let mut equations = Vec::with_capacity(lengths.forms.len());
        let mut open: Vec<(Choice, Id)> = Vec::new();
        for (variable, form) in lengths.forms.iter().enumerate() {
            let sum = self.sum(form, &mut open);
            equations.push(self.conditions.arena.eq(self.conditions.lengths[variable], sum));
        }
        for product in &lengths.products {
            let step = self.sum(&product.step, &mut open);
            let (gain, times) = (self.choice(product.gain), self.choice(product.times));
            open.push((product.times, times));
            let turns = self.conditions.arena.mul(times, step);
            equations.push(self.conditions.arena.eq(gain, turns));
        }
        for &(_, id) in &open {
            let zero = self.conditions.arena.int(0);
            equations.push(self.conditions.arena.ge(id, zero));
        }
        let all = self.conditions.arena.and(&equations);
        let scalars = self.conditions.scalars.iter().map(|&(_, id)| id);
        let asked: Vec<Id> = open.iter().map(|&(_, id)| id).chain(scalars).collect();
        let Some(values) = self.ask(all, &asked, budget)? else {
            return Ok(None);
        };
        let (choices, scalars) = values.split_at(open.len());
        for (&(choice, _), value) in open.iter().zip(choices) {
            chosen.insert(choice, value.as_usize().unwrap_or(0));
        }
        Ok(Some((chosen, self.scalars(scalars))))
    }

    /// The values of terms under the conditions and a formula, if both can hold.
    fn ask(
        &mut self,
        formula: Id,
        terms: &[Id],
        budget: &Budget,
    ) -> Result<Option<Vec<Number>>, UnknownReason> {
        let arena = &self.conditions.arena;
        let solver = match &mut self.solver {
            Some(solver) => solver,
            None => {
                let mut started = self.backend.start()?;
                for &fact in &self.conditions.formulas {
                    started.assert(arena, fact)?;
                }
                self.solver.insert(started)
            }
        };
        let least = budget.limits().time(Limit::NielsenWalkTime);
        let slice = budget.left().map_or(least, |left| least.max(left / 8));
        solver.push()?;
        solver.assert(arena, formula)?;
        let values = match solver.check(arena, &[], &budget.at_most(slice)) {
            Ok(Answer::Sat) => Some(solver.values(arena, terms)?),
            Ok(_) => None,
            // One walk that takes too long says nothing about the others.
            Err(UnknownReason::Timeout) if budget.check().is_ok() => {
                self.are_products_hard = true;
                self.solver = None;
                return Ok(None);
            }
            Err(reason) => return Err(reason),
        };
        solver.pop()?;
        Ok(values)
    }

    /// A form as an arithmetic term; its choices are added to those that are open.
    fn sum(&mut self, form: &Form, open: &mut Vec<(Choice, Id)>) -> Id {
        let mut parts = vec![self.conditions.arena.int(form.constant)];
        for (&choice, &count) in &form.choices {
            let id = self.choice(choice);
            open.push((choice, id));
            parts.push(self.conditions.arena.scale(count, id));
        }
        self.conditions.arena.add(&parts)
    }

    /// The arithmetic constant of a choice.
    fn choice(&mut self, choice: Choice) -> Id {
        let arena = &mut self.conditions.arena;
        *self.choices.entry(choice).or_insert_with(|| arena.fresh_int("choice"))
    }
}
