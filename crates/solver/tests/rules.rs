//! Every rewrite rule by itself: where it applies, its result, and where it must not apply.

use std::collections::BTreeMap;

use luthier_generator::Dice;
use luthier_smtlib::{CommandKind, Dialect, PrintOptions, ReadOptions, print_term, read_script};
use luthier_solver::rewrite::{RULES, Rewriter};
use luthier_solver::{Budget, Cancel};
use luthier_terms::{Op, PostOrder, Term, TermId, TermPool};

use crate::templates;

const CASES: &str = include_str!("rules/cases.txt");

const DECLARATIONS: &str = "(declare-const x String)(declare-const y String)(declare-const z String)\
    (declare-const i Int)(declare-const n Int)(declare-const p Bool)";

fn read(pool: &mut TermPool, text: &str) -> TermId {
    for sort in ["Bool", "Int", "String", "RegLan"] {
        let script = format!("{DECLARATIONS}(define-fun it () {sort} {text})(assert (= it it))");
        let reading = read_script(pool, script.as_bytes(), &ReadOptions::default());
        if !reading.is_accepted() {
            continue;
        }
        for command in &reading.script.commands {
            if let CommandKind::Assert(assertion) = &command.kind {
                let root = pool.children(assertion.term)[0];
                let Term::Apply(function, _) = pool.term(root) else { unreachable!("a constant") };
                return pool.function(function).definition.as_ref().unwrap().body().unwrap();
            }
        }
    }
    panic!("cannot read {text}");
}

fn show(pool: &TermPool, term: TermId) -> String {
    let options = PrintOptions::new(Dialect::Smt27);
    String::from_utf8_lossy(&print_term(pool, term, &options).unwrap().bytes).into_owned()
}

fn cases() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    CASES.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut fields = line.splitn(3, " | ");
        let mut field = || fields.next().unwrap_or_else(|| panic!("three fields: {line}"));
        (field(), field(), field())
    })
}

#[test]
fn every_case_is_as_written() {
    let mut wrong = Vec::new();
    for (name, input, expected) in cases() {
        let rule = RULES.iter().find(|rule| rule.name == name);
        let rule = rule.unwrap_or_else(|| panic!("no rule {name}"));
        // A new pool for each case: the order of terms is the order in which they are written.
        let mut pool = TermPool::new();
        read(&mut pool, "(and p (= x y z) (= i n))");
        let term = read(&mut pool, input);
        let found = match rule.apply(&mut pool, term) {
            Some(result) => show(&pool, result),
            None => "-".to_owned(),
        };
        if found != expected {
            wrong.push(format!("{name} | {input} | {found}"));
        }
    }
    assert!(wrong.is_empty(), "found instead:\n{}", wrong.join("\n"));
}

#[test]
fn every_rule_has_cases_where_it_applies_and_where_it_does_not() {
    let mut seen: BTreeMap<&str, [bool; 2]> = BTreeMap::new();
    for (name, _, expected) in cases() {
        seen.entry(name).or_default()[usize::from(expected == "-")] = true;
    }
    let missing: Vec<_> = RULES
        .iter()
        .map(|rule| rule.name)
        .filter(|name| seen.get(name) != Some(&[true; 2]))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The operators that do not occur in normal forms.
const ELIMINATED: &[Op] = &[
    Op::Implies,
    Op::Xor,
    Op::Distinct,
    Op::Neg,
    Op::Sub,
    Op::Abs,
    Op::Divisible,
    Op::Le,
    Op::Lt,
    Op::Gt,
    Op::StrAt,
    Op::StrLe,
    Op::StrIsDigit,
    Op::RePlus,
    Op::ReOpt,
    Op::ReDiff,
    Op::RePower,
];

#[test]
fn results_are_in_normal_form_and_stay_as_they_are() {
    let mut dice = Dice::new(3, 0);
    let budget = Budget::until_cancelled(Cancel::new());
    for template in templates::TEMPLATES.iter().cycle().take(6 * templates::TEMPLATES.len()) {
        let mut pool = TermPool::new();
        let text = templates::fill(template, &mut dice);
        let term = templates::read(&mut pool, &text);
        let result = Rewriter::new(&mut pool, &budget).rewrite(term);
        for part in PostOrder::new(&pool, [result]) {
            let Term::Op(op, args) = pool.term(part) else { continue };
            assert!(!ELIMINATED.contains(&op), "{text}\n{}", show(&pool, result));
            let chains = matches!(op, Op::Eq | Op::Ge | Op::StrLt) && args.len() > 2;
            let nested = matches!(op, Op::And | Op::Or | Op::Add | Op::StrConcat)
                && args
                    .iter()
                    .any(|&arg| matches!(pool.term(arg), Term::Op(inner, _) if inner == op));
            assert!(!chains && !nested, "{text}\n{}", show(&pool, result));
        }
        let again = Rewriter::new(&mut pool, &budget).rewrite(result);
        assert_eq!(show(&pool, again), show(&pool, result), "{text}");
    }
}
