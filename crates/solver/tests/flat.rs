//! The flat engine on real problems, with a real arithmetic solver.

use crate::common;

use std::time::Duration;

use std::fmt::Write as _;

use common::{VARIATIONS, commuting, planted, problem};
use luthier_generator::Dice;
use luthier_semantics::{Evaluator, Model, Value};
use luthier_solver::{Budget, Cancel, Engine, Limits, Problem, UnknownReason, Verdict};
use luthier_terms::{Op, SmtString};

fn engine() -> Box<dyn Engine> {
    common::engine("flat")
}

fn budget(seconds: u64) -> Budget {
    Budget::until_cancelled(Cancel::new()).at_most(Duration::from_secs(seconds))
}

/// Expects a model that the referee accepts.
fn expect_model(problem: &Problem, what: &str) {
    match engine().run(problem, &budget(60)) {
        Verdict::Sat(model) => {
            let mut evaluator = Evaluator::new(&problem.pool, &model);
            for &assertion in &problem.assertions {
                assert!(evaluator.evaluate(assertion).is_true(), "{what}");
            }
        }
        Verdict::Unsat(proof) => panic!("{what}: {proof:?}"),
        Verdict::Unknown(reason) => panic!("{what}: {reason}"),
    }
}

#[test]
fn the_example_of_the_paper_and_its_variations_have_models() {
    for &(literals, length) in &VARIATIONS[..7] {
        for swapped in [false, true] {
            let what = format!("{literals:?} {length} {swapped}");
            expect_model(&commuting(literals, length, swapped), &what);
        }
    }
}

#[test]
fn a_formula_around_a_model_is_never_refuted() {
    // `LUTHIER_TERMS` asks for more formulas than usual.
    let count = std::env::var("LUTHIER_TERMS").map_or(80, |count| count.parse().unwrap());
    let mut found = 0;
    for stream in 0..count {
        let (generator, assertions) = planted(stream);
        let problem = Problem { pool: generator.pool.into(), assertions };
        match engine().run(&problem, &budget(2)) {
            Verdict::Sat(_) => found += 1,
            Verdict::Unsat(proof) => panic!("{stream}: {proof:?}"),
            Verdict::Unknown(_) => {}
        }
    }
    assert!(found > 0, "no model was found");
}

#[test]
fn cancellation_ends_the_work() {
    let cancel = Cancel::new();
    cancel.cancel();
    let verdict = engine()
        .run(&commuting(["123456", "12345", "a"], 21, false), &Budget::until_cancelled(cancel));
    assert!(matches!(verdict, Verdict::Unknown(UnknownReason::Cancelled)), "{verdict:?}");
}

/// Fig. 1 as the engine gets it: without `u` and `v`, which equations define.
const AFTER_ELIMINATION: &str = "(declare-const p String) (declare-const q String)
    (declare-const r String) (declare-const s String) (declare-const y String)
    (assert (= (str.++ r \"12345\" s p \"123456\" q) (str.++ p \"123456\" q r \"12345\" s)))
    (assert (= (+ (str.len p) (str.len q)) 15))
    (assert (not (str.contains (str.++ r \"12345\" s \"a\" y)
                               (str.++ p \"123456\" q \"a\" r \"12345\" s))))";

#[test]
fn the_example_without_its_defined_words_has_a_model() {
    expect_model(&problem(AFTER_ELIMINATION), "after elimination");
}

#[test]
fn long_words_with_a_period_that_does_not_divide_sixty_are_found() {
    let text = "(declare-const x String) (declare-const y String)
        (assert (str.in_re x (re.* (str.to_re \"abcdefg\"))))
        (assert (= (str.len x) 1400)) (assert (= (str.++ x y) (str.++ y x)))
        (assert (= (str.len y) 707))";
    expect_model(&problem(text), "period 7");
}

#[test]
fn cycles_and_periods_can_be_those_of_the_paper() {
    let solve = |settings: &[&str]| {
        let mut limits = Limits::default();
        limits.set("flat.check_time=20s").unwrap();
        settings.iter().for_each(|one| limits.set(one).unwrap());
        let budget = budget(60).within(limits.into());
        engine().run(&commuting(["123456", "12345", "a"], 210, false), &budget)
    };
    let found = solve(&["flat.k=1", "flat.l=4", "flat.flim=2"]);
    assert!(matches!(found, Verdict::Sat(_)));
    // One cycle of four letters has no six different ones.
    let limited = solve(&["flat.k=1", "flat.l=4", "flat.flim=0"]);
    assert!(matches!(limited, Verdict::Unknown(UnknownReason::Incomplete(_))));
    let faster = solve(&["flat.k=1", "flat.l=4", "flat.flim=1", "flat.growth=2"]);
    assert!(matches!(faster, Verdict::Sat(_)));
}

/// Atoms over words that share factors, true under given values.
fn with_repeated_factors(stream: u64) -> (Problem, String) {
    let mut dice = Dice::new(91, stream);
    let names = ["x", "y", "z", "u"];
    let word = |dice: &mut Dice, most: usize| -> String {
        (0..dice.below(most + 1)).map(|_| dice.pick(&["a", "b"])).collect()
    };
    let values: Vec<String> = names.iter().map(|_| word(&mut dice, 3)).collect();
    let part = |dice: &mut Dice| match dice.below(4) {
        0 => format!("\"{}\"", word(dice, 2)),
        1 => "(str.substr u 0 2)".to_owned(),
        _ => dice.pick(&names).to_owned(),
    };
    let factors: Vec<String> = (0..2)
        .map(|_| (0..2 + dice.below(3)).map(|_| part(&mut dice)).collect::<Vec<_>>().join(" "))
        .collect();
    let mut text = String::new();
    for name in names {
        writeln!(text, "(declare-const {name} String)").unwrap();
    }
    let term = |dice: &mut Dice| {
        let parts: Vec<String> = (0..2 + dice.below(2))
            .map(|_| {
                if dice.percent(60) {
                    factors[dice.below(factors.len())].clone()
                } else {
                    part(dice)
                }
            })
            .collect();
        format!("(str.++ {})", parts.join(" "))
    };
    for _ in 0..3 {
        let (one, other) = (term(&mut dice), term(&mut dice));
        let atom = match dice.below(4) {
            0 | 1 => format!("(= {one} {other})"),
            2 => format!("(str.contains {one} {other})"),
            _ => format!("(<= (str.len {one}) (str.len {other}))"),
        };
        writeln!(text, "(assert {atom})").unwrap();
    }
    let problem = problem(&text);
    let mut model = Model::new();
    for function in problem.declared() {
        let name = problem.pool.function_name(function);
        let at = names.iter().position(|one| *one == name).unwrap();
        model.insert_value(function, Value::String(SmtString::from_text(&values[at]).unwrap()));
    }
    let mut pool = (*problem.pool).clone();
    let mut assertions = Vec::new();
    for &assertion in &problem.assertions {
        let truth = Evaluator::new(&problem.pool, &model).evaluate(assertion).as_bool().unwrap();
        let negated = pool.op(Op::Not, &[assertion]).unwrap();
        assertions.push(if truth { assertion } else { negated });
    }
    (Problem { pool: pool.into(), assertions }, text)
}

#[test]
fn a_formula_with_repeated_factors_around_a_model_is_never_refuted() {
    let count = std::env::var("LUTHIER_TERMS").map_or(80, |count| count.parse().unwrap());
    let mut found = 0;
    for stream in 0..count {
        let (problem, text) = with_repeated_factors(stream);
        match engine().run(&problem, &budget(2)) {
            Verdict::Sat(model) => {
                let mut evaluator = Evaluator::new(&problem.pool, &model);
                let holds = |&one: &_| evaluator.evaluate(one).is_true();
                assert!(problem.assertions.iter().all(holds), "{text}\n{model:?}");
                found += 1;
            }
            Verdict::Unsat(proof) => panic!("{text}: {proof:?}"),
            Verdict::Unknown(_) => {}
        }
    }
    assert!(found * 2 > count, "{found} of {count}");
}
