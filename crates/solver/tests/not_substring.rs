//! The encodings of not-substring in the flat engine: none of them gives a wrong answer.

use crate::common;

use std::time::Duration;

use common::{commuting, problem};
use luthier_generator::Dice;
use luthier_semantics::{Evaluator, Model, Value};
use luthier_solver::{Budget, Cancel, NotSubstring, Portfolio, Problem, Verdict, strategy};
use luthier_terms::SmtString;

fn run(form: NotSubstring, problem: &Problem, seconds: u64) -> Verdict {
    let budget = Budget::until_cancelled(Cancel::new()).at_most(Duration::from_secs(seconds));
    let portfolio = Portfolio { not_substring: form, ..common::portfolio() };
    strategy::engine("flat").unwrap().build(&portfolio).unwrap().run(problem, &budget)
}

fn holds(problem: &Problem, model: &Model) -> bool {
    let mut evaluator = Evaluator::new(&problem.pool, model);
    problem.assertions.iter().all(|&assertion| evaluator.evaluate(assertion).is_true())
}

#[test]
fn each_form_finds_models_of_the_example_and_its_variations() {
    for form in NotSubstring::ALL {
        for &(literals, length) in &common::VARIATIONS[..7] {
            for swapped in [false, true] {
                let problem = commuting(literals, length, swapped);
                let verdict = run(form, &problem, 120);
                let Verdict::Sat(model) = verdict else {
                    panic!("{form} {literals:?} {length} {swapped}: {verdict:?}");
                };
                assert!(holds(&problem, &model), "{form} {literals:?} {length} {swapped}");
            }
        }
    }
}

/// A random concatenation of variables and literals.
fn term(dice: &mut Dice, most: usize) -> String {
    let parts: Vec<&str> = (0..1 + dice.below(most))
        .map(|_| dice.pick(&["x", "x", "y", "y", "\"a\"", "\"ab\"", "\"ba\""]))
        .collect();
    match parts[..] {
        [only] => only.to_owned(),
        _ => format!("(str.++ {})", parts.join(" ")),
    }
}

/// All words of `a` and `b` with at most three letters.
fn small_words() -> Vec<SmtString> {
    let mut words = vec![String::new()];
    for length in 0..3 {
        let longer: Vec<String> = words
            .iter()
            .filter(|word| word.len() == length)
            .flat_map(|word| ["a", "b"].map(|letter| format!("{word}{letter}")))
            .collect();
        words.extend(longer);
    }
    words.iter().map(|word| SmtString::from_text(word).unwrap()).collect()
}

/// Words of few letters, so every answer can be checked: by the referee, or by trying all of them.
#[test]
fn each_form_agrees_with_all_small_words() {
    let words = small_words();
    assert_eq!(words.len(), 15);
    let (mut sat, mut unsat) = (0, 0);
    for stream in 0..30 {
        let mut dice = Dice::new(12, stream);
        let mut text = "(declare-const x String)(declare-const y String)".to_owned();
        for name in ["x", "y"] {
            let order = dice.pick(&["=", "<="]);
            let length = dice.below(4);
            text += &format!(
                "(assert (str.in_re {name} (re.* (re.range \"a\" \"b\"))))
                 (assert ({order} (str.len {name}) {length}))"
            );
        }
        for _ in 0..1 + dice.below(2) {
            let (hay, needle) = (term(&mut dice, 3), term(&mut dice, 2));
            text += &format!("(assert (not (str.contains {hay} {needle})))");
        }
        let problem = problem(&text);
        let functions = problem.declared();
        let exists = words.iter().any(|x| {
            words.iter().any(|y| {
                let mut model = Model::new();
                for (&function, word) in functions.iter().zip([x, y]) {
                    model.insert_value(function, Value::String(word.clone()));
                }
                holds(&problem, &model)
            })
        });
        for form in NotSubstring::ALL {
            match run(form, &problem, 20) {
                Verdict::Sat(model) => {
                    assert!(exists && holds(&problem, &model), "{form} {text}");
                    sat += 1;
                }
                Verdict::Unsat(_) => {
                    assert!(!exists, "{form} {text}");
                    unsat += 1;
                }
                Verdict::Unknown(reason) => eprintln!("{form}: {reason}: {text}"),
            }
        }
    }
    assert!(sat > 20 && unsat > 5, "{sat} and {unsat}");
}

/// A formula around a model is never refuted, whatever the form.
#[test]
fn no_form_refutes_a_planted_model() {
    for form in [NotSubstring::Paper, NotSubstring::Covering] {
        for stream in 0..15 {
            let (mut generator, mut assertions) = common::planted(stream);
            let mut negated = Vec::new();
            for _ in 0..6 {
                let mut part = || generator.term(luthier_terms::BasicSort::String, 2);
                let (hay, needle) = (part(), part());
                let contains =
                    generator.pool.op(luthier_terms::Op::StrContains, &[hay, needle]).unwrap();
                let value = Evaluator::new(&generator.pool, &generator.model).evaluate(contains);
                if value.is_false() {
                    negated.push(generator.pool.op(luthier_terms::Op::Not, &[contains]).unwrap());
                }
            }
            assertions.extend(negated);
            let problem = Problem { pool: generator.pool.into(), assertions };
            if let Verdict::Unsat(proof) = run(form, &problem, 2) {
                panic!("{form} {stream}: {proof:?}");
            }
        }
    }
}
