//! `luthier fmt`.

use crate::common::{Bench, deep_script};
use serde_json::json;

const LEGACY: &str = "; old\n(declare-fun x () String)\n(assert (str.in.re x (re.+ (str.to.re \"\\x41\"))))\n(check-sat)\n";

#[test]
fn a_legacy_script_becomes_a_standard_one() {
    let bench = Bench::new();
    bench.write("old.smt2", LEGACY);
    let run = bench.run(&["fmt", "old.smt2"]).expect(0);
    assert!(run.stdout.starts_with("(set-info :smt-lib-version 2.7)\n"), "{run:?}");
    assert!(run.stdout.contains("(assert (str.in_re x (re.+ (str.to_re \"A\"))))\n"), "{run:?}");
    assert!(run.stdout.contains("\n; old\n(declare-fun x () String)\n"), "{run:?}");
    assert_eq!(run.stderr, "");
    // And that one is clean.
    let run = bench.run_with_input(&["lint", "-"], run.stdout).expect(0);
    assert!(run.stdout.starts_with("0 errors and 0 warnings"), "{run:?}");
}

#[test]
fn comments_between_commands_stay_where_they_are() {
    let bench = Bench::new();
    let text =
        "; first\n(declare-const x Bool) ; beside\n\n;; before\n(assert ; inside\n  x)\n; last\n";
    let run = bench.run_with_input(&["fmt", "-"], text).expect(0);
    let expected = "(set-info :smt-lib-version 2.7)\n; first\n(declare-const x Bool)\n; beside\n\
                    ;; before\n(assert x)\n; last\n";
    assert_eq!(run.stdout, expected);
    assert!(run.stderr.contains("note: comments inside commands are not kept"), "{run:?}");
    // Laid out once, it stays as it is.
    bench.write("tidy.smt2", expected);
    bench.run(&["fmt", "--check", "tidy.smt2"]).expect(0);
}

#[test]
fn the_dialect_to_write_can_be_a_release() {
    let bench = Bench::new();
    bench
        .write("new.smt2", "(declare-const x String)(assert (str.in_re x (str.to_re \"\\u{7}\")))");
    for (dialect, expected) in [
        ("z3-4.8.8", "(str.in.re x (str.to.re \"\\x07\"))"),
        ("cvc4-1.6", "(str.in.re x (str.to.re \"\\x07\"))"),
        ("cvc5-1.2.0", "(str.in_re x (str.to_re \"\\u{7}\"))"),
    ] {
        let run = bench.run(&["fmt", "--dialect", dialect, "new.smt2"]).expect(0);
        assert!(run.stdout.contains(expected), "{dialect}: {run:?}");
    }
}

#[test]
fn json_has_the_text_and_the_dialects() {
    let bench = Bench::new();
    let run = bench.run_with_input(&["fmt", "--json", "--dialect", "z3-4.8.8", "-"], LEGACY);
    let run = run.expect(0).json();
    assert_eq!(run["dialect_from"], "2.5");
    assert_eq!(run["reason"], "the legacy name str.in.re");
    assert_eq!(run["dialect_to"], "z3-4.8.8");
    assert!(run["text"].as_str().unwrap().contains("str.in.re"));
    assert_eq!(run["notes"], json!([]));
    assert_eq!(run["errors"], json!([]));
    assert!(run["warnings"].is_array());
}

#[test]
fn what_meant_something_else_is_said_on_standard_error() {
    let bench = Bench::new();
    let old = "(declare-const x String)(assert (str.in.re x re.allchar))";
    let run = bench.run_with_input(&["fmt", "--from", "z3-4.5.0", "-"], old).expect(0);
    assert!(run.stdout.contains("re.all") && !run.stdout.contains("re.allchar"), "{run:?}");
    let run = bench.run_with_input(&["fmt", "-"], old).expect(0);
    assert!(run.stderr.contains("warning[meaning-re.allchar]:"), "{run:?}");
    let run = bench.run_with_input(&["fmt", "--json", "-"], old).expect(0).json();
    assert_eq!(run["warnings"][0]["code"], "meaning-re.allchar");
}

#[test]
fn a_script_with_errors_gives_diagnostics_and_no_text() {
    let bench = Bench::new();
    let run = bench.run_with_input(&["fmt", "-"], "(assert (= x 1))\n(check-sat)").expect(3);
    assert!(run.stdout.is_empty(), "{run:?}");
    assert!(run.stderr.contains("<stdin>:1:12: error[unknown-symbol]:"), "{run:?}");
    let run = bench.run_with_input(&["fmt", "--json", "-"], "(assert (= x 1))").expect(3).json();
    assert_eq!((&run["text"], &run["errors"][0]["line"]), (&json!(null), &json!(1)));
}

#[test]
fn what_a_dialect_cannot_express_is_named() {
    let bench = Bench::new();
    let script = "(declare-const x String)(assert (= x \"\\u{2603}\"))";
    let run = bench.run_with_input(&["fmt", "--dialect", "z3-4.8.8", "-"], script).expect(3);
    assert!(run.stdout.is_empty() && run.stderr.contains("U+2603"), "{run:?}");
    assert!(run.stderr.contains("hint: choose another dialect"), "{run:?}");
    let run = bench.run_with_input(&["fmt", "--json", "--dialect", "z3-4.8.8", "-"], script);
    assert!(run.expect(3).json()["cannot_express"].as_str().unwrap().contains("U+2603"));
}

#[test]
fn lines_are_broken_at_the_width_or_not_at_all() {
    let bench = Bench::new();
    let parts = "(= x \"abcdefgh\") ".repeat(20);
    bench.write("wide.smt2", format!("(declare-const x String)(assert (or {parts}))"));
    let longest = |arguments: &[&str]| {
        let run = bench.run(arguments).expect(0);
        run.stdout.lines().map(str::len).max().unwrap()
    };
    assert!(longest(&["fmt", "wide.smt2"]) <= 100);
    assert!(longest(&["fmt", "--width", "40", "wide.smt2"]) <= 40);
    assert!(longest(&["fmt", "--flat", "wide.smt2"]) > 300);
}

#[test]
fn check_says_whether_the_layout_is_there_already() {
    let bench = Bench::new();
    bench.write("old.smt2", LEGACY);
    let run = bench.run(&["fmt", "--check", "old.smt2"]).expect(3);
    assert!(run.stdout.is_empty() && run.stderr.contains("would be laid out differently"));
    let text = bench.run(&["fmt", "old.smt2"]).expect(0).stdout;
    bench.write("new.smt2", text);
    let run = bench.run(&["fmt", "--check", "new.smt2"]).expect(0);
    assert!(run.stdout.is_empty() && run.stderr.is_empty(), "{run:?}");
    let run = bench.run(&["fmt", "--check", "--json", "old.smt2"]).expect(3).json();
    assert_eq!((&run["unchanged"], &run["text"]), (&json!(false), &json!(null)));
}

#[test]
fn compressed_scripts_are_decompressed() {
    let bench = Bench::new();
    let file = std::fs::File::create(bench.path("old.smt2.gz")).unwrap();
    let mut encoder = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, LEGACY.as_bytes()).unwrap();
    encoder.finish().unwrap();
    assert!(bench.run(&["fmt", "old.smt2.gz"]).expect(0).stdout.contains("str.in_re"));
}

#[test]
fn deep_terms_and_long_literals_are_printed() {
    let bench = Bench::new();
    bench.write("deep.smt2", deep_script(100_000));
    for layout in [&["--flat"][..], &[]] {
        let run = bench.run(&[&["fmt", "deep.smt2"], layout].concat()).expect(0);
        assert_eq!(run.stdout.matches("(not").count(), 100_000);
    }
    let literal = "ab\\u{1f}".repeat(150_000);
    bench.write("long.smt2", format!("(declare-const x String)(assert (= x \"{literal}\"))"));
    let run = bench.run(&["fmt", "long.smt2"]).expect(0);
    assert!(run.stdout.contains(&literal));
}
