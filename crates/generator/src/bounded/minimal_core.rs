//! The minimal core of a contradiction, with a model of all other assertions for each of its
//! assertions.
//!
//! Assertions that are not needed are dropped greedily. For each remaining one an assignment must
//! be found that makes all others true; for the assertion of a domain, that is an assignment
//! outside of the domain. A domain assertion for which none is found is joined by `and` with a
//! needed assertion. Then every unsatisfiable subset contains all assertions of the core: it is
//! minimal and the only minimal one. A redundant assertion may be added if it is true under all
//! these models.

use std::collections::BTreeSet;

use luthier_semantics::{Interpretation, Model, Value};
use luthier_smtlib::{Dialect, PrintOptions, print_term};
use luthier_terms::{Op, PostOrder, Sort, Term, TermId, TermPool};

use super::{Domain, EvaluatedAssertion, truth};
use crate::random::Generator;
use crate::{Category, Draft, PlantedAnswer, Sketch};

/// The number of assignments outside of a domain that are tried.
const OUTSIDE: usize = 60;

/// The percentage of formulas with a redundant assertion.
const REDUNDANT: usize = 25;

/// The number of values of a domain that a derivation lists.
const LISTED: usize = 8;

/// An unsatisfiable set of assertions, each of which is needed.
pub(super) struct Contradiction {
    /// Assertions, each with a model of all others.
    needed: Vec<(TermId, Model)>,
    /// A further assertion that is true under all these models.
    redundant: Option<TermId>,
    /// The domains of the constants, for the derivation.
    bounds: Vec<String>,
    /// The number of assignments.
    tried: usize,
}

impl Contradiction {
    /// Drops assertions that are not needed and finds the models that prove the others needed. No
    /// assignment satisfies all assertions.
    pub(super) fn of(
        generator: &mut Generator,
        domains: &[Domain],
        models: &[Model],
        mut evaluated: Vec<EvaluatedAssertion>,
    ) -> Option<Self> {
        drop_unneeded(&mut evaluated);
        let used: BTreeSet<TermId> =
            PostOrder::new(&generator.pool, evaluated.iter().map(|assertion| assertion.term))
                .collect();
        let occurs = |domain: &&Domain| domain.constants.iter().any(|part| used.contains(part));
        let domains: Vec<&Domain> = domains.iter().filter(occurs).collect();

        // After dropping, the others have a satisfying assignment for each assertion.
        let mut needed: Vec<(TermId, Model)> = Vec::new();
        for (position, assertion) in evaluated.iter().enumerate() {
            let others = |index: &usize| {
                let mut rest = evaluated.iter().enumerate().filter(|(other, _)| *other != position);
                rest.all(|(_, assertion)| assertion.truths[*index])
            };
            let index = (0..models.len()).find(others)?;
            needed.push((assertion.term, models[index].clone()));
        }
        for (position, domain) in domains.iter().enumerate() {
            let Some(assertion) = domain.assertion else { continue };
            match model_outside(generator, &domains, position, models, &evaluated) {
                Some(model) => needed.push((assertion, model)),
                None => {
                    // It is not proved to be needed by itself, but joined with a needed assertion it is.
                    let with = generator.dice.below(evaluated.len());
                    let joined = generator.op(Op::And, &[assertion, needed[with].0]);
                    needed[with].0 = joined;
                }
            }
        }
        let bounds =
            domains.iter().map(|domain| domain_text(&mut generator.pool, domain)).collect();
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
            let values = assignment_text(&mut generator.pool, model);
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
            planted: PlantedAnswer::Core(names),
            category: Category::Bounded,
            operation: about.name(),
            derivation,
        }
    }
}

/// Drops assertions, the first one last, while no assignment satisfies the others.
fn drop_unneeded(evaluated: &mut Vec<EvaluatedAssertion>) {
    for position in (0..evaluated.len()).rev() {
        let count = evaluated[position].truths.len();
        let satisfied = |index: usize| {
            let mut others = evaluated.iter().enumerate().filter(|(other, _)| *other != position);
            others.all(|(_, assertion)| assertion.truths[index])
        };
        if evaluated.len() > 1 && !(0..count).any(satisfied) {
            evaluated.remove(position);
        }
    }
}

/// A model of all assertions with values in all domains but this one.
fn model_outside(
    generator: &mut Generator,
    domains: &[&Domain],
    position: usize,
    models: &[Model],
    evaluated: &[EvaluatedAssertion],
) -> Option<Model> {
    let domain = domains[position];
    for _ in 0..OUTSIDE {
        let tuple: Vec<Value> =
            domain.constants.iter().map(|&constant| some_value(generator, constant)).collect();
        let mut model = generator.dice.pick(&models.iter().collect::<Vec<_>>()).clone();
        domain.assign(&generator.pool, &mut model, &tuple);
        let holds = |assertion: &EvaluatedAssertion| {
            truth(&generator.pool, &model, assertion.term) == Some(true)
        };
        if evaluated.iter().all(holds) {
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

/// Sometimes an assertion that is true under all these models, so that the core stays the same.
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
    // Half of the formulas begin with the domains, as people would write them.
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
fn domain_text(pool: &mut TermPool, domain: &Domain) -> String {
    let names: Vec<String> =
        domain.constants.iter().map(|&constant| written(pool, constant)).collect();
    let mut values: Vec<String> = Vec::new();
    for tuple in domain.tuples.iter().take(LISTED) {
        let values_of_tuple: Vec<String> =
            tuple.iter().map(|value| value_text(pool, value)).collect();
        values.push(values_of_tuple.join(" "));
    }
    let more = if domain.tuples.len() > LISTED { " and so on" } else { "" };
    format!("{} is one of {}{more}", names.join(" "), values.join(", "))
}

/// `((x "a") (i 0))`, as solvers answer `get-value`.
fn assignment_text(pool: &mut TermPool, model: &Model) -> String {
    let values: Vec<(String, Value)> = model
        .iter()
        .filter_map(|(function, interpretation)| match interpretation {
            Interpretation::Value(value) => {
                Some((pool.function_name(function).into_owned(), value.clone()))
            }
            Interpretation::Function { .. } | Interpretation::Table(_) => None,
        })
        .collect();
    let parts: Vec<String> = values
        .into_iter()
        .map(|(name, value)| format!("({name} {})", value_text(pool, &value)))
        .collect();
    format!("({})", parts.join(" "))
}

fn value_text(pool: &mut TermPool, value: &Value) -> String {
    match value.to_term(pool) {
        Ok(term) => written(pool, term),
        Err(_) => String::new(),
    }
}

fn written(pool: &TermPool, term: TermId) -> String {
    let printed = print_term(pool, term, &PrintOptions::new(Dialect::Smt27));
    printed.map_or_else(|_| String::new(), |text| String::from_utf8_lossy(&text.bytes).into_owned())
}
