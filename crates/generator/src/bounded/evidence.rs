//! Which assertions a contradiction needs, and the proof that it needs each of them.

use std::collections::BTreeSet;

use luthier_semantics::{Interpretation, Model, Value};
use luthier_smtlib::{Dialect, PrintOptions, print_term};
use luthier_terms::{Op, PostOrder, Sort, Term, TermId, TermPool};

use super::{Column, Domain, truth};
use crate::random::Generator;
use crate::{Category, Claim, Draft, Sketch};

/// How many values outside of a domain are tried.
const OUTSIDE: usize = 60;

/// How often, out of a hundred, an assertion is added that the contradiction does not need.
const REDUNDANT: usize = 25;

/// How many values of a domain a derivation lists.
const LISTED: usize = 8;

/// Assertions that cannot all be true, each needed.
pub(super) struct Contradiction {
    /// Assertions, each with values that make all others true.
    needed: Vec<(TermId, Model)>,
    /// A further assertion that is true under all these values.
    redundant: Option<TermId>,
    /// What the constants may be, in words.
    bounds: Vec<String>,
    /// How many assignments were tried.
    tried: usize,
}

impl Contradiction {
    /// Drops what is not needed and proves that the rest is. No assignment makes all columns true.
    pub(super) fn of(
        generator: &mut Generator,
        domains: &[Domain],
        models: &[Model],
        mut columns: Vec<Column>,
    ) -> Option<Self> {
        drop_columns(&mut columns);
        let used: BTreeSet<TermId> =
            PostOrder::new(&generator.pool, columns.iter().map(|column| column.term)).collect();
        let occurs = |domain: &&Domain| domain.constants.iter().any(|part| used.contains(part));
        let domains: Vec<&Domain> = domains.iter().filter(occurs).collect();

        // Without any one column there is an assignment; what is dropped last is still needed.
        let mut needed: Vec<(TermId, Model)> = Vec::new();
        for (position, column) in columns.iter().enumerate() {
            let others = |index: &usize| {
                let mut rest = columns.iter().enumerate().filter(|(other, _)| *other != position);
                rest.all(|(_, column)| column.truths[*index])
            };
            let index = (0..models.len()).find(others)?;
            needed.push((column.term, models[index].clone()));
        }
        for (position, domain) in domains.iter().enumerate() {
            let Some(assertion) = domain.assertion else { continue };
            match outside(generator, &domains, position, models, &columns) {
                Some(model) => needed.push((assertion, model)),
                None => {
                    // Nothing shows that it is needed by itself. Together with an assertion that
                    // is, it is needed.
                    let with = generator.dice.below(columns.len());
                    let joined = generator.op(Op::And, &[assertion, needed[with].0]);
                    needed[with].0 = joined;
                }
            }
        }
        let bounds = domains.iter().map(|domain| in_words(&mut generator.pool, domain)).collect();
        let functions: Vec<_> = domains
            .iter()
            .flat_map(|domain| &domain.constants)
            .filter_map(|&constant| match generator.pool.term(constant) {
                Term::Apply(function, _) => Some(function),
                _ => None,
            })
            .collect();
        for (_, model) in &mut needed {
            let values = functions
                .iter()
                .filter_map(|&function| Some((function, model.get(function)?.clone())));
            let mut only = Model::new();
            for (function, interpretation) in values.collect::<Vec<_>>() {
                only.insert(function, interpretation);
            }
            *model = only;
        }
        let tried = domains.iter().map(|domain| domain.tuples.len()).product();
        let redundant = redundant(generator, &needed, &used);
        Some(Self { needed, redundant, bounds, tried })
    }

    /// The sketch of the contradiction.
    pub(super) fn into_sketch(self, mut generator: Generator, about: Op) -> Sketch {
        let Self { mut needed, redundant, bounds, tried } = self;
        shuffle(&mut generator, &mut needed);
        let mut derivation = format!(
            "{}; each of the {tried} assignments makes an assertion false",
            bounds.join(", ")
        );
        let model = needed[0].1.clone();
        let place = generator.dice.below(needed.len() + 1);
        let names: Vec<String> = (0..needed.len()).map(|index| format!("a{index}")).collect();
        for (name, (_, model)) in names.iter().zip(&needed) {
            let values = assignment_in_words(&mut generator.pool, model);
            derivation.push_str(&format!("; without {name} all are true under {values}"));
        }
        let lets: Vec<bool> = (0..=needed.len()).map(|_| generator.dice.percent(25)).collect();
        let mut draft = Draft::new(generator.pool, model);
        for (index, (name, (term, _))) in names.iter().zip(&needed).enumerate() {
            if let Some(extra) = redundant
                && index == place
            {
                draft.assert_named("r", extra);
            }
            draft.assert_named(name, *term);
        }
        if let Some(extra) = redundant
            && place == needed.len()
        {
            draft.assert_named("r", extra);
        }
        for (assertion, uses_let) in draft.assertions.iter_mut().zip(lets) {
            assertion.uses_let = uses_let;
        }
        Sketch {
            draft,
            claim: Claim::Core(names),
            category: Category::Bounded,
            operation: about.name(),
            derivation,
        }
    }
}

/// Drops columns, the first one last, while no assignment makes the others true.
fn drop_columns(columns: &mut Vec<Column>) {
    for position in (0..columns.len()).rev() {
        let count = columns[position].truths.len();
        let satisfied = |index: usize| {
            let mut others = columns.iter().enumerate().filter(|(other, _)| *other != position);
            others.all(|(_, column)| column.truths[index])
        };
        if columns.len() > 1 && !(0..count).any(satisfied) {
            columns.remove(position);
        }
    }
}

/// Values that make all columns true and are in all domains but this one.
fn outside(
    generator: &mut Generator,
    domains: &[&Domain],
    position: usize,
    models: &[Model],
    columns: &[Column],
) -> Option<Model> {
    let domain = domains[position];
    for _ in 0..OUTSIDE {
        let tuple: Vec<Value> =
            domain.constants.iter().map(|&constant| some_value(generator, constant)).collect();
        let mut model = generator.dice.pick(&models.iter().collect::<Vec<_>>()).clone();
        domain.assign(&generator.pool, &mut model, &tuple);
        let holds = |column: &Column| truth(&generator.pool, &model, column.term) == Some(true);
        if columns.iter().all(holds) {
            return Some(model);
        }
    }
    None
}

/// A value for a constant that may be outside of its domain.
fn some_value(generator: &mut Generator, constant: TermId) -> Value {
    match generator.pool.sort(constant) {
        Sort::Bool => Value::Bool(generator.dice.percent(50)),
        Sort::Int if generator.dice.percent(60) => Value::Int(generator.dice.between(-6, 9).into()),
        Sort::Int => Value::Int(generator.number()),
        _ => {
            let mut word = generator.word();
            if generator.dice.percent(30) {
                word.extend(generator.word());
            }
            if generator.dice.percent(30) {
                let letter = generator.dice.pick(&[0x21, 0x30, 0x61, 0x63, 0x7A]);
                let place = generator.dice.below(word.len() + 1);
                word.insert(place, letter);
            }
            let literal = generator.string(word);
            generator.value_of(literal).unwrap_or_else(|| Value::default_of(Sort::String))
        }
    }
}

/// An assertion that is true under all these models, at times: it changes nothing about the core.
fn redundant(
    generator: &mut Generator,
    needed: &[(TermId, Model)],
    used: &BTreeSet<TermId>,
) -> Option<TermId> {
    if !generator.dice.percent(REDUNDANT) {
        return None;
    }
    generator.keep_constants(used);
    for _ in 0..4 {
        generator.model = needed[generator.dice.below(needed.len())].1.clone();
        let about = generator.some_operator();
        let depth = generator.dice.pick(&[0, 0, 1]);
        let term = generator.formula(true, depth, about);
        let known = PostOrder::new(&generator.pool, [term]).all(|part| {
            !matches!(generator.pool.term(part), Term::Apply(..)) || used.contains(&part)
        });
        if known
            && needed.iter().all(|(_, model)| truth(&generator.pool, model, term) == Some(true))
        {
            return Some(term);
        }
    }
    None
}

fn shuffle<T>(generator: &mut Generator, items: &mut [T]) {
    // Half of them begin with the bounds, as people would write them.
    if generator.dice.percent(50) {
        items.reverse();
        return;
    }
    for position in (1..items.len()).rev() {
        let other = generator.dice.below(position + 1);
        items.swap(position, other);
    }
}

/// `x is one of "", "a"`.
fn in_words(pool: &mut TermPool, domain: &Domain) -> String {
    let names: Vec<String> =
        domain.constants.iter().map(|&constant| written(pool, constant)).collect();
    let mut values: Vec<String> = Vec::new();
    for tuple in domain.tuples.iter().take(LISTED) {
        let values_of_tuple: Vec<String> =
            tuple.iter().map(|value| value_in_words(pool, value)).collect();
        values.push(values_of_tuple.join(" "));
    }
    let more = if domain.tuples.len() > LISTED { " and so on" } else { "" };
    format!("{} is one of {}{more}", names.join(" "), values.join(", "))
}

/// `((x "a") (i 0))`, as solvers answer `get-value`.
fn assignment_in_words(pool: &mut TermPool, model: &Model) -> String {
    let values: Vec<(String, Value)> = model
        .iter()
        .filter_map(|(function, interpretation)| match interpretation {
            Interpretation::Value(value) => {
                Some((pool.function_name(function).into_owned(), value.clone()))
            }
            Interpretation::Function { .. } => None,
        })
        .collect();
    let parts: Vec<String> = values
        .into_iter()
        .map(|(name, value)| format!("({name} {})", value_in_words(pool, &value)))
        .collect();
    format!("({})", parts.join(" "))
}

fn value_in_words(pool: &mut TermPool, value: &Value) -> String {
    match value.to_term(pool) {
        Ok(term) => written(pool, term),
        Err(_) => String::new(),
    }
}

fn written(pool: &TermPool, term: TermId) -> String {
    let printed = print_term(pool, term, &PrintOptions::new(Dialect::Smt27));
    printed.map_or_else(|_| String::new(), |text| String::from_utf8_lossy(&text.bytes).into_owned())
}
