//! What holds for all commands: help, usage errors, colours, the ends of pipes.

use std::io::Read as _;
use std::process::Stdio;

use crate::common::Bench;

const SCRIPT: &str = "(declare-const x String)\n(assert (= x \"a\"))\n(check-sat)\n";

#[test]
fn help_and_version_go_to_standard_output_and_end_with_0() {
    let bench = Bench::new();
    let help = bench.run(&["--help"]).expect(0);
    for part in ["parse", "fmt", "lint", "eval", "check", "Examples:", "Exit codes:", "70"] {
        assert!(help.stdout.contains(part), "{part}: {help:?}");
    }
    assert!(bench.run(&["-h"]).expect(0).stdout.lines().count() <= 46);
    for command in [
        "parse",
        "fmt",
        "lint",
        "eval",
        "check",
        "solvers",
        "run",
        "cancel",
        "summary",
        "show",
        "compare",
        "merge",
        "import",
        "demo",
        "conformance",
        "serve",
        "report",
        "export",
        "generate",
        "hunt",
        "solve",
        "completions",
        "man",
    ] {
        let short = bench.run(&[command, "-h"]).expect(0).stdout;
        assert!(short.lines().count() <= 40, "{short}");
        let help = bench.run(&[command, "--help"]).expect(0);
        assert!(help.stdout.contains("Examples:") && help.stdout.contains("Ends with"), "{help:?}");
    }
    let run = bench.run(&["run", "--help"]).expect(0);
    for suite in luthier_campaign::suites::SUITES {
        assert!(run.stdout.contains(&format!(" {}", suite.name)), "{}: {run:?}", suite.name);
    }
    let version = bench.run(&["--version"]).expect(0);
    assert!(version.stdout.starts_with("luthier "), "{version:?}");
}

#[test]
fn usage_errors_go_to_standard_error_and_end_with_1() {
    let bench = Bench::with_model(SCRIPT, "");
    for arguments in [
        &[][..],
        &["frobnicate"],
        &["parse"],
        &["parse", "--jobs", "0", "script.smt2"],
        &["parse", "--unknown", "script.smt2"],
        &["parse", "--dialect", "z4", "script.smt2"],
        &["fmt", "--dialect", "2.8", "script.smt2"],
        &["fmt", "--flat", "--width", "80", "script.smt2"],
        &["lint"],
        &["eval", "script.smt2"],
        &["check", "script.smt2"],
        &["check", "-", "--model", "-"],
        &["eval", "-", "--model", "-"],
        &["--color", "sometimes", "parse", "."],
    ] {
        let run = bench.run(arguments).expect(1);
        assert!(run.stdout.is_empty() && !run.stderr.is_empty(), "{arguments:?}: {run:?}");
    }
    let run = bench.run(&["fmt", "--dialect", "z4", "script.smt2"]);
    assert!(
        run.stderr.contains("z4") && run.stderr.contains("a release such as z3-4.8.5"),
        "{run:?}"
    );
}

#[test]
fn a_file_that_cannot_be_opened_is_named_and_ends_with_1() {
    let bench = Bench::with_model(SCRIPT, "()");
    for arguments in [
        &["fmt", "missing.smt2"][..],
        &["fmt", "."],
        &["lint", "missing.smt2"],
        &["parse", "missing.smt2"],
        &["eval", "missing.smt2", "--model", "model"],
        &["check", "script.smt2", "--model", "missing.txt"],
        &["check", "missing.smt2", "--model", "model"],
    ] {
        let run = bench.run(arguments).expect(1);
        let named = run.stderr.contains("missing.") || run.stderr.contains(".: expected a file");
        assert!(named && run.stderr.starts_with("luthier: error: "), "{arguments:?}: {run:?}");
        assert!(!run.stdout.contains("assertion"), "{run:?}");
    }
}

#[test]
fn colours_are_used_only_when_asked_for_or_on_a_terminal() {
    let bench = Bench::with_model(SCRIPT, "((x \"b\"))");
    let check = ["check", "script.smt2", "--model", "model"];
    let plain = bench.run(&check).expect(2);
    assert!(!plain.stdout.contains('\x1b'), "{plain:?}");
    let coloured = bench.run(&[&check[..], &["--color", "always"]].concat()).expect(2);
    assert!(coloured.stdout.starts_with("\x1b["), "{coloured:?}");
    // Colours are not the only sign: without them the same text stands there.
    assert!(plain.stdout.starts_with("invalid:"), "{plain:?}");
    let output = bench.command(&["lint", "missing", "--color", "never"]).output().unwrap();
    assert!(!output.stderr.contains(&0x1b));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let bench = Bench::new();
    let assertions = "(assert (= x \"some text to fill the pipe\"))\n".repeat(20_000);
    bench.write("long.smt2", format!("(declare-const x String)\n{assertions}"));
    let wrong = "(frobnicate)\n".repeat(150);
    for number in 0..50 {
        bench.write(&format!("wrong/{number}.smt2"), &wrong);
    }
    for (arguments, codes) in [
        (&["fmt", "long.smt2"][..], [0, 0]),
        (&["lint", "wrong"], [3, 3]),
        (&["lint", "--codes"], [0, 0]),
    ] {
        let mut command = bench.command(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut [0; 10]).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(codes.contains(&output.status.code().unwrap()), "{arguments:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_reported_and_ends_with_1() {
    let bench = Bench::with_model(SCRIPT, "((x \"a\"))");
    for arguments in [
        &["fmt", "script.smt2"][..],
        &["check", "script.smt2", "--model", "model"],
        &["parse", "."],
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = bench.command(arguments).stdout(full).output().unwrap();
        let talk = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{talk}");
        assert!(talk.contains("cannot write to standard output"), "{talk}");
    }
}
