//! Scripts for second opinions on models.

use luthier_judge::{CheckOptions, NoSecondOpinion, check_model, script_with_model};
use luthier_smtlib::{Dialect, PrintOptions, ReadOptions, Script, print_script, read_script};
use luthier_terms::TermPool;

fn read(text: &str) -> (TermPool, Script) {
    let mut pool = TermPool::new();
    let reading = read_script(&mut pool, text.as_bytes(), &ReadOptions::default());
    assert!(reading.is_accepted(), "{text}\n{:?}", reading.diagnostics);
    (pool, reading.script)
}

fn opinion(
    text: &str,
    query: usize,
    model: &str,
    dialect: Dialect,
) -> Result<String, NoSecondOpinion> {
    let (mut pool, script) = read(text);
    let made = script_with_model(&mut pool, &script, query, model.as_bytes(), dialect)?;
    let printed = print_script(&pool, &made, &PrintOptions::new(Dialect::Smt26)).unwrap();
    let text = String::from_utf8(printed.bytes).unwrap();
    // Whoever is asked must be able to read it.
    let (_, again) = read(&text);
    assert_eq!(again.queries().count(), 1);
    Ok(text.strip_prefix("(set-info :smt-lib-version 2.6)\n").unwrap().to_owned())
}

#[track_caller]
fn check(text: &str, model: &str, expected: &[&str]) {
    let made = opinion(text, 0, model, Dialect::Smt27).unwrap();
    assert_eq!(made.lines().collect::<Vec<_>>(), expected);
}

#[track_caller]
fn refused(text: &str, model: &str, reason: &str) {
    let error = opinion(text, 0, model, Dialect::Smt27).unwrap_err();
    assert!(error.to_string().contains(reason), "{error}");
}

#[test]
fn constants_get_an_equation_each() {
    check(
        "(set-logic QF_SLIA)(declare-const x String)(declare-fun n () Int)
        (assert (! (= (str.len x) n) :named a))(check-sat)(get-model)",
        r#"((define-fun n () Int (- 2)) (define-fun x () String "a\u{62}"))"#,
        &[
            "(set-logic QF_SLIA)",
            "(declare-const x String)",
            "(declare-fun n () Int)",
            "(assert (! (= (str.len x) n) :named a))",
            "(assert (= x \"ab\"))",
            "(assert (= n (- 2)))",
            "(check-sat)",
        ],
    );
}

#[test]
fn escapes_are_read_as_the_solver_writes_them() {
    let text = "(declare-const x String)(assert (= (str.len x) 1))(check-sat)";
    let model = r#"((x "\x41"))"#;
    let standard = opinion(text, 0, model, Dialect::Smt27).unwrap();
    assert!(standard.contains(r#"(assert (= x "\u{5c}x41"))"#), "{standard}");
    let legacy = opinion(text, 0, model, Dialect::Z3Legacy).unwrap();
    assert!(legacy.contains(r#"(assert (= x "A"))"#), "{legacy}");
}

#[test]
fn functions_are_defined_instead_of_declared_with_the_helpers_that_they_use() {
    check(
        "(declare-fun f (Int) Int)(define-fun g ((n Int)) Int (+ (f n) 1))(declare-const c Int)
        (assert (= (g c) 3))(check-sat)",
        "((define-fun c () Int 1) (define-fun f ((x!0 Int)) Int (k!9 x!0))
        (define-fun unused ((x!0 Int)) Int 4)
        (define-fun k!9 ((x!0 Int)) Int (ite (= x!0 1) 2 0)))",
        &[
            "(define-fun k!9 ((x!0 Int)) Int (ite (= x!0 1) 2 0))",
            "(define-fun f ((x!0 Int)) Int (k!9 x!0))",
            "(define-fun g ((n Int)) Int (+ (f n) 1))",
            "(declare-const c Int)",
            "(assert (= (g c) 3))",
            "(assert (= c 1))",
            "(check-sat)",
        ],
    );
}

#[test]
fn languages_are_defined_since_few_solvers_compare_them() {
    check(
        "(declare-const x String)(declare-const r RegLan)(assert (str.in_re x r))(check-sat)",
        "((define-fun r () RegLan re.all) (define-fun x () String \"a\"))",
        &[
            "(define-fun r () RegLan re.all)",
            "(declare-const x String)",
            "(assert (str.in_re x r))",
            "(assert (= x \"a\"))",
            "(check-sat)",
        ],
    );
}

#[test]
fn values_of_terms_are_put_in_and_missing_values_stay_open() {
    check(
        "(declare-const x Int)(declare-const y Int)(assert (> (+ x y) 0))(check-sat)",
        "((x 1) ((+ x y) 3))",
        &[
            "(declare-const x Int)",
            "(declare-const y Int)",
            "(assert (> (+ x y) 0))",
            "(assert (= x 1))",
            "(assert (= (+ x y) 3))",
            "(check-sat)",
        ],
    );
}

#[test]
fn definitions_and_names_of_the_script_are_kept() {
    check(
        "(declare-const x Int)(define-fun d () Int 4)(assert (! (> x d) :named big))(check-sat)",
        "((define-fun x () Int 5) (define-fun d () Int 7) (define-fun big () Bool false))",
        &[
            "(declare-const x Int)",
            "(define-fun d () Int 4)",
            "(assert (! (> x d) :named big))",
            "(assert (= x 5))",
            "(check-sat)",
        ],
    );
}

#[test]
fn the_model_is_read_with_the_names_that_hold_at_its_query() {
    let text = "(push 1)(declare-const x Int)(assert (> x 0))(check-sat)(pop 1)
        (declare-const x String)(assert (= x \"\"))(check-sat-assuming (true))";
    let first = opinion(text, 0, "((x 3))", Dialect::Smt27).unwrap();
    assert!(first.contains("(assert (= x 3))"), "{first}");
    let second = opinion(text, 1, "((x \"a\"))", Dialect::Smt27).unwrap();
    assert!(second.contains("(assert true)\n(assert (= x \"a\"))"), "{second}");
    assert!(matches!(
        opinion(text, 2, "((x 3))", Dialect::Smt27),
        Err(NoSecondOpinion::NoSuchQuery(missing)) if missing.queries == 2
    ));
}

#[test]
fn a_model_that_cannot_be_expressed_is_refused_with_a_reason() {
    let text = "(declare-const x Int)(declare-fun f (Int) Int)(assert (= (f x) (div x 0)))
        (check-sat)";
    refused(text, "((define-fun div0 ((n Int)) Int 5))", "dividing by zero");
    refused(text, "unknown", "no model in the text");
    refused(text, "((x \"a\"))", "could not be read");
    refused(
        text,
        "((define-fun f ((n Int)) Int (+ n x)) (define-fun x () Int 1))",
        "depends on `x`",
    );
    refused(
        text,
        "((define-fun f ((n Int)) Int (h n)) (define-fun h ((n Int)) Int (f n)))",
        "itself",
    );
}

#[test]
fn the_referee_finds_in_the_new_script_what_it_found_about_the_model() {
    let text = "(declare-const x String)(declare-const n Int)
        (assert (= (str.to_int x) n))(assert (> n 5))(check-sat)";
    for model in ["((x \"7\") (n 7))", "((x \"7\") (n 8))", "((x \"3\") (n 3))"] {
        let (mut pool, script) = read(text);
        let options = CheckOptions::default();
        let judged = check_model(&mut pool, &script, model.as_bytes(), &options).unwrap();
        let made =
            script_with_model(&mut pool, &script, 0, model.as_bytes(), Dialect::Smt27).unwrap();
        let again = check_model(&mut pool, &made, model.as_bytes(), &options).unwrap();
        assert_eq!(judged.outcome.name(), again.outcome.name());
        assert_eq!(again.checked, judged.checked + 2);
    }
}
