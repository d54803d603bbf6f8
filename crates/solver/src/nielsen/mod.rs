//! Word equations with lengths, by Nielsen's transformations.
//!
//! The equations of a problem span a graph of systems (see `graph`). Every way to the empty system
//! is a family of solutions: what is left of a variable at the end is free, and a cycle on the way
//! can be gone through any number of times. The lengths along a way are linear forms over these
//! choices (see `lengths`); arithmetic says which choices satisfy what else the problem says
//! about lengths, and each candidate is evaluated. If the graph is finite and the empty system not
//! in it, the equations have no solution, so the problem has no model.

mod graph;
mod lengths;
mod reading;
mod spell;
mod system;
mod walk;

use std::time::Duration;

use luthier_semantics::{Evaluator, Model, Value};
use luthier_terms::{BigInt, SmtString};
use num_traits::ToPrimitive;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::arithmetic::{Answer, ArithmeticSolver, Backend, Id, Value as Number, Z3};
use crate::components::components;
use crate::conditions::Conditions;
use crate::{Budget, Engine, Problem, Proof, Verdict, Why};
use graph::Graph;
use lengths::{Choice, Form, Lengths, Turns, lengths};
use reading::Reading;
use spell::spell;
use walk::{Walk, Walks};

/// How many systems there are before walks are tried, again and again.
const STAGES: [usize; 4] = [200, 2_000, 20_000, 200_000];

/// How many walks are tried in one stage.
const MOST_WALKS: usize = 60;

/// How often cycles are gone through if what they add is open, in the order of trying.
const TURNS: [Turns; 4] = [Turns::Fixed(0), Turns::Settled, Turns::Fixed(1), Turns::Fixed(4)];

/// How long arithmetic may take for one walk.
const SLICE: Duration = Duration::from_millis(500);

/// No string of a model is longer.
const LONGEST: usize = 1 << 19;

/// The engine.
#[derive(Clone, Debug)]
pub struct Nielsen {
    /// The arithmetic solver.
    pub backend: Backend,
}

impl Engine for Nielsen {
    fn name(&self) -> &'static str {
        "nielsen"
    }

    fn run(&self, problem: &Problem, budget: &Budget) -> Verdict {
        let mut model = Model::new();
        let mut open = None;
        for assertions in components(problem) {
            let part = Problem { pool: problem.pool.clone(), assertions };
            match self.run_on_part(&part, budget) {
                Verdict::Sat(values) => model.extend(values),
                Verdict::Unsat(proof) => return Verdict::Unsat(proof),
                Verdict::Unknown(why) => open = open.or(Some(why)),
            }
        }
        open.map_or(Verdict::Sat(model), Verdict::Unknown)
    }
}

impl Nielsen {
    /// Decides a problem that is not taken apart any further.
    pub fn run_on_part(&self, problem: &Problem, budget: &Budget) -> Verdict {
        let reading = Reading::new(problem);
        if reading.equations.is_empty() {
            return Verdict::Unknown(Why::Unsupported("no word equations".to_owned()));
        }
        let Some(graph) = Graph::new(reading.equations.clone()) else {
            return self.unsat();
        };
        match self.explore(problem, &reading, graph, budget) {
            Ok(Some(model)) => Verdict::Sat(model),
            Ok(None) => self.unsat(),
            Err(why) => Verdict::Unknown(why),
        }
    }

    fn unsat(&self) -> Verdict {
        let argument = "no way of matching its word equations from left to right".to_owned();
        Verdict::Unsat(Proof { engine: self.name(), argument })
    }

    /// A model, or `None` if there is none.
    fn explore(
        &self,
        problem: &Problem,
        reading: &Reading,
        mut graph: Graph,
        budget: &Budget,
    ) -> Result<Option<Model>, Why> {
        let mut candidates = Candidates::new(problem, reading, &self.backend)?;
        let is_free = reading.conditions.is_empty();
        for stage in STAGES {
            graph.expand(stage, is_free, budget)?;
            if graph.solved.is_none() && graph.is_complete() {
                return Ok(None);
            }
            if let Some(mut walks) = Walks::new(&graph) {
                for _ in 0..MOST_WALKS {
                    let Some(walk) = walks.next(budget)? else { break };
                    if let Some(model) = candidates.along(&walk, budget)? {
                        return Ok(Some(model));
                    }
                }
            }
            if graph.is_exhausted() {
                break;
            }
        }
        Err(Why::Incomplete("no walk has the right lengths".to_owned()))
    }
}

/// Makes candidate models of walks.
struct Candidates<'a> {
    problem: &'a Problem,
    reading: &'a Reading,
    conditions: Conditions,
    /// None if there are no conditions.
    solver: Option<Z3>,
    /// The arithmetic constants of choices.
    choices: FxHashMap<Choice, Id>,
    /// What was tried.
    tried: FxHashSet<Vec<Form>>,
}

impl<'a> Candidates<'a> {
    fn new(problem: &'a Problem, reading: &'a Reading, backend: &Backend) -> Result<Self, Why> {
        let mut conditions = Conditions::new(&problem.pool, &reading.numbers, &reading.conditions);
        let mut solver = None;
        if !reading.conditions.is_empty() {
            let mut started = Z3::start(backend)?;
            let most = conditions.arena.int(LONGEST);
            for &length in &conditions.lengths {
                let fact = conditions.arena.le(length, most);
                conditions.formulas.push(fact);
            }
            for &formula in &conditions.formulas {
                started.assert(&conditions.arena, formula)?;
            }
            solver = Some(started);
        }
        let (choices, tried) = (FxHashMap::default(), FxHashSet::default());
        Ok(Self { problem, reading, conditions, solver, choices, tried })
    }

    /// A model among the solutions that a walk gives.
    fn along(&mut self, walk: &Walk, budget: &Budget) -> Result<Option<Model>, Why> {
        for turns in TURNS {
            let Some(lengths) = lengths(walk, self.reading.functions.len(), turns) else {
                continue;
            };
            if !self.tried.insert(lengths.forms.clone()) {
                continue;
            }
            let Some((choices, scalars)) = self.choose(&lengths, budget)? else { continue };
            let other = self.reading.other_letter();
            let own = self.reading.letters.iter().copied().min().unwrap_or(other);
            for filler in [other, own] {
                let count = self.reading.functions.len();
                let Some(values) = spell(walk, count, &choices, filler, budget)? else { break };
                let mut model = scalars.clone();
                for (&function, value) in self.reading.functions.iter().zip(values) {
                    if let Some(text) = SmtString::from_codes(value) {
                        model.insert_value(function, Value::String(text));
                    }
                }
                let mut evaluator = Evaluator::new(&self.problem.pool, &model);
                let mut assertions = self.problem.assertions.iter();
                if assertions.all(|&one| evaluator.evaluate(one).is_true()) {
                    return Ok(Some(model));
                }
            }
        }
        Ok(None)
    }

    /// Choices for which the lengths satisfy the conditions, with the values of all that is no
    /// string.
    fn choose(
        &mut self,
        lengths: &Lengths,
        budget: &Budget,
    ) -> Result<Option<(FxHashMap<Choice, usize>, Model)>, Why> {
        let settled = lengths.settled.iter();
        let mut chosen: FxHashMap<Choice, usize> = settled
            .map(|(&choice, &value)| (choice, usize::try_from(value).unwrap_or(0)))
            .collect();
        let mut model = Model::new();
        if self.solver.is_none() {
            return Ok(Some((chosen, model)));
        }
        let mut equations = Vec::with_capacity(lengths.forms.len());
        let mut open: Vec<(Choice, Id)> = Vec::new();
        for (variable, form) in lengths.forms.iter().enumerate() {
            let mut parts = vec![self.conditions.arena.int(form.constant)];
            for (&choice, &count) in &form.choices {
                let id = self.choice(choice)?;
                open.push((choice, id));
                parts.push(self.conditions.arena.scale(count, id));
            }
            let sum = self.conditions.arena.add(&parts);
            let equation = self.conditions.arena.eq(self.conditions.lengths[variable], sum);
            equations.push(equation);
        }
        let all = self.conditions.arena.and(&equations);
        let Some(solver) = &mut self.solver else { return Ok(None) };
        let arena = &self.conditions.arena;
        match solver.check(arena, &[all], &budget.at_most(SLICE)) {
            Ok(Answer::Sat) => {}
            Ok(_) => return Ok(None),
            // One walk that takes too long says nothing about the others.
            Err(Why::Timeout) if budget.check().is_ok() => return Ok(None),
            Err(why) => return Err(why),
        }
        open.sort_unstable();
        open.dedup();
        let asked: Vec<Id> = open.iter().map(|&(_, id)| id).collect();
        for (&(choice, _), value) in open.iter().zip(solver.values(arena, &asked)?) {
            let value = value.as_int().and_then(BigInt::to_usize);
            chosen.insert(choice, value.unwrap_or(0));
        }
        let asked: Vec<Id> = self.conditions.scalars.iter().map(|&(_, id)| id).collect();
        let values = solver.values(arena, &asked)?;
        for (&(function, _), value) in self.conditions.scalars.iter().zip(values) {
            let value = match value {
                Number::Bool(value) => Value::Bool(value),
                Number::Int(number) => Value::Int(number),
                Number::Uninterpreted(_) => continue,
            };
            model.insert_value(function, value);
        }
        Ok(Some((chosen, model)))
    }

    /// The arithmetic constant of a choice, which is not negative.
    fn choice(&mut self, choice: Choice) -> Result<Id, Why> {
        if let Some(&known) = self.choices.get(&choice) {
            return Ok(known);
        }
        let arena = &mut self.conditions.arena;
        let id = arena.fresh_int("choice");
        let zero = arena.int(0);
        let fact = arena.ge(id, zero);
        if let Some(solver) = &mut self.solver {
            solver.assert(&self.conditions.arena, fact)?;
        }
        self.choices.insert(choice, id);
        Ok(id)
    }
}
