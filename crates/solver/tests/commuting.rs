//! Commuting words, order, and conversions: what the abstraction refutes with its facts about them,
//! and that facts around a model are never refuted.

use crate::common;

use std::time::Duration;

use common::problem;
use luthier_generator::Dice;
use luthier_solver::{Budget, Cancel, Verdict};

fn verdict(text: &str) -> Verdict {
    let declarations = "(declare-const x String) (declare-const y String) (declare-const z String)
        (declare-const i Int) (declare-const j Int)";
    let budget = Budget::until_cancelled(Cancel::new()).at_most(Duration::from_secs(10));
    common::engine("abstraction").run(&problem(&format!("{declarations} {text}")), &budget)
}

#[track_caller]
fn is_refuted(text: &str) {
    let verdict = verdict(text);
    assert!(matches!(verdict, Verdict::Unsat(_)), "{text}: {verdict:?}");
}

#[test]
fn commuting_words_are_powers_of_a_common_word() {
    let commute = "(assert (= (str.++ x y) (str.++ y x)))";
    let both = "(assert (= (str.++ x y) (str.++ y x))) (assert (= (str.++ z y) (str.++ y z)))";
    for text in [
        "(assert (> (str.len y) (str.len x) 0)) (assert (not (str.contains y x)))",
        "(assert (= (str.len x) (str.len y))) (assert (distinct x y))",
        "(assert (<= (str.len x) (str.len y))) (assert (not (str.contains (str.++ y y) (str.++ x y))))",
        "(assert (<= (str.len x) (* 2 (str.len y)))) (assert (not (str.suffixof x (str.++ y y))))",
    ] {
        is_refuted(&format!("{commute} {text}"));
    }
    for text in [
        "(assert (distinct y \"\")) (assert (distinct (str.++ x z) (str.++ z x)))",
        "(assert (distinct y \"\")) (assert (>= (str.len z) (str.len x))) (assert (not (str.prefixof x z)))",
    ] {
        is_refuted(&format!("{both} {text}"));
    }
    // Without its condition, none of them follows.
    for text in [
        "(assert (not (str.contains y x)))",
        "(assert (<= (str.len x) (* 3 (str.len y)))) (assert (not (str.suffixof x (str.++ y y))))",
    ] {
        let verdict = verdict(&format!("{commute} {text}"));
        assert!(!matches!(verdict, Verdict::Unsat(_)), "{text}: {verdict:?}");
    }
    let text = format!("{both} (assert (distinct (str.++ x z) (str.++ z x)))");
    assert!(!matches!(verdict(&text), Verdict::Unsat(_)), "y may be empty");
}

#[test]
fn order_follows_prefixes_and_first_letters() {
    for text in [
        "(assert (str.< x \"b\")) (assert (str.prefixof \"c\" x))",
        "(assert (str.< \"b\" x)) (assert (str.prefixof \"a\" x))",
        "(assert (str.< x \"abc\")) (assert (str.prefixof \"abc\" x))",
        "(assert (str.<= x \"a\")) (assert (str.prefixof \"ab\" x))",
        "(assert (str.< x y)) (assert (str.prefixof \"b\" x)) (assert (str.prefixof \"a\" y))",
        "(assert (str.< x y)) (assert (= (str.at x 0) \"b\")) (assert (= (str.at y 0) \"a\"))",
    ] {
        is_refuted(text);
    }
}

#[test]
fn decimals_have_no_leading_zeros_and_end_as_their_digits_say() {
    for text in [
        "(assert (= (str.from_int i) (str.++ \"0\" x))) (assert (> i 0))",
        "(assert (str.prefixof \"0\" (str.from_int i))) (assert (> i 0))",
        "(assert (= (str.to_int (str.++ \"12\" x)) 5))",
        "(assert (= (str.to_int (str.++ x \"5\")) i)) (assert (= (mod i 10) 4))",
        "(assert (= (str.to_int x) 7)) (assert (str.contains x \"8\"))",
        "(assert (= (str.to_int x) (str.to_int y) i)) (assert (= (str.len x) (str.len y)))
         (assert (distinct x y)) (assert (>= i 0))",
    ] {
        is_refuted(text);
    }
}

#[test]
fn facts_around_a_model_are_never_refuted() {
    for stream in 0..120 {
        let mut dice = Dice::new(77, stream);
        let root: String =
            (0..1 + dice.below(3)).map(|_| dice.pick(&['a', 'b', '0', '7'])).collect();
        let names = ["x", "y", "z"];
        let mut values: Vec<String> = (0..3).map(|_| root.repeat(dice.below(4))).collect();
        if dice.percent(30) {
            values[2] = (0..dice.below(5)).map(|_| dice.pick(&['a', 'b', '0'])).collect();
        }
        // A concatenation of names with its value.
        let concatenation = |dice: &mut Dice| {
            let parts: Vec<usize> = (0..2 + dice.below(2)).map(|_| dice.below(3)).collect();
            let text: Vec<&str> = parts.iter().map(|&part| names[part]).collect();
            let value: String = parts.iter().map(|&part| values[part].as_str()).collect();
            (format!("(str.++ {})", text.join(" ")), value)
        };
        let mut text = String::new();
        let mut fact = |formula: String, truth: bool| {
            let formula = if truth { formula } else { format!("(not {formula})") };
            text.push_str(&format!("(assert {formula})"));
        };
        for (one, other) in [(0, 1), (1, 2), (0, 2)] {
            let (left, right) = (names[one], names[other]);
            let [forth, back] = [
                format!("{}{}", values[one], values[other]),
                format!("{}{}", values[other], values[one]),
            ];
            if dice.percent(70) {
                let formula = format!("(= (str.++ {left} {right}) (str.++ {right} {left}))");
                fact(formula, forth == back);
            }
            let (long, short) = (values[one].len(), values[other].len());
            fact(format!("(> (str.len {left}) (str.len {right}))"), long > short);
            fact(format!("(str.< {left} {right})"), values[one] < values[other]);
        }
        for _ in 0..3 {
            let ((whole, letters), (part, inside)) =
                (concatenation(&mut dice), concatenation(&mut dice));
            fact(format!("(str.contains {whole} {part})"), letters.contains(&inside));
            fact(format!("(str.prefixof {part} {whole})"), letters.starts_with(&inside));
            fact(format!("(= {whole} {part})"), letters == inside);
            if let Ok(number) = letters.parse::<u64>() {
                fact(format!("(= (str.to_int {whole}) {number})"), true);
                fact(format!("(= (str.from_int {number}) {whole})"), number.to_string() == letters);
            }
        }
        let verdict = verdict(&text);
        assert!(!matches!(verdict, Verdict::Unsat(_)), "{stream}: {values:?} {text}: {verdict:?}");
    }
}
