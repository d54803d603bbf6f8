//! The arithmetic solver against brute force, and its behaviour under timeouts, cancellation and
//! crashes.

use crate::common;

use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use luthier_generator::Dice;
use luthier_solver::arithmetic::{
    Answer, Arena, ArithmeticSolver, Backend, Id, Node, Sort, Value, Z3,
};
use luthier_solver::{Budget, Cancel, UnknownReason};
use luthier_terms::BigInt;

/// The integers that random formulas are about.
const RANGE: std::ops::RangeInclusive<i64> = -2..=2;

fn budget() -> Budget {
    Budget::until_cancelled(Cancel::new()).at_most(Duration::from_secs(120))
}

/// The process of a backend.
fn started(backend: &Backend) -> Result<Z3, UnknownReason> {
    match backend {
        Backend::Z3 { program, arguments } => Z3::start(program, arguments),
        Backend::Script(_) => panic!("a script is no process"),
    }
}

fn start() -> Z3 {
    started(&common::backend()).unwrap()
}

/// The value of a term, by the definition of every operator. Functions with arguments are
/// `arguments.sum() mod 3`.
fn evaluate(arena: &Arena, root: Id, constants: &[(Id, i64)]) -> i64 {
    if let Some(&(_, value)) = constants.iter().find(|(id, _)| *id == root) {
        return value;
    }
    let value = |id: Id| evaluate(arena, id, constants);
    let small = |number: &BigInt| i64::try_from(number).unwrap();
    let truth = |truth: bool| i64::from(truth);
    match arena.node(root) {
        Node::Bool(value) => truth(value),
        Node::Int(number) => small(number),
        Node::Apply(_, arguments) => {
            arguments.iter().map(|&id| value(id)).sum::<i64>().rem_euclid(3)
        }
        Node::Not(inner) => 1 - value(inner),
        Node::And(parts) => truth(parts.iter().all(|&part| value(part) == 1)),
        Node::Or(parts) => truth(parts.iter().any(|&part| value(part) == 1)),
        Node::Ite(condition, then, other) => {
            value(if value(condition) == 1 { then } else { other })
        }
        Node::Eq(left, right) => truth(value(left) == value(right)),
        Node::Distinct(parts) => truth(
            (0..parts.len())
                .all(|at| parts[..at].iter().all(|&part| value(part) != value(parts[at]))),
        ),
        Node::Add(parts) => parts.iter().map(|&part| value(part)).sum(),
        Node::Scale(factor, inner) => small(factor) * value(inner),
        Node::Mul(left, right) => value(left) * value(right),
        Node::Ge(left, right) => truth(value(left) >= value(right)),
        Node::Div(inner, divisor) => value(inner).div_euclid(small(divisor)),
        Node::Mod(inner, divisor) => value(inner).rem_euclid(small(divisor)),
        Node::Forall(..) => panic!("not in random formulas"),
    }
}

struct Workshop {
    arena: Arena,
    dice: Dice,
    integers: Vec<Id>,
    truths: Vec<Id>,
}

impl Workshop {
    fn new(stream: u64) -> Self {
        let mut arena = Arena::new();
        let integers = (0..3).map(|_| arena.fresh_int("x")).collect();
        let truths = (0..2).map(|_| arena.fresh_bool("p")).collect();
        Self { arena, dice: Dice::new(6, stream), integers, truths }
    }

    fn integer(&mut self, depth: usize) -> Id {
        if depth == 0 || self.dice.percent(20) {
            return if self.dice.percent(70) {
                self.dice.pick(&self.integers)
            } else {
                let number = self.dice.between(-3, 3);
                self.arena.int(number)
            };
        }
        let (a, b) = (self.integer(depth - 1), self.integer(depth - 1));
        match self.dice.below(8) {
            0 | 1 => self.arena.add(&[a, b]),
            2 => self.arena.sub(a, b),
            3 => {
                let factor = self.dice.between(-3, 3);
                self.arena.scale(factor, a)
            }
            4 => {
                let divisor = self.dice.between(1, 4);
                self.arena.div(a, divisor)
            }
            5 => {
                let divisor = self.dice.pick(&[-3, 1, 2, 3]);
                self.arena.modulo(a, divisor)
            }
            6 => self.arena.mul(a, b),
            _ => {
                let condition = self.formula(depth - 1);
                self.arena.ite(condition, a, b)
            }
        }
    }

    fn formula(&mut self, depth: usize) -> Id {
        if depth == 0 {
            return self.dice.pick(&self.truths);
        }
        if self.dice.percent(50) {
            let (a, b) = (self.integer(depth - 1), self.integer(depth - 1));
            return match self.dice.below(6) {
                0 => self.arena.ge(a, b),
                1 => self.arena.gt(a, b),
                2 => self.arena.le(a, b),
                3 => self.arena.lt(a, b),
                4 => self.arena.eq(a, b),
                _ => {
                    let c = self.integer(depth - 1);
                    self.arena.distinct(&[a, b, c])
                }
            };
        }
        let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
        match self.dice.below(6) {
            0 => self.arena.and(&[a, b]),
            1 => self.arena.or(&[a, b]),
            2 => self.arena.not(a),
            3 => self.arena.implies(a, b),
            4 => self.arena.iff(a, b),
            _ => {
                let c = self.formula(depth - 1);
                self.arena.ite(a, b, c)
            }
        }
    }

    /// The constants are in the range.
    fn ranges(&mut self) -> Vec<Id> {
        let (low, high) = (self.arena.int(*RANGE.start()), self.arena.int(*RANGE.end()));
        let mut facts = Vec::new();
        for x in self.integers.clone() {
            facts.push(self.arena.ge(x, low));
            facts.push(self.arena.le(x, high));
        }
        facts
    }

    fn satisfiable(&self, formulas: &[Id]) -> bool {
        let mut found = false;
        for x in RANGE {
            for y in RANGE {
                for z in RANGE {
                    for bits in 0..4 {
                        let mut constants: Vec<(Id, i64)> =
                            self.integers.iter().copied().zip([x, y, z]).collect();
                        constants.extend(self.truths.iter().copied().zip([bits & 1, bits >> 1]));
                        let holds = |&formula: &Id| evaluate(&self.arena, formula, &constants) == 1;
                        found |= formulas.iter().all(holds);
                    }
                }
            }
        }
        found
    }
}

#[test]
fn answers_agree_with_brute_force_and_values_satisfy_and_cores_suffice() {
    let (mut sat, mut unsat) = (0, 0);
    for stream in 0..60 {
        let mut workshop = Workshop::new(stream);
        let mut solver = start();
        for fact in workshop.ranges() {
            solver.assert(&workshop.arena, fact).unwrap();
        }
        let asserted: Vec<Id> = (0..2).map(|_| workshop.formula(4)).collect();
        solver.push().unwrap();
        for &formula in &asserted {
            solver.assert(&workshop.arena, formula).unwrap();
        }
        // Twice with other assumptions, and once again outside the scope.
        for round in 0..3 {
            let assumptions: Vec<Id> = (0..4).map(|_| workshop.formula(3)).collect();
            let held = if round == 2 {
                solver.pop().unwrap();
                Vec::new()
            } else {
                asserted.clone()
            };
            let all: Vec<Id> = held.iter().chain(&assumptions).copied().collect();
            let answer = solver.check(&workshop.arena, &assumptions, &budget()).unwrap();
            match answer {
                Answer::Sat => {
                    assert!(workshop.satisfiable(&all), "{stream}");
                    let names: Vec<Id> =
                        workshop.integers.iter().chain(&workshop.truths).copied().collect();
                    let values = solver.values(&workshop.arena, &names).unwrap();
                    let constants: Vec<(Id, i64)> = names
                        .iter()
                        .zip(&values)
                        .map(|(&id, value)| match value {
                            Value::Bool(value) => (id, i64::from(*value)),
                            Value::Int(number) => (id, i64::try_from(number).unwrap()),
                            Value::Uninterpreted(_) => panic!("of no such sort"),
                        })
                        .collect();
                    for &formula in &all {
                        assert_eq!(evaluate(&workshop.arena, formula, &constants), 1, "{stream}");
                    }
                    // The solver's own values of larger terms are those of the definition.
                    let terms: Vec<Id> = (0..3).map(|_| workshop.integer(3)).collect();
                    let values = solver.values(&workshop.arena, &terms).unwrap();
                    for (&term, value) in terms.iter().zip(&values) {
                        let expected = evaluate(&workshop.arena, term, &constants);
                        assert_eq!(*value, Value::Int(expected.into()), "{stream}");
                    }
                    sat += 1;
                }
                Answer::Unsat(core) => {
                    assert!(core.iter().all(|id| assumptions.contains(id)), "{stream}");
                    let used: Vec<Id> = held.iter().chain(&core).copied().collect();
                    assert!(!workshop.satisfiable(&used), "{stream}");
                    let again = solver.check(&workshop.arena, &core, &budget()).unwrap();
                    assert!(matches!(again, Answer::Unsat(_)), "{stream}");
                    unsat += 1;
                }
                Answer::Unknown(reason) => panic!("{stream}: {reason}"),
            }
        }
    }
    assert!(sat > 20 && unsat > 20, "{sat} sat, {unsat} unsat");
}

#[test]
fn uninterpreted_symbols_are_congruent_and_elements_have_numbers() {
    let mut arena = Arena::new();
    let sort = Sort::Uninterpreted(arena.sort("word"));
    let constants: Vec<Id> = (0..3)
        .map(|_| {
            let function = arena.function("w", &[], sort);
            arena.apply(function, &[])
        })
        .collect();
    let length = arena.function("length", &[sort], Sort::Int);
    let [a, b, c] = constants[..] else { panic!("three constants") };
    let (of_a, of_b) = (arena.apply(length, &[a]), arena.apply(length, &[b]));
    let mut solver = start();
    let different = arena.distinct(&[of_a, of_b]);
    solver.assert(&arena, different).unwrap();
    let same = arena.eq(b, c);
    solver.assert(&arena, same).unwrap();
    assert_eq!(solver.check(&arena, &[], &budget()).unwrap(), Answer::Sat);
    let values = solver.values(&arena, &[a, b, c]).unwrap();
    assert_ne!(values[0], values[1]);
    assert_eq!(values[1], values[2]);
    let equal = arena.eq(a, c);
    assert_eq!(solver.check(&arena, &[equal], &budget()).unwrap(), Answer::Unsat(vec![equal]));
}

#[test]
fn quantified_formulas_are_written_with_their_own_names() {
    let mut arena = Arena::new();
    let (x, bound) = (arena.fresh_int("x"), arena.fresh_int("all"));
    // For all n: (n + n) + (n + n) != x, and x is a multiple of 4.
    let double = arena.add(&[bound, bound]);
    let sum = arena.add(&[double, double]);
    let equal = arena.eq(sum, x);
    let body = arena.not(equal);
    let all = arena.forall_int(&[bound], body);
    let rest = arena.modulo(x, 4);
    let zero = arena.int(0);
    let multiple = arena.eq(rest, zero);
    let mut solver = start();
    solver.assert(&arena, all).unwrap();
    assert_eq!(solver.check(&arena, &[], &budget()).unwrap(), Answer::Sat);
    assert!(matches!(solver.check(&arena, &[multiple], &budget()).unwrap(), Answer::Unsat(_)));
}

#[test]
fn a_hundred_thousand_levels_are_written_and_read() {
    let mut arena = Arena::new();
    let x = arena.fresh_int("x");
    let one = arena.int(1);
    let mut sum = x;
    for _ in 0..100_000 {
        sum = arena.add(&[sum, one]);
        let doubled = arena.scale(3, sum);
        sum = arena.modulo(doubled, 7);
    }
    let three = arena.int(3);
    let equal = arena.eq(sum, three);
    let mut solver = start();
    solver.assert(&arena, equal).unwrap();
    // Only that it is read without an error matters here; deciding it may take longer.
    let short = Budget::until_cancelled(Cancel::new()).at_most(Duration::from_secs(5));
    match solver.check(&arena, &[], &short) {
        Ok(_) | Err(UnknownReason::Timeout) => {}
        Err(reason) => panic!("{reason}"),
    }
}

#[test]
fn a_formula_that_is_huge_as_a_tree_is_small_as_text() {
    let mut arena = Arena::new();
    let x = arena.fresh_int("x");
    let mut sum = x;
    for _ in 0..200 {
        sum = arena.add(&[sum, sum]);
    }
    let zero = arena.int(0);
    let positive = arena.gt(sum, zero);
    let one = arena.int(1);
    let below = arena.lt(x, one);
    let mut solver = start();
    solver.assert(&arena, positive).unwrap();
    assert_eq!(solver.check(&arena, &[below], &budget()).unwrap(), Answer::Unsat(vec![below]));
    assert_eq!(solver.check(&arena, &[], &budget()).unwrap(), Answer::Sat);
    let values = solver.values(&arena, &[x, sum]).unwrap();
    let expected = values[0].as_int().unwrap() * BigInt::from(2).pow(200);
    assert_eq!(values[1], Value::Int(expected));
}

/// A sum of three cubes that is hard to find, so that no solver answers soon.
fn hard(arena: &mut Arena) -> Id {
    let mut cubes = Vec::new();
    for _ in 0..3 {
        let x = arena.fresh_int("x");
        let square = arena.mul(x, x);
        cubes.push(arena.mul(square, x));
    }
    let sum = arena.add(&cubes);
    let wanted = arena.int(33);
    arena.eq(sum, wanted)
}

#[test]
fn cancellation_ends_a_check_and_its_process() {
    let mut arena = Arena::new();
    let formula = hard(&mut arena);
    let mut solver = start();
    solver.assert(&arena, formula).unwrap();
    let cancel = Cancel::new();
    let watched = Budget::until_cancelled(cancel.clone());
    let (sender, receiver) = channel();
    let worker = thread::spawn(move || {
        sender.send(()).unwrap();
        let answer = solver.check(&arena, &[], &watched);
        let again = solver.check(&arena, &[], &watched);
        (answer, again, solver.process_id(), solver)
    });
    receiver.recv().unwrap();
    thread::sleep(Duration::from_millis(200));
    cancel.cancel();
    let (answer, again, id, solver) = worker.join().unwrap();
    assert_eq!(answer, Err(UnknownReason::Cancelled));
    assert!(matches!(again, Err(UnknownReason::Failed(_))), "{again:?}");
    assert!(!is_running(id));
    drop(solver);
}

#[test]
fn a_dropped_solver_leaves_no_process() {
    let solver = start();
    let id = solver.process_id();
    assert!(is_running(id));
    drop(solver);
    assert!(!is_running(id));
}

#[test]
fn a_timeout_leaves_the_solver_usable_or_ended_but_never_wrong() {
    let mut arena = Arena::new();
    let formula = hard(&mut arena);
    let mut solver = start();
    solver.push().unwrap();
    solver.assert(&arena, formula).unwrap();
    let short = Budget::until_cancelled(Cancel::new()).at_most(Duration::from_millis(300));
    let answer = solver.check(&arena, &[], &short);
    assert!(matches!(answer, Err(UnknownReason::Timeout) | Ok(Answer::Unknown(_))), "{answer:?}");
    // If it still answers after that, the answer must be right.
    if solver.pop().is_ok() {
        let p = arena.fresh_bool("p");
        solver.assert(&arena, p).unwrap();
        let refuted = arena.not(p);
        match solver.check(&arena, &[refuted], &budget()) {
            Ok(answer) => assert_eq!(answer, Answer::Unsat(vec![refuted])),
            Err(reason) => assert!(matches!(reason, UnknownReason::Failed(_)), "{reason}"),
        }
    }
}

#[test]
fn failures_of_the_process_are_reported() {
    let missing = Backend::z3("no-such-program-anywhere");
    let Err(UnknownReason::Failed(message)) = started(&missing) else {
        panic!("it cannot be started")
    };
    assert!(message.contains("luthier solvers install z3"), "{message}");

    let wrong = common::backend().with_argument("-no-such-option");
    let mut arena = Arena::new();
    let p = arena.fresh_bool("p");
    let mut solver = started(&wrong).unwrap();
    solver.assert(&arena, p).unwrap();
    let answer = solver.check(&arena, &[], &budget());
    assert!(matches!(answer, Err(UnknownReason::Failed(_))), "{answer:?}");
}

#[test]
fn values_without_a_model_and_a_pop_too_many_are_errors() {
    let mut arena = Arena::new();
    let p = arena.fresh_bool("p");
    let mut solver = start();
    assert!(solver.values(&arena, &[p]).is_err());
    assert!(solver.pop().is_err());
    solver.assert(&arena, p).unwrap();
    assert_eq!(solver.check(&arena, &[], &budget()).unwrap(), Answer::Sat);
    assert_eq!(solver.values(&arena, &[p]).unwrap(), [Value::Bool(true)]);
}

/// Whether a process exists and has not exited.
fn is_running(id: u32) -> bool {
    match std::fs::read_to_string(format!("/proc/{id}/stat")) {
        Ok(stat) => !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with('Z'),
        Err(_) => false,
    }
}
