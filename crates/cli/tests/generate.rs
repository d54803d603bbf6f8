//! `luthier generate` writes suites whose answers are known.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

mod common;

use common::Bench;
use serde_json::Value;

#[test]
fn a_suite_is_counted_and_written_with_a_manifest() {
    let bench = Bench::new();
    let counted = bench.run(&["generate", "--suite", "icse20", "--json"]).expect(0).json();
    assert_eq!(counted["total"], 7036);
    assert_eq!(counted["categories"]["constant-assignment"], 4714);
    assert_eq!(counted["categories"]["redundancy-introduction+patterns"], 178);
    assert_eq!(counted["folder"], Value::Null);
    let arguments = ["generate", "--suite", "icse20-corrected", "--out", "suite", "--json"];
    let written = bench.run(&arguments).expect(0).json();
    assert_eq!(written["categories"]["larger-unsat-core"], 289);
    let manifest = std::fs::read_to_string(bench.path("suite/manifest.jsonl")).unwrap();
    let lines: Vec<Value> =
        manifest.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len() as u64, written["total"].as_u64().unwrap());
    for line in &lines {
        let file = bench.path("suite").join(line["file"].as_str().unwrap());
        let text = std::fs::read_to_string(file).unwrap();
        let expected = line["expected"].as_str().unwrap();
        assert!(text.contains(&format!("(set-info :luthier-expected {expected})")), "{line}");
        assert_eq!(line["witness"].is_array(), expected == "sat", "{line}");
        assert_eq!(line["core"].is_array(), expected == "unsat", "{line}");
    }
    // What is there is not overwritten.
    let again = bench.run(&arguments).expect(1);
    assert!(again.stderr.contains("is not empty"), "{again:?}");
}

#[test]
fn an_unknown_suite_is_named() {
    let run = Bench::new().run(&["generate", "--suite", "icse21"]).expect(1);
    assert!(run.stderr.contains("icse20-corrected"), "{run:?}");
}
