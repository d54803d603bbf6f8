//! Unsatisfiable cores: checked against the script and the planted core, and settled by other
//! solvers.

use luthier_judge::{NoSuchQuery, core_script, examine_core, name_assertions, settle_core};
use luthier_records::{Class, CoreFinding, CoreOutcome, Text};
use luthier_smtlib::{Dialect, PrintOptions, ReadOptions, Script, print_script, read_script};
use luthier_terms::TermPool;

const SCRIPT: &str = "(set-logic QF_S)
(set-info :status unsat)
(set-option :produce-unsat-cores true)
(declare-const x Int)
(define-fun twice ((n Int)) Int (* 2 n))
(assert (! (> x 0) :named a))
(assert (! (< (twice x) 0) :named |b c|))
(assert (! (= x 5) :named d))
(assert (distinct x 7))
(check-sat)
(get-unsat-core)";

fn read(text: &str) -> (TermPool, Script) {
    let mut pool = TermPool::new();
    let reading = read_script(&mut pool, text.as_bytes(), &ReadOptions::default());
    assert!(reading.is_accepted(), "{:?}", reading.diagnostics);
    (pool, reading.script)
}

fn texts(names: &[&str]) -> Vec<Text> {
    names.iter().map(|&name| Text::from(name)).collect()
}

fn examine(names: &[&str], planted: Option<&[&str]>) -> CoreFinding {
    let (pool, script) = read(SCRIPT);
    let planted = planted.map(texts);
    examine_core(&pool, &script, 0, &texts(names), planted.as_deref()).unwrap()
}

#[track_caller]
fn check(names: &[&str], planted: Option<&[&str]>, outcome: CoreOutcome, detail: Option<&str>) {
    let size = names.len();
    let expected = CoreFinding { outcome, size, detail: detail.map(str::to_owned) };
    assert_eq!(examine(names, planted), expected);
}

fn print(pool: &TermPool, script: &Script) -> String {
    let printed = print_script(pool, script, &PrintOptions::new(Dialect::Smt26)).unwrap();
    String::from_utf8(printed.bytes).unwrap()
}

#[test]
fn without_a_planted_core_only_the_names_are_checked() {
    check(&["a", "|b c|"], None, CoreOutcome::Unconfirmed, None);
    check(&["|a|"], None, CoreOutcome::Unconfirmed, None);
    check(&[], None, CoreOutcome::Unconfirmed, None);
    let detail = "it names what is not asserted: `e`";
    check(&["a", "e"], None, CoreOutcome::Invalid, Some(detail));
    check(&["a", "e"], Some(&["a"]), CoreOutcome::Invalid, Some(detail));
}

#[test]
fn the_planted_core_decides() {
    let planted: Option<&[&str]> = Some(&["b c", "a"]);
    check(&["a", "|b c|"], planted, CoreOutcome::Minimal, None);
    let detail = "it could do without `d`";
    check(&["d", "a", "|b c|"], planted, CoreOutcome::Larger, Some(detail));
    let detail = "it lacks `b c`, without which the rest is satisfiable";
    check(&["a", "d"], planted, CoreOutcome::Invalid, Some(detail));
}

#[test]
fn a_name_that_comes_twice_is_only_a_remark() {
    let found = examine(&["a", "|a|", "|b c|"], Some(&["a", "b c"]));
    assert_eq!((found.outcome, found.size), (CoreOutcome::Minimal, 2));
    assert_eq!(found.detail.as_deref(), Some("it names something twice"));
}

#[test]
fn names_must_hold_at_the_query_and_assumptions_count() {
    let (pool, script) = read(
        "(declare-const p Bool)(push 1)(assert (! (not p) :named a))(check-sat)(pop 1)
        (assert (! (not p) :named b))(check-sat-assuming (p))",
    );
    let outcome = |query, names: &[&str]| {
        examine_core(&pool, &script, query, &texts(names), None).map(|found| found.outcome)
    };
    assert_eq!(outcome(0, &["a"]), Ok(CoreOutcome::Unconfirmed));
    assert_eq!(outcome(1, &["a"]), Ok(CoreOutcome::Invalid));
    assert_eq!(outcome(1, &["b", "p"]), Ok(CoreOutcome::Unconfirmed));
    assert_eq!(outcome(2, &["b"]), Err(NoSuchQuery { queries: 2 }));
}

#[test]
fn the_script_of_a_core_has_its_assertions_and_those_without_a_name() {
    let (pool, script) = read(SCRIPT);
    let core = core_script(&pool, &script, 0, &texts(&["a", "|b c|"])).unwrap();
    let expected = "(set-info :smt-lib-version 2.6)
(set-logic QF_S)
(declare-const x Int)
(define-fun twice ((n Int)) Int (* 2 n))
(assert (! (> x 0) :named a))
(assert (! (< (twice x) 0) :named |b c|))
(assert (distinct x 7))
(check-sat)
";
    assert_eq!(print(&pool, &core), expected);
    assert!(core_script(&pool, &script, 1, &[]).is_err());
}

#[test]
fn scopes_are_dissolved_and_only_what_is_in_scope_is_declared() {
    let (pool, script) = read(
        "(push 1)(declare-const x Int)(assert (! (> x 0) :named a))(check-sat)(pop 1)
        (push 1)(declare-const x String)(declare-const p Bool)
        (assert (! (= x \"\") :named a))(assert (! (not p) :named b))(check-sat-assuming (p))",
    );
    let core = core_script(&pool, &script, 1, &texts(&["b"])).unwrap();
    let expected = "(set-info :smt-lib-version 2.6)
(declare-const x String)
(declare-const p Bool)
(assert (! (not p) :named b))
(assert p)
(check-sat)
";
    assert_eq!(print(&pool, &core), expected);
}

#[test]
fn a_core_is_a_script_of_one_query_that_reads_back() {
    let (pool, script) = read(SCRIPT);
    for names in [&[][..], &["a"], &["d", "a"], &["a", "b c", "d"]] {
        let core = core_script(&pool, &script, 0, &texts(names)).unwrap();
        let (_, again) = read(&print(&pool, &core));
        let queries: Vec<_> = again.queries().collect();
        assert_eq!(queries.len(), 1);
        assert_eq!(queries[0].assertions.len(), names.len() + 1);
    }
}

#[test]
fn assertions_without_a_name_get_one_that_is_free() {
    let (mut pool, script) = read(
        "(declare-const luthier-1 Bool)(assert luthier-1)(assert (! true :named a))
        (assert (or (! luthier-1 :named luthier-3) false))(push 1)(assert false)(check-sat)",
    );
    let named = name_assertions(&mut pool, &script).unwrap();
    let expected = "(set-info :smt-lib-version 2.6)
(declare-const luthier-1 Bool)
(assert (! luthier-1 :named luthier-1-))
(assert (! true :named a))
(assert (! (or (! luthier-1 :named luthier-3) false) :named luthier-3-))
(push 1)
(assert (! false :named luthier-4))
(check-sat)
";
    assert_eq!(print(&pool, &named), expected);
    read(expected);
    let again = name_assertions(&mut pool, &script).unwrap();
    assert_eq!(print(&pool, &again), expected, "the same names every time");
    let core = core_script(&pool, &named, 0, &texts(&["luthier-4"])).unwrap();
    assert!(print(&pool, &core).contains("(assert (! false :named luthier-4))\n(check-sat)"));
    assert!(!print(&pool, &core).contains("true"));
}

#[track_caller]
fn settle(before: CoreOutcome, class: Class, proves_sat: bool, after: CoreOutcome) {
    let finding = CoreFinding { outcome: before, size: 2, detail: None };
    let settled = settle_core(finding.clone(), "cvc5@1.4.2", class, proves_sat);
    assert_eq!(settled.outcome, after, "{before:?} {class}");
    assert_eq!(settled.size, 2);
    if before != after {
        assert!(settled.detail.unwrap().contains("cvc5@1.4.2"));
    }
}

#[test]
fn another_solver_settles_an_unconfirmed_core() {
    use CoreOutcome::{Confirmed, Disputed, Invalid, Larger, Minimal, Unconfirmed};
    settle(Unconfirmed, Class::Unsat, false, Confirmed);
    settle(Unconfirmed, Class::Sat, false, Disputed);
    settle(Unconfirmed, Class::Sat, true, Invalid);
    for class in Class::ALL.into_iter().filter(|class| !class.is_decided()) {
        settle(Unconfirmed, class, false, Unconfirmed);
    }
    for known in [Minimal, Larger, Invalid] {
        settle(known, Class::Sat, false, known);
        settle(known, Class::Unsat, false, known);
    }
    settle(Confirmed, Class::Sat, false, Disputed);
    settle(Confirmed, Class::Sat, true, Invalid);
    settle(Disputed, Class::Unsat, false, Disputed);
    settle(Disputed, Class::Sat, true, Invalid);
    settle(Unconfirmed, Class::Crash, true, Invalid);
}

#[test]
fn the_order_of_solvers_that_contradict_each_other_does_not_matter() {
    let settled = |classes: [Class; 2]| {
        let start = CoreFinding { outcome: CoreOutcome::Unconfirmed, size: 1, detail: None };
        classes.into_iter().fold(start, |found, class| settle_core(found, "z3", class, false))
    };
    let (one, other) = (settled([Class::Sat, Class::Unsat]), settled([Class::Unsat, Class::Sat]));
    assert_eq!((one.outcome, other.outcome), (CoreOutcome::Disputed, CoreOutcome::Disputed));
}

/// The script of a core keeps the annotation of another semantics, so that no model refutes it by the
/// standard.
#[test]
fn a_core_keeps_the_meaning_of_its_script() {
    let meaning = "(set-info :luthier-semantics \"replace=empty-pattern-unchanged\")";
    let (pool, script) = read(&format!("{meaning}\n(reset)\n{SCRIPT}"));
    let core = core_script(&pool, &script, 0, &texts(&["a"])).unwrap();
    assert!(print(&pool, &core).contains(meaning), "{}", print(&pool, &core));
    assert!(luthier_judge::nonstandard_semantics(&pool, &core).is_some());
}
