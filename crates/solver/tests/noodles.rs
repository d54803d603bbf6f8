//! The engine of alignments and splits: it never refutes a planted formula, finds models, and
//! proves what its fragment promises.

use crate::common;

use std::fmt::Write as _;
use std::time::Duration;

use common::{planted, problem};
use luthier_generator::Dice;
use luthier_semantics::{Evaluator, Model, Value};
use luthier_solver::{Budget, Cancel, Problem, Verdict};
use luthier_terms::{Op, SmtString};

fn decide(problem: &Problem, seconds: u64) -> Verdict {
    let budget = Budget::until_cancelled(Cancel::new()).at_most(Duration::from_secs(seconds));
    common::engine("noodles").run(problem, &budget)
}

/// Whether the referee evaluates all assertions to true.
fn holds(problem: &Problem, verdict: &Verdict) -> bool {
    let Verdict::Sat(model) = verdict else { return false };
    let mut evaluator = Evaluator::new(&problem.pool, model);
    problem.assertions.iter().all(|&one| evaluator.evaluate(one).is_true())
}

fn formulas(usual: u64) -> u64 {
    std::env::var("LUTHIER_TERMS").map_or(usual, |count| count.parse().unwrap())
}

#[test]
fn no_planted_formula_is_refuted() {
    for stream in 0..formulas(400) {
        let (generator, assertions) = planted(stream);
        let problem = Problem { pool: generator.pool.clone().into(), assertions };
        let verdict = decide(&problem, 2);
        assert!(!matches!(verdict, Verdict::Unsat(_)), "stream {stream}: {verdict:?}");
    }
}

const VARIABLES: [&str; 4] = ["x", "y", "z", "u"];

/// A random word over two or three letters and digits.
fn word(dice: &mut Dice) -> String {
    let letters = ["a", "b", "a", "b", "c", "0", "1"];
    (0..dice.below(4)).map(|_| dice.pick(&letters)).collect()
}

/// A random regular expression.
fn regex(dice: &mut Dice, depth: usize) -> String {
    let inner = |dice: &mut Dice| regex(dice, depth.saturating_sub(1));
    match if depth == 0 { dice.below(4) } else { dice.below(13) } {
        11 => format!("(str.to_re {})", dice.pick(&VARIABLES)),
        12 => format!("(re.* (str.to_re {}))", dice.pick(&VARIABLES)),
        0 => "re.allchar".to_owned(),
        1 | 2 => format!("(str.to_re \"{}\")", word(dice)),
        3 => "(re.range \"a\" \"b\")".to_owned(),
        4 | 5 => format!("(re.* {})", inner(dice)),
        6 => format!("(re.union {} {})", inner(dice), inner(dice)),
        7 => format!("(re.comp {})", inner(dice)),
        8 => format!("(re.opt {})", inner(dice)),
        _ => format!("(re.++ {} {})", inner(dice), inner(dice)),
    }
}

/// A random string term.
fn text(dice: &mut Dice, depth: usize) -> String {
    let inner = |dice: &mut Dice| text(dice, depth.saturating_sub(1));
    match if depth == 0 { dice.below(5) } else { dice.below(19) } {
        0..=3 => dice.pick(&VARIABLES).to_owned(),
        4 => format!("\"{}\"", word(dice)),
        5..=9 => format!("(str.++ {} {} {})", inner(dice), inner(dice), inner(dice)),
        10 => format!("(str.replace {} \"{}\" {})", inner(dice), word(dice), inner(dice)),
        11 => format!("(str.substr {} {} {})", inner(dice), dice.below(3), dice.below(4)),
        12 => format!("(str.replace_all {} \"{}\" \"{}\")", inner(dice), word(dice), word(dice)),
        13 => format!("(str.replace_re {} {} \"{}\")", inner(dice), regex(dice, 2), word(dice)),
        14 => format!("(str.replace_re_all {} {} \"{}\")", inner(dice), regex(dice, 2), word(dice)),
        15 => format!("(str.replace_all {} \"{}\" {})", inner(dice), word(dice), inner(dice)),
        16 => format!("(str.replace_re {} {} {})", inner(dice), regex(dice, 2), inner(dice)),
        17 => format!("(str.replace_re_all {} {} {})", inner(dice), regex(dice, 2), inner(dice)),
        _ => format!("(str.from_int (str.len {}))", inner(dice)),
    }
}

/// A random atom.
fn atom(dice: &mut Dice) -> String {
    let depth = 1 + dice.below(2);
    let text = |dice: &mut Dice| text(dice, depth);
    match dice.below(14) {
        0..=4 => format!("(str.in_re {} {})", text(dice), regex(dice, 3)),
        5 | 6 => format!("(= {} {})", text(dice), text(dice)),
        7 => format!("(str.contains {} {})", text(dice), text(dice)),
        8 => format!("(str.prefixof {} {})", text(dice), text(dice)),
        9 => format!("(str.suffixof {} {})", text(dice), text(dice)),
        10 => format!("(str.< {} \"{}\")", text(dice), word(dice)),
        11 => {
            format!("(<= (str.len {}) (+ {} (str.len {})))", text(dice), dice.below(3), text(dice))
        }
        12 => format!("(>= (str.to_code {}) {})", text(dice), 47 + dice.below(52)),
        _ => format!("(= (str.to_int {}) {})", text(dice), dice.below(12)),
    }
}

/// A problem around random values: atoms of this engine's fragment, negated if need be, also below
/// disjunctions, and equations that hold.
fn planted_words(stream: u64) -> Problem {
    let mut dice = Dice::new(67, stream);
    let values: Vec<String> = VARIABLES.map(|_| word(&mut dice)).to_vec();
    let mut script = String::new();
    for name in VARIABLES {
        writeln!(script, "(declare-const {name} String)").unwrap();
    }
    for _ in 0..2 + dice.below(4) {
        match dice.percent(25) {
            true => writeln!(script, "(assert (or {} {}))", atom(&mut dice), atom(&mut dice)),
            false => writeln!(script, "(assert {})", atom(&mut dice)),
        }
        .unwrap();
    }
    // Equations between concatenations that hold by construction: `x·w = w'·z` for suitable words.
    for _ in 0..dice.below(3) {
        let picks: Vec<usize> = (0..3).map(|_| dice.below(4)).collect();
        let whole: String = picks.iter().map(|&one| values[one].as_str()).collect();
        let (cut, last) = (dice.below(whole.len() + 1), dice.below(4));
        let names: Vec<&str> = picks.iter().map(|&one| VARIABLES[one]).collect();
        let right = match whole.strip_suffix(&values[last]) {
            Some(start) => format!("\"{start}\" {}", VARIABLES[last]),
            None => format!("\"{}\" \"{}\"", &whole[..cut], &whole[cut..]),
        };
        writeln!(script, "(assert (= (str.++ {}) (str.++ {right})))", names.join(" ")).unwrap();
    }
    let problem = problem(&script);
    let mut model = Model::new();
    for function in problem.declared() {
        let name = problem.pool.function_name(function);
        let at = VARIABLES.iter().position(|one| *one == name).unwrap();
        let value = SmtString::from_text(&values[at]).unwrap();
        model.insert_value(function, Value::String(value));
    }
    let mut pool = (*problem.pool).clone();
    let truths: Vec<Option<bool>> = {
        let mut evaluator = Evaluator::new(&problem.pool, &model);
        problem.assertions.iter().map(|&one| evaluator.evaluate(one).as_bool()).collect()
    };
    let mut assertions = Vec::new();
    for (&assertion, truth) in problem.assertions.iter().zip(truths) {
        match truth {
            Some(true) => assertions.push(assertion),
            Some(false) => assertions.push(pool.op(Op::Not, &[assertion]).unwrap()),
            None => {}
        }
    }
    Problem { pool: pool.into(), assertions }
}

#[test]
fn no_planted_words_are_refuted_and_many_are_found() {
    let count = formulas(400);
    let (mut found, mut accepted) = (0, 0);
    for stream in 0..count {
        let problem = planted_words(stream);
        let verdict = decide(&problem, 2);
        assert!(!matches!(verdict, Verdict::Unsat(_)), "stream {stream}: {verdict:?}");
        accepted += u64::from(common::engine("noodles").accepts(&problem).is_ok());
        found += u64::from(holds(&problem, &verdict));
    }
    assert!(found * 3 > accepted && accepted * 2 > count, "{found} of {accepted} of {count}");
}

#[test]
fn the_whole_portfolio_agrees_with_planted_words() {
    let portfolio = common::portfolio();
    for stream in 0..formulas(100) {
        let problem = planted_words(1_000_000 + stream);
        let budget = Budget::until_cancelled(Cancel::new()).at_most(Duration::from_millis(1500));
        let verdict = portfolio.solve(&problem, &budget).verdict;
        assert!(!matches!(verdict, Verdict::Unsat(_)), "stream {stream}: {verdict:?}");
    }
}

#[test]
fn a_language_with_the_word_of_a_constant_is_an_equation() {
    let around = |condition: &str| {
        problem(&format!(
            "(declare-const x String) (declare-const y String)
             (assert (str.in_re x (re.++ (re.* re.allchar) (str.to_re \"=\") (str.to_re y)
                                         (re.+ (str.to_re \";\")))))
             (assert (str.in_re y (re.+ (re.range \"a\" \"c\"))))
             (assert {condition})"
        ))
    };
    let budget = || Budget::until_cancelled(Cancel::new()).at_most(Duration::from_secs(60));
    let portfolio = common::portfolio();
    let possible = around("(and (str.prefixof \"b=\" x) (= (str.len y) 4))");
    assert!(matches!(portfolio.solve(&possible, &budget()).verdict, Verdict::Sat(_)));
    let impossible = around("(str.suffixof \"d;\" x)");
    assert!(matches!(portfolio.solve(&impossible, &budget()).verdict, Verdict::Unsat(_)));
}

#[test]
fn results_of_replacements_are_refuted_by_pre_images() {
    let refuted = |term: &str, language: &str, condition: &str| {
        let problem = problem(&format!(
            "(declare-const x String) (declare-const y String)
             (assert (str.in_re {term} {language})) (assert {condition})"
        ));
        let verdict = decide(&problem, 60);
        assert!(matches!(verdict, Verdict::Unsat(_)), "{term}: {verdict:?}");
    };
    // Every `a` is gone.
    refuted(
        "(str.replace_all (str.++ x y) \"a\" \"b\")",
        "(re.* re.allchar)",
        "(str.contains (str.replace_all (str.++ x y) \"a\" \"b\") \"a\")",
    );
    // The leftmost, shortest match of `ab*` is `a`.
    refuted(
        "(str.replace_re x (re.++ (str.to_re \"a\") (re.* (str.to_re \"b\"))) \"c\")",
        "(str.to_re \"c\")",
        "(str.contains x \"b\")",
    );
    refuted(
        "(str.replace_re_all x (re.range \"0\" \"9\") \"nn\")",
        "(re.* re.allchar)",
        "(= (str.replace_re_all x (re.range \"0\" \"9\") \"nn\") \"nnn7\")",
    );
}

#[test]
fn an_assertion_that_is_false_for_the_only_values_refutes_a_case() {
    let text = "(declare-const x String) (assert (= (str.++ x x) \"bb\"))
        (assert (not (str.in_re (str.++ \"ba\" x \"b\") (re.* (str.to_re (str.++ x \"abb\"))))))";
    assert!(matches!(decide(&problem(text), 60), Verdict::Unsat(_)));
    let possible = text.replace("abb", "aba");
    assert!(holds(&problem(&possible), &decide(&problem(&possible), 60)));
}

#[test]
fn lengths_of_results_count_matches() {
    let with = |length: usize| {
        problem(&format!(
            "(declare-const x String) (assert (= (str.len x) 6))
             (assert (= (str.len (str.replace_all x \"ab\" \"cccc\")) {length}))"
        ))
    };
    for length in 0..20 {
        let verdict = decide(&with(length), 60);
        match [6, 8, 10, 12].contains(&length) {
            true => assert!(!matches!(verdict, Verdict::Unsat(_)), "{length}"),
            false => assert!(matches!(verdict, Verdict::Unsat(_)), "{length}: {verdict:?}"),
        }
    }
}

#[test]
fn a_power_of_a_word_commutes_with_it() {
    let portfolio = common::portfolio();
    let solve = |text: &str| {
        let budget = Budget::until_cancelled(Cancel::new()).at_most(Duration::from_secs(60));
        portfolio.solve(&problem(text), &budget).verdict
    };
    let around = |condition: &str| {
        solve(&format!(
            "(declare-const x String) (declare-const y String)
             (assert (str.in_re x (re.++ (str.to_re \"a\") (re.+ (str.to_re y))))) (assert {condition})"
        ))
    };
    assert!(matches!(around("(and (= (str.len x) 7) (= (str.len y) 3))"), Verdict::Sat(_)));
    let odd = around("(and (= (str.len x) 4) (= (str.len y) 2))");
    assert!(matches!(odd, Verdict::Unsat(_)), "{odd:?}");
}
