//! Formulas made of seeds: their witnesses are right whatever the seed says, an unsatisfiable seed stays
//! so, and what is not usable says why.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Arc;

use luthier_generator::seeds::{Seed, Unusable};
use luthier_generator::stream::{Settings, Source, Stream};
use luthier_generator::{Case, Expected};
use luthier_judge::{CheckOptions, CheckOutcome, check_model, planted_witness};
use luthier_smtlib::{Dialect, Mode, ReadOptions, read_script};
use luthier_terms::TermPool;

const FILES: [&str; 5] = [
    // Labels are not trusted: this one is wrong.
    "(set-info :status unsat)(declare-const x String)(declare-const |a b| String)(declare-const n Int)
     (assert (or (= (str.++ x \"ab\") |a b|) (str.contains x (str.substr |a b| n 2))))
     (assert (< (str.len x) n))(check-sat)",
    // An old dialect, a definition, and a let.
    "(declare-fun x () String)(define-fun d () Int (str.len x))
     (assert (let ((y (str.to.int x))) (and (= y d) (str.in.re x (re.* (re.range \"0\" \"9\"))))))
     (check-sat)",
    "(declare-const x Int)(declare-const s String)(assert (= (str.at s x) (str.from_int x)))
     (assert (forall ((t String)) (str.prefixof t (str.++ t s))))(check-sat)",
    "(set-info :luthier-expected unsat)(declare-const x String)
     (assert (= (str.len x) 2))(assert (str.prefixof x \"a\"))(check-sat)",
    "(set-info :luthier-expected sat)
     (set-info :luthier-witness \"((define-fun x () String \"\"ab\"\"))\")
     (declare-const x String)(assert (= (str.replace x \"a\" \"\") \"b\"))(check-sat)",
];

fn seeds() -> Arc<Vec<Seed>> {
    let read = |text: &&str| Seed::read("file", text.as_bytes()).unwrap();
    Arc::new(FILES.iter().map(read).collect())
}

fn cases(seed: u64, threads: usize, count: usize) -> Vec<Case> {
    let threads = NonZeroUsize::new(threads).unwrap();
    let settings = Settings::new(seed, vec![Source::Seeds]);
    Stream::new(Settings { threads, seeds: seeds(), ..settings }).take(count).collect()
}

#[test]
fn every_way_is_taken_and_every_witness_is_valid() {
    let mut ways: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for case in cases(1, 2, 600) {
        let formula = &case.formulas[0];
        let mut pool = TermPool::new();
        let options = ReadOptions { dialect: Some(Dialect::Smt27), mode: Mode::Strict };
        let reading = read_script(&mut pool, formula.text.as_bytes(), &options);
        assert!(reading.is_accepted(), "{}\n{:?}", formula.text, reading.diagnostics);
        let answer = match &formula.expected {
            Expected::Sat(_) => {
                let witness = planted_witness(&pool, &reading.script, 0).unwrap();
                let options = CheckOptions::default();
                let check = check_model(&mut pool, &reading.script, witness.as_bytes(), &options);
                assert!(matches!(check.unwrap().outcome, CheckOutcome::Valid), "{}", formula.text);
                "sat"
            }
            Expected::Unsat(core) => {
                assert!(core.is_empty() && !formula.text.contains(":luthier-core"));
                // Both parts of the unsatisfiable seed are there.
                assert!(formula.text.contains("(= (str.len x) 2)"), "{}", formula.text);
                assert!(formula.text.contains("(str.prefixof x \"a\")"), "{}", formula.text);
                "unsat"
            }
            Expected::Open => "open",
        };
        let way = ["negated where", "related as", "fused by", "exchanged", "joined with"]
            .into_iter()
            .find(|way| formula.derivation.contains(way))
            .unwrap();
        *ways.entry((way, answer)).or_default() += 1;
    }
    let keys: Vec<(&str, &str)> = ways.keys().copied().collect();
    let expected = [
        ("exchanged", "open"),
        ("exchanged", "sat"),
        ("fused by", "sat"),
        ("joined with", "unsat"),
        ("negated where", "sat"),
        ("related as", "sat"),
    ];
    assert_eq!(keys, expected, "{ways:?}");
    assert!(ways.values().all(|count| *count >= 10), "{ways:?}");
}

#[test]
fn any_number_of_threads_gives_the_same_formulas() {
    assert_eq!(cases(7, 1, 200), cases(7, 3, 200));
}

#[test]
fn what_is_not_usable_says_why() {
    let reason = |text: &str| Seed::read("file", text.as_bytes()).unwrap_err();
    assert_eq!(reason("(assert (= x"), Unusable::Unreadable);
    assert_eq!(reason("(declare-const x String)"), Unusable::NoQuery);
    assert_eq!(reason("(assert (= (str.len \"a\") 1))(check-sat)"), Unusable::Ground);
    let function = "(declare-fun f (String) String)(assert (= (f \"a\") (f \"b\")))(check-sat)";
    assert_eq!(reason(function), Unusable::Unsupported);
    let long = "x ".repeat(60);
    let large = format!("(declare-const x String)(assert (= x (str.++ {long})))(check-sat)");
    assert_eq!(reason(&large), Unusable::TooLarge);
}
