//! Formulas over the full theory with planted witnesses, and ones with an unknown answer.

use std::collections::{BTreeMap, BTreeSet};

use luthier_generator::random::operators;
use luthier_generator::{Category, Dice, Expected, Formula, Sketch, planted, unplanted};
use luthier_judge::{CheckOptions, CheckOutcome, check_model, expectations};
use luthier_records::Verdict;
use luthier_smtlib::{CommandKind, Dialect, ReadOptions, Script, read_script};
use luthier_terms::{Op, PostOrder, Term, TermPool};

const FORMULAS: u64 = 4_000;
const SEED: u64 = 11;

type Maker = fn(Dice, Op) -> Option<Sketch>;

fn made(maker: Maker, number: u64) -> Option<Formula> {
    let operators = operators();
    let about = operators[(number % operators.len() as u64) as usize];
    maker(Dice::new(SEED, number), about)?.into_formula(format!("n{number}"))
}

/// Reads a formula strictly.
fn read(pool: &mut TermPool, formula: &Formula) -> Script {
    let reading = read_script(pool, formula.text.as_bytes(), &ReadOptions::default());
    assert!(reading.diagnostics.is_empty(), "{:?}\n{}", reading.diagnostics, formula.text);
    reading.script
}

/// How many assertions have the operator.
fn occurrences(pool: &TermPool, script: &Script, counts: &mut BTreeMap<Op, usize>) {
    let roots = script.commands.iter().filter_map(|command| match &command.kind {
        CommandKind::Assert(assertion) => Some(assertion.term),
        _ => None,
    });
    let parts: BTreeSet<Op> = PostOrder::new(pool, roots)
        .filter_map(|part| match pool.term(part) {
            Term::Op(op, _) => Some(op),
            _ => None,
        })
        .collect();
    for op in parts {
        *counts.entry(op).or_default() += 1;
    }
}

#[test]
fn the_judge_accepts_every_planted_witness() {
    let mut nothing = 0;
    for number in 0..FORMULAS {
        let Some(formula) = made(planted::sketch, number) else {
            nothing += 1;
            continue;
        };
        let text = &formula.text;
        let mut pool = TermPool::new();
        let script = read(&mut pool, &formula);
        let expectations = expectations(&pool, &script);
        assert!(expectations.problems.is_empty(), "{:?}\n{text}", expectations.problems);
        assert_eq!(expectations.queries[0].planted, Some(Verdict::Sat), "{text}");
        let witness = expectations.witnesses[0].clone().expect("a witness is planted");
        let options = CheckOptions { dialect: Some(Dialect::Smt27), ..CheckOptions::default() };
        let check = check_model(&mut pool, &script, witness.as_bytes(), &options).unwrap();
        assert!(matches!(check.outcome, CheckOutcome::Valid), "{:?}\n{text}", check.outcome);
        assert!(check.checked >= 1, "{text}");
        assert!(
            matches!(formula.expected, Expected::Sat(_)) && formula.category == Category::Planted
        );
    }
    assert!(nothing * 50 < FORMULAS, "{nothing} numbers without a formula");
}

#[test]
fn every_operator_occurs_in_planted_and_in_open_formulas() {
    for maker in [planted::sketch as Maker, unplanted::sketch] {
        let mut counts = BTreeMap::new();
        for number in 0..FORMULAS {
            let Some(formula) = made(maker, number) else { continue };
            let mut pool = TermPool::new();
            let script = read(&mut pool, &formula);
            occurrences(&pool, &script, &mut counts);
        }
        for op in operators() {
            let count = counts.get(&op).copied().unwrap_or(0);
            // Each has its turn sixty times.
            assert!(count >= 40, "only {count} formulas with {}", op.name());
        }
    }
}

#[test]
fn dice_and_operator_decide_the_text() {
    for maker in [planted::sketch as Maker, unplanted::sketch] {
        for number in 0..400 {
            assert_eq!(made(maker, number), made(maker, number));
        }
    }
}

#[test]
fn formulas_are_small_different_and_about_constants() {
    for maker in [planted::sketch as Maker, unplanted::sketch] {
        let formulas: Vec<Formula> =
            (0..FORMULAS).filter_map(|number| made(maker, number)).collect();
        let texts: BTreeSet<&str> = formulas.iter().map(|formula| formula.text.as_str()).collect();
        assert!(texts.len() * 100 >= formulas.len() * 99, "{} different", texts.len());
        let small = formulas.iter().filter(|formula| formula.text.len() < 600).count();
        assert!(small * 100 >= formulas.len() * 60, "{small} are small");
        for part in ["(declare-const x String)", "(let (", "\\u{2ffff}", "(ite ", "(xor ", ":named"]
        {
            let with = formulas.iter().filter(|formula| formula.text.contains(part)).count();
            assert_eq!(with > 0, part != ":named", "{with} with {part}");
        }
        // Unusual characters occur but do not dominate.
        let unusual = formulas.iter().filter(|formula| formula.text.contains("\\u{")).count();
        assert!(unusual * 2 < formulas.len() && unusual * 20 > formulas.len(), "{unusual} unusual");
    }
}

#[test]
fn open_formulas_say_nothing_about_their_answer() {
    for number in 0..400 {
        let formula = made(unplanted::sketch, number).unwrap();
        assert_eq!((formula.expected, formula.category), (Expected::Open, Category::Random));
        assert!(!formula.text.contains("luthier"), "{}", formula.text);
    }
}
