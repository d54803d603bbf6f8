//! `luthier hunt`, with solvers that are small shell scripts.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::fs;

use crate::common::shop::Shop;
use serde_json::Value;

/// Echoes what it is told to, and answers every query with `$answer`.
const ECHO: &str = r#"for file; do :; done
while read -r line; do
    case "$line" in
        '(echo '*) text=${line#(echo \"}; echo "${text%\")}" ;;
        '(check-sat'*) echo "$answer" ;;
    esac
done < "$file""#;

fn liar(shop: &Shop, answer: &str) {
    shop.solver("liar", &format!("answer={answer}\n{ECHO}"));
}

/// The lines of `findings.jsonl`.
fn lines(shop: &Shop, folder: &str) -> Vec<Value> {
    let text = fs::read_to_string(shop.bench.path(&format!("{folder}/findings.jsonl"))).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_solver_that_is_wrong_is_found_with_files_that_show_it() {
    let shop = Shop::new();
    liar(&shop, "unsat");
    let arguments = ["hunt", "liar", "--suite", "planted", "--count", "20", "--most", "1"];
    let run = shop.luthier(&[&arguments[..], &["--json", "--out", "found"]].concat()).expect(2);
    let record = run.json();
    assert_eq!(record["cases"], 20, "{record}");
    let wrong = record["wrong_unsat"].as_u64().unwrap();
    assert!(wrong > 0, "{record}");
    for class in ["wrong_sat", "invalid_model", "invalid_core", "crash", "incomplete"] {
        assert_eq!(record[class], 0, "{record}");
    }
    assert_eq!(record["findings"], wrong, "{record}");
    assert!(record["similar"].as_u64().unwrap() > 0, "{record}");
    assert_eq!(record["solvers"][0]["unsat"], record["formulas"], "{record}");
    let files = record["files"]["wrong-unsat"].as_array().unwrap();
    assert_eq!(files.len() as u64, wrong);
    let lines = lines(&shop, "found");
    assert_eq!(lines.len() as u64, wrong);
    for (line, file) in lines.iter().zip(files) {
        assert_eq!((&line["file"], &line["expected"]), (file, &"sat".into()));
        let path = format!("found/{}", file.as_str().unwrap());
        let text = fs::read_to_string(shop.bench.path(&path)).unwrap();
        assert!(text.starts_with("; wrong-unsat: liar\n; says: unsat\n; truth: sat"), "{text}");
        assert!(text.contains("; witness: (") && text.contains("(check-sat)"), "{text}");
        // Anybody can check the truth: the witness satisfies the formula.
        let witness = text.lines().find_map(|line| line.strip_prefix("; witness: ")).unwrap();
        shop.bench.write("witness", witness);
        shop.luthier(&["check", &path, "--model", "witness"]).expect(0);
        assert!(shop.bench.path(&format!("found/{}", line["copy"].as_str().unwrap())).exists());
    }
}

#[test]
fn the_same_seed_finds_the_same_with_any_number_of_jobs() {
    let shop = Shop::new();
    liar(&shop, "sat");
    let hunt = |jobs: &str, out: &str, seed: &str| {
        let arguments = ["hunt", "liar", "--suite", "laws", "--suite", "bounded", "--count", "150"];
        let more = ["--jobs", jobs, "--out", out, "--seed", seed, "--most", "2"];
        shop.luthier(&[&arguments[..], &more].concat()).expect(2);
        fs::read(shop.bench.path(&format!("{out}/findings.jsonl"))).unwrap()
    };
    let one = hunt("1", "one", "5");
    assert!(!one.is_empty());
    assert_eq!(one, hunt("4", "four", "5"));
    assert_ne!(one, hunt("1", "other", "6"));
}

#[test]
fn a_solver_that_says_nothing_wrong_ends_with_0_and_leaves_no_folder() {
    let shop = Shop::new();
    liar(&shop, "unknown");
    let run = shop.luthier(&["hunt", "liar", "--suite", "planted", "--count", "5"]).expect(0);
    assert!(run.stdout.contains("wrong unsat             0"), "{run:?}");
    assert!(!shop.bench.path("hunt-0").exists());
}

#[test]
fn what_cannot_be_hunted_is_said() {
    let shop = Shop::new();
    liar(&shop, "unsat");
    shop.bench.write("full/file", "");
    for (arguments, message) in [
        (&["hunt"][..], "SOLVER"),
        (&["hunt", "liar", "liar", "--count", "1"], "liar is named twice"),
        (&["hunt", "liar", "--out", "full", "--count", "1"], "full: is not empty"),
        (&["hunt", "liar", "--suite", "none"], "planted, tangled, bounded, laws, random"),
        (&["hunt", "liar", "--jobs", "0"], "at least 1 job"),
        (&["hunt", "z3@4.8.5", "--count", "1"], "luthier solvers install z3@4.8.5"),
    ] {
        let run = shop.luthier(arguments).expect(1);
        assert!(run.stderr.contains(message), "{run:?}");
    }
}

#[test]
fn the_default_folder_gets_a_number_if_it_is_taken() {
    let shop = Shop::new();
    liar(&shop, "unsat");
    let arguments = ["hunt", "liar", "--suite", "planted", "--count", "3", "--seed", "9"];
    for folder in ["hunt-9", "hunt-9-2"] {
        let run = shop.luthier(&arguments).expect(2);
        assert!(run.stdout.contains(&format!("findings in {folder}\n")), "{run:?}");
    }
}

/// The release of the paper, which is small to fetch and wrong about formulas of the paper's kind.
#[test]
fn cvc4_1_6_is_found_wrong() {
    let shop = Shop::new();
    let arguments = ["hunt", "cvc4@1.6", "--install", "--suite", "bounded", "--count", "1500"];
    let run =
        shop.luthier(&[&arguments[..], &["--most", "1", "--json", "--out", "found"]].concat());
    let record = run.expect(2).json();
    assert_eq!(record["planted_against_model"], 0, "{record}");
    let line = &lines(&shop, "found")[0];
    assert!(line["command"].as_str().unwrap().contains("--strings-exp"), "{line}");
}
