//! Constant assignment (section 3.1 of the paper): an operation is evaluated on constants, then
//! some of its arguments and its result become variables again.
//!
//! `replace("", "", "a") = "a"` gives, among others, `replace("", t, u) = "a"`. What became a
//! variable has its old value in the witness.

use std::collections::{HashSet, VecDeque};

use luthier_terms::Sort;

use super::Settings;
use super::operations::{Constant, OPERATIONS, Operation, RESULT};
use super::script::{ConstantTable, Names, Product, derived, sat_script};
use super::semantics::Semantics;
use crate::{Category, Expected, Formula};

/// The positions of a formula: at most three arguments and a result.
const POSITIONS: usize = 4;
/// Stands for a variable in place of the number of a constant.
const VARIABLE: u32 = u32::MAX;

/// All formulas by constant assignment with the constants of the settings, each once.
///
/// For every operation and all constants for its arguments, all choices of variables but the one
/// in which everything is a variable. First the results of operations, for predicates only `true`; then,
/// under their negative names, predicates with the result `false`. A formula belongs to the operation that
/// generates it first: `contains(s, "a") = res` to `contains`, `contains("", "a") = res` to `notContains`,
/// because only tuples with the result `false` generate it.
pub fn constant_assignment(settings: &Settings) -> impl Iterator<Item = Formula> + use<> {
    let mut table = ConstantTable::default();
    let strings = settings.assignment.strings.iter().cloned().map(Constant::String);
    let strings = table.numbers(strings);
    let integers = settings.assignment.integers.iter().cloned().map(Constant::Int);
    let integers = table.numbers(integers);
    Assignments {
        semantics: settings.semantics.clone(),
        table,
        strings,
        integers,
        passes: passes(),
        current: None,
        seen: HashSet::new(),
        names: Names::new(Category::ConstantAssignment.name()),
        ready: VecDeque::new(),
    }
}

/// One enumeration of all tuples of an operation.
struct Pass {
    operation: &'static Operation,
    /// If given, only tuples with this result count.
    only: Option<bool>,
}

struct Assignments {
    semantics: Semantics,
    table: ConstantTable,
    strings: Vec<u32>,
    integers: Vec<u32>,
    passes: VecDeque<Pass>,
    current: Option<(Pass, Product)>,
    /// The formulas generated so far: the operator, and a constant or a variable at each position.
    seen: HashSet<(&'static str, [u32; POSITIONS])>,
    names: Names,
    /// The formulas of the last tuple that were not returned yet.
    ready: VecDeque<Formula>,
}

impl Iterator for Assignments {
    type Item = Formula;

    fn next(&mut self) -> Option<Formula> {
        loop {
            if let Some(formula) = self.ready.pop_front() {
                return Some(formula);
            }
            match self.current.take() {
                Some((pass, mut product)) => {
                    if let Some(places) = product.next() {
                        self.take_tuple(&pass, &places);
                        self.current = Some((pass, product));
                    }
                }
                None => {
                    let pass = self.passes.pop_front()?;
                    let parameters = pass.operation.parameters.iter();
                    let sizes = parameters.map(|parameter| self.choices(parameter.sort).len());
                    let product = Product::new(sizes.collect());
                    self.current = Some((pass, product));
                }
            }
        }
    }
}

impl Assignments {
    /// The constants of a sort.
    fn choices(&self, sort: Sort) -> &[u32] {
        match sort {
            Sort::String => &self.strings,
            Sort::Int => &self.integers,
            _ => &[],
        }
    }

    /// Generates the formulas of one tuple that are new.
    fn take_tuple(&mut self, pass: &Pass, places: &[usize]) {
        let operation = pass.operation;
        let mut numbers: Vec<u32> = operation
            .parameters
            .iter()
            .zip(places)
            .map(|(parameter, &place)| self.choices(parameter.sort)[place])
            .collect();
        let arguments: Vec<&Constant> =
            numbers.iter().map(|&number| self.table.constant(number)).collect();
        let result = self
            .semantics
            .evaluate(operation, &arguments)
            .expect("the constants were chosen by the sorts of the parameters");
        if pass.only.is_some_and(|only| result != Constant::Bool(only)) {
            return;
        }
        let name = operation.name_for(&result);
        numbers.push(self.table.number(result));

        let everything = 1_u32 << numbers.len();
        for variables in 0..everything - 1 {
            let mut formula = [VARIABLE; POSITIONS];
            for (place, &number) in numbers.iter().enumerate() {
                // The first position has the highest bit, so that the result changes fastest.
                let is_variable = variables >> (numbers.len() - 1 - place) & 1 == 1;
                formula[place] = if is_variable { VARIABLE } else { number };
            }
            if self.seen.insert((operation.name, formula)) {
                let made = self.formula(operation, name, &formula, &numbers);
                self.ready.push_back(made);
            }
        }
    }

    fn formula(
        &mut self,
        operation: &'static Operation,
        name: &'static str,
        formula: &[u32; POSITIONS],
        values: &[u32],
    ) -> Formula {
        let variables = operation.parameters.iter().map(|parameter| parameter.name);
        let variables = variables.chain([RESULT]);
        let mut witness = Vec::new();
        let mut assertion = format!("(= ({}", operation.op.name());
        let mut derivation = assertion.clone();
        let places = variables.zip(values).zip(formula).enumerate();
        for (place, ((variable, &value), &chosen)) in places {
            let before = if place == operation.parameters.len() { ") " } else { " " };
            assertion.push_str(before);
            derivation.push_str(before);
            derivation.push_str(self.table.literal(value));
            if chosen == VARIABLE {
                assertion.push_str(variable);
                witness.push(self.table.define(variable.to_owned(), value));
            } else {
                assertion.push_str(self.table.literal(value));
            }
        }
        assertion.push(')');
        derivation.push(')');
        let note = self.semantics.note(|operator| operator == operation.op.name());
        Formula {
            name: self.names.next(name),
            category: Category::ConstantAssignment,
            operation: name,
            text: sat_script(&assertion, &witness, note.as_deref()),
            expected: Expected::Sat(witness),
            derivation: derived(derivation, note.as_deref()),
        }
    }
}

/// First all operations, predicates with the result `true`; then predicates with the result `false`.
fn passes() -> VecDeque<Pass> {
    let first = OPERATIONS
        .iter()
        .map(|operation| Pass { operation, only: operation.negative.is_some().then_some(true) });
    let second = OPERATIONS
        .iter()
        .filter(|operation| operation.negative.is_some())
        .map(|operation| Pass { operation, only: Some(false) });
    first.chain(second).collect()
}
