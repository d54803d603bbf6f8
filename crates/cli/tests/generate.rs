//! `luthier generate` writes suites whose answers are known.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use crate::common::Bench;
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
    assert!(again.stderr.contains("suite: is already there"), "{again:?}");
}

/// The same seed gives the same bytes, whatever the number of threads; and archives are read like
/// folders.
#[test]
fn an_endless_suite_is_the_same_on_any_number_of_threads() {
    let bench = Bench::new();
    let bytes = ["1", "8"].map(|jobs| {
        let out = format!("full-{jobs}.tar.zst");
        let arguments = ["--count", "150", "--seed", "5", "--jobs", jobs, "--out", &out, "--json"];
        let made = bench.run(&[&["generate", "--suite", "full"], &arguments[..]].concat());
        let made = made.expect(0).json();
        assert_eq!((made["total"].as_u64(), made["seed"].as_u64()), (Some(150), Some(5)));
        std::fs::read(bench.path(&out)).unwrap()
    });
    assert_eq!(bytes[0], bytes[1]);
    let read = bench.run(&["parse", "full-1.tar.zst", "--json"]).expect(0).json();
    assert_eq!((read["accepted"].as_u64(), read["rejected"].as_u64()), (Some(150), Some(0)));
}

#[test]
fn the_coverage_map_is_shown_for_every_suite() {
    let bench = Bench::new();
    for arguments in [&["full", "--count", "200"][..], &["icse20"]] {
        let run = [&["generate", "--coverage", "--json", "--suite"], arguments].concat();
        let map = &bench.run(&run).expect(0).json()["coverage"];
        let covered = map["covered"].as_u64().unwrap();
        assert!(covered > 100 && covered < map["total"].as_u64().unwrap(), "{map}");
        assert!(map["operators"].as_array().unwrap().iter().any(|row| row["name"] == "str.at"));
    }
    let text = bench.run(&["generate", "--suite", "laws", "--count", "20", "--coverage"]);
    assert!(text.expect(0).stdout.contains("str.replace_re_all"));
}

#[test]
fn what_an_ending_suite_does_not_have_is_refused() {
    let run = Bench::new().run(&["generate", "--suite", "icse20", "--seed", "1"]).expect(1);
    assert!(run.stderr.contains("--seed does not fit icse20"), "{run:?}");
}

#[test]
fn an_unknown_suite_is_named() {
    let run = Bench::new().run(&["generate", "--suite", "icse21"]).expect(1);
    assert!(run.stderr.contains("icse20-corrected"), "{run:?}");
}

/// The file in docs/generate.md, which has the paper's values but for one meaning.
#[test]
fn the_settings_that_are_documented_can_be_used() {
    let page = include_str!("../../../docs/generate.md");
    let (_, file) = page.split_once("```toml\n").unwrap();
    let (file, _) = file.split_once("```").unwrap();
    let bench = Bench::new();
    bench.write("own.toml", file);
    let arguments = ["generate", "--suite", "icse20", "--settings", "own.toml", "--json"];
    let run = bench.run(&arguments).expect(0);
    let own = run.json();
    assert!(run.stderr.contains("left out") && run.stderr.contains("E3"), "{run:?}");
    assert_eq!(own["left_out"]["equivalences"], serde_json::json!(["E3"]));
    assert_eq!(own["left_out"]["equalities"], serde_json::json!(["NC4", "NC5", "NC6", "C4"]));
    let left_out = own["left_out"]["formulas"].as_u64().unwrap();
    let sat = |counted: &Value| {
        let names = ["operation", "constant-assignment", "term-synthesis"];
        names.map(|name| counted["categories"][name].as_u64().unwrap()).iter().sum::<u64>()
    };
    let standard = bench.run(&["generate", "--suite", "icse20", "--json"]).expect(0).json();
    assert_eq!(standard["left_out"], Value::Null);
    assert_eq!(own["total"].as_u64().unwrap(), sat(&own) + 916 - left_out);

    // Without the meaning it is the paper's suite, byte for byte.
    let (before, _) = file.split_once("[semantics]").unwrap();
    bench.write("paper.toml", before);
    let write = |more: &[&str], folder: &str| {
        let arguments = ["generate", "--suite", "icse20", "--out", folder];
        bench.run(&[&arguments[..], more].concat()).expect(0);
    };
    write(&["--settings", "paper.toml"], "with");
    write(&[], "without");
    let manifest = |folder: &str| {
        std::fs::read_to_string(bench.path(&format!("{folder}/manifest.jsonl"))).unwrap()
    };
    assert_eq!(manifest("with"), manifest("without"));
    for line in manifest("with").lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let text = |folder: &str| {
            std::fs::read(bench.path(folder).join(line["file"].as_str().unwrap())).unwrap()
        };
        assert_eq!(text("with"), text("without"), "{line}");
    }
}

#[test]
fn settings_that_are_wrong_or_ask_for_too_much_are_refused() {
    let bench = Bench::new();
    let refuse = |settings: &str, words: &[&str]| {
        bench.write("own.toml", settings);
        let arguments = ["generate", "--suite", "icse20", "--settings", "own.toml"];
        let run = bench.run(&arguments).expect(1);
        assert!(words.iter().all(|word| run.stderr.contains(word)), "{run:?}");
        assert_eq!(run.stdout, "");
    };
    refuse("[semantics]\nreplace = \"none\"", &["own.toml:2:11: ", "empty-pattern-unchanged"]);
    refuse("[constants]", &["own.toml:1:2: ", "unknown field", "docs/generate.md"]);
    refuse("most = 10", &["there are more than 10 formulas", "raise `most`"]);
    let all = "[term-synthesis]\nbound = 3\narguments = \"all\"";
    refuse(all, &["there are more than 100000 terms", "a smaller bound"]);
    let missing = bench.run(&["generate", "--suite", "icse20", "--settings", "none.toml"]);
    assert!(missing.expect(1).stderr.contains("none.toml: "));
}
