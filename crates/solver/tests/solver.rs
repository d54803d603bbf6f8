//! The solver for programs: one call from text or terms, and sessions with values.

use luthier_solver::{Answer, Settings, Solver, solve_terms, solve_text};
use luthier_terms::{Op, Sort, TermPool};

fn solver() -> Solver {
    Solver::new(Settings::default())
}

#[test]
fn a_script_is_answered_in_one_call() {
    let script = "(declare-const x String) (assert (= x \"a\")) (check-sat) \
                  (assert (= x \"b\")) (check-sat) (exit) (check-sat)";
    let answers = solve_text(script, &Settings::default()).unwrap();
    let [Answer::Sat(values), Answer::Unsat] = &answers[..] else { panic!("{answers:?}") };
    assert_eq!(values.value("x"), Some("\"a\""));
    for wrong in ["(assert x)", "(check-sat", "(get-model)", "(get-proof)"] {
        assert!(solve_text(wrong, &Settings::default()).is_err(), "{wrong}");
    }
}

#[test]
fn terms_are_answered_in_one_call() {
    let mut pool = TermPool::new();
    let name = pool.symbols_mut().intern(b"n").unwrap();
    let function = pool.declare(name, vec![], Sort::Int).unwrap();
    let n = pool.apply(function, &[]).unwrap();
    let seven = pool.integer(7).unwrap();
    let equal = pool.op(Op::Eq, &[n, seven]).unwrap();
    let different = pool.op(Op::Not, &[equal]).unwrap();
    let settings = Settings::default();
    let answer = solve_terms(pool.clone(), &[equal], &settings).unwrap();
    let Answer::Sat(values) = answer else { panic!("{answer:?}") };
    assert!(values.model().get(function).is_some());
    let answer = solve_terms(pool, &[equal, different], &settings).unwrap();
    assert!(matches!(answer, Answer::Unsat), "{answer:?}");
}

#[test]
fn levels_names_and_cores_are_those_of_a_session() {
    let mut solver = solver();
    solver.run("(declare-const x String) (assert (! (= x \"a\") :named one))").unwrap();
    solver.push();
    solver.run("(declare-const y String) (assert (! (= x \"b\") :named two))").unwrap();
    assert!(matches!(solver.check().unwrap(), Answer::Unsat));
    assert_eq!(solver.core().unwrap(), ["one", "two"]);
    solver.pop();
    assert!(matches!(solver.check().unwrap(), Answer::Sat(_)));
    assert!(solver.formula("(= y \"\")").is_err(), "y ended with its level");
    let assumption = solver.formula("(= x \"c\")").unwrap();
    assert!(matches!(solver.check_assuming(&[assumption]).unwrap(), Answer::Unsat));
    assert_eq!(solver.core_of_assumptions().unwrap(), [assumption]);
    assert_eq!(solver.run("(check-sat) (get-value (x))").unwrap(), "sat\n((x \"a\"))\n");
}

#[test]
fn what_is_wrong_with_a_text_does_not_reach_the_next_one() {
    let mut solver = solver();
    for wrong in ["(assert (", "(foo)", "1) (check-sat", ""] {
        assert!(solver.formula(wrong).is_err(), "{wrong}");
    }
    assert!(solver.run("(assert (= x 1)) (exit)").is_err());
    assert_eq!(solver.run("(echo \"fine\")").unwrap(), "\"fine\"\n");
}
