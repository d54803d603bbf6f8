//! `luthier report --table icse20`: real campaigns on parts of the suite, with solvers that are
//! small shell scripts; and the experiment of the paper, command line by command line.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use crate::common::Run;
use crate::common::shop::{Shop, TWO};
use serde_json::{Value, json};

/// Few formulas of every category but term synthesis.
const FEW: &str = "[constant-assignment]\nstrings = [\"a\"]\nintegers = []\n\
                   [term-synthesis]\nstrings = []\n\
                   [unsat]\nequivalences = [\"E7\"]\nequalities = [\"NC2\"]\n";
/// Says unsat to everything, with the core of an operation against its definition.
const NO: &str = "echo unsat; echo '(error \"no model\")'; echo '(operation definition)'";

fn suite(shop: &Shop) -> Value {
    shop.bench.write("few.toml", FEW);
    let arguments = ["generate", "--suite", "icse20", "--settings", "few.toml", "--json"];
    shop.luthier(&[&arguments[..], &["--out", "suite"]].concat()).expect(0).json()
}

fn report(shop: &Shop, more: &[&str]) -> Run {
    let arguments = ["report", "results.db", "--table", "icse20"];
    shop.luthier(&[&arguments[..], more].concat())
}

/// `tests IM IC S U K T E failed unsound` of a row.
fn cells(rows: &Value, solver: &str, category: &str) -> String {
    let is_it = |row: &&Value| row["solver"] == solver && row["category"] == category;
    let rows: Vec<&Value> = rows["rows"].as_array().unwrap().iter().filter(is_it).collect();
    let [row] = rows[..] else { panic!("{solver}, {category}: {rows:?}") };
    let names = ["tests", "IM", "IC", "S", "U", "K", "T", "E", "failed", "unsound"];
    names.map(|name| row[name].to_string().replace("null", "-")).join(" ")
}

#[test]
fn a_folder_of_files_is_counted_by_category() {
    let shop = Shop::new();
    let generated = suite(&shop);
    let assigned = generated["categories"]["constant-assignment"].as_u64().unwrap();
    assert!(assigned > 20, "{generated}");
    shop.solver("yes", "echo sat");
    shop.solver("no", NO);
    let run =
        ["run", "--bench", "suite", "--solver", "yes", "--solver", "no", "--db", "results.db"];
    shop.luthier(&run).expect(2);
    let table = report(&shop, &["--json"]).expect(2).json();
    assert_eq!(table["table"], "icse20");
    assert_eq!(table["other_instances"], 0);
    assert_eq!(table["rows"][0]["set"], "suite");
    assert_eq!(cells(&table, "yes", "operation"), "12 0 - 12 0 0 0 0 0 0");
    assert_eq!(cells(&table, "no", "operation"), "12 0 - 0 12 0 0 0 12 12");
    let all = format!("{assigned} 0 - {assigned} 0 0 0 0 0 0");
    assert_eq!(cells(&table, "yes", "constant-assignment"), all);
    // E7 needs nothing more; its variables s and t need the equality, s1 and s3 do not.
    assert_eq!(cells(&table, "no", "equivalent-formula"), "1 - 0 0 1 0 0 0 0 0");
    assert_eq!(cells(&table, "yes", "equivalent-formula"), "1 - 0 1 0 0 0 0 1 1");
    assert_eq!(cells(&table, "no", "larger-unsat-core"), "2 - 2 0 0 0 0 0 2 2");
    assert_eq!(cells(&table, "no", "larger-unsat-core+patterns"), "2 - 2 0 0 0 0 0 2 2");
    assert_eq!(cells(&table, "no", "redundancy-introduction"), "2 - 0 0 2 0 0 0 0 0");
    let totals = table["totals"].as_array().unwrap();
    let total = totals.iter().find(|row| row["solver"] == "no" && row["patterns"] == true).unwrap();
    assert_eq!((&total["tests"], &total["failed"]), (&json!(5), &json!(2)));
    let text = report(&shop, &[]).expect(2).stdout;
    assert!(
        text.contains("no (10 s)\nexpected") && text.contains("IM = incorrect model"),
        "{text}"
    );
    assert!(text.contains("unsat [+p]  larger unsat core"), "{text}");
}

/// Each category may be a set of its own, and what is no part of the suite is told apart.
#[test]
fn folders_of_categories_and_foreign_files_are_told_apart() {
    let shop = Shop::with(TWO);
    suite(&shop);
    shop.solver("slow", "echo unknown");
    let mut arguments = vec!["run", "--solver", "slow", "--db", "results.db", "--bench", "set"];
    arguments.extend(["--bench", "suite/operation", "--bench", "suite/larger-unsat-core+patterns"]);
    shop.luthier(&arguments).expect(0);
    let run = report(&shop, &["--json"]).expect(0);
    assert!(run.stderr.contains("1 instance of no category"), "{run:?}");
    let table = run.json();
    assert_eq!(table["rows"][0]["set"], Value::Null);
    assert_eq!(cells(&table, "slow", "operation"), "12 0 - 0 0 12 0 0 12 0");
    assert_eq!(cells(&table, "slow", "larger-unsat-core+patterns"), "2 - 0 0 0 2 0 0 2 0");
}

#[test]
fn a_suite_that_is_run_without_files_has_its_table_and_others_have_none() {
    let shop = Shop::with(TWO);
    shop.solver("ill", "echo '(error \"ill\")'; exit 1");
    let run = ["run", "--suite", "icse20", "--limit", "14", "--seed", "0", "--seed", "1465"];
    let run = [&run[..], &["--solver", "ill", "--db", "results.db"]].concat();
    shop.luthier(&run).expect(0);
    let table = report(&shop, &["--json"]).expect(0).json();
    assert_eq!(cells(&table, "ill seed=0", "operation"), "12 0 - 0 0 0 0 12 12 0");
    assert_eq!(cells(&table, "ill seed=1465", "constant-assignment"), "2 0 - 0 0 0 0 2 2 0");
    assert_eq!(table["rows"][0]["seed"], 0);

    shop.run(&["ill"], &["--db", "other.db"]);
    let other = shop.luthier(&["report", "other.db", "--table", "icse20"]).expect(1);
    assert!(other.stderr.contains("has no run on the suite icse20"), "{other:?}");
}

/// Files for another meaning: the planted answer decides, models are not judged.
#[test]
fn files_with_another_meaning_are_not_judged_by_the_standard() {
    let shop = Shop::new();
    let settings = format!("{FEW}[semantics]\nreplace = \"empty-pattern-unchanged\"\n");
    shop.bench.write("own.toml", settings.replace("[\"a\"]", "[\"a\", \"\"]"));
    let generate = ["generate", "--suite", "icse20", "--settings", "own.toml", "--out", "suite"];
    shop.luthier(&generate).expect(0);
    let folder = shop.bench.path("suite/constant-assignment");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut texts = files.map(|path| (path.clone(), std::fs::read_to_string(path).unwrap()));
    // replace("a", "", "a") is "aa" by the standard and "a" by the chosen meaning.
    let (path, text) = texts
        .find(|(_, text)| text.contains(r#"(assert (= (str.replace "a" "" "a") res))"#))
        .expect("it is one of the formulas");
    assert!(text.contains(r#"(set-info :luthier-semantics "replace=empty-pattern-unchanged")"#));
    assert!(text.contains(r#"(define-fun res () String ""a"")"#), "{text}");
    let file = path.to_str().unwrap();
    shop.luthier(&["lint", file]).expect(0);
    for value in ["a", "aa"] {
        shop.bench.write("model", format!("((define-fun res () String \"{value}\"))"));
        let check = shop.luthier(&["check", file, "--model", "model"]).expect(3);
        assert!(check.stdout.contains("(replace=empty-pattern-unchanged)"), "{check:?}");
    }
    shop.bench.write("one/a.smt2", &text);
    shop.solver("standard", "echo sat; echo '((define-fun res () String \"aa\"))'");
    shop.solver("own", "echo sat; echo '((define-fun res () String \"a\"))'");
    shop.solver("wrong", "echo unsat");
    let solvers = ["--solver", "standard", "--solver", "own", "--solver", "wrong"];
    let run = ["run", "--bench", "one", "--db", "results.db"];
    shop.luthier(&[&run[..], &solvers].concat()).expect(2);
    for solver in ["standard", "own"] {
        let row = shop.row(solver);
        assert_eq!((&row["unchecked_model"], &row["right"]), (&json!(1), &json!(1)), "{row}");
        assert_eq!((&row["valid_model"], &row["invalid_model"]), (&json!(0), &json!(0)), "{row}");
    }
    assert_eq!(shop.row("wrong")["wrong"], 1);
    assert_eq!(shop.kinds(), ["wrong-unsat"]);
}

/// The experiment of the paper: both seeds, 15 s, the options of the authors.
#[test]
fn the_experiment_of_the_paper_has_the_command_lines_of_the_paper() {
    let shop = Shop::new();
    for (solver, version) in [("z3", "4.8.0"), ("cvc4", "1.6")] {
        let folder = format!("cache/luthier/solvers/{solver}/{version}");
        let program = "#!/bin/sh\n";
        shop.bench.write(&format!("{folder}/bin/{solver}"), program);
        let digest = luthier_records::Digest::of(program.as_bytes()).to_string();
        let manifest = json!({
            "solver": solver, "version": version, "answer": "", "package": "", "sha256": digest,
            "package_version": "", "wheel": "", "wheel_sha256": "", "library": false,
            "file": format!("bin/{solver}"),
        });
        shop.bench.write(&format!("{folder}/release.json"), manifest.to_string());
    }
    let experiment = include_str!("../../../docs/examples/icse20.toml");
    shop.bench.write("icse20.toml", experiment);
    let listed = shop.luthier(&["run", "icse20.toml", "--list", "--json"]).expect(0).json();
    let lines: Vec<String> = listed["configurations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let arguments: Vec<&str> =
                one["arguments"].as_array().unwrap().iter().map(|a| a.as_str().unwrap()).collect();
            format!("{}: {}", one["name"].as_str().unwrap(), arguments.join(" "))
        })
        .collect();
    let z3 = |solver: &str, name: &str, seed: u64| {
        format!(
            "{name} seed={seed}: smt.random_seed={seed} sat.random_seed={seed} \
             smt.string_solver={solver} smt.core.minimize=true -smt2 {{file}}"
        )
    };
    let cvc4 = |seed: u64| {
        format!(
            "CVC4 seed={seed}: --strings-exp --lang=smt2.6 --seed={seed} --random-seed={seed} \
             --full-saturate-quant {{file}}"
        )
    };
    let expected = [
        z3("seq", "Z3-seq", 0),
        z3("seq", "Z3-seq", 1465),
        z3("z3str3", "Z3str3", 0),
        z3("z3str3", "Z3str3", 1465),
        cvc4(0),
        cvc4(1465),
    ];
    assert_eq!(lines, expected);
    assert_eq!(listed["sets"], json!([{"name": "icse20", "instances": 7036, "faulty": 0}]));
    assert!(listed["experiment"].as_str().unwrap().contains("timeout = \"15s\""));
    for one in listed["configurations"].as_array().unwrap() {
        assert_eq!(one["script_lines"], json!(["(set-option :produce-models true)"]));
        assert_eq!(one["not_asked"], json!([]));
    }
}
