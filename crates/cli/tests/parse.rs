//! `luthier parse`.

use std::io::Write as _;
use std::time::{Duration, Instant};

use crate::common::{Bench, deep_script};
use serde_json::json;

const GOOD: &str =
    "(set-logic QF_S)\n(declare-const x String)\n(assert (= x \"a\"))\n(check-sat)\n";
const LEGACY: &str = "(declare-const x String)\n(assert (str.in.re x (str.to.re \"\\x41\")))\n";

#[test]
fn counts_are_shown_and_everything_read_ends_with_0() {
    let bench = Bench::new();
    bench.write("good.smt2", GOOD);
    bench.write("below/legacy.smt25", LEGACY);
    bench.write("notes.txt", "nothing");
    let run = bench.run(&["parse", "."]).expect(0);
    for line in ["files       2", "accepted    2", "rejected    0", "skipped     1"] {
        assert!(run.stdout.lines().any(|found| found == line), "{line}: {run:?}");
    }
    assert!(run.stdout.contains("  1  2.5\n") && run.stderr.is_empty(), "{run:?}");

    let run = bench.run(&["parse", "--json", "."]).expect(0).json();
    assert_eq!(run["files"], 2);
    assert_eq!(run["accepted"], 2);
    assert_eq!(run["rejected"], 0);
    assert_eq!(run["bytes"], GOOD.len() + LEGACY.len());
    assert!(run["cpu_seconds"].as_f64().unwrap() > 0.0);
    assert_eq!(run["causes"], json!({}));
    assert_eq!(run["dialects"], json!({"2.5": 1, "2.6": 1}));
    assert_eq!(run["reasons"]["the legacy name str.in.re"], 1);
    assert_eq!(run["skipped"], 1);
    assert!(run.get("roundtrip").is_none() && run.get("diagnostics").is_none());
}

#[test]
fn rejected_files_are_listed_with_their_first_error_and_end_with_3() {
    let bench = Bench::new();
    bench.write("a.smt2", GOOD);
    bench.write("b.smt2", "(declare-const x String)\n(assert (= x y))\n(assert z)\n");
    bench.write("c.smt2", "(assert (= \"a\" \"a\")");
    let run = bench.run(&["parse", "."]).expect(3);
    let expected = "b.smt2:2:14: error[unknown-symbol]:";
    assert!(run.stdout.contains(expected), "{run:?}");
    let run = bench.run(&["parse", "--json", "."]).expect(3).json();
    assert_eq!(run["causes"], json!({"unknown-symbol": 1, "unterminated-command": 1}));
    let first = &run["rejections"][0];
    assert!(first["file"].as_str().unwrap().ends_with("b.smt2"));
    assert_eq!((&first["line"], &first["column"]), (&json!(2), &json!(14)));
    assert_eq!(first["code"], "unknown-symbol");
    assert!(first["message"].as_str().unwrap().contains('y'));
}

#[test]
fn long_lists_are_cut_unless_all_is_asked_for() {
    let bench = Bench::new();
    for number in 0..30 {
        bench.write(&format!("{number:02}.smt2"), "(frobnicate)");
    }
    let cut = bench.run(&["parse", "."]).expect(3);
    assert!(cut.stdout.contains("and 10 more; --all lists them"), "{cut:?}");
    let all = bench.run(&["parse", "--all", "."]).expect(3);
    assert_eq!(all.stdout.matches("error[unknown-command]").count(), 30);
}

#[test]
fn the_strict_reader_rejects_what_the_generous_one_accepts() {
    let bench = Bench::new();
    bench.write("legacy.smt2", LEGACY);
    bench.run(&["parse", "legacy.smt2"]).expect(0);
    let strict = bench.run(&["parse", "--strict", "--json", "legacy.smt2"]).expect(3).json();
    assert_eq!(strict["causes"], json!({"legacy-name": 1}));
    let chosen = bench.run(&["parse", "--json", "--dialect", "z3-4.8.8", "legacy.smt2"]);
    assert_eq!(chosen.expect(0).json()["dialects"], json!({"z3-4.8.8": 1}));
}

#[test]
fn all_diagnostics_are_shown_on_demand_warnings_too() {
    let bench = Bench::new();
    bench.write("legacy.smt2", LEGACY);
    let run = bench.run(&["parse", "--diagnostics", "legacy.smt2"]).expect(0);
    assert!(run.stdout.contains("warning[legacy-name]:") && run.stdout.contains("^^^"), "{run:?}");
    let run = bench.run(&["parse", "--diagnostics", "--json", "legacy.smt2"]).expect(0).json();
    assert_eq!(run["diagnostics"][0]["severity"], "warning");
    assert_eq!(run["diagnostics"][0]["file"], "legacy.smt2");
}

#[test]
fn scripts_are_printed_and_read_back_in_every_dialect() {
    let bench = Bench::new();
    bench.write("good.smt2", GOOD);
    bench.write(
        "wide.smt2",
        "(declare-const x String)\n(assert (= x (str.from_code 9731)))\n(assert (= x \"\\u{2603}\"))",
    );
    let run = bench.run(&["parse", "--roundtrip", "--json", "."]).expect(0).json();
    assert_eq!(run["roundtrip"]["failures"], json!([]));
    assert!(run["roundtrip"]["same"].as_u64().unwrap() >= 12);
    assert!(run["roundtrip"]["cannot_express"].as_u64().unwrap() > 0);
    let run = bench.run(&["parse", "--roundtrip", "."]).expect(0);
    assert!(run.stdout.contains("printed and read back"), "{run:?}");
}

#[test]
fn archives_are_read_without_unpacking() {
    let bench = Bench::new();
    let file = std::fs::File::create(bench.path("suite.tar.gz")).unwrap();
    let mut archive = tar::Builder::new(flate2::write::GzEncoder::new(file, Default::default()));
    for (name, text) in [("s/a.smt2", GOOD), ("s/b.smt2", "(assert x)"), ("s/readme", "hello")] {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, text.as_bytes()).unwrap();
    }
    archive.into_inner().unwrap().finish().unwrap();
    let run = bench.run(&["parse", "--json", "suite.tar.gz"]).expect(3).json();
    assert_eq!((&run["files"], &run["skipped"]), (&json!(2), &json!(1)));
    assert_eq!(run["rejections"][0]["file"], "suite.tar.gz!s/b.smt2");
    // Other commands take one member by that name.
    let run = bench.run(&["fmt", "suite.tar.gz!s/a.smt2"]).expect(0);
    assert!(run.stdout.contains("(assert (= x \"a\"))"), "{run:?}");
    let run = bench.run(&["fmt", "suite.tar.gz!s/c.smt2"]).expect(1);
    assert!(run.stderr.contains("no such script in suite.tar.gz"), "{run:?}");
    let run = bench.run(&["fmt", "suite.tar.gz"]).expect(1);
    assert!(run.stderr.contains("hint: name one member"), "{run:?}");
    // The first half of the archive.
    let bytes = std::fs::read(bench.path("suite.tar.gz")).unwrap();
    bench.write("cut.tar.gz", &bytes[..bytes.len() / 2]);
    let run = bench.run(&["parse", "--json", "cut.tar.gz", "suite.tar.gz"]).expect(3);
    assert_eq!(run.json()["unreadable"].as_array().unwrap().len(), 1, "{run:?}");
    assert!(run.stderr.contains("cut.tar.gz: expected a "), "{run:?}");
}

#[test]
fn a_folder_without_scripts_and_missing_paths_are_said_to_be_so() {
    let bench = Bench::new();
    bench.write("folder/notes.txt", "nothing");
    let run = bench.run(&["parse", "folder"]).expect(1);
    assert!(run.stderr.contains("there is no script here") && run.stderr.contains("hint: "));
    assert_eq!(bench.run(&["parse", "--json", "folder"]).expect(1).json()["files"], 0);
    bench.write("good.smt2", GOOD);
    let run = bench.run(&["parse", "--json", "missing.smt2", "good.smt2"]).expect(3);
    assert!(run.stderr.contains("missing.smt2: no such file or folder"), "{run:?}");
    let json = run.json();
    assert_eq!((&json["files"], &json["accepted"]), (&json!(1), &json!(1)));
    assert!(json["unreadable"][0].as_str().unwrap().contains("missing.smt2"));
}

#[test]
fn odd_files_are_judged_and_never_break_the_command() {
    let bench = Bench::new();
    let binary: Vec<u8> = (0..=255).cycle().take(5000).collect();
    let unfinished_literal = format!("{GOOD}(assert (= x \"abc");
    for (name, content, code) in [
        ("empty.smt2", &b""[..], 0),
        ("blank.smt2", b"  \n\n; only a comment", 0),
        ("binary.smt2", &binary, 3),
        ("zeros.smt2", &[0; 1000], 3),
        ("cut.smt2", &GOOD.as_bytes()[..GOOD.len() - 20], 3),
        ("literal.smt2", unfinished_literal.as_bytes(), 3),
        ("closed.smt2", b")", 3),
        ("not-utf8.smt2", b"(declare-const |\xff\xfe| String)(assert (= |\xff\xfe| \"a\"))", 0),
        ("windows.smt2", b"\xEF\xBB\xBF(check-sat)\r\n", 0),
    ] {
        bench.write(name, content);
        for command in [&["parse", name][..], &["parse", "--json", "--diagnostics", name]] {
            let run = bench.run(command).expect(code);
            assert!(!run.stdout.is_empty(), "{run:?}");
        }
        let run = bench.run(&["lint", name]);
        assert!(matches!(run.code, 0 | 3), "{run:?}");
        let run = bench.run(&["fmt", "--json", name]);
        assert_eq!(run.code, code, "{run:?}");
    }
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let bench = Bench::new();
    for number in 0..200 {
        let text = match number % 3 {
            0 => GOOD.to_owned(),
            1 => format!("; {number}\n(assert unknown{number})"),
            _ => format!("{LEGACY}{}", "(assert (= x \"b\"))\n".repeat(number * 20)),
        };
        bench.write(&format!("{}/{number}.smt2", number % 7), text);
    }
    let run = |jobs: &str| {
        let arguments = ["parse", "--json", "--diagnostics", "--jobs", jobs, "missing", "."];
        let run = bench.run(&arguments).expect(3);
        let mut json = run.json();
        for field in ["cpu_seconds", "reader_cpu_seconds"] {
            json[field] = json!(0);
        }
        (serde_json::to_string(&json).unwrap(), run.stderr)
    };
    let one = run("1");
    assert_eq!(one, run("2"));
    assert_eq!(one, run("16"));
}

#[test]
fn deep_nesting_is_read() {
    let bench = Bench::new();
    bench.write("deep.smt2", deep_script(100_000));
    let run = bench.run(&["parse", "--roundtrip", "--json", "deep.smt2"]).expect(0).json();
    assert_eq!(run["roundtrip"]["failures"], json!([]));
}

#[test]
fn a_hundred_megabytes_take_seconds() {
    let bench = Bench::new();
    let mut file = std::io::BufWriter::new(std::fs::File::create(bench.path("huge.smt2")).unwrap());
    writeln!(file, "(set-logic QF_SLIA)\n(declare-const x String)\n(declare-const n Int)").unwrap();
    for number in 0..1_200_000 {
        let term = format!(
            "(and (= (str.len x) (+ n {number})) (str.prefixof \"p{number}\" (str.++ x \"a\")))"
        );
        writeln!(file, "(assert {term})").unwrap();
    }
    file.into_inner().unwrap();
    let size = std::fs::metadata(bench.path("huge.smt2")).unwrap().len();
    assert!(size > 95_000_000, "{size}");
    let begin = Instant::now();
    let run = bench.run(&["parse", "--json", "huge.smt2"]).expect(0).json();
    // A few seconds; the limit leaves room for a busy machine and a build without optimisation.
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
    assert_eq!(run["bytes"], size);
}

#[test]
#[cfg(unix)]
fn hostile_file_names_cannot_command_the_terminal() {
    use std::os::unix::ffi::OsStrExt as _;
    let bench = Bench::new();
    for name in [
        &b"\x1b[31mred\x1b]0;title\x07.smt2"[..],
        b"new\nline.smt2",
        b"\xff\xfe.smt2",
        b"-dash.smt2",
        b"--json.smt2",
        b"quote\"'$(x).smt2",
    ] {
        let path = bench.path("").join(std::ffi::OsStr::from_bytes(name));
        std::fs::write(path, "(assert x)").unwrap();
    }
    for arguments in [&["parse", "--diagnostics", "."][..], &["lint", "."]] {
        let run = bench.run(arguments).expect(3);
        let control = |c: char| c.is_control() && c != '\n';
        assert!(!run.stdout.contains(control) && !run.stderr.contains(control), "{run:?}");
        assert!(run.stdout.contains("\\u{1b}[31mred") && run.stdout.contains("new\\nline.smt2"));
        assert_eq!(run.stdout.matches("error[unknown-symbol]").count() % 6, 0, "{run:?}");
    }
    bench.run(&["parse", "--", "-dash.smt2", "--json.smt2"]).expect(3);
    let json = bench.run(&["parse", "--json", "."]).expect(3).json();
    assert_eq!(json["rejected"], 6);
}
