//! Models as solvers print them, checked by the referee.

use luthier_judge::{
    CheckOptions, CheckOutcome, FailingAssertion, JUDGING_TIME, ModelCheck, NoSuchQuery,
    check_model, judging_limits, limits_within, render_explanation, render_value,
};
use luthier_smtlib::{Dialect, ReadOptions, read_script};
use luthier_terms::TermPool;

fn check_with(script: &str, model: &str, options: &CheckOptions<'_>) -> (TermPool, ModelCheck) {
    let mut pool = TermPool::new();
    let reading = read_script(&mut pool, script.as_bytes(), &ReadOptions::default());
    assert!(reading.is_accepted(), "{:?}", reading.diagnostics);
    let check = check_model(&mut pool, &reading.script, model.as_bytes(), options).unwrap();
    (pool, check)
}

fn check(script: &str, model: &str) -> (TermPool, ModelCheck) {
    check_with(script, model, &CheckOptions::default())
}

fn outcome(script: &str, model: &str) -> &'static str {
    check(script, model).1.outcome.name()
}

fn failing(outcome: CheckOutcome) -> Vec<FailingAssertion> {
    match outcome {
        CheckOutcome::Invalid { failing, .. } => failing,
        other => panic!("{other:?}"),
    }
}

const INDEX: &str = r#"
(declare-const x String)
(assert (> (str.len x) 1))
(assert (not (= x "")))
(assert (! (>= (str.indexof x "0" 0) 0) :named has-zero))
(check-sat)"#;

#[test]
fn a_model_that_makes_every_assertion_true_is_valid() {
    let (_, check) = check(INDEX, r#"sat (model (define-fun x () String "a0"))"#);
    assert!(matches!(check.outcome, CheckOutcome::Valid), "{:?}", check.outcome);
    assert_eq!(check.checked, 3);
    assert_eq!(outcome(INDEX, r#"((x "10"))"#), "valid");
    assert_eq!(outcome("(assert true)(check-sat)", "()"), "valid");
}

#[test]
fn a_false_assertion_is_named_with_the_reason() {
    let (mut pool, check) = check(INDEX, r#"((define-fun x () String "aa"))"#);
    let failing = failing(check.outcome);
    assert_eq!(failing.len(), 1);
    assert_eq!(failing[0].number, Some(3));
    let name = pool.symbols().display(failing[0].name.unwrap()).into_owned();
    assert_eq!(name, "has-zero");
    let trace = render_explanation(&mut pool, &failing[0].explanation);
    let expected = [
        r#"(>= (str.indexof x "0" 0) 0) = false"#,
        r#"  (str.indexof x "0" 0) = -1"#,
        r#"    x = "aa""#,
    ];
    assert_eq!(trace, expected);
}

#[test]
fn a_value_that_is_missing_makes_a_model_incomplete_only_where_it_matters() {
    let script = r#"(declare-const x String)(declare-const y Int)(declare-const b Bool)
        (assert (or b (= (str.len x) y)))(check-sat)"#;
    assert_eq!(outcome(script, "((b true))"), "valid");
    let (pool, check) = check(script, r#"((b false) (x "ab"))"#);
    let CheckOutcome::Incomplete { missing, default_completion, .. } = check.outcome else {
        panic!("{:?}", check.outcome);
    };
    let names: Vec<_> = missing.iter().map(|&function| pool.function_name(function)).collect();
    assert_eq!(names, ["y"]);
    assert_eq!(default_completion, Some(false));
    let (_, check) = self::check(script, "((b false))");
    assert!(matches!(
        check.outcome,
        CheckOutcome::Incomplete { default_completion: Some(true), .. }
    ));
}

#[test]
fn division_by_zero_is_what_the_model_says_or_left_open() {
    let script = "(declare-const n Int)(assert (= (div n 0) 5))(check-sat)";
    let z3 = "((define-fun n () Int 7) (define-fun div0 ((x!0 Int) (x!1 Int)) Int \
              (ite (and (= x!0 7) (= x!1 0)) 5 6)))";
    assert_eq!(outcome(script, z3), "valid");
    assert_eq!(outcome(script, &z3.replace(" 5 6", " 6 5")), "invalid");
    let (_, check) = check(script, "((n 7))");
    let CheckOutcome::Incomplete { missing, by_zero, default_completion } = check.outcome else {
        panic!("{:?}", check.outcome);
    };
    assert!(missing.is_empty() && by_zero.len() == 1);
    assert_eq!(default_completion, Some(false));
}

#[test]
fn functions_may_be_tables_lambdas_and_arrays() {
    let script = "(declare-fun f (Int) Int)(assert (= (f 1) 2))(assert (= (f 2) 5))(check-sat)";
    for model in [
        "(model (define-fun f ((x!0 Int)) Int (ite (= x!0 2) 5 2)))",
        "((f (lambda ((y Int)) (ite (= y 1) 2 5))))",
        "((f (store ((as const (Array Int Int)) 2) 2 5)))",
        "((define-fun f ((x!0 Int)) Int (k!1 x!0)) (define-fun k!1 ((x!0 Int)) Int (+ 2 \
         (* 3 (- x!0 1)))))",
    ] {
        assert_eq!(outcome(script, model), "valid", "{model}");
    }
    let script = "(declare-const a (Array Int Int))(assert (= (select a 3) 4))(check-sat)";
    for model in [
        "((a (store ((as const (Array Int Int)) 0) 3 4)))",
        "(model (define-fun a () (Array Int Int) (_ as-array k!0)) \
         (define-fun k!0 ((x!0 Int)) Int (ite (= x!0 3) 4 9)))",
        "((define-fun a () (Array Int Int) (lambda ((i Int)) (ite (= i 3) 4 0))))",
    ] {
        assert_eq!(outcome(script, model), "valid", "{model}");
    }
}

#[test]
fn values_at_single_points_count_in_the_default_completion() {
    let script = "(declare-fun f (Int) Int)(assert (= (f 2) 5))(assert (= (f 7) 2))(check-sat)";
    let (_, check) = check(script, "(((f 2) 5) ((f 7) 2))");
    assert!(matches!(
        check.outcome,
        CheckOutcome::Incomplete { default_completion: Some(true), .. }
    ));
    let (_, check) = self::check(script, "(((f 2) 5))");
    assert!(matches!(
        check.outcome,
        CheckOutcome::Incomplete { default_completion: Some(false), .. }
    ));
}

#[test]
fn languages_may_be_values() {
    let script = r#"(declare-const r RegLan)(assert (str.in_re "ab" r))
        (assert (not (str.in_re "b" r)))(check-sat)"#;
    assert_eq!(outcome(script, r#"((r (re.++ (str.to_re "a") re.all)))"#), "valid");
    assert_eq!(outcome(script, "((r re.all))"), "invalid");
}

#[test]
fn a_wrong_value_of_a_term_is_a_fault() {
    let (mut pool, check) = check(INDEX, r#"((x "a0") ((str.len x) 3))"#);
    let CheckOutcome::Invalid { failing, wrong_values } = check.outcome else {
        panic!("{:?}", check.outcome);
    };
    assert!(failing.is_empty());
    assert_eq!(wrong_values.len(), 1);
    assert_eq!(render_value(&mut pool, &wrong_values[0].actual), "2");
}

#[test]
fn where_the_dialect_of_the_model_decides_nothing_is_claimed() {
    let script = r#"(declare-const x String)(assert (= (str.len x) 1))(check-sat)"#;
    let model = r#"((x "\x41"))"#;
    assert_eq!(outcome(script, model), "unsupported");
    let judged = |dialect| {
        let options = CheckOptions { dialect: Some(dialect), ..CheckOptions::default() };
        check_with(script, model, &options).1.outcome.name()
    };
    assert_eq!(judged(Dialect::Z3Legacy), "valid");
    assert_eq!(judged(Dialect::Smt27), "invalid");
    // Both readings satisfy this one.
    let script = r#"(declare-const x String)(assert (> (str.len x) 0))(check-sat)"#;
    assert_eq!(outcome(script, model), "valid");
}

#[test]
fn a_model_that_cannot_be_checked_is_unsupported_with_a_reason() {
    let quantified = "(declare-const n Int)(assert (forall ((m Int)) (> (* m m) n)))(check-sat)";
    for (script, model, expected) in [
        (quantified, "((n (- 1)))", "ranges over infinitely many values"),
        (INDEX, "", "there is no model"),
        (INDEX, "unsat", "there is no model"),
        (INDEX, "unsat (error \"model is not available\")", "model is not available"),
        (INDEX, "((x 5))", "other sorts"),
        (INDEX, "((y 5))", "`y` is not declared"),
        (INDEX, "((x \"a0\"", "the text ends here"),
    ] {
        let (_, check) = check(script, model);
        let CheckOutcome::Unsupported { reason } = check.outcome else {
            panic!("{model}: {:?}", check.outcome);
        };
        assert!(reason.contains(expected), "{model}: {reason}");
    }
}

#[test]
fn the_query_can_be_chosen_and_assumptions_count() {
    let script = r#"(declare-const x String)
        (push 1)(assert (= x "a"))(check-sat)(pop 1)
        (assert (= x "b"))(check-sat-assuming ((str.prefixof "b" x) (= (str.len x) 2)))"#;
    let query = |number| {
        let options = CheckOptions { query: Some(number), ..CheckOptions::default() };
        check_with(script, r#"((x "b"))"#, &options).1
    };
    assert_eq!(query(1).outcome.name(), "invalid");
    let second = failing(query(2).outcome);
    assert_eq!(second.len(), 1);
    assert_eq!(second[0].number, None);
    let mut pool = TermPool::new();
    let reading = read_script(&mut pool, script.as_bytes(), &ReadOptions::default());
    let options = CheckOptions { query: Some(3), ..CheckOptions::default() };
    let missing = check_model(&mut pool, &reading.script, b"()", &options);
    assert_eq!(missing.err(), Some(NoSuchQuery { queries: 2 }));
}

#[test]
fn defined_functions_are_not_for_the_model_to_change() {
    let script = "(define-fun one () Int 1)(define-fun-rec sum ((n Int)) Int \
                  (ite (<= n 0) 0 (+ n (sum (- n one)))))(declare-const k Int)\
                  (assert (= (sum k) 5050))(check-sat)";
    assert_eq!(outcome(script, "((k 100))"), "valid");
    assert_eq!(outcome(script, "((define-fun one () Int 2) (define-fun k () Int 100))"), "valid");
    assert_eq!(outcome(script, "((k 99))"), "invalid");
}

/// The referee implements the standard: it neither accepts nor refutes a model of a script that was generated
/// for another semantics.
#[test]
fn a_script_with_another_meaning_is_not_judged_by_the_standard() {
    let script = r#"(set-info :luthier-expected sat)
(set-info :luthier-semantics "replace=empty-pattern-unchanged")
(declare-const res String)
(assert (= (str.replace "a" "" "b") res))
(check-sat)"#;
    let standard = script.replace(":luthier-semantics", ":notes");
    let by_standard = r#"((define-fun res () String "ba"))"#;
    let by_variant = r#"((define-fun res () String "a"))"#;
    assert_eq!(
        [by_standard, by_variant].map(|model| outcome(&standard, model)),
        ["valid", "invalid"]
    );
    for model in [by_standard, by_variant, "no model at all"] {
        let (_, check) = check(script, model);
        let CheckOutcome::Unsupported { reason } = check.outcome else {
            panic!("{model}: {check:?}")
        };
        assert!(reason.contains("(replace=empty-pattern-unchanged)"), "{reason}");
    }
    // A reset forgets assertions, but what the words of a file mean does not change within it.
    let reset = script.replace("(declare-const", "(reset)\n(declare-const");
    assert_eq!(outcome(&reset, by_variant), "unsupported");
}

const TWO: &str = "(declare-const x String)(assert (= (str.len x) 2))(check-sat)";

#[test]
fn a_model_that_contradicts_itself_is_malformed_and_one_that_repeats_itself_is_accepted() {
    for model in [
        r#"((define-fun x () String "abc") (define-fun x () String "ab"))"#,
        r#"((define-fun x () String "ab") (define-fun x () String "abc"))"#,
        r#"((x "abc") (x "ab"))"#,
        r#"(model (define-fun x () String "ab")) ((x "abc"))"#,
    ] {
        let (_, check) = check(TWO, model);
        let CheckOutcome::Unsupported { reason } = check.outcome else {
            panic!("{model}: {check:?}")
        };
        let first = reason.lines().nth(1).unwrap();
        assert!(first.contains("contradiction"), "{reason}");
        assert!(first.contains("`x`") && first.contains("\"ab\""), "{reason}");
        assert!(first.contains("\"abc\""), "{reason}");
    }
    let twice = r#"((define-fun x () String "ab") (define-fun x () String "ab"))"#;
    let (mut pool, check) = check(TWO, twice);
    assert_eq!(check.outcome.name(), "valid");
    assert_eq!(check.remarks, ["the model gives `x` the value \"ab\" twice"]);
    let finding = luthier_judge::model_finding(&mut pool, &check, None);
    assert_eq!(finding.detail.as_deref(), Some("the model gives `x` the value \"ab\" twice"));
    // After another verdict comes another model, and the last one counts.
    let later = r#"sat ((x "abc")) sat ((x "ab"))"#;
    assert_eq!(outcome(TWO, later), "valid");
}

#[test]
fn a_model_that_is_too_large_exceeds_the_limits() {
    let script = "(declare-const n Int)(assert (> (* n n) 0))(check-sat)";
    let exceeded = |script: &str, model: &str, limits: luthier_semantics::Limits| {
        let options = CheckOptions { limits, ..CheckOptions::default() };
        match check_with(script, model, &options).1.outcome {
            CheckOutcome::Exceeded { reason } => reason,
            other => panic!("{other:?}"),
        }
    };
    let number = |digits: usize| format!("((define-fun n () Int {}))", "7".repeat(digits));
    assert_eq!(outcome(script, &number(10_000)), "valid");
    let reason = exceeded(script, &number(6_000_000), judging_limits());
    assert!(reason.starts_with("the model has an integer of 6000000 digits"), "{reason}");
    // The number itself is allowed, its square is not.
    let limits = luthier_semantics::Limits { integer_bits: 40_000, ..judging_limits() };
    let reason = exceeded(script, &number(10_000), limits);
    assert!(reason.contains("(* n n) is too large"), "{reason}");
    let text = format!("((define-fun n () Int 1)){}", " ".repeat(1000));
    let limits = luthier_semantics::Limits { memory: 16_000, ..judging_limits() };
    let reason = exceeded(script, &text, limits);
    assert!(reason.starts_with("the model has a text of"), "{reason}");
}

#[test]
fn judging_ends_in_time() {
    // Every assertion alone keeps within the steps, and there are many of them.
    let mut script = "(declare-const x String)".to_owned();
    for number in 0..1000 {
        script.push_str(&format!(
            "(assert (not (= {number} (str.len (str.replace_all (str.++ x \"{number}\") \"a\" \"bbbb\")))))"
        ));
    }
    script.push_str("(check-sat)");
    let model = format!("((define-fun x () String \"{}\"))", "ab".repeat(200_000));
    let time = std::time::Duration::from_millis(300);
    let limits = luthier_semantics::Limits { cpu_time: Some(time), ..judging_limits() };
    let options = CheckOptions { limits, ..CheckOptions::default() };
    let (_, check) = check_with(&script, &model, &options);
    let CheckOutcome::Exceeded { reason } = check.outcome else { panic!("{:?}", check.outcome) };
    assert_eq!(reason, "the evaluation takes too much time");
}

#[test]
fn more_time_and_memory_raise_every_limit() {
    let default = judging_limits();
    let hour = std::time::Duration::from_secs(3600);
    let more = limits_within(hour, default.memory * 4);
    assert!(more.steps > default.steps && more.regex_steps > default.regex_steps);
    assert!(more.comparison_steps > default.comparison_steps);
    assert!(more.string_length > default.string_length);
    assert!(more.integer_bits > default.integer_bits && more.regex_cells > default.regex_cells);
    assert_eq!(limits_within(JUDGING_TIME, default.memory), default);
    let less = limits_within(std::time::Duration::from_millis(1), 1000);
    assert_eq!((less.steps, less.memory), (default.steps, 1000));
}
