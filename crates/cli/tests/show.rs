//! `luthier show DB INSTANCE`: one instance across all solvers.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use crate::common::shop::{Shop, TWO, two_with};
use serde_json::{Value, json};

/// Solvers that are right with a valid model, right with an invalid one, wrong, and slow.
fn shop() -> Shop {
    let shop = Shop::with(&two_with("luthier-expected sat"));
    shop.bench.write("set/deep/b.smt2", TWO.replace('2', "3"));
    shop.bench.write("other/b.smt2", TWO.replace('2', "4"));
    shop.solver("right", "echo sat; echo '((define-fun x () String \"ab\"))'");
    shop.solver("invalid", "echo sat; echo '((define-fun x () String \"abc\"))'");
    shop.solver("wrong", "echo unsat");
    shop.solver("mute", "echo unknown");
    shop.run(&["right", "invalid", "wrong", "mute"], &["--bench", "other"]).expect(2);
    shop
}

/// The cells of the row that begins with this name; columns are two blanks apart.
fn row<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let found = text.lines().find(|line| line.starts_with(&format!("{name} ")));
    let cells = found.unwrap_or_else(|| panic!("{name}: {text}")).split("  ").map(str::trim);
    cells.filter(|cell| !cell.is_empty()).collect()
}

#[test]
fn an_instance_is_one_table_across_solvers_with_truth_and_models() {
    let shop = shop();
    let text = shop.luthier(&["show", "results.db", "set/a.smt2"]).expect(0).stdout;
    let titles = row(&text, "solver");
    assert_eq!(
        titles,
        ["solver", "verdict", "class", "judgement", "CPU s", "model", "core", "run"]
    );
    let cells = |name: &str| {
        let mut cells = row(&text, name);
        assert!(cells[4].parse::<f64>().is_ok(), "{text}");
        cells.truncate(6);
        cells.remove(4);
        cells.join(" | ")
    };
    assert_eq!(cells("right"), "right | sat | sat | right (planted) | valid");
    assert_eq!(cells("invalid"), "invalid | sat | sat | right (planted) | INVALID");
    assert_eq!(cells("wrong"), "wrong | unsat | unsat | WRONG (planted) | -");
    assert_eq!(cells("mute"), "mute | unknown | unknown | no-claim | -");
    assert!(text.contains("ground truth  sat (planted answer)"), "{text}");
    assert!(text.contains("model of right (run "), "{text}");
    assert!(text.contains(", valid\n  x = \"ab\"\n"), "{text}");
    assert!(text.contains(", invalid: ") && text.contains("\n  x = \"abc\"\n"), "{text}");
    let order = ["solver ", "ground truth", "model of right"].map(|part| text.find(part).unwrap());
    assert!(order.is_sorted(), "{text}");
}

#[test]
fn the_json_of_an_instance_has_truth_runs_and_models() {
    let shop = shop();
    let record = shop.luthier(&["show", "results.db", "set/a.smt2", "--json"]).expect(0).json();
    assert_eq!(record["places"], json!(["set/a.smt2"]));
    let truth = json!([{
        "set": "set", "query": 1, "verdict": "sat", "evidence": "planted",
        "conflicts": ["solvers"],
    }]);
    assert_eq!(record["truth"], truth, "{record}");
    let runs = record["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 4);
    for run in runs {
        let number = run["run"].as_i64().unwrap();
        let shown = shop.show(number);
        assert_eq!((&shown["solver"], &shown["class"]), (&run["solver"], &run["class"]));
        // What both have about an answer is the same.
        for (of_run, of_instance) in
            shown["answers"].as_array().unwrap().iter().zip(run["answers"].as_array().unwrap())
        {
            for (name, value) in of_run.as_object().unwrap() {
                assert_eq!(&of_instance[name], value, "{name}");
            }
        }
    }
    let right = runs.iter().find(|run| run["solver"] == "right").unwrap();
    let model = right["answers"][0]["model_text"].as_str().unwrap();
    assert!(model.contains("(define-fun x () String \"ab\")"), "{model}");
    assert_eq!(right["answers"][0]["model"], "valid");
    let number = record["instance"].as_i64().unwrap().to_string();
    let again = ["show", "results.db", "--instance", &number, "--json"];
    assert_eq!(shop.luthier(&again).expect(0).json(), record);
}

#[test]
fn an_instance_is_found_by_place_end_of_path_and_digest() {
    let shop = shop();
    let instance = |name: &str| -> Value {
        let run = shop.luthier(&["show", "results.db", name, "--json"]).expect(0);
        run.json()["places"].clone()
    };
    for name in ["set/deep/b.smt2", "deep/b.smt2", "deep/b", "set/deep/b"] {
        assert_eq!(instance(name), json!(["set/deep/b.smt2"]), "{name}");
    }
    assert_eq!(instance("other/b.smt2"), json!(["other/b.smt2"]));
    assert_eq!(instance("a"), json!(["set/a.smt2"]));
    let record = shop.luthier(&["show", "results.db", "a.smt2", "--json"]).expect(0).json();
    let digest = record["sha256"].as_str().unwrap();
    assert_eq!(instance(digest), json!(["set/a.smt2"]));
    assert_eq!(instance(&digest[..12]), json!(["set/a.smt2"]));

    for name in ["b.smt2", "b"] {
        let several = shop.luthier(&["show", "results.db", name]).expect(1);
        let said = format!("several instances are called {name:?}");
        for part in [said.as_str(), ": set/deep/b.smt2", ": other/b.smt2", "--instance"] {
            assert!(several.stderr.contains(part), "{part}: {several:?}");
        }
    }
    let none = shop.luthier(&["show", "results.db", "nothing.smt2"]).expect(1);
    assert!(none.stderr.contains("there is no instance \"nothing.smt2\""), "{none:?}");
    let similar = shop.luthier(&["show", "results.db", "eep/b"]).expect(1);
    assert!(similar.stderr.contains("did you mean\n"), "{similar:?}");
}

#[test]
fn a_number_is_a_run_and_parts_of_a_run_need_one() {
    let shop = shop();
    let run = shop.luthier(&["show", "results.db", "1"]).expect(0).stdout;
    assert!(run.starts_with("run        1\n"), "{run}");
    let input = shop.luthier(&["show", "results.db", "a.smt2", "--input"]).expect(0).stdout;
    assert_eq!(input, two_with("luthier-expected sat"));
    let copy = shop.luthier(&["show", "results.db", "a.smt2", "--copy"]).expect(1);
    assert!(copy.stderr.contains("are about one run"), "{copy:?}");
    shop.luthier(&["show", "results.db"]).expect(1);
}

#[test]
fn scripts_with_several_queries_have_a_row_for_each() {
    let again = "(push 1)(set-info :luthier-expected unsat)(assert false)(check-sat)(pop 1)";
    let shop = Shop::with(&format!("{}{again}", two_with("luthier-expected sat")));
    shop.solver("both", "echo sat; echo sat");
    shop.run(&["both"], &[]).expect(2);
    let text = shop.luthier(&["show", "results.db", "a.smt2"]).expect(0).stdout;
    assert!(text.contains("ground truth  query 1: sat (planted answer)\n"), "{text}");
    assert!(text.contains("ground truth  query 2: unsat (planted answer)"), "{text}");
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("both ")).collect();
    assert_eq!(rows.len(), 2, "{text}");
    assert!(rows[0].contains("right (planted)") && rows[1].contains("WRONG (planted)"), "{text}");
}
