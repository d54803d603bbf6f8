//! A database of the version before is read, and has the figures that it had.
//!
//! `data/before` was made by the version before the kinds `wrong-unsat` and `wrong-sat`, of six formulas
//! of the suite `demo` (incremental, overlap, path_traversal, pumping, replace_in_empty, token_length)
//! and solvers that are shell scripts:
//!
//! * `yes`: `echo sat; echo '((define-fun x () String "babab"))'`
//! * `no`: `echo unsat; echo '(nobody)'`
//! * `ill`: `echo unsat; kill -SEGV $$`
//! * `accepts` and `rejects`, which verify models: `echo sat` and `echo unsat`
//!
//! `luthier run --bench demo --solver yes --solver no --solver ill --verify-with accepts --verify-with
//! rejects --db results.db --timeout 10s`. What is recorded about the machine was made up afterwards.
//! The other files are what that version said: `summary --json` and `--findings --json`, `report --format
//! csv`, `show 4 --json`, and `/api/v1/standings` and `/api/v1/findings`.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::path::PathBuf;

use crate::common::server::Server;
use crate::common::shop::Shop;
use serde_json::Value;

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/before").join(name)
}

fn before(name: &str) -> Value {
    serde_json::from_slice(&std::fs::read(data(name)).unwrap()).unwrap()
}

fn shop() -> Shop {
    let shop = Shop::new();
    shop.bench.write("results.db", std::fs::read(data("results.sqlite")).unwrap());
    shop
}

/// What a kind of the version before is called now, by what was said.
fn kind_now(finding: &Value) -> String {
    match (finding["kind"].as_str().unwrap(), finding["said"].as_str()) {
        ("wrong-verdict", said) => format!("wrong-{}", said.unwrap()),
        (kind, _) => kind.to_owned(),
    }
}

/// All fields of `before` are in `now`, with the same values.
#[track_caller]
fn check_fields(before: &Value, now: &Value, but_for: &[&str]) {
    for (name, value) in before.as_object().unwrap() {
        if !but_for.contains(&name.as_str()) {
            assert_eq!(&now[name], value, "{name} of {now}");
        }
    }
}

#[test]
fn summary_has_the_figures_that_it_had() {
    let shop = shop();
    let now = shop.rows();
    let before = before("summary.json");
    let before = before.as_array().unwrap();
    assert_eq!(now.len(), before.len());
    for (now, before) in now.iter().zip(before) {
        check_fields(before, now, &[]);
    }
}

#[test]
fn summary_has_the_findings_that_it_had() {
    let shop = shop();
    let now = shop.findings();
    let before = before("findings.json");
    for before in before["findings"].as_array().unwrap() {
        let is_same = |now: &&Value| {
            now["kind"] == kind_now(before).as_str()
                && ["instance", "query", "run"].iter().all(|name| now[name] == before[name])
        };
        let same: Vec<&Value> = now.iter().filter(is_same).collect();
        assert_eq!(same.len(), 1, "{before}: {same:?}");
        check_fields(before, same[0], &["kind"]);
    }
    // Crashes were not listed by that version, but on its pages.
    let crashes = now.iter().filter(|one| one["kind"] == "crash").count();
    assert_eq!(now.len() - crashes, before["findings"].as_array().unwrap().len());
    shop.luthier(&["summary", "results.db"]).expect(2);
}

#[test]
fn show_and_report_say_what_they_said() {
    let shop = shop();
    check_fields(&before("show.json"), &shop.show(4), &["version", "reproduce", "reproduce_note"]);
    let csv = shop.luthier(&["report", "results.db", "--format", "csv"]).expect(2).stdout;
    assert_eq!(csv, std::fs::read_to_string(data("standings.csv")).unwrap());
    let report = ["report", "results.db", "--format", "json", "--table", "findings", "--all"];
    let report = shop.luthier(&report).expect(2).json();
    assert_eq!(report["tables"]["findings"].as_array().unwrap().len(), shop.findings().len());
}

#[test]
fn rest_has_the_figures_that_it_had() {
    let shop = shop();
    let server = Server::start(&shop.bench, &[]);
    let now = |path: &str| -> Value { serde_json::from_str(&server.body(path)).unwrap() };
    assert_eq!(now("/api/v1/standings"), before("rest_standings.json"));
    let before = before("rest_findings.json");
    let findings = now("/api/v1/findings?limit=1000");
    for (kind, count) in before["counts"].as_object().unwrap() {
        match kind.as_str() {
            "wrong-verdict" => {
                let of = |kind: &str| findings["counts"][kind].as_u64().unwrap();
                assert_eq!(count.as_u64(), Some(of("wrong-unsat") + of("wrong-sat")));
                let both = now("/api/v1/findings?kind=wrong-verdict");
                assert_eq!(both["findings"]["total"], *count);
            }
            // They were not counted there, only in the summary.
            "different-opinion" => assert_eq!(findings["counts"][kind], 2),
            kind => assert_eq!(findings["counts"][kind], *count, "{kind}"),
        }
    }
    let items = findings["findings"]["items"].as_array().unwrap();
    for before in before["findings"]["items"].as_array().unwrap() {
        let is_same = |now: &&Value| {
            let is_kind = match before["kind"].as_str().unwrap() {
                "wrong-verdict" => now["kind"].as_str().unwrap().starts_with("wrong-"),
                kind => now["kind"] == kind,
            };
            is_kind && ["instance", "run"].iter().all(|name| now[name] == before[name])
        };
        let same: Vec<&Value> = items.iter().filter(is_same).collect();
        assert_eq!(same.len(), 1, "{before}");
        check_fields(before, same[0], &["kind"]);
    }
    let page = server.body("/findings");
    assert!(page.contains("Different opinions (2)") && page.contains("Crashes (6)"));
}
