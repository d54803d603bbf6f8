//! `luthier export`: all runs, everything about one instance, and the pages as a site.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::fs;

use crate::common::shop::{Shop, TWO, two_with};
use serde_json::Value;

fn shop() -> Shop {
    let shop = Shop::new();
    shop.bench.write("set/one/a, \"b\".smt2", two_with("luthier-expected sat"));
    // A copy of the same file, and a file with two queries.
    shop.bench.write("set/two/copy.smt2", two_with("luthier-expected sat"));
    shop.bench.write("set/two/queries.smt2", format!("{TWO}(check-sat)\n"));
    shop.solver("yes", "echo sat; echo '((define-fun x () String \"abc\"))'; echo said >&2");
    shop.solver("no", "echo unsat");
    shop.run(&["yes", "no"], &[]).expect(2);
    shop
}

fn read(shop: &Shop, file: &str) -> String {
    fs::read_to_string(shop.bench.path(file)).unwrap()
}

#[test]
fn every_run_is_a_line_with_all_that_is_known() {
    let shop = shop();
    let export = ["export", "results.db", "--to", "runs.jsonl", "--json"];
    let record = shop.luthier(&export).expect(0).json();
    assert_eq!(record["runs"], 6);
    let text = read(&shop, "runs.jsonl");
    let runs: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(runs.len(), 6, "two solvers at three places");
    assert_eq!(shop.total(), 6);
    let find = |name: &str, solver: &str| {
        runs.iter()
            .find(|run| run["name"].as_str().unwrap().ends_with(name) && run["solver"] == solver)
            .unwrap()
    };
    let wrong = find("\"b\".smt2", "no");
    assert_eq!((&wrong["set"], &wrong["track"]), (&Value::from("set"), &Value::from("one")));
    let known = ["class", "judgement", "evidence"].map(|name| wrong[name].as_str().unwrap());
    assert_eq!(known, ["unsat", "wrong", "planted"]);
    assert_eq!(wrong["expected"], serde_json::json!(["sat"]));
    assert_eq!(wrong["solved"], false);
    assert_eq!(wrong["ending"], "exit code 0");
    let invalid = find("copy.smt2", "yes");
    assert_eq!(invalid["answers"][0]["model"], "invalid");
    assert!(invalid["answers"][0]["model_detail"].as_str().unwrap().contains("str.len"));
    assert_eq!(invalid["sha256"], wrong["sha256"], "it is the same file");
    assert_eq!(invalid["version"], 2);

    shop.luthier(&["export", "results.db", "--to", "runs.csv"]).expect(0);
    let csv = read(&shop, "runs.csv");
    let mut lines = csv.split("\r\n");
    let columns = lines.next().unwrap().split(',').count();
    assert_eq!(columns, 38);
    let quoted = lines.clone().filter(|line| line.contains("a, \"\"b\"\".smt2\"")).count();
    assert_eq!(quoted, 2, "{csv}");
    assert_eq!(lines.filter(|line| !line.is_empty()).count(), 6);
}

#[test]
fn a_file_that_cannot_be_written_leaves_nothing_behind() {
    let shop = shop();
    let run = shop.luthier(&["export", "results.db", "--to", "no/runs.csv"]).expect(1);
    assert!(run.stderr.contains("cannot be written"), "{run:?}");
    let run = shop.luthier(&["export", "results.db", "--to", "runs.txt"]).expect(1);
    assert!(run.stderr.contains(".csv or .jsonl"), "{run:?}");
    assert!(!shop.bench.path("runs.txt").exists());
    shop.luthier(&["export", "results.db"]).expect(1);
    shop.luthier(&["export", "results.db", "--instance", "1"]).expect(1);
}

#[test]
fn an_instance_is_exported_with_all_that_its_authors_need() {
    let shop = shop();
    let export = |name: &str, out: &str| {
        shop.luthier(&["export", "results.db", "--instance", name, "--out", out])
    };
    export("set/two/queries.smt2", "bundle").expect(0);
    let readme = read(&shop, "bundle/README.md");
    assert!(readme.contains("## yes") && readme.contains("## no"), "{readme}");
    assert!(readme.contains("SHA-256") && readme.contains("--incremental"), "{readme}");
    assert_eq!(read(&shop, "bundle/instance.smt2"), format!("{TWO}(check-sat)\n"));
    let folders: Vec<String> = fs::read_dir(shop.bench.path("bundle"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with("run-"))
        .collect();
    assert_eq!(folders.len(), 2);
    for folder in &folders {
        assert!(read(&shop, &format!("bundle/{folder}/asked.smt2")).contains("(check-sat)"));
        assert!(readme.contains(&format!("{folder}/asked.smt2")), "{readme}");
        let stderr = read(&shop, &format!("bundle/{folder}/stderr.txt"));
        assert_eq!(stderr, if folder.ends_with("yes") { "said\n" } else { "" });
    }
    // Not over something else; as an archive; by number; by a name that two places have.
    export("1", "bundle").expect(1);
    export("1", "bundle.tar.gz").expect(0);
    export("copy.smt2", "copy").expect(0);
    let run = export("quer", "x").expect(1);
    assert!(run.stderr.contains("did you mean") && run.stderr.contains("queries.smt2"), "{run:?}");
    let run = export("nothing", "x").expect(1);
    assert!(run.stderr.contains("there is no instance"), "{run:?}");
    assert!(!shop.bench.path("x").exists());
}

#[test]
fn pages_become_a_site_that_is_brought_up_to_date_and_nothing_else_is_overwritten() {
    let shop = shop();
    let export = ["export", "results.db", "--site", "public", "--json"];
    let record = shop.luthier(&export).expect(0).json();
    assert_eq!((&record["instances"], &record["runs"]), (&Value::from(2), &Value::from(4)));
    let files = record["files"].as_u64().unwrap();
    assert!(files > 30 && record["changed"] == files && record["removed"] == 0, "{record}");
    assert!(
        record["seconds"].as_f64().unwrap() > 0.0 && record["bytes"].as_u64().unwrap() > 10_000
    );
    let first = read(&shop, "public/index.html");
    assert!(first.contains("href=\"set/1.html\"") && first.contains("Content-Security-Policy"));
    let bench = shop.bench.path("").display().to_string();
    assert!(!first.contains(bench.trim_end_matches('/')), "no folder of this machine");
    let again = shop.luthier(&export).expect(0).json();
    assert_eq!((&again["changed"], &again["files"]), (&Value::from(0), &record["files"]));
    // The bench itself is a folder of somebody.
    let refused = shop.luthier(&["export", "results.db", "--site", "."]).expect(1);
    assert!(refused.stderr.contains("no earlier export"), "{}", refused.stderr);
    shop.luthier(&["export", "results.db", "--site", "public", "--to", "runs.csv"]).expect(1);
    shop.luthier(&["export", "no.db", "--site", "other"]).expect(1);
    assert!(!shop.bench.path("other").exists());
}
