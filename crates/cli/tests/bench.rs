//! `luthier bench`: sets by name, selections that run again, the audit, and labels that are proven.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use luthier_corpus::Writer;
use serde_json::json;

use crate::common::Run;
use crate::common::shop::{Shop, TWO, two_with};

/// Says `sat` with a model of [`TWO`], also if its constant is renamed.
const WITH_MODEL: &str =
    "echo sat; echo '((define-fun x () String \"ab\") (define-fun y () String \"ab\"))'";

/// A set of three files, of which two are copies and the third is a renamed one with a wrong status.
fn shop() -> Shop {
    let shop = Shop::new();
    shop.bench.write("set/a/one.smt2", TWO);
    shop.bench.write("set/a/two.smt2", TWO);
    shop.bench.write("set/b/three.smt2", two_with("status unsat").replace('x', "y"));
    shop
}

fn added() -> Shop {
    let shop = shop();
    shop.luthier(&["bench", "add", "mine", "set"]).expect(0);
    shop
}

fn error(run: &Run, expected: &[&str]) {
    assert!(expected.iter().all(|text| run.stderr.contains(text)), "{run:?}");
}

#[test]
fn sets_are_listed_added_and_known_by_name() {
    let shop = shop();
    let listed = shop.luthier(&["bench", "list", "--json"]).expect(0).json();
    let kaluza = |listed: &serde_json::Value| {
        let sets = listed["sets"].as_array().unwrap().clone();
        sets.into_iter().find(|set| set["name"] == "kaluza").unwrap()
    };
    assert_eq!(kaluza(&listed)["state"], "known");
    assert_eq!(kaluza(&listed)["files"], 47284);
    error(&shop.luthier(&["bench", "list", "kalusa"]).expect(1), &["`kalusa`", "kaluza"]);
    let added = shop.luthier(&["bench", "add", "mine", "set", "--json"]).expect(0).json();
    assert_eq!((&added["files"], &added["as_described"]), (&json!(3), &json!(null)));
    // Other contents than those described: it is added, and everybody is told.
    let other = shop.luthier(&["bench", "add", "kaluza", "set"]).expect(3);
    error(&other, &["not those of the description, which has 47284 files"]);
    let listed = shop.luthier(&["bench", "list", "--json"]).expect(3).json();
    assert_eq!(kaluza(&listed)["state"], "digest differs");
    let text = shop.luthier(&["bench", "list", "kaluza"]).expect(3).stdout;
    assert!(text.contains("licence") && text.contains("Saxena"), "{text}");
    // What is gone is missing; what has changed is found by reading it.
    shop.bench.write("set/new.smt2", TWO);
    assert_eq!(shop.luthier(&["bench", "list", "mine"]).expect(0).code, 0);
    shop.luthier(&["bench", "list", "mine", "--check"]).expect(3);
    std::fs::remove_dir_all(shop.bench.path("set")).unwrap();
    let gone = shop.luthier(&["bench", "list", "mine"]).expect(3).stdout;
    assert!(gone.contains("missing"), "{gone}");
    error(&shop.luthier(&["bench", "audit", "mine"]).expect(1), &["there is nothing any more"]);
}

#[test]
fn what_cannot_be_a_set_is_an_error() {
    let shop = shop();
    error(&shop.luthier(&["bench", "add", "a/b", "set"]).expect(1), &["`a/b` cannot be the name"]);
    error(&shop.luthier(&["bench", "add", "x", "nowhere"]).expect(1), &["no such file or folder"]);
    shop.bench.write("empty/README", "nothing");
    error(&shop.luthier(&["bench", "add", "x", "empty"]).expect(1), &["there is no instance here"]);
    // A name that cannot be one is told before anything is read.
    error(&shop.luthier(&["bench", "add", "a b", "nowhere"]).expect(1), &["`a b` cannot be"]);
    shop.bench.write("cut.tar.zst", "no archive");
    error(&shop.luthier(&["bench", "add", "x", "cut.tar.zst"]).expect(1), &["damaged"]);
    error(
        &shop.luthier(&["bench", "audit", "cut.tar.zst"]).expect(1),
        &["nothing could be opened"],
    );
    error(&shop.luthier(&["bench", "audit"]).expect(1), &["no benchmark set is on this machine"]);
    error(&shop.luthier(&["bench", "audit", "kaluza"]).expect(1), &["bench add kaluza PATH"]);
    shop.bench.write("settings/luthier/benchmarks.toml", "[x]\npath = 1\n");
    error(&shop.luthier(&["bench", "list"]).expect(1), &["benchmarks.toml:2"]);
}

#[test]
fn runs_take_sets_by_name_from_the_command_line_and_from_files() {
    let shop = added();
    shop.solver("one", WITH_MODEL);
    let arguments =
        ["run", "--set", "mine", "--solver", "one", "--timeout", "60s", "--db", "results.db"];
    shop.luthier(&arguments).expect(0);
    assert_eq!(shop.row("one")["set"], "mine");
    assert_eq!(shop.row("one")["total"], 3);
    shop.bench.write(
        "e.toml",
        "timeout = \"60s\"\n[[set]]\nname = \"mine\"\n[[configuration]]\nsolver = \"one\"\n",
    );
    let again = shop.luthier(&["run", "e.toml", "--db", "results.db"]).expect(0);
    assert!(again.stderr.contains("0 runs executed"), "{again:?}");
    let twice = ["run", "--set", "demo", "--suite", "demo", "--solver", "one"];
    error(&shop.luthier(&twice).expect(1), &["there are two sets `demo`"]);
    let wrong = shop.luthier(&["run", "--set", "mina", "--solver", "one"]).expect(1);
    error(&wrong, &["there is no benchmark set `mina`; did you mean mine?", "bench list"]);
}

#[test]
fn a_selection_is_shared_and_run_again() {
    let shop = added();
    shop.solver("one", WITH_MODEL);
    let select = ["bench", "select", "mine", "--no-duplicates", "--out", "s.tsv", "--json"];
    let made = shop.luthier(&select).expect(0).json();
    assert_eq!((&made["files"], &made["selected"]), (&json!(3), &json!(2)));
    let text = std::fs::read_to_string(shop.bench.path("s.tsv")).unwrap();
    assert!(text.starts_with("# luthier selection 1\n# luthier bench select mine"), "{text}");
    assert!(
        text.contains("\nmine\ta/one.smt2\t") && text.contains("\nmine\tb/three.smt2\t"),
        "{text}"
    );
    let run = [
        "run",
        "--selection",
        "s.tsv",
        "--solver",
        "one",
        "--timeout",
        "60s",
        "--db",
        "results.db",
    ];
    shop.luthier(&run).expect(0);
    assert_eq!(shop.row("one")["total"], 2);
    // The same selection of an archive of the set.
    let mut writer = Writer::create(&shop.bench.path("packed.tar.zst")).unwrap();
    for name in ["a/one.smt2", "a/two.smt2", "b/three.smt2"] {
        let bytes = std::fs::read(shop.bench.path(&format!("set/{name}"))).unwrap();
        writer.add(&format!("top/{name}"), &bytes).unwrap();
    }
    writer.finish().unwrap();
    shop.luthier(&["bench", "add", "mine", "packed.tar.zst"]).expect(0);
    let again = shop.luthier(&run).expect(0);
    assert!(again.stderr.contains("0 runs executed"), "{again:?}");
    // Other contents under a selected name are not run.
    shop.bench.write("set/b/three.smt2", TWO);
    std::fs::remove_file(shop.bench.path("set/a/one.smt2")).unwrap();
    shop.luthier(&["bench", "add", "mine", "set"]).expect(0);
    let other = shop.luthier(&[&run[..7], &["--db", "other.db"]].concat()).expect(3);
    error(
        &other,
        &[
            "mine/b/three.smt2: of the selection has other contents",
            "mine/a/one.smt2: of the selection is not there",
        ],
    );
    shop.bench.write("e.toml", "selections = [\"s.tsv\"]\n[[configuration]]\nsolver = \"one\"\n");
    shop.luthier(&["run", "e.toml", "--list"]).expect(3);
}

#[test]
fn files_are_selected_by_what_they_are_and_who_answered_them() {
    let shop = added();
    shop.solver("one", "grep -q y \"$1\" && echo unknown || echo sat");
    shop.solver("two", "echo unknown");
    shop.run(&["one", "two"], &[]).expect(0);
    let count = |more: &[&str]| {
        let arguments = [&["bench", "select", "mine", "--out", "s.tsv", "--json"], more].concat();
        shop.luthier(&arguments).expect(0).json()["selected"].as_u64().unwrap()
    };
    assert_eq!(count(&[]), 3);
    assert_eq!(count(&["--operator", "str.len"]), 3);
    assert_eq!(count(&["--without-operator", "str.len"]), 0);
    assert_eq!(count(&["--status", "unsat"]), 1);
    assert_eq!(count(&["--status", "none"]), 2);
    assert_eq!(count(&["--max-size", "90B"]), 2);
    assert_eq!(count(&["--min-size", "90B"]), 1);
    assert_eq!(count(&["--no-duplicates"]), 2);
    assert_eq!(count(&["--no-variants"]), 1);
    assert_eq!(count(&["--db", "results.db", "--answered-by", "one", "--not-solved-by", "two"]), 2);
    assert_eq!(count(&["--db", "results.db", "--not-answered-by", "one"]), 1);
    assert_eq!(count(&["--db", "results.db", "--solved-by", "two"]), 0);
    assert_eq!(count(&["--db", "results.db", "--proven", "open"]), 3, "one family proves nothing");
    let drawn = |seed: &str| {
        let arguments = ["bench", "select", "mine", "--random", "1", "--seed", seed];
        shop.luthier(&arguments).expect(0).stdout.lines().last().unwrap().to_owned()
    };
    assert_eq!(drawn("1"), drawn("1"));
    let all: std::collections::HashSet<String> =
        (0..20).map(|seed| drawn(&seed.to_string())).collect();
    assert!(all.len() > 1);
    let unknown =
        shop.luthier(&["bench", "select", "mine", "--db", "results.db", "--solved-by", "three"]);
    error(&unknown.expect(1), &["no solver `three` was run", "one", "two"]);
    error(
        &shop.luthier(&["bench", "select", "mine", "--operator", "str.length"]).expect(1),
        &["did you mean str.len"],
    );
    let legacy = ["bench", "select", "mine", "--operator", "str.to.re"];
    assert!(shop.luthier(&legacy).expect(0).stderr.contains("no file fulfils"));
}

#[test]
fn the_audit_has_one_content_in_every_format() {
    let shop = added();
    shop.solver("one", "cat > /dev/null; echo sat; echo '((define-fun x () String \"ab\") (define-fun y () String \"ab\"))'");
    shop.run(&["one"], &[]).expect(0);
    let record =
        shop.luthier(&["bench", "audit", "mine", "--db", "results.db", "--json"]).expect(0).json();
    let set = &record["sets"][0];
    assert_eq!(record["total"], json!(null));
    assert_eq!(
        (&set["files"], &set["rejected"], &set["tracks"]),
        (&json!(3), &json!(0), &json!(2))
    );
    assert_eq!((&set["duplicates"], &set["duplicates_up_to_renaming"]), (&json!(2), &json!(3)));
    assert_eq!(
        set["operators"][0],
        json!({"name": "str.len", "files": 3, "occurrences": 3, "average": 1.0})
    );
    assert!(set["dialects"].is_object(), "{set}");
    let evidence = &set["status"]["evidence"];
    assert_eq!((&set["status"]["unsat"], &evidence["wrong"]), (&json!(1), &json!(1)));
    let wrong = &evidence["wrong_claims"][0];
    assert_eq!((&wrong["file"], &wrong["evidence"]), (&json!("b/three.smt2"), &json!("model")));
    assert_eq!((&wrong["claimed"], &wrong["proven"]), (&json!("unsat"), &json!("sat")));
    for (format, expected) in [
        ("text", "up to renaming"),
        ("markdown", "| mine |"),
        ("latex", "\\begin{table"),
        ("html", "<table id=\"table-sets\">"),
        ("csv", "set,tracks,files,rejected,duplicates"),
    ] {
        let run = shop
            .luthier(&["bench", "audit", "mine", "--db", "results.db", "--format", format])
            .expect(0);
        assert!(run.stdout.contains(expected), "{format}: {}", run.stdout);
    }
    shop.luthier(&["bench", "audit", "./set", "--out", "a.html"]).expect(0);
    let page = std::fs::read_to_string(shop.bench.path("a.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>"), "{page}");
    // Without a database nothing is said about right and wrong.
    let record = shop.luthier(&["bench", "audit", "mine", "--json"]).expect(0).json();
    assert_eq!(record["sets"][0]["status"]["evidence"], json!(null));
    shop.bench.write("set/c.smt2", "(assert (nothing))");
    shop.luthier(&["bench", "audit", "mine"]).expect(3);
}

#[test]
fn the_audit_of_a_database_is_that_of_its_files() {
    let shop = added();
    shop.bench.write("set/b/broken.smt2", "(declare-const x String)\n(assert (str.startswith x))");
    shop.bench.write(
        "set/old.smt25",
        "(declare-const x String)(assert (str.in.re x (str.to.re \"\\x41\")))(check-sat)",
    );
    shop.bench
        .write("set/all.smt2", "(set-logic QF_S)(assert (forall ((n Int)) (= n n)))(check-sat)");
    shop.solver("one", WITH_MODEL);
    let run = ["run", "--set", "mine", "--solver", "one", "--timeout", "60s", "--db", "results.db"];
    shop.luthier(&run);
    let of_files = ["bench", "audit", "mine", "--db", "results.db", "--json"];
    let of_files = shop.luthier(&of_files).expect(3).json();
    shop.luthier(&["export", "results.db", "--site", "site"]).expect(0);
    let of_database = std::fs::read(shop.bench.path("site/audit.json")).unwrap();
    let of_database: serde_json::Value = serde_json::from_slice(&of_database).unwrap();
    assert_eq!(of_database["sets"], of_files["sets"]);
    let set = &of_database["sets"][0];
    assert_eq!(
        (&set["files"], &set["rejected"], &set["duplicates"]),
        (&json!(6), &json!(1), &json!(2))
    );
    assert_eq!(set["status"]["evidence"]["wrong_claims"].as_array().unwrap().len(), 1);
    let page = std::fs::read_to_string(shop.bench.path("site/audit.html")).unwrap();
    assert!(page.contains("b/three.smt2") && page.contains("b/broken.smt2"), "{page}");
}

#[test]
fn labels_are_proven_carry_their_evidence_and_can_be_used_and_checked() {
    let shop = shop();
    shop.bench.write(
        "set/b/four.smt2",
        "(declare-const x String)\n(assert (= (str.len x) (- 1)))\n(check-sat)\n",
    );
    shop.bench.write(
        "set/b/five.smt2",
        "(declare-const x String)\n(assert (= x \"open\"))\n(check-sat)\n",
    );
    // `one` has models where there is a length of 2; both agree on the negative length.
    let script = |more: &str| {
        format!(
            "text=$(cat \"$1\"); case \"$text\" in *'(- 1)'*) echo unsat;; *open*) echo unknown;; *) {more};; esac"
        )
    };
    shop.solver("one", &script(WITH_MODEL));
    shop.solver("two", &script("echo unknown"));
    shop.run(&["one"], &["--db", "1.db"]).expect(0);
    shop.run(&["two"], &["--db", "2.db"]).expect(0);
    let arguments =
        ["bench", "label", "1.db", "2.db", "--out", "labels", "--models", "m.tar.zst", "--json"];
    let record = shop.luthier(&arguments).expect(0).json();
    let set = &record["sets"][0];
    assert_eq!(
        (&set["files"], &set["sat"], &set["unsat"], &set["open"]),
        (&json!(5), &json!(3), &json!(1), &json!(1))
    );
    assert_eq!(set["evidence"], json!({"agreement": 1, "model": 3}));
    assert_eq!(record["models"], 2, "one for each content");
    let table = std::fs::read_to_string(shop.bench.path("labels/set.labels.tsv")).unwrap();
    let four = table.lines().find(|line| line.starts_with("b/four.smt2")).unwrap();
    assert!(four.starts_with("b/four.smt2\tunsat\tagreement\tone,two\t"), "{four}");
    let three: Vec<&str> =
        table.lines().find(|line| line.starts_with("b/three.smt2")).unwrap().split('\t').collect();
    assert_eq!(three[1..4], ["sat", "model", "one"]);
    // The witness is checked by anybody.
    let model = format!("m.tar.zst!{}", three[5]);
    shop.luthier(&["check", "set/b/three.smt2", "--model", &model]).expect(0);
    // The table is read by `run --labels`, and the wrong status of the file is refuted by the model.
    let run = shop.luthier(&[
        "run",
        "--bench",
        "set",
        "--labels",
        "labels/set.labels.tsv",
        "--solver",
        "two",
        "--timeout",
        "60s",
        "--db",
        "3.db",
    ]);
    error(&run.expect(0), &["4 of the 5 instances of `set` have a label"]);
    // Neither files nor a second archive are overwritten.
    error(&shop.luthier(&arguments).expect(1), &["m.tar.zst: is already there"]);
    let unknown = shop.luthier(&["bench", "label", "1.db", "--set", "other", "--out", "labels"]);
    error(&unknown.expect(1), &["no instance of the set `other` was run", "there are set"]);
}
