//! Random ground terms: every operator occurs, values vary, and seed and number determine a term.

use std::collections::{BTreeMap, BTreeSet};

use luthier_generator::random::{Generator, operators};
use luthier_semantics::{Evaluator, Model, Value};
use luthier_smtlib::{Dialect, PrintOptions, print_term};
use luthier_terms::{BasicSort, Op, PostOrder, Sort, Term, TermId, TermPool, dag_size};

const TERMS: u64 = 6_000;
const SEED: u64 = 1;

/// Operators that must not occur, and why.
const LEFT_OUT: [(Op, &str); 3] = [
    (Op::Select, "arrays are no part of the theory of strings"),
    (Op::Store, "arrays are no part of the theory of strings"),
    (Op::ConstArray, "arrays are no part of the theory of strings"),
];

fn sample() -> (TermPool, Vec<TermId>) {
    let mut generator = Generator::default();
    let terms = (0..TERMS).map(|number| generator.numbered(SEED, number)).collect();
    (generator.pool, terms)
}

fn text(pool: &TermPool, term: TermId) -> String {
    let printed = print_term(pool, term, &PrintOptions::new(Dialect::Smt27)).unwrap();
    String::from_utf8(printed.bytes).unwrap()
}

#[test]
fn every_operator_of_the_table_occurs_but_those_left_out() {
    let (pool, terms) = sample();
    let mut with: BTreeMap<Op, u64> = BTreeMap::new();
    for &term in &terms {
        let occurring: BTreeSet<Op> = PostOrder::new(&pool, [term])
            .filter_map(|part| match pool.term(part) {
                Term::Op(op, _) => Some(op),
                _ => None,
            })
            .collect();
        for op in occurring {
            *with.entry(op).or_default() += 1;
        }
    }
    for info in Op::TABLE {
        let count = with.get(&info.op).copied().unwrap_or(0);
        match LEFT_OUT.iter().find(|(op, _)| *op == info.op) {
            Some((_, reason)) => assert_eq!(count, 0, "{}: {reason}", info.name),
            // Each operator has its turn once in so many terms, and mostly occurs by itself, too.
            None => {
                let turns = TERMS / operators().len() as u64;
                assert!(count >= turns, "only {count} terms with {}", info.name);
            }
        }
    }
}

#[test]
fn operators_with_any_number_of_arguments_get_two_three_and_four() {
    let (pool, terms) = sample();
    let mut numbers: BTreeMap<Op, BTreeSet<usize>> = BTreeMap::new();
    for part in PostOrder::new(&pool, terms) {
        if let Term::Op(op, children) = pool.term(part)
            && op.fold().is_some()
        {
            numbers.entry(op).or_default().insert(children.len());
        }
    }
    for info in Op::TABLE.iter().filter(|info| info.op.fold().is_some()) {
        assert_eq!(numbers[&info.op], BTreeSet::from([2, 3, 4]), "{}", info.name);
    }
}

#[test]
fn few_terms_are_alike_and_their_values_vary() {
    let (pool, terms) = sample();
    let distinct: BTreeSet<TermId> = terms.iter().copied().collect();
    // The many terms about one small argument, such as `(str.to_code "a")`, come more than once.
    assert!(distinct.len() * 100 >= terms.len() * 92, "{} distinct", distinct.len());
    let sizes: usize = terms.iter().map(|&term| dag_size(&pool, term)).sum();
    assert!(sizes >= terms.len() * 6, "{} nodes a term", sizes as f64 / terms.len() as f64);

    let model = Model::default();
    let mut evaluator = Evaluator::new(&pool, &model);
    let (mut bools, mut ints, mut strings) = ([0_u32; 2], BTreeMap::new(), BTreeMap::new());
    let mut undecided = 0;
    for &term in &terms {
        match evaluator.evaluate(term).known() {
            Some(Value::Bool(value)) => bools[usize::from(*value)] += 1,
            Some(Value::Int(value)) => *ints.entry(value.clone()).or_insert(0_usize) += 1,
            Some(Value::String(value)) => *strings.entry(value.clone()).or_insert(0_usize) += 1,
            Some(value) => panic!("{value:?} is no value of these sorts"),
            None => undecided += 1,
        }
    }
    // Only division by zero has no value.
    assert!(undecided * 20 < TERMS, "{undecided} have no value");
    let [no, yes] = bools;
    assert!(no < yes * 2 && yes < no * 2, "{yes} true, {no} false");
    let most = |counts: &mut dyn Iterator<Item = usize>| {
        let counts: Vec<usize> = counts.collect();
        let all: usize = counts.iter().sum();
        (counts.iter().copied().max().unwrap(), counts.len(), all)
    };
    let (usual, different, all) = most(&mut ints.values().copied());
    assert!(usual * 4 < all && different * 20 > all, "{usual} of {all}, {different} different");
    let (usual, different, all) = most(&mut strings.values().copied());
    assert!(usual * 4 < all && different * 3 > all, "{usual} of {all}, {different} different");
}

#[test]
fn unusual_characters_and_numbers_occur() {
    let (pool, terms) = sample();
    let texts: String = terms.iter().map(|&term| text(&pool, term)).collect();
    for part in [
        "\\u{0}",
        "\\u{5c}",
        "\"\"\"",
        "\\u{ff}",
        "\\u{100}",
        "\\u{d800}",
        "\\u{dfff}",
        "\\u{ffff}",
        "\\u{10000}",
        "\\u{2ffff}",
        "196608",
        "18446744073709551616",
        "(_ re.^ 1000000000000000000000000000000)",
        "(_ re.loop 2 0)",
    ] {
        assert!(texts.contains(part), "no {part}");
    }
}

#[test]
fn seed_and_number_decide_the_term_whatever_was_made_before() {
    let (pool, terms) = sample();
    for number in [0, 1, 77, TERMS - 1] {
        let mut alone = Generator::default();
        let term = alone.numbered(SEED, number);
        assert_eq!(text(&alone.pool, term), text(&pool, terms[number as usize]));
        let other = alone.numbered(SEED + 1, number);
        assert_ne!(other, term, "another seed is another term");
    }
}

#[test]
fn terms_of_every_sort_can_be_asked_for_at_any_depth() {
    let mut generator = Generator::default();
    for sort in BasicSort::ALL {
        for depth in [0, 1, 5, usize::MAX] {
            let term = generator.term(sort, depth);
            assert_eq!(generator.pool.sort(term), Sort::from(sort));
        }
    }
    for info in Op::TABLE {
        let term = generator.about(info.op);
        assert_ne!(generator.pool.sort(term), Sort::RegLan, "{}", info.name);
    }
}
