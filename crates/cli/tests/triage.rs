//! `luthier reduce`, `bisect` and `issue`, with solvers that are small shell scripts and with CVC4 1.6.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::Run;
use crate::common::shop::Shop;
use serde_json::Value;

/// Answers `$bad` to every formula that contains `$mark`, and `$good` to all others.
const MARKED: &str = r#"for file; do :; done
answer=$good
while read -r line; do
    case "$line" in
        '(reset'*) answer=$good ;;
        '(echo '*) text=${line#(echo \"}; echo "${text%\")}" ;;
        '(check-sat'*) eval "$say" ;;
        *"$mark"*) answer=$bad ;;
    esac
done < "$file""#;

fn marked(shop: &Shop, mark: &str, [good, bad]: [&str; 2], say: &str) {
    let head = format!("mark='{mark}' good={good} bad={bad} say='{say}'");
    shop.solver("picky", &format!("{head}\n{MARKED}"));
}

const SATISFIABLE: &str = r#"; a comment
(set-info :status sat)
(set-logic QF_SLIA)
(set-info :luthier-expected sat)
(set-info :luthier-witness "((define-fun name () String ""hello"") (define-fun n () Int 3))")
(declare-const name String)
(declare-const n Int)
(define-fun twice ((s String)) String (str.++ s s))
(assert (or (= (str.len name) (+ n 2)) (str.prefixof "x" name)))
(assert (=> (str.contains (twice name) "oh") (>= (str.indexof (twice name) "oh" (- n 3)) n)))
(assert (not (str.in_re name ((_ re.loop 2 4) (re.range "a" "z")))))
(check-sat)
"#;

fn reduce(shop: &Shop, more: &[&str]) -> Run {
    shop.luthier(&[&["reduce", "f.smt2", "--json"][..], more].concat())
}

/// The text of a reduced file, which the strict reader accepts and whose witness holds.
fn legal_text(shop: &Shop, record: &Value) -> String {
    let text = record["text"].as_str().unwrap();
    shop.bench.write("reduced.smt2", text);
    shop.luthier(&["parse", "--strict", "reduced.smt2"]).expect(0);
    if record["truth"] == "sat" {
        let witness = text.lines().find_map(|line| {
            let value = line.strip_prefix("(set-info :luthier-witness \"")?;
            Some(value.strip_suffix("\")")?.replace("\"\"", "\""))
        });
        shop.bench.write("witness", witness.unwrap());
        shop.luthier(&["check", "reduced.smt2", "--model", "witness"]).expect(0);
    }
    text.to_owned()
}

#[test]
fn a_wrong_unsat_becomes_small_and_stays_satisfiable() {
    let shop = Shop::new();
    shop.bench.write("f.smt2", SATISFIABLE);
    marked(&shop, "str.indexof", ["sat", "unsat"], "echo $answer");
    let record = reduce(&shop, &["--solver", "picky"]).expect(0).json();
    assert_eq!((&record["class"], &record["truth"]), (&"wrong-unsat".into(), &"sat".into()));
    assert_eq!(record["stopped"], false, "{record}");
    assert!(record["nodes_before"].as_u64().unwrap() > 30, "{record}");
    let text = legal_text(&shop, &record);
    assert!(record["nodes_after"].as_u64().unwrap() <= 6, "{text}");
    assert!(text.contains("str.indexof") && !text.contains("define-fun twice"), "{text}");
    assert!(text.starts_with("; wrong-unsat: picky\n; says: unsat\n; truth: sat"), "{text}");
    // The same for any number of processes, and nothing more to remove the second time.
    for jobs in ["1", "3"] {
        let again = reduce(&shop, &["--solver", "picky", "--jobs", jobs]).expect(0).json();
        assert_eq!(again["text"], record["text"], "{jobs}");
    }
    let again = ["reduce", "reduced.smt2", "--solver", "picky", "--json", "--keep", "wrong-unsat"];
    let again = shop.luthier(&again).expect(0).json();
    assert_eq!(again["nodes_after"], record["nodes_after"], "{again}");
}

#[test]
fn a_wrong_sat_keeps_a_reason_for_unsat() {
    let shop = Shop::new();
    let text = "(set-logic QF_SLIA)(declare-const x String)(declare-const y String)\
        (assert (= (str.len x) 3))(assert (= y (str.replace_all \"aca\" \"a\" \"b\")))\
        (assert (= y (str.++ \"a\" x)))(check-sat)";
    shop.bench.write("f.smt2", text);
    marked(&shop, "str.replace_all", ["unsat", "sat"], "echo $answer");
    let record = reduce(&shop, &["--solver", "picky"]).expect(0).json();
    assert_eq!((&record["class"], &record["truth"]), (&"wrong-sat".into(), &"unsat".into()));
    let text = legal_text(&shop, &record);
    assert!(text.contains("str.replace_all") && text.contains(":luthier-expected unsat"), "{text}");
    assert!(record["nodes_after"].as_u64().unwrap() <= 7, "{text}");
    let reason = record["reason"].as_str().unwrap();
    assert!(reason.contains("proves it") || reason.contains("evaluation"), "{reason}");
}

#[test]
fn a_crash_is_kept_with_its_message() {
    let shop = Shop::new();
    shop.bench.write("f.smt2", SATISFIABLE);
    let say = "test $answer = good && echo sat || { echo \"assertion 12 failed\" >&2; exit 134; }";
    marked(&shop, "re.range", ["good", "bad"], say);
    let record = reduce(&shop, &["--solver", "picky", "--keep", "crash"]).expect(0).json();
    assert_eq!(record["class"], "crash", "{record}");
    let text = legal_text(&shop, &record);
    assert!(text.contains("re.range") && text.contains("assertion 12 failed"), "{text}");
    assert!(record["nodes_after"].as_u64().unwrap() <= 5, "{text}");
}

#[test]
fn a_failure_that_needs_scopes_keeps_them() {
    let shop = Shop::new();
    shop.bench.write("f.smt2", SATISFIABLE);
    // Only between push and pop, as incremental solvers fail.
    marked(&shop, "(push", ["sat", "unsat"], "echo $answer");
    let record = reduce(&shop, &["--solver", "picky", "--keep", "wrong-unsat"]).expect(0).json();
    let text = legal_text(&shop, &record);
    assert!(text.contains("(push 1)"), "{text}");
    assert!(record["nodes_after"].as_u64().unwrap() <= 1, "{text}");
}

#[test]
fn a_command_decides_what_is_interesting() {
    let shop = Shop::new();
    shop.bench.write("f.smt2", SATISFIABLE);
    let record = reduce(&shop, &["--keep", "grep -q str.prefixof {file}"]).expect(0).json();
    assert!(record["class"].is_null(), "{record}");
    let text = legal_text(&shop, &record);
    assert!(text.contains("str.prefixof"), "{text}");
    assert!(record["nodes_after"].as_u64().unwrap() <= 3, "{text}");
    let run = reduce(&shop, &["--keep", "grep -q nothing {file}"]).expect(3);
    assert!(run.stderr.contains("does not succeed"), "{run:?}");
}

#[test]
fn a_run_of_a_database_is_reduced() {
    let shop = Shop::with(SATISFIABLE);
    marked(&shop, "str.indexof", ["sat", "unsat"], "echo $answer");
    shop.run(&["picky"], &[]).expect(2);
    let run = shop.run_of("picky")["run"].as_i64().unwrap().to_string();
    let record = shop.luthier(&["reduce", "results.db", &run, "--json"]).expect(0).json();
    assert_eq!(record["class"], "wrong-unsat", "{record}");
    assert!(legal_text(&shop, &record).contains("str.indexof"));
    let run = shop.luthier(&["reduce", "results.db", "99"]).expect(1);
    assert!(run.stderr.contains("there is no run 99"), "{run:?}");
}

#[test]
fn time_ends_a_reduction_with_the_smallest_formula_so_far() {
    let shop = Shop::new();
    shop.bench.write("f.smt2", SATISFIABLE);
    marked(&shop, "str.indexof", ["sat", "unsat"], "sleep 0.2; echo $answer");
    let more = ["--solver", "picky", "--time", "2s", "--out", "small.smt2"];
    let record = reduce(&shop, &more).expect(0).json();
    assert_eq!((&record["stopped"], &record["truth"]), (&true.into(), &"sat".into()));
    assert_eq!(record["text"], fs::read_to_string(shop.bench.path("small.smt2")).unwrap());
    legal_text(&shop, &record);
}

#[test]
fn time_and_signals_end_processes_that_are_under_way() {
    let shop = Shop::new();
    shop.bench.write("f.smt2", SATISFIABLE);
    // A candidate without the mark meets the limit of its process on the wall after more than 10 s.
    let say = "[ $answer = unsat ] || exec sleep 1000; echo unsat";
    marked(&shop, "str.prefixof", ["sat", "unsat"], say);
    let arguments = ["reduce", "f.smt2", "--solver", "picky", "--json"];
    let record = shop.luthier(&[&arguments[..], &["--time", "2s"]].concat()).expect(0).json();
    assert_eq!(record["stopped"], true);
    assert!(record["seconds"].as_f64().unwrap() < 9.0, "{record}");
    legal_text(&shop, &record);
    let started = Instant::now();
    let mut command = shop.command(&arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    thread::sleep(Duration::from_secs(3));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert!(started.elapsed() < Duration::from_secs(9), "{output:?}");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let record: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(record["stopped"], true);
}

#[test]
fn what_cannot_be_reduced_is_said() {
    let shop = Shop::new();
    shop.bench.write("f.smt2", SATISFIABLE);
    shop.bench.write("bad.smt2", "(assert (= x 1))");
    shop.bench.write("empty.smt2", "(set-logic QF_S)");
    marked(&shop, "nothing", ["sat", "unsat"], "echo $answer");
    for (code, arguments, message) in [
        (1, &["reduce", "f.smt2"][..], "--solver is missing"),
        (1, &["reduce", "none.smt2", "--solver", "picky"], "none.smt2"),
        (
            1,
            &["reduce", "f.smt2", "--solver", "picky", "--keep", "wrong"],
            "neither a kind of failure",
        ),
        (3, &["reduce", "bad.smt2", "--solver", "picky"], "bad.smt2:1:12"),
        (3, &["reduce", "empty.smt2", "--solver", "picky"], "neither an assertion nor a query"),
        (3, &["reduce", "f.smt2", "--solver", "picky"], "picky does not fail in this way"),
        (3, &["reduce", "f.smt2", "--solver", "picky", "--keep", "wrong-sat"], "the answer"),
        (1, &["bisect", "f.smt2", "--solver", "./z3"], "has no releases"),
        (1, &["issue", "f.smt2"], "does not say which solver fails"),
        (3, &["issue", "f.smt2", "--solver", "picky"], "does not fail"),
    ] {
        let run = shop.luthier(arguments).expect(code);
        assert!(run.stderr.contains(message), "{arguments:?}: {run:?}");
    }
    let check = ["reduce", "f.smt2", "--solver", "picky", "--check", "--keep", "wrong-unsat"];
    shop.luthier(&check).expect(3);
}

#[test]
fn a_hunt_reduces_what_it_finds() {
    let shop = Shop::new();
    marked(&shop, "str.at", ["unknown", "unsat"], "echo $answer");
    let arguments = ["hunt", "picky", "--suite", "planted", "--count", "60", "--most", "2"];
    shop.luthier(&[&arguments[..], &["--out", "found"]].concat()).expect(2);
    let text = fs::read_to_string(shop.bench.path("found/findings.jsonl")).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!lines.is_empty());
    for line in lines {
        let file = format!("found/{}", line["reduced"].as_str().unwrap());
        assert!(line["nodes_after"].as_u64() <= line["nodes_before"].as_u64(), "{line}");
        assert!(line["nodes_after"].as_u64().unwrap() <= 10, "{line}");
        let check = ["reduce", &file, "--solver", "picky", "--check", "--keep", "wrong-unsat"];
        shop.luthier(&check).expect(0);
    }
    let arguments = ["hunt", "picky", "--suite", "planted", "--count", "60", "--no-reduce"];
    shop.luthier(&[&arguments[..], &["--out", "plain"]].concat()).expect(2);
    let text = fs::read_to_string(shop.bench.path("plain/findings.jsonl")).unwrap();
    assert!(text.contains("\"reduced\":null"), "{text}");
}

/// CVC4 1.6 orders characters in another way than the standard; the failure is the same in all releases
/// that are installed here, which is one.
#[test]
fn a_real_release_is_bisected_and_reported() {
    let shop = Shop::new();
    let text = "; wrong-unsat: cvc4@1.6\n(set-logic QF_S)(set-info :luthier-expected sat)\
        (declare-const x String)(assert (= x \"1\"))(assert (str.<= x \"a\"))(check-sat)";
    shop.bench.write("f.smt2", text);
    let install = ["solvers", "install", "cvc4@1.6"];
    shop.luthier(&install).expect(0);
    let arguments = ["bisect", "f.smt2", "--solver", "cvc4@1.6", "--installed", "--json"];
    let record = shop.luthier(&[&arguments[..], &["--chart", "t.svg"]].concat()).expect(0).json();
    assert_eq!((&record["class"], &record["first_bad"]), (&"wrong-unsat".into(), &"1.6".into()));
    assert!(record["last_good"].is_null() && record["first_good_again"].is_null(), "{record}");
    assert_eq!(record["releases"][0]["outcome"], "wrong-unsat", "{record}");
    assert!(fs::read_to_string(shop.bench.path("t.svg")).unwrap().contains("<svg"));

    let issue = ["issue", "f.smt2", "--out", "reports", "--queue", "queue.json", "--sent"];
    shop.luthier(&issue).expect(0);
    let report = fs::read_to_string(shop.bench.path("reports/f.md")).unwrap();
    for part in [
        "# cvc4@1.6: wrong `unsat` (refutation unsoundness) with `str.<=`",
        "The newest release, 1.6, fails in the same way.",
        "| `x` | `\"1\"` |",
        "| **assertion** `(str.<= x \"a\")` | **`true`** |",
        "--strings-exp",
    ] {
        assert!(report.contains(part), "{part} in {report}");
    }
    let again = shop.luthier(&[&issue[..], &["--json"]].concat()).expect(0).json();
    assert_eq!(again["sent_before"], serde_json::json!(["f.smt2"]), "{again}");
    shop.bench.write("g.smt2", text.replace("\"1\"", "\"2\""));
    let issue = ["issue", "g.smt2", "--queue", "queue.json", "--per-week", "1", "--json"];
    let waits = shop.luthier(&issue).expect(0).json();
    assert_eq!(waits["waiting"], serde_json::json!(["g.smt2"]), "{waits}");
}
