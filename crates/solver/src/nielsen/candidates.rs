//! Candidate models along walks: the arithmetic solver chooses the parameters, the referee
//! evaluates the values.
//!
//! For a walk, `|x| = form(x)` for every variable is asserted beside the length abstraction of the
//! other assertions. A solution gives the parameters, and thereby the values. Free remainders are
//! tried with a letter that no literal has and with one that does. Before any walk: if the
//! equations have at most one letter, they are equivalent to linear equations of lengths for values
//! over that letter.

use luthier_semantics::{Evaluator, Model, Value};
use luthier_terms::SmtString;
use rustc_hash::{FxHashMap, FxHashSet};

use super::instantiate::instantiate;
use super::lengths::{CycleMode, LinearForm, Parameter, Product, WalkLengths, lengths};
use super::system::{Equation, Symbol};
use super::walk::Walk;
use super::word_equations::WordEquations;
use crate::arithmetic::{Answer, ArithmeticSolver, Backend, Id, Value as Number, model_of};
use crate::length_abstraction::LengthAbstraction;
use crate::{Budget, Limit, Problem, UnknownReason};

/// The treatments of cycles with a parametric amount, in the order in which they are tried.
const CYCLE_MODES: [CycleMode; 3] = [CycleMode::Skip, CycleMode::Constant, CycleMode::Product];

/// Values of parameters, and of all constants that are not strings.
type ParameterValues = (FxHashMap<Parameter, usize>, Model);

/// Computes candidate models of walks.
pub struct Candidates<'a> {
    problem: &'a Problem,
    equations: &'a WordEquations,
    backend: &'a Backend,
    abstraction: LengthAbstraction,
    solver: Option<Box<dyn ArithmeticSolver>>,
    /// The arithmetic constants of parameters.
    parameters: FxHashMap<Parameter, Id>,
    /// The lengths that were tried.
    tried: FxHashSet<(Vec<LinearForm>, Vec<Product>)>,
    /// Whether a query with products took too long.
    are_products_hard: bool,
}

impl<'a> Candidates<'a> {
    /// Candidates for the conditions of a problem.
    pub fn new(
        problem: &'a Problem,
        equations: &'a WordEquations,
        backend: &'a Backend,
        budget: &Budget,
    ) -> Self {
        let (numbers, assertions) = (&equations.numbers, &equations.conditions);
        let mut abstraction = LengthAbstraction::new(&problem.pool, numbers, assertions, budget);
        let most = abstraction.arena.int(budget.limit(Limit::NielsenLength));
        for &length in &abstraction.lengths {
            let fact = abstraction.arena.le(length, most);
            abstraction.formulas.push(fact);
        }
        Self {
            problem,
            equations,
            backend,
            abstraction,
            solver: None,
            parameters: FxHashMap::default(),
            tried: FxHashSet::default(),
            are_products_hard: false,
        }
    }

    /// A model among the solutions of a walk.
    pub fn along(&mut self, walk: &Walk, budget: &Budget) -> Result<Option<Model>, UnknownReason> {
        let variables = self.equations.functions.len();
        for mode in CYCLE_MODES {
            if mode == CycleMode::Product && self.are_products_hard {
                continue;
            }
            let Some(lengths) = lengths(walk, variables, mode) else { continue };
            if !self.tried.insert((lengths.forms.clone(), lengths.products.clone())) {
                continue;
            }
            let Some((parameters, scalars)) = self.solve_parameters(&lengths, budget)? else {
                continue;
            };
            let other = self.equations.other_letter();
            let own = self.equations.letters.iter().copied().min().unwrap_or(other);
            for filler in [other, own] {
                let Some(values) = instantiate(walk, variables, &parameters, filler, budget)?
                else {
                    break;
                };
                if let Some(model) = self.checked_model(scalars.clone(), values, budget) {
                    return Ok(Some(model));
                }
            }
        }
        Ok(None)
    }

    /// A model in which all strings consist of one letter, if the equations have no other: then
    /// they are linear equations of lengths.
    pub fn single_letter(&mut self, budget: &Budget) -> Result<Option<Model>, UnknownReason> {
        let symbols = |one: &'a Equation| one.left.iter().chain(&one.right);
        let mut letters =
            self.equations.equations.iter().flat_map(symbols).filter_map(|symbol| match *symbol {
                Symbol::Letter(letter) => Some(letter),
                Symbol::Variable(_) => None,
            });
        let letter = letters.next().unwrap_or_else(|| self.equations.other_letter());
        if letters.any(|other| other != letter) {
            return Ok(None);
        }
        let LengthAbstraction { arena, lengths, scalars, .. } = &mut self.abstraction;
        let (zero, one) = (arena.int(0), arena.int(1));
        let mut formulas: Vec<Id> = lengths.iter().map(|&length| arena.ge(length, zero)).collect();
        for equation in &self.equations.equations {
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
        let queried: Vec<Id> =
            lengths.iter().copied().chain(scalars.iter().map(|&(_, id)| id)).collect();
        let Some(values) = self.solve_with(all, &queried, budget)? else { return Ok(None) };
        let (lengths, scalars) = values.split_at(self.abstraction.lengths.len());
        let max_letters = budget.limit(Limit::NielsenLength);
        let text = |length: usize| (length <= max_letters).then(|| vec![letter; length]);
        let texts = lengths.iter().map(|value| text(value.as_usize()?)).collect::<Option<_>>();
        let Some(texts) = texts else { return Ok(None) };
        Ok(self.checked_model(self.scalars(scalars), texts, budget))
    }

    /// The model with these strings, if the referee accepts it.
    fn checked_model(
        &self,
        mut model: Model,
        texts: Vec<Vec<u32>>,
        budget: &Budget,
    ) -> Option<Model> {
        for (&function, text) in self.equations.functions.iter().zip(texts) {
            model.insert_value(function, Value::String(SmtString::from_codes(text)?));
        }
        let mut evaluator =
            Evaluator::with_limits(&self.problem.pool, &model, budget.evaluation_limits());
        let mut assertions = self.problem.assertions.iter();
        assertions.all(|&one| evaluator.evaluate(one).is_true()).then_some(model)
    }

    /// The values of all constants that are not strings.
    fn scalars(&self, values: &[Number]) -> Model {
        model_of(&self.abstraction.scalars, values)
    }

    /// Parameters for which the lengths satisfy the conditions, with the values of all constants
    /// that are not strings.
    fn solve_parameters(
        &mut self,
        lengths: &WalkLengths,
        budget: &Budget,
    ) -> Result<Option<ParameterValues>, UnknownReason> {
        let fixed = lengths.fixed.iter();
        let mut chosen: FxHashMap<Parameter, usize> = fixed
            .map(|(&parameter, &value)| (parameter, usize::try_from(value).unwrap_or(0)))
            .collect();
        if self.equations.conditions.is_empty() {
            return Ok(Some((chosen, Model::new())));
        }
        let mut formulas = Vec::with_capacity(lengths.forms.len());
        let mut open: Vec<(Parameter, Id)> = Vec::new();
        for (variable, form) in lengths.forms.iter().enumerate() {
            let sum = self.sum(form, &mut open);
            formulas.push(self.abstraction.arena.eq(self.abstraction.lengths[variable], sum));
        }
        for product in &lengths.products {
            let step = self.sum(&product.per_iteration, &mut open);
            let (increase, iterations) =
                (self.parameter(product.increase), self.parameter(product.iterations));
            open.push((product.iterations, iterations));
            let total = self.abstraction.arena.mul(iterations, step);
            formulas.push(self.abstraction.arena.eq(increase, total));
        }
        for &(_, id) in &open {
            let zero = self.abstraction.arena.int(0);
            formulas.push(self.abstraction.arena.ge(id, zero));
        }
        let all = self.abstraction.arena.and(&formulas);
        let scalars = self.abstraction.scalars.iter().map(|&(_, id)| id);
        let queried: Vec<Id> = open.iter().map(|&(_, id)| id).chain(scalars).collect();
        let Some(values) = self.solve_with(all, &queried, budget)? else {
            return Ok(None);
        };
        let (parameters, scalars) = values.split_at(open.len());
        for (&(parameter, _), value) in open.iter().zip(parameters) {
            chosen.insert(parameter, value.as_usize().unwrap_or(0));
        }
        Ok(Some((chosen, self.scalars(scalars))))
    }

    /// The values of terms under the conditions and a formula, if these are satisfiable together.
    fn solve_with(
        &mut self,
        formula: Id,
        terms: &[Id],
        budget: &Budget,
    ) -> Result<Option<Vec<Number>>, UnknownReason> {
        let arena = &self.abstraction.arena;
        let solver = match &mut self.solver {
            Some(solver) => solver,
            None => {
                let mut started = self.backend.start()?;
                for &fact in &self.abstraction.formulas {
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
            // A timeout for one walk does not end the search.
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

    /// A linear form as an arithmetic term; its parameters are added to `open`.
    fn sum(&mut self, form: &LinearForm, open: &mut Vec<(Parameter, Id)>) -> Id {
        let mut parts = vec![self.abstraction.arena.int(form.constant)];
        for (&parameter, &count) in &form.parameters {
            let id = self.parameter(parameter);
            open.push((parameter, id));
            parts.push(self.abstraction.arena.scale(count, id));
        }
        self.abstraction.arena.add(&parts)
    }

    /// The arithmetic constant of a parameter.
    fn parameter(&mut self, parameter: Parameter) -> Id {
        let arena = &mut self.abstraction.arena;
        *self.parameters.entry(parameter).or_insert_with(|| arena.fresh_int("choice"))
    }
}
