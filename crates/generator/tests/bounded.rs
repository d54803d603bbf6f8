//! Formulas decided by enumeration: answers and cores are checked again, from the text alone.

use std::collections::{BTreeMap, BTreeSet};

use luthier_generator::random::operators;
use luthier_generator::{Category, Dice, Expected, Formula, bounded};
use luthier_judge::{CheckOptions, CheckOutcome, check_model};
use luthier_semantics::{Evaluator, Model, Value};
use luthier_smtlib::{CommandKind, Dialect, ReadOptions, Script, read_script};
use luthier_terms::{BigInt, FunctionId, PostOrder, SmtString, Sort, Term, TermId, TermPool};

const FORMULAS: u64 = 2_000;
const SEED: u64 = 5;

/// The brute force of the test tries at most so many assignments.
const MOST: usize = 4_000;

fn formulas(count: u64) -> impl Iterator<Item = Formula> {
    let operators = operators();
    (0..count).filter_map(move |number| {
        let about = operators[(number % operators.len() as u64) as usize];
        bounded::sketch(Dice::new(SEED, number), about)?.into_formula(format!("n{number}"))
    })
}

fn read(pool: &mut TermPool, text: &str) -> Script {
    let reading = read_script(pool, text.as_bytes(), &ReadOptions::default());
    assert!(reading.diagnostics.is_empty(), "{:?}\n{text}", reading.diagnostics);
    reading.script
}

/// What the judge says about values for the constants of a text.
fn is_model(text: &str, model: &str) -> bool {
    let mut pool = TermPool::new();
    let script = read(&mut pool, text);
    let options = CheckOptions { dialect: Some(Dialect::Smt27), ..CheckOptions::default() };
    let check = check_model(&mut pool, &script, model.as_bytes(), &options).unwrap();
    matches!(check.outcome, CheckOutcome::Valid)
}

fn witness(values: &[(String, &'static str, String)]) -> String {
    let lines: Vec<String> = values
        .iter()
        .map(|(name, sort, value)| format!("(define-fun {name} () {sort} {value})"))
        .collect();
    format!("({})", lines.join(" "))
}

fn assertions(script: &Script) -> Vec<TermId> {
    let terms = script.commands.iter().filter_map(|command| match &command.kind {
        CommandKind::Assert(assertion) => Some(assertion.term),
        _ => None,
    });
    terms.collect()
}

fn constants(script: &Script) -> Vec<FunctionId> {
    let functions = script.commands.iter().filter_map(|command| match &command.kind {
        CommandKind::Declare { function, .. } => Some(*function),
        _ => None,
    });
    functions.collect()
}

/// Values to try: literals of the formula and their pieces, short words over its letters, numbers
/// near zero and near those of the formula.
fn universe(pool: &TermPool, roots: &[TermId]) -> (Vec<Value>, Vec<Value>) {
    let (mut words, mut letters, mut numbers) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for part in PostOrder::new(pool, roots.iter().copied()) {
        match pool.term(part) {
            Term::String(text) => {
                let codes: Vec<u32> = text.iter().map(|letter| letter.code()).collect();
                letters.extend(codes.iter().copied());
                for start in 0..=codes.len().min(5) {
                    for end in start..=codes.len().min(5) {
                        words.insert(codes[start..end].to_vec());
                    }
                }
            }
            Term::Integer(number) => {
                numbers.insert(number.clone());
                numbers.insert(-number);
            }
            _ => {}
        }
    }
    letters.insert(0x61);
    words.insert(Vec::new());
    let letters: Vec<u32> = letters.into_iter().take(4).collect();
    let mut last = vec![Vec::new()];
    for _ in 0..3 {
        last = last
            .iter()
            .flat_map(|word: &Vec<u32>| {
                letters.iter().map(|&letter| [&word[..], &[letter]].concat())
            })
            .collect();
        words.extend(last.iter().cloned());
    }
    words.extend((0..=9).map(|digit| vec![0x30 + digit]));
    numbers.extend((-3..=10).map(BigInt::from));
    let words = words.into_iter().map(|word| Value::String(SmtString::from_codes(word).unwrap()));
    (words.collect(), numbers.into_iter().map(Value::Int).collect())
}

/// An assignment of the universe that makes all assertions true, if all were tried or one is found.
fn brute_force(text: &str) -> Option<bool> {
    let mut pool = TermPool::new();
    let script = read(&mut pool, text);
    let (roots, constants) = (assertions(&script), constants(&script));
    let (words, numbers) = universe(&pool, &roots);
    let truths = vec![Value::Bool(false), Value::Bool(true)];
    let choices: Vec<&Vec<Value>> = constants
        .iter()
        .map(|&function| match pool.function(function).result {
            Sort::Bool => &truths,
            Sort::Int => &numbers,
            _ => &words,
        })
        .collect();
    let total: usize = choices.iter().map(|values| values.len()).product();
    if total > MOST {
        return None;
    }
    for number in 0..total {
        let (mut rest, mut model) = (number, Model::new());
        for (&function, values) in constants.iter().zip(&choices) {
            model.insert_value(function, values[rest % values.len()].clone());
            rest /= values.len();
        }
        let mut evaluator = Evaluator::new(&pool, &model);
        if roots.iter().all(|&root| evaluator.evaluate(root).is_true()) {
            return Some(true);
        }
    }
    Some(false)
}

/// The text without the assertion of this name.
fn without(text: &str, name: &str) -> String {
    let end = format!(":named {name}))");
    let lines: Vec<&str> = text.lines().filter(|line| !line.ends_with(&end)).collect();
    assert_eq!(lines.len() + 1, text.lines().count(), "{name} is one assertion of {text}");
    lines.join("\n")
}

#[test]
fn witnesses_are_accepted_and_cores_are_minimal_and_unique() {
    let (mut sat, mut unsat, mut sizes) = (0, 0, BTreeMap::new());
    for formula in formulas(FORMULAS) {
        assert_eq!(formula.category, Category::Bounded);
        match &formula.expected {
            Expected::Sat(values) => {
                assert!(is_model(&formula.text, &witness(values)), "{}", formula.text);
                sat += 1;
            }
            Expected::Unsat(core) => {
                // For every assertion of the core there are values that make all others true, so
                // no core can do without it.
                for name in core {
                    let marker = format!("; without {name} all are true under ");
                    let (_, rest) = formula.derivation.split_once(&marker).unwrap();
                    let model = rest.split("; without a").next().unwrap();
                    let others = without(&formula.text, name);
                    assert!(is_model(&others, model), "{model}\n{others}");
                }
                *sizes.entry(core.len()).or_insert(0) += 1;
                unsat += 1;
            }
            Expected::Open => panic!("the answer is known: {}", formula.text),
        }
    }
    let all = sat + unsat;
    assert!(all * 20 >= FORMULAS * 19, "{all} of {FORMULAS}");
    assert!(unsat * 100 >= all * 40 && unsat * 100 <= all * 65, "{unsat} of {all} are unsat");
    let several: u64 = sizes.iter().filter(|(size, _)| **size > 1).map(|(_, count)| count).sum();
    assert!(several * 100 >= unsat * 65, "{sizes:?}");
    assert!(sizes.get(&3).is_some_and(|&count| count * 20 > unsat), "{sizes:?}");
}

#[test]
fn a_brute_force_of_its_own_finds_no_model_of_what_is_called_unsatisfiable() {
    let (mut refuted, mut confirmed) = (0, 0);
    for formula in formulas(700) {
        let Some(found) = brute_force(&formula.text) else { continue };
        match formula.expected {
            Expected::Unsat(_) => {
                assert!(!found, "{}", formula.text);
                refuted += 1;
            }
            // The universe has the values of most domains.
            _ => confirmed += usize::from(found),
        }
    }
    assert!(refuted > 100 && confirmed > 60, "{refuted} {confirmed}");
}

#[test]
fn a_core_is_unsatisfiable_without_the_assertions_that_are_not_in_it() {
    let mut with_more = 0;
    for formula in formulas(1_500) {
        let Expected::Unsat(_) = &formula.expected else { continue };
        if !formula.text.contains(":named r))") {
            continue;
        }
        with_more += 1;
        if let Some(found) = brute_force(&without(&formula.text, "r")) {
            assert!(!found, "{}", formula.text);
        }
    }
    assert!(with_more > 20, "{with_more}");
}

#[test]
fn dice_and_operator_decide_the_text() {
    assert!(formulas(300).eq(formulas(300)));
}
