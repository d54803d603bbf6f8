//! Defined functions, recursion, and functions that a model interprets.

use luthier_semantics::{Evaluation, Interpretation, Limits, Reason};
use luthier_terms::{FunctionId, Op, Quantifier, Sort, TermId};

use crate::support::{Bench, int, text};

/// Defines a recursive function of one parameter.
fn recursive(
    bench: &mut Bench,
    name: &str,
    parameter: Sort,
    result: Sort,
    body: impl FnOnce(&mut Bench, FunctionId, TermId) -> TermId,
) -> FunctionId {
    let x = bench.variable("x", parameter);
    let symbol = bench.pool.symbols_mut().intern(name.as_bytes()).unwrap();
    let function = bench.pool.begin_recursive(symbol, vec![x], result, 0).unwrap();
    let body = body(bench, function, x);
    assert!(bench.pool.finish_recursive(function, body).unwrap());
    function
}

fn call(bench: &mut Bench, function: FunctionId, argument: TermId) -> TermId {
    bench.pool.apply(function, &[argument]).unwrap()
}

#[test]
fn a_defined_function_is_unfolded_with_its_arguments() {
    let mut bench = Bench::default();
    let (x, y) = (bench.variable("x", Sort::Int), bench.variable("y", Sort::Int));
    let body = bench.op(Op::Sub, &[x, y]);
    let name = bench.pool.symbols_mut().intern(b"minus").unwrap();
    let minus = bench.pool.define(name, vec![x, y], body).unwrap();
    let (five, three) = (bench.n(5), bench.n(3));
    let inner = bench.pool.apply(minus, &[five, three]).unwrap();
    let outer = bench.pool.apply(minus, &[three, inner]).unwrap();
    bench.is(outer, int(1));
}

#[test]
fn a_chain_of_a_hundred_and_fifty_thousand_definitions_is_unfolded() {
    let mut bench = Bench::default();
    let x = bench.variable("x", Sort::Int);
    let one = bench.n(1);
    let mut body = x;
    for _ in 0..150_000 {
        let name = bench.pool.symbols_mut().intern(b"f").unwrap();
        let function = bench.pool.define(name, vec![x], body).unwrap();
        let call = bench.pool.apply(function, &[x]).unwrap();
        body = bench.op(Op::Add, &[call, one]);
    }
    let name = bench.pool.symbols_mut().intern(b"g").unwrap();
    let function = bench.pool.define(name, vec![x], body).unwrap();
    let start = bench.n(0);
    let term = call(&mut bench, function, start);
    bench.is(term, int(150_000));
}

#[test]
fn guarded_recursion_ends() {
    let mut bench = Bench::default();
    let reverse = recursive(&mut bench, "reverse", Sort::String, Sort::String, |bench, f, x| {
        let empty = bench.s("");
        let (zero, one) = (bench.n(0), bench.n(1));
        let done = bench.op(Op::Eq, &[x, empty]);
        let length = bench.op(Op::StrLen, &[x]);
        let tail = bench.op(Op::StrSubstr, &[x, one, length]);
        let head = bench.op(Op::StrAt, &[x, zero]);
        let reversed = call(bench, f, tail);
        let joined = bench.op(Op::StrConcat, &[reversed, head]);
        bench.op(Op::Ite, &[done, empty, joined])
    });
    let w = bench.s("abcde");
    let term = call(&mut bench, reverse, w);
    bench.is(term, text("edcba"));
    let long = bench.constant("long", text(&"ab".repeat(1_000)));
    let term = call(&mut bench, reverse, long);
    bench.is(term, text(&"ba".repeat(1_000)));
}

#[test]
fn recursion_guarded_by_a_connective_ends() {
    let mut bench = Bench::default();
    let positive = recursive(&mut bench, "p", Sort::Int, Sort::Bool, |bench, f, x| {
        let (zero, one) = (bench.n(0), bench.n(1));
        let done = bench.op(Op::Le, &[x, zero]);
        let less = bench.op(Op::Sub, &[x, one]);
        let rest = call(bench, f, less);
        bench.op(Op::Or, &[done, rest])
    });
    let start = bench.n(50_000);
    let term = call(&mut bench, positive, start);
    bench.is(term, true);
}

#[test]
fn doubly_recursive_calls_are_remembered() {
    let mut bench = Bench::default();
    let fibonacci = recursive(&mut bench, "fib", Sort::Int, Sort::Int, |bench, f, x| {
        let (one, two) = (bench.n(1), bench.n(2));
        let done = bench.op(Op::Le, &[x, one]);
        let (before, earlier) = (bench.op(Op::Sub, &[x, one]), bench.op(Op::Sub, &[x, two]));
        let (before, earlier) = (call(bench, f, before), call(bench, f, earlier));
        let sum = bench.op(Op::Add, &[before, earlier]);
        bench.op(Op::Ite, &[done, x, sum])
    });
    let start = bench.n(90);
    let term = call(&mut bench, fibonacci, start);
    bench.is(term, int(2_880_067_194_370_816_120));
    // The same on something unknown comes to an end, too.
    let unknown = bench.unknown("n", Sort::Int);
    let term = call(&mut bench, fibonacci, unknown);
    let Evaluation::Undecided(reasons) = bench.evaluate(term) else { panic!("known") };
    assert!(reasons.contains(Reason::RecursionLimit(fibonacci)));
}

#[test]
fn endless_recursion_is_undecided() {
    let mut bench = Bench::default();
    let same = recursive(&mut bench, "same", Sort::Int, Sort::Int, call);
    let up = recursive(&mut bench, "up", Sort::Int, Sort::Int, |bench, f, x| {
        let one = bench.n(1);
        let more = bench.op(Op::Add, &[x, one]);
        call(bench, f, more)
    });
    let zero = bench.n(0);
    let term = call(&mut bench, same, zero);
    bench.undecided(term, &[Reason::RecursionLimit(same)]);
    let term = call(&mut bench, up, zero);
    let limits = Limits { recursion: 1_000, ..Limits::default() };
    let evaluation = bench.evaluate_within(term, limits);
    assert_eq!(evaluation.reasons().unwrap().as_slice(), [Reason::RecursionLimit(up)]);
    bench.undecided(term, &[Reason::RecursionLimit(up)]);
    let product = bench.op(Op::Mul, &[term, zero]);
    bench.is(product, int(0));
}

#[test]
fn a_model_may_interpret_functions() {
    let mut bench = Bench::default();
    let f = bench.declare("f", &[Sort::Int], Sort::Int);
    let g = bench.declare("g", &[Sort::Int], Sort::Int);
    let x = bench.variable("x", Sort::Int);
    let one = bench.n(1);
    let g_of_x = call(&mut bench, g, x);
    let body = bench.op(Op::Add, &[g_of_x, one]);
    bench.model.insert(f, Interpretation::Function { variables: vec![x], body });
    bench.model.insert(g, Interpretation::Value(int(41)));
    let term = call(&mut bench, f, one);
    bench.is(term, int(42));
    // A model that defines a function by itself is no reason to run for ever.
    let endless = call(&mut bench, g, body);
    bench.model.insert(g, Interpretation::Function { variables: vec![x], body: endless });
    assert!(bench.evaluate(term).known().is_none());
}

#[test]
fn arguments_and_bound_variables_do_not_get_mixed_up() {
    let mut bench = Bench::default();
    // f(p) = exists q. q and not p; the variable names of caller and callee are the same.
    let (p, q) = (bench.variable("p", Sort::Bool), bench.variable("q", Sort::Bool));
    let not_p = bench.op(Op::Not, &[p]);
    let body = bench.op(Op::And, &[q, not_p]);
    let body = bench.pool.quantify(Quantifier::Exists, &[q], body, &[]).unwrap();
    let name = bench.pool.symbols_mut().intern(b"f").unwrap();
    let f = bench.pool.define(name, vec![p], body).unwrap();
    // forall p, q. f(q) = not q.
    let (call, not_q) = (call(&mut bench, f, q), bench.op(Op::Not, &[q]));
    let equal = bench.op(Op::Eq, &[call, not_q]);
    let term = bench.pool.quantify(Quantifier::Forall, &[p, q], equal, &[]).unwrap();
    bench.is(term, true);
    let wrong = bench.op(Op::Eq, &[call, q]);
    let term = bench.pool.quantify(Quantifier::Exists, &[p, q], wrong, &[]).unwrap();
    bench.is(term, false);
}

#[test]
fn names_mean_nothing() {
    let mut bench = Bench::default();
    let five = bench.n(5);
    let name = bench.pool.symbols_mut().intern(b"five").unwrap();
    let named = bench.pool.named(name, five).unwrap();
    let sum = bench.op(Op::Add, &[named, five]);
    bench.is(sum, int(10));
}

#[test]
fn integers_in_a_range_that_the_body_demands_are_enumerated() {
    let mut bench = Bench::default();
    let (i, j) = (bench.variable("i", Sort::Int), bench.variable("j", Sort::Int));
    let word = bench.pool.string(luthier_terms::SmtString::from_text("aab").unwrap()).unwrap();
    let letter = bench.pool.string(luthier_terms::SmtString::from_text("a").unwrap()).unwrap();
    let (zero, one, length) = (bench.n(0), bench.n(1), bench.op(Op::StrLen, &[word]));
    let in_word = |bench: &mut Bench, end: TermId| {
        let (low, high) = (bench.op(Op::Le, &[zero, i]), bench.op(Op::Gt, &[end, i]));
        bench.op(Op::And, &[low, high])
    };
    let at = bench.op(Op::StrAt, &[word, i]);
    let is_a = bench.op(Op::Eq, &[at, letter]);
    let shorter = bench.op(Op::Sub, &[length, one]);
    for (end, expected) in [(length, false), (shorter, true), (zero, true)] {
        let range = in_word(&mut bench, end);
        let body = bench.op(Op::Implies, &[range, is_a]);
        let term = bench.pool.quantify(Quantifier::Forall, &[i], body, &[]).unwrap();
        bench.is(term, expected);
        let not_a = bench.op(Op::Not, &[is_a]);
        let body = bench.op(Op::And, &[range, not_a]);
        let term = bench.pool.quantify(Quantifier::Exists, &[i], body, &[]).unwrap();
        bench.is(term, !expected);
    }
    // One end, and ends that depend on the other variable, are no range.
    let low = bench.op(Op::Le, &[zero, i]);
    let body = bench.op(Op::Implies, &[low, is_a]);
    let term = bench.pool.quantify(Quantifier::Forall, &[i], body, &[]).unwrap();
    assert!(bench.evaluate(term).known().is_none());
    let (low, high) = (bench.op(Op::Le, &[j, i]), bench.op(Op::Lt, &[i, length]));
    let body = bench.op(Op::Implies, &[low, high, is_a]);
    let term = bench.pool.quantify(Quantifier::Forall, &[i, j], body, &[]).unwrap();
    assert!(bench.evaluate(term).known().is_none());
    // Two variables: i + j < 5 for i, j < 3.
    let three = bench.n(3);
    let ranges = [i, j].map(|variable| bench.op(Op::Le, &[one, variable, three]));
    let sum = bench.op(Op::Add, &[i, j]);
    for (most, expected) in [(5, false), (6, true)] {
        let most = bench.n(most);
        let small = bench.op(Op::Le, &[sum, most]);
        let body = bench.op(Op::Implies, &[ranges[0], ranges[1], small]);
        let term = bench.pool.quantify(Quantifier::Forall, &[i, j], body, &[]).unwrap();
        bench.is(term, expected);
    }
}

#[test]
fn a_model_may_give_a_function_as_a_table() {
    let mut bench = Bench::default();
    let f = bench.declare("f", &[Sort::Int], Sort::Int);
    let mut table = luthier_semantics::FunctionTable::constant(vec![Sort::Int], int(9));
    assert!(table.insert(vec![int(1)], int(4)));
    bench.model.insert(f, Interpretation::Table(table.clone().into()));
    let (one, two, zero) = (bench.n(1), bench.n(2), bench.n(0));
    for (argument, expected) in [(one, 4), (two, 9)] {
        let term = call(&mut bench, f, argument);
        bench.is(term, int(expected));
    }
    bench.model.division_by_zero = Some(Interpretation::Table(table.into()));
    for (dividend, expected) in [(one, 4), (two, 9)] {
        let term = bench.op(Op::Div, &[dividend, zero]);
        bench.is(term, int(expected));
    }
}
