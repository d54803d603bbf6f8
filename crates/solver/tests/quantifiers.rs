//! Elimination of quantifiers: for all small words, the result is the truth value that enumeration
//! gives, and for formulas without an elimination nothing is decided.

use crate::common;

use common::problem;
use luthier_solver::rewrite::simplify;
use luthier_solver::{Budget, Cancel};

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
