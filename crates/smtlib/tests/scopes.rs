//! What `push`, `pop`, the resets and `:global-declarations` do to names.

use crate::support;

use luthier_smtlib::{Code, Dialect};
use luthier_terms::TermPool;
use support::read;

/// The names that a model must give a meaning at the end of a script.
fn declared(text: &str) -> Vec<String> {
    let mut pool = TermPool::new();
    let reading = read(&mut pool, text.as_bytes(), Dialect::Smt26);
    let errors: Vec<_> = reading.errors().collect();
    assert!(errors.is_empty(), "{text}: {errors:#?}");
    let functions = reading.script.declared(&pool);
    functions.iter().map(|&function| pool.function_name(function).into_owned()).collect()
}

#[track_caller]
fn check_refused(text: &str, code: Code) {
    let reading = read(&mut TermPool::new(), text.as_bytes(), Dialect::Smt26);
    let codes: Vec<Code> = reading.errors().map(|error| error.code).collect();
    assert_eq!(codes, [code], "{text}");
}

#[test]
fn declarations_end_with_their_level() {
    assert_eq!(declared("(declare-const x Int)(push 1)(declare-const y Int)"), ["x", "y"]);
    assert_eq!(declared("(declare-const x Int)(push 1)(declare-const y Int)(pop 1)"), ["x"]);
    let text =
        "(push 1)(declare-const x Int)(push 2)(declare-const y Int)(pop 2)(declare-const z Int)";
    assert_eq!(declared(text), ["x", "z"]);
    assert_eq!(declared("(declare-const x Int)(declare-fun x () Int)"), ["x"]);
    check_refused("(push 1)(declare-const x Int)(pop 1)(assert (= x 1))", Code::UnknownSymbol);
}

#[test]
fn resets_end_levels() {
    let text =
        "(declare-const x Int)(push 1)(declare-const y Int)(reset-assertions)(assert (= x 1))";
    assert_eq!(declared(text), ["x"]);
    let text = "(declare-const x Int)(push 1)(reset)(declare-const y Int)";
    assert_eq!(declared(text), ["y"]);
    check_refused("(push 1)(reset-assertions)(pop 1)", Code::PopWithoutPush);
}

#[test]
fn global_declarations_stay() {
    let global = "(set-option :global-declarations true)";
    let text = format!("{global}(push 1)(declare-const x Int)(define-sort S () Int)(pop 1)");
    assert_eq!(declared(&format!("{text}(declare-const y S)(assert (= x y))")), ["x", "y"]);
    let off = "(set-option :global-declarations false)(push 1)(declare-const x Int)(pop 1)";
    assert_eq!(declared(off), [""; 0]);
}

#[test]
fn abbreviations_of_sorts_end_with_their_level() {
    let text = "(push 1)(define-sort S () Int)(declare-const x S)(pop 1)(define-sort S () Bool)
        (declare-const y S)(assert y)";
    assert_eq!(declared(text), ["y"]);
    check_refused("(push 1)(define-sort S () Int)(pop 1)(declare-const x S)", Code::UnknownSort);
}

#[test]
fn nothing_is_read_after_exit() {
    let reading = read(&mut TermPool::new(), b"(check-sat)(exit)(assert oops) ) (", Dialect::Smt26);
    assert!(reading.is_accepted());
    assert_eq!(reading.script.commands.len(), 2);
    assert_eq!(reading.diagnostics.len(), 1);
}

#[test]
fn a_declaration_that_failed_is_not_missed() {
    for declaration in [
        "(declare-const x Foo)",
        "(declare-fun x (Int Int)",
        "(define-fun x ((a Int)) Int (+ a",
        "(define-fun x ((a Int)) Int (+ a b))",
        "(define-fun x ((a Int)) Int true)",
        "(define-fun-rec x ((a Foo)) Int a)",
        "(define-fun-rec x ((a Int)) Int b)",
        "(declare-const x)",
        "(assert (! (= 1 \"\") :named x))",
    ] {
        let text = format!("{declaration}\n(assert (= (x 1) x))\n(get-value (x))\n");
        let reading = read(&mut TermPool::new(), text.as_bytes(), Dialect::Smt26);
        let mut errors = reading.errors();
        let (first, second) = (errors.next(), errors.next());
        let line = text.find('\n').unwrap() as u32;
        assert!(first.is_some(), "{text}");
        // A wrong body leaves the signature usable, so only its wrong use may be reported.
        let again = second.filter(|error| error.code != Code::Arity && error.span.start > line + 2);
        assert!(again.is_none(), "{text}: {again:?}");
    }
}
