//! `luthier run --labels`: expected answers from outside are evidence with a source, weaker than what is
//! planted or proved, and reported when they are refuted.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use crate::common::shop::{Shop, TWO, two_with};
use serde_json::{Value, json};

/// Says `sat` with a model of the instance `TWO`.
const WITH_MODEL: &str = "echo sat; echo '((define-fun x () String \"ab\"))'";

fn labelled(table: &str) -> Shop {
    let shop = Shop::with(TWO);
    shop.bench.write("labels.tsv", table);
    shop
}

fn finding(shop: &Shop) -> Value {
    let mut findings = shop.findings();
    assert_eq!(findings.len(), 1, "{findings:?}");
    findings.remove(0)
}

#[test]
fn an_answer_against_a_label_is_wrong_and_the_table_is_named() {
    let shop = labelled("path\tbytes\tlabel\nset/a.smt2\t1\tsat\n");
    shop.solver("one", "echo unsat");
    let run = shop.run(&["one"], &["--labels", "labels.tsv"]).expect(2);
    assert!(
        run.stderr.contains("labels.tsv: 1 of the 1 instance of `set` have a label"),
        "{run:?}"
    );
    let found = finding(&shop);
    assert_eq!((&found["kind"], &found["evidence"]), (&json!("wrong-unsat"), &json!("label")));
    assert_eq!(found["label_sources"], json!(["labels.tsv: sat"]));
    let text = shop.luthier(&["summary", "results.db"]).expect(2).stdout;
    assert!(text.contains("it is sat (label from a table, labels.tsv: sat)"), "{text}");
}

#[test]
fn a_checked_model_refutes_a_label_and_nobody_is_wrong() {
    let shop = labelled("a.smt2,unsat\n");
    shop.solver("one", WITH_MODEL);
    shop.run(&["one"], &["--labels", "labels.tsv"]).expect(0);
    let found = finding(&shop);
    assert_eq!((&found["kind"], &found["evidence"]), (&json!("wrong-label"), &json!("model")));
    assert_eq!(found["label_sources"], json!(["labels.tsv: unsat"]));
    let text = shop.luthier(&["summary", "results.db", "--findings"]).expect(0).stdout;
    assert!(text.contains("WRONG LABELS (1)") && text.contains("labels.tsv: unsat"), "{text}");
}

#[test]
fn a_planted_answer_refutes_a_label_and_a_label_comes_before_the_status() {
    let shop = labelled("path,label\nset/a.smt2,unsat\nset/b.smt2,unsat\n");
    shop.bench.write("set/a.smt2", two_with("luthier-expected sat"));
    shop.bench.write("set/b.smt2", two_with("status sat").replace(" 2)", " 3)"));
    shop.solver("one", "echo sat");
    shop.run(&["one"], &["--labels", "labels.tsv"]).expect(2);
    let mut kinds: Vec<(String, String)> = shop
        .findings()
        .iter()
        .map(|one| (one["kind"].as_str().unwrap().into(), one["instance"].as_str().unwrap().into()))
        .collect();
    kinds.sort();
    let expected =
        [("contradictory-labels", "b.smt2"), ("wrong-label", "a.smt2"), ("wrong-sat", "b.smt2")];
    assert_eq!(kinds, expected.map(|(kind, name)| (kind.to_owned(), name.to_owned())));
}

#[test]
fn families_that_agree_against_a_label_make_it_doubtful() {
    let shop = labelled("a.smt2,sat\n");
    for name in ["one", "other"] {
        shop.solver(name, "echo unsat");
    }
    shop.run(&["one", "other"], &["--labels", "labels.tsv"]).expect(0);
    assert_eq!(finding(&shop)["kind"], "doubtful-label");
}

#[test]
fn a_table_named_after_a_set_labels_no_file_of_another_one() {
    let shop = labelled("a.smt2,sat\n");
    shop.bench.write("other/a.smt2", TWO.replace("2))", "3))"));
    shop.bench.write("other.labels.csv", "a.smt2,unsat\n");
    shop.solver("one", "echo unknown");
    let more = ["--bench", "other", "--labels", "other.labels.csv", "--labels", "labels.tsv"];
    let run = shop.run(&["one"], &more).expect(0);
    // One table is about `other` alone, the other one about both.
    let of = |table: &str| run.stderr.lines().filter(|line| line.contains(table)).count();
    assert_eq!((of("other.labels.csv: 1 of"), of("labels.tsv: 1 of")), (1, 2), "{run:?}");
    let kinds = shop.kinds();
    assert_eq!(kinds, ["contradictory-labels"], "{run:?}");
}

#[test]
fn labels_come_from_an_experiment_too_and_stay_when_it_is_resumed() {
    let shop = labelled("a.smt2,sat\n");
    shop.bench.write(
        "experiment.toml",
        "database = \"results.db\"\n[[set]]\nname = \"set\"\n[[set.track]]\nname = \"first\"\n\
         paths = [\"set\"]\nlabels = [\"labels.tsv\"]\n[[configuration]]\nsolver = \"one\"\n",
    );
    shop.solver("one", "echo unsat");
    for _ in 0..2 {
        shop.luthier(&["run", "experiment.toml"]).expect(2);
        assert_eq!(finding(&shop)["evidence"], "label");
    }
    // A table that says something else counts as it is now.
    shop.bench.write("labels.tsv", "a.smt2,unsat\n");
    shop.luthier(&["run", "experiment.toml"]).expect(0);
    assert!(shop.findings().is_empty());
}

#[test]
fn what_of_a_table_counts_for_nothing_is_told() {
    let shop = labelled("path\tlabel\nelsewhere/a.smt2\tsat\nb.smt2\tsat\nc.smt2\tmaybe\n");
    shop.bench.write("set/b.smt2", format!("{TWO}(check-sat)\n"));
    shop.solver("one", "echo sat; echo sat");
    let run = shop.run(&["one"], &["--labels", "labels.tsv"]);
    for expected in [
        "labels.tsv: 1 of the 2 instances of `set` have a label",
        "1 instance of `set` found only by file name",
        "the labels of 1 instance of `set` count for nothing: not exactly one check-sat",
        "count for nothing: `maybe` (1)",
    ] {
        assert!(run.stderr.contains(expected), "{expected}: {run:?}");
    }
    shop.bench.write("other.tsv", "x/y.smt2\tsat\n");
    let run = shop.run(&["one"], &["--labels", "other.tsv"]);
    assert!(run.stderr.contains("other.tsv: none of the 2 instances has a label there"), "{run:?}");
}

#[test]
fn a_table_that_cannot_be_read_stops_the_run_before_anything_is_made() {
    for (table, expected) in [
        ("path\tverdict\na\tsat\n", "line 1: expected columns named `path` and `label`"),
        ("path\tlabel\na\tsat\na\tunsat\n", "line 3: `a` has another label in an earlier line"),
        ("", "the table is empty"),
    ] {
        let shop = labelled(table);
        shop.solver("one", "echo sat");
        let run = shop.run(&["one"], &["--labels", "labels.tsv"]).expect(1);
        assert!(run.stderr.contains("labels.tsv: ") && run.stderr.contains(expected), "{run:?}");
        assert!(!shop.bench.path("results.db").exists());
    }
    let shop = Shop::with(TWO);
    shop.solver("one", "echo sat");
    let run = shop.run(&["one"], &["--labels", "nothing.tsv"]).expect(1);
    assert!(run.stderr.contains("nothing.tsv"), "{run:?}");
    for no_file in ["set", "/dev/zero"] {
        let run = shop.run(&["one"], &["--labels", no_file]).expect(1);
        assert!(run.stderr.contains("must be a file"), "{run:?}");
    }
    assert!(!shop.bench.path("results.db").exists());
}
