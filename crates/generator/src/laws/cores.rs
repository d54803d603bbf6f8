//! The core of a refutation: which clauses are needed, each proved by a model of all other
//! assertions.
//!
//! Models are searched among the example values of the constants, values from the literals, and a
//! few small ones; constants that a clause defines are computed. A clause for which no model is
//! found within the number of tries is joined by `and` with a needed one. If the referee ever
//! accepts a model of all clauses, a law or a step is wrong, and there is no formula.

use std::collections::BTreeSet;

use luthier_semantics::{Evaluator, Interpretation, Limits, Model, Value};
use luthier_smtlib::Assertion;
use luthier_terms::{BigInt, FunctionId, Op, PostOrder, SmtString, Sort, Term, TermId};

use super::refutation::Refutation;
use crate::{Category, Draft, PlantedAnswer, Sketch};

/// The evaluation steps for one formula.
const STEPS: u64 = 40_000;

/// Values to try.
struct Candidates {
    strings: Vec<SmtString>,
    numbers: Vec<BigInt>,
}

impl Refutation {
    /// The sketch: needed clauses and redundant assertions, with names, in a random order.
    pub fn finish(mut self, about: Op) -> Option<Sketch> {
        let redundant = std::mem::take(&mut self.redundant);
        let model = self.generator.model.clone();
        self.redundant = {
            let mut evaluator = self.evaluator(&model);
            redundant.into_iter().filter(|&term| evaluator.evaluate(term).is_true()).collect()
        };
        let clauses = self.needed_clauses()?;
        let mut assertions: Vec<(TermId, bool)> =
            clauses.into_iter().map(|term| (term, true)).collect();
        assertions.extend(self.redundant.iter().map(|&term| (term, false)));
        self.shuffle(&mut assertions);

        self.forget_unused(&assertions);
        let shares = self.dice().percent(15);
        let derivation = self.derivation.join("; ");
        let mut draft = Draft::new(self.generator.pool, self.generator.model);
        let mut core = Vec::new();
        for (number, (term, needed)) in assertions.into_iter().enumerate() {
            let name = format!("p{number}");
            let symbol = draft.pool.symbols_mut().intern(name.as_bytes()).ok()?;
            draft.assertions.push(Assertion { term, name: Some(symbol), uses_let: shares });
            if needed {
                core.push(name);
            }
        }
        Some(Sketch {
            draft,
            planted: PlantedAnswer::Core(core),
            category: Category::Law,
            operation: about.name(),
            derivation,
        })
    }

    /// The clauses, joined so that each is needed. `None` if the referee accepts a model of all clauses.
    fn needed_clauses(&mut self) -> Option<Vec<TermId>> {
        let candidates = self.candidates();
        let (mut needed, mut others) = (Vec::new(), Vec::new());
        for number in 0..self.core.len() {
            let term = self.core[number].term;
            match self.is_needed(number, &candidates)? {
                true => needed.push(term),
                false => others.push(term),
            }
        }
        if needed.is_empty() {
            needed.extend(others.pop());
        }
        // A model of all others is also a model of the others without the clause that is joined.
        for other in others {
            let number = self.dice().below(needed.len());
            let turned = self.dice().percent(50);
            let (one, two) = if turned { (other, needed[number]) } else { (needed[number], other) };
            needed[number] = self.op(Op::And, &[one, two]);
        }
        Some(needed)
    }

    /// Whether a model of all assertions but this clause is found. `None` if it satisfies all assertions,
    /// so that a law or a step is wrong.
    fn is_needed(&mut self, number: usize, candidates: &Candidates) -> Option<bool> {
        let freed = self.core[number].defines;
        for attempt in 0..self.settings.tries {
            // First the example values, then other values for more and more constants.
            let chance = if attempt == 0 { 0 } else { 20 + 60 * attempt / self.settings.tries };
            let Some(model) = self.attempt(freed, chance, candidates) else { continue };
            let mut evaluator = self.evaluator(&model);
            let mut clauses = self.core.iter().enumerate().filter(|&(other, _)| other != number);
            let holds = clauses.all(|(_, clause)| evaluator.evaluate(clause.term).is_true())
                && self.redundant.iter().all(|&term| evaluator.evaluate(term).is_true());
            if holds {
                let all = evaluator.evaluate(self.core[number].term).is_true();
                debug_assert!(!all, "a model of: {:?}", self.derivation);
                return (!all).then_some(true);
            }
        }
        Some(false)
    }

    /// Values for all constants that make all definitions true but the freed one.
    fn attempt(
        &mut self,
        freed: Option<usize>,
        chance: usize,
        candidates: &Candidates,
    ) -> Option<Model> {
        let mut model = self.generator.model.clone();
        let mut changed = false;
        if chance > 0 {
            let functions: Vec<FunctionId> = model.iter().map(|(function, _)| function).collect();
            for function in functions {
                if self.dice().percent(chance) {
                    let value = self.some_value(function, candidates);
                    model.insert_value(function, value);
                    changed = true;
                }
            }
        }
        for number in 0..self.defined.len() {
            let function = self.defined[number].function;
            if freed == Some(number) {
                let value = self.some_value(function, candidates);
                model.insert_value(function, value);
                changed = true;
            } else if changed {
                let value =
                    self.evaluator(&model).evaluate(self.defined[number].term).known().cloned()?;
                model.insert_value(function, value);
            }
        }
        Some(model)
    }

    fn evaluator<'a>(&'a self, model: &'a Model) -> Evaluator<'a> {
        let limits = Limits { steps: STEPS, regex_steps: STEPS, ..Limits::default() };
        Evaluator::with_limits(&self.generator.pool, model, limits)
    }

    /// Another value of a constant, often different from its example value.
    fn some_value(&mut self, function: FunctionId, candidates: &Candidates) -> Value {
        let example = match self.generator.model.get(function) {
            Some(Interpretation::Value(value)) => Some(value.clone()),
            _ => None,
        };
        let dice = &mut self.generator.dice;
        match self.generator.pool.function(function).result {
            Sort::Bool => Value::Bool(!matches!(example, Some(Value::Bool(true)))),
            Sort::Int => {
                let number = &candidates.numbers[dice.below(candidates.numbers.len())];
                Value::Int(number + dice.pick(&[0, 0, 1, -1]))
            }
            _ => {
                let one = &candidates.strings[dice.below(candidates.strings.len())];
                let mut text = one.as_slice().to_vec();
                if dice.percent(35) {
                    let two = &candidates.strings[dice.below(candidates.strings.len())];
                    text.extend_from_slice(two.as_slice());
                }
                Value::String(text.as_slice().into())
            }
        }
    }

    /// The literals, the example values, and a few small values.
    fn candidates(&self) -> Candidates {
        let pool = &self.generator.pool;
        let letters = ["", "a", "b", "0", "7", "ab"];
        let mut strings: Vec<SmtString> =
            letters.iter().filter_map(|text| SmtString::from_text(text)).collect();
        let mut numbers: Vec<BigInt> = [-1, 0, 1, 2, 5].map(BigInt::from).to_vec();
        for (_, interpretation) in self.generator.model.iter() {
            match interpretation {
                Interpretation::Value(Value::String(text)) => strings.push(text.clone()),
                Interpretation::Value(Value::Int(number)) => numbers.push(number.clone()),
                _ => {}
            }
        }
        let roots = self.core.iter().map(|clause| clause.term);
        for term in PostOrder::new(pool, roots) {
            match pool.term(term) {
                Term::String(text) => strings.push(text.clone()),
                Term::Integer(number) => numbers.push(number.clone()),
                _ => {}
            }
        }
        Candidates { strings, numbers }
    }

    /// Removes constants from the model that occur in no assertion.
    fn forget_unused(&mut self, assertions: &[(TermId, bool)]) {
        let pool = &self.generator.pool;
        let used: BTreeSet<FunctionId> =
            PostOrder::new(pool, assertions.iter().map(|&(term, _)| term))
                .filter_map(|term| match pool.term(term) {
                    Term::Apply(function, _) => Some(function),
                    _ => None,
                })
                .collect();
        let all: Vec<FunctionId> =
            self.generator.model.iter().map(|(function, _)| function).collect();
        for function in all {
            if !used.contains(&function) {
                self.generator.model.remove(function);
            }
        }
    }
}
