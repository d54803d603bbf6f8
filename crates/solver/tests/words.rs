//! Word equations and memberships with lengths: `nielsen`, `cells` and `languages` find models and
//! never refute a satisfiable problem.

use crate::common;

use std::fmt::Write;
use std::time::Duration;

use common::{planted, problem};
use luthier_generator::Dice;
use luthier_generator::random::Generator;
use luthier_semantics::{Evaluator, Value};
use luthier_solver::{Budget, Cancel, Engine, Problem, Verdict};
use luthier_terms::{BasicSort, Op, SmtString, Sort, TermId};

fn nielsen() -> Box<dyn Engine> {
    common::engine("nielsen")
}

fn cells() -> Box<dyn Engine> {
    common::engine("cells")
}

fn languages() -> Box<dyn Engine> {
    common::engine("languages")
}

fn budget(seconds: u64) -> Budget {
    Budget::until_cancelled(Cancel::new()).at_most(Duration::from_secs(seconds))
}

/// Whether the referee evaluates all assertions to true.
fn holds(problem: &Problem, verdict: &Verdict) -> bool {
    let Verdict::Sat(model) = verdict else { return false };
    let mut evaluator = Evaluator::new(&problem.pool, model);
    problem.assertions.iter().all(|&one| evaluator.evaluate(one).is_true())
}

const STRINGS: &str = "(declare-const x String) (declare-const y String) (declare-const z String)
    (declare-const t String) (declare-const n Int)";

/// All words over two letters up to a length.
fn all_words(most: usize) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut from = 0;
    for _ in 0..most {
        let to = words.len();
        for at in from..to {
            for letter in ["a", "b"] {
                words.push(format!("{}{letter}", words[at]));
            }
        }
        from = to;
    }
    words
}

#[test]
fn no_equation_with_a_small_solution_is_refuted() {
    let words = all_words(3);
    let (mut found, mut refuted) = (0, 0);
    for stream in 0..1_500 {
        let mut dice = Dice::new(91, stream);
        let mut side = |most: usize| -> String {
            let count = 1 + dice.below(most);
            (0..count).map(|_| dice.pick(&['a', 'b', 'x', 'y', 'x', 'y'])).collect()
        };
        // Short sides: those in which only the emptiness of variables matters.
        let most = 2 + stream as usize % 4;
        let (left, right) = (side(most), side(most));
        let value = |side: &str, x: &str, y: &str| side.replace('x', x).replace('y', y);
        let solvable =
            words.iter().any(|x| words.iter().any(|y| value(&left, x, y) == value(&right, x, y)));
        let term = |side: &str| {
            let mut text = "(str.++ \"\" \"\"".to_owned();
            for symbol in side.chars() {
                match symbol {
                    'x' | 'y' => write!(text, " {symbol}").unwrap(),
                    letter => write!(text, " \"{letter}\"").unwrap(),
                }
            }
            text + ")"
        };
        let problem = problem(&format!("{STRINGS} (assert (= {} {}))", term(&left), term(&right)));
        // The length-first engine needs bounded lengths to refute anything.
        let short = budget(1).at_most(Duration::from_millis(80));
        for (engine, budget) in [(nielsen(), budget(5)), (cells(), short)] {
            match engine.run(&problem, &budget) {
                Verdict::Unsat(_) => {
                    assert!(!solvable, "{}: {left} = {right} has a solution", engine.name());
                    refuted += 1;
                }
                verdict @ Verdict::Sat(_) => {
                    assert!(holds(&problem, &verdict), "{}: {left} = {right}", engine.name());
                    found += 1;
                }
                Verdict::Unknown(_) => {}
            }
        }
    }
    assert!(found > 100 && refuted > 100, "{found} models, {refuted} refuted");
}

/// Equations and conditions on lengths that are true under random values.
fn planted_equations(stream: u64) -> String {
    let mut dice = Dice::new(92, stream);
    let names = ["x", "y", "z", "t"];
    let values: Vec<String> = names
        .iter()
        .map(|_| (0..dice.below(7)).map(|_| dice.pick(&['a', 'b'])).collect())
        .collect();
    let mut text = STRINGS.to_owned();
    for _ in 0..1 + dice.below(2) {
        let (mut left, mut whole) = (String::new(), String::new());
        for _ in 0..2 + dice.below(4) {
            let part = dice.below(5);
            if part < 4 {
                write!(left, " {}", names[part]).unwrap();
                whole += &values[part];
            } else {
                left += " \"ab\"";
                whole += "ab";
            }
        }
        // The other side has the same value with other parts.
        let (mut right, mut rest) = (String::new(), &whole[..]);
        while !rest.is_empty() {
            let part = dice.below(8);
            if part < 4 && !values[part].is_empty() && rest.starts_with(&values[part]) {
                write!(right, " {}", names[part]).unwrap();
                rest = &rest[values[part].len()..];
            } else {
                write!(right, " \"{}\"", &rest[..1]).unwrap();
                rest = &rest[1..];
            }
        }
        writeln!(text, "(assert (= (str.++ \"\" \"\"{left}) (str.++ \"\" \"\"{right})))").unwrap();
    }
    for _ in 0..dice.below(3) {
        let (one, other) = (dice.below(4), dice.below(4));
        let sum = values[one].len() + 2 * values[other].len();
        let relation = dice.pick(&["=", ">=", "<="]);
        let (one, other) = (names[one], names[other]);
        let form = format!("(+ (str.len {one}) (* 2 (str.len {other})))");
        writeln!(text, "(assert ({relation} {form} {sum}))").unwrap();
    }
    text
}

#[test]
fn equations_around_a_model_are_never_refuted() {
    let count = std::env::var("LUTHIER_TERMS").map_or(150, |count| count.parse().unwrap());
    let mut found = 0;
    for stream in 0..count {
        let text = planted_equations(stream);
        let problem = problem(&text);
        let verdict = cells().run(&problem, &budget(1).at_most(Duration::from_millis(300)));
        assert!(!matches!(verdict, Verdict::Unsat(_)), "cells: {stream}: {text}");
        let verdict = nielsen().run(&problem, &budget(2));
        assert!(!matches!(verdict, Verdict::Unsat(_)), "{stream}: {text}");
        found += u64::from(holds(&problem, &verdict));
        assert!(holds(&problem, &verdict) || matches!(verdict, Verdict::Unknown(_)), "{text}");
    }
    assert!(2 * found > count, "only {found} of {count} have a model");
}

/// Facts about a random string: memberships, literals and lengths.
fn planted_languages(stream: u64) -> Problem {
    let mut dice = Dice::new(93, stream);
    let mut generator = Generator::for_formula(dice.fork());
    for name in ["x", "y"] {
        let length = dice.below(5);
        let text = SmtString::from_codes((0..length).map(|_| dice.pick(&[97, 98, 48]))).unwrap();
        generator.declare(name, text.into());
    }
    let declared: Vec<_> = generator.model.iter().map(|(function, _)| function).collect();
    let mut strings: Vec<TermId> = Vec::new();
    for function in declared {
        if generator.pool.function(function).result == Sort::String {
            strings.push(generator.pool.apply(function, &[]).unwrap());
        }
    }
    let mut assertions = Vec::new();
    for _ in 0..1 + dice.below(4) {
        let text = dice.pick(&strings);
        let formula = match dice.below(4) {
            0 => {
                let length = generator.pool.op(Op::StrLen, &[text]).unwrap();
                let number = generator.pool.integer(dice.between(0, 5)).unwrap();
                generator.pool.op(dice.pick(&[Op::Ge, Op::Eq]), &[length, number]).unwrap()
            }
            1 => {
                let literal = SmtString::from_codes([dice.pick(&[97, 98])]).unwrap();
                let literal = generator.pool.string(literal).unwrap();
                generator.pool.op(Op::StrContains, &[text, literal]).unwrap()
            }
            _ => {
                let regex = generator.term(BasicSort::RegLan, 3);
                generator.pool.op(Op::StrInRe, &[text, regex]).unwrap()
            }
        };
        match Evaluator::new(&generator.pool, &generator.model).evaluate(formula).as_bool() {
            Some(true) => assertions.push(formula),
            Some(false) => assertions.push(generator.pool.op(Op::Not, &[formula]).unwrap()),
            None => {}
        }
    }
    Problem { pool: generator.pool.into(), assertions }
}

#[test]
fn languages_around_a_model_are_never_refuted() {
    let count = std::env::var("LUTHIER_TERMS").map_or(300, |count| count.parse().unwrap());
    let mut found = 0;
    for stream in 0..count {
        let problem = planted_languages(stream);
        let verdict = languages().run(&problem, &budget(2));
        assert!(!matches!(verdict, Verdict::Unsat(_)), "{stream}");
        if let Verdict::Sat(model) = &verdict {
            let mut model = model.clone();
            for function in problem.declared() {
                if model.get(function).is_none() {
                    let sort = problem.pool.function(function).result;
                    model.insert_value(function, Value::default_of(sort));
                }
            }
            assert!(holds(&problem, &Verdict::Sat(model)), "{stream}");
            found += 1;
        }
    }
    assert!(3 * found > count, "only {found} of {count} have a model");
}

#[test]
fn any_formula_around_a_model_is_never_refuted() {
    for stream in 0..150 {
        let (generator, assertions) = planted(stream);
        let problem = Problem { pool: generator.pool.into(), assertions };
        for engine in [nielsen(), languages()] {
            let verdict = engine.run(&problem, &budget(1));
            assert!(!matches!(verdict, Verdict::Unsat(_)), "{stream}: {verdict:?}");
        }
    }
}
