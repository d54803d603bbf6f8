//! Helpers of the tests: a real arithmetic solver, problems from text, planted problems.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]
#![allow(dead_code, reason = "not every test file uses all of it")]

use std::path::PathBuf;

use luthier_generator::Dice;
use luthier_generator::random::Generator;
use luthier_runner::releases::{Program, Releases};
use luthier_semantics::{Evaluator, Value};
use luthier_smtlib::{ReadOptions, read_script};
use luthier_solver::arithmetic::Backend;
use luthier_solver::{Engine, Portfolio, Problem, strategy};
use luthier_terms::{BasicSort, Op, SmtString, TermId, TermPool};

/// The Z3 of `LUTHIER_Z3`, or a release that is installed as `luthier solvers install` does it.
pub fn backend() -> Backend {
    let named = std::env::var_os("LUTHIER_Z3").map(PathBuf::from);
    let program = named.unwrap_or_else(installed);
    assert!(program.is_file(), "there is no Z3 at {}", program.display());
    Backend::z3(program)
}

/// All engines with a real arithmetic solver.
pub fn portfolio() -> Portfolio {
    Portfolio { backend: Some(backend()), seed: 1, ..Portfolio::default() }
}

/// One engine of the strategy.
pub fn engine(name: &str) -> Box<dyn Engine> {
    strategy::engine(name).unwrap().build(&portfolio()).unwrap()
}

fn installed() -> PathBuf {
    let releases = Releases::of_user(PathBuf::from("luthier")).unwrap();
    let name = "z3@5.4.0".parse().unwrap();
    let installed = releases.install(&name, &mut |_| {}).unwrap();
    match installed.manifest.program(&installed.folder) {
        Program::Executable(path) => path,
        Program::Cvc5Libraries(_) => panic!("Z3 is an executable"),
    }
}

/// The problem of the first query of a script.
pub fn problem(text: &str) -> Problem {
    let mut pool = TermPool::new();
    let text = format!("(set-logic ALL)\n{text}\n(check-sat)\n");
    let reading = read_script(&mut pool, text.as_bytes(), &ReadOptions::default());
    assert!(reading.is_accepted(), "{text}: {:?}", reading.diagnostics);
    let query = reading.script.queries().next().unwrap();
    let assertions = query.assertions.iter().map(|active| active.assertion.term).collect();
    Problem { pool: pool.into(), assertions }
}

/// A formula that is true under the values of the generator: random ones, negated if need be.
pub fn planted(stream: u64) -> (Generator, Vec<TermId>) {
    let mut dice = Dice::new(66, stream);
    let mut generator = Generator::for_formula(dice.fork());
    for name in ["x", "y", "z"] {
        let letters: &[u32] = if dice.percent(30) { &[48, 49, 57] } else { &[97, 98, 48] };
        let length = dice.below(5);
        let text = SmtString::from_codes((0..length).map(|_| dice.pick(letters))).unwrap();
        generator.declare(name, text.into());
    }
    for name in ["i", "j"] {
        let number = dice.between(-2, 6);
        generator.declare(name, Value::Int(number.into()));
    }
    let mut assertions = Vec::new();
    for _ in 0..2 + dice.below(5) {
        let formula = generator.term(BasicSort::Bool, 4);
        let evaluation = Evaluator::new(&generator.pool, &generator.model).evaluate(formula);
        match evaluation.as_bool() {
            Some(true) => assertions.push(formula),
            Some(false) => assertions.push(generator.pool.op(Op::Not, &[formula]).unwrap()),
            None => {}
        }
        // Equations of terms with their values make constants propagate.
        let term = generator.term(dice.pick(&[BasicSort::String, BasicSort::Int]), 3);
        let evaluation = Evaluator::new(&generator.pool, &generator.model).evaluate(term);
        if let Some(value) = evaluation.known().filter(|_| dice.percent(60)).cloned() {
            let value = value.to_term(&mut generator.pool).unwrap();
            assertions.push(generator.pool.op(Op::Eq, &[term, value]).unwrap());
        }
    }
    (generator, assertions)
}

/// The example of the paper and variations of it: two literals that occur, one in the middle, and
/// a length.
pub const VARIATIONS: [([&str; 3], u32); 11] = [
    (["123456", "12345", "a"], 21),
    (["123456", "12345", "a"], 14),
    (["123456", "12345", "ab"], 21),
    (["abcabd", "abc", "x"], 18),
    (["ab", "ba", "c"], 12),
    (["aab", "ab", "b"], 9),
    (["0123", "123", "-"], 16),
    (["123456", "12345", "a"], 70),
    (["xyz", "zx", "xy"], 15),
    (["aaab", "ba", "aa"], 24),
    (["foo", "oof", "bar"], 33),
];

/// Fig. 1 of the paper: words that commute, and one that does not occur in another; `swapped` with
/// the two in the other order.
pub fn commuting(literals: [&str; 3], length: u32, swapped: bool) -> Problem {
    let [first, second, middle] = literals;
    let (needle, hay) = (format!("u \"{middle}\" v"), format!("v \"{middle}\" y"));
    let (needle, hay) = if swapped { (hay, needle) } else { (needle, hay) };
    problem(&format!(
        "(declare-const u String) (declare-const v String) (declare-const y String)
         (assert (= (str.++ v u) (str.++ u v)))
         (assert (str.contains u \"{first}\"))
         (assert (str.contains v \"{second}\"))
         (assert (= (str.len u) {length}))
         (assert (not (str.contains (str.++ {hay}) (str.++ {needle}))))"
    ))
}
