//! What is not known: reasons, and values that do not depend on it.

use luthier_semantics::{Evaluation, Interpretation, Language, Limits, Reason};
use luthier_terms::{BigInt, FunctionId, Op, Quantifier, Sort, Term, TermId};

use crate::support::{Bench, int, text};

fn function(bench: &Bench, constant: TermId) -> FunctionId {
    match bench.pool.term(constant) {
        Term::Apply(function, _) => function,
        _ => panic!("not a constant"),
    }
}

#[test]
fn a_missing_value_is_named() {
    let mut bench = Bench::default();
    let (x, y) = (bench.unknown("x", Sort::String), bench.unknown("y", Sort::String));
    let (fx, fy) = (function(&bench, x), function(&bench, y));
    bench.undecided(x, &[Reason::MissingValue(fx)]);
    let both = bench.op(Op::StrConcat, &[y, x, y]);
    bench.undecided(both, &[Reason::MissingValue(fx), Reason::MissingValue(fy)]);
}

#[test]
fn connectives_do_not_need_what_does_not_matter() {
    let mut bench = Bench::default();
    let x = bench.unknown("x", Sort::Bool);
    let reason = [Reason::MissingValue(function(&bench, x))];
    let (t, f) = (bench.bool(true), bench.bool(false));
    for (op, children, expected) in [
        (Op::And, vec![x, f], Some(false)),
        (Op::And, vec![f, x], Some(false)),
        (Op::And, vec![x, t], None),
        (Op::Or, vec![x, t], Some(true)),
        (Op::Or, vec![x, f], None),
        (Op::Implies, vec![f, x], Some(true)),
        (Op::Implies, vec![x, t], Some(true)),
        (Op::Implies, vec![x, f, x], Some(true)),
        (Op::Implies, vec![t, x], None),
        (Op::Implies, vec![x, f], None),
        (Op::Xor, vec![x, t], None),
        (Op::Not, vec![x], None),
        (Op::Eq, vec![x, t, f], Some(false)),
        (Op::Eq, vec![t, x, f], Some(false)),
        (Op::Eq, vec![x, t], None),
        (Op::Eq, vec![x, x], Some(true)),
        (Op::Distinct, vec![x, t, t], Some(false)),
        (Op::Distinct, vec![x, x], Some(false)),
        (Op::Distinct, vec![x, t], None),
        (Op::Ite, vec![x, t, t], Some(true)),
        (Op::Ite, vec![x, t, f], None),
        (Op::Ite, vec![t, f, x], Some(false)),
        (Op::Ite, vec![f, x, t], Some(true)),
        (Op::Ite, vec![f, t, x], None),
    ] {
        let term = bench.op(op, &children);
        match expected {
            Some(expected) => bench.is(term, expected),
            None => bench.undecided(term, &reason),
        }
    }
}

#[test]
fn zero_times_anything_is_zero_and_a_broken_chain_is_false() {
    let mut bench = Bench::default();
    let x = bench.unknown("x", Sort::Int);
    let (zero, one) = (bench.n(0), bench.n(1));
    let product = bench.op(Op::Mul, &[x, zero]);
    bench.is(product, int(0));
    let chain = bench.op(Op::Lt, &[x, one, zero, x]);
    bench.is(chain, false);
    let chain = bench.op(Op::Lt, &[zero, one, x]);
    bench.undecided(chain, &[Reason::MissingValue(function(&bench, x))]);
}

#[test]
fn dividing_by_zero_is_undecided_without_a_model() {
    let mut bench = Bench::default();
    let (one, zero) = (bench.n(1), bench.n(0));
    let quotient = bench.op(Op::Div, &[one, zero]);
    bench.undecided(quotient, &[Reason::DivisionByZero(quotient)]);
    let remainder = bench.op(Op::Mod, &[one, zero]);
    bench.undecided(remainder, &[Reason::ModuloByZero(remainder)]);
    let same = bench.op(Op::Eq, &[quotient, quotient]);
    bench.is(same, true);
    let f = bench.bool(false);
    let compared = bench.op(Op::Eq, &[quotient, one]);
    let guarded = bench.op(Op::And, &[compared, f]);
    bench.is(guarded, false);
    // What the model says must be a function from integers to integers.
    bench.model.division_by_zero = Some(Interpretation::Value(true.into()));
    bench.undecided(quotient, &[Reason::DivisionByZero(quotient)]);
}

#[test]
fn quantifiers_over_booleans_are_expanded() {
    let mut bench = Bench::default();
    let (p, q) = (bench.variable("p", Sort::Bool), bench.variable("q", Sort::Bool));
    let not_p = bench.op(Op::Not, &[p]);
    let excluded = bench.op(Op::Or, &[p, not_p]);
    let equal = bench.op(Op::Eq, &[p, q]);
    for (quantifier, variables, body, expected) in [
        (Quantifier::Forall, vec![p], excluded, true),
        (Quantifier::Forall, vec![p, q], equal, false),
        (Quantifier::Exists, vec![p, q], equal, true),
        (Quantifier::Exists, vec![p], p, true),
        (Quantifier::Forall, vec![p], p, false),
    ] {
        let term = bench.pool.quantify(quantifier, &variables, body, &[]).unwrap();
        bench.is(term, expected);
    }
    // For all p there is a q that equals it, but not the other way round.
    let some_q = bench.pool.quantify(Quantifier::Exists, &[q], equal, &[]).unwrap();
    let term = bench.pool.quantify(Quantifier::Forall, &[p], some_q, &[]).unwrap();
    bench.is(term, true);
    let all_q = bench.pool.quantify(Quantifier::Forall, &[q], equal, &[]).unwrap();
    let term = bench.pool.quantify(Quantifier::Exists, &[p], all_q, &[]).unwrap();
    bench.is(term, false);
}

#[test]
fn quantifiers_over_infinite_sorts_are_decided_only_by_bodies_that_do_not_care() {
    let mut bench = Bench::default();
    let x = bench.variable("x", Sort::Int);
    let zero = bench.n(0);
    let positive = bench.op(Op::Lt, &[zero, x]);
    let term = bench.pool.quantify(Quantifier::Forall, &[x], positive, &[]).unwrap();
    bench.undecided(term, &[Reason::Quantifier(term)]);
    let t = bench.bool(true);
    let trivial = bench.op(Op::Or, &[positive, t]);
    let term = bench.pool.quantify(Quantifier::Exists, &[x], trivial, &[]).unwrap();
    bench.is(term, true);
    // With a Boolean variable beside it, the latter is expanded.
    let p = bench.variable("p", Sort::Bool);
    let body = bench.op(Op::And, &[p, positive]);
    let term = bench.pool.quantify(Quantifier::Forall, &[x, p], body, &[]).unwrap();
    bench.is(term, false);
}

#[test]
fn a_variable_that_nothing_binds_is_named() {
    let mut bench = Bench::default();
    let x = bench.variable("x", Sort::Int);
    bench.undecided(x, &[Reason::UnboundVariable(x)]);
}

#[test]
fn an_interpretation_of_other_sorts_is_not_used() {
    let mut bench = Bench::default();
    let x = bench.unknown("x", Sort::String);
    let fx = function(&bench, x);
    bench.model.insert_value(fx, int(3));
    bench.undecided(x, &[Reason::UnfitInterpretation(fx)]);
    let f = bench.declare("f", &[Sort::Int], Sort::Int);
    let v = bench.variable("v", Sort::String);
    let length = bench.op(Op::StrLen, &[v]);
    bench.model.insert(f, Interpretation::Function { variables: vec![v], body: length });
    let three = bench.n(3);
    let call = bench.pool.apply(f, &[three]).unwrap();
    bench.undecided(call, &[Reason::UnfitInterpretation(f)]);
}

#[test]
fn limits_make_undecided_and_nothing_else() {
    let mut bench = Bench::default();
    // A string of 2^60 characters.
    let mut w = bench.s("ab");
    for _ in 0..59 {
        w = bench.op(Op::StrConcat, &[w, w]);
    }
    let Evaluation::Undecided(reasons) = bench.evaluate(w) else { panic!("known") };
    assert!(matches!(reasons.as_slice(), [Reason::SizeLimit(_)]));
    // A number of 2^60 bits.
    let mut n = bench.n(3);
    for _ in 0..60 {
        n = bench.op(Op::Mul, &[n, n]);
    }
    let Evaluation::Undecided(reasons) = bench.evaluate(n) else { panic!("known") };
    assert!(matches!(reasons.as_slice(), [Reason::SizeLimit(_)]));
    let t = bench.bool(true);
    let zero = bench.n(0);
    let compared = bench.op(Op::Lt, &[n, zero]);
    let guarded = bench.op(Op::Or, &[compared, t]);
    bench.is(guarded, true);
    let few = Limits { steps: 50, ..Limits::default() };
    let many: Vec<TermId> = (0..10).map(|number| bench.n(number)).collect();
    let sum = bench.op(Op::Add, &many);
    let evaluation = bench.evaluate_within(sum, few);
    assert_eq!(evaluation.reasons().unwrap().as_slice(), [Reason::StepLimit]);
}

#[test]
fn matching_and_comparing_have_limits() {
    let mut bench = Bench::default();
    let a = Language::literal(text("a"));
    let r = bench.constant("r", a.between(&10.into(), &2000.into()));
    let q = bench.constant("q", a.between(&10.into(), &2001.into()));
    let w = bench.constant("w", text(&"a".repeat(1000)));
    let member = bench.op(Op::StrInRe, &[w, r]);
    bench.is(member, true);
    let limits = Limits { regex_steps: 500, ..Limits::default() };
    let evaluation = bench.evaluate_within(member, limits);
    assert_eq!(evaluation.reasons().unwrap().as_slice(), [Reason::RegexLimit(member)]);
    let equal = bench.op(Op::Eq, &[r, q]);
    bench.is(equal, false);
    let limits = Limits { comparison_steps: 500, ..Limits::default() };
    let evaluation = bench.evaluate_within(equal, limits);
    assert_eq!(evaluation.reasons().unwrap().as_slice(), [Reason::LanguageComparison(equal)]);
}

#[test]
fn time_and_memory_have_limits() {
    let mut bench = Bench::default();
    // Each doubling is allowed; together they take longer than the time.
    let x = bench.constant("x", text(&"ab".repeat(50_000)));
    let (a, long) = (bench.s("a"), bench.s("ccccccccccccccccccccccccccccccc"));
    let mut terms = Vec::new();
    for number in 0..500 {
        let letter = bench.s(&number.to_string());
        let longer = bench.op(Op::StrConcat, &[x, letter]);
        let replaced = bench.op(Op::StrReplaceAll, &[longer, a, long]);
        terms.push(bench.op(Op::StrLen, &[replaced]));
    }
    let sum = bench.op(Op::Add, &terms);
    let time = Some(std::time::Duration::from_millis(50));
    let limits = Limits { cpu_time: time, steps: u64::MAX, ..Limits::default() };
    let evaluation = bench.evaluate_within(sum, limits);
    assert_eq!(evaluation.reasons().unwrap().as_slice(), [Reason::TimeLimit]);
    // Two strings of 400,000 bytes at the same time.
    let limits = Limits { memory: 700_000, ..Limits::default() };
    let (one, two) = (bench.s("1"), bench.s("2"));
    let (one, two) = (bench.op(Op::StrConcat, &[x, one]), bench.op(Op::StrConcat, &[x, two]));
    let equal = bench.op(Op::Eq, &[one, two]);
    let evaluation = bench.evaluate_within(equal, limits);
    assert!(matches!(evaluation.reasons().unwrap().as_slice(), [Reason::MemoryLimit(_)]));
    bench.is(equal, false);
    assert!(Reason::TimeLimit.is_limit() && Reason::MemoryLimit(equal).is_limit());
}

#[test]
fn products_and_quotients_of_huge_integers_are_refused_before_they_are_made() {
    let mut bench = Bench::default();
    let huge = BigInt::from(3) << 9_000_000_u32;
    let n = bench.constant("n", huge);
    let product = bench.op(Op::Mul, &[n, n]);
    let evaluation = bench.evaluate(product);
    assert_eq!(evaluation.reasons().unwrap().as_slice(), [Reason::SizeLimit(product)]);
    let one = bench.n(1);
    let more = bench.op(Op::Add, &[n, one]);
    let quotient = bench.op(Op::Div, &[more, more, n]);
    let evaluation = bench.evaluate(quotient);
    assert_eq!(evaluation.reasons().unwrap().as_slice(), [Reason::StepLimit]);
}
