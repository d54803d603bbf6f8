//! Formulas from laws, checked by their text alone: they are read strictly, no assignment that is
//! tried satisfies them, and for each clause of the core an independent search finds a model of all
//! the others.

mod search;

use std::collections::{BTreeMap, BTreeSet};

use luthier_generator::laws::{Settings, sketch, sketch_with};
use luthier_generator::{Category, Dice, Expected, Formula, random};
use luthier_judge::expectations;
use luthier_records::Verdict;
use luthier_smtlib::{Mode, ReadOptions, read_script};
use luthier_terms::{Op, PostOrder, Term, TermId, TermPool};
use search::Search;

const SEED: u64 = 4;

fn numbered(number: u64) -> Option<Formula> {
    let operators = random::operators();
    let about = operators[(number % operators.len() as u64) as usize];
    sketch(Dice::new(SEED, number), about)?.into_formula(format!("law-{number}"))
}

/// The assertions of a text, with their names, and the names of the core.
struct Read {
    pool: TermPool,
    assertions: Vec<(String, TermId)>,
    core: BTreeSet<String>,
}

fn read(formula: &Formula) -> Read {
    let mut pool = TermPool::new();
    let options = ReadOptions { mode: Mode::Strict, ..ReadOptions::default() };
    let reading = read_script(&mut pool, formula.text.as_bytes(), &options);
    assert!(reading.diagnostics.is_empty(), "{}\n{:?}", formula.text, reading.diagnostics);
    let found = expectations(&pool, &reading.script);
    assert!(found.problems.is_empty(), "{}\n{:?}", formula.text, found.problems);
    let [query] = found.queries.as_slice() else { panic!("one query: {}", formula.text) };
    assert_eq!(query.planted, Some(Verdict::Unsat));
    let names = query.planted_core.iter().flatten();
    let core: Vec<String> =
        names.map(|name| String::from_utf8_lossy(name.as_bytes()).into_owned()).collect();
    assert_eq!(formula.expected, Expected::Unsat(core.clone()));
    let core = core.into_iter().collect();
    let active = reading.script.queries().next().unwrap().assertions;
    let assertions = active
        .iter()
        .map(|active| {
            let name = active.assertion.name.unwrap();
            (pool.symbols().display(name).into_owned(), active.assertion.term)
        })
        .collect();
    Read { pool, assertions, core }
}

fn check_cores(numbers: std::ops::Range<u64>) {
    let (mut clauses, mut several) = (0, 0);
    for number in numbers {
        let Some(formula) = numbered(number) else { continue };
        let Read { pool, assertions, core } = read(&formula);
        several += usize::from(core.len() > 1);
        let mut search = Search::new(&pool, &assertions, Dice::new(99, number));
        for name in &core {
            clauses += 1;
            let found = search.model_of_all_but(name);
            assert!(found, "no model without {name} is found:\n{}", formula.text);
        }
        assert!(!search.met_a_model(), "it has a model: {}\n{}", formula.derivation, formula.text);
    }
    assert!(clauses > 800 && several > 250, "{clauses} clauses, {several} cores of several");
}

#[test]
fn each_clause_of_the_first_cores_is_needed() {
    check_cores(0..700);
}

#[test]
fn each_clause_of_some_other_cores_is_needed() {
    check_cores(100_000..100_700);
}

#[test]
fn each_clause_of_some_more_cores_is_needed() {
    check_cores(7_000_000..7_000_700);
}

#[test]
fn nearly_every_number_has_a_formula_and_most_are_short() {
    let formulas: Vec<Formula> = (0..3000).filter_map(numbered).collect();
    assert!(formulas.len() > 2950, "{}", formulas.len());
    let short = formulas.iter().filter(|formula| formula.text.len() < 800).count();
    assert!(short * 10 > formulas.len() * 9, "{short} are short");
    let texts: BTreeSet<&str> = formulas.iter().map(|formula| formula.text.as_str()).collect();
    assert!(texts.len() * 20 > formulas.len() * 19, "{} are different", texts.len());
    for formula in &formulas {
        assert_eq!(formula.category, Category::Law);
        assert!(formula.derivation.starts_with("law "), "{}", formula.derivation);
    }
}

#[test]
fn every_operator_occurs_mostly_where_it_is_asked_for() {
    let operators = random::operators();
    let (mut anywhere, mut asked): (BTreeMap<Op, usize>, usize) = (BTreeMap::new(), 0);
    for number in 0..2000 {
        let Some(formula) = numbered(number) else { continue };
        let Read { pool, assertions, .. } = read(&formula);
        let used: BTreeSet<Op> = PostOrder::new(&pool, assertions.iter().map(|&(_, term)| term))
            .filter_map(|term| match pool.term(term) {
                Term::Op(op, _) => Some(op),
                _ => None,
            })
            .collect();
        let about = operators[(number % operators.len() as u64) as usize];
        assert_eq!(formula.operation, about.name());
        asked += usize::from(used.contains(&about));
        for op in used {
            *anywhere.entry(op).or_default() += 1;
        }
    }
    for op in operators {
        assert!(anywhere.get(&op).copied().unwrap_or(0) >= 20, "{}", op.name());
    }
    assert!(asked > 1800, "{asked}");
}

#[test]
fn the_same_number_gives_the_same_formula_and_settings_are_kept() {
    for number in 0..300 {
        assert_eq!(numbered(number), numbered(number));
    }
    let plain = Settings { depth: 0, quantified: 0, ..Settings::default() };
    let deep = Settings { least_depth: 12, depth: 14, size: 200, ..Settings::default() };
    let (mut short, mut long) = (0, 0);
    for number in 0..100 {
        let dice = || Dice::new(SEED, number);
        let one = sketch_with(dice(), Op::StrReplace, &plain).unwrap();
        assert!(!one.derivation.contains("stands for"), "{}", one.derivation);
        short += one.into_formula("a".into()).unwrap().text.len();
        let two = sketch_with(dice(), Op::StrReplace, &deep);
        long += two.unwrap().into_formula("b".into()).unwrap().text.len();
    }
    assert!(long > 2 * short, "{long} {short}");
    let all = Settings { quantified: 100, ..Settings::default() };
    let quantified = (0..100)
        .filter_map(|number| sketch_with(Dice::new(SEED, number), Op::StrLt, &all))
        .filter_map(|sketch| sketch.into_formula("q".into()))
        .filter(|formula| formula.text.contains("(forall ") || formula.text.contains("(exists "));
    assert!(quantified.count() > 85);
}
