//! Soundness of rewriting: the referee evaluates both sides of every step, on random terms over all
//! operators and on terms shaped for the rules.

use std::collections::{BTreeMap, BTreeSet};

use luthier_generator::Dice;
use luthier_generator::random::{Generator, operators};
use luthier_semantics::{Evaluator, Limits, Model, Value};
use luthier_smtlib::{Dialect, PrintOptions, print_term};
use luthier_solver::rewrite::{RULES, RewriteStep, Rewriter};
use luthier_solver::{Budget, Cancel};
use luthier_terms::{FunctionId, Op, SmtString, Sort, Term, TermId, TermPool};

use crate::templates;

/// How often each rule must have been applied in all.
const MIN_APPLICATIONS: u64 = 20;

fn limits() -> Limits {
    Limits { steps: 2_000_000, ..Limits::default() }
}

fn show(pool: &TermPool, term: TermId) -> String {
    let options = PrintOptions::new(Dialect::Smt27);
    String::from_utf8_lossy(&print_term(pool, term, &options).unwrap().bytes).into_owned()
}

fn random_word(dice: &mut Dice) -> SmtString {
    let letters: &[u32] = if dice.percent(25) { &[0x30, 0x31, 0x39, 0x61] } else { &[0x61, 0x62] };
    let length = dice.pick(&[0, 0, 1, 1, 1, 2, 2, 3, 4]);
    SmtString::from_codes((0..length).map(|_| dice.pick(letters))).unwrap()
}

fn random_value(dice: &mut Dice, sort: Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(dice.percent(50)),
        Sort::Int => {
            Value::Int(dice.pick(&[-2, -1, 0, 0, 1, 1, 2, 3, 4, 7, 48, 97, 200_000]).into())
        }
        _ => Value::String(random_word(dice)),
    }
}

/// Other values for the same constants.
fn random_model(dice: &mut Dice, pool: &TermPool, constants: &[FunctionId]) -> Model {
    let mut model = Model::new();
    for &constant in constants {
        model.insert_value(constant, random_value(dice, pool.function(constant).result));
    }
    // Division by zero is interpreted by the model; any function will do.
    let any = || Some(luthier_semantics::Interpretation::Value(Value::Int(7.into())));
    (model.division_by_zero, model.modulo_by_zero) = (any(), any());
    model
}

/// Checks that two terms have one value under each model.
fn agree(pool: &TermPool, models: &[Model], before: TermId, after: TermId, rule: &str) {
    for model in models {
        let mut evaluator = Evaluator::with_limits(pool, model, limits());
        let (one, other) = (evaluator.evaluate(before), evaluator.evaluate(after));
        let (Some(one), Some(other)) = (one.known().cloned(), other.known().cloned()) else {
            continue;
        };
        if matches!(one, Value::RegLan(_)) {
            continue;
        }
        assert_eq!(
            one,
            other,
            "{rule}\n  {}\n  {}\nunder {model:?}",
            show(pool, before),
            show(pool, after)
        );
    }
}

/// Languages are compared by membership of random words.
fn agree_on_words(pool: &mut TermPool, dice: &mut Dice, models: &[Model], step: RewriteStep) {
    for _ in 0..6 {
        let word = pool.string(random_word(dice)).unwrap();
        let before = pool.op(Op::StrInRe, &[word, step.before]).unwrap();
        let after = pool.op(Op::StrInRe, &[word, step.after]).unwrap();
        agree(pool, models, before, after, step.rule);
    }
}

/// Rewrites a term and checks each step.
fn check(
    pool: &mut TermPool,
    dice: &mut Dice,
    constants: &[FunctionId],
    term: TermId,
    counts: &mut BTreeMap<&'static str, u64>,
) {
    let budget = Budget::until_cancelled(Cancel::new());
    let mut rewriter = Rewriter::new(pool, &budget);
    rewriter.start_trace();
    let result = rewriter.rewrite(term);
    let steps = rewriter.trace().to_vec();
    for (rule, count) in rewriter.counts() {
        *counts.entry(rule).or_default() += count;
    }
    let models: Vec<Model> = (0..4).map(|_| random_model(dice, pool, constants)).collect();
    for step in steps {
        if pool.sort(step.before) == Sort::RegLan {
            agree_on_words(pool, dice, &models, step);
        } else {
            agree(pool, &models, step.before, step.after, step.rule);
        }
    }
    if pool.sort(term) != Sort::RegLan {
        agree(pool, &models, term, result, "the whole");
    }
}

fn constants_of(generator: &Generator) -> Vec<FunctionId> {
    generator
        .constants()
        .iter()
        .map(|&constant| match generator.pool.term(constant) {
            Term::Apply(function, _) => function,
            _ => unreachable!("constants are applications"),
        })
        .collect()
}

fn declare(generator: &mut Generator, dice: &mut Dice) {
    for name in ["x", "y", "z"] {
        let value = random_value(dice, Sort::String);
        generator.declare(name, value);
    }
    for name in ["i", "n"] {
        let value = random_value(dice, Sort::Int);
        generator.declare(name, value);
    }
    generator.declare("p", Value::Bool(true));
}

#[test]
fn random_terms_keep_their_values() {
    let mut counts = BTreeMap::new();
    for round in 0..40 {
        let mut dice = Dice::new(11, round);
        let mut generator = Generator::new(dice.fork());
        declare(&mut generator, &mut dice);
        let constants = constants_of(&generator);
        for op in operators() {
            generator.begin(dice.fork());
            let term = generator.about(op);
            check(&mut generator.pool, &mut dice, &constants, term, &mut counts);
        }
    }
    assert!(counts.len() > RULES.len() / 2, "{counts:?}");
}

#[test]
fn random_ground_terms_fold_to_what_the_referee_says() {
    let mut generator = Generator::default();
    let mut folded = BTreeSet::new();
    let budget = Budget::until_cancelled(Cancel::new());
    for number in 0..6000 {
        let term = generator.numbered(5, number);
        let model = Model::new();
        let evaluation = Evaluator::with_limits(&generator.pool, &model, limits()).evaluate(term);
        let Some(value) = evaluation.known().cloned() else { continue };
        let result = Rewriter::new(&mut generator.pool, &budget).rewrite(term);
        let pool = &generator.pool;
        let found = match pool.term(result) {
            Term::String(text) => Value::String(text.clone()),
            Term::Integer(number) => Value::Int(number.clone()),
            Term::Op(Op::True, _) => Value::Bool(true),
            Term::Op(Op::False, _) => Value::Bool(false),
            _ => continue,
        };
        assert_eq!(found, value, "{}", show(pool, term));
        if let Term::Op(op, _) = pool.term(term) {
            folded.insert(op);
        }
    }
    assert!(folded.len() >= 40, "{folded:?}");
}

#[test]
fn terms_shaped_for_the_rules_keep_their_values() {
    let mut counts = BTreeMap::new();
    for round in 0..70 {
        let mut dice = Dice::new(23, round);
        let mut generator = Generator::new(dice.fork());
        declare(&mut generator, &mut dice);
        let constants = constants_of(&generator);
        for template in templates::TEMPLATES {
            let text = templates::fill(template, &mut dice);
            let term = templates::read(&mut generator.pool, &text);
            check(&mut generator.pool, &mut dice, &constants, term, &mut counts);
            // The same shape around random parts.
            let filled = templates::with_random_parts(&mut generator, term);
            check(&mut generator.pool, &mut dice, &constants, filled, &mut counts);
        }
    }
    let seldom: Vec<_> = RULES
        .iter()
        .map(|rule| (rule.name, counts.get(rule.name).copied().unwrap_or(0)))
        .filter(|(_, count)| *count < MIN_APPLICATIONS)
        .collect();
    assert!(seldom.is_empty(), "too seldom applied: {seldom:?}");
}

#[test]
fn names_and_numbers_of_rules_are_their_own() {
    let names: BTreeSet<&str> = RULES.iter().map(|rule| rule.name).collect();
    assert_eq!(names.len(), RULES.len());
    assert!(RULES.iter().all(|rule| !rule.law.is_empty() && !rule.heads.is_empty()));
}
