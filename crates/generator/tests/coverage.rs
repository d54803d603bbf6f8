//! The coverage map: formulas cover the expected cells, and steering fills the map faster.

use std::collections::BTreeSet;

use luthier_generator::Dice;
use luthier_generator::coverage::{
    ANY, Cell, Coverage, Polarity, Position, corners, covered_cells, formula_for,
};
use luthier_generator::random::{Generator, operators};
use luthier_semantics::{Model, Value};
use luthier_smtlib::{Dialect, Mode, ReadOptions, read_script};
use luthier_terms::{BigInt, Op, SmtString, TermId, TermPool, Theory};

/// The cells of formulas over x = "aba", e = "" and i = -1, as text.
fn cells(assertions: &str) -> BTreeSet<String> {
    let text = format!(
        "(declare-const x String)(declare-const e String)(declare-const i Int){assertions}\
        (check-sat)"
    );
    let mut pool = TermPool::new();
    let options = ReadOptions { dialect: Some(Dialect::Smt27), mode: Mode::Strict };
    let reading = read_script(&mut pool, text.as_bytes(), &options);
    assert!(reading.is_accepted(), "{:?}", reading.diagnostics);
    let declared = reading.script.declared(&pool);
    let mut model = Model::new();
    model.insert_value(declared[0], Value::String(SmtString::from_text("aba").unwrap()));
    model.insert_value(declared[1], Value::String(SmtString::empty()));
    model.insert_value(declared[2], Value::Int(BigInt::from(-1)));
    let query = reading.script.queries().next().unwrap();
    let terms: Vec<TermId> = query.assertions.iter().map(|active| active.assertion.term).collect();
    covered_cells(&pool, &terms, &model).into_iter().map(words).collect()
}

fn words(cell: Cell) -> String {
    let Cell { op, corner, polarity, position } = cell;
    format!("{} {corner}, {}, {}", op.name(), polarity.name(), position.name())
}

#[track_caller]
fn expect(assertions: &str, expected: &[&str]) {
    let expected: BTreeSet<String> = expected.iter().map(|cell| (*cell).to_owned()).collect();
    assert_eq!(cells(assertions), expected, "{assertions}");
}

#[test]
fn an_atom_and_its_arguments_have_the_corner_cases_of_their_values() {
    expect(
        "(assert (= (str.substr x 1 5) (str.++ \"b\" \"a\")))",
        &[
            "= same strings, positive, atom",
            "str.substr from inside, positive, argument",
            "str.substr too long, positive, argument",
            "str.++ no empty part, positive, argument",
        ],
    );
    expect(
        "(assert (= (str.indexof (str.++ x e) e 9) i))",
        &[
            "= same integers, positive, atom",
            "str.indexof empty needle, positive, argument",
            "str.indexof from beyond, positive, argument",
            "str.indexof only before the start, positive, argument",
            "str.++ an empty part, positive, deeper",
        ],
    );
}

#[test]
fn polarity_follows_the_connectives() {
    expect(
        "(assert (not (str.contains x \"b\")))",
        &["not of true, positive, atom", "str.contains proper part, negative, atom"],
    );
    expect(
        "(assert (=> (str.is_digit x) (str.< x e)))",
        &[
            "=> false premise, positive, atom",
            "str.is_digit longer, negative, atom",
            "str.< greater, positive, atom",
            "str.< prefix, positive, atom",
            "str.< an empty string, positive, atom",
        ],
    );
    expect(
        "(assert (xor (str.prefixof e x) false true))",
        &[
            "xor different, positive, atom",
            "xor three or more arguments, positive, atom",
            "str.prefixof empty needle, both, atom",
            "str.prefixof proper part, both, atom",
            "true used, both, atom",
            "false used, both, atom",
        ],
    );
}

#[test]
fn conditions_languages_and_quantifiers_are_positions_of_their_own() {
    expect(
        "(assert (= (str.at x i) (ite (<= i 0) e x)))",
        &[
            "= same strings, positive, atom",
            "str.at negative, positive, argument",
            "ite condition true, positive, argument",
            "<= less, both, condition",
            "<= next to each other, both, condition",
        ],
    );
    expect(
        "(assert (str.in_re e ((_ re.loop 3 1) (str.to_re (str.from_int i)))))",
        &[
            "str.in_re empty word that is not, positive, atom",
            "re.loop crossed, positive, argument",
            "re.loop has the empty word, positive, argument",
            "str.to_re empty word, positive, language",
            "str.from_int negative, positive, language",
        ],
    );
    expect(
        "(assert (not (forall ((s String)) (> (str.len s) i))))",
        // Whether all strings are that long is not tried, so the negation has no value.
        &["> any, negative, quantified", "str.len any, negative, quantified"],
    );
}

#[test]
fn undefined_values_cover_nothing() {
    // Division by zero has no value here, but its arguments have.
    expect(
        "(assert (= (div i 0) 1))",
        &["div by zero, positive, argument", "div of a negative, positive, argument"],
    );
}

#[test]
fn every_operator_has_corner_cases_and_those_of_strings_have_several() {
    for op in operators() {
        let corners = corners(op);
        let distinct: BTreeSet<_> = corners.iter().collect();
        assert_eq!(distinct.len(), corners.len(), "{}", op.name());
        let constant = matches!(op, Op::ReNone | Op::ReAll | Op::ReAllChar);
        let least = if op.info().theory == Theory::Strings && !constant { 3 } else { 1 };
        assert!(corners.len() >= least, "{}", op.name());
        assert!(!corners.contains(&ANY), "{}", op.name());
    }
    let cells: BTreeSet<Cell> = operators().into_iter().flat_map(Cell::of).collect();
    assert_eq!(cells.len(), Coverage::total());
}

#[test]
fn cells_that_the_sorts_do_not_allow_do_not_count() {
    let has = |op, polarity, position| {
        Cell::of(op).iter().any(|cell| (cell.polarity, cell.position) == (polarity, position))
    };
    assert!(!has(Op::ReStar, Polarity::Positive, Position::Atom));
    assert!(has(Op::ReStar, Polarity::Positive, Position::Language));
    assert!(!has(Op::StrInRe, Polarity::Positive, Position::Argument));
    assert!(has(Op::StrInRe, Polarity::Both, Position::Condition));
    assert!(!has(Op::StrInRe, Polarity::Positive, Position::Condition));
    assert!(has(Op::Ite, Polarity::Negative, Position::Deeper));
    assert!(Cell::of(Op::Select).is_empty());
}

/// A random formula about an operator.
fn formula(generator: &mut Generator, op: Op) -> TermId {
    let term = generator.about(op);
    let formula = match generator.value_of(term) {
        Some(value @ (Value::Int(_) | Value::String(_))) => {
            let value = value.to_term(&mut generator.pool).unwrap();
            generator.pool.op(Op::Eq, &[term, value]).unwrap()
        }
        Some(_) => term,
        None => generator.pool.bool(true).unwrap(),
    };
    // Polarities, as usually defined.
    match generator.dice.below(3) {
        0 => formula,
        1 => generator.pool.op(Op::Not, &[formula]).unwrap(),
        _ => {
            let truth = generator.pool.bool(true).unwrap();
            generator.pool.op(Op::Xor, &[formula, truth]).unwrap()
        }
    }
}

fn generator() -> Generator {
    let mut generator = Generator::new(Dice::new(1, 0));
    for (name, text) in [("x", "ab"), ("y", "07")] {
        generator.declare(name, Value::String(SmtString::from_text(text).unwrap()));
    }
    generator.declare("i", Value::Int(BigInt::from(2)));
    generator.declare("b", Value::Bool(true));
    generator
}

#[test]
fn every_corner_case_is_met_by_random_formulas_and_no_other() {
    let mut generator = generator();
    let mut coverage = Coverage::new();
    let operators = operators();
    for number in 0..40_000_u64 {
        generator.begin(Dice::new(3, number));
        let op = operators[(number % operators.len() as u64) as usize];
        let term = formula(&mut generator, op);
        let met = covered_cells(&generator.pool, &[term], &generator.model);
        for cell in &met {
            assert!(corners(cell.op).contains(&cell.corner), "{}", words(*cell));
        }
        coverage.add(&met);
    }
    for summary in coverage.summary() {
        assert_eq!(summary.never_met, [""; 0], "{}", summary.op.name());
        assert!(summary.covered <= summary.total, "{}", summary.op.name());
    }
    let sum: usize = coverage.summary().iter().map(|summary| summary.covered).sum();
    assert_eq!(sum, coverage.covered());
    let positions: usize = coverage.by_position().iter().map(|(_, covered, _)| covered).sum();
    assert_eq!(positions, coverage.covered());
    let all: usize = coverage.by_position().iter().map(|(_, _, all)| all).sum();
    assert_eq!(all, Coverage::total());
}

#[test]
fn a_map_counts_says_what_is_new_and_goes_where_it_is_empty() {
    let cells = |op| Cell::of(op).into_iter().collect::<BTreeSet<Cell>>();
    let (not, length) = (cells(Op::Not), cells(Op::StrLen));
    let mut map = Coverage::new();
    assert_eq!(map.gain(&not), not.len());
    assert_eq!(map.add(&not), not.len());
    assert_eq!((map.add(&not), map.gain(&not)), (0, 0));
    let first = *not.first().unwrap();
    assert_eq!((map.count(&first), map.covered()), (2, not.len()));

    map.add(&length);
    assert_eq!(map.covered(), not.len() + length.len());
    assert_eq!(map.iter().map(|(_, count)| count).max(), Some(2));
    let mut dice = Dice::new(5, 0);
    for op in operators().into_iter().filter(|&op| op != Op::StrAt) {
        map.add(&Cell::of(op).into_iter().collect());
    }
    for _ in 0..100 {
        assert_eq!(map.target(&mut dice).unwrap().op, Op::StrAt);
    }
    map.add(&Cell::of(Op::StrAt).into_iter().collect());
    assert_eq!((map.covered(), map.target(&mut dice)), (Coverage::total(), None));
}

/// The number of formulas needed to cover this many cells.
fn formulas_until(goal: usize, seed: u64, steered: bool) -> usize {
    let mut generator = generator();
    let mut coverage = Coverage::new();
    let operators = operators();
    let mut dice = Dice::new(seed, 0);
    for number in 0.. {
        if coverage.covered() >= goal {
            return number;
        }
        generator.begin(Dice::new(seed, number as u64));
        let term = if steered {
            let cell = coverage.target(&mut dice).unwrap();
            let Some(term) = formula_for(&mut generator, cell) else { continue };
            term
        } else {
            formula(&mut generator, dice.pick(&operators))
        };
        coverage.add(&covered_cells(&generator.pool, &[term], &generator.model));
    }
    unreachable!("the loop ends at the goal")
}

#[test]
fn steering_beats_blind_choice() {
    let goal = Coverage::total() * 75 / 100;
    let sum = |steered| -> usize { (1..4).map(|seed| formulas_until(goal, seed, steered)).sum() };
    let (blind, steered) = (sum(false), sum(true));
    assert!(steered * 2 < blind, "{steered} formulas instead of {blind}");
}

#[test]
fn a_formula_for_a_cell_is_true_and_mostly_meets_it() {
    let mut generator = generator();
    let (mut made, mut hit, mut all) = (0, 0, 0);
    let wanted = |cell: &Cell| cell.position != Position::Quantified;
    for cell in operators().into_iter().flat_map(Cell::of).filter(wanted) {
        generator.begin(Dice::new(11, all));
        all += 1;
        let Some(term) = formula_for(&mut generator, cell) else { continue };
        assert_eq!(generator.value_of(term), Some(Value::Bool(true)), "{}", words(cell));
        let met = covered_cells(&generator.pool, &[term], &generator.model);
        let at_place = |other: &Cell| (other.op, other.position) == (cell.op, cell.position);
        made += u64::from(met.iter().any(at_place));
        hit += u64::from(met.contains(&cell));
    }
    assert!(made * 100 > all * 90, "{made} of {all} have the operator at the place");
    assert!(hit * 100 > all * 40, "{hit} of {all} meet the cell");
    let quantified = Cell::of(Op::StrLen).into_iter().find(|cell| !wanted(cell)).unwrap();
    assert_eq!(formula_for(&mut generator, quantified), None);
}
