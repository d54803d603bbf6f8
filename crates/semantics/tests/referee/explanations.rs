//! Explanations show what is responsible, once, and not more than was asked for.

use luthier_semantics::{Evaluator, Explanation, Limits, Value};
use luthier_terms::{Op, Sort, TermId};

use crate::support::{Bench, int, text};

fn explain(bench: &Bench, assertion: TermId) -> Explanation {
    Evaluator::new(&bench.pool, &bench.model).explain(assertion)
}

/// The terms and values of an explanation.
#[track_caller]
fn check(bench: &Bench, assertion: TermId, expected: &[(TermId, Option<Value>, usize)]) {
    let explanation = explain(bench, assertion);
    let found: Vec<_> = explanation
        .steps
        .into_iter()
        .map(|step| (step.term, step.value.known().cloned(), step.depth))
        .collect();
    assert_eq!(found, expected);
    assert_eq!(explanation.cut, 0);
}

#[test]
fn the_false_part_of_a_conjunction_is_followed_to_its_arguments() {
    let mut bench = Bench::default();
    let x = bench.constant("x", text("aa"));
    let y = bench.constant("y", int(1));
    let (zero_text, zero) = (bench.s("0"), bench.n(0));
    let index = bench.op(Op::StrIndexOf, &[x, zero_text, zero]);
    let found = bench.op(Op::Ge, &[index, zero]);
    let fine = bench.op(Op::Gt, &[y, zero]);
    let assertion = bench.op(Op::And, &[fine, found]);
    check(
        &bench,
        assertion,
        &[
            (assertion, Some(false.into()), 0),
            (found, Some(false.into()), 1),
            (index, Some(int(-1)), 2),
            (x, Some(text("aa").into()), 3),
        ],
    );
}

#[test]
fn all_parts_of_a_false_disjunction_and_the_true_part_of_a_negated_one() {
    let mut bench = Bench::default();
    let (p, q) = (bench.constant("p", false), bench.constant("q", true));
    let not_q = bench.op(Op::Not, &[q]);
    let or = bench.op(Op::Or, &[p, not_q]);
    let (yes, no) = (Some(Value::from(true)), Some(Value::from(false)));
    check(
        &bench,
        or,
        &[(or, no.clone(), 0), (p, no.clone(), 1), (not_q, no.clone(), 1), (q, yes.clone(), 2)],
    );
    let some = bench.op(Op::Or, &[p, q]);
    let negated = bench.op(Op::Not, &[some]);
    check(&bench, negated, &[(negated, no, 0), (some, yes.clone(), 1), (q, yes, 2)]);
}

#[test]
fn only_the_chosen_branch_is_shown() {
    let mut bench = Bench::default();
    let p = bench.constant("p", true);
    let (x, y) = (bench.constant("x", int(1)), bench.constant("y", int(2)));
    let two = bench.n(2);
    let ite = bench.op(Op::Ite, &[p, x, y]);
    let equal = bench.op(Op::Eq, &[ite, two]);
    check(
        &bench,
        equal,
        &[
            (equal, Some(false.into()), 0),
            (ite, Some(int(1)), 1),
            (p, Some(true.into()), 2),
            (x, Some(int(1)), 2),
        ],
    );
}

#[test]
fn undecided_parts_of_an_undecided_assertion_are_shown() {
    let mut bench = Bench::default();
    let (p, q) = (bench.unknown("p", Sort::Bool), bench.constant("q", true));
    let and = bench.op(Op::And, &[q, p]);
    check(&bench, and, &[(and, None, 0), (p, None, 1)]);
    let implies = bench.op(Op::Implies, &[q, p]);
    check(&bench, implies, &[(implies, None, 0), (p, None, 1)]);
}

#[test]
fn a_false_implication_needs_premise_and_conclusion() {
    let mut bench = Bench::default();
    let (p, q) = (bench.constant("p", false), bench.constant("q", true));
    let implies = bench.op(Op::Implies, &[q, p]);
    let (yes, no) = (Some(Value::from(true)), Some(Value::from(false)));
    check(&bench, implies, &[(implies, no.clone(), 0), (q, yes, 1), (p, no, 1)]);
}

#[test]
fn ground_languages_are_not_taken_apart() {
    let mut bench = Bench::default();
    let x = bench.constant("x", text("b"));
    let a = bench.re("a");
    let star = bench.op(Op::ReStar, &[a]);
    let member = bench.op(Op::StrInRe, &[x, star]);
    check(&bench, member, &[(member, Some(false.into()), 0), (x, Some(text("b").into()), 1)]);
}

#[test]
fn each_term_is_shown_once_and_long_explanations_are_cut() {
    let mut bench = Bench::default();
    let parts: Vec<TermId> =
        (0..500).map(|number| bench.constant(&format!("p{number}"), false)).collect();
    let twice = [parts.clone(), parts].concat();
    let or = bench.op(Op::Or, &twice);
    let explanation = explain(&bench, or);
    let shown = Limits::default().explanation_steps;
    assert_eq!(explanation.steps.len(), shown);
    assert_eq!(explanation.cut, 501 - shown);
}
