//! Simplification of whole problems is equisatisfiable: a planted model stays a model, and a model
//! of the simplified problem extends to one of the given problem.

use luthier_generator::random::operators;
use luthier_generator::{Dice, PlantedAnswer, Sketch, planted, tangled};
use luthier_semantics::{Evaluator, Limits, Model, Value};
use luthier_smtlib::{Dialect, PrintOptions, ReadOptions, print_term, read_script};
use luthier_solver::rewrite::{Simplified, simplify};
use luthier_solver::{Budget, Cancel, Problem};
use luthier_terms::{FunctionId, Op, SmtString, Sort, TermId, TermPool};

use crate::templates;

/// How many small problems are made.
const SMALL_PROBLEMS: usize = 2500;

fn budget() -> Budget {
    Budget::until_cancelled(Cancel::new())
}

fn limits() -> Limits {
    Limits { steps: 2_000_000, ..Limits::default() }
}

fn read(text: &str) -> Problem {
    let mut pool = TermPool::new();
    let reading = read_script(&mut pool, text.as_bytes(), &ReadOptions::default());
    assert!(reading.is_accepted(), "{:?}", reading.diagnostics);
    let query = reading.script.queries().next().unwrap();
    let assertions = query.assertions.iter().map(|active| active.assertion.term).collect();
    Problem { pool: pool.into(), assertions }
}

/// The first assertion that evaluates to false; `None` if all are true or undecided.
fn refuted(problem: &Problem, pool: &TermPool, model: &Model) -> Option<usize> {
    let mut evaluator = Evaluator::with_limits(pool, model, limits());
    problem.assertions.iter().position(|&term| evaluator.evaluate(term).is_false())
}

fn planted_sketches() -> impl Iterator<Item = Sketch> {
    operators().into_iter().enumerate().flat_map(|(number, op)| {
        (0..16).filter_map(move |round| {
            let dice = Dice::new(31 + round, number as u64);
            let sketch =
                if round % 2 == 0 { planted::sketch(dice, op) } else { tangled::sketch(dice, op) };
            sketch.filter(|sketch| sketch.planted == PlantedAnswer::Witness && sketch.draft.holds())
        })
    })
}

fn problem_of(sketch: &Sketch) -> Problem {
    let assertions = sketch.draft.assertions.iter().map(|assertion| assertion.term).collect();
    Problem { pool: sketch.draft.pool.clone().into(), assertions }
}

#[test]
fn a_planted_model_stays_a_model() {
    let (mut seen, mut eliminated) = (0, 0);
    for sketch in planted_sketches() {
        let problem = problem_of(&sketch);
        let simplified = simplify(&problem, &budget());
        assert_eq!(simplified.contradiction, None, "{}", sketch.derivation);
        let model = &sketch.draft.model;
        assert_eq!(refuted(&simplified.problem, &simplified.problem.pool, model), None);
        // The definition of an eliminated constant has the planted value, unless the constant was
        // unconstrained.
        if simplified.counts.contains_key("free-of-contains") {
            continue;
        }
        for &(function, term) in &simplified.eliminated {
            let pool = &simplified.problem.pool;
            let value = Evaluator::with_limits(pool, model, limits()).evaluate(term);
            let constant = (**pool).clone().apply(function, &[]).unwrap();
            let planted = Evaluator::with_limits(pool, model, limits()).evaluate(constant);
            if let (Some(value), Some(planted)) = (value.known(), planted.known()) {
                assert_eq!(value, planted, "{}", sketch.derivation);
                eliminated += 1;
            }
        }
        seen += 1;
    }
    assert!(seen > 300 && eliminated > 20, "{seen} problems, {eliminated} constants");
}

#[test]
fn models_of_the_result_extend_to_models_of_the_problem() {
    let (mut seen, mut changed) = (0, 0);
    for sketch in planted_sketches() {
        let problem = problem_of(&sketch);
        let simplified = simplify(&problem, &budget());
        // The planted model, of which only the constants that are left are kept.
        let mut model = Model::new();
        for function in simplified.problem.declared() {
            if let Some(interpretation) = sketch.draft.model.get(function) {
                model.insert(function, interpretation.clone());
            }
        }
        model.division_by_zero = sketch.draft.model.division_by_zero.clone();
        model.modulo_by_zero = sketch.draft.model.modulo_by_zero.clone();
        let before = model.len();
        simplified.complete(&mut model);
        assert_eq!(refuted(&problem, &simplified.problem.pool, &model), None);
        changed += usize::from(model.len() > before);
        seen += 1;
    }
    assert!(seen > 300 && changed > 50, "{seen} problems, {changed} completed");
}

/// Small problems of every shape, made true by a random model: equations between terms of one
/// sort, or formulas, each asserted with the sign that it has.
#[test]
fn small_problems_made_true_are_not_refuted() {
    let mut dice = Dice::new(41, 0);
    let (mut distinguished, mut in_context) = (0, 0);
    for _ in 0..SMALL_PROBLEMS {
        let mut pool = TermPool::new();
        let mut formulas = Vec::new();
        for _ in 0..1 + dice.below(3) {
            let mut side = || {
                let template = dice.pick(templates::TEMPLATES);
                let text = templates::fill(template, &mut dice);
                templates::read(&mut pool, &text)
            };
            let (one, other) = (side(), side());
            if pool.sort(one) == pool.sort(other) {
                formulas.push(pool.op(Op::Eq, &[one, other]).unwrap());
            } else {
                formulas.extend([one, other].into_iter().filter(|&it| pool.sort(it) == Sort::Bool));
            }
        }
        let problem = Problem { pool: pool.clone().into(), assertions: formulas.clone() };
        let mut model = Model::new();
        for function in problem.declared() {
            model.insert_value(function, random_value(&mut dice, pool.function(function).result));
        }
        let mut assertions = Vec::new();
        for formula in formulas {
            let value = Evaluator::with_limits(&pool, &model, limits()).evaluate(formula);
            match value.as_bool() {
                Some(true) => assertions.push(formula),
                Some(false) => assertions.push(pool.op(Op::Not, &[formula]).unwrap()),
                None => {}
            }
        }
        let problem = Problem { pool: pool.into(), assertions };
        let simplified = simplify(&problem, &budget());
        let shown = || -> Vec<String> {
            let options = PrintOptions::new(Dialect::Smt27);
            let print = |&it: &TermId| print_term(&problem.pool, it, &options).unwrap().bytes;
            let lines = problem.assertions.iter().map(print);
            lines.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect()
        };
        assert_eq!(simplified.contradiction, None, "{:#?}\n{model:?}", shown());
        let left = refuted(&simplified.problem, &simplified.problem.pool, &model);
        assert_eq!(left, None, "{:#?}\n{model:?}", shown());
        distinguished += usize::from(simplified.counts.contains_key("case-distinction"));
        in_context += usize::from(simplified.counts.contains_key("in-context"));
    }
    assert!(distinguished > SMALL_PROBLEMS / 10, "{distinguished}");
    assert!(in_context > SMALL_PROBLEMS / 10, "{in_context}");
}

fn random_value(dice: &mut Dice, sort: Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(dice.percent(50)),
        Sort::Int => Value::Int(dice.pick(&[-1, 0, 0, 1, 1, 2, 3, 48, 97]).into()),
        _ => {
            let length = dice.pick(&[0, 0, 1, 1, 2, 2, 3, 4]);
            let codes = (0..length).map(|_| dice.pick(&[0x61, 0x61, 0x62, 0x37]));
            Value::String(SmtString::from_codes(codes).unwrap())
        }
    }
}

fn outcome(text: &str) -> Simplified {
    simplify(&read(text), &budget())
}

fn is_refuted(assertions: &str) -> bool {
    let declarations = "(declare-const x String)(declare-const y String)(declare-const z String)\
        (declare-const i Int)(declare-const n Int)(declare-const p Bool)";
    outcome(&format!("{declarations}{assertions}")).contradiction.is_some()
}

#[test]
fn contradictions_between_assertions_are_found() {
    for assertions in [
        "(assert (= x \"a\"))(assert (= (str.len x) 2))",
        "(assert (>= i 3))(assert (< i 3))",
        "(assert (= (str.len x) 0))(assert (str.contains x \"a\"))",
        "(assert (not (str.contains x y)))(assert (= x (str.replace x y z) \"a\"))\
         (assert (= y \"a\"))",
        "(assert (str.contains x y))(assert (str.contains y x))(assert (not (= x y)))",
        "(assert (= x (str.++ y \"a\")))(assert (= y (str.++ z \"b\")))(assert (= x \"ca\"))",
        "(assert p)(assert (=> p (= i 1)))(assert (= (+ i n) 3))(assert (> n 2))",
        "(assert (or (= x \"a\") (= x \"b\")))(assert (= (str.len x) 2))",
        "(assert (exists ((v String)) (and (= v x) (= v \"a\"))))(assert (= x \"b\"))",
        "(assert (not (= (ite p 1 0) 0)))(assert (not p))",
        "(assert (not (= (str.replace (str.replace \"B\" x y) \"A\" y) \
            (str.replace \"B\" x (str.replace y \"A\" y)))))",
    ] {
        assert!(is_refuted(assertions), "{assertions}");
    }
}

#[test]
fn satisfiable_neighbours_are_not_refuted() {
    for assertions in [
        "(assert (= x \"a\"))(assert (= (str.len x) 1))",
        "(assert (>= i 3))(assert (< i 4))",
        "(assert (= (str.len x) 1))(assert (str.contains x \"a\"))",
        "(assert (not (str.contains x y)))(assert (= x (str.replace x y z) \"a\"))",
        "(assert (str.contains x y))(assert (str.contains y x))(assert (= x y))",
        "(assert (= x (str.++ y \"a\")))(assert (= y (str.++ z \"b\")))(assert (= x \"cba\"))",
        "(assert (or (= x \"a\") (= x \"bb\")))(assert (= (str.len x) 2))",
        "(assert (exists ((v String)) (and (= v x) (= v \"a\"))))(assert (= y \"b\"))",
        "(assert (forall ((v String)) (=> (= v x) (= v \"a\"))))",
    ] {
        assert!(!is_refuted(assertions), "{assertions}");
    }
}

#[test]
fn eliminated_constants_get_values() {
    let problem = read(
        "(declare-const x String)(declare-const y String)(declare-const n Int)\
         (declare-const unused Bool)\
         (assert (= x (str.++ y \"a\")))(assert (= n (str.len x)))(assert (or unused true))",
    );
    let simplified = simplify(&problem, &budget());
    assert!(simplified.problem.assertions.is_empty());
    let mut model = Model::new();
    simplified.complete(&mut model);
    assert_eq!(model.len(), 4);
    let mut evaluator = Evaluator::new(&simplified.problem.pool, &model);
    assert!(problem.assertions.iter().all(|&term| evaluator.evaluate(term).is_true()));
}

#[test]
fn an_existing_value_is_kept_where_it_is_free() {
    let problem =
        read("(declare-const x String)(declare-const y String)(assert (= x (str.++ y \"a\")))");
    let simplified = simplify(&problem, &budget());
    let find = |name: &[u8]| -> FunctionId {
        let pool = &simplified.problem.pool;
        let mut declared = problem.declared().into_iter();
        declared.find(|&id| pool.symbols().bytes_of(pool.function(id).name) == name).unwrap()
    };
    let mut model = Model::new();
    model.insert_value(find(b"y"), Value::String(SmtString::from_text("b").unwrap()));
    simplified.complete(&mut model);
    let mut evaluator = Evaluator::new(&simplified.problem.pool, &model);
    assert!(evaluator.evaluate(problem.assertions[0]).is_true());
}

#[test]
fn functions_are_inlined_without_capture() {
    // f(y) is: some other y is above it. Inlined by name alone it would be false.
    let simplified = outcome(
        "(define-fun f ((x Int)) Bool (exists ((y Int)) (> y x)))\
         (assert (not (forall ((y Int)) (f y))))(assert (exists ((y Int)) (f y)))",
    );
    assert_eq!(simplified.contradiction, None);
    let simplified = outcome(
        "(define-fun f ((x Int)) Int (+ x 1))(declare-const i Int)(assert (= (f (f i)) (+ i 1)))",
    );
    assert!(simplified.contradiction.is_some());
}

#[test]
fn ten_thousand_levels_are_no_problem() {
    let levels = 10_000;
    let mut text = "(declare-const p Bool)(declare-const x String)(assert ".to_owned();
    text.push_str(&"(and (not (= x \"a\")) ".repeat(levels));
    text.push_str("(= x \"a\")");
    text.push_str(&")".repeat(levels + 1));
    assert!(outcome(&text).contradiction.is_some());
}

const STRINGS: &str = "(declare-const x String)(declare-const y String)(declare-const z String)";

fn simplified(assertions: &str) -> (Problem, Simplified) {
    let problem = read(&format!("(set-logic ALL){STRINGS}{assertions}(check-sat)"));
    let simplified = simplify(&problem, &budget());
    (problem, simplified)
}

#[test]
fn powers_of_one_word_are_known_by_their_lengths() {
    let powers = "(assert (str.in_re x (re.* (str.to_re \"ab\"))))
        (assert (str.in_re y (re.+ (str.to_re \"abab\"))))";
    for contradictory in [
        "(assert (not (str.contains (str.++ x y y) (str.++ y x))))",
        "(assert (not (= (str.++ x y \"ab\") (str.++ \"ab\" y x))))",
        "(assert (= (str.len x) (str.len y)))
         (assert (not (str.contains (str.++ x \"#\" y) (str.++ y \"#\" x))))",
        "(assert (= (str.len y) 5))",
        "(assert (= (str.len x) 6)) (assert (not (= (str.at x 3) \"b\")))",
    ] {
        let (_, simplified) = simplified(&format!("{powers}{contradictory}"));
        assert!(simplified.contradiction.is_some(), "{contradictory}");
    }
    // Here there are models: a longer needle, and powers of different words.
    for possible in [
        "(assert (not (str.contains (str.++ x y) (str.++ y y y))))",
        "(assert (not (str.contains (str.++ x y \"b\") (str.++ y x))))",
        "(assert (= (str.len y) 8)) (assert (= (str.len x) (str.len z))) (assert (not (= x z)))",
        "(assert (str.in_re z (re.* (str.to_re \"ba\"))))
         (assert (not (= (str.++ z y) (str.++ y z))))",
    ] {
        let (_, simplified) = simplified(&format!("{powers}{possible}"));
        assert_eq!(simplified.contradiction, None, "{possible}");
    }
}

#[test]
fn an_unconstrained_constant_of_a_not_contains_is_eliminated() {
    for (assertions, left) in [
        ("(assert (not (str.contains (str.++ y \"b\" z) x)))", 0),
        ("(assert (not (str.contains x (str.++ y z))))", 1),
        ("(assert (not (str.contains x y)))(assert (not (str.contains z y)))", 2),
    ] {
        let (problem, simplified) = simplified(assertions);
        assert_eq!(simplified.contradiction, None, "{assertions}");
        assert!(simplified.problem.assertions.len() <= left, "{assertions}");
        assert!(simplified.counts.contains_key("free-of-contains"), "{assertions}");
        // Any model of the simplified problem: here one without empty strings.
        let mut model = Model::new();
        for function in simplified.problem.declared() {
            let text = SmtString::from_text("c").unwrap();
            model.insert_value(function, Value::String(text));
        }
        simplified.complete(&mut model);
        let mut evaluator = Evaluator::new(&simplified.problem.pool, &model);
        for &assertion in &problem.assertions {
            assert!(evaluator.evaluate(assertion).is_true(), "{assertions}");
        }
    }
    for kept in [
        "(assert (not (str.contains (str.++ y x) (str.++ x z))))",
        "(assert (not (str.contains y x)))(assert (or (= z \"a\") (str.contains y x)))
         (assert (= (str.len x) 2))(assert (= (str.len y) 9))",
    ] {
        let (_, simplified) = simplified(kept);
        let pool = &simplified.problem.pool;
        let mut names = simplified.eliminated.iter().map(|&(one, _)| pool.function_name(one));
        assert!(names.all(|name| name == "z"), "{kept}");
    }
}
