//! `luthier lint`.

use crate::common::Bench;
use serde_json::json;

#[test]
fn a_clean_script_has_no_finding() {
    let bench = Bench::new();
    bench.write(
        "clean.smt2",
        "(set-info :smt-lib-version 2.7)\n(set-logic QF_S)\n(declare-const x String)\n(assert (= x \"a\"))\n(check-sat)\n",
    );
    let run = bench.run(&["lint", "clean.smt2"]).expect(0);
    assert_eq!(run.stdout, "0 errors and 0 warnings in 1 file\n");
    let run = bench.run(&["lint", "--json", "clean.smt2"]).expect(0).json();
    assert_eq!(run["files"][0]["diagnostics"], json!([]));
    assert_eq!(run["files"][0]["dialect"], "2.7");
    assert_eq!(run["files"][0]["reason"], "declared by :smt-lib-version");
}

#[test]
fn findings_have_place_code_caret_and_hint() {
    let bench = Bench::new();
    bench.write("old.smt2", "(declare-const x String)\n(assert (str.in.re x (str.to.re \"a\")))\n");
    let run = bench.run(&["lint", "old.smt2"]).expect(3);
    assert!(run.stdout.contains("old.smt2:2:10: error[legacy-name]:"), "{run:?}");
    assert!(run.stdout.contains("2 | (assert (str.in.re x"), "{run:?}");
    assert!(run.stdout.contains("  |          ^^^^^^^^^"), "{run:?}");
    assert!(run.stdout.ends_with("in 1 file\n"), "{run:?}");
    let run = bench.run(&["lint", "--json", "old.smt2"]).expect(3).json();
    let finding = &run["files"][0]["diagnostics"][0];
    assert_eq!(finding["severity"], "error");
    assert_eq!(finding["code"], "legacy-name");
    assert_eq!((&finding["line"], &finding["column"]), (&json!(2), &json!(10)));
    assert_eq!((&finding["end_line"], &finding["end_column"]), (&json!(2), &json!(19)));
    assert!(finding["message"].is_string());
    assert_eq!(run["errors"], run["files"][0]["diagnostics"].as_array().unwrap().len());
}

#[test]
fn the_generous_reader_only_warns() {
    let bench = Bench::new();
    bench.write("old.smt2", "(declare-const x String)\n(assert (str.in.re x (str.to.re \"a\")))\n");
    let run = bench.run(&["lint", "--generous", "--json", "old.smt2"]).expect(3).json();
    assert_eq!(run["errors"], 0);
    assert!(run["warnings"].as_u64().unwrap() > 0);
}

#[test]
fn all_files_of_a_folder_are_looked_at() {
    let bench = Bench::new();
    bench.write("a.smt2", "(assert x)");
    bench.write("b/c.smt2", "(check-sat)");
    let run = bench.run(&["lint", "--json", ".", "missing"]).expect(3).json();
    assert_eq!(run["files"].as_array().unwrap().len(), 2);
    assert_eq!(run["unreadable"].as_array().unwrap().len(), 1);
}

#[test]
fn all_codes_are_listed_with_their_meaning() {
    let bench = Bench::new();
    let run = bench.run(&["lint", "--codes"]).expect(0);
    assert!(run.stdout.lines().any(|line| {
        line.starts_with("unknown-symbol ") && line.ends_with("nothing declares this name")
    }));
    let run = bench.run(&["lint", "--codes", "--json"]).expect(0).json();
    let codes = run["codes"].as_array().unwrap();
    assert!(codes.iter().any(|code| code["code"] == "legacy-escape"));
}

/// Every command that takes paths of instances reads one member of an archive.
#[test]
fn one_member_of_an_archive_is_read_by_every_command() {
    let bench = Bench::new();
    let script = "(set-info :smt-lib-version 2.7)\n(set-logic QF_S)\n(declare-const x String)\n\
                  (assert (= x \"a\"))\n(check-sat)\n";
    let mut archive = tar::Builder::new(Vec::new());
    for (name, text) in [("s/a.smt2", script), ("s/b.smt2", "(assert nonsense)")] {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, text.as_bytes()).unwrap();
    }
    bench.write("set.tar", archive.into_inner().unwrap());
    bench.write("model", "((x \"a\"))");
    let run = bench.run(&["lint", "set.tar!s/a.smt2"]).expect(0);
    assert_eq!(run.stdout, "0 errors and 0 warnings in 1 file\n");
    let run = bench.run(&["lint", "--json", "set.tar!s/b.smt2"]).expect(3).json();
    assert_eq!(run["files"][0]["file"], "set.tar!s/b.smt2");
    assert_eq!(bench.run(&["parse", "--json", "set.tar!s/a.smt2"]).expect(0).json()["files"], 1);
    bench.run(&["fmt", "set.tar!s/a.smt2"]).expect(0);
    bench.run(&["check", "set.tar!s/a.smt2", "--model", "model"]).expect(0);
    bench.run(&["eval", "set.tar!s/a.smt2", "--model", "model"]).expect(0);
    let run = ["run", "--bench", "set.tar!s/a.smt2", "--solver", "luthier", "--db", "r.db"];
    bench.run(&[&run[..], &["--timeout", "20s"]].concat()).expect(0);
    for command in ["lint", "parse", "fmt"] {
        let run = bench.run(&[command, "set.tar!s/c.smt2"]);
        assert!(run.code != 0 && run.stderr.contains("there is no such script in set.tar"));
    }
}
