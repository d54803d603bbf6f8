//! `luthier hunt`, with solvers that are small shell scripts.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::shop::{Shop, survivors};
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
fn option_sets_are_asked_in_turn_and_named_with_each_finding() {
    let shop = Shop::new();
    let version = "[ \"$1\" = --version ] && echo 'Z3 version 5.4.0' && exit";
    shop.program("z3", &format!("{version}\nanswer=unsat\n{ECHO}"));
    let arguments = ["hunt", "z3", "--suite", "planted", "--count", "130", "--most", "1"];
    let more = ["--options", "all", "--no-reduce", "--json", "--out", "found"];
    let record = shop.luthier(&[&arguments[..], &more].concat()).expect(2).json();
    let solvers = record["solvers"].as_array().unwrap();
    assert!(solvers.len() > 3, "{record}");
    assert!(solvers.iter().any(|one| one["solver"].as_str().unwrap().ends_with("+simplex")));
    assert_eq!(record["decided"], record["queries"], "{record}");
    let lines = lines(&shop, "found");
    assert!(lines.iter().any(|line| line["option_sets"].as_array().unwrap().is_empty()));
    assert!(lines.iter().any(|line| !line["option_sets"].as_array().unwrap().is_empty()));
    for line in &lines {
        let sets = line["option_sets"].as_array().unwrap();
        let expert = sets.iter().any(|set| set == "no-relevancy" || set == "no-monadic-regexes");
        assert_eq!(line["expert_options"], expert, "{line}");
    }
}

/// Our own solver, once as it is and once so that it never pops.
#[test]
fn a_solver_that_forgets_to_pop_is_found_by_sessions_and_a_right_one_gives_nothing() {
    for (forgets, code) in [(true, 2), (false, 0)] {
        let shop = Shop::new();
        let luthier = env!("CARGO_BIN_EXE_luthier");
        let filter = if forgets { "sed -e 's/^(pop .*//'" } else { "cat" };
        shop.solver("stack", &format!(
            "for file; do :; done\n{filter} \"$file\" | {luthier} solve --dialect 2.7 --timeout 2s -"
        ));
        let arguments = ["hunt", "stack", "--suite", "laws", "--count", "128", "--most", "2"];
        let more = ["--sessions", "2", "--jobs", "2", "--no-reduce", "--json", "--out", "found"];
        let record = shop.luthier(&[&arguments[..], &more].concat()).expect(code).json();
        assert_eq!(record["planted_against_model"], 0, "{record}");
        assert_eq!(record["wrong_unsat"].as_u64().unwrap() > 0, forgets, "{record}");
        if forgets {
            let lines = lines(&shop, "found");
            let session = lines.iter().find(|line| line["incremental_only"] == true).unwrap();
            let path = format!("found/{}", session["file"].as_str().unwrap());
            let text = fs::read_to_string(shop.bench.path(&path)).unwrap();
            assert!(text.contains("(pop ") && text.contains("; says: query "), "{text}");
        }
    }
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
        (&["hunt", "liar", "--suite", "none"], "small-bounded, unusual, idioms, rewrites"),
        (&["hunt", "liar", "--jobs", "0"], "at least 1 job"),
        (&["hunt", "liar", "--slow"], "--slow compares at least two solvers"),
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

#[test]
fn formulas_are_made_of_files_and_what_is_not_usable_is_counted() {
    let shop = Shop::new();
    liar(&shop, "unsat");
    let script = "(declare-const x String)(assert (str.contains x \"ab\"))(check-sat)";
    shop.bench.write("seeds/one.smt2", script);
    shop.bench.write("seeds/ground.smt2", "(assert (= (str.len \"a\") 1))(check-sat)");
    let arguments = ["hunt", "liar", "--from", "seeds", "--count", "20", "--json"];
    let run = shop.luthier(&[&arguments[..], &["--out", "found"]].concat()).expect(2);
    assert!(run.stderr.contains("1 seed from 2 files; not usable: no constants 1"), "{run:?}");
    let record = run.json();
    assert_eq!((&record["from"][0], &record["cases"]), (&"seeds".into(), &20.into()), "{record}");
    assert!(record["wrong_unsat"].as_u64().unwrap() > 0, "{record}");
    assert!(lines(&shop, "found").iter().all(|line| line["category"] == "seeded"));
    let nothing = shop.luthier(&["hunt", "liar", "--from", "seeds/ground.smt2"]).expect(1);
    assert!(nothing.stderr.contains("nothing can be made of 1 file"), "{nothing:?}");
    let missing = shop.luthier(&["hunt", "liar", "--from", "nowhere"]).expect(1);
    assert!(missing.stderr.contains("nowhere: no such file or folder"), "{missing:?}");
}

#[test]
fn an_enumeration_goes_on_where_a_hunt_ended() {
    let shop = Shop::new();
    liar(&shop, "unknown");
    let next = |start: u64, count: &str| {
        let start = start.to_string();
        let arguments = ["hunt", "liar", "--suite", "small", "--count", count, "--start", &start];
        let run =
            shop.luthier(&[&arguments[..], &["--variants", "0", "--no-reduce", "--json"]].concat());
        run.expect(0).json()["next_start"].as_u64().unwrap()
    };
    let middle = next(0, "70");
    assert_eq!(next(middle, "70"), next(0, "140"));
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

/// Z3 4.8.9 takes "-1" for the decimal form of -1, which has none.
#[test]
fn a_wrong_rule_of_z3_4_8_9_is_found_by_its_rewriter() {
    let shop = Shop::new();
    let arguments = ["hunt", "z3@4.8.9", "--install", "--suite", "rewrites", "--count", "12000"];
    let run = shop.luthier(&[&arguments[..], &["--json", "--out", "found"]].concat());
    let record = run.expect(2).json();
    let counts = &record["solvers"][0]["rewrites"];
    let count = |field: &str| counts[field].as_u64().unwrap();
    assert!(count("differences") > 0 && count("compared") > 3000, "{record}");
    let lines = lines(&shop, "found");
    let shows = |line: &&Value| {
        let reasons = line["reasons"].to_string();
        line["class"] == "wrong-rewrite" && reasons.contains("str.from_int")
    };
    let line = lines.iter().find(shows).unwrap();
    assert!(line["reasons"][1].as_str().unwrap().contains("(- 1)"), "{line}");
    // The finding can be checked: the formula of the file has the model as its witness.
    let path = format!("found/{}", line["file"].as_str().unwrap());
    let text = fs::read_to_string(shop.bench.path(&path)).unwrap();
    let witness = text.lines().find_map(|line| line.strip_prefix("; witness: ")).unwrap();
    shop.bench.write("witness", witness);
    shop.luthier(&["check", &path, "--model", "witness"]).expect(0);
}

/// One solver has no end where there is a replacement, the other answers at once.
#[test]
fn a_solver_that_is_slow_on_one_operator_is_found_with_both_times() {
    let shop = Shop::new();
    let endless = "*str.replace*) while :; do :; done ;;\n        '(check-sat'*)";
    shop.solver("snail", &format!("answer=sat\n{}", ECHO.replace("'(check-sat'*)", endless)));
    shop.solver("hare", &format!("answer=sat\n{ECHO}"));
    // A member of each family goes before a case; replacements are in the fifth one.
    let arguments = ["hunt", "hare", "snail", "--slow", "--count", "5", "--suite", "laws"];
    let more = ["--timeout", "120ms", "--most", "1", "--json", "--out", "found"];
    let record = shop.luthier(&[&arguments[..], &more].concat()).expect(0).json();
    assert_eq!(record["cases"], 5, "{record}");
    assert!(record["slow"].as_u64().unwrap() > 0, "{record}");
    assert_eq!((&record["solvers"][0]["slow"], &record["findings"]), (&0.into(), &record["slow"]));
    let lines = lines(&shop, "found");
    for line in &lines {
        assert_eq!((&line["class"], &line["solver"]), (&"slow".into(), &"snail".into()), "{line}");
        let reasons = line["reasons"].as_array().unwrap();
        assert!(reasons[0].as_str().unwrap().contains("snail: timeout after 1."), "{line}");
        assert!(reasons[1].as_str().unwrap().contains("hare: sat after 0.0"), "{line}");
    }
    assert!(lines.iter().any(|line| line["formula"] == "family-nested-replace-004"), "{lines:?}");
}

#[test]
fn a_signal_ends_a_hunt_and_its_solvers_at_once() {
    for (number, signal) in ["INT", "TERM"].into_iter().enumerate() {
        let shop = Shop::new();
        let nap = format!("{}.{number}", 400_000_000 + u64::from(std::process::id()));
        shop.solver("slow", &format!("trap '' {signal}; sleep {nap}; echo sat"));
        // Without the limits of a hunt the batch would go on for minutes.
        let arguments = ["hunt", "slow", "--suite", "planted", "--timeout", "600s", "--json"];
        let mut command = shop.command(&arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        let started = Instant::now();
        while survivors(&nap).is_empty() {
            assert!(started.elapsed() < Duration::from_secs(120), "no solver was started");
            thread::sleep(Duration::from_millis(5));
        }
        let line = format!("kill -{signal} {}", child.id());
        assert!(Command::new("/bin/sh").args(["-c", &line]).status().unwrap().success());
        let sent = Instant::now();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        // A second on an idle machine; tests run beside others.
        assert!(sent.elapsed() < Duration::from_secs(10), "{:?}", sent.elapsed());
        let record: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(record["stopped"], true, "{record}");
        while !survivors(&nap).is_empty() {
            assert!(sent.elapsed() < Duration::from_secs(20), "the solver outlives the hunt");
            thread::sleep(Duration::from_millis(5));
        }
    }
}
