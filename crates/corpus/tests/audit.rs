//! The audit of small sets: what is counted, and that threads and packing make no difference.

use luthier_corpus::audit::{
    Audit, AuditedSet, Claim, ClaimSource, ProvenAnswers, SetAudit, examine,
};
use luthier_corpus::{Flow, Writer};
use luthier_records::{Digest, Evidence, ProvenAnswer, Verdict};
use luthier_smtlib::Dialect;

use crate::support::Place;

const ONE: &str = "(set-info :smt-lib-version 2.6)(set-info :status unsat)(declare-const x String)\
                   (assert (= (str.len x) 1))(check-sat)";

/// A set with copies, renamed copies, a copy in another dialect, a rejected file and a quantifier.
fn files() -> Vec<(&'static str, String)> {
    let renamed = ONE.replace('x', "y").replace("status unsat", "status sat");
    vec![
        ("Sat/one.smt2", ONE.to_owned()),
        ("Sat/copy.smt2", ONE.to_owned()),
        ("Unsat/renamed.smt2", renamed),
        (
            "Unsat/old.smt25",
            "(declare-const x String)(assert (str.in.re x (str.to.re \"a\")))(check-sat)"
                .to_owned(),
        ),
        (
            "Unsat/new.smt2",
            "(declare-fun z () String)(assert (str.in_re z (str.to_re \"a\")))(check-sat)"
                .to_owned(),
        ),
        (
            "broken.smt2",
            "(declare-const x String)\n(assert (str.startswith x))(check-sat)".to_owned(),
        ),
        ("loop.smt2", "(set-logic QF_S)(assert (forall ((x Int)) (= x x)))(check-sat)".to_owned()),
        (
            "offset.smt2",
            "(declare-const x String)(assert (= (str.indexof x \"a\") 0))(check-sat)".to_owned(),
        ),
    ]
}

fn set(place: &Place, names: &[&str]) -> AuditedSet {
    let claim = |folder: &str, verdict| Claim { folder: folder.to_owned(), verdict };
    AuditedSet {
        name: "set".to_owned(),
        paths: names.iter().map(|name| place.path(name)).collect(),
        claims: vec![claim("Sat", Verdict::Sat), claim("Unsat", Verdict::Unsat)],
    }
}

fn folder() -> Place {
    let place = Place::new();
    for (name, text) in files() {
        place.write(&format!("set/{name}"), text);
    }
    place
}

fn audit(set: AuditedSet, proven: &ProvenAnswers, jobs: usize) -> Audit {
    examine(vec![set], jobs, |_, _| Flow::Continue).unwrap().audit(proven)
}

fn only(audit: Audit) -> SetAudit {
    assert!(audit.total.is_none());
    audit.sets.into_iter().next().unwrap()
}

#[test]
fn files_duplicates_operators_and_faults_are_counted() {
    let place = folder();
    let found = only(audit(set(&place, &["set"]), &ProvenAnswers::new(), 2));
    let counts = found.counts;
    assert_eq!((counts.tracks, counts.files, counts.rejected), (3, 8, 1));
    assert_eq!((counts.contents, counts.duplicates), (7, 2));
    assert_eq!((counts.forms, counts.duplicates_up_to_renaming), (5, 5));
    assert_eq!((counts.quantifiers, counts.limited_forms), (1, 0));
    assert_eq!(found.rejected.keys().copied().collect::<Vec<_>>(), ["unknown-symbol"]);
    let rejected = &found.rejected["unknown-symbol"][0];
    assert_eq!((rejected.file.as_str(), rejected.rejection.line), ("broken.smt2", 2));
    assert_eq!(found.ill_formed.get("missing-offset"), Some(&1));
    assert_eq!(found.ill_formed.get("quantifier-in-logic"), Some(&1));
    assert_eq!(found.legacy.get("legacy-name"), Some(&1));
    let operators: Vec<_> =
        found.operators.iter().map(|one| (one.name, one.files, one.occurrences)).collect();
    let expected =
        [("str.len", 3, 3), ("str.in_re", 2, 2), ("str.to_re", 2, 2), ("str.indexof", 1, 1)];
    assert_eq!(operators, expected);
    assert_eq!(found.operators[0].average(counts.files), 3.0 / 8.0);
    let status = found.status;
    assert_eq!((status.annotated.sat, status.annotated.unsat), (1, 2));
    assert_eq!((status.by_folder.sat, status.by_folder.unsat, status.claimed), (2, 3, 5));
    assert_eq!((status.decided, status.wrong), (0, 0));
}

#[test]
fn an_archive_and_other_numbers_of_threads_give_the_same() {
    let place = folder();
    let mut writer = Writer::create(&place.path("set.tar.zst")).unwrap();
    let mut sorted = files();
    sorted.sort();
    for (name, text) in sorted {
        writer.add(&format!("set/{name}"), text.as_bytes()).unwrap();
    }
    writer.finish().unwrap();
    let show = |name: &str, jobs: usize| {
        let found = only(audit(set(&place, &[name]), &ProvenAnswers::new(), jobs));
        format!("{:?} {:?} {:?} {:?}", found.counts, found.dialects, found.operators, found.status)
    };
    let expected = show("set", 1);
    assert_eq!(show("set", 3), expected);
    assert_eq!(show("set.tar.zst", 2), expected);
}

#[test]
fn claims_are_compared_with_what_is_proven() {
    let place = folder();
    let mut proven = ProvenAnswers::new();
    let answer = |verdict, evidence| {
        vec![Some(ProvenAnswer { verdict, evidence, by: vec!["one".to_owned()] })]
    };
    let digest = |text: &str| Digest::of(text.as_bytes());
    proven.insert((digest(ONE), Dialect::Smt26), answer(Verdict::Sat, Evidence::Model));
    let files = files();
    let new = files.iter().find(|(name, _)| *name == "Unsat/new.smt2").unwrap();
    let dialect = luthier_corpus::audit::facts(new.1.as_bytes(), None).dialect;
    proven.insert((digest(&new.1), dialect), answer(Verdict::Sat, Evidence::Agreement));
    // In another dialect the same bytes may mean something else.
    proven.insert((digest(&files[2].1), Dialect::Smt25), answer(Verdict::Unsat, Evidence::Model));
    let found = only(audit(set(&place, &["set"]), &proven, 2));
    let wrong: Vec<_> =
        found.wrong.iter().map(|one| (one.file.as_str(), one.source, one.claimed)).collect();
    let expected = [
        ("Sat/copy.smt2", ClaimSource::Status, Verdict::Unsat),
        ("Sat/one.smt2", ClaimSource::Status, Verdict::Unsat),
        ("Unsat/new.smt2", ClaimSource::Folder, Verdict::Unsat),
    ];
    assert_eq!(wrong, expected);
    assert_eq!((found.status.decided, found.status.wrong, found.status.wrong_by_proof), (3, 3, 2));
}

#[test]
fn several_sets_have_a_total_that_counts_across_them() {
    let place = folder();
    place.write("other/again.smt2", ONE);
    let other = AuditedSet { name: "other".to_owned(), ..set(&place, &["other"]) };
    let sets = vec![set(&place, &["set"]), other];
    let found = examine(sets, 2, |_, _| Flow::Continue).unwrap().audit(&ProvenAnswers::new());
    assert_eq!(found.sets[1].counts.duplicates, 0);
    let total = found.total.unwrap();
    assert_eq!((total.counts.files, total.counts.duplicates), (9, 3));
    assert_eq!(total.rejected["unknown-symbol"][0].file, "set/broken.smt2");
}

#[test]
fn damage_emptiness_and_absence_are_reported_and_reading_can_stop() {
    let place = folder();
    place.write("cut.tar.zst", b"no archive");
    std::fs::create_dir_all(place.path("empty")).unwrap();
    let found = only(audit(
        set(&place, &["cut.tar.zst", "missing", "empty", "set"]),
        &ProvenAnswers::new(),
        2,
    ));
    assert_eq!((found.counts.files, found.unreadable.len()), (8, 2));
    assert!(found.unreadable[0].contains("damaged"), "{:?}", found.unreadable);
    assert!(found.unreadable[1].contains("no such file or folder"), "{:?}", found.unreadable);
    let mut seen = 0;
    let stopped = examine(vec![set(&place, &["set"])], 2, |_, _| {
        seen += 1;
        if seen == 3 { Flow::Stop } else { Flow::Continue }
    });
    assert!(stopped.is_none() && seen == 3);
}
