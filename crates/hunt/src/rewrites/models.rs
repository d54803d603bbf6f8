//! The models in which a term and its result are compared.
//!
//! Rewriters go wrong in corner cases, which random values miss: the empty string, a position at the
//! end, a number that is no code point, the literal of the rule itself. So values come from the terms:
//! their literals, parts, repetitions and concatenations of these, their numbers and neighbours, and the
//! lengths of their literals. A term over one constant is compared at all of these values, a term over
//! several at random combinations.
//!
//! A release from before the standard may have 256 characters only; its models have no others.

use std::collections::BTreeSet;

use luthier_generator::Dice;
use luthier_semantics::{Evaluator, Limits, Model, Value};
use luthier_smtlib::{Dialect, PrintOptions, print_term};
use luthier_terms::{BigInt, FunctionId, PostOrder, SmtString, Sort, Term, TermId, TermPool};

use super::Difference;
use super::terms::constants;

/// The models of a term with several constants.
const MODELS: usize = 20;

/// The largest number of values of one sort.
const VALUES: usize = 48;

/// The length of the longest value, except literals of the terms.
const LONGEST: usize = 40;

/// The evaluation steps for one value.
const STEPS: u64 = 50_000;

/// The result of a comparison.
pub(super) struct Compared {
    /// Some model gives both terms a value.
    pub is_decided: bool,
    /// The first model that gives them different ones.
    pub difference: Option<Difference>,
}

/// Compares two terms, first in a model that gives `known` values.
pub(super) fn compare(
    pool: &mut TermPool,
    (term, result): (TermId, TermId),
    known: &[(FunctionId, Value)],
    dialect: Dialect,
    dice: &mut Dice,
) -> Compared {
    let functions = constants(pool, [term, result]);
    let mut compared = Compared { is_decided: false, difference: None };
    let mut models = Models::new(pool, [term, result], functions, known, dialect);
    while let Some(model) = models.next(dice) {
        if let Some(values) = values(pool, [term, result], &model) {
            compared.is_decided = true;
            if values[0] != values[1] {
                compared.difference = Some(Difference { term, result, model, values });
                break;
            }
        }
    }
    compared
}

/// The values of both terms, if both are known.
pub(super) fn values(
    pool: &TermPool,
    terms: [TermId; 2],
    values: &[(FunctionId, Value)],
) -> Option<[Value; 2]> {
    let mut model = Model::new();
    for (function, value) in values {
        model.insert_value(*function, value.clone());
    }
    let limits = Limits { steps: STEPS, string_length: 1 << 16, ..Limits::default() };
    let mut evaluator = Evaluator::with_limits(pool, &model, limits);
    let [one, two] = terms.map(|term| evaluator.evaluate(term).known().cloned());
    Some([one?, two?])
}

/// The corner values of some terms, smallest first.
pub(super) struct Corners {
    pub strings: Vec<Value>,
    pub integers: Vec<Value>,
}

impl Corners {
    /// The values of a sort.
    pub fn of(&self, sort: Sort) -> &[Value] {
        const TRUTH: [Value; 2] = [Value::Bool(false), Value::Bool(true)];
        match sort {
            Sort::String => &self.strings,
            Sort::Int => &self.integers,
            _ => const { &TRUTH },
        }
    }

    /// The values that occur in terms or are near those that do.
    pub fn new(pool: &mut TermPool, roots: [TermId; 2], dialect: Dialect) -> Self {
        let mut words: BTreeSet<Vec<u32>> = BTreeSet::new();
        let mut numbers: BTreeSet<BigInt> = (-1..=3).map(BigInt::from).collect();
        for term in PostOrder::new(pool, roots) {
            match pool.term(term) {
                Term::String(text) => {
                    words.insert(text.iter().map(|character| character.code()).collect());
                }
                Term::Integer(number) => {
                    let near = [number - 1, number.clone(), number + 1, -number];
                    numbers.extend(near);
                }
                _ => {}
            }
        }
        let literals: Vec<Vec<u32>> = words.iter().cloned().collect();
        for word in &literals {
            numbers.insert(word.len().into());
            if let [first, middle @ .., last] = &word[..] {
                let mut rest = middle.to_vec();
                words.insert(vec![*first]);
                words.insert([&[*first], middle].concat());
                rest.push(*last);
                words.insert(rest);
                words.insert([&word[..], &word[..]].concat());
                words.insert([&word[..], &[0x61]].concat());
                words.insert([&[0x61], &word[..]].concat());
            }
            for other in literals.iter().take(4) {
                words.insert([&word[..], &other[..]].concat());
            }
        }
        for word in ["", "a", "b", "aa", "ab", "0", "-1", "01", "1", "12"] {
            words.insert(word.bytes().map(u32::from).collect());
        }
        words.insert(vec![0xFF]);
        if !dialect.is_legacy() {
            words.insert(vec![0x2FFFF]);
        }
        words.retain(|word| word.len() <= LONGEST || literals.contains(word));
        let mut words: Vec<Vec<u32>> = words.into_iter().collect();
        words.sort_by_key(Vec::len);
        let strings = words.into_iter().filter_map(SmtString::from_codes);
        let mut strings: Vec<SmtString> = strings.take(VALUES).collect();
        if dialect.is_legacy() {
            strings.retain(|text| is_expressible(pool, text, dialect));
        }
        let mut numbers: Vec<BigInt> = numbers.into_iter().collect();
        numbers.sort_by_key(|number| (number.magnitude().clone(), number.clone()));
        numbers.truncate(VALUES);
        Self {
            strings: strings.into_iter().map(Value::String).collect(),
            integers: numbers.into_iter().map(Value::Int).collect(),
        }
    }
}

fn is_expressible(pool: &mut TermPool, text: &SmtString, dialect: Dialect) -> bool {
    let Ok(literal) = pool.string(text.clone()) else { return false };
    print_term(pool, literal, &PrintOptions::new(dialect)).is_ok()
}

/// The models of some constants, one after the other.
struct Models {
    functions: Vec<(FunctionId, Sort)>,
    corners: Corners,
    first: Vec<(FunctionId, Value)>,
    given: usize,
}

impl Models {
    fn new(
        pool: &mut TermPool,
        roots: [TermId; 2],
        functions: Vec<FunctionId>,
        known: &[(FunctionId, Value)],
        dialect: Dialect,
    ) -> Self {
        let functions: Vec<(FunctionId, Sort)> =
            functions.into_iter().map(|one| (one, pool.function(one).result)).collect();
        let value = |&(function, sort): &(FunctionId, Sort)| {
            let known = known.iter().find(|(one, _)| *one == function);
            (function, known.map_or_else(|| Value::default_of(sort), |(_, value)| value.clone()))
        };
        let first = functions.iter().map(value).collect();
        let corners = match functions.is_empty() {
            // Ground terms have one model.
            true => Corners { strings: Vec::new(), integers: Vec::new() },
            false => Corners::new(pool, roots, dialect),
        };
        Self { functions, corners, first, given: 0 }
    }

    fn next(&mut self, dice: &mut Dice) -> Option<Vec<(FunctionId, Value)>> {
        let number = self.given;
        self.given += 1;
        match (number, &self.functions[..]) {
            (0, _) => Some(self.first.clone()),
            (_, []) => None,
            (_, &[(function, sort)]) => {
                let value = self.corners.of(sort).get(number - 1)?;
                Some(vec![(function, value.clone())])
            }
            (1, functions) => {
                let value = |&(one, sort): &(FunctionId, Sort)| (one, Value::default_of(sort));
                Some(functions.iter().map(value).collect())
            }
            (MODELS.., _) => None,
            (_, functions) => {
                let mut model = Vec::with_capacity(functions.len());
                for &(function, sort) in functions {
                    let values = self.corners.of(sort);
                    // Small values are more often corner cases than large ones.
                    let bound = if dice.percent(40) { values.len().min(6) } else { values.len() };
                    model.push((function, values[dice.below(bound)].clone()));
                }
                Some(model)
            }
        }
    }
}
