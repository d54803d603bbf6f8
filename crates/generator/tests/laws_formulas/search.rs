//! A local search for models: change a constant of a false assertion until all assertions are true.

use luthier_generator::Dice;
use luthier_semantics::{Evaluator, Limits, Model, Value};
use luthier_terms::{BigInt, FunctionId, Op, PostOrder, SmtString, Sort, Term, TermId, TermPool};

/// How often the search begins anew, and how many repairs it tries each time.
const STARTS: usize = 400;
const REPAIRS: usize = 60;

pub struct Search<'a> {
    pool: &'a TermPool,
    assertions: &'a [(String, TermId)],
    constants: Vec<FunctionId>,
    strings: Vec<SmtString>,
    numbers: Vec<BigInt>,
    dice: Dice,
    met: bool,
}

impl<'a> Search<'a> {
    pub fn new(pool: &'a TermPool, assertions: &'a [(String, TermId)], dice: Dice) -> Self {
        let mut constants = Vec::new();
        let mut strings: Vec<SmtString> =
            ["", "a", "b", "ba", "0", "12"].map(|text| SmtString::from_text(text).unwrap()).into();
        let mut numbers: Vec<BigInt> = [-1, 0, 1, 2, 3].map(BigInt::from).into();
        for term in PostOrder::new(pool, assertions.iter().map(|&(_, term)| term)) {
            match pool.term(term) {
                Term::Apply(function, []) => constants.push(function),
                Term::String(text) => {
                    numbers.push(text.as_slice().len().into());
                    strings.push(text.clone());
                }
                Term::Integer(number) => numbers.push(number.clone()),
                _ => {}
            }
        }
        Self { pool, assertions, constants, strings, numbers, dice, met: false }
    }

    /// Whether any assignment that was tried satisfied all assertions.
    pub fn met_a_model(&self) -> bool {
        self.met
    }

    /// Whether a model of all assertions but the one with the name is found.
    pub fn model_of_all_but(&mut self, name: &str) -> bool {
        for _ in 0..STARTS {
            let mut model = Model::new();
            for &function in &self.constants.clone() {
                let value = self.value(self.pool.function(function).result);
                model.insert_value(function, value);
            }
            for _ in 0..REPAIRS {
                let broken = self.broken(&model);
                self.met |= broken.is_empty();
                let broken: Vec<TermId> = broken
                    .into_iter()
                    .filter(|&(other, _)| other != name)
                    .map(|(_, term)| term)
                    .collect();
                if broken.is_empty() {
                    return true;
                }
                let term = self.dice.pick(&broken);
                self.repair(&mut model, term);
            }
        }
        false
    }

    /// The assertions that are not true.
    fn broken(&self, model: &Model) -> Vec<(&'a str, TermId)> {
        let limits = Limits { steps: 200_000, ..Limits::default() };
        let mut evaluator = Evaluator::with_limits(self.pool, model, limits);
        self.assertions
            .iter()
            .filter(|&&(_, term)| !evaluator.evaluate(term).is_true())
            .map(|(name, term)| (name.as_str(), *term))
            .collect()
    }

    /// Gives one of the constants of an assertion another value: often that of what the assertion
    /// compares it with, or of some other part of it.
    fn repair(&mut self, model: &mut Model, assertion: TermId) {
        let parts: Vec<TermId> = PostOrder::new(self.pool, [assertion]).collect();
        let constant = |term: TermId| match self.pool.term(term) {
            Term::Apply(function, []) => Some(function),
            _ => None,
        };
        let mut compared = Vec::new();
        for &part in &parts {
            if let Term::Op(Op::Eq, &[left, right]) = self.pool.term(part) {
                for (one, two) in [(left, right), (right, left)] {
                    // A constant of the same sort somewhere in it may well be what it is equal to.
                    let below = PostOrder::new(self.pool, [one]).filter_map(constant);
                    let sort = self.pool.sort(two);
                    let same = below.filter(|&other| self.pool.function(other).result == sort);
                    compared.extend(same.map(|function| (function, two)));
                }
            }
        }
        let here: Vec<FunctionId> = parts.iter().filter_map(|&part| constant(part)).collect();
        if here.is_empty() {
            return;
        }
        let function;
        let source = match self.dice.below(10) {
            0..=5 if !compared.is_empty() => {
                let (chosen, term) = self.dice.pick(&compared);
                function = chosen;
                Some(term)
            }
            6 => {
                function = self.dice.pick(&here);
                let sort = self.pool.function(function).result;
                let same: Vec<TermId> =
                    parts.iter().copied().filter(|&part| self.pool.sort(part) == sort).collect();
                Some(self.dice.pick(&same))
            }
            _ => {
                function = self.dice.pick(&here);
                None
            }
        };
        let found = source.and_then(|term| {
            let limits = Limits { steps: 200_000, ..Limits::default() };
            Evaluator::with_limits(self.pool, model, limits).evaluate(term).known().cloned()
        });
        let value = found.unwrap_or_else(|| self.value(self.pool.function(function).result));
        model.insert_value(function, value);
    }

    fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.dice.percent(50)),
            Sort::Int => {
                let number = &self.numbers[self.dice.below(self.numbers.len())];
                Value::Int(number + self.dice.pick(&[0, 0, 1, -1]))
            }
            _ => {
                let mut text = Vec::new();
                for _ in 0..self.dice.pick(&[1, 1, 2, 3]) {
                    let piece = &self.strings[self.dice.below(self.strings.len())];
                    text.extend_from_slice(piece.as_slice());
                }
                Value::String(text.as_slice().into())
            }
        }
    }
}
