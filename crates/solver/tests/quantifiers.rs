//! Elimination of quantifiers: for all small words, the result is the truth value that enumeration
//! gives, and for formulas without an elimination nothing is decided.

use crate::common;

use common::problem;
use luthier_solver::rewrite::simplify;
use luthier_solver::{Budget, Cancel, Verdict};

/// The truth value that rewriting finds for a formula, if it does.
fn truth(text: &str) -> Option<bool> {
    let simplified = simplify(&problem(text), &Budget::until_cancelled(Cancel::new()));
    match (simplified.contradiction, simplified.problem.assertions.as_slice()) {
        (Some(_), _) => Some(false),
        (None, []) => Some(true),
        _ => None,
    }
}

/// All words over two letters up to this length.
fn words(longest: u32) -> Vec<String> {
    let of_length = |length: u32| {
        (0..1u32 << length).map(move |bits| {
            let letter = |place: u32| if bits >> place & 1 == 1 { 'b' } else { 'a' };
            (0..length).map(letter).collect()
        })
    };
    (0..=longest).flat_map(of_length).collect()
}

#[test]
fn decompositions_of_words_are_decided_as_by_enumeration() {
    let words = words(3);
    for whole in &words {
        for one in &words {
            for other in words.iter().filter(|other| other.len() < 2) {
                let cuts: Vec<(&str, &str)> =
                    (0..=whole.len()).map(|cut| whole.split_at(cut)).collect();
                let rests = |prefix: &str| whole.strip_prefix(prefix).map(str::to_owned);
                let cases = [
                    (
                        format!("(exists ((x String)) (= w (str.++ \"{one}\" x \"{other}\")))"),
                        rests(one).is_some_and(|rest| rest.ends_with(other.as_str())),
                    ),
                    (
                        format!(
                            "(exists ((x String) (y String)) (= w (str.++ x \"{one}\" y \"{other}\")))"
                        ),
                        cuts.iter().any(|(_, after)| {
                            let rest = after.strip_prefix(one.as_str());
                            rest.is_some_and(|rest| rest.ends_with(other.as_str()))
                        }),
                    ),
                    (
                        format!(
                            "(forall ((x String) (y String) (z String))
                               (=> (= w (str.++ x y z)) (distinct y \"{one}\")))"
                        ),
                        !whole.contains(one.as_str()),
                    ),
                    (
                        format!(
                            "(forall ((x String) (y String))
                               (=> (= w (str.++ x y)) (or (distinct x \"{one}\") (= y \"{other}\"))))"
                        ),
                        rests(one).is_none_or(|rest| rest == *other),
                    ),
                ];
                for (formula, expected) in cases {
                    // The word is a literal, or its value is known.
                    let literal = formula.replace(" w ", &format!(" \"{whole}\" "));
                    assert_eq!(truth(&format!("(assert {literal})")), Some(expected), "{literal}");
                    let text = format!(
                        "(declare-const w String) (assert {formula}) (assert (= w \"{whole}\"))"
                    );
                    assert_eq!(truth(&text), Some(expected), "{text}");
                }
            }
        }
    }
}

#[test]
fn letters_and_ranges_are_decided_as_by_enumeration() {
    for word in words(4) {
        let letters = word.as_bytes();
        let range = "(<= 0 j) (< j (str.len w))";
        let cases = [
            (format!("(forall ((j Int)) (=> (and {range}) (= (str.at w j) \"a\")))"), !word.contains('b')),
            (format!("(exists ((j Int)) (and {range} (= (str.at w j) \"b\")))"), word.contains('b')),
            (
                format!("(forall ((j Int)) (=> (and {range}) (distinct (str.at w j) \"b\")))"),
                !word.contains('b'),
            ),
            (
                format!("(exists ((j Int)) (and {range} (distinct (str.at w j) \"b\" \"c\")))"),
                word.contains('a'),
            ),
            (
                "(forall ((j Int)) (=> (and (< 0 j) (<= j 2)) (= (str.at w j) \"a\")))".to_owned(),
                letters.get(1) == Some(&b'a') && letters.get(2) == Some(&b'a'),
            ),
            (
                "(exists ((j Int) (k Int)) (and (<= 0 j) (<= 0 k) (< j k) (< k 3) (= (str.at w j) \"b\") (= (str.at w k) \"b\")))"
                    .to_owned(),
                letters.iter().take(3).filter(|&&letter| letter == b'b').count() > 1,
            ),
        ];
        for (formula, expected) in cases {
            let text =
                format!("(declare-const w String) (assert {formula}) (assert (= w \"{word}\"))");
            assert_eq!(truth(&text), Some(expected), "{text}");
        }
    }
}

#[test]
fn variables_that_are_not_free_to_choose_keep_their_quantifier() {
    for formula in [
        // The same variable twice, and a variable with another condition.
        "(exists ((x String)) (forall ((y String)) (distinct w (str.++ y y x))))",
        "(forall ((x String) (y String)) (=> (= w (str.++ x y)) (str.contains x \"a\")))",
        // The range depends on the other variable.
        "(forall ((j Int) (k Int)) (=> (and (<= 0 j) (< j k) (= (str.at w k) \"a\")) (= (str.at w j) \"b\")))",
    ] {
        let text =
            format!("(declare-const w String) (assert {formula}) (assert (str.contains w \"a\"))");
        assert_eq!(truth(&text), None, "{text}");
    }
}

fn solve(text: &str) -> luthier_solver::Solution {
    let budget = Budget::until_cancelled(Cancel::new()).at_most(std::time::Duration::from_secs(5));
    common::portfolio().solve(&problem(text), &budget)
}

#[test]
fn instances_refute_and_ranges_that_depend_on_a_model_are_checked() {
    let declared = "(declare-const w String) (declare-const v String) (declare-fun f (Int) String)";
    let unsat = [
        "(assert (forall ((i Int)) (=> (and (<= 0 i) (< i (str.len w))) (= (f i) (str.at w i)))))
         (assert (= (str.len w) 3)) (assert (distinct (f 1) (str.at w 1)))",
        "(assert (forall ((x String)) (=> (str.prefixof x w) (str.contains v x))))
         (assert (str.prefixof \"ab\" w)) (assert (not (str.contains v \"ab\")))",
        "(assert (not (exists ((i Int)) (= (str.len w) (+ i 3))))) (assert (> (str.len w) 5))",
    ];
    for text in unsat {
        let solution = solve(&format!("{declared} {text}"));
        assert!(matches!(solution.verdict, Verdict::Unsat(_)), "{text}: {:?}", solution.verdict);
    }
    let sat = [
        "(assert (forall ((i Int)) (=> (and (<= 0 i) (< i (str.len w))) (distinct (str.at w i) \"a\"))))
         (assert (> (str.len w) 4))",
        "(assert (forall ((i Int)) (=> (and (<= 0 i) (< i (str.len w))) (str.contains v (str.at w i)))))
         (assert (= (str.len w) 2)) (assert (distinct w v))",
    ];
    for text in sat {
        let solution = solve(&format!("{declared} {text}"));
        assert_eq!(solution.mistakes, [""; 0], "{text}");
        assert!(matches!(solution.verdict, Verdict::Sat(_)), "{text}: {:?}", solution.verdict);
    }
}

#[test]
fn quantified_facts_around_a_model_are_never_refuted() {
    for stream in 0..60 {
        let mut dice = luthier_generator::Dice::new(78, stream);
        let mut word = |most: usize| -> String {
            let length = dice.below(most);
            (0..length).map(|_| dice.pick(&['a', 'b'])).collect()
        };
        let (w, v, t) = (word(5), word(5), word(3));
        let facts = [
            (
                "(forall ((i Int)) (=> (and (<= 0 i) (< i (str.len w))) (str.contains v (str.at w i))))",
                w.chars().all(|letter| v.contains(letter)),
            ),
            ("(forall ((x String)) (=> (str.prefixof x w) (str.prefixof x v)))", v.starts_with(&w)),
            (
                "(exists ((x String)) (and (= w (str.++ x t)) (str.prefixof x v)))",
                w.strip_suffix(&t).is_some_and(|rest| v.starts_with(rest)),
            ),
            (
                "(forall ((x String) (y String)) (=> (= w (str.++ x t y)) (= x \"\")))",
                (1..=w.len()).all(|cut| !w[cut..].starts_with(&t)),
            ),
            (
                "(exists ((i Int)) (and (<= 0 i) (< i (str.len w)) (= (str.at w i) (str.at v i))))",
                w.chars().zip(v.chars()).any(|(one, other)| one == other),
            ),
            (
                "(exists ((i Int) (j Int)) (and (< 0 i j) (= (str.substr w i 1) (str.substr w j 1) \"b\")))",
                w.chars().skip(1).filter(|&letter| letter == 'b').count() > 1,
            ),
        ];
        let mut text =
            "(declare-const w String) (declare-const v String) (declare-const t String)".to_owned();
        for (formula, truth) in facts {
            let formula = if truth { formula.to_owned() } else { format!("(not {formula})") };
            text.push_str(&format!("(assert {formula})"));
        }
        for (name, value) in [("w", &w), ("v", &v), ("t", &t)] {
            text.push_str(&match dice.below(3) {
                0 => format!("(assert (= {name} \"{value}\"))"),
                1 => format!("(assert (= (str.len {name}) {}))", value.len()),
                _ => String::new(),
            });
        }
        let solution = solve(&text);
        assert_eq!(solution.mistakes, [""; 0], "{text}");
        let verdict = solution.verdict;
        assert!(!matches!(verdict, Verdict::Unsat(_)), "{w} {v} {t}: {text}: {verdict:?}");
    }
}
