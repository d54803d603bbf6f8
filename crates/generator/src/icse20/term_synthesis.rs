//! Term synthesis (section 3.1 of the paper): operations on operations, equated with another term
//! of the same value, constants turned into variables.
//!
//! `at(at("a", -1), indexOf("a", "a", -1))` and `concat("", "")` are both the empty string, so
//! `at(at(x, i), indexOf(x, x, i)) = concat(y, y)` has a model: the constants that were there.

use std::collections::{HashMap, HashSet, VecDeque};

use luthier_terms::Sort;

use super::operations::{Constant, OPERATIONS, Operation};
use super::script::{ConstantTable, Names, Product, derived, sat_script};
use super::semantics::Semantics;
use super::{Settings, TooManyFormulas};
use crate::{Category, Expected, Formula};

/// All formulas by term synthesis over the constants of the settings, each once.
///
/// The arguments of an operation are terms of the pool: of each depth and operation the first
/// ones. Its value is equated with terms of the pool that have it: again, of each depth and
/// operation the first ones. The settings say how many. Each constant becomes a variable, the same one
/// everywhere.
///
/// The pool is generated at once; it is an error if it has more terms than the settings allow formulas.
pub fn term_synthesis(
    settings: &Settings,
) -> Result<impl Iterator<Item = Formula> + use<>, TooManyFormulas> {
    let pool = TermPool::new(settings)?;
    Ok(Syntheses {
        pool,
        depth: settings.depth,
        operations: OPERATIONS.iter(),
        current: None,
        seen: HashSet::new(),
        names: Names::new(Category::TermSynthesis.name()),
        ready: VecDeque::new(),
    })
}

/// In place of the name of an operation: a constant itself.
const CONSTANT: &str = "";

/// A part of a term's text.
#[derive(Clone, Copy)]
enum Piece {
    Open(&'static str),
    Constant(u32),
    Close,
}

/// A ground term and its value.
struct PoolTerm {
    pieces: Vec<Piece>,
    depth: usize,
    value: u32,
}

/// Ground terms, and which of them are used.
#[derive(Default)]
struct TermPool {
    semantics: Semantics,
    table: ConstantTable,
    terms: Vec<PoolTerm>,
    /// The terms that may be arguments, by sort.
    strings: Vec<usize>,
    integers: Vec<usize>,
    /// The terms that may be results, by depth, operation and value.
    results: HashMap<(usize, &'static str, u32), Vec<usize>>,
}

impl TermPool {
    fn new(settings: &Settings) -> Result<Self, TooManyFormulas> {
        let mut pool = Self { semantics: settings.semantics.clone(), ..Self::default() };
        let strings = settings.synthesis.strings.iter().cloned().map(Constant::String);
        let integers = settings.synthesis.integers.iter().cloned().map(Constant::Int);
        let numbers = pool.table.numbers(strings.chain(integers));
        let mut constants: Vec<usize> = Vec::new();
        for number in numbers {
            constants.push(pool.terms.len());
            pool.results.insert((0, CONSTANT, number), vec![pool.terms.len()]);
            let pieces = vec![Piece::Constant(number)];
            pool.terms.push(PoolTerm { pieces, depth: 0, value: number });
        }
        pool.add_arguments(&constants);
        for depth in 1..=settings.depth {
            let mut offered = Vec::new();
            for operation in &OPERATIONS {
                let first = pool.terms.len();
                let sizes = operation.parameters.iter();
                let more = sizes
                    .map(|parameter| pool.choices(parameter.sort).len())
                    .try_fold(1_usize, usize::checked_mul);
                let all = more.and_then(|more| first.checked_add(more));
                if all.is_none_or(|all| all > settings.most) {
                    return Err(TooManyFormulas {
                        most: settings.most,
                        what: "terms to make formulas of",
                    });
                }
                pool.apply(operation, depth, settings.results_per_operation);
                let end = pool.terms.len();
                offered.extend((first..end).take(settings.arguments_per_operation));
            }
            pool.add_arguments(&offered);
        }
        if settings.depth > 0 {
            // Constants themselves are arguments of terms of the pool only.
            let terms = &pool.terms;
            pool.strings.retain(|&term| terms[term].depth > 0);
            pool.integers.retain(|&term| terms[term].depth > 0);
        }
        Ok(pool)
    }

    /// Makes terms available as arguments.
    fn add_arguments(&mut self, terms: &[usize]) {
        for &term in terms {
            match self.table.constant(self.terms[term].value) {
                Constant::String(_) => self.strings.push(term),
                Constant::Int(_) => self.integers.push(term),
                // No operation of the paper takes a Bool.
                Constant::Bool(_) => {}
            }
        }
    }

    /// Adds all applications of an operation that are exactly this deep.
    fn apply(&mut self, operation: &'static Operation, depth: usize, results: usize) {
        for places in self.products(operation) {
            let arguments = self.arguments(operation, &places);
            let below = arguments.iter().map(|&term| self.terms[term].depth).max();
            if below.is_none_or(|below| below + 1 != depth) {
                continue;
            }
            let value = self.value(operation, &arguments);
            let mut pieces = vec![Piece::Open(operation.op.name())];
            for &argument in &arguments {
                pieces.extend(&self.terms[argument].pieces);
            }
            pieces.push(Piece::Close);
            let same = self.results.entry((depth, operation.name, value)).or_default();
            if same.len() < results {
                same.push(self.terms.len());
            }
            self.terms.push(PoolTerm { pieces, depth, value });
        }
    }

    fn choices(&self, sort: Sort) -> &[usize] {
        match sort {
            Sort::String => &self.strings,
            Sort::Int => &self.integers,
            _ => &[],
        }
    }

    /// All choices of arguments.
    fn products(&self, operation: &Operation) -> Product {
        let parameters = operation.parameters.iter();
        Product::new(parameters.map(|parameter| self.choices(parameter.sort).len()).collect())
    }

    /// The arguments of one choice.
    fn arguments(&self, operation: &Operation, places: &[usize]) -> Vec<usize> {
        let parameters = operation.parameters.iter().zip(places);
        parameters.map(|(parameter, &place)| self.choices(parameter.sort)[place]).collect()
    }

    /// The result of the operation for the values of these terms.
    fn value(&mut self, operation: &Operation, arguments: &[usize]) -> u32 {
        let values: Vec<&Constant> = arguments
            .iter()
            .map(|&argument| self.table.constant(self.terms[argument].value))
            .collect();
        let value = self
            .semantics
            .evaluate(operation, &values)
            .expect("the terms were chosen by the sorts of the parameters");
        self.table.number(value)
    }
}

struct Syntheses {
    pool: TermPool,
    depth: usize,
    operations: std::slice::Iter<'static, Operation>,
    current: Option<(&'static Operation, Product)>,
    /// The assertions generated so far. Different constants can give the same one.
    seen: HashSet<String>,
    names: Names,
    /// The formulas of the last choice of arguments that were not returned yet.
    ready: VecDeque<Formula>,
}

impl Iterator for Syntheses {
    type Item = Formula;

    fn next(&mut self) -> Option<Formula> {
        loop {
            if let Some(formula) = self.ready.pop_front() {
                return Some(formula);
            }
            match self.current.take() {
                Some((operation, mut product)) => {
                    if let Some(places) = product.next() {
                        self.take_arguments(operation, &places);
                        self.current = Some((operation, product));
                    }
                }
                None => {
                    let operation = self.operations.next()?;
                    self.current = Some((operation, self.pool.products(operation)));
                }
            }
        }
    }
}

impl Syntheses {
    /// Generates the formulas that equate the operation on these arguments with terms of its value.
    fn take_arguments(&mut self, operation: &'static Operation, places: &[usize]) {
        let arguments = self.pool.arguments(operation, places);
        let value = self.pool.value(operation, &arguments);
        let constants = (self.depth == 0).then_some((0, CONSTANT));
        let deeper = (1..=self.depth)
            .flat_map(|depth| OPERATIONS.iter().map(move |same| (depth, same.name)));
        for (depth, same) in constants.into_iter().chain(deeper) {
            let Some(results) = self.pool.results.get(&(depth, same, value)) else { continue };
            for result in results.clone() {
                let made = self.formula(operation, &arguments, value, result);
                self.ready.extend(made);
            }
        }
    }

    /// The formula, if it is new.
    fn formula(
        &mut self,
        operation: &'static Operation,
        arguments: &[usize],
        value: u32,
        result: usize,
    ) -> Option<Formula> {
        let pool = &self.pool;
        let mut writer = Writer::new(&pool.table);
        writer.piece(Piece::Open("="));
        writer.piece(Piece::Open(operation.op.name()));
        for &argument in arguments {
            writer.term(&pool.terms[argument]);
        }
        writer.piece(Piece::Close);
        writer.term(&pool.terms[result]);
        writer.piece(Piece::Close);
        let Writer { assertion, ground, witness, operators, .. } = writer;

        if !self.seen.insert(assertion.clone()) {
            return None;
        }
        let name = operation.name_for(pool.table.constant(value));
        let note = pool.semantics.note(|operator| operators.contains(&operator));
        Some(Formula {
            name: self.names.next(name),
            category: Category::TermSynthesis,
            operation: name,
            text: sat_script(&assertion, &witness, note.as_deref()),
            expected: Expected::Sat(witness),
            derivation: derived(ground, note.as_deref()),
        })
    }
}

/// Writes an assertion twice: with variables in place of constants, and as it was before.
struct Writer<'a> {
    table: &'a ConstantTable,
    assertion: String,
    ground: String,
    /// The constants that have a variable, in the order of their first occurrence.
    constants: Vec<u32>,
    witness: Vec<(String, &'static str, String)>,
    /// The operators that occur.
    operators: Vec<&'static str>,
}

impl<'a> Writer<'a> {
    fn new(table: &'a ConstantTable) -> Self {
        Self {
            table,
            assertion: String::new(),
            ground: String::new(),
            constants: Vec::new(),
            witness: Vec::new(),
            operators: Vec::new(),
        }
    }

    fn term(&mut self, term: &PoolTerm) {
        for &piece in &term.pieces {
            self.piece(piece);
        }
    }

    fn piece(&mut self, piece: Piece) {
        let begins = !matches!(piece, Piece::Close);
        if begins && !self.assertion.is_empty() {
            self.assertion.push(' ');
            self.ground.push(' ');
        }
        match piece {
            Piece::Open(operator) => {
                self.operators.push(operator);
                for text in [&mut self.assertion, &mut self.ground] {
                    text.push('(');
                    text.push_str(operator);
                }
            }
            Piece::Constant(number) => {
                let variable = self.variable(number);
                self.assertion.push_str(&self.witness[variable].0);
                self.ground.push_str(self.table.literal(number));
            }
            Piece::Close => {
                self.assertion.push(')');
                self.ground.push(')');
            }
        }
    }

    /// The index in the witness of the variable for a constant. Variables are numbered as in the paper:
    /// `tmp_str0`, `tmp_int1`, `tmp_str2`.
    fn variable(&mut self, number: u32) -> usize {
        if let Some(place) = self.constants.iter().position(|&known| known == number) {
            return place;
        }
        let place = self.constants.len();
        let kind = match self.table.constant(number) {
            Constant::Bool(_) => "bool",
            Constant::Int(_) => "int",
            Constant::String(_) => "str",
        };
        self.constants.push(number);
        self.witness.push(self.table.define(format!("tmp_{kind}{place}"), number));
        place
    }
}
